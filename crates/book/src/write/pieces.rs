//! Books in pieces, which several threads encode.

use std::ops::Range;

use stream::ordered::Threads;

use super::{BookWriter, Figures};
use crate::error::BookError;
use crate::select::{Choice, Chosen};
use crate::temporary::Temporary;

/// A format of which pieces are encoded on any thread, and joined in order.
pub(super) trait PieceForm: Sync {
    type Piece: Default + Send;

    /// Returns the number of positions in a piece, and the number of pieces that are encoded at once.
    fn sizes(&self, threads: usize) -> (usize, usize);

    /// Returns a writer of a piece.
    fn writer<'p>(
        &'p self,
        piece: &'p mut Self::Piece,
    ) -> Result<Box<dyn BookWriter + 'p>, BookError>;

    /// Whether a position depends on the one before it, as registers of EPD do. Then each piece begins with the last position
    /// of the piece before it.
    fn depends_on_last(&self) -> bool {
        false
    }

    /// Removes the beginning of a piece, given what it contains if nothing follows.
    fn leave_out(_piece: &mut Self::Piece, _beginning: &Self::Piece) {}
}

/// Encodes pieces in this form.
pub(super) struct PieceEncoder<'w, F> {
    pub(super) form: &'w F,
    pub(super) choice: &'w Choice,
    pub(super) temporary: &'w Temporary,
}

/// Encodes positions, some thousand at once.
pub(super) struct Pieces<'w, F: PieceForm> {
    encoder: PieceEncoder<'w, F>,
    threads: Threads,
    join: &'w mut dyn FnMut(Vec<F::Piece>) -> Result<(), BookError>,
    positions: Positions,
    /// Number of positions in a piece, and of pieces that are encoded at once.
    sizes: (usize, usize),
    figures: Figures,
    has_moves: bool,
}

/// Positions as [`Choice::choose`] passes them on.
#[derive(Default)]
struct Positions {
    bytes: Vec<u8>,
    /// The end of each.
    ends: Vec<usize>,
    /// Whether the first one has been encoded.
    is_begun: bool,
}

/// Maximum size of the positions of all pieces, in bytes.
const MOST_BYTES: usize = 4 << 20;

/// A piece, and its statistics.
struct Encoded<P> {
    piece: P,
    figures: Figures,
    has_moves: bool,
}

impl<'w, F: PieceForm> Pieces<'w, F> {
    /// Encodes positions on these threads, and calls `join` with the pieces, in order.
    pub(super) fn new(
        encoder: PieceEncoder<'w, F>,
        threads: Threads,
        join: &'w mut dyn FnMut(Vec<F::Piece>) -> Result<(), BookError>,
    ) -> Self {
        let sizes = encoder.form.sizes(threads.count());
        let (positions, figures) = (Positions::default(), Figures::default());
        Pieces { encoder, threads, join, positions, sizes, figures, has_moves: false }
    }

    /// Adds a position.
    pub(super) fn add(&mut self, bytes: &[u8]) -> Result<(), BookError> {
        let Positions { bytes: all, ends, is_begun } = &mut self.positions;
        all.extend_from_slice(bytes);
        ends.push(all.len());
        let (piece, at_once) = self.sizes;
        let is_full = ends.len() - usize::from(*is_begun) == piece * at_once;
        if is_full || all.len() > MOST_BYTES { self.flush() } else { Ok(()) }
    }

    /// Encodes the rest, and returns the statistics of all positions and whether one has moves.
    pub(super) fn finish(mut self) -> Result<(Figures, bool), BookError> {
        self.flush()?;
        Ok((self.figures, self.has_moves))
    }

    fn flush(&mut self) -> Result<(), BookError> {
        let count = self.positions.ends.len();
        // A book without positions may have a first line.
        let (first, last) = if self.positions.is_begun { (1, count) } else { (0, count.max(1)) };
        let (piece, _) = self.sizes;
        let ranges =
            (first..last).step_by(piece).map(|start| start..(start + piece).min(count)).collect();
        let (encoder, positions) = (&self.encoder, &self.positions);
        let encoded = self.threads.map(ranges, |range| encoder.piece(positions, range));
        let mut pieces = Vec::new();
        for encoded in encoded.map_err(BookError::Write)? {
            let Encoded { piece, figures, has_moves } = encoded?;
            pieces.push(piece);
            self.figures.add(&figures);
            self.has_moves |= has_moves;
        }
        self.positions.keep_last();
        (self.join)(pieces)
    }
}

impl<F: PieceForm> PieceEncoder<'_, F> {
    /// Encodes some of the positions; the one before them has been encoded.
    fn piece(
        &self,
        positions: &Positions,
        range: Range<usize>,
    ) -> Result<Encoded<F::Piece>, BookError> {
        let Range { start, end } = range;
        if !self.form.depends_on_last() || start == 0 {
            return self.encode(positions, range, start);
        }
        let repeated = self.encode(positions, start - 1..start, start)?;
        let mut encoded = self.encode(positions, start - 1..end, start)?;
        F::leave_out(&mut encoded.piece, &repeated.piece);
        Ok(encoded)
    }

    /// Encodes some of the positions, of which those from number `counted` on appear in the statistics.
    fn encode(
        &self,
        positions: &Positions,
        range: Range<usize>,
        counted: usize,
    ) -> Result<Encoded<F::Piece>, BookError> {
        let mut encoded =
            Encoded { piece: F::Piece::default(), figures: Figures::default(), has_moves: false };
        let mut writer = self.form.writer(&mut encoded.piece)?;
        for number in range {
            let chosen: Chosen = self.choice.chosen(positions.get(number), self.temporary)?;
            let is_written = writer.write(&chosen)?;
            if number >= counted {
                encoded.has_moves |= chosen.moves.iter().any(|(code, _)| !code.is_none());
                if is_written {
                    encoded.figures.count(&chosen);
                }
            }
        }
        writer.finish()?;
        Ok(encoded)
    }
}

impl Positions {
    fn get(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[number]]
    }

    /// Removes all positions except the last one.
    fn keep_last(&mut self) {
        self.is_begun = true;
        let Some(last) = self.ends.len().checked_sub(1) else { return };
        let len = self.get(last).len();
        self.bytes.drain(..self.bytes.len() - len);
        self.ends = vec![len];
    }
}
