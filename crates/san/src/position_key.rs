//! The identity of a position as a key: exact, of fixed size, and quick to make and to hash.

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Role, Square};

use crate::en_passant::EnPassantPolicy;
use crate::error::FenError;
use crate::mailbox::Mailbox;
use crate::position::Position;
use crate::setup::{Right, Setup};

/// Everything that distinguishes positions: placement, side to move, castling rights, and the en
/// passant square if a capture is legal. Clocks are not included.
///
/// Two positions have equal keys if and only if they are equal in that sense: the key is not a
/// hash, and the position can be [restored](PositionKey::position).
///
/// Encoded as four bits per square, in four planes of 64 bits: three for the piece (1 to 6 from
/// pawn to king, 7 for a rook with castling rights), one for its colour, set for Black. With Black
/// to move, that bit is set on all empty squares. The en passant square is the empty square with
/// that bit inverted.
///
/// ```
/// use san::{PositionKey, Position};
///
/// let e3 = Position::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")?;
/// let none = Position::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 5 9")?;
/// assert_eq!(PositionKey::of(&e3), PositionKey::of(&none));
/// assert_eq!(PositionKey::of(&none).position(5, 9)?, none);
/// # Ok::<_, san::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PositionKey(pub [u64; 4]);

/// A hash map whose keys are positions; `K` may be another type that contains a [`PositionKey`].
pub type PositionMap<V, K = PositionKey> = HashMap<K, V, foldhash::fast::RandomState>;

/// A hash set of positions.
pub type PositionSet<K = PositionKey> = HashSet<K, foldhash::fast::RandomState>;

/// By color, White first, and kind of piece; the last is a rook with the right to castle.
const LETTERS: [[u8; 8]; 2] = [*b"\0PNBRQKR", *b"\0pnbrqkr"];

impl PositionKey {
    /// Returns the key of a position.
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
        PositionKey([
            role(Role::Pawn) | bishops | queens | rights,
            role(Role::Knight) | bishops | kings | rights,
            role(Role::Rook) | queens | kings,
            color,
        ])
    }

    /// Restores the position, with these clocks.
    ///
    /// # Errors
    ///
    /// If the key was not created by [`PositionKey::of`] and moves cannot be played from the
    /// position that it encodes.
    pub fn position(self, halfmoves: u32, fullmoves: u32) -> Result<Position, FenError> {
        Ok(self.setup(halfmoves, fullmoves).playable()?.0)
    }

    /// Restores the position of a key that was created by [`PositionKey::of`], with these clocks.
    ///
    /// The position is not checked: that of any other key may be illegal.
    ///
    /// ```
    /// use san::{Position, PositionKey};
    ///
    /// let start = Position::default();
    /// assert_eq!(PositionKey::of(&start).position_unchecked(0, 1), start);
    /// ```
    pub fn position_unchecked(self, halfmoves: u32, fullmoves: u32) -> Position {
        let setup = self.setup(halfmoves, fullmoves);
        let mut position = setup.bare_position();
        position.castling_rooks = self.castling_rooks();
        position.en_passant = setup.en_passant;
        position.notation.takes_rook = position.has_chess960_rights();
        position
    }

    fn setup(self, halfmoves: u32, fullmoves: u32) -> Setup {
        let [low, middle, high, color] = self.0;
        let occupied = self.occupied();
        let rooks_with_rights = self.castling_rooks();
        let by_role = [
            low & !middle & !high,
            !low & middle & !high,
            low & middle & !high,
            !low & !middle & high | rooks_with_rights.0,
            low & !middle & high,
            !low & middle & high,
        ]
        .map(Bitboard);
        let by_color = [color & occupied.0, !color & occupied.0].map(Bitboard);
        let mut letters = Mailbox([0; 64]);
        for square in occupied {
            let bit = |plane: u64| (plane >> square as u32 & 1) as usize;
            let role = bit(low) | bit(middle) << 1 | bit(high) << 2;
            letters[square] = LETTERS[bit(color)][role];
        }
        let mut rights = ArrayVec::new();
        for square in rooks_with_rights.into_iter().take(rights.capacity()) {
            let white = by_color[Color::White as usize].contains(square);
            rights.push(Right::File(Color::from_white(white), square.file()));
        }
        Setup {
            letters,
            by_role,
            by_color,
            turn: self.turn(),
            rights,
            en_passant: self.en_passant(),
            halfmoves,
            fullmoves,
            repairs: ArrayVec::new(),
        }
    }

    /// Returns the occupied squares.
    pub fn occupied(self) -> Bitboard {
        Bitboard(self.0[0] | self.0[1] | self.0[2])
    }

    /// Returns the squares of the rooks that may still castle.
    pub fn castling_rooks(self) -> Bitboard {
        Bitboard(self.0[0] & self.0[1] & self.0[2])
    }

    /// Returns the en passant square, if a capture is legal.
    pub fn en_passant(self) -> Option<Square> {
        let empty = !self.occupied().0;
        let color = if self.turn().is_white() { self.0[3] } else { !self.0[3] };
        Bitboard(color & empty).first()
    }

    /// Returns the pieces without castling rights, en passant square and side to move: three planes
    /// for the kind, one for the color.
    pub fn planes_of_pieces(self) -> [u64; 4] {
        let [low, middle, high, color] = self.0;
        let rights = self.castling_rooks().0;
        [low ^ rights, middle ^ rights, high, color & self.occupied().0]
    }

    /// Returns the side to move.
    pub fn turn(self) -> Color {
        // Most squares are empty in any position, so the majority of their bits gives the side to
        // move.
        let empty = !self.occupied().0;
        Color::from_white(2 * (self.0[3] & empty).count_ones() < empty.count_ones())
    }

    /// Returns a hash of all bits of the key, the same on every machine and in every version: books
    /// and partial results are sorted by it, and random samples depend on it.
    ///
    /// It has no seed, so inputs can be made to collide; [`PositionMap`] and [`PositionSet`] use a
    /// hasher with a random seed.
    ///
    /// ```
    /// use san::{Position, PositionKey};
    ///
    /// assert_eq!(PositionKey::of(&Position::default()).stable_hash(), 0x5c5c_d9f4_e231_892b);
    /// ```
    #[inline]
    pub fn stable_hash(&self) -> u64 {
        let [a, b, c, d] = self.0;
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
        let low = fold(a ^ 0xa076_1d64_78bd_642f, b ^ 0xe703_7ed1_a0b4_28db);
        let high = fold(c ^ 0x8ebc_6af0_9c88_c6e3, d ^ 0x5899_65cc_7537_4cc3);
        fold(low ^ high.rotate_left(32), 0x9e37_79b9_7f4a_7c15 ^ high)
    }

    /// Returns the key as bytes, in the same order on every machine.
    #[inline]
    pub fn to_bytes(self) -> [u8; 32] {
        let planes = self.0.map(u64::to_le_bytes);
        *planes.as_flattened().first_chunk().expect("four planes have 32 bytes")
    }

    /// Restores a key from [its bytes](PositionKey::to_bytes).
    #[inline]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        let (planes, _) = bytes.as_chunks::<8>();
        PositionKey([0, 1, 2, 3].map(|plane| u64::from_le_bytes(planes[plane])))
    }
}

/// Hashes word by word: the derived implementation hashes the length of the array too.
impl Hash for PositionKey {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.into_iter().for_each(|plane| state.write_u64(plane));
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
        let keys: Vec<PositionKey> =
            fens.iter().map(|fen| PositionKey::of(&position(fen))).collect();
        for (i, key) in keys.iter().enumerate() {
            assert_eq!(key.position(0, 1).unwrap(), position(fens[i]), "{}", fens[i]);
            assert!(!keys[..i].contains(key), "{}", fens[i]);
            assert_eq!(PositionKey::from_bytes(key.to_bytes()), *key);
            assert_eq!(key.turn(), position(fens[i]).turn());
        }
    }

    #[test]
    fn the_hash_of_files_does_not_change() {
        assert_eq!(PositionKey([1, 2, 3, 4]).stable_hash(), 0x0ee6_2e02_e757_d62f);
    }

    #[test]
    fn a_capture_that_is_not_legal_makes_no_difference() {
        let pinned = position("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1");
        let plain = position("8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1");
        assert_eq!(PositionKey::of(&pinned), PositionKey::of(&plain));
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
                let key = PositionKey::of(&position);
                let back = key.position(position.halfmoves(), position.fullmoves()).unwrap();
                prop_assert_eq!(PositionKey::of(&back), key);
                let unchecked = key.position_unchecked(position.halfmoves(), position.fullmoves());
                prop_assert_eq!(&unchecked, &back);
                let mut expected = position.clone();
                expected.en_passant = position.en_passant(EnPassantPolicy::Legal);
                prop_assert_eq!(back, expected);
            }
        }

        #[test]
        fn any_bytes_are_a_position_or_an_error(planes in any::<[u64; 4]>()) {
            let _ = PositionKey(planes).position(0, 1);
        }
    }
}
