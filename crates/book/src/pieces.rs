//! Encoded positions in pieces, on which several threads work.

use std::ops::Range;
use std::sync::Arc;

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

/// Takes encoded positions, one at a time.
pub(crate) type AddPosition<'a> = dyn FnMut(&[u8]) -> Result<(), BookError> + 'a;

/// A piece of some positions, and whether it is the last one of those that are joined.
struct Piece {
    positions: Arc<Positions>,
    range: Range<usize>,
    is_last: bool,
}

/// Collects positions and divides them into pieces.
struct Pieces<'g> {
    sizes: PieceSizes,
    give: &'g mut dyn FnMut(Piece) -> Result<(), BookError>,
    positions: Positions,
    /// Whether the first position is in a piece.
    is_begun: bool,
}

/// Maximum size of the positions of all pieces, in bytes.
const MOST_BYTES: usize = 4 << 20;

/// Calls `produce` with a function that takes positions, converts these in pieces on all threads, and calls `join` with the results, some pieces at
/// once, in order. How many that are depends only on the positions and the sizes. Without any position, an empty piece is converted.
pub(crate) fn convert_pieces<P: Send, T>(
    sizes: PieceSizes,
    threads: &Threads,
    convert: &ConvertPiece<'_, P>,
    join: &mut dyn FnMut(Vec<P>) -> Result<(), BookError>,
    produce: impl FnOnce(&mut AddPosition<'_>) -> Result<T, BookError>,
) -> Result<T, BookError> {
    let work = |Piece { positions, range, is_last }| (convert(&positions, range), is_last);
    let mut converted = Vec::new();
    let mut take = |(piece, is_last): (Result<P, BookError>, bool)| {
        converted.push(piece?);
        if is_last { join(std::mem::take(&mut converted)) } else { Ok(()) }
    };
    let produced = threads.map_produced(work, &mut take, |give| {
        let mut pieces = Pieces { sizes, give, positions: Positions::default(), is_begun: false };
        let produced = produce(&mut |position| pieces.add(position))?;
        pieces.flush()?;
        Ok(produced)
    });
    produced.map_err(BookError::Write)?
}

impl Pieces<'_> {
    fn add(&mut self, bytes: &[u8]) -> Result<(), BookError> {
        let Positions { bytes: all, ends } = &mut self.positions;
        all.extend_from_slice(bytes);
        ends.push(all.len());
        let new = ends.len() - usize::from(self.is_begun);
        let is_full = new == self.sizes.positions * self.sizes.pieces || all.len() > MOST_BYTES;
        if is_full { self.flush() } else { Ok(()) }
    }

    /// Gives away the positions so far.
    fn flush(&mut self) -> Result<(), BookError> {
        let count = self.positions.ends.len();
        let (first, last) = if self.is_begun { (1, count) } else { (0, count.max(1)) };
        self.is_begun = true;
        let next = self.positions.only_last();
        let positions = Arc::new(std::mem::replace(&mut self.positions, next));
        let size = self.sizes.positions;
        (first..last).step_by(size).try_for_each(|start| {
            let range = start..(start + size).min(count);
            let is_last = start + size >= last;
            (self.give)(Piece { positions: Arc::clone(&positions), range, is_last })
        })
    }
}

impl Positions {
    /// Returns the bytes of some positions.
    pub(crate) fn bytes(&self, range: Range<usize>) -> &[u8] {
        let end = |number: usize| number.checked_sub(1).map_or(0, |last| self.ends[last]);
        &self.bytes[end(range.start)..end(range.end)]
    }

    /// Returns the last position alone, if there is one.
    fn only_last(&self) -> Positions {
        let count = self.ends.len();
        let Some(last) = count.checked_sub(1) else { return Positions::default() };
        let bytes = self.bytes(last..count).to_vec();
        Positions { ends: vec![bytes.len()], bytes }
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
            let threads = Threads::new(threads);
            let produce =
                |add: &mut AddPosition<'_>| (0..count).try_for_each(|number| add(&[number]));
            convert_pieces(sizes, &threads, &convert, &mut join, produce).unwrap();
            assert_eq!(calls, count.div_ceil(12).max(1));
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
