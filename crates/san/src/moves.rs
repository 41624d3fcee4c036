//! A move, made only where the rules were asked: by the move generator and by the resolver.

use arrayvec::ArrayVec;
use shakmaty::{CastlingSide, File, Role, Square};

/// A legal move of the position it was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub(crate) from: Square,
    /// The target; for castling the square of the rook.
    pub(crate) to: Square,
    pub(crate) role: Role,
    pub(crate) kind: Kind,
    pub(crate) promotion: Option<Role>,
}

/// What a move does besides going from one square to another. From [`Kind::EnPassant`] on they are rare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Quiet,
    Capture,
    /// A pawn advances two squares.
    Double,
    EnPassant,
    Castle,
    Promotion,
    CapturePromotion,
}

/// The legal moves of a position. No position has more than 218.
pub type MoveList = ArrayVec<Move, 256>;

impl Move {
    /// The piece that moves; the king when castling.
    pub fn role(self) -> Role {
        self.role
    }

    /// The square it leaves.
    pub fn from(self) -> Square {
        self.from
    }

    /// The square it goes to; when castling the one where the king arrives.
    pub fn to(self) -> Square {
        match self.castling() {
            Some(CastlingSide::KingSide) => Square::from_coords(File::G, self.to.rank()),
            Some(CastlingSide::QueenSide) => Square::from_coords(File::C, self.to.rank()),
            None => self.to,
        }
    }

    /// The piece that a pawn becomes.
    pub fn promotion(self) -> Option<Role> {
        self.promotion
    }

    /// A number that tells the move from all others of its position.
    ///
    /// ```
    /// let position = san::Position::default();
    /// let [e3, e4] = [b"e3", b"e4"].map(|token| san::resolve(&position, token).unwrap());
    /// assert_ne!(e3.code(), e4.code());
    /// ```
    #[inline]
    pub fn code(self) -> u16 {
        let promotion = self.promotion.map_or(0, |role| role as u16);
        self.from as u16 | (self.to as u16) << 6 | promotion << 12
    }

    /// Whether a piece is captured, en passant too.
    pub fn is_capture(self) -> bool {
        matches!(self.kind, Kind::Capture | Kind::EnPassant | Kind::CapturePromotion)
    }

    /// Whether a pawn is captured en passant.
    pub fn is_en_passant(self) -> bool {
        self.kind == Kind::EnPassant
    }

    /// The side to which the king castles.
    pub fn castling(self) -> Option<CastlingSide> {
        let side = CastlingSide::from_queen_side(self.to < self.from);
        (self.kind == Kind::Castle).then_some(side)
    }

    /// The square of the rook that castles.
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
