//! Writes the entries of a chain.

use san::{Move, Position};

use super::bits::{BitWriter, Bits, bits_below};
use super::destinations::Destinations;
use super::stem;
use crate::score::Score;

/// The greatest number of entries after the first.
const MOST: u16 = u16::MAX;
/// In bytes, without the first entry; the writers of Stockfish's tools have room for 10 KiB.
const LARGEST: usize = 10_000;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain {
    /// The offset of the first entry.
    pub(crate) start: usize,
    /// The number of entries after the first.
    count: u16,
    bits: BitWriter,
    /// The last score, from the view of the side that is to move next.
    last: Score,
}

impl Chain {
    /// Begins a chain with a position that [fits](stem::fits).
    pub(crate) fn begin(
        position: &Position,
        played: Move,
        score: Score,
        bytes: &mut Vec<u8>,
    ) -> Self {
        let start = bytes.len();
        stem::write(position, played, score, bytes);
        bytes.extend_from_slice(&[0, 0]);
        Chain { start, count: 0, bits: BitWriter::default(), last: score.of_other_side() }
    }

    pub(crate) fn has_room(&self, bytes: &[u8]) -> bool {
        self.count < MOST && bytes.len() - self.start < LARGEST
    }

    /// Writes the next entry: the position after the last move.
    #[inline(always)]
    pub(crate) fn push(
        &mut self,
        position: &Position,
        played: Move,
        score: Score,
        bytes: &mut Vec<u8>,
    ) {
        let ours = position.side(position.turn());
        let before = (1 << played.from() as u32) - 1;
        let piece = (ours.0 & before).count_ones() as u8;
        let mut numbers = Bits::default();
        numbers.add(piece, bits_below(ours.count() as u32));
        let destinations = Destinations::of(position, played.from(), played.role());
        numbers.add(destinations.number(played), bits_below(destinations.count()));
        let difference = score.get().wrapping_sub(self.last.get());
        numbers.add_digits(stem::unsigned(difference));
        self.bits.push(numbers, bytes);
        (self.last, self.count) = (score.of_other_side(), self.count + 1);
    }

    pub(crate) fn end(self, bytes: &mut [u8]) {
        let count = self.start + stem::LEN;
        bytes[count..count + 2].copy_from_slice(&self.count.to_be_bytes());
    }
}
