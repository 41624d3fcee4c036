//! A count as bytes in memory and in temporary files: numbers in fixed places, so that two are added without reading the rest.
//!
//! Most rows are of one game, which says all numbers; those have no more than the head. On disk the story follows, as runs hold it; in
//! memory a row only says whose story it is, which many rows share.

mod told;

use san::Packed;

use crate::MoveCode;
use crate::games::Games;
use crate::run::write_story;
use crate::tally::{GameFacts, Occurrence, Outcome, Strongest, Tally, first_year};

use told::NOBODY;
pub(crate) use told::{Teller, Told, fetch_stories};

/// One move in one position, and what is counted of it: a [`Tally`] whose story was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row<'s> {
    pub(crate) key: Packed,
    pub(crate) next: MoveCode,
    pub(crate) games: u64,
    pub(crate) white: u64,
    pub(crate) draws: u64,
    pub(crate) black: u64,
    pub(crate) rated: u64,
    pub(crate) rating_sum: u64,
    pub(crate) first_year: u16,
    pub(crate) last_year: u16,
    pub(crate) first: Occurrence,
    /// Of the strongest game, as all that follows.
    pub(crate) elo_sum: u16,
    pub(crate) at: Occurrence,
    pub(crate) outcome: Outcome,
    pub(crate) year: u16,
    pub(crate) told: Told<'s>,
}

/// Where words of the head stand, in bytes: behind the key, move, kind, rating and year; the game; file and ply; clocks and the length
/// of the story, or in memory the number of the game that has it.
const FACTS: usize = 32;
const AT: usize = 40;
const STORY: usize = 60;
/// So long is the head, which is all of a row of one game in memory; numbers follow in others.
pub(crate) const HEAD: usize = 64;
/// So long is the longest row in memory.
pub(crate) const LONGEST_HEAD: usize = HEAD + NUMBERS;
/// So long are the numbers: six sums, the first occurrence and the years.
const NUMBERS: usize = 9 * 8;
const FIRST: usize = HEAD + 6 * 8;
const YEARS: usize = FIRST + 20;

/// Bits of a kind: there are numbers; the row is one in memory. The others are the outcome.
const MANY: u64 = 0x80;
const IN_MEMORY: u64 = 0x40;

/// What every row in memory says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) key: Packed,
    pub(crate) next: MoveCode,
    /// Of the strongest game, as all that follows.
    pub(crate) facts: GameFacts,
    pub(crate) at: Occurrence,
    /// The number of the game whose story it is.
    pub(crate) game: Option<u32>,
}

/// What rows say that are not of one game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    pub(crate) games: u64,
    pub(crate) white: u64,
    pub(crate) draws: u64,
    pub(crate) black: u64,
    pub(crate) rated: u64,
    pub(crate) rating_sum: u64,
    pub(crate) first_year: u16,
    pub(crate) last_year: u16,
    pub(crate) first: Occurrence,
}

impl Head {
    /// The row in memory of one game.
    #[inline]
    pub(crate) fn row_of_one(&self) -> [u8; HEAD] {
        bytes_of(self.words(IN_MEMORY, self.game.unwrap_or(NOBODY).into()))
    }

    /// The row in memory of more.
    pub(crate) fn row_of_many(&self, numbers: &Numbers) -> [u8; LONGEST_HEAD] {
        let mut row = [0; LONGEST_HEAD];
        let (head, rest) = row.split_at_mut(HEAD);
        let words = self.words(IN_MEMORY | MANY, self.game.unwrap_or(NOBODY).into());
        head.copy_from_slice(&bytes_of::<8, HEAD>(words));
        rest.copy_from_slice(&numbers.bytes());
        row
    }

    /// The words of the head; of what the last number needs more than four bytes goes where facts leave room.
    #[inline]
    fn words(&self, kind: u64, last: u64) -> [u64; HEAD / 8] {
        let GameFacts { elo_sum, year, outcome } = self.facts;
        let facts = u64::from(self.next.0)
            | (kind | outcome as u64) << 16
            | u64::from(elo_sum) << 24
            | u64::from(year) << 40
            | last >> 32 << 56;
        let [a, b, c, d] = self.key.0;
        let [game, way, clocks] = words_of(&self.at, last as u32);
        [a, b, c, d, facts, game, way, clocks]
    }
}

impl Numbers {
    fn bytes(&self) -> [u8; NUMBERS] {
        let Numbers { games, white, draws, black, rated, rating_sum, .. } = *self;
        let years = u32::from(self.first_year) | u32::from(self.last_year) << 16;
        let [a, b, c] = words_of(&self.first, years);
        bytes_of([games, white, draws, black, rated, rating_sum, a, b, c])
    }
}

impl<'s> Row<'s> {
    /// Whether one game says it all.
    fn is_one(&self) -> bool {
        let won = |outcome| u64::from(self.outcome == outcome);
        let [white, draws, black] = [Outcome::White, Outcome::Draw, Outcome::Black].map(won);
        let rated = (u64::from(self.elo_sum > 0), u64::from(self.elo_sum));
        self.games == 1
            && [self.white, self.draws, self.black] == [white, draws, black]
            && (self.rated, self.rating_sum) == rated
            && (self.first_year, self.last_year) == (self.year, self.year)
            && self.first == self.at
    }

    fn numbers(&self) -> Numbers {
        let Row { games, white, draws, black, rated, rating_sum, .. } = *self;
        let Row { first_year, last_year, first, .. } = *self;
        Numbers { games, white, draws, black, rated, rating_sum, first_year, last_year, first }
    }

    /// Appends it to `out`, as it was read: as one in memory, or as one on disk.
    pub(crate) fn write_back(&self, out: &mut Vec<u8>) {
        let Told::Game(Teller { game, .. }) = self.told else { return self.write(out) };
        let head = self.head((game != NOBODY).then_some(game));
        match self.is_one() {
            true => out.extend_from_slice(&head.row_of_one()),
            false => out.extend_from_slice(&head.row_of_many(&self.numbers())),
        }
    }

    /// Appends it to `out`, as one on disk.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let is_one = self.is_one();
        let kind = if is_one { 0 } else { MANY };
        let words = self.head(None).words(kind, self.told.len() as u64);
        out.extend_from_slice(&bytes_of::<8, HEAD>(words));
        if !is_one {
            out.extend_from_slice(&self.numbers().bytes());
        }
        self.told.write(out);
    }

    fn head(&self, game: Option<u32>) -> Head {
        let Row { key, next, elo_sum, at, outcome, year, .. } = *self;
        Head { key, next, facts: GameFacts { elo_sum, year, outcome }, at, game }
    }

    /// The row that bytes begin with, of these games if it is one in memory; `None` if they are none.
    #[inline]
    pub(crate) fn read(bytes: &'s [u8], games: &'s Games) -> Option<Self> {
        let head: &[u8; HEAD] = bytes.first_chunk()?;
        let facts = u64_at(head, FACTS);
        let outcome = Outcome::of_byte((facts >> 16) as u8 & !(MANY | IN_MEMORY) as u8)?;
        let (elo_sum, year) = ((facts >> 24) as u16, (facts >> 40) as u16);
        let at = occurrence_at(head, AT);
        let told = if is_in_memory(head) {
            let game = u32_at(head, STORY);
            if game != NOBODY && !games.has(game) {
                return None;
            }
            Told::Game(Teller { games, game, plies: at.ply })
        } else {
            Told::Bytes(bytes.get(head_len(head)..len(bytes))?)
        };
        let mut row = Row {
            key: key_of(bytes),
            next: next_of(bytes),
            games: 1,
            white: u64::from(outcome == Outcome::White),
            draws: u64::from(outcome == Outcome::Draw),
            black: u64::from(outcome == Outcome::Black),
            rated: u64::from(elo_sum > 0),
            rating_sum: elo_sum.into(),
            first_year: year,
            last_year: year,
            first: at,
            elo_sum,
            at,
            outcome,
            year,
            told,
        };
        if is_many(head) {
            let bytes: &[u8; LONGEST_HEAD] = bytes.first_chunk()?;
            let sum = |number: usize| u64_at(bytes, HEAD + 8 * number);
            row.games = sum(0);
            row.white = sum(1);
            row.draws = sum(2);
            row.black = sum(3);
            row.rated = sum(4);
            row.rating_sum = sum(5);
            row.first = occurrence_at(bytes, FIRST);
            let years = u32_at(bytes, YEARS);
            (row.first_year, row.last_year) = (years as u16, (years >> 16) as u16);
        }
        Some(row)
    }

    /// Adds another count of the same move, as [`Tally`] does.
    #[inline]
    pub(crate) fn merge(&mut self, other: &Row<'s>) {
        self.games = self.games.saturating_add(other.games);
        self.white = self.white.saturating_add(other.white);
        self.draws = self.draws.saturating_add(other.draws);
        self.black = self.black.saturating_add(other.black);
        self.rated = self.rated.saturating_add(other.rated);
        self.rating_sum = self.rating_sum.saturating_add(other.rating_sum);
        self.first_year = first_year(self.first_year, other.first_year);
        self.last_year = self.last_year.max(other.last_year);
        self.first = self.first.min(other.first);
        if other.is_stronger(self) {
            (self.elo_sum, self.at) = (other.elo_sum, other.at);
            (self.outcome, self.year, self.told) = (other.outcome, other.year, other.told);
        }
    }

    #[inline]
    fn is_stronger(&self, other: &Self) -> bool {
        let key = |row: &Self| (std::cmp::Reverse(row.elo_sum), row.at, row.outcome, row.year);
        match key(self).cmp(&key(other)) {
            std::cmp::Ordering::Equal => {
                self.told != other.told && self.told.story() < other.told.story()
            }
            order => order.is_lt(),
        }
    }

    /// The row with its story, which is `None` if the bytes are damaged.
    pub(crate) fn tally(&self) -> Option<Tally> {
        Some(Tally {
            games: self.games,
            white: self.white,
            draws: self.draws,
            black: self.black,
            rated: self.rated,
            rating_sum: self.rating_sum,
            first_year: self.first_year,
            last_year: self.last_year,
            first: self.first,
            strongest: Strongest {
                elo_sum: self.elo_sum,
                at: self.at,
                outcome: self.outcome,
                year: self.year,
                story: self.told.story()?,
            },
        })
    }
}

/// Appends the row of a tally to `out`, as one on disk.
pub(crate) fn write_row(key: Packed, next: MoveCode, tally: &Tally, out: &mut Vec<u8>) {
    let Strongest { elo_sum, at, outcome, year, ref story } = tally.strongest;
    let mut bytes = Vec::new();
    write_story(story, &mut bytes);
    let row = Row {
        key,
        next,
        games: tally.games,
        white: tally.white,
        draws: tally.draws,
        black: tally.black,
        rated: tally.rated,
        rating_sum: tally.rating_sum,
        first_year: tally.first_year,
        last_year: tally.last_year,
        first: tally.first,
        elo_sum,
        at,
        outcome,
        year,
        told: Told::Bytes(&bytes),
    };
    row.write(out);
}

/// The key of the row that bytes begin with.
#[inline]
pub(crate) fn key_of(bytes: &[u8]) -> Packed {
    let key: &[u8; 32] = bytes.first_chunk().expect("a row begins with a key");
    Packed::from_bytes(*key)
}

/// The move of the row that bytes begin with.
#[inline]
pub(crate) fn next_of(bytes: &[u8]) -> MoveCode {
    MoveCode(u64_at(bytes, FACTS) as u16)
}

/// The games of the row that bytes begin with.
#[inline]
pub(crate) fn games_of(bytes: &[u8]) -> u64 {
    if is_many(bytes) { u64_at(bytes, HEAD) } else { 1 }
}

/// How long the row is that bytes begin with.
#[inline]
pub(crate) fn len(bytes: &[u8]) -> usize {
    if is_in_memory(bytes) {
        return head_len(bytes);
    }
    let story = u64::from(u32_at(bytes, STORY)) | u64_at(bytes, FACTS) >> 56 << 32;
    head_len(bytes) + story as usize
}

#[inline]
fn head_len(bytes: &[u8]) -> usize {
    if is_many(bytes) { LONGEST_HEAD } else { HEAD }
}

#[inline]
fn is_many(bytes: &[u8]) -> bool {
    u64_at(bytes, FACTS) >> 16 & MANY != 0
}

#[inline]
fn is_in_memory(bytes: &[u8]) -> bool {
    u64_at(bytes, FACTS) >> 16 & IN_MEMORY != 0
}

#[inline]
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

#[inline]
fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

#[inline]
fn occurrence_at(bytes: &[u8], at: usize) -> Occurrence {
    let (way, clocks) = (u64_at(bytes, at + 8), u32_at(bytes, at + 16));
    Occurrence {
        file: way as u32,
        game: u64_at(bytes, at),
        ply: (way >> 32) as u32,
        halfmoves: clocks as u16,
        fullmoves: (clocks >> 16) as u16,
    }
}

/// An occurrence as words, and four bytes that fill the last one.
#[inline]
fn words_of(at: &Occurrence, rest: u32) -> [u64; 3] {
    let Occurrence { file, game, ply, halfmoves, fullmoves } = *at;
    let clocks = u64::from(halfmoves) | u64::from(fullmoves) << 16;
    [game, u64::from(file) | u64::from(ply) << 32, clocks | u64::from(rest) << 32]
}

/// Words as bytes, always the same whatever the machine.
#[inline]
fn bytes_of<const WORDS: usize, const BYTES: usize>(words: [u64; WORDS]) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    for (bytes, word) in bytes.chunks_exact_mut(8).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// How many bytes a number has.
fn number_len(number: u64) -> usize {
    (64 - (number | 1).leading_zeros() as usize).div_ceil(7)
}

#[cfg(test)]
mod tests;
