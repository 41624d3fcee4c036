//! A count as a row, as temporary files have it: numbers at fixed offsets, so that two rows are
//! added without decoding the rest.
//!
//! Most rows describe a single game, whose numbers follow from its facts; such rows consist of the
//! head only, and the encoded game information. In memory a row refers to games, which many rows
//! share.

use std::cmp::Ordering;
use std::io::{self, BufRead};

use pgn::Outcome;
use san::{MoveCode, PositionKey};
use stream::spill::{read_number, write_number};

use crate::games::Games;
use crate::tally::{Evaluation, GameInfo, NotableGame, SourceLocation, Tally};

// Encoding of what runs and explorer files have in common: numbers, texts, and games.

/// Maximum length of a text, in bytes; anything that exceeds memory is damage.
const LONGEST: u64 = 1 << 40;

pub(crate) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is damaged")
}

pub(crate) fn write_info(info: &GameInfo, out: &mut Vec<u8>) {
    for text in [&info.white, &info.black, &info.start] {
        write_text(text, out);
    }
    write_number(info.moves.len() as u64, out);
    for code in &info.moves {
        out.extend_from_slice(&code.to_le_bytes());
    }
}

pub(crate) fn read_info(input: &mut impl BufRead) -> io::Result<GameInfo> {
    // Fast path: nothing is known of the game.
    if input.fill_buf()?.starts_with(&[0; 4]) {
        input.consume(4);
        return Ok(GameInfo::default());
    }
    Ok(GameInfo {
        white: read_text(input)?,
        black: read_text(input)?,
        start: read_text(input)?,
        moves: read_moves(input)?,
    })
}

pub(crate) fn write_text(text: &str, out: &mut Vec<u8>) {
    write_number(text.len() as u64, out);
    out.extend_from_slice(text.as_bytes());
}

pub(crate) fn read_text(input: &mut impl BufRead) -> io::Result<Box<str>> {
    let text = String::from_utf8(read_bytes(input, 1)?).map_err(|_| damaged())?;
    Ok(text.into())
}

pub(crate) fn write_occurrence(at: &SourceLocation, out: &mut Vec<u8>) {
    let SourceLocation { file, game, ply, halfmoves, fullmoves, evaluation } = *at;
    // One bit for the presence of an evaluation, which is absent without `--eval`.
    let halfmoves = u64::from(halfmoves) << 1 | u64::from(evaluation != Evaluation::NONE);
    for number in [file.into(), game, ply.into(), halfmoves, fullmoves.into()] {
        write_number(number, out);
    }
    if evaluation != Evaluation::NONE {
        out.extend_from_slice(&evaluation.bits().to_le_bytes());
    }
}

pub(crate) fn read_occurrence(input: &mut impl BufRead) -> io::Result<SourceLocation> {
    let (file, game, ply) = (read_small(input)?, read_number(input)?, read_small(input)?);
    let halfmoves = read_number(input)?;
    let fullmoves = read_small(input)?;
    let mut bits = [0; 2];
    if halfmoves & 1 == 1 {
        input.read_exact(&mut bits)?;
    }
    let evaluation = Evaluation::of_bits(u16::from_le_bytes(bits));
    let halfmoves = u16::try_from(halfmoves >> 1).map_err(|_| damaged())?;
    Ok(SourceLocation { file, game, ply, halfmoves, fullmoves, evaluation })
}

/// Reads a length, and this number of bytes.
pub(crate) fn split_bytes<'b>(input: &mut &'b [u8]) -> io::Result<&'b [u8]> {
    let len = read_small(input)?;
    let (bytes, rest) = input.split_at_checked(len).ok_or_else(damaged)?;
    *input = rest;
    Ok(bytes)
}

fn read_bytes(input: &mut impl BufRead, unit: u64) -> io::Result<Vec<u8>> {
    let len = read_number(input)?;
    if len > LONGEST {
        return Err(damaged());
    }
    let wanted = len * unit;
    // Fast path: nearly always all of it is buffered.
    if let Some(bytes) = input.fill_buf()?.get(..wanted as usize) {
        let bytes = bytes.to_vec();
        input.consume(bytes.len());
        return Ok(bytes);
    }
    let mut bytes = Vec::new();
    // The length is untrusted, so memory is allocated as data arrives.
    io::Read::read_to_end(&mut io::Read::take(input, wanted), &mut bytes)?;
    if bytes.len() as u64 == wanted { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn read_moves(input: &mut impl BufRead) -> io::Result<Box<[u16]>> {
    let bytes = read_bytes(input, 2)?;
    let code = |pair: &[u8]| u16::from_le_bytes([pair[0], pair[1]]);
    Ok(bytes.chunks_exact(2).map(code).collect())
}

/// Reads a number that was written in as few bytes as possible, seven bits each.
pub(crate) fn read_small<T: TryFrom<u64>>(input: &mut impl BufRead) -> io::Result<T> {
    T::try_from(read_number(input)?).map_err(|_| damaged())
}

#[inline]
pub(crate) fn read_byte(input: &mut impl BufRead) -> io::Result<u8> {
    let byte = *input.fill_buf()?.first().ok_or(io::ErrorKind::UnexpectedEof)?;
    input.consume(1);
    Ok(byte)
}

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

// Information on the notable games of a row, and where it is stored.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameInfoRef<'s> {
    /// Encoded as in runs.
    Bytes(&'s [u8]),
    /// Not encoded.
    Decoded(&'s GameInfo),
    /// In [`Games`]: the names, and the moves before the position.
    Game(GameIndex<'s>),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct GameIndex<'s> {
    games: &'s Games,
    /// Its index in [`Games`], or [`NO_GAME`].
    game: u32,
    plies: u32,
}

const NO_GAME: u32 = u32::MAX;

impl<'s> GameInfoRef<'s> {
    pub(crate) fn of_game(games: &'s Games, game: Option<u32>, plies: u32) -> Self {
        GameInfoRef::Game(GameIndex { games, game: game.unwrap_or(NO_GAME), plies })
    }

    /// Reads encoded information, whose names are known to be text afterwards.
    pub(crate) fn read(input: &mut &'s [u8]) -> io::Result<Self> {
        let whole = *input;
        for _ in ["white", "black"] {
            std::str::from_utf8(split_bytes(input)?).map_err(|_| damaged())?;
        }
        split_bytes(input)?;
        let moves = usize::try_from(read_number(input)?).ok().and_then(|len| len.checked_mul(2));
        let (_, rest) = moves.and_then(|len| input.split_at_checked(len)).ok_or_else(damaged)?;
        *input = rest;
        Ok(GameInfoRef::Bytes(&whole[..whole.len() - rest.len()]))
    }

    /// Returns the players of the white and the black pieces; empty if unknown.
    pub(crate) fn players(&self) -> [&'s str; 2] {
        let mut names = match self {
            GameInfoRef::Decoded(info) => return [&info.white, &info.black],
            GameInfoRef::Bytes(bytes) => bytes,
            GameInfoRef::Game(index) => index.parts().0,
        };
        ["white", "black"].map(|_| {
            let name = split_bytes(&mut names).unwrap_or_default();
            std::str::from_utf8(name).unwrap_or_default()
        })
    }

    fn len(&self) -> usize {
        match self {
            GameInfoRef::Bytes(bytes) => bytes.len(),
            GameInfoRef::Decoded(info) => {
                let mut bytes = Vec::new();
                write_info(info, &mut bytes);
                bytes.len()
            }
            GameInfoRef::Game(index) => {
                let (names, moves) = index.parts();
                names.len() + number_len(moves.len() as u64 / 2) + moves.len()
            }
        }
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        match self {
            GameInfoRef::Bytes(bytes) => out.extend_from_slice(bytes),
            GameInfoRef::Decoded(info) => write_info(info, out),
            GameInfoRef::Game(index) => {
                let (names, moves) = index.parts();
                out.extend_from_slice(names);
                write_number(moves.len() as u64 / 2, out);
                out.extend_from_slice(moves);
            }
        }
    }

    pub(crate) fn decode(&self) -> Option<GameInfo> {
        match self {
            GameInfoRef::Bytes([0, 0, 0, 0])
            | GameInfoRef::Game(GameIndex { game: NO_GAME, .. }) => Some(GameInfo::default()),
            GameInfoRef::Bytes(bytes) => read_info(&mut &bytes[..]).ok(),
            GameInfoRef::Decoded(info) => Some((*info).clone()),
            GameInfoRef::Game { .. } => {
                let mut bytes = Vec::with_capacity(self.len());
                self.write(&mut bytes);
                read_info(&mut &bytes[..]).ok()
            }
        }
    }
}

impl Default for GameInfoRef<'_> {
    fn default() -> Self {
        GameInfoRef::Bytes(&[0; 4])
    }
}

/// As the decoded information.
impl PartialOrd for GameInfoRef<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self == other {
            Some(Ordering::Equal)
        } else {
            self.decode().partial_cmp(&other.decode())
        }
    }
}

impl<'s> GameIndex<'s> {
    /// Returns the names and start position, and the moves.
    fn parts(&self) -> (&'s [u8], &'s [u8]) {
        match self.game {
            NO_GAME => (&[0, 0, 0], &[]),
            game => (self.games.names(game), self.games.moves(game, self.plies)),
        }
    }
}

impl PartialEq for GameIndex<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.game, self.plies) == (other.game, other.plies)
    }
}

impl Eq for GameIndex<'_> {}

// Counts in the runs of partial results, sorted by the hash of the key, as in temporary files.

/// Encoded counts in order, to which others may be appended.
#[derive(Debug, Default)]
pub(crate) struct EncodedRun {
    pub(crate) bytes: Vec<u8>,
    last: Option<PositionKey>,
}

/// Marker before each count.
const SAME_KEY: u8 = 1;

const NEW_KEY: u8 = 2;

/// Marker after the last count; a run without it is truncated.
pub(crate) const END: u8 = 3;

impl EncodedRun {
    /// Appends a count; the counts of a position are not divided among runs.
    pub(crate) fn push(&mut self, Counted { key, next, class, tally }: &Row<'_>) {
        let EncodedRun { bytes, last } = self;
        if *last == Some(*key) {
            bytes.push(SAME_KEY);
        } else {
            bytes.push(NEW_KEY);
            bytes.extend_from_slice(&key.to_bytes());
            *last = Some(*key);
        }
        bytes.extend_from_slice(&next.0.to_le_bytes());
        write_text(class, bytes);
        write_tally(tally, bytes);
    }
}

#[derive(Debug)]
pub(crate) struct RunReader<R> {
    input: R,
    last: PositionKey,
    /// The numbers of files among those of all runs.
    files: Vec<u32>,
}

impl<R: BufRead> RunReader<R> {
    pub(crate) fn new(input: R, files: Vec<u32>) -> Self {
        RunReader { input, last: PositionKey::default(), files }
    }

    pub(crate) fn into_input(self) -> R {
        self.input
    }

    pub(crate) fn read(&mut self) -> io::Result<Option<Counted>> {
        match read_byte(&mut self.input)? {
            SAME_KEY => {}
            NEW_KEY => {
                let mut bytes = [0; 32];
                self.input.read_exact(&mut bytes)?;
                self.last = PositionKey::from_bytes(bytes);
            }
            END => return Ok(None),
            _ => return Err(damaged()),
        }
        let mut next = [0; 2];
        self.input.read_exact(&mut next)?;
        let (key, next) = (self.last, MoveCode(u16::from_le_bytes(next)));
        let class = read_text(&mut self.input)?;
        let mut tally = read_tally_with(&mut self.input, read_info)?;
        let latest = tally.latest.as_mut().map(|latest| &mut latest.at);
        for at in [&mut tally.first, &mut tally.strongest.at].into_iter().chain(latest) {
            at.file = *self.files.get(at.file as usize).ok_or_else(damaged)?;
        }
        Ok(Some(Counted { key, next, class, tally }))
    }
}

/// What follows: the strongest game; counts and this game; counts, this and the latest game.
const ONE_GAME: u8 = 1;

const COUNTS: u8 = 0;

const WITH_LATEST: u8 = 2;

/// Most counts are those of a single game, and follow from it.
pub(crate) fn write_tally(tally: &Tally<GameInfoRef<'_>>, out: &mut Vec<u8>) {
    let counts = tally.map_info(|_| ());
    let kind = match &tally.latest {
        Some(_) => WITH_LATEST,
        None if counts == Tally::of_one(counts.strongest) => ONE_GAME,
        None => COUNTS,
    };
    out.push(kind);
    if kind != ONE_GAME {
        let Tally { games, white, draws, black, rated, rating_sum, .. } = *tally;
        for number in [games, white, draws, black, rated, rating_sum] {
            write_number(number, out);
        }
        write_number(tally.first_year.into(), out);
        write_number(tally.last_year.into(), out);
        write_occurrence(&tally.first, out);
    }
    for NotableGame { elo_sum, at, outcome, year, info } in tally.notable_games() {
        write_number(u64::from(*elo_sum), out);
        write_number(u64::from(*year), out);
        out.push(*outcome as u8);
        write_occurrence(at, out);
        info.write(out);
    }
}

/// Reads a tally; `info` reads what is known of the players and moves of a game.
pub(crate) fn read_tally_with<R: BufRead, I>(
    input: &mut R,
    info: impl Fn(&mut R) -> io::Result<I>,
) -> io::Result<Tally<I>> {
    let kind = read_byte(input)?;
    match kind {
        COUNTS | WITH_LATEST => {}
        ONE_GAME => return Ok(Tally::of_one(read_game(input, &info)?)),
        _ => return Err(damaged()),
    }
    let mut numbers = [0; 6];
    for number in &mut numbers {
        *number = read_number(input)?;
    }
    let [games, white, draws, black, rated, rating_sum] = numbers;
    Ok(Tally {
        games,
        white,
        draws,
        black,
        rated,
        rating_sum,
        first_year: read_small(input)?,
        last_year: read_small(input)?,
        first: read_occurrence(input)?,
        strongest: read_game(input, &info)?,
        latest: if kind == WITH_LATEST { Some(read_game(input, &info)?) } else { None },
    })
}

fn read_game<R: BufRead, I>(
    input: &mut R,
    info: impl Fn(&mut R) -> io::Result<I>,
) -> io::Result<NotableGame<I>> {
    Ok(NotableGame {
        elo_sum: read_small(input)?,
        year: read_small(input)?,
        outcome: Outcome::of_number(read_byte(input)?).ok_or_else(damaged)?,
        at: read_occurrence(input)?,
        info: info(input)?,
    })
}

#[cfg(test)]
mod tests;
