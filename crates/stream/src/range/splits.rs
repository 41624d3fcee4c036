//! Divides a file into ranges.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use crate::range::part::is_plain;
use crate::source::Frames;
use crate::source::{Meter, Source};

/// A range of a file, to be processed by one machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Byte range of the text, or of the stored file if it is not divided.
    pub range: Range<u64>,
    /// Estimated number of items, such as games, extrapolated from the beginning of the file.
    pub items: u64,
}

/// Divides a file into ranges of equal size, about `size` bytes each. `count` counts the items of a
/// text, by which their number is estimated; it is `None` if the file is not divided.
///
/// # Errors
///
/// See [`part`](super::part).
pub fn splits<R>(
    input: R,
    size: u64,
    count: impl FnOnce(&[u8]) -> Option<u64>,
) -> io::Result<Vec<Split>>
where
    R: Read + Seek + Send + 'static,
{
    let input = match Frames::of(input)? {
        Ok(frames) => return splits_of(frames, size, count),
        Err(input) => input,
    };
    splits_of(input, size, count)
}

fn splits_of<R>(
    mut input: R,
    size: u64,
    count: impl FnOnce(&[u8]) -> Option<u64>,
) -> io::Result<Vec<Split>>
where
    R: Read + Seek + Send + 'static,
{
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
