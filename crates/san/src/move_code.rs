//! A move in two bytes, for trees of moves, books and partial results.

use shakmaty::Role;

use crate::moves::Move;
use crate::position::Position;

/// A move as a number: bits 0 to 5 are the origin, 6 to 11 the target (for castling the rook's
/// square), 12 to 14 the promotion piece (knight 2 to queen 5); or no move. Stored files depend on
/// it, so it must not change. Counts of books set bit 15 if the position had [an en passant square
/// whose capture is pinned](Position::pinned_en_passant).
///
/// The legal moves of a position have different codes.
///
/// ```
/// use san::{Move, MoveCode, Position, resolve};
///
/// let position = Position::default();
/// let e4 = resolve(&position, b"e4")?;
/// assert_eq!(e4.code(), MoveCode(28 << 6 | 12));
/// assert_eq!(e4.code().find(&position), Some(e4));
/// assert_eq!(MoveCode::of(None), MoveCode::NONE);
/// assert_eq!(MoveCode::NONE.find(&position), None);
/// # Ok::<_, san::SanError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveCode(pub u16);

impl MoveCode {
    /// No move: the game ends in this position. No move has this code, since its origin and target
    /// would be the same.
    pub const NONE: MoveCode = MoveCode(0);

    /// Returns the code of a move, or [`MoveCode::NONE`].
    #[inline]
    pub fn of(played: Option<Move>) -> Self {
        played.map_or(MoveCode::NONE, Move::code)
    }

    /// Returns the move, if it is legal in the position.
    pub fn find(self, position: &Position) -> Option<Move> {
        if self.is_none() {
            return None;
        }
        position.legal_moves().into_iter().find(|played| played.code() == self)
    }

    /// Returns the code of a move from a position with an en passant square whose capture is
    /// pinned.
    #[inline]
    #[must_use]
    pub fn with_pin(self) -> Self {
        MoveCode(self.0 | 1 << 15)
    }

    /// Whether the position had such a square.
    pub fn has_pin(self) -> bool {
        self.0 >> 15 == 1
    }

    /// Returns the code of the move alone.
    #[must_use]
    pub fn without_pin(self) -> Self {
        MoveCode(self.0 & !(1 << 15))
    }

    /// Whether this is [`MoveCode::NONE`].
    pub fn is_none(self) -> bool {
        self == MoveCode::NONE
    }

    /// Returns the promotion piece.
    pub fn promotion(self) -> Option<Role> {
        Role::ALL.into_iter().find(|role| *role as u16 == self.0 >> 12)
    }
}

impl Move {
    /// Returns a number that is different for each legal move of the position.
    #[inline]
    pub fn code(self) -> MoveCode {
        let promotion = self.promotion.map_or(0, |role| role as u16);
        MoveCode(self.from as u16 | (self.to as u16) << 6 | promotion << 12)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_in_files_do_not_change() {
        let codes = [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", 0x01c4),
            ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O", 0x0e3c),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=N", 0x2e30),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", 0x5e30),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 0x0ae4),
        ];
        for (fen, san, code) in codes {
            let position = Position::from_fen(fen).unwrap();
            let played = crate::resolve::resolve(&position, san.as_bytes()).unwrap();
            assert_eq!(played.code(), MoveCode(code), "{san}");
            assert_eq!(MoveCode(code).find(&position), Some(played), "{san}");
            assert_eq!(played.code().promotion(), played.promotion(), "{san}");
        }
    }
}
