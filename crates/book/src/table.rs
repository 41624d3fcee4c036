//! The table in memory: positions and moves with their counts, and the games that they refer to.

use san::Packed;

use crate::MoveCode;
use crate::tally::{Occurrence, Outcome, Story, Strongest, Tally, first_year};

/// What is known of a game before its positions come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct GameFacts {
    /// The sum of both ratings; 0 if one is unknown.
    pub(crate) elo_sum: u16,
    pub(crate) year: u16,
    pub(crate) outcome: Outcome,
}

/// A position of a game, and the move played from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) key: Packed,
    pub(crate) next: MoveCode,
    pub(crate) ply: u32,
    pub(crate) halfmoves: u16,
    pub(crate) fullmoves: u16,
}

/// What a book that is read says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// Games, with those whose result is unknown; one at least.
    pub games: u32,
    /// Games that White won.
    pub white: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games that Black won.
    pub black: u32,
}

impl Default for Given {
    /// One game, of which nothing is known.
    fn default() -> Self {
        Given { games: 1, white: 0, draws: 0, black: 0 }
    }
}

impl Given {
    /// What the operand of `c0` says that [`Form::Epd`](crate::Form::Epd) writes: `games 12 white 5 draws 4 black 3`.
    ///
    /// ```
    /// use book::Given;
    ///
    /// let given = Given::of_comment("games 12 white 5 draws 4 black 2").unwrap();
    /// assert_eq!((given.games, given.black), (12, 2));
    /// assert_eq!(Given::of_comment("games 1 white 5 draws 4 black 2"), None);
    /// ```
    pub fn of_comment(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let mut number = |name: &str| -> Option<u32> {
            (words.next()? == name).then_some(words.next()?.parse().ok()?)
        };
        let given = Given {
            games: number("games")?,
            white: number("white")?,
            draws: number("draws")?,
            black: number("black")?,
        };
        let decided = [given.white, given.draws, given.black].iter().map(|n| u64::from(*n)).sum();
        let is_whole = words.next().is_none() && given.games > 0;
        (is_whole && u64::from(given.games) >= decided).then_some(given)
    }
}

/// Counts positions and moves.
///
/// An index of hashes points into a dense list of slots. Games come in their order, so that the first one to reach a
/// position is the one that made its slot.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// The upper half of the hash, and the number of the slot plus one; 0 is free.
    index: Vec<u64>,
    slots: Vec<Slot>,
    games: Vec<Game>,
    /// Names and starts of the games.
    text: Vec<u8>,
    /// Moves of the games.
    moves: Vec<u16>,
    /// Rows counted.
    rows: u64,
}

/// One move in one position. Its counters are for one table; the sum of all is a [`Tally`].
#[derive(Clone, Copy, Debug)]
struct Slot {
    key: Packed,
    first: Seen,
    best: Seen,
    next: MoveCode,
    best_elo_sum: u16,
    first_year: u16,
    last_year: u16,
    games: u32,
    white: u32,
    draws: u32,
    black: u32,
    rated: u32,
    rating_sum: u64,
}

/// Which game of the table, and where in it.
#[derive(Clone, Copy, Debug)]
struct Seen {
    game: u32,
    ply: u32,
    halfmoves: u16,
    fullmoves: u16,
}

#[derive(Clone, Copy, Debug)]
struct Game {
    facts: GameFacts,
    file: u32,
    number: u64,
    /// Where its text ends: white, black, start.
    text: [u64; 3],
    text_start: u64,
    moves: (u64, u64),
}

/// So many moves are looked up together.
const BLOCK: usize = 16;

/// A table keeps less than this many slots and games, whatever the memory.
const MOST: usize = u32::MAX as usize / 2;

impl Table {
    pub(crate) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Forgets everything but its memory.
    pub(crate) fn clear(&mut self) {
        // One that was sorted is no index any more.
        if self.index.len().is_power_of_two() {
            self.index.fill(0)
        } else {
            self.index.clear()
        }
        self.slots.clear();
        self.games.clear();
        self.text.clear();
        self.moves.clear();
        self.rows = 0;
    }

    /// How much memory it uses, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.index.len() * size_of::<u64>()
            + self.slots.len() * size_of::<Slot>()
            + self.games.len() * size_of::<Game>()
            + self.text.len()
            + self.moves.len() * size_of::<u16>()
    }

    /// How much memory it may use once `other` is added, in bytes. A growing index is held twice for a moment.
    pub(crate) fn bytes_with(&self, other: &Table) -> usize {
        let slots = self.slots.len() + other.slots.len();
        let grown = index_size(slots) * size_of::<u64>();
        let old = self.index.len() * size_of::<u64>();
        let index = if grown > old { grown + old } else { old };
        self.bytes() - old + index + other.bytes()
    }

    /// Whether its counters could not hold what is in `other` as well.
    pub(crate) fn is_full_for(&self, other: &Table) -> bool {
        self.rows + other.rows > u64::from(u32::MAX)
            || self.slots.len() + other.slots.len() > MOST
            || self.games.len() + other.games.len() > MOST
    }

    /// A new game; rows that are added now belong to it.
    pub(crate) fn begin(
        &mut self,
        number: u64,
        facts: GameFacts,
        story: [&[u8]; 3],
        moves: &[u16],
    ) {
        let text_start = self.text.len() as u64;
        let text = story.map(|part| {
            self.text.extend_from_slice(part);
            self.text.len() as u64
        });
        let moves_start = self.moves.len() as u64;
        self.moves.extend_from_slice(moves);
        let moves = (moves_start, self.moves.len() as u64);
        self.games.push(Game { facts, file: 0, number, text, text_start, moves });
    }

    /// Counts the positions of the last game.
    pub(crate) fn count(&mut self, rows: &[Row]) {
        let game = self.games.len() as u32 - 1;
        let GameFacts { elo_sum, year, outcome } = self.games[game as usize].facts;
        self.rows += rows.len() as u64;
        let slot = |row: &Row| {
            let Row { key, next, ply, halfmoves, fullmoves } = *row;
            let seen = Seen { game, ply, halfmoves, fullmoves };
            Slot {
                key,
                first: seen,
                best: seen,
                next,
                best_elo_sum: elo_sum,
                first_year: year,
                last_year: year,
                games: 1,
                white: u32::from(outcome == Outcome::White),
                draws: u32::from(outcome == Outcome::Draw),
                black: u32::from(outcome == Outcome::Black),
                rated: u32::from(elo_sum > 0),
                rating_sum: elo_sum.into(),
            }
        };
        for rows in rows.chunks(BLOCK) {
            self.fetch(rows.iter().map(|row| (row.key, row.next)));
            for row in rows {
                self.add(slot(row));
            }
        }
    }

    /// Counts a position for as many games as are given, of which the last one begun stands for all.
    pub(crate) fn count_given(&mut self, row: &Row, given: &Given) {
        let game = self.games.len() as u32 - 1;
        let Row { key, next, ply, halfmoves, fullmoves } = *row;
        let seen = Seen { game, ply, halfmoves, fullmoves };
        self.rows += u64::from(given.games);
        self.add(Slot {
            key,
            first: seen,
            best: seen,
            next,
            best_elo_sum: 0,
            first_year: 0,
            last_year: 0,
            games: given.games,
            white: given.white,
            draws: given.draws,
            black: given.black,
            rated: 0,
            rating_sum: 0,
        });
    }

    /// Counts all that is in `other`, whose games all come behind those of this table.
    pub(crate) fn absorb(&mut self, other: &Table, file: u32, games_before: u64) {
        // Games that nothing refers to any more are left behind.
        const UNUSED: u32 = u32::MAX;
        const USED: u32 = 0;
        let mut places = vec![UNUSED; other.games.len()];
        for slot in &other.slots {
            places[slot.first.game as usize] = USED;
            places[slot.best.game as usize] = USED;
        }
        for (place, game) in places.iter_mut().zip(&other.games) {
            if *place == USED {
                *place = self.games.len() as u32;
                let (story, moves) = (other.story(game), other.moves_of(game));
                self.begin(games_before + game.number, game.facts, story, moves);
                self.games.last_mut().expect("it was just pushed").file = file;
            }
        }
        for slots in other.slots.chunks(BLOCK) {
            self.fetch(slots.iter().map(|slot| (slot.key, slot.next)));
            for slot in slots {
                let mut slot = *slot;
                slot.first.game = places[slot.first.game as usize];
                slot.best.game = places[slot.best.game as usize];
                self.add(slot);
            }
        }
        self.rows += other.rows;
    }

    /// Reads what adding a block will need. One by one, each slot would be waited for; so memory answers many questions at once.
    ///
    /// Worth a third of the whole time on 8moves_v3 (bench `book`).
    #[inline]
    fn fetch(&self, moves: impl Iterator<Item = (Packed, MoveCode)>) {
        let Some(mask) = self.index.len().checked_sub(1) else { return };
        let mut entries = [0; BLOCK];
        for (entry, (key, next)) in entries.iter_mut().zip(moves) {
            *entry = self.index[bucket(hash(key), next) as usize & mask];
        }
        let mut sum = 0;
        for entry in entries {
            let slot = (entry as u32).wrapping_sub(1) as usize;
            sum += self.slots.get(slot).map_or(0, |slot| slot.rating_sum ^ slot.key.0[0]) & 1;
        }
        std::hint::black_box(sum);
    }

    #[inline]
    fn add(&mut self, slot: Slot) {
        if index_size(self.slots.len() + 1) > self.index.len() {
            self.grow();
        }
        let hash = hash(slot.key);
        let tag = hash >> 32;
        let mask = self.index.len() - 1;
        let mut at = bucket(hash, slot.next) as usize & mask;
        loop {
            let entry = self.index[at];
            if entry == 0 {
                self.slots.push(slot);
                self.index[at] = tag << 32 | self.slots.len() as u64;
                return;
            }
            if entry >> 32 == tag {
                let found = &mut self.slots[(entry as u32 - 1) as usize];
                if found.key == slot.key && found.next == slot.next {
                    found.merge(&slot);
                    return;
                }
            }
            at = (at + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let size = index_size(self.slots.len() + 1).max(1024);
        self.index.clear();
        self.index.resize(size, 0);
        for (number, slot) in (1..).zip(&self.slots) {
            let hash = hash(slot.key);
            let mut at = bucket(hash, slot.next) as usize & (size - 1);
            while self.index[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.index[at] = (hash >> 32) << 32 | number;
        }
    }

    /// The slots in the order of [`order_of`]; nothing can be added any more until the table was cleared.
    pub(crate) fn sort(&mut self) -> Sorted<'_> {
        // The index holds what they are sorted by: it is made dense and sorted in its place.
        self.index.retain(|entry| *entry != 0);
        self.index.sort_unstable();
        let slot = |entry: u64| &self.slots[(entry as u32 - 1) as usize];
        let full = |entry: &u64| {
            let slot = slot(*entry);
            (order_of(slot.key), slot.next)
        };
        for same in self.index.chunk_by_mut(|a, b| a >> 32 == b >> 32) {
            if same.len() > 1 {
                same.sort_unstable_by_key(full);
            }
        }
        Sorted { table: self, at: 0 }
    }

    fn story(&self, game: &Game) -> [&[u8]; 3] {
        let [white, black, start] = game.text.map(|end| end as usize);
        let text = &self.text;
        [&text[game.text_start as usize..white], &text[white..black], &text[black..start]]
    }

    fn moves_of(&self, game: &Game) -> &[u16] {
        &self.moves[game.moves.0 as usize..game.moves.1 as usize]
    }

    fn occurrence(&self, seen: Seen) -> Occurrence {
        let Seen { game, ply, halfmoves, fullmoves } = seen;
        let Game { file, number, .. } = self.games[game as usize];
        Occurrence { file, game: number, ply, halfmoves, fullmoves }
    }

    fn tally(&self, slot: &Slot) -> Tally {
        let best = &self.games[slot.best.game as usize];
        let [white, black, start] =
            self.story(best).map(|text| String::from_utf8_lossy(text).into_owned().into());
        let moves = self.moves_of(best);
        let moves = moves[..moves.len().min(slot.best.ply as usize)].into();
        let GameFacts { elo_sum, year, outcome } = best.facts;
        Tally {
            games: slot.games.into(),
            white: slot.white.into(),
            draws: slot.draws.into(),
            black: slot.black.into(),
            rated: slot.rated.into(),
            rating_sum: slot.rating_sum,
            first_year: slot.first_year,
            last_year: slot.last_year,
            first: self.occurrence(slot.first),
            strongest: Strongest {
                elo_sum,
                at: self.occurrence(slot.best),
                outcome,
                year,
                story: Story { white, black, start, moves },
            },
        }
    }
}

impl Slot {
    /// Adds what came later.
    #[inline]
    fn merge(&mut self, later: &Slot) {
        self.games += later.games;
        self.white += later.white;
        self.draws += later.draws;
        self.black += later.black;
        self.rated += later.rated;
        self.rating_sum += later.rating_sum;
        self.first_year = first_year(self.first_year, later.first_year);
        self.last_year = self.last_year.max(later.last_year);
        if later.best_elo_sum > self.best_elo_sum {
            (self.best_elo_sum, self.best) = (later.best_elo_sum, later.best);
        }
    }
}

/// The contents of a table in the order of [`order_of`].
#[derive(Debug)]
pub(crate) struct Sorted<'t> {
    table: &'t Table,
    at: usize,
}

impl Iterator for Sorted<'_> {
    type Item = (Packed, MoveCode, Tally);

    fn next(&mut self) -> Option<Self::Item> {
        let entry = *self.table.index.get(self.at)?;
        self.at += 1;
        let slot = &self.table.slots[(entry as u32 - 1) as usize];
        Some((slot.key, slot.next, self.table.tally(slot)))
    }
}

/// Room for so many slots with less than three quarters in use.
fn index_size(slots: usize) -> usize {
    (slots * 4 / 3 + 1).next_power_of_two()
}

/// The order in which runs hold positions: by hash, and by key where those are equal.
#[inline]
pub(crate) fn order_of(key: Packed) -> (u64, Packed) {
    (hash(key), key)
}

/// A number from all bits of the key. Files depend on it: it must not change.
#[inline]
pub(crate) fn hash(key: Packed) -> u64 {
    let [a, b, c, d] = key.0;
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let low = fold(a ^ 0xa076_1d64_78bd_642f, b ^ 0xe703_7ed1_a0b4_28db);
    let high = fold(c ^ 0x8ebc_6af0_9c88_c6e3, d ^ 0x5899_65cc_7537_4cc3);
    fold(low ^ high.rotate_left(32), 0x9e37_79b9_7f4a_7c15 ^ high)
}

/// Where a move of a position is looked for: its moves are spread.
#[inline]
fn bucket(hash: u64, next: MoveCode) -> u64 {
    hash ^ u64::from(next.0).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_small() {
        assert_eq!(size_of::<Slot>(), 96);
    }
}
