//! The counts of a chunk of games: positions, the moves from each of them, and where each move leads.

use san::{Packed, Position};

use crate::hash::hash;
use crate::row::{Head, LONGEST_HEAD, Numbers};
use crate::run::write_number;
use crate::tally::{GameFacts, Occurrence, Outcome, first_year};
use crate::{Given, MoveCode};

/// A move in a position in the table.
pub(crate) type SlotNumber = u32;

/// A position in the table: the first slot that was made for it.
pub(crate) type PlaceNumber = SlotNumber;

/// A game's way through a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    pub(crate) slot: SlotNumber,
    pub(crate) ply: u32,
    pub(crate) halfmoves: u16,
    pub(crate) fullmoves: u16,
}

impl Visit {
    #[inline]
    pub(crate) fn new(slot: SlotNumber, ply: u32, position: &Position) -> Self {
        Visit {
            slot,
            ply,
            halfmoves: position.halfmoves().min(u16::MAX.into()) as u16,
            fullmoves: position.fullmoves().min(u16::MAX.into()) as u16,
        }
    }
}

/// Counts positions and moves.
///
/// It is a graph: a slot for each move in each position knows the position that its move leads to. So a game that follows others is
/// counted without looking any position up by its key.
///
/// Games come in their order, so that the first one to be counted in a slot is the first one.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// The upper half of the hash, and the number of the place plus one; 0 is free.
    index: Vec<u64>,
    places: usize,
    slots: Vec<Slot>,
    games: Vec<Game>,
    /// Names and starts of the games, as runs hold them.
    text: Vec<u8>,
    /// Moves of the games, two bytes each.
    moves: Vec<u8>,
}

/// One move in one position. There may be two for the same, where counters are full.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) key: Packed,
    next: MoveCode,
    best_elo_sum: u16,
    first_year: u16,
    last_year: u16,
    /// Another slot of the same position.
    other: SlotNumber,
    /// The place that the move leads to, once it is known.
    behind: PlaceNumber,
    /// The last game that was in the position, as [`Table::is_new`] was told; only in the first slot of a position.
    seen_by: u32,
    /// A game that was undone leaves slots without a game.
    games: u32,
    first: Seen,
    best: Seen,
    white: u32,
    draws: u32,
    black: u32,
    rated: u32,
    rating_sum: u64,
}

/// Which game of the table, and where in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Seen {
    game: u32,
    ply: u32,
    halfmoves: u16,
    fullmoves: u16,
}

#[derive(Clone, Copy, Debug)]
struct Game {
    facts: GameFacts,
    number: u64,
    text: (u64, u64),
    moves: (u64, u64),
}

/// The number of nothing.
const NONE: u32 = u32::MAX;

impl Table {
    /// Forgets everything but its memory.
    pub(crate) fn clear(&mut self) {
        self.index.fill(0);
        self.places = 0;
        self.slots.clear();
        self.games.clear();
        self.text.clear();
        self.moves.clear();
    }

    /// The place of a position; if there is none yet, there will be a slot for this move.
    pub(crate) fn place(&mut self, key: Packed, next: MoveCode) -> PlaceNumber {
        if index_size(self.places + 1) > self.index.len() {
            self.grow();
        }
        let hash = hash(key);
        let tag = hash >> 32;
        let mask = self.index.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let entry = self.index[at];
            if entry == 0 {
                let place = self.new_slot(key, next, NONE);
                self.places += 1;
                self.index[at] = tag << 32 | u64::from(place + 1);
                return place;
            }
            let place = entry as u32 - 1;
            if entry >> 32 == tag && self.slots[place as usize].key == key {
                return place;
            }
            at = (at + 1) & mask;
        }
    }

    /// The place that the move of a slot leads to; `key` says which position that is, if it is not known yet.
    #[inline]
    pub(crate) fn behind(
        &mut self,
        slot: SlotNumber,
        next: MoveCode,
        key: impl FnOnce() -> Packed,
    ) -> PlaceNumber {
        match self.slots[slot as usize].behind {
            NONE => {
                let place = self.place(key(), next);
                self.slots[slot as usize].behind = place;
                place
            }
            place => place,
        }
    }

    /// Whether the game with this number, not 0, has not been in the place before; now it has.
    #[inline]
    pub(crate) fn is_new(&mut self, place: PlaceNumber, game: u32) -> bool {
        std::mem::replace(&mut self.slots[place as usize].seen_by, game) != game
    }

    /// The slot of a move.
    #[inline]
    pub(crate) fn slot(&mut self, place: PlaceNumber, next: MoveCode) -> SlotNumber {
        let mut slot = place;
        while slot != NONE {
            let found = &self.slots[slot as usize];
            if found.next == next {
                return slot;
            }
            slot = found.other;
        }
        self.other_slot(place, next)
    }

    /// Another slot of a place.
    fn other_slot(&mut self, place: PlaceNumber, next: MoveCode) -> SlotNumber {
        let Slot { key, other, .. } = self.slots[place as usize];
        let slot = self.new_slot(key, next, other);
        self.slots[place as usize].other = slot;
        slot
    }

    #[inline]
    fn new_slot(&mut self, key: Packed, next: MoveCode, other: SlotNumber) -> SlotNumber {
        let slot = number(self.slots.len());
        self.slots.push(Slot {
            key,
            next,
            best_elo_sum: 0,
            first_year: 0,
            last_year: 0,
            other,
            behind: NONE,
            seen_by: 0,
            games: 0,
            first: Seen::default(),
            best: Seen::default(),
            white: 0,
            draws: 0,
            black: 0,
            rated: 0,
            rating_sum: 0,
        });
        slot
    }

    /// A new game; what is counted now belongs to it.
    pub(crate) fn begin(
        &mut self,
        number: u64,
        facts: GameFacts,
        story: [&[u8]; 3],
        moves: &[u16],
    ) {
        let text = self.text.len() as u64;
        for part in story {
            write_number(part.len() as u64, &mut self.text);
            self.text.extend_from_slice(part);
        }
        let moves_start = self.moves.len() as u64;
        self.moves.extend(moves.iter().flat_map(|code| code.to_le_bytes()));
        let text = (text, self.text.len() as u64);
        let moves = (moves_start, self.moves.len() as u64);
        self.games.push(Game { facts, number, text, moves });
    }

    /// Counts the way of the last game.
    pub(crate) fn count(&mut self, visits: &[Visit]) {
        let game = number(self.games.len() - 1);
        let GameFacts { elo_sum, year, outcome } = self.games[game as usize].facts;
        for visit in visits {
            let Visit { slot, ply, halfmoves, fullmoves } = *visit;
            let slot = &mut self.slots[slot as usize];
            let seen = Seen { game, ply, halfmoves, fullmoves };
            if slot.games == 0 {
                slot.first = seen;
            }
            if slot.games == 0 || elo_sum > slot.best_elo_sum {
                (slot.best, slot.best_elo_sum) = (seen, elo_sum);
            }
            slot.games += 1;
            slot.white += u32::from(outcome == Outcome::White);
            slot.draws += u32::from(outcome == Outcome::Draw);
            slot.black += u32::from(outcome == Outcome::Black);
            slot.rated += u32::from(elo_sum > 0);
            slot.rating_sum += u64::from(elo_sum);
            slot.first_year = first_year(slot.first_year, year);
            slot.last_year = slot.last_year.max(year);
        }
    }

    /// Counts a position for as many games as are given, of which the last one begun stands for all.
    pub(crate) fn count_given(&mut self, place: PlaceNumber, visit: Visit, given: &Given) {
        let Visit { mut slot, ply, halfmoves, fullmoves } = visit;
        if self.slots[slot as usize].games.checked_add(given.games).is_none() {
            slot = self.other_slot(place, MoveCode::NONE);
        }
        let game = number(self.games.len() - 1);
        let slot = &mut self.slots[slot as usize];
        if slot.games == 0 {
            slot.first = Seen { game, ply, halfmoves, fullmoves };
            slot.best = slot.first;
        }
        slot.games += given.games;
        slot.white += given.white;
        slot.draws += given.draws;
        slot.black += given.black;
    }

    /// What is counted, in no order.
    pub(crate) fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter().filter(|slot| slot.games > 0)
    }

    /// At most so many bytes [`Table::write`] writes.
    #[inline]
    pub(crate) fn most_bytes(&self, slot: &Slot) -> usize {
        let best = &self.games[slot.best.game as usize];
        LONGEST_HEAD + best.names(self).len() + LONGEST_NUMBER + best.moves(self, slot).len()
    }

    /// Appends what is counted in a slot as a row. `file` is that of the games, and so many games come before them in it.
    #[inline]
    pub(crate) fn write(&self, slot: &Slot, file: u32, games_before: u64, out: &mut Vec<u8>) {
        let best = &self.games[slot.best.game as usize];
        let GameFacts { elo_sum, year, outcome } = best.facts;
        let occurrence = |seen: Seen, game: &Game| Occurrence {
            file,
            game: games_before + game.number,
            ply: seen.ply,
            halfmoves: seen.halfmoves,
            fullmoves: seen.fullmoves,
        };
        let at = occurrence(slot.best, best);
        let (names, moves) = (best.names(self), best.moves(self, slot));
        let count = moves.len() as u64 / 2;
        let story = names.len() + number_len(count) + moves.len();
        let head = Head { key: slot.key, next: slot.next, elo_sum, at, outcome, year, story };
        // A book may say of one game what its facts do not.
        let decided = slot.white + slot.draws + slot.black;
        if slot.games == 1 && decided == u32::from(outcome != Outcome::Unknown) {
            head.write_one(out);
        } else {
            let first = &self.games[slot.first.game as usize];
            head.write_many(
                &Numbers {
                    games: slot.games.into(),
                    white: slot.white.into(),
                    draws: slot.draws.into(),
                    black: slot.black.into(),
                    rated: slot.rated.into(),
                    rating_sum: slot.rating_sum,
                    first_year: slot.first_year,
                    last_year: slot.last_year,
                    first: occurrence(slot.first, first),
                },
                out,
            );
        }
        out.extend_from_slice(names);
        write_number(count, out);
        if !moves.is_empty() {
            out.extend_from_slice(moves);
        }
    }

    #[cold]
    fn grow(&mut self) {
        let size = index_size(self.places + 1).max(1024);
        let old = std::mem::replace(&mut self.index, vec![0; size]);
        for old in old.into_iter().filter(|entry| *entry != 0) {
            let hash = hash(self.slots[(old as u32 - 1) as usize].key);
            let mut at = hash as usize & (size - 1);
            while self.index[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.index[at] = old;
        }
    }
}

impl Game {
    #[inline]
    fn names<'t>(&self, table: &'t Table) -> &'t [u8] {
        &table.text[self.text.0 as usize..self.text.1 as usize]
    }

    /// The moves before the position of a slot.
    #[inline]
    fn moves<'t>(&self, table: &'t Table, slot: &Slot) -> &'t [u8] {
        let moves = &table.moves[self.moves.0 as usize..self.moves.1 as usize];
        &moves[..moves.len().min(2 * slot.best.ply as usize)]
    }
}

/// A number has at most so many bytes.
const LONGEST_NUMBER: usize = 10;

/// How many bytes a number has.
fn number_len(number: u64) -> usize {
    (64 - (number | 1).leading_zeros() as usize).div_ceil(7)
}

/// A place or slot as a number.
fn number(number: usize) -> u32 {
    debug_assert!(number < NONE as usize);
    number as u32
}

/// Room for so many places with less than three quarters in use.
fn index_size(places: usize) -> usize {
    (places * 4 / 3 + 1).next_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_small() {
        assert_eq!(size_of::<Slot>(), 104);
    }

    #[test]
    fn the_length_of_a_number_is_what_is_written() {
        for shift in 0..64 {
            for number in [(1 << shift) - 1, 1 << shift, u64::MAX >> shift] {
                let mut bytes = Vec::new();
                write_number(number, &mut bytes);
                assert_eq!(number_len(number), bytes.len(), "{number}");
            }
        }
    }
}
