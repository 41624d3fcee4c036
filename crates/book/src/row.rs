//! A count as bytes in memory and in temporary files: numbers in fixed places, so that two are added without reading the rest.
//!
//! Most rows are of one game, which says all numbers; those have no more than the head. The story comes last, as runs hold it.

use san::Packed;

use crate::MoveCode;
use crate::run::{read_story, write_story};
use crate::tally::{Occurrence, Outcome, Story, Strongest, Tally, first_year};

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
    pub(crate) story: &'s [u8],
}

/// Where words of the head stand, in bytes: behind the key, move, kind, rating and year; the game; file and ply; clocks and the length
/// of the story.
const FACTS: usize = 32;
const AT: usize = 40;
const STORY: usize = 60;
/// So long is the head of a row of one game; the numbers follow in others.
pub(crate) const HEAD: usize = 64;
/// So long is the head with the numbers.
pub(crate) const LONGEST_HEAD: usize = HEAD + NUMBERS;
/// So long are the numbers: six sums, the first occurrence and the years.
const NUMBERS: usize = 9 * 8;
const FIRST: usize = HEAD + 6 * 8;
const YEARS: usize = FIRST + 20;

/// The bit of a kind that says that there are numbers; the others are the outcome.
const MANY: u64 = 0x80;

/// What every row says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) key: Packed,
    pub(crate) next: MoveCode,
    pub(crate) elo_sum: u16,
    pub(crate) at: Occurrence,
    pub(crate) outcome: Outcome,
    pub(crate) year: u16,
    /// How long the story is that follows.
    pub(crate) story: usize,
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
    /// Appends a row of one game, without its story.
    #[inline]
    pub(crate) fn write_one(&self, out: &mut Vec<u8>) {
        self.write(0, out);
    }

    /// Appends a row, without its story.
    pub(crate) fn write_many(&self, numbers: &Numbers, out: &mut Vec<u8>) {
        self.write(MANY, out);
        let Numbers { games, white, draws, black, rated, rating_sum, .. } = *numbers;
        for sum in [games, white, draws, black, rated, rating_sum] {
            write_word(sum, out);
        }
        let years = u32::from(numbers.first_year) | u32::from(numbers.last_year) << 16;
        write_occurrence(&numbers.first, years, out);
    }

    #[inline]
    fn write(&self, many: u64, out: &mut Vec<u8>) {
        for plane in self.key.0 {
            write_word(plane, out);
        }
        let kind = self.outcome as u64 | many;
        let (next, elo_sum, year) = (self.next.0, self.elo_sum, self.year);
        let facts = [u64::from(next), kind << 16, u64::from(elo_sum) << 24, u64::from(year) << 40];
        write_word(facts[0] | facts[1] | facts[2] | facts[3], out);
        write_occurrence(&self.at, self.story as u32, out);
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

    /// How long it is.
    pub(crate) fn len(&self) -> usize {
        self.story.len() + if self.is_one() { HEAD } else { LONGEST_HEAD }
    }

    /// Appends it to `out`.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let Row { key, next, elo_sum, at, outcome, year, .. } = *self;
        let head = Head { key, next, elo_sum, at, outcome, year, story: self.story.len() };
        if self.is_one() {
            head.write_one(out);
        } else {
            let Row { games, white, draws, black, rated, rating_sum, .. } = *self;
            let Row { first_year, last_year, first, .. } = *self;
            let numbers = Numbers {
                games,
                white,
                draws,
                black,
                rated,
                rating_sum,
                first_year,
                last_year,
                first,
            };
            head.write_many(&numbers, out);
        }
        out.extend_from_slice(self.story);
    }

    /// The row that bytes begin with; `None` if they are none.
    #[inline]
    pub(crate) fn read(bytes: &'s [u8]) -> Option<Self> {
        let head: &[u8; HEAD] = bytes.first_chunk()?;
        let facts = u64_at(head, FACTS);
        let outcome = Outcome::of_byte((facts >> 16) as u8 & !(MANY as u8))?;
        let (elo_sum, year) = ((facts >> 24) as u16, (facts >> 40) as u16);
        let at = occurrence_at(head, AT);
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
            story: bytes.get(head_len(head)..len(bytes))?,
        };
        if is_many(head) {
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
            (self.outcome, self.year, self.story) = (other.outcome, other.year, other.story);
        }
    }

    #[inline]
    fn is_stronger(&self, other: &Self) -> bool {
        let key = |row: &Self| (std::cmp::Reverse(row.elo_sum), row.at, row.outcome, row.year);
        match key(self).cmp(&key(other)) {
            std::cmp::Ordering::Equal => self.story != other.story && self.story() < other.story(),
            order => order.is_lt(),
        }
    }

    /// What is told of the strongest game; nothing if the bytes are damaged.
    fn story(&self) -> Option<Story> {
        match self.story {
            [0, 0, 0, 0] => Some(Story::default()),
            mut bytes => read_story(&mut bytes).ok(),
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
                story: self.story()?,
            },
        })
    }
}

/// Appends the row of a tally to `out`.
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
        story: &bytes,
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
    head_len(bytes) + u32_at(bytes, STORY) as usize
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

/// Appends an occurrence, and four bytes that fill its last word.
#[inline]
fn write_occurrence(at: &Occurrence, rest: u32, out: &mut Vec<u8>) {
    let Occurrence { file, game, ply, halfmoves, fullmoves } = *at;
    write_word(game, out);
    write_word(u64::from(file) | u64::from(ply) << 32, out);
    let clocks = u64::from(halfmoves) | u64::from(fullmoves) << 16;
    write_word(clocks | u64::from(rest) << 32, out);
}

/// Words are written one by one: what was put together in small pieces could not be read again at once.
#[inline]
fn write_word(word: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(&word.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn occurrence(game: u64) -> Occurrence {
        Occurrence { file: 7, game, ply: 1 << 20, halfmoves: 3, fullmoves: 513 }
    }

    fn one() -> Tally {
        Tally {
            games: 1,
            white: 1,
            rated: 1,
            rating_sum: 5001,
            first_year: 2024,
            last_year: 2024,
            first: occurrence(1 << 40),
            strongest: Strongest {
                elo_sum: 5001,
                at: occurrence(1 << 40),
                outcome: Outcome::White,
                year: 2024,
                story: Story {
                    white: "Weiß".into(),
                    black: "b".into(),
                    start: "".into(),
                    moves: [1, 700].into(),
                },
            },
            ..Tally::default()
        }
    }

    fn bytes_of(tally: &Tally) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_row(Packed([1, 2, 3, u64::MAX]), MoveCode(0x1234), tally, &mut bytes);
        bytes
    }

    #[test]
    fn a_row_comes_back() {
        let mut many = one();
        many.games = u64::MAX;
        many.draws = 1 << 33;
        for (tally, games, head) in [
            (one(), 1, HEAD),
            (many, u64::MAX, HEAD + NUMBERS),
            (Tally::default(), 0, HEAD + NUMBERS),
        ] {
            let mut bytes = bytes_of(&tally);
            assert_eq!(len(&bytes), bytes.len());
            bytes.extend_from_slice(b"what follows");
            let row = Row::read(&bytes).unwrap();
            assert_eq!((row.key, row.next), (Packed([1, 2, 3, u64::MAX]), MoveCode(0x1234)));
            assert_eq!((key_of(&bytes), next_of(&bytes)), (row.key, row.next));
            assert_eq!((games_of(&bytes), head_len(&bytes)), (games, head));
            assert_eq!(row.tally(), Some(tally));
        }
    }

    #[test]
    fn the_game_of_a_book_that_knows_more_than_one_game_says_is_written_whole() {
        let mut given = one();
        given.strongest.outcome = Outcome::Unknown;
        assert_eq!(bytes_of(&given).len(), bytes_of(&one()).len() + NUMBERS);
        assert_eq!(Row::read(&bytes_of(&given)).unwrap().tally(), Some(given));
    }

    #[test]
    fn rows_are_added_as_tallies_are() {
        let first = one();
        let mut weaker = one();
        (weaker.strongest.elo_sum, weaker.strongest.at) = (4000, occurrence(3));
        (weaker.first, weaker.first_year, weaker.last_year) = (occurrence(3), 1990, 2025);
        let mut namesake = one();
        namesake.strongest.story.white = "A".into();
        for other in [&first, &weaker, &namesake] {
            for (a, b) in [(&first, other), (other, &first)] {
                let (a_bytes, b_bytes) = (bytes_of(a), bytes_of(b));
                let mut row = Row::read(&a_bytes).unwrap();
                row.merge(&Row::read(&b_bytes).unwrap());
                let mut sum = a.clone();
                sum += b.clone();
                assert_eq!(row.tally(), Some(sum));
            }
        }
    }

    #[test]
    fn what_is_cut_off_is_no_row() {
        let bytes = bytes_of(&one());
        for end in 0..bytes.len() {
            let cut = &bytes[..end];
            let row = (end >= HEAD).then(|| Row::read(cut)).flatten();
            assert_eq!(row, None, "{end}");
        }
    }
}
