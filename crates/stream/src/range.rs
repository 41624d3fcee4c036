//! Byte ranges of a file, so that several machines can share its items.
//!
//! A range owns the items whose first byte lies in it. However a file is divided into ranges, each
//! item belongs to exactly one of them, and the texts of the ranges, concatenated, are the text of
//! the file. A [`RangeUnit`] finds the first item of a range, the same one that a reader of the
//! whole file finds.
//!
//! For a compressed file with random access (see [`Source`]), ranges refer to the decompressed
//! text; files that can only be decompressed from the beginning are not divided.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;

use crate::read_at::{ErrorAtEnd, ReadSeek};
use crate::source::{Format, Frames, Meter, Source, sniff};

/// The unit that is never split, such as a game or a line.
pub trait RangeUnit: Copy {
    /// Returns the offset of the first unit that begins at or after `at`, which is after the first
    /// byte of the file and before `len`, its end. Fails if the file cannot be read.
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

/// Number of bytes that are looked at.
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

/// Divides a file into ranges of about `size` bytes. `count` counts the items of a text, by which
/// their number is estimated, or is `None` if the file is not divided. Fails like [`part()`].
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
