//! A count encoded in memory and in temporary files: numbers at fixed offsets, so that two rows are added without decoding the
//! rest.
//!
//! Most rows describe a single game, whose numbers follow from its facts; such rows consist of the head only. On disk the
//! encoded game information follows; in memory a row refers to a game, which many rows share.

mod game_info;

use pgn::Outcome;
use san::{MoveCode, PositionKey};

use crate::evaluation::Evaluation;
use crate::games::Games;
use crate::run::write_info;
use crate::tally::{GameFacts, SourceLocation, Strongest, Tally, first_year};

use game_info::NO_GAME;
pub(crate) use game_info::{GameIndex, GameInfoRef, prefetch_infos};

/// One move in one position, and its counts: a [`Tally`] whose game information is not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row<'s> {
    pub(crate) key: PositionKey,
    pub(crate) next: MoveCode,
    pub(crate) games: u64,
    pub(crate) white: u64,
    pub(crate) draws: u64,
    pub(crate) black: u64,
    pub(crate) rated: u64,
    pub(crate) rating_sum: u64,
    pub(crate) first_year: u16,
    pub(crate) last_year: u16,
    pub(crate) first: SourceLocation,
    /// Fields of the strongest game, as are all that follow.
    pub(crate) elo_sum: u16,
    pub(crate) at: SourceLocation,
    pub(crate) outcome: Outcome,
    pub(crate) year: u16,
    pub(crate) info: GameInfoRef<'s>,
}

/// Offsets in the head, in bytes: the facts (after the key, move, kind, rating and year); the game, file and ply; the clocks,
/// followed by the length of the game information or, in memory, the index of the game.
const FACTS: usize = 32;
const AT: usize = 40;
const INFO: usize = 60;
/// Size of the head in bytes. In memory, the row of a single game is just the head; other rows continue with numbers.
pub(crate) const HEAD: usize = 64;
/// Size of the longest row in memory, in bytes.
pub(crate) const LONGEST_HEAD: usize = HEAD + NUMBERS;
/// Size of the numbers in bytes: six sums, the first occurrence and the years.
const NUMBERS: usize = 9 * 8;
const FIRST: usize = HEAD + 6 * 8;
const YEARS: usize = FIRST + 20;

/// The bits of a game number; the other bits of the word hold the evaluation.
const GAME: u64 = (1 << 48) - 1;

/// Flags of the kind: numbers are present; the row is in memory. The other bits are the outcome.
const MANY: u64 = 0x80;
const IN_MEMORY: u64 = 0x40;

/// Contents of every row in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) key: PositionKey,
    pub(crate) next: MoveCode,
    /// Facts of the strongest game, as are all fields that follow.
    pub(crate) facts: GameFacts,
    pub(crate) at: SourceLocation,
    /// Index of the game with the names and moves.
    pub(crate) game: Option<u32>,
}

/// Additional contents of rows of several games.
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
    pub(crate) first: SourceLocation,
}

impl Head {
    /// Encodes a row of one game for memory.
    #[inline]
    pub(crate) fn row_of_one(&self) -> [u8; HEAD] {
        bytes_of(self.words(IN_MEMORY, self.game.unwrap_or(NO_GAME).into()))
    }

    /// Encodes a row of several games for memory.
    pub(crate) fn row_of_many(&self, numbers: &Numbers) -> [u8; LONGEST_HEAD] {
        let mut row = [0; LONGEST_HEAD];
        let (head, rest) = row.split_at_mut(HEAD);
        let words = self.words(IN_MEMORY | MANY, self.game.unwrap_or(NO_GAME).into());
        head.copy_from_slice(&bytes_of::<8, HEAD>(words));
        rest.copy_from_slice(&numbers.bytes());
        row
    }

    /// Returns the words of the head; the part of `last` beyond four bytes is stored in unused bits of the facts.
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
    /// Whether the numbers are those of a single game.
    fn is_one(&self) -> bool {
        let won = |outcome| u64::from(self.outcome == outcome);
        let [white, draws, black] =
            [Outcome::WhiteWins, Outcome::Draw, Outcome::BlackWins].map(won);
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

    /// Appends the row to `out` in the form in which it was read: in memory, or on disk.
    pub(crate) fn write_back(&self, out: &mut Vec<u8>) {
        let GameInfoRef::Game(GameIndex { game, .. }) = self.info else { return self.write(out) };
        let head = self.head((game != NO_GAME).then_some(game));
        match self.is_one() {
            true => out.extend_from_slice(&head.row_of_one()),
            false => out.extend_from_slice(&head.row_of_many(&self.numbers())),
        }
    }

    /// Appends the row to `out` in disk form.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let is_one = self.is_one();
        let kind = if is_one { 0 } else { MANY };
        let words = self.head(None).words(kind, self.info.len() as u64);
        out.extend_from_slice(&bytes_of::<8, HEAD>(words));
        if !is_one {
            out.extend_from_slice(&self.numbers().bytes());
        }
        self.info.write(out);
    }

    fn head(&self, game: Option<u32>) -> Head {
        let Row { key, next, elo_sum, at, outcome, year, .. } = *self;
        Head { key, next, facts: GameFacts { elo_sum, year, outcome }, at, game }
    }

    /// Decodes the row at the start of `bytes`; `games` resolves references of rows in memory. `None` if it is damaged.
    #[inline]
    pub(crate) fn read(bytes: &'s [u8], games: &'s Games) -> Option<Self> {
        let head: &[u8; HEAD] = bytes.first_chunk()?;
        let facts = u64_at(head, FACTS);
        let outcome = Outcome::of_number((facts >> 16) as u8 & !(MANY | IN_MEMORY) as u8)?;
        let (elo_sum, year) = ((facts >> 24) as u16, (facts >> 40) as u16);
        let at = occurrence_at(head, AT);
        let info = if is_in_memory(head) {
            let game = u32_at(head, INFO);
            if game != NO_GAME && !games.has(game) {
                return None;
            }
            GameInfoRef::Game(GameIndex { games, game, plies: at.ply })
        } else {
            GameInfoRef::Bytes(bytes.get(head_len(head)..len(bytes))?)
        };
        let mut row = Row {
            key: key_of(bytes),
            next: next_of(bytes),
            games: 1,
            white: u64::from(outcome == Outcome::WhiteWins),
            draws: u64::from(outcome == Outcome::Draw),
            black: u64::from(outcome == Outcome::BlackWins),
            rated: u64::from(elo_sum > 0),
            rating_sum: elo_sum.into(),
            first_year: year,
            last_year: year,
            first: at,
            elo_sum,
            at,
            outcome,
            year,
            info,
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

    /// Adds another count of the same move, with the same result as for [`Tally`].
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
            (self.outcome, self.year, self.info) = (other.outcome, other.year, other.info);
        }
    }

    #[inline]
    fn is_stronger(&self, other: &Self) -> bool {
        let key = |row: &Self| (std::cmp::Reverse(row.elo_sum), row.at, row.outcome, row.year);
        match key(self).cmp(&key(other)) {
            std::cmp::Ordering::Equal => {
                self.info != other.info && self.info.decode() < other.info.decode()
            }
            order => order.is_lt(),
        }
    }

    /// Decodes the row completely; `None` if the bytes are damaged.
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
                info: self.info.decode()?,
            },
        })
    }
}

/// Appends a tally to `out` as a row in disk form.
pub(crate) fn write_row(key: PositionKey, next: MoveCode, tally: &Tally, out: &mut Vec<u8>) {
    let Strongest { elo_sum, at, outcome, year, ref info } = tally.strongest;
    let mut bytes = Vec::new();
    write_info(info, &mut bytes);
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
        info: GameInfoRef::Bytes(&bytes),
    };
    row.write(out);
}

/// Returns the key of the row at the start of `bytes`.
#[inline]
pub(crate) fn key_of(bytes: &[u8]) -> PositionKey {
    let key: &[u8; 32] = bytes.first_chunk().expect("a row begins with a key");
    PositionKey::from_bytes(*key)
}

/// Returns the move of the row at the start of `bytes`.
#[inline]
pub(crate) fn next_of(bytes: &[u8]) -> MoveCode {
    MoveCode(u64_at(bytes, FACTS) as u16)
}

/// Returns the number of games of the row at the start of `bytes`.
#[inline]
pub(crate) fn games_of(bytes: &[u8]) -> u64 {
    if is_many(bytes) { u64_at(bytes, HEAD) } else { 1 }
}

/// Returns the length of the row at the start of `bytes`.
#[inline]
pub(crate) fn len(bytes: &[u8]) -> usize {
    if is_in_memory(bytes) {
        return head_len(bytes);
    }
    let info = u64::from(u32_at(bytes, INFO)) | u64_at(bytes, FACTS) >> 56 << 32;
    head_len(bytes) + info as usize
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
fn occurrence_at(bytes: &[u8], at: usize) -> SourceLocation {
    let (game, way, clocks) = (u64_at(bytes, at), u64_at(bytes, at + 8), u32_at(bytes, at + 16));
    SourceLocation {
        file: way as u32,
        game: game & GAME,
        ply: (way >> 32) as u32,
        halfmoves: clocks as u16,
        fullmoves: (clocks >> 16) as u16,
        evaluation: Evaluation::of_bits((game >> 48) as u16),
    }
}

/// Encodes an occurrence as words; `rest` fills the last four bytes.
#[inline]
fn words_of(at: &SourceLocation, rest: u32) -> [u64; 3] {
    let SourceLocation { file, game, ply, halfmoves, fullmoves, evaluation } = *at;
    let clocks = u64::from(halfmoves) | u64::from(fullmoves) << 16;
    let game = game & GAME | u64::from(evaluation.bits()) << 48;
    [game, u64::from(file) | u64::from(ply) << 32, clocks | u64::from(rest) << 32]
}

/// Encodes words as little-endian bytes on any machine.
#[inline]
fn bytes_of<const WORDS: usize, const BYTES: usize>(words: [u64; WORDS]) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    for (bytes, word) in bytes.chunks_exact_mut(8).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// Returns the length of a variable-length number, in bytes.
fn number_len(number: u64) -> usize {
    (64 - (number | 1).leading_zeros() as usize).div_ceil(7)
}

#[cfg(test)]
mod tests;
