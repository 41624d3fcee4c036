//! The counts of positions, grouped from the counts of their moves.

use std::collections::BTreeMap;
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
    /// The counts of each move in each class of games that has it, sorted by both; empty if all games
    /// are counted together. A class is the text of a [`GameClass`](crate::GameClass).
    pub classes: Vec<(MoveCode, Box<str>, Tally)>,
}

impl Entry {
    /// Returns a position with its first count.
    fn new(first: Counted, with_moves: bool) -> Self {
        let (key, total) = (first.key, Tally::default());
        let mut entry = Entry { key, total, moves: Vec::new(), classes: Vec::new() };
        entry.add(first, with_moves);
        entry
    }

    /// Adds a count of the position.
    fn add(&mut self, counted: Counted, with_moves: bool) {
        let Counted { next, class, tally, .. } = counted;
        if !with_moves {
            self.total += tally;
            return;
        }
        self.total += tally.clone();
        if !class.is_empty() {
            self.classes.push((next, class, tally.clone()));
        }
        self.add_move(next, tally);
    }

    /// Adds a count of the last move or of a later one.
    pub(crate) fn add_move(&mut self, next: MoveCode, tally: Tally) {
        match self.moves.last_mut() {
            Some((code, counts)) if *code == next => *counts += tally,
            _ => self.moves.push((next, tally)),
        }
    }
}

/// Adds up the counts of each move with and without [pins](MoveCode::has_pin), which only Polyglot
/// distinguishes. Moves are sorted by code, so those with pins are the last ones.
pub(crate) fn join_pins(moves: &mut Vec<(MoveCode, Tally)>) {
    while let Some((code, tally)) = moves.pop_if(|(code, _)| code.has_pin()) {
        let code = code.without_pin();
        match moves.binary_search_by_key(&code, |(code, _)| *code) {
            Ok(i) => moves[i].1 += tally,
            Err(i) => moves.insert(i, (code, tally)),
        }
    }
}

/// Does the same for the counts of each move and class, which are sorted by both.
pub(crate) fn join_pins_of_classes(classes: &mut Vec<(MoveCode, Box<str>, Tally)>) {
    if classes.last().is_none_or(|(code, ..)| !code.has_pin()) {
        return;
    }
    let mut joined = BTreeMap::<(MoveCode, Box<str>), Tally>::new();
    for (code, class, tally) in classes.drain(..) {
        *joined.entry((code.without_pin(), class)).or_default() += tally;
    }
    classes.extend(joined.into_iter().map(|((code, class), tally)| (code, class, tally)));
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
        let first = match self.counts.next()? {
            Ok(counted) => counted,
            Err(error) => return Some(Err(error)),
        };
        let key = first.key;
        let mut entry = Entry::new(first, self.with_moves);
        loop {
            match self
                .counts
                .next_if(|next| !matches!(next, Ok(Counted { key: other, .. }) if *other != key))
            {
                None => return Some(Ok(entry)),
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(counted)) => entry.add(counted, self.with_moves),
            }
        }
    }
}
