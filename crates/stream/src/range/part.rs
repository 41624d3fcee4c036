//! The text of a range.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;

use crate::error_at_end::ErrorAtEnd;
use crate::source::{Format, Frames, Source, sniff};

/// The unit that is never split, such as a game or a line.
pub trait RangeUnit: Copy {
    /// Returns the offset of the first unit that begins at or after `at`, which is after the first
    /// byte of the file and before its end, `len`. The text before `at` ends there.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    fn first_start(self, input: &mut (impl Read + Seek), at: u64, len: u64) -> io::Result<u64>;
}

/// Returns the offset of the first line that begins at or after `at`, or the length of the file,
/// `len`. Lines end with LF.
///
/// # Errors
///
/// If the file cannot be read.
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
/// divided, belongs entirely to the range that contains byte 0.
///
/// # Errors
///
/// If the file cannot be read or decoded: a [`SourceError`](crate::source::SourceError) inside.
pub fn part<R, U>(
    input: R,
    range: Range<u64>,
    unit: impl FnOnce(&[u8]) -> Option<U>,
) -> io::Result<Part<U>>
where
    R: Read + Seek + Send + 'static,
    U: RangeUnit,
{
    let input = match Frames::of(input)? {
        Ok(frames) => return part_of(frames, range, unit),
        Err(input) => input,
    };
    part_of(input, range, unit)
}

fn part_of<R, U>(
    mut input: R,
    range: Range<u64>,
    unit: impl FnOnce(&[u8]) -> Option<U>,
) -> io::Result<Part<U>>
where
    R: Read + Seek + Send + 'static,
    U: RangeUnit,
{
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

/// Returns the offset of the first unit that begins at or after `at`.
fn first_start(input: &mut (impl Read + Seek), at: u64, unit: impl RangeUnit) -> io::Result<u64> {
    let len = input.seek(SeekFrom::End(0))?;
    match at {
        // Text before the first unit belongs to the first range.
        0 => Ok(0),
        _ if at >= len => Ok(len),
        _ => unit.first_start(input, at, len),
    }
}

/// Number of bytes read from the beginning of a file to choose the unit.
const LOOKED_AT: u64 = 4096;

/// Whether an input, which is then at its beginning, is plain text.
pub(super) fn is_plain(input: &mut (impl Read + Seek)) -> io::Result<bool> {
    input.rewind()?;
    let (_, format) = sniff(&mut *input)?;
    input.rewind()?;
    Ok(format == Format::Plain)
}
