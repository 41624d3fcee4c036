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
    let sample = Sample::of(input, count)?;
    let is_divided = is_plain && sample.items.is_some();
    let pieces = if is_divided { len.div_ceil(size.max(1)).max(1) } else { 1 };
    let cut = |piece: u64| (u128::from(len) * u128::from(piece) / u128::from(pieces)) as u64;
    let split = |piece| {
        let range = cut(piece)..cut(piece + 1);
        Split { items: sample.items_in(range.end - range.start), range }
    };
    Ok((0..pieces).map(split).collect())
}

/// Statistics of the beginning of a file, used to estimate its number of items.
struct Sample {
    items: Option<u64>,
    /// Size of the sample in the stored file.
    bytes: u64,
}

impl Sample {
    /// Size of the sample, in bytes of text.
    const TEXT: usize = 4 << 20;

    fn of(
        mut input: impl Read + Seek + Send + 'static,
        count: impl FnOnce(&[u8]) -> Option<u64>,
    ) -> io::Result<Self> {
        let len = input.seek(SeekFrom::End(0))?;
        input.rewind()?;
        let meter = Meter::default();
        let mut source = Source::file(meter.on(input))?;
        let mut text = Vec::new();
        while text.len() < Self::TEXT
            && let Some(next) = source.next_text()?
        {
            next.take((Self::TEXT - text.len()) as u64).read_to_end(&mut text)?;
        }
        let is_whole = text.len() < Self::TEXT;
        let bytes = if is_whole { len } else { meter.bytes().min(len) };
        Ok(Sample { items: count(&text), bytes })
    }

    fn items_in(&self, bytes: u64) -> u64 {
        let items = u128::from(self.items.unwrap_or(0)) * u128::from(bytes);
        items.checked_div(self.bytes.into()).unwrap_or(0) as u64
    }
}
