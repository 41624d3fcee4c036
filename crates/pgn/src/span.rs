//! Locations in a slice.

use std::ops::Range;

/// A half-open range of bytes in the scanned slice.
///
/// ```
/// let span = pgn::Span { start: 3, end: 6 };
/// assert_eq!(&b"1. Nf3 *"[span.range()], b"Nf3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// Offset of the first byte, from 0.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
}

impl Span {
    /// Returns the span as a range, for indexing a slice.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}
