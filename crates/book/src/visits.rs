//! The ways of a chunk of games: the positions that each game was in, each once, and the move it played from there.

use std::collections::HashSet;

use san::{Packed, Position};

use crate::games::{Games, Seen};
use crate::hash::hash;
use crate::tally::GameFacts;
use crate::{Given, MoveCode};

/// A game in a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    pub(crate) key: Packed,
    pub(crate) hash: u64,
    pub(crate) ply: u32,
    pub(crate) halfmoves: u16,
    pub(crate) fullmoves: u16,
    pub(crate) next: MoveCode,
}

impl Visit {
    #[inline]
    pub(crate) fn of(position: &Position, ply: u32, next: MoveCode) -> Self {
        let clock = |plies: u32| plies.min(u16::MAX.into()) as u16;
        let (halfmoves, fullmoves) = (clock(position.halfmoves()), clock(position.fullmoves()));
        let key = Packed::of(position);
        Visit { key, hash: hash(key), ply, halfmoves, fullmoves, next }
    }

    /// Of a position whose clocks are not known.
    pub(crate) fn of_key(key: Packed, ply: u32, next: MoveCode) -> Self {
        Visit { key, hash: hash(key), ply, halfmoves: 0, fullmoves: 0, next }
    }
}

impl Visit {
    /// Where it was in the game of this number.
    #[inline]
    pub(crate) fn seen(&self, game: u32) -> Seen {
        let Visit { ply, halfmoves, fullmoves, .. } = *self;
        Seen { game, ply, halfmoves, fullmoves }
    }
}

/// The ways of a chunk of games, one behind the other.
#[derive(Debug, Default)]
pub(crate) struct Visits {
    visits: Vec<Visit>,
    games: Games,
    /// Of each game the number of its last visit, and what a book says of it.
    ways: Vec<(usize, Given)>,
    /// The first visit of the game that is not over.
    start: usize,
    /// The visits of that game up to this one are among `seen`.
    looked_at: usize,
    seen: HashSet<Packed>,
}

/// Of a game that counts once, and all of it.
pub(crate) struct Way<'v> {
    pub(crate) visits: &'v [Visit],
    /// Its number among the games of the chunk.
    pub(crate) game: u32,
    /// What it stands for.
    pub(crate) given: Given,
}

/// So many visits are compared one by one.
const NEAR: usize = 32;

impl Visits {
    /// Forgets everything but its memory.
    pub(crate) fn clear(&mut self) {
        self.visits.clear();
        self.games.clear();
        self.ways.clear();
        self.undo();
    }

    /// Forgets the game that is not over.
    pub(crate) fn undo(&mut self) {
        self.start = self.ways.last().map_or(0, |(end, _)| *end);
        self.visits.truncate(self.start);
        if self.looked_at > self.start {
            self.seen.clear();
        }
        self.looked_at = self.start;
    }

    /// Adds a position to the game, unless it was there before, so many positions back at most.
    #[inline]
    pub(crate) fn visit(&mut self, visit: Visit, back: usize) {
        let back = back.min(self.visits.len() - self.start);
        let is_new = match back {
            0 => true,
            1..=NEAR => {
                let near = &self.visits[self.visits.len() - back..];
                !near.iter().any(|other| other.hash == visit.hash && other.key == visit.key)
            }
            _ => self.is_new_among_many(visit.key),
        };
        if is_new {
            self.visits.push(visit);
        }
    }

    #[cold]
    fn is_new_among_many(&mut self, key: Packed) -> bool {
        self.seen.extend(self.visits[self.looked_at..].iter().map(|visit| visit.key));
        self.looked_at = self.visits.len();
        !self.seen.contains(&key)
    }

    /// How many positions the game was in that is not over.
    pub(crate) fn in_game(&self) -> usize {
        self.visits.len() - self.start
    }

    /// The game is over; this is what is known of it, and for what it stands.
    pub(crate) fn end(
        &mut self,
        number: u64,
        facts: GameFacts,
        story: [&[u8]; 3],
        moves: &[u16],
        given: Given,
    ) {
        self.games.begin(facts, 0, number, story, moves);
        self.ways.push((self.visits.len(), given));
        self.undo();
    }

    /// What is known of the games.
    pub(crate) fn games(&self) -> &Games {
        &self.games
    }

    /// The ways of all games.
    pub(crate) fn ways(&self) -> impl Iterator<Item = Way<'_>> {
        let mut start = 0;
        (0..).zip(&self.ways).map(move |(game, (end, given))| {
            let visits = &self.visits[start..*end];
            start = *end;
            Way { visits, game, given: *given }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(visits: &Visits) -> Vec<Vec<u64>> {
        let key = |visit: &Visit| visit.key.0[0];
        visits.ways().map(|way| way.visits.iter().map(key).collect()).collect()
    }

    fn add(visits: &mut Visits, keys: impl IntoIterator<Item = u64>) {
        for (ply, key) in (0..).zip(keys) {
            let visit = Visit::of_key(Packed([key; 4]), ply, MoveCode::NONE);
            visits.visit(visit, usize::MAX);
        }
    }

    fn end(visits: &mut Visits) {
        visits.end(1, GameFacts::default(), [b"", b"", b""], &[], Given::default());
    }

    #[test]
    fn a_position_counts_once_a_game_however_long_it_is() {
        let mut visits = Visits::default();
        add(&mut visits, [1, 2, 1, 3]);
        end(&mut visits);
        add(&mut visits, (0..100).chain(0..100));
        end(&mut visits);
        add(&mut visits, [1, 99]);
        end(&mut visits);
        assert_eq!(keys(&visits), [vec![1, 2, 3], (0..100).collect(), vec![1, 99]]);
    }

    #[test]
    fn a_game_that_is_undone_leaves_nothing() {
        let mut visits = Visits::default();
        add(&mut visits, [7]);
        end(&mut visits);
        add(&mut visits, (0..100).chain([1]));
        visits.undo();
        add(&mut visits, 0..50);
        end(&mut visits);
        assert_eq!(keys(&visits), [vec![7], (0..50).collect()]);
    }
}
