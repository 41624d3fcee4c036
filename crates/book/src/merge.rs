//! Merges sorted runs and adds up the counts of the same move.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::io;

use san::{MoveCode, PositionKey};

pub(crate) use crate::run::Counted;
use crate::tally::Tally;

/// A source of counts in sort order.
pub(crate) type Run<'r> = Box<dyn Iterator<Item = io::Result<Counted>> + 'r>;

/// Merges several runs; every move is yielded once, in sort order.
pub(crate) struct Merge<'r> {
    runs: Vec<Run<'r>>,
    heads: BinaryHeap<Head>,
    failed: bool,
}

/// The next count of a run.
struct Head {
    hash: u64,
    counted: Counted,
    run: usize,
}

impl Head {
    fn key(&self) -> (u64, PositionKey, MoveCode, usize) {
        (self.hash, self.counted.0, self.counted.1, self.run)
    }
}

impl Ord for Head {
    /// Reversed, because the heap returns its maximum.
    fn cmp(&self, other: &Self) -> Ordering {
        other.key().cmp(&self.key())
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Head {}

impl<'r> Merge<'r> {
    pub(crate) fn new(runs: Vec<Run<'r>>) -> io::Result<Self> {
        let mut merge = Merge { runs, heads: BinaryHeap::new(), failed: false };
        for run in 0..merge.runs.len() {
            if let Some(head) = merge.head(run)? {
                merge.heads.push(head);
            }
        }
        Ok(merge)
    }

    fn head(&mut self, run: usize) -> io::Result<Option<Head>> {
        match self.runs[run].next() {
            None => Ok(None),
            Some(counted) => {
                let counted = counted?;
                Ok(Some(Head { hash: counted.0.stable_hash(), counted, run }))
            }
        }
    }

    /// Removes the first count and advances its run.
    pub(crate) fn pop(&mut self) -> io::Result<Option<Counted>> {
        let Some(run) = self.heads.peek().map(|head| head.run) else { return Ok(None) };
        Ok(match self.head(run)? {
            Some(next) => {
                let mut first = self.heads.peek_mut().expect("it was just looked at");
                Some(std::mem::replace(&mut *first, next).counted)
            }
            None => self.heads.pop().map(|head| head.counted),
        })
    }

    fn next_counted(&mut self) -> io::Result<Option<Counted>> {
        let Some((key, next, mut tally)) = self.pop()? else { return Ok(None) };
        while self.heads.peek().is_some_and(|head| (head.counted.0, head.counted.1) == (key, next))
        {
            if let Some((_, _, more)) = self.pop()? {
                tally += more;
            }
        }
        Ok(Some((key, next, tally)))
    }
}

impl Iterator for Merge<'_> {
    type Item = io::Result<Counted>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.next_counted().transpose();
        self.failed = matches!(next, Some(Err(_)));
        next
    }
}

/// The counts of a position, and of each of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The position.
    pub key: PositionKey,
    /// The counts of all games that reached it.
    pub total: Tally,
    /// The moves played from it, and [`MoveCode::NONE`] for games that ended there, sorted by code.
    pub moves: Vec<(MoveCode, Tally)>,
}

/// Groups the counts of moves by position.
pub(crate) struct Entries<I: Iterator<Item = io::Result<Counted>>> {
    counts: std::iter::Peekable<I>,
}

impl<I: Iterator<Item = io::Result<Counted>>> Entries<I> {
    pub(crate) fn new(counts: I) -> Self {
        Entries { counts: counts.peekable() }
    }
}

impl<I: Iterator<Item = io::Result<Counted>>> Iterator for Entries<I> {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        let (key, next, tally) = match self.counts.next()? {
            Ok(counted) => counted,
            Err(error) => return Some(Err(error)),
        };
        let mut entry = Entry { key, total: tally.clone(), moves: vec![(next, tally)] };
        loop {
            match self.counts.next_if(|next| !matches!(next, Ok((other, ..)) if *other != key)) {
                None => return Some(Ok(entry)),
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok((_, next, tally))) => {
                    entry.total += tally.clone();
                    entry.moves.push((next, tally));
                }
            }
        }
    }
}
