//! Byte ranges of a file, so that several machines can share its games.
//!
//! A range owns the games whose first byte lies in it. However a file is divided into ranges, each game belongs to exactly
//! one of them, and the texts of the ranges, concatenated, are the text of the file. A reader that starts in the middle
//! finds the same first game as a reader of the whole file: it searches backward for a place where a game certainly begins
//! (see [`sync_point`]), usually a few kilobytes, and scans from there; without such a point, it scans from the beginning of the
//! file.
//!
//! For a compressed file with random access (see [`stream::source::Source`]), ranges refer to the decompressed text; files that can
//! only be decompressed from the beginning are not divided.
//!
//! One kind of game is not separated from the next one: a game that consists of tags alone and ends with a comment, because
//! the tags after the comment decide which game it belongs to.

mod sync_point;

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::{ControlFlow, Range};

use stream::ordered::{ChunkWorker, Pipeline, in_order};
#[cfg(feature = "compression")]
use stream::source::Frames;
use stream::source::{Format, Source, sniff};
use sync_point::{PrecedingText, SyncPoint};

use crate::boundary::GameCutter;
use crate::chunk::{Chunk, ChunkEnd};
use crate::scanner::Scanner;

/// The unit that is never split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Games, for files in PGN.
    Game,
    /// Lines, for files of positions.
    Line,
}

/// The games of a range.
#[derive(Debug)]
pub struct Part {
    /// Their text.
    pub source: Source<'static>,
    /// The byte offset where that text begins, in the file or its decompressed text.
    pub start: u64,
    /// The unit that was not split; `None` for a file that is not divided.
    pub unit: Option<Unit>,
}

/// A range of a file, to be processed by one machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Byte range of the text, or of the stored file if it is not divided.
    pub range: Range<u64>,
    /// Estimated number of games, extrapolated from the beginning of the file.
    pub games: u64,
}

/// Opens the games of a file whose first byte lies in `range`. `unit` chooses the unit that is not split, from the first
/// bytes of the file, at most 4096.
///
/// For zstd with a seek table, zstd with content sizes in its frame headers, and gzip in blocks (BGZF), the range refers to
/// the decompressed text. Input without random access (other compression, archives, UTF-16) belongs entirely to the range
/// that contains byte 0.
///
/// # Errors
///
/// If the file cannot be read or decoded: a [`SourceError`](stream::source::SourceError) inside.
///
/// ```
/// use std::io::{Cursor, Read};
///
/// let text = b"[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n";
/// let mut read = Vec::new();
/// for range in [0..7, 7..30, 30..100] {
///     let mut part = pgn::part(Cursor::new(text), range, |_| pgn::Unit::Game)?;
///     let mut games = String::new();
///     part.source.next_text()?.unwrap().read_to_string(&mut games)?;
///     read.push((part.start, games.matches("Event").count()));
/// }
/// assert_eq!(read, [(0, 1), (22, 1), (43, 0)]);
/// # Ok::<_, std::io::Error>(())
/// ```
pub fn part<R>(input: R, range: Range<u64>, unit: impl FnOnce(&[u8]) -> Unit) -> io::Result<Part>
where
    R: Read + Seek + Send + 'static,
{
    #[cfg(feature = "compression")]
    let input = match Frames::of(input)? {
        Ok(frames) => return part_of(frames, range, unit),
        Err(input) => input,
    };
    part_of(input, range, unit)
}

fn part_of<R>(mut input: R, range: Range<u64>, unit: impl FnOnce(&[u8]) -> Unit) -> io::Result<Part>
where
    R: Read + Seek + Send + 'static,
{
    if format(&mut input)? != Format::Plain {
        let source = match range.contains(&0) {
            true => Source::file(input)?,
            false => Source::one(Box::new(io::empty())),
        };
        return Ok(Part { source, start: 0, unit: None });
    }
    let mut first = Vec::new();
    (&mut input).take(LOOKED_AT).read_to_end(&mut first)?;
    let unit = unit(&first);
    let start = first_start(&mut input, range.start, unit)?;
    let (end, fault) = match first_start(&mut input, range.end, unit) {
        Ok(end) => (end.max(start), None),
        // Text before the damage is read; the error is reported after the text of this range.
        Err(fault) => (range.end.max(start), Some(fault)),
    };
    input.seek(SeekFrom::Start(start))?;
    let text = input.take(end - start).chain(ErrorAtEnd(fault));
    Ok(Part { source: Source::one(Box::new(text)), start, unit: Some(unit) })
}

/// A reader that reports end of file, or the error that occurred instead.
struct ErrorAtEnd(Option<io::Error>);

impl Read for ErrorAtEnd {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Divides a file into ranges of equal size, about `size` bytes each.
///
/// # Errors
///
/// See [`part`].
///
/// ```
/// let games = "[Event \"A\"]\n\n1. e4 *\n\n".repeat(1000);
/// let splits = pgn::splits(std::io::Cursor::new(games), 10_000)?;
/// assert_eq!(splits[1], pgn::Split { range: 7333..14666, games: 333 });
/// assert_eq!(splits.len(), 3);
/// # Ok::<_, std::io::Error>(())
/// ```
pub fn splits<R>(input: R, size: u64) -> io::Result<Vec<Split>>
where
    R: Read + Seek + Send + 'static,
{
    #[cfg(feature = "compression")]
    let input = match Frames::of(input)? {
        Ok(frames) => return splits_of(frames, size),
        Err(input) => input,
    };
    splits_of(input, size)
}

fn splits_of<R>(mut input: R, size: u64) -> io::Result<Vec<Split>>
where
    R: Read + Seek + Send + 'static,
{
    let len = input.seek(SeekFrom::End(0))?;
    let is_plain = format(&mut input)? == Format::Plain;
    let pieces = if is_plain { len.div_ceil(size.max(1)).max(1) } else { 1 };
    let cut = |piece: u64| (u128::from(len) * u128::from(piece) / u128::from(pieces)) as u64;
    let sample = Sample::of(input)?;
    let split = |piece| {
        let range = cut(piece)..cut(piece + 1);
        Split { games: sample.games_in(range.end - range.start), range }
    };
    Ok((0..pieces).map(split).collect())
}

/// Number of bytes read from the beginning of a file to detect its format.
const LOOKED_AT: u64 = 4096;

fn format(input: &mut (impl Read + Seek)) -> io::Result<Format> {
    input.rewind()?;
    let (_, format) = sniff(&mut *input)?;
    input.rewind()?;
    Ok(format)
}

/// Returns the offset of the first unit that begins at or after `at`; the text before `at` ends there.
fn first_start(input: &mut (impl Read + Seek), at: u64, unit: Unit) -> io::Result<u64> {
    let len = input.seek(SeekFrom::End(0))?;
    match unit {
        // Text before the first game belongs to the first range.
        _ if at == 0 => Ok(0),
        _ if at >= len => Ok(len),
        Unit::Game => first_game(input, at, len, REACH),
        Unit::Line => {
            input.seek(SeekFrom::Start(at - 1))?;
            Ok((at - 1 + BufReader::new(input).skip_until(b'\n')? as u64).min(len))
        }
    }
}

/// Chunk size in bytes for the search for the first game.
const CHUNK_BYTES: usize = 64 << 10;

/// Games larger than this, in bytes, are skipped in pieces, which bounds memory.
const MAX_GAME_BYTES: usize = 64 << 20;

fn first_game(input: &mut (impl Read + Seek), at: u64, len: u64, reach: Reach) -> io::Result<u64> {
    let certain = sync_point_before(input, at, reach)?;
    input.seek(SeekFrom::Start(certain))?;
    let pipeline =
        Pipeline { workers: 1, chunk_bytes: CHUNK_BYTES, max_item_bytes: MAX_GAME_BYTES };
    let mut first = None;
    let read = in_order(input, &pipeline, &FirstStart { from: at - certain }, &mut |start, _| {
        first = start.take();
        if first.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match first {
        // Reads ahead of the game, so damage after it must not count as an error of the game.
        Some(start) => Ok(certain + start),
        None => read.map(|()| len),
    }
}

/// Searches for the first game that begins at or after a byte offset.
struct FirstStart {
    from: u64,
}

impl ChunkWorker for FirstStart {
    type Cutter = GameCutter;
    type Output = Option<u64>;

    fn chunk(&self, chunk: Chunk<'_>, first: &mut Option<u64>) -> ChunkEnd {
        *first = None;
        let mut scanner = Scanner::of_chunk(chunk);
        let mut after_tags = false;
        while scanner.next_game() {
            let before = &chunk.bytes()[..scanner.game_start()];
            let is_apart = !after_tags || !without_escaped_lines(before).ends_with(b"}");
            let start = chunk.start().byte + before.len() as u64;
            after_tags = scanner.next_token().is_none();
            scanner.skip_game();
            // Whether a cut game is a game is not known yet.
            if is_apart && !scanner.is_cut() && start >= self.from {
                first.get_or_insert(start);
            }
        }
        scanner.chunk_end()
    }

    fn too_large(&self, chunk: Chunk<'_>, first: &mut Option<u64>) {
        let mut scanner = Scanner::of_chunk(chunk);
        let begins = scanner.next_game();
        let start = chunk.start().byte + scanner.game_start() as u64;
        *first = (begins && start >= self.from).then_some(start);
    }
}

/// Trims white space and escaped lines (PGN standard 6) at the end.
fn without_escaped_lines(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.trim_ascii_end();
        let line = memchr::memrchr2(b'\n', b'\r', text).map_or(0, |at| at + 1);
        if !text[line..].starts_with(b"%") {
            return text;
        }
        text = &text[..line];
    }
}

/// How far back to search for a certain game start, in bytes: the first step, growing up to the last.
#[derive(Clone, Copy, Debug)]
struct Reach {
    first: u64,
    last: u64,
}

const REACH: Reach = Reach { first: 64 << 10, last: 64 << 20 };
const GROWTH: u64 = 16;

/// Minimum search distance in bytes, however close damage is.
const LEAST_REACH: u64 = 1 << 10;

/// The search before an open brace is abandoned after this number of braces.
const MOST_BRACES: usize = 16;

/// Returns an offset before `at` where a game certainly begins, or the beginning of the file.
fn sync_point_before(input: &mut (impl Read + Seek), at: u64, reach: Reach) -> io::Result<u64> {
    let (mut end, mut size) = (at, reach.first);
    let mut braces = 0;
    let mut damage = None;
    loop {
        let start = end.saturating_sub(size);
        let bytes = match read_at(input, start, end) {
            Ok(bytes) => bytes,
            // A game may begin between the damage and here.
            Err(fault) if size > LEAST_REACH => {
                damage = Some(fault);
                size /= 2;
                continue;
            }
            Err(fault) => return Err(fault),
        };
        let mut before = if start == 0 { PrecedingText::Nothing } else { PrecedingText::Anything };
        let mut found = sync_point::last_sync_point(&bytes, before);
        if found == SyncPoint::IfNoComment {
            match last_brace_before(input, start)? {
                Some((brace, b'{')) if braces < MOST_BRACES => {
                    (end, size, damage) = (brace, reach.first, None);
                    braces += 1;
                    continue;
                }
                Some((_, b'{')) => return Ok(0),
                _ => before = PrecedingText::NoComment,
            }
            found = sync_point::last_sync_point(&bytes, before);
        }
        match found {
            SyncPoint::Start(at) => return Ok(start + at as u64),
            _ if let Some(fault) = damage => return Err(fault),
            _ if start == 0 || size >= reach.last => return Ok(0),
            _ => size = (size * GROWTH).min(reach.last),
        }
    }
}

/// Returns the last brace before `at`, and its offset.
fn last_brace_before(input: &mut (impl Read + Seek), mut at: u64) -> io::Result<Option<(u64, u8)>> {
    const BLOCK: u64 = 1 << 20;
    while at > 0 {
        let start = at.saturating_sub(BLOCK);
        let bytes = read_at(input, start, at)?;
        if let Some(brace) = sync_point::last_brace(&bytes) {
            return Ok(Some((start + brace as u64, bytes[brace])));
        }
        at = start;
    }
    Ok(None)
}

fn read_at(input: &mut (impl Read + Seek), start: u64, end: u64) -> io::Result<Vec<u8>> {
    input.seek(SeekFrom::Start(start))?;
    let mut bytes = vec![0; (end - start) as usize];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Statistics of the beginning of a file, used to estimate its number of games.
struct Sample {
    games: u64,
    /// Size of the sample in the stored file.
    bytes: u64,
}

impl Sample {
    /// Size of the sample, in bytes of text.
    const TEXT: usize = 4 << 20;

    fn of(mut input: impl Read + Seek + Send + 'static) -> io::Result<Self> {
        let len = input.seek(SeekFrom::End(0))?;
        input.rewind()?;
        let meter = stream::source::Meter::default();
        let mut source = Source::file(meter.on(input))?;
        let mut text = Vec::new();
        while text.len() < Self::TEXT
            && let Some(next) = source.next_text()?
        {
            next.take((Self::TEXT - text.len()) as u64).read_to_end(&mut text)?;
        }
        let is_whole = text.len() < Self::TEXT;
        let mut scanner = Scanner::new(&text);
        let mut games = 0;
        while scanner.next_game() {
            games += 1;
        }
        Ok(Sample { games, bytes: if is_whole { len } else { meter.bytes().min(len) } })
    }

    fn games_in(&self, bytes: u64) -> u64 {
        let games = u128::from(self.games) * u128::from(bytes);
        games.checked_div(self.bytes.into()).unwrap_or(0) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;
    use testkit::hostile::{PIECES, hostile};

    use super::*;

    /// Returns the offsets of games that can be separated from their predecessors, by scanning the whole text.
    fn starts(text: &[u8]) -> Vec<u64> {
        let mut scanner = Scanner::new(text);
        let mut starts = Vec::new();
        let mut has_tokens = true;
        while scanner.next_game() {
            let start = scanner.game_start();
            if has_tokens || !without_escaped_lines(&text[..start]).ends_with(b"}") {
                starts.push(start as u64);
            }
            has_tokens = scanner.next_token().is_some();
        }
        starts
    }

    fn assert_found(name: &str, text: &[u8], at: u64, reach: Reach) {
        let len = text.len() as u64;
        let expected = starts(text).into_iter().find(|start| *start >= at).unwrap_or(len);
        let found = first_game(&mut Cursor::new(text), at, len, reach).unwrap();
        assert_eq!(found, expected, "{name}: from {at} with {reach:?}");
    }

    #[test]
    fn in_hostile_texts_the_first_game_is_found_from_anywhere() {
        for (name, text) in hostile() {
            let step = (text.len() / 23).max(1);
            for at in (0..text.len()).step_by(step) {
                for reach in [Reach { first: 100, last: 1600 }, Reach { first: 700, last: 700 }] {
                    assert_found(name, &text, at as u64, reach);
                }
            }
        }
    }

    fn text() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(prop::sample::select(PIECES), 0..150)
            .prop_map(|pieces| pieces.concat().into_bytes())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn in_any_text_the_first_game_is_found_from_anywhere(
            text in text(),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
            first in 8..300u64,
            last in 1..4u64,
        ) {
            for cut in cuts {
                let at = cut.index(text.len() + 1) as u64;
                assert_found("generated", &text, at, Reach { first, last: first * last });
            }
        }
    }
}
