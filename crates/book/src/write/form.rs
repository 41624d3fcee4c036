//! Formats of which pieces are encoded on any thread.

use std::ops::Range;

use super::{BookWriter, Figures};
use crate::error::BookError;
use crate::pieces::{PieceSizes, Positions};
use crate::select::{SelectedPosition, Selection, join_pins};
use crate::temporary::Temporary;

/// A format of which pieces are encoded on any thread, and joined in order.
pub(super) trait PieceForm: Sync {
    type Piece: Default + Send;

    /// Returns how many positions are encoded at once.
    fn sizes(&self, threads: usize) -> PieceSizes;

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

    /// Whether the format distinguishes moves with [pins](san::MoveCode::has_pin).
    fn has_pins(&self) -> bool {
        false
    }

    /// Removes the beginning of a piece, given what it contains if nothing follows.
    fn leave_out(_piece: &mut Self::Piece, _beginning: &Self::Piece) {}
}

/// Encodes pieces in a form.
pub(super) struct PieceEncoder<'w, F> {
    pub(super) form: &'w F,
    pub(super) selection: &'w Selection,
    pub(super) temporary: &'w Temporary,
}

/// A piece, and its statistics.
pub(super) struct EncodedPiece<P> {
    pub(super) piece: P,
    pub(super) figures: Figures,
    pub(super) has_moves: bool,
}

impl<F: PieceForm> PieceEncoder<'_, F> {
    /// Encodes some of the positions; the one before them has been encoded.
    pub(super) fn piece(
        &self,
        positions: &Positions,
        range: Range<usize>,
    ) -> Result<EncodedPiece<F::Piece>, BookError> {
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
    ) -> Result<EncodedPiece<F::Piece>, BookError> {
        let mut encoded = EncodedPiece {
            piece: F::Piece::default(),
            figures: Figures::default(),
            has_moves: false,
        };
        let mut writer = self.form.writer(&mut encoded.piece)?;
        for number in range {
            let bytes = positions.bytes(number..number + 1);
            let mut selected: SelectedPosition = self.selection.selected(bytes, self.temporary)?;
            if !self.form.has_pins() {
                join_pins(&mut selected.moves);
            }
            let is_written = writer.write(&selected)?;
            if number >= counted {
                encoded.has_moves |= selected.moves.iter().any(|(code, _)| !code.is_none());
                if is_written {
                    encoded.figures.count(&selected);
                }
            }
        }
        writer.finish()?;
        Ok(encoded)
    }
}
