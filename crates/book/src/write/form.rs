//! Formats of which pieces are encoded on any thread.

use super::Figures;
use crate::error::BookError;
use crate::pieces::Positions;
use crate::select::{SelectedPosition, Selection};

/// A format of which pieces are encoded on any thread, and joined in order.
pub(super) trait PieceForm: Sync {
    type Piece: Default + Send;

    /// Number of positions in a piece.
    const SIZE: usize = 256;

    /// Whether the format distinguishes moves with [pins](san::MoveCode::has_pin).
    fn has_pins(&self) -> bool {
        false
    }

    fn begin(&self) -> Self::Piece {
        Self::Piece::default()
    }

    /// Notes the position before a piece, on which the piece depends if the format has registers.
    fn follow(&self, _before: &SelectedPosition<'_>, _piece: &mut Self::Piece) {}

    /// Writes a position; returns whether the format has anything to write for it.
    fn write(&self, selected: &SelectedPosition<'_>, piece: &mut Self::Piece) -> bool;

    fn end(_piece: &mut Self::Piece) {}
}

/// A piece, its statistics, and whether one of its positions has moves.
pub(super) type EncodedPiece<P> = (P, Figures, bool);

pub(super) fn encode<F: PieceForm>(
    form: &F,
    selection: &Selection,
    positions: &Positions,
) -> Result<EncodedPiece<F::Piece>, BookError> {
    let (mut piece, mut figures, mut has_moves) = (form.begin(), Figures::default(), false);
    let selected = |bytes| -> Result<SelectedPosition<'_>, BookError> {
        let mut selected = selection.selected(bytes)?;
        if !form.has_pins() {
            selected.join_pins();
        }
        Ok(selected)
    };
    if let Some(before) = positions.before() {
        form.follow(&selected(before)?, &mut piece);
    }
    for bytes in positions.iter() {
        let selected = selected(bytes)?;
        has_moves |= selected.moves.iter().any(|(code, _)| !code.is_none());
        if form.write(&selected, &mut piece) {
            figures.add(&Figures::of(&selected));
        }
    }
    F::end(&mut piece);
    Ok((piece, figures, has_moves))
}
