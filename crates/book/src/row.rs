//! A count as a row, as temporary files have it: numbers at fixed offsets, so that two rows are
//! added without decoding the rest.
//!
//! Most rows describe a single game, whose numbers follow from its facts; such rows consist of the
//! head only, and the encoded game information. In memory a row refers to games, which many rows
//! share.

mod game_info;

use pgn::Outcome;
use san::{MoveCode, PositionKey};

use crate::evaluation::Evaluation;
use crate::tally::{GameInfo, NotableGame, SourceLocation, Tally};

pub(crate) use game_info::GameInfoRef;

/// A move in a position, in games of a class; `I` is what is known of the notable games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counted<I = GameInfo, C = Box<str>> {
    pub(crate) key: PositionKey,
    pub(crate) next: MoveCode,
    pub(crate) class: C,
    pub(crate) tally: Tally<I>,
}

/// A count whose game information is not decoded.
pub(crate) type Row<'s> = Counted<GameInfoRef<'s>, &'s str>;

/// Byte offsets in the head: the facts; game, file, ply and clocks; the length of the info.
const FACTS: usize = 32;
const AT: usize = 40;
const INFO: usize = 60;
/// Size of the head in bytes; the rows of several games continue with numbers.
pub(crate) const HEAD: usize = 64;
/// Size of both.
const LONGEST_HEAD: usize = HEAD + NUMBERS;
/// Size of the numbers in bytes: six sums, the first occurrence and the years.
const NUMBERS: usize = 9 * 8;
const FIRST: usize = HEAD + 6 * 8;
const YEARS: usize = FIRST + 20;

/// The bits of a game number; the other bits of the word hold the evaluation.
const GAME: u64 = (1 << 48) - 1;

/// Flags of the kind: it has numbers; the class and its length in two bytes are at the end;
/// the most recent game follows the information. The other bits are the outcome.
const MANY: u64 = 0x80;
const CLASSED: u64 = 0x40;
const LATEST: u64 = 0x20;
const FLAGS: u64 = MANY | CLASSED | LATEST;

/// In bytes, after its information: facts, and words that hold the length of that.
const OF_LATEST: usize = 32;

/// Encodes the head; the part of `last` beyond four bytes is stored in unused bits of the facts.
#[inline]
fn head<I>(
    key: PositionKey,
    next: MoveCode,
    strongest: &NotableGame<I>,
    kind: u64,
    last: u64,
) -> [u8; HEAD] {
    let facts = u64::from(next.0) | kind << 16 | facts_of(strongest) | last >> 32 << 56;
    let [a, b, c, d] = key.0;
    let [game, way, clocks] = words_of(&strongest.at, last as u32);
    bytes_of([a, b, c, d, facts, game, way, clocks])
}

/// Encodes the result, rating and year of a game.
#[inline]
fn facts_of<I>(game: &NotableGame<I>) -> u64 {
    let NotableGame { elo_sum, outcome, year, .. } = game;
    (*outcome as u64) << 16 | u64::from(*elo_sum) << 24 | u64::from(*year) << 40
}

#[inline]
fn game_of<'s>(
    facts: u64,
    at: SourceLocation,
    info: &'s [u8],
) -> Option<NotableGame<GameInfoRef<'s>>> {
    let outcome = Outcome::of_number((facts >> 16 & !FLAGS) as u8)?;
    let (elo_sum, year) = ((facts >> 24) as u16, (facts >> 40) as u16);
    Some(NotableGame { elo_sum, at, outcome, year, info: GameInfoRef::Bytes(info) })
}

fn numbers<I>(tally: &Tally<I>) -> [u8; NUMBERS] {
    let Tally { games, white, draws, black, rated, rating_sum, .. } = *tally;
    let years = u32::from(tally.first_year) | u32::from(tally.last_year) << 16;
    let [a, b, c] = words_of(&tally.first, years);
    bytes_of([games, white, draws, black, rated, rating_sum, a, b, c])
}

impl Tally {
    pub(crate) fn undecoded(&self) -> Tally<GameInfoRef<'_>> {
        self.map_info(GameInfoRef::Decoded)
    }
}

impl Counted {
    pub(crate) fn row(&self) -> Row<'_> {
        let Counted { key, next, class, tally } = self;
        Row { key: *key, next: *next, class, tally: tally.undecoded() }
    }
}

impl<'s> Row<'s> {
    /// Whether the numbers are those of a single game.
    fn is_one(&self) -> bool {
        let counts = self.tally.map_info(|_| ());
        counts == Tally::of_one(counts.strongest)
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let Row { key, next, class, tally } = self;
        let (is_one, info) = (self.is_one(), &tally.strongest.info);
        let of_latest = tally.latest.as_ref().map_or(0, |latest| latest.info.len() + OF_LATEST);
        let of_class = if class.is_empty() { 0 } else { class.len() + 2 };
        let flags = [(!is_one, MANY), (of_latest > 0, LATEST), (of_class > 0, CLASSED)];
        let kind = flags.into_iter().map(|(is_set, flag)| if is_set { flag } else { 0 }).sum();
        let len = (info.len() + of_latest + of_class) as u64;
        out.extend_from_slice(&head(*key, *next, &tally.strongest, kind, len));
        if !is_one {
            out.extend_from_slice(&numbers(tally));
        }
        info.write(out);
        if let Some(latest) = &tally.latest {
            latest.info.write(out);
            let len = latest.info.len() as u64;
            let facts = facts_of(latest) | len >> 32 << 56;
            let [game, way, clocks] = words_of(&latest.at, len as u32);
            out.extend_from_slice(&bytes_of::<4, OF_LATEST>([facts, game, way, clocks]));
        }
        if of_class > 0 {
            out.extend_from_slice(class.as_bytes());
            out.extend_from_slice(&(class.len() as u16).to_le_bytes());
        }
    }

    /// Decodes the row at the start of `bytes`; `None` if it is damaged.
    #[inline]
    pub(crate) fn read(bytes: &'s [u8]) -> Option<Self> {
        let head: &[u8; HEAD] = bytes.first_chunk()?;
        let facts = u64_at(head, FACTS);
        let bytes = bytes.get(..len(head))?;
        let class = std::str::from_utf8(class_of(bytes)).ok()?;
        let of_class = if class.is_empty() { 0 } else { class.len() + 2 };
        let mut info = bytes.get(head_len(head)..bytes.len() - of_class)?;
        let mut latest = None;
        if facts >> 16 & LATEST != 0 {
            let (rest, game) = info.split_last_chunk::<OF_LATEST>()?;
            let facts = u64_at(game, 0);
            let len = u64::from(u32_at(game, OF_LATEST - 4)) | facts >> 56 << 32;
            let (rest, of_latest) = rest.split_at_checked(rest.len().checked_sub(len as usize)?)?;
            latest = Some(game_of(facts, occurrence_at(game, 8), of_latest)?);
            info = rest;
        }
        let strongest = game_of(facts, occurrence_at(head, AT), info)?;
        let mut tally = Tally { latest, ..Tally::of_one(strongest) };
        if is_many(head) {
            let bytes: &[u8; LONGEST_HEAD] = bytes.first_chunk()?;
            let sum = |number: usize| u64_at(bytes, HEAD + 8 * number);
            let years = u32_at(bytes, YEARS);
            tally = Tally {
                games: sum(0),
                white: sum(1),
                draws: sum(2),
                black: sum(3),
                rated: sum(4),
                rating_sum: sum(5),
                first: occurrence_at(bytes, FIRST),
                first_year: years as u16,
                last_year: (years >> 16) as u16,
                ..tally
            };
        }
        Some(Row { key: key_of(bytes), next: next_of(bytes), class, tally })
    }

    /// Adds another count of the same move, with the same result as for [`Tally`].
    #[inline]
    pub(crate) fn merge(&mut self, other: &Row<'s>) {
        self.tally.add(other.tally, |a, b| a < b);
    }

    /// Decodes the row completely; `None` if the bytes are damaged.
    pub(crate) fn counted(&self) -> Option<Counted> {
        let Row { key, next, class, tally } = self;
        let tally = tally.try_map_info(|info| info.decode())?;
        Some(Counted { key: *key, next: *next, class: (*class).into(), tally })
    }
}

pub(crate) fn write_row(
    key: PositionKey,
    next: MoveCode,
    class: &str,
    tally: &Tally,
    out: &mut Vec<u8>,
) {
    Row { key, next, class, tally: tally.undecoded() }.write(out);
}

#[inline]
pub(crate) fn key_of(bytes: &[u8]) -> PositionKey {
    let key: &[u8; 32] = bytes.first_chunk().expect("a row begins with a key");
    PositionKey::from_bytes(*key)
}

#[inline]
pub(crate) fn next_of(bytes: &[u8]) -> MoveCode {
    MoveCode(u64_at(bytes, FACTS) as u16)
}

/// Returns the class of the row at the start of `bytes`; empty if it is damaged.
#[inline]
pub(crate) fn class_of(bytes: &[u8]) -> &[u8] {
    if u64_at(bytes, FACTS) >> 16 & CLASSED == 0 {
        return b"";
    }
    let class = || {
        let (rest, len) = bytes.get(..len(bytes))?.split_last_chunk()?;
        rest.get(rest.len().checked_sub(u16::from_le_bytes(*len).into())?..)
    };
    class().unwrap_or_default()
}

#[inline]
pub(crate) fn games_of(bytes: &[u8]) -> u64 {
    if is_many(bytes) { u64_at(bytes, HEAD) } else { 1 }
}

#[inline]
pub(crate) fn len(bytes: &[u8]) -> usize {
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

fn number_len(number: u64) -> usize {
    (64 - (number | 1).leading_zeros() as usize).div_ceil(7)
}

#[cfg(test)]
mod tests;
