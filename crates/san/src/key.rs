//! The key of a position in opening books.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingSide, Color, Role};

use crate::en_passant::EnPassantPolicy;
use crate::position::Position;

impl Position {
    /// Returns the 64-bit Zobrist key of the position, as in Polyglot books.
    ///
    /// It covers placement, side to move, castling rights, and the file of the en passant square if
    /// a pawn is beside the one that advanced, but not the clocks. Collisions are rare but
    /// possible; compare positions as well if that matters.
    ///
    /// ```
    /// let mut position = san::Position::default();
    /// assert_eq!(position.key(), 0x463b96181691fc9c);
    /// position.play_unchecked(san::resolve(&position, b"e4")?);
    /// assert_eq!(position.key(), 0x823c9b50fd114196);
    /// # Ok::<_, san::SanError>(())
    /// ```
    pub fn key(&self) -> u64 {
        let mut key = Zobrist64::default();
        for color in Color::ALL {
            for role in Role::ALL {
                let piece = role.of(color);
                for square in self.pieces(role) & self.side(color) {
                    key ^= Zobrist64::zobrist_for_piece(square, piece);
                }
            }
        }
        if self.turn.is_white() {
            key ^= Zobrist64::zobrist_for_white_turn();
        }
        if self.castling_rooks.any() {
            for color in Color::ALL {
                for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
                    if self.castling_rook(color, side).is_some() {
                        key ^= Zobrist64::zobrist_for_castling_right(color, side);
                    }
                }
            }
        }
        if let Some(square) = self.en_passant(EnPassantPolicy::Pseudo) {
            key ^= Zobrist64::zobrist_for_en_passant_file(square.file());
        }
        key.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples in the description of Polyglot's book format.
    #[test]
    fn keys_are_those_of_polyglot() {
        let cases = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c_9b50_fd11_4196),
            (
                "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2",
                0x0756_b944_61c5_0fb0,
            ),
            ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662f_afb9_65db_29d4),
            (
                "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
                0x22a4_8b5a_8e47_ff78,
            ),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a_607c_a3f2_42c1),
            ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fd_d303_c946_bdd9),
            (
                "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3",
                0x3c81_23ea_7b06_7637,
            ),
            ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f_9b82_9b27_9560),
        ];
        for (fen, key) in cases {
            assert_eq!(Position::from_fen(fen).unwrap().key(), key, "{fen}");
        }
    }
}
