//! A position as a key: exact, of fixed size, and quick to make.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Role};

use crate::mailbox::Mailbox;
use crate::setup::Right;
use crate::{EnPassantPolicy, FenError, Position, Setup};

/// Everything that makes two positions the same: placement, side to move, castling rights, and the en passant square where a
/// capture is legal. Clocks are no part of it.
///
/// Two positions have equal keys if and only if they are equal in that sense: it is no hash, the position can be
/// [had back](Packed::position).
///
/// Four bits a square, as four planes of 64: three for the piece (1 to 6 from pawn to king, 7 for a rook that may still
/// castle), one for Black's. An empty square with that last bit inverted is the en passant square; with Black to move
/// the bit is set on all empty squares.
///
/// ```
/// use san::{Packed, Position};
///
/// let e3 = Position::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")?;
/// let none = Position::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 5 9")?;
/// assert_eq!(Packed::of(&e3), Packed::of(&none));
/// assert_eq!(Packed::of(&none).position(5, 9)?, none);
/// # Ok::<_, san::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Packed(pub [u64; 4]);

impl Packed {
    /// The key of a position.
    #[inline]
    pub fn of(position: &Position) -> Self {
        let role = |role: Role| position.pieces(role).0;
        let rights = position.castling_rooks.0;
        let occupied = position.occupied().0;
        let mut color = position.side(Color::Black).0;
        if position.turn == Color::Black {
            color |= !occupied;
        }
        if let Some(square) = position.en_passant(EnPassantPolicy::Legal) {
            color ^= 1 << square as u32;
        }
        let bishops = role(Role::Bishop);
        let queens = role(Role::Queen);
        let kings = role(Role::King);
        Packed([
            role(Role::Pawn) | bishops | queens | rights,
            role(Role::Knight) | bishops | kings | rights,
            role(Role::Rook) | queens | kings,
            color,
        ])
    }

    /// The position, with these clocks.
    ///
    /// # Errors
    ///
    /// If the key is not one that [`Packed::of`] made, but bytes from somewhere, and no legal position.
    pub fn position(self, halfmoves: u32, fullmoves: u32) -> Result<Position, FenError> {
        let [low, middle, high, color] = self.0;
        let occupied = low | middle | high;
        // Most squares are empty, whatever the position: what most of them say is whose turn it is.
        let marked = (color & !occupied).count_ones();
        let turn = Color::from_white(2 * marked < (!occupied).count_ones());
        let marks = if turn.is_white() { color & !occupied } else { !color & !occupied };
        let rooks_with_rights = low & middle & high;
        let by_role = [
            low & !middle & !high,
            !low & middle & !high,
            low & middle & !high,
            !low & !middle & high | rooks_with_rights,
            low & !middle & high,
            !low & middle & high,
        ]
        .map(Bitboard);
        let by_color = [color & occupied, !color & occupied].map(Bitboard);
        let mut letters = Mailbox([0; 64]);
        for (role, squares) in Role::ALL.into_iter().zip(by_role) {
            for square in squares {
                let white = by_color[Color::White as usize].contains(square);
                letters[square] = if white { role.upper_char() } else { role.char() } as u8;
            }
        }
        let mut rights = ArrayVec::new();
        for square in Bitboard(rooks_with_rights).into_iter().take(rights.capacity()) {
            let white = by_color[Color::White as usize].contains(square);
            rights.push(Right::File(Color::from_white(white), square.file()));
        }
        let setup = Setup {
            letters,
            by_role,
            by_color,
            turn,
            rights,
            en_passant: Bitboard(marks).first(),
            halfmoves,
            fullmoves,
            repairs: ArrayVec::new(),
        };
        setup.into_position()
    }

    /// The squares with a piece.
    pub fn occupied(self) -> Bitboard {
        Bitboard(self.0[0] | self.0[1] | self.0[2])
    }

    /// Whose turn it is.
    pub fn turn(self) -> Color {
        let empty = !self.occupied().0;
        Color::from_white(2 * (self.0[3] & empty).count_ones() < empty.count_ones())
    }

    /// The key as bytes, always the same whatever the machine.
    #[inline]
    pub fn to_bytes(self) -> [u8; 32] {
        let planes = self.0.map(u64::to_le_bytes);
        *planes.as_flattened().first_chunk().expect("four planes have 32 bytes")
    }

    /// The key of [these bytes](Packed::to_bytes).
    #[inline]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        let (planes, _) = bytes.as_chunks::<8>();
        Packed([0, 1, 2, 3].map(|plane| u64::from_le_bytes(planes[plane])))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    fn what_makes_positions_differ_makes_keys_differ() {
        let fens = [
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w - - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K1R1 w - - 0 1",
            "4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1",
        ];
        let keys: Vec<Packed> = fens.iter().map(|fen| Packed::of(&position(fen))).collect();
        for (i, key) in keys.iter().enumerate() {
            assert_eq!(key.position(0, 1).unwrap(), position(fens[i]), "{}", fens[i]);
            assert!(!keys[..i].contains(key), "{}", fens[i]);
            assert_eq!(Packed::from_bytes(key.to_bytes()), *key);
            assert_eq!(key.turn(), position(fens[i]).turn());
        }
    }

    #[test]
    fn a_capture_that_is_not_legal_makes_no_difference() {
        let pinned = position("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1");
        let plain = position("8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1");
        assert_eq!(Packed::of(&pinned), Packed::of(&plain));
    }

    proptest! {
        #[test]
        fn a_position_comes_back(choices in prop::collection::vec(any::<u16>(), 0..150)) {
            let mut position = Position::default();
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[usize::from(choice) % moves.len()]);
                let key = Packed::of(&position);
                let back = key.position(position.halfmoves(), position.fullmoves()).unwrap();
                prop_assert_eq!(Packed::of(&back), key);
                let mut expected = position.clone();
                expected.en_passant = position.en_passant(EnPassantPolicy::Legal);
                prop_assert_eq!(back, expected);
            }
        }

        #[test]
        fn any_bytes_are_a_position_or_an_error(planes in any::<[u64; 4]>()) {
            let _ = Packed(planes).position(0, 1);
        }
    }
}
