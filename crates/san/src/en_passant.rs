//! Three policies for writing the en passant square.

use shakmaty::{Square, attacks};

use crate::buffer::Line;
use crate::position::Position;

crate::keywords! {
    /// When the en passant field contains a square.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum EnPassantPolicy {
        /// After every pawn advance of two squares, as in the standard.
        #[default]
        Always = "always",
        /// Only if an enemy pawn is next to the pawn: X-FEN.
        Pseudo = "pseudo",
        /// Only if a capture is legal, as in Lichess, python-chess and cutechess.
        Legal = "legal",
    }
}

impl Position {
    /// Returns the square behind a pawn that has just advanced by two, subject to the policy.
    ///
    /// ```
    /// use san::{EnPassantPolicy, Position, Square};
    ///
    /// let position = Position::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")?;
    /// assert_eq!(position.en_passant(EnPassantPolicy::Always), Some(Square::E3));
    /// assert_eq!(position.en_passant(EnPassantPolicy::Pseudo), None);
    /// # Ok::<_, san::FenError>(())
    /// ```
    #[inline]
    pub fn en_passant(&self, policy: EnPassantPolicy) -> Option<Square> {
        if policy == EnPassantPolicy::Always {
            return self.en_passant;
        }
        let square = self.en_passant?;
        let given = match policy {
            EnPassantPolicy::Always => true,
            EnPassantPolicy::Pseudo => self.en_passant_captors(square).any(),
            EnPassantPolicy::Legal => self
                .en_passant_captors(square)
                .into_iter()
                .any(|from| self.is_safe_en_passant(from, square)),
        };
        given.then_some(square)
    }

    /// Returns the en passant square if a pawn attacks it but may not capture, because of a pin.
    /// Such a square is part of Polyglot's key, but does not otherwise distinguish positions.
    #[inline]
    pub fn pinned_en_passant(&self) -> Option<Square> {
        let square = self.en_passant(EnPassantPolicy::Pseudo)?;
        self.en_passant(EnPassantPolicy::Legal).is_none().then_some(square)
    }

    pub(crate) fn en_passant_captors(&self, square: Square) -> shakmaty::Bitboard {
        attacks::pawn_attacks(!self.turn, square) & self.pieces(shakmaty::Role::Pawn) & self.us()
    }
}

/// The name of each square and its length, and `-` for none; a table lookup avoids a branch.
static TEXTS: [([u8; 2], u8); 65] = {
    let mut table = [(*b"- ", 1); 65];
    let mut square = 0;
    while square < 64 {
        table[square] = ([b'a' + square as u8 % 8, b'1' + square as u8 / 8], 2);
        square += 1;
    }
    table
};

/// Writes the fourth field.
#[inline(always)]
pub(crate) fn write(square: Option<Square>, line: &mut Line<'_>) {
    let (text, len) = &TEXTS[square.map_or(64, Square::to_usize)];
    line.text_of_len(text, usize::from(*len));
}
