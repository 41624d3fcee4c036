//! A move in two bytes.

use san::{Move, Position, Role};

/// A move as squares: where it begins, where it ends (for castling the rook's square), and what a pawn becomes; or none.
///
/// ```
/// use book::MoveCode;
///
/// let position = san::Position::default();
/// let e4 = san::resolve(&position, b"e4")?;
/// assert_eq!(MoveCode::of(Some(e4)).find(&position), Some(e4));
/// assert_eq!(MoveCode::NONE.find(&position), None);
/// # Ok::<_, san::SanError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveCode(pub u16);

impl MoveCode {
    /// No move: the game ends here.
    pub const NONE: MoveCode = MoveCode(0);

    /// The code of a move.
    #[inline]
    pub fn of(next: Option<Move>) -> Self {
        let Some(next) = next else { return MoveCode::NONE };
        let to = next.castling_rook().unwrap_or(next.to());
        let promotion = next.promotion().map_or(0, |role| role as u16);
        MoveCode(next.from() as u16 | (to as u16) << 6 | promotion << 12)
    }

    /// The move, if it is legal in the position.
    pub fn find(self, position: &Position) -> Option<Move> {
        if self == MoveCode::NONE {
            return None;
        }
        position.legal_moves().into_iter().find(|next| MoveCode::of(Some(*next)) == self)
    }

    /// The code of a null value is no move: a piece does not stay where it is.
    pub fn is_none(self) -> bool {
        self == MoveCode::NONE
    }

    /// The piece that a pawn becomes.
    pub fn promotion(self) -> Option<Role> {
        Role::ALL.into_iter().find(|role| *role as u16 == self.0 >> 12)
    }
}
