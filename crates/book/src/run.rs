//! Encoding of counts in the runs of partial results. Runs are sorted by the hash of the key, so
//! that they can be merged while they are read.

use std::io::{self, BufRead};

use pgn::Outcome;
use san::{MoveCode, PositionKey};
use stream::spill::number::{read_number, write_number};

use crate::evaluation::Evaluation;
use crate::row::{GameInfoRef, Row};
use crate::tally::{GameInfo, NotableGame, SourceLocation, Tally};

/// One move in one position, and its counts in games of a class. `I` is what is known of the notable
/// games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counted<I = GameInfo, C = Box<str>> {
    pub(crate) key: PositionKey,
    pub(crate) next: MoveCode,
    /// The class as text.
    pub(crate) class: C,
    pub(crate) tally: Tally<I>,
}

/// Encoded counts in order, to which others may be appended.
#[derive(Debug, Default)]
pub(crate) struct EncodedRun {
    bytes: Vec<u8>,
    last: Option<PositionKey>,
    /// Where each position begins.
    starts: Vec<usize>,
}

/// Marker before each count.
const SAME_KEY: u8 = 1;
const NEW_KEY: u8 = 2;
/// Marker after the last count; a run without it is truncated.
pub(crate) const END: u8 = 3;

/// Maximum length of a text, in bytes; anything that exceeds memory is damage.
const LONGEST: u64 = 1 << 40;

impl EncodedRun {
    /// Appends a count; the counts of a position are not divided among runs.
    pub(crate) fn push(&mut self, Counted { key, next, class, tally }: &Row<'_>) {
        let EncodedRun { bytes, last, starts } = self;
        if *last == Some(*key) {
            bytes.push(SAME_KEY);
        } else {
            starts.push(bytes.len());
            bytes.push(NEW_KEY);
            bytes.extend_from_slice(&key.to_bytes());
            *last = Some(*key);
        }
        bytes.extend_from_slice(&next.0.to_le_bytes());
        write_text(class, bytes);
        write_tally(tally, bytes);
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the counts of each position.
    #[cfg(feature = "arrow")]
    pub(crate) fn positions(&self) -> impl Iterator<Item = &[u8]> {
        let ends = self.starts.iter().skip(1).copied().chain([self.bytes.len()]);
        self.starts.iter().zip(ends).map(|(start, end)| &self.bytes[*start..end])
    }
}

/// Reads counts, in order.
#[derive(Debug)]
pub(crate) struct RunReader<R> {
    input: R,
    last: PositionKey,
    /// New file numbers, used when several runs are merged.
    files: Vec<u32>,
}

impl<R: BufRead> RunReader<R> {
    pub(crate) fn new(input: R, files: Vec<u32>) -> Self {
        RunReader { input, last: PositionKey::default(), files }
    }

    /// Returns the underlying reader.
    pub(crate) fn input(&mut self) -> &mut R {
        &mut self.input
    }

    /// Returns the next count, or `None` at the end of the run.
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
        let mut tally = read_tally(&mut self.input)?;
        renumber(&mut tally, &self.files)?;
        Ok(Some(Counted { key, next, class, tally }))
    }
}

/// Replaces the numbers of files by those in `files`.
pub(crate) fn renumber(tally: &mut Tally, files: &[u32]) -> io::Result<()> {
    let latest = tally.latest.as_mut().map(|latest| &mut latest.at);
    for at in [&mut tally.first, &mut tally.strongest.at].into_iter().chain(latest) {
        at.file = *files.get(at.file as usize).ok_or_else(damaged)?;
    }
    Ok(())
}

pub(crate) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is damaged")
}

/// What follows: the strongest game; counts, and this game; counts, this game and the most recent one.
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

pub(crate) fn write_info(info: &GameInfo, out: &mut Vec<u8>) {
    for text in [&info.white, &info.black, &info.start] {
        write_text(text, out);
    }
    write_number(info.moves.len() as u64, out);
    for code in &info.moves {
        out.extend_from_slice(&code.to_le_bytes());
    }
}

pub(crate) fn write_text(text: &str, out: &mut Vec<u8>) {
    write_number(text.len() as u64, out);
    out.extend_from_slice(text.as_bytes());
}

pub(crate) fn read_tally(input: &mut impl BufRead) -> io::Result<Tally> {
    read_tally_with(input, read_info)
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

pub(crate) fn read_text(input: &mut impl BufRead) -> io::Result<Box<str>> {
    let text = String::from_utf8(read_bytes(input, 1)?).map_err(|_| damaged())?;
    Ok(text.into())
}

fn read_moves(input: &mut impl BufRead) -> io::Result<Box<[u16]>> {
    let bytes = read_bytes(input, 2)?;
    let code = |pair: &[u8]| u16::from_le_bytes([pair[0], pair[1]]);
    Ok(bytes.chunks_exact(2).map(code).collect())
}

/// Writes a number in as few bytes as possible, seven bits each.
pub(crate) fn read_small<T: TryFrom<u64>>(input: &mut impl BufRead) -> io::Result<T> {
    T::try_from(read_number(input)?).map_err(|_| damaged())
}

#[inline]
pub(crate) fn read_byte(input: &mut impl BufRead) -> io::Result<u8> {
    let byte = *input.fill_buf()?.first().ok_or(io::ErrorKind::UnexpectedEof)?;
    input.consume(1);
    Ok(byte)
}
