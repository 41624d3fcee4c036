//! The counts of a chunk of games: positions, the moves from each of them, and where each move leads.

use san::{Packed, Position};

use crate::hash::hash;
use crate::row::Row;
use crate::run::write_number;
use crate::tally::{Occurrence, Outcome, first_year};
use crate::{Given, MoveCode};

/// What is known of a game before its positions come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct GameFacts {
    /// The sum of both ratings; 0 if one is unknown.
    pub(crate) elo_sum: u16,
    pub(crate) year: u16,
    pub(crate) outcome: Outcome,
}

/// A position in the table.
pub(crate) type PlaceNumber = u32;

/// A move in a position in the table.
pub(crate) type SlotNumber = u32;

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
/// It is a graph: a place for each position, a slot for each move in it, and each slot knows the place that its move leads to.
/// So a game that follows others is counted without looking any position up by its key.
///
/// Games come in their order, so that the first one to be counted in a slot is the first one.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// The upper half of the hash, and the number of the place plus one; 0 is free.
    index: Vec<u64>,
    places: Vec<Place>,
    slots: Vec<Slot>,
    games: Vec<Game>,
    /// Names and starts of the games, as runs hold them.
    text: Vec<u8>,
    /// Moves of the games, two bytes each.
    moves: Vec<u8>,
}

/// A position.
#[derive(Clone, Copy, Debug)]
struct Place {
    key: Packed,
    /// The first of its moves.
    first: SlotNumber,
    /// The last game that was there, as [`Table::is_new`] was told.
    seen_by: u32,
}

/// One move in one position. There may be two for the same, where counters are full.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The next slot of the same place.
    other: SlotNumber,
    /// The place that the move leads to, once it is known.
    behind: PlaceNumber,
    first: Seen,
    best: Seen,
    next: MoveCode,
    best_elo_sum: u16,
    first_year: u16,
    last_year: u16,
    /// A game that was undone leaves slots without a game.
    games: u32,
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
        self.places.clear();
        self.slots.clear();
        self.games.clear();
        self.text.clear();
        self.moves.clear();
    }

    /// The place of a position.
    pub(crate) fn place(&mut self, key: Packed) -> PlaceNumber {
        if index_size(self.places.len() + 1) > self.index.len() {
            self.grow();
        }
        let hash = hash(key);
        let tag = hash >> 32;
        let mask = self.index.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let entry = self.index[at];
            if entry == 0 {
                let number = number(self.places.len());
                self.index[at] = tag << 32 | u64::from(number + 1);
                self.places.push(Place { key, first: NONE, seen_by: 0 });
                return number;
            }
            let number = entry as u32 - 1;
            if entry >> 32 == tag && self.places[number as usize].key == key {
                return number;
            }
            at = (at + 1) & mask;
        }
    }

    /// The place that the move of a slot leads to; `key` says which position that is, if it is not known yet.
    #[inline]
    pub(crate) fn behind(&mut self, slot: SlotNumber, key: impl FnOnce() -> Packed) -> PlaceNumber {
        match self.slots[slot as usize].behind {
            NONE => {
                let place = self.place(key());
                self.slots[slot as usize].behind = place;
                place
            }
            place => place,
        }
    }

    /// Whether the game with this number, not 0, has not been in the place before; now it has.
    #[inline]
    pub(crate) fn is_new(&mut self, place: PlaceNumber, game: u32) -> bool {
        std::mem::replace(&mut self.places[place as usize].seen_by, game) != game
    }

    /// The slot of a move.
    #[inline]
    pub(crate) fn slot(&mut self, place: PlaceNumber, next: MoveCode) -> SlotNumber {
        let first = self.places[place as usize].first;
        let mut slot = first;
        while slot != NONE {
            let found = &self.slots[slot as usize];
            if found.next == next {
                return slot;
            }
            slot = found.other;
        }
        self.new_slot(place, next)
    }

    /// A new slot, the first one of its place.
    fn new_slot(&mut self, place: PlaceNumber, next: MoveCode) -> SlotNumber {
        let slot = number(self.slots.len());
        let other = std::mem::replace(&mut self.places[place as usize].first, slot);
        self.slots.push(Slot {
            other,
            behind: NONE,
            first: Seen::default(),
            best: Seen::default(),
            next,
            best_elo_sum: 0,
            first_year: 0,
            last_year: 0,
            games: 0,
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
            slot = self.new_slot(place, MoveCode::NONE);
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

    /// All counts, in no order. `file` is that of the games, and so many games come before them in it.
    pub(crate) fn rows(&self, file: u32, games_before: u64) -> impl Iterator<Item = TableRow<'_>> {
        let slots = self.places.iter().flat_map(move |place| {
            let mut slot = place.first;
            std::iter::from_fn(move || {
                let found = self.slots.get(slot as usize)?;
                slot = found.other;
                Some((place, found))
            })
        });
        slots
            .filter(|(_, slot)| slot.games > 0)
            .map(move |(place, slot)| self.row(place, slot, file, games_before))
    }

    #[inline]
    fn row(&self, place: &Place, slot: &Slot, file: u32, games_before: u64) -> TableRow<'_> {
        let occurrence = |seen: Seen, game: &Game| Occurrence {
            file,
            game: games_before + game.number,
            ply: seen.ply,
            halfmoves: seen.halfmoves,
            fullmoves: seen.fullmoves,
        };
        let best = &self.games[slot.best.game as usize];
        let at = occurrence(slot.best, best);
        let first = match slot.first == slot.best {
            true => at,
            false => occurrence(slot.first, &self.games[slot.first.game as usize]),
        };
        let moves = &self.moves[best.moves.0 as usize..best.moves.1 as usize];
        TableRow {
            row: Row {
                key: place.key,
                next: slot.next,
                games: slot.games.into(),
                white: slot.white.into(),
                draws: slot.draws.into(),
                black: slot.black.into(),
                rated: slot.rated.into(),
                rating_sum: slot.rating_sum,
                first_year: slot.first_year,
                last_year: slot.last_year,
                first,
                elo_sum: best.facts.elo_sum,
                at,
                outcome: best.facts.outcome,
                year: best.facts.year,
                story: &[],
            },
            names: &self.text[best.text.0 as usize..best.text.1 as usize],
            moves: &moves[..moves.len().min(2 * slot.best.ply as usize)],
        }
    }

    #[cold]
    fn grow(&mut self) {
        let size = index_size(self.places.len() + 1).max(1024);
        self.index.clear();
        self.index.resize(size, 0);
        for (number, place) in (1..).zip(&self.places) {
            let hash = hash(place.key);
            let mut at = hash as usize & (size - 1);
            while self.index[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.index[at] = (hash >> 32) << 32 | number;
        }
    }
}

/// What a table has counted of a move; its story is still in parts.
#[derive(Debug)]
pub(crate) struct TableRow<'t> {
    /// All but the story.
    pub(crate) row: Row<'t>,
    /// Names and start.
    names: &'t [u8],
    /// Two bytes each.
    moves: &'t [u8],
}

impl TableRow<'_> {
    /// At most so many bytes are written.
    #[inline]
    pub(crate) fn most_bytes(&self) -> usize {
        self.row.head_len() + self.names.len() + LONGEST_NUMBER + self.moves.len()
    }

    /// Appends it as a whole row.
    #[inline]
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let count = self.moves.len() as u64 / 2;
        let story = self.names.len() + number_len(count) + self.moves.len();
        self.row.write_head(story, out);
        out.extend_from_slice(self.names);
        write_number(count, out);
        out.extend_from_slice(self.moves);
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
    fn places_and_slots_are_small() {
        assert_eq!((size_of::<Place>(), size_of::<Slot>()), (40, 72));
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
