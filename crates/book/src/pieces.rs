//! Encoded positions in pieces, on which several threads work.

use std::ops::Range;

use stream::ordered::Threads;

use crate::error::BookError;

/// Encoded positions, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Positions {
    bytes: Vec<u8>,
    /// The end of each.
    ends: Vec<usize>,
}

/// Number of positions in a piece, and of pieces at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PieceSizes {
    pub(crate) positions: usize,
    pub(crate) pieces: usize,
}

/// Converts some of the positions; the one before them is there if it is not the first one of all.
pub(crate) type ConvertPiece<'w, P> =
    dyn Fn(&Positions, Range<usize>) -> Result<P, BookError> + Sync + 'w;

/// Collects positions and converts them, some thousand at once.
pub(crate) struct Pieces<'w, P> {
    sizes: PieceSizes,
    threads: Threads,
    convert: &'w ConvertPiece<'w, P>,
    join: &'w mut dyn FnMut(Vec<P>) -> Result<(), BookError>,
    positions: Positions,
    /// Whether the first position has been converted.
    is_begun: bool,
}

/// Maximum size of the positions of all pieces, in bytes.
const MOST_BYTES: usize = 4 << 20;

impl<'w, P: Send> Pieces<'w, P> {
    /// Converts pieces on these threads, and calls `join` with the results, in order. How many that are depends only on the positions
    /// and the sizes.
    pub(crate) fn new(
        sizes: PieceSizes,
        threads: Threads,
        convert: &'w ConvertPiece<'w, P>,
        join: &'w mut dyn FnMut(Vec<P>) -> Result<(), BookError>,
    ) -> Self {
        let positions = Positions::default();
        Pieces { sizes, threads, convert, join, positions, is_begun: false }
    }

    /// Adds a position.
    pub(crate) fn add(&mut self, bytes: &[u8]) -> Result<(), BookError> {
        let Positions { bytes: all, ends } = &mut self.positions;
        all.extend_from_slice(bytes);
        ends.push(all.len());
        let new = ends.len() - usize::from(self.is_begun);
        let is_full = new == self.sizes.positions * self.sizes.pieces || all.len() > MOST_BYTES;
        if is_full { self.flush() } else { Ok(()) }
    }

    /// Converts the rest. Without any position, an empty piece is converted.
    pub(crate) fn finish(mut self) -> Result<(), BookError> {
        self.flush()
    }

    fn flush(&mut self) -> Result<(), BookError> {
        let count = self.positions.ends.len();
        let (first, last) = if self.is_begun { (1, count) } else { (0, count.max(1)) };
        let piece = self.sizes.positions;
        let ranges =
            (first..last).step_by(piece).map(|start| start..(start + piece).min(count)).collect();
        let (convert, positions) = (self.convert, &self.positions);
        let converted = self.threads.map(ranges, |range| convert(positions, range));
        let converted: Result<Vec<P>, BookError> =
            converted.map_err(BookError::Write)?.into_iter().collect();
        self.is_begun = true;
        self.positions.keep_last();
        (self.join)(converted?)
    }
}

impl Positions {
    /// Returns the bytes of some positions.
    pub(crate) fn bytes(&self, range: Range<usize>) -> &[u8] {
        let end = |number: usize| number.checked_sub(1).map_or(0, |last| self.ends[last]);
        &self.bytes[end(range.start)..end(range.end)]
    }

    /// Removes all positions except the last one.
    fn keep_last(&mut self) {
        let count = self.ends.len();
        let Some(last) = count.checked_sub(1) else { return };
        let len = self.bytes(last..count).len();
        self.bytes.drain(..self.bytes.len() - len);
        self.ends = vec![len];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_leave_in_order_and_have_the_position_before_them() {
        for (threads, count) in [(1, 0), (1, 1), (2, 24), (3, 25), (2, 100)] {
            let sizes = PieceSizes { positions: 3, pieces: 4 };
            let convert = |positions: &Positions, range: Range<usize>| {
                let before = range.start.saturating_sub(1)..range.start;
                let last = positions.bytes(before).last().copied();
                Ok((last, positions.bytes(range).to_vec()))
            };
            let (mut found, mut calls) = (Vec::new(), 0);
            let mut join = |pieces: Vec<(Option<u8>, Vec<u8>)>| {
                calls += 1;
                found.extend(pieces);
                Ok(())
            };
            let mut pieces = Pieces::new(sizes, Threads::new(threads), &convert, &mut join);
            for number in 0..count {
                pieces.add(&[number]).unwrap();
            }
            pieces.finish().unwrap();
            assert_eq!(calls, 1 + count / 12);
            let mut last = None;
            for (before, piece) in &found {
                assert_eq!(*before, last);
                last = piece.last().copied().or(last);
            }
            assert_eq!(found.len(), usize::from(count.div_ceil(3)).max(1));
            assert!(found.into_iter().flat_map(|(_, piece)| piece).eq(0..count));
        }
    }
}
