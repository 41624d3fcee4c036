//! Encoded positions in pieces, on which several threads work.

use std::mem;

use stream::ordered::Threads;

use crate::error::BookError;

/// Encoded positions, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Positions {
    /// The position before them; empty if there is none.
    before: Vec<u8>,
    pub(crate) bytes: Vec<u8>,
    ends: Vec<usize>,
}

pub(crate) type AddPosition<'a> = dyn FnMut(&[u8]) -> Result<(), BookError> + 'a;

/// Maximum size of the positions of a piece, in bytes.
const MOST_BYTES: usize = 1 << 20;

/// Converts the positions of `produce` on all threads, in pieces of `size`; results in order.
/// Without any position, an empty piece is converted.
pub(crate) fn convert_pieces<P: Send, T>(
    size: usize,
    threads: &Threads,
    convert: &(dyn Fn(&Positions) -> Result<P, BookError> + Sync),
    take: &mut dyn FnMut(P) -> Result<(), BookError>,
    produce: impl FnOnce(&mut AddPosition<'_>) -> Result<T, BookError>,
) -> Result<T, BookError> {
    let work = |positions: Positions| convert(&positions);
    let produced = threads.map_produced(work, &mut |piece| take(piece?), |give| {
        let mut piece = Positions::default();
        let produced = produce(&mut |position| {
            piece.bytes.extend_from_slice(position);
            piece.ends.push(piece.bytes.len());
            if piece.ends.len() < size && piece.bytes.len() < MOST_BYTES {
                return Ok(());
            }
            let next = Positions { before: position.to_vec(), ..Positions::default() };
            give(mem::replace(&mut piece, next))
        })?;
        if !piece.ends.is_empty() || piece.before.is_empty() {
            give(piece)?;
        }
        Ok(produced)
    });
    produced?
}

impl Positions {
    pub(crate) fn before(&self) -> Option<&[u8]> {
        (!self.before.is_empty()).then_some(&*self.before)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.bytes[start..*end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_leave_in_order_and_have_the_position_before_them() {
        for (threads, count) in [(1, 0), (1, 1), (2, 24), (3, 25), (2, 100)] {
            let convert = |positions: &Positions| {
                let before = positions.before().map(|before| before[0]);
                assert!(positions.iter().eq(positions.bytes.chunks(1)));
                Ok((before, positions.bytes.clone()))
            };
            let mut found = Vec::new();
            let mut take = |piece| {
                found.push(piece);
                Ok(())
            };
            let threads = Threads::new(threads);
            let produce =
                |add: &mut AddPosition<'_>| (0..count).try_for_each(|number| add(&[number]));
            convert_pieces(3, &threads, &convert, &mut take, produce).unwrap();
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
