//! Byte ranges of a file, so that several machines can share its items.
//!
//! A range owns the items whose first byte lies in it. However a file is divided into ranges, each
//! item belongs to exactly one of them, and the texts of the ranges, concatenated, are the text of
//! the file. A [`RangeUnit`] finds the first item of a range, the same one that a reader of the
//! whole file finds.
//!
//! For a compressed file with random access (see [`Source`]), ranges refer to the decompressed text;
//! files that can only be decompressed from the beginning are not divided.
//!
//! A line in the middle of a file may look like the beginning of an item and be part of a comment.
//! So [`first_item`] goes backward to a place where an item certainly begins, usually a few
//! kilobytes, and the text is scanned from there; without such a place, it is scanned from the
//! beginning of the file.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::{ControlFlow, Range};

use crate::ordered::{ChunkWorker, Pipeline, Threads, in_order};
use crate::read_at::{ErrorAtEnd, ReadSeek};
use crate::source::{Format, Frames, Meter, Source, sniff};

/// The unit that is never split, such as a game or a line.
pub trait RangeUnit: Copy {
    /// Returns the offset of the first unit that begins at or after `at`, which is after the first
    /// byte of the file and before its end, `len`. The text before `at` ends there. Fails if the
    /// file cannot be read.
    fn first_start(self, input: &mut (impl Read + Seek), at: u64, len: u64) -> io::Result<u64>;
}

/// Returns the offset of the first line that begins at or after `at`, or the length of the file,
/// `len`. Lines end with LF. Fails if the file cannot be read.
pub fn first_line(input: &mut (impl Read + Seek), at: u64, len: u64) -> io::Result<u64> {
    input.seek(SeekFrom::Start(at - 1))?;
    Ok((at - 1 + BufReader::new(input).skip_until(b'\n')? as u64).min(len))
}

/// The text of a range.
#[derive(Debug)]
pub struct Part<U> {
    /// The text.
    pub source: Source<'static>,
    /// The byte offset where that text begins, in the file or its decompressed text.
    pub start: u64,
    /// The unit that was not split; `None` for a file that is not divided.
    pub unit: Option<U>,
}

/// Opens the units of a file whose first byte lies in `range`. `unit` chooses the unit that is not
/// split, from the first bytes of the file, at most 4096, or `None` for a file that is not divided.
///
/// For zstd with a seek table and gzip in blocks (BGZF), the range refers to the decompressed text.
/// Input without random access (other compression, archives, UTF-16), and a file that is not
/// divided, belongs entirely to the range that contains byte 0. Fails if the file cannot be read or
/// decoded: a [`SourceError`](crate::source::SourceError) inside.
pub fn part<R, U>(
    input: R,
    range: Range<u64>,
    unit: impl FnOnce(&[u8]) -> Option<U>,
) -> io::Result<Part<U>>
where
    R: Read + Seek + Send + 'static,
    U: RangeUnit,
{
    let mut input = text_of(input)?;
    let mut first = Vec::new();
    let is_plain = is_plain(&mut input)?;
    if is_plain {
        (&mut input).take(LOOKED_AT).read_to_end(&mut first)?;
        input.rewind()?;
    }
    let Some(unit) = is_plain.then(|| unit(&first)).flatten() else {
        let source = match range.contains(&0) {
            true => Source::file(input)?,
            false => Source::one(Box::new(io::empty())),
        };
        return Ok(Part { source, start: 0, unit: None });
    };
    let start = first_start(&mut input, range.start, unit)?;
    let (end, fault) = match first_start(&mut input, range.end, unit) {
        Ok(end) => (end.max(start), None),
        // Text before the damage is read; the error is reported after the text of this range.
        Err(fault) => (range.end.max(start), Some(fault)),
    };
    input.seek(SeekFrom::Start(start))?;
    let text = input.take(end - start).chain(ErrorAtEnd::from(fault));
    Ok(Part { source: Source::one(Box::new(text)), start, unit: Some(unit) })
}

fn text_of(input: impl Read + Seek + Send + 'static) -> io::Result<Box<dyn ReadSeek>> {
    Ok(match Frames::of(input)? {
        Ok(frames) => Box::new(frames),
        Err(input) => Box::new(input),
    })
}

fn first_start(input: &mut (impl Read + Seek), at: u64, unit: impl RangeUnit) -> io::Result<u64> {
    let len = input.seek(SeekFrom::End(0))?;
    match at {
        // Text before the first unit belongs to the first range.
        0 => Ok(0),
        _ if at >= len => Ok(len),
        _ => unit.first_start(input, at, len),
    }
}

/// In bytes.
const LOOKED_AT: u64 = 4096;

/// Whether an input, which is then at its beginning, is plain text.
fn is_plain(input: &mut (impl Read + Seek)) -> io::Result<bool> {
    input.rewind()?;
    let (_, format) = sniff(&mut *input)?;
    input.rewind()?;
    Ok(format == Format::Plain)
}

/// A range of a file, to be processed by one machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Byte range of the text, or of the stored file if it is not divided.
    pub range: Range<u64>,
    /// Estimated number of items, such as games, extrapolated from the beginning of the file.
    pub items: u64,
}

/// Divides a file into ranges of equal size, about `size` bytes each. `count` counts the items of a
/// text, by which their number is estimated; it is `None` if the file is not divided. Fails like
/// [`part()`].
pub fn splits<R>(
    input: R,
    size: u64,
    count: impl FnOnce(&[u8]) -> Option<u64>,
) -> io::Result<Vec<Split>>
where
    R: Read + Seek + Send + 'static,
{
    let mut input = text_of(input)?;
    let len = input.seek(SeekFrom::End(0))?;
    let is_plain = is_plain(&mut input)?;
    let (items, sampled) = sample(input, len, count)?;
    let is_divided = is_plain && items.is_some();
    let pieces = if is_divided { len.div_ceil(size.max(1)).max(1) } else { 1 };
    let cut = |piece: u64| (u128::from(len) * u128::from(piece) / u128::from(pieces)) as u64;
    let split = |piece| {
        let range = cut(piece)..cut(piece + 1);
        let bytes = u128::from(items.unwrap_or(0)) * u128::from(range.end - range.start);
        Split { items: bytes.checked_div(sampled.into()).unwrap_or(0) as u64, range }
    };
    Ok((0..pieces).map(split).collect())
}

/// Size of the text from which the number of items is extrapolated, in bytes.
const SAMPLE: usize = 4 << 20;

/// Counts the items at the beginning of a file of `len` bytes; returns their stored size, too.
fn sample(
    mut input: impl Read + Seek + Send + 'static,
    len: u64,
    count: impl FnOnce(&[u8]) -> Option<u64>,
) -> io::Result<(Option<u64>, u64)> {
    input.rewind()?;
    let meter = Meter::default();
    let mut source = Source::file(meter.on(input))?;
    let mut text = Vec::new();
    while text.len() < SAMPLE
        && let Some(next) = source.next_text()?
    {
        next.take((SAMPLE - text.len()) as u64).read_to_end(&mut text)?;
    }
    let bytes = if text.len() < SAMPLE { len } else { meter.bytes().min(len) };
    Ok((count(&text), bytes))
}

/// Finds items from the middle of a text. As a worker it returns the offset in its text of the
/// first item that it was asked for.
///
/// A comment is a text between two delimiters in which no item begins, however long it is.
pub trait FirstItemFinder: ChunkWorker<Output = Option<u64>> {
    /// Returns the worker that finds the first item whose offset is at least `from`.
    fn from(from: u64) -> Self;

    /// Finds the last offset in `bytes` where an item certainly begins. A line that may begin
    /// before them is not used.
    fn last_sync_point(bytes: &[u8], before: PrecedingText) -> SyncPoint;

    /// Finds the last byte that ends a comment or, outside of a comment, opens one.
    fn last_delimiter(bytes: &[u8]) -> Option<(usize, CommentDelimiter)>;
}

/// What is known about the text before some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrecedingText {
    /// There is no text before them.
    Nothing,
    /// No comment is open at its end.
    NoComment,
    /// Nothing is known.
    Anything,
}

/// Result of a search for a place where an item certainly begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncPoint {
    /// An item begins at this byte.
    Start(usize),
    /// No certain start; the answer depends on whether a comment is open before the bytes.
    IfNoComment,
    /// No certain start.
    Nothing,
}

/// A byte at one end of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentDelimiter {
    /// Begins a comment unless it is inside of one.
    Open,
    /// After it no comment is open.
    Close,
}

/// How far back to search for a certain start, in bytes: the first step, growing up to the last.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// The first step.
    pub first: u64,
    /// The largest step.
    pub last: u64,
}

impl Default for Reach {
    fn default() -> Self {
        Reach { first: 64 << 10, last: 64 << 20 }
    }
}

const GROWTH: u64 = 16;

/// Minimum search distance in bytes, however close damage is.
const LEAST_REACH: u64 = 1 << 10;

/// The search before an open comment is abandoned after this number of comments.
const MOST_COMMENTS: usize = 16;

const CHUNK_BYTES: usize = 64 << 10;

/// Items larger than this, in bytes, are skipped in pieces, which bounds memory.
const MAX_ITEM_BYTES: usize = 64 << 20;

/// Returns the offset of the first item that begins at or after `at`, or the length of the file,
/// `len`. Fails if the file cannot be read up to that item.
pub fn first_item<F: FirstItemFinder>(
    input: &mut (impl Read + Seek),
    at: u64,
    len: u64,
    reach: Reach,
) -> io::Result<u64> {
    let certain = sync_point_before::<F>(input, at, reach)?;
    input.seek(SeekFrom::Start(certain))?;
    let (chunk_bytes, max_item_bytes) = (CHUNK_BYTES, MAX_ITEM_BYTES);
    let pipeline = Pipeline { threads: Threads::new(1), chunk_bytes, max_item_bytes };
    let mut first = None;
    let read = in_order(input, &pipeline, &F::from(at - certain), &mut |start, _| {
        first = start.take();
        if first.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match first {
        // Reads ahead of the item, so damage after it must not count as an error of the item.
        Some(start) => Ok(certain + start),
        None => read.map(|()| len),
    }
}

/// Returns an offset before `at` where an item certainly begins, or the beginning of the file.
fn sync_point_before<F: FirstItemFinder>(
    input: &mut (impl Read + Seek),
    at: u64,
    reach: Reach,
) -> io::Result<u64> {
    let (mut end, mut size, mut comments, mut damage) = (at, reach.first, 0, None);
    loop {
        let start = end.saturating_sub(size);
        let bytes = match read_at(input, start, end) {
            Ok(bytes) => bytes,
            // An item may begin between the damage and here.
            Err(fault) if size > LEAST_REACH => {
                damage = Some(fault);
                size /= 2;
                continue;
            }
            Err(fault) => return Err(fault),
        };
        let mut before = if start == 0 { PrecedingText::Nothing } else { PrecedingText::Anything };
        let mut found = F::last_sync_point(&bytes, before);
        if found == SyncPoint::IfNoComment {
            match last_delimiter_before::<F>(input, start)? {
                Some((at, CommentDelimiter::Open)) if comments < MOST_COMMENTS => {
                    (end, size, damage) = (at, reach.first, None);
                    comments += 1;
                    continue;
                }
                Some((_, CommentDelimiter::Open)) => return Ok(0),
                _ => before = PrecedingText::NoComment,
            }
            found = F::last_sync_point(&bytes, before);
        }
        match found {
            SyncPoint::Start(at) => return Ok(start + at as u64),
            _ if let Some(fault) = damage => return Err(fault),
            _ if start == 0 || size >= reach.last => return Ok(0),
            _ => size = (size * GROWTH).min(reach.last),
        }
    }
}

fn last_delimiter_before<F: FirstItemFinder>(
    input: &mut (impl Read + Seek),
    mut at: u64,
) -> io::Result<Option<(u64, CommentDelimiter)>> {
    const BLOCK: u64 = 1 << 20;
    while at > 0 {
        let start = at.saturating_sub(BLOCK);
        let bytes = read_at(input, start, at)?;
        if let Some((found, delimiter)) = F::last_delimiter(&bytes) {
            return Ok(Some((start + found as u64, delimiter)));
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
