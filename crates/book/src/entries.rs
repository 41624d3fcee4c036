//! The counts of positions, grouped from the counts of their moves.

use std::io;

use san::{MoveCode, PositionKey};

use crate::run::Counted;
use crate::tally::Tally;

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
    with_moves: bool,
}

impl<I: Iterator<Item = io::Result<Counted>>> Entries<I> {
    /// Groups these counts; without moves, only their sums are kept.
    pub(crate) fn new(counts: I, with_moves: bool) -> Self {
        Entries { counts: counts.peekable(), with_moves }
    }
}

impl<I: Iterator<Item = io::Result<Counted>>> Iterator for Entries<I> {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        let Counted(key, next, tally) = match self.counts.next()? {
            Ok(counted) => counted,
            Err(error) => return Some(Err(error)),
        };
        let mut entry = Entry { key, total: tally, moves: Vec::new() };
        if self.with_moves {
            entry.moves.push((next, entry.total.clone()));
        }
        loop {
            match self
                .counts
                .next_if(|next| !matches!(next, Ok(Counted(other, ..)) if *other != key))
            {
                None => return Some(Ok(entry)),
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(Counted(_, next, tally))) if self.with_moves => {
                    entry.total += tally.clone();
                    entry.moves.push((next, tally));
                }
                Some(Ok(Counted(.., tally))) => entry.total += tally,
            }
        }
    }
}
