//! Three policies for writing the en passant square.

use shakmaty::{File, Rank, Square, attacks};

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

    /// Returns the position with such a square, if the last move can have been a pawn's that makes
    /// one.
    ///
    /// ```
    /// let position = san::Position::from_fen("8/8/8/K2pP2r/8/8/8/4k3 w - - 0 2")?;
    /// assert_eq!(position.with_pinned_en_passant().map(|pinned| pinned.key()), Some(0x2874_1f70_99a3_606f));
    /// assert!(san::Position::default().with_pinned_en_passant().is_none());
    /// # Ok::<_, san::FenError>(())
    /// ```
    pub fn with_pinned_en_passant(&self) -> Option<Self> {
        let square = |file, rank| Square::from_coords(file, self.turn.relative_rank(rank));
        let pawns = self.pieces(shakmaty::Role::Pawn) & self.side(!self.turn);
        File::ALL.into_iter().find_map(|file| {
            let [pawn, behind, start] =
                [Rank::Fifth, Rank::Sixth, Rank::Seventh].map(|rank| square(file, rank));
            let is_free = |square| !self.occupied().contains(square);
            if !pawns.contains(pawn) || !is_free(behind) || !is_free(start) {
                return None;
            }
            let mut pinned = self.clone();
            pinned.en_passant = Some(behind);
            pinned.pinned_en_passant().is_some().then_some(pinned)
        })
    }

    /// Returns the pawns that attack the en passant square.
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
