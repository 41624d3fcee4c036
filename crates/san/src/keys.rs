//! Keys: the identity of a position, exact, of fixed size, and quick to make and to hash; its key
//! in opening books; and a move in two bytes, for trees of moves, books and partial results.

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

use arrayvec::ArrayVec;
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Bitboard, CastlingSide, Color, Role, Square};

use crate::error::FenError;
use crate::fen::EnPassantPolicy;
use crate::position::{Mailbox, Move, Position};
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

/// Letters by color, White first, and kind of piece; the last is a rook that may castle.
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

    /// Restores the position, with these clocks. Fails if the key was not created by
    /// [`PositionKey::of`] and moves cannot be played from the position that it encodes.
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
        // Most squares are empty, so the majority of their bits gives the side to move.
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

    /// Returns the code of a move where the capture of an en passant square is pinned.
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

    /// The examples in the description of Polyglot's book format.
    #[test]
    fn keys_are_those_of_polyglot() {
        let cases = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", 0x463b_9618_1691_fc9c),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3", 0x823c_9b50_fd11_4196),
            ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6", 0x0756_b944_61c5_0fb0),
            ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq -", 0x662f_afb9_65db_29d4),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6", 0x22a4_8b5a_8e47_ff78),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq -", 0x652a_607c_a3f2_42c1),
            ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - -", 0x00fd_d303_c946_bdd9),
            ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3", 0x3c81_23ea_7b06_7637),
            ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq -", 0x5c3f_9b82_9b27_9560),
        ];
        for (fen, key) in cases {
            assert_eq!(position(&format!("{fen} 0 1")).key(), key, "{fen}");
        }
    }

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
