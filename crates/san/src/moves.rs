//! Moves, created only by code that checks the rules: the move generator and the resolver.

use arrayvec::ArrayVec;
use shakmaty::{CastlingSide, File, Role, Square};

/// A legal move of the position for which it was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub(crate) from: Square,
    /// The target; for castling, the square of the rook.
    pub(crate) to: Square,
    pub(crate) role: Role,
    pub(crate) kind: Kind,
    pub(crate) promotion: Option<Role>,
}

/// Special effects of a move. Variants from [`Kind::EnPassant`] on are rare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Quiet,
    Capture,
    /// A two-square pawn advance.
    Double,
    EnPassant,
    Castle,
    Promotion,
    CapturePromotion,
}

/// The legal moves of a position. In games there are at most 218. Where pieces are too many, at
/// most eight sliders and pawns can go to each free square, and each knight to eight: less than
/// 600, with promotions and castling.
pub type MoveList = ArrayVec<Move, 600>;

impl Move {
    /// Returns the moving piece; the king when castling.
    pub fn role(self) -> Role {
        self.role
    }

    /// Returns the origin square.
    pub fn from(self) -> Square {
        self.from
    }

    /// Returns the target square; when castling, the target of the king.
    pub fn to(self) -> Square {
        match self.castling() {
            Some(CastlingSide::KingSide) => Square::from_coords(File::G, self.to.rank()),
            Some(CastlingSide::QueenSide) => Square::from_coords(File::C, self.to.rank()),
            None => self.to,
        }
    }

    /// Returns the promotion piece.
    pub fn promotion(self) -> Option<Role> {
        self.promotion
    }

    /// Whether this is a capture, including en passant.
    pub fn is_capture(self) -> bool {
        matches!(self.kind, Kind::Capture | Kind::EnPassant | Kind::CapturePromotion)
    }

    /// Whether this is an en passant capture.
    pub fn is_en_passant(self) -> bool {
        self.kind == Kind::EnPassant
    }

    /// Returns the side to which the king castles.
    pub fn castling(self) -> Option<CastlingSide> {
        let side = CastlingSide::from_queen_side(self.to < self.from);
        (self.kind == Kind::Castle).then_some(side)
    }

    /// Returns the square of the castling rook.
    pub fn castling_rook(self) -> Option<Square> {
        (self.kind == Kind::Castle).then_some(self.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_small() {
        assert!(size_of::<Move>() <= 8);
        assert!(size_of::<Result<Move, crate::SanError>>() <= 16);
    }
}
