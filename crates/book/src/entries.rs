//! The counts of positions, grouped from the counts of their moves.

use std::collections::BTreeMap;
use std::io;

use san::{MoveCode, PositionKey};

use crate::row::Counted;
use crate::tally::{GameInfo, Tally};

/// The counts of a position, and of each of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<I = GameInfo> {
    /// The position.
    pub key: PositionKey,
    /// The counts of all games that reached it.
    pub total: Tally<I>,
    /// The moves played from it, and [`MoveCode::NONE`] for games that ended there, sorted by code.
    pub moves: Vec<(MoveCode, Tally<I>)>,
    /// The counts of each move in each class of games that has it, sorted by both; empty if all
    /// games are counted together. A class is the text of a [`GameClass`](crate::GameClass).
    pub classes: Vec<(MoveCode, Box<str>, Tally<I>)>,
}

impl<I: Clone + Default + PartialOrd> Entry<I> {
    fn new<C>(first: Counted<I, C>, with_moves: bool) -> Self
    where
        C: Into<Box<str>> + AsRef<str>,
    {
        let (key, total) = (first.key, Tally::default());
        let mut entry = Entry { key, total, moves: Vec::new(), classes: Vec::new() };
        entry.add(first, with_moves);
        entry
    }

    fn add<C>(&mut self, counted: Counted<I, C>, with_moves: bool)
    where
        C: Into<Box<str>> + AsRef<str>,
    {
        let Counted { next, class, tally, .. } = counted;
        if !with_moves {
            self.total += tally;
            return;
        }
        self.total += tally.clone();
        if !class.as_ref().is_empty() {
            self.classes.push((next, class.into(), tally.clone()));
        }
        self.add_move(next, tally);
    }

    /// Adds a count of the last move or of a later one.
    pub(crate) fn add_move(&mut self, next: MoveCode, tally: Tally<I>) {
        match self.moves.last_mut() {
            Some((code, counts)) if *code == next => *counts += tally,
            Some(_) => self.moves.push((next, tally)),
            // Most positions have one move.
            None => self.moves = vec![(next, tally)],
        }
    }
}

/// Joins moves that differ in [pins](MoveCode::has_pin); by code, those with pins are last.
pub(crate) fn join_pins<I: Default + PartialOrd>(moves: &mut Vec<(MoveCode, Tally<I>)>) {
    while let Some((code, tally)) = moves.pop_if(|(code, _)| code.has_pin()) {
        let code = code.without_pin();
        match moves.binary_search_by_key(&code, |(code, _)| *code) {
            Ok(i) => moves[i].1 += tally,
            Err(i) => moves.insert(i, (code, tally)),
        }
    }
}

/// Does the same for the counts of each move and class, which are sorted by both.
pub(crate) fn join_pins_of_classes<I: Default + PartialOrd>(
    classes: &mut Vec<(MoveCode, Box<str>, Tally<I>)>,
) {
    if classes.last().is_none_or(|(code, ..)| !code.has_pin()) {
        return;
    }
    let mut joined = BTreeMap::<(MoveCode, Box<str>), Tally<I>>::new();
    for (code, class, tally) in classes.drain(..) {
        *joined.entry((code.without_pin(), class)).or_default() += tally;
    }
    classes.extend(joined.into_iter().map(|((code, class), tally)| (code, class, tally)));
}

/// Groups the counts of moves by position; without moves, only their sums are kept.
pub(crate) fn entries<I, C>(
    counts: impl Iterator<Item = io::Result<Counted<I, C>>>,
    with_moves: bool,
) -> impl Iterator<Item = io::Result<Entry<I>>>
where
    I: Clone + Default + PartialOrd,
    C: Into<Box<str>> + AsRef<str>,
{
    let mut counts = counts.peekable();
    std::iter::from_fn(move || {
        let first = match counts.next()? {
            Ok(counted) => counted,
            Err(error) => return Some(Err(error)),
        };
        let key = first.key;
        let mut entry = Entry::new(first, with_moves);
        let belongs =
            |next: &io::Result<Counted<I, C>>| next.as_ref().map_or(true, |next| next.key == key);
        loop {
            match counts.next_if(belongs) {
                None => return Some(Ok(entry)),
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(counted)) => entry.add(counted, with_moves),
            }
        }
    })
}
