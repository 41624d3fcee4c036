//! Common interface of positions of chess and its variants, as used by facts, records and labels.

use std::fmt::Debug;

use shakmaty::{Color, Role, Square};

use crate::buffer::Line;
use crate::error::SanError;
use crate::fen::FieldStyle;
use crate::moves::{Kind, Move};
use crate::position::Position;
use crate::position_key::PositionKey;
use crate::write::MoveText;

/// Key for detecting repetitions (FIDE Laws 9.2). Created by [`AnyPosition::repetition_key`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RepetitionKey {
    /// The key of a chess position.
    Chess(PositionKey),
    /// The whole position of a variant, since pockets, promoted pieces and checks count too. The
    /// clocks have fixed values.
    Variant(Box<shakmaty::Setup>),
}

/// A position of chess or of a variant, with its moves.
///
/// ```
/// use san::{AnyPosition, Position, VariantPosition};
///
/// fn first_move<P: AnyPosition>(position: &P) -> Option<String> {
///     let mv = position.resolve(b"e4").ok()?;
///     Some(position.uci_of(mv).to_string())
/// }
/// let atomic = VariantPosition::start(VariantPosition::variant_named(b"Atomic").unwrap());
/// assert_eq!(first_move(&Position::default()), first_move(&atomic));
/// ```
pub trait AnyPosition: Clone + Debug {
    /// A legal move of such a position.
    type Move: Copy + Debug + PartialEq;

    /// Returns the side to move.
    fn turn(&self) -> Color;

    /// Returns the number of plies since the last capture or pawn move.
    fn halfmoves(&self) -> u32;

    /// Returns the fullmove number.
    fn fullmoves(&self) -> u32;

    /// Returns the number of pieces on the board, including kings and pawns.
    fn piece_count(&self) -> u32;

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool;

    /// Whether neither side can win, whatever it plays.
    fn is_insufficient_material(&self) -> bool;

    /// Whether the game is over: no move is legal, neither side can win, or one has won by the
    /// rules of a variant.
    fn is_finished(&self) -> bool;

    /// Returns a key for detecting repetitions.
    fn repetition_key(&self) -> RepetitionKey;

    /// Returns the position if it is one of chess.
    fn as_chess(&self) -> Option<&Position>;

    /// Returns the Polyglot key, which is defined for chess only.
    fn polyglot_key(&self) -> Option<u64>;

    /// Returns the move that a token denotes.
    ///
    /// # Errors
    ///
    /// If the token is not a move, or if it matches no legal move or more than one.
    fn resolve(&self, token: &[u8]) -> Result<Self::Move, SanError>;

    /// Plays a move that was created for this position.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// Returns the move in SAN.
    fn san_of(&self, mv: Self::Move) -> MoveText;

    /// Returns the move in UCI notation.
    fn uci_of(&self, mv: Self::Move) -> MoveText;

    /// Returns the squares that a move leaves and reaches, of the king when castling; `None` for a
    /// piece dropped.
    fn squares_of(&self, mv: Self::Move) -> Option<(Square, Square)>;

    /// Whether the move is a capture.
    fn is_capture(&self, mv: Self::Move) -> bool;

    /// Whether the move is a promotion.
    fn is_promotion(&self, mv: Self::Move) -> bool;

    /// Whether the move is castling.
    fn is_castling(&self, mv: Self::Move) -> bool;

    /// Returns the kind of the piece moved; castling is a move of the king.
    fn role_of(&self, mv: Self::Move) -> Role;

    /// Writes the four fields of an EPD record.
    fn write_fields(&self, style: FieldStyle, line: &mut Line<'_>);

    /// Writes the six fields of a FEN.
    fn write_fen(&self, style: FieldStyle, line: &mut Line<'_>) {
        self.write_fields(style, line);
        line.push(b' ');
        line.number(self.halfmoves());
        line.push(b' ');
        line.number(self.fullmoves());
    }
}

impl AnyPosition for Position {
    type Move = Move;

    #[inline(always)]
    fn turn(&self) -> Color {
        self.turn()
    }

    #[inline(always)]
    fn halfmoves(&self) -> u32 {
        self.halfmoves()
    }

    #[inline(always)]
    fn fullmoves(&self) -> u32 {
        self.fullmoves()
    }

    #[inline(always)]
    fn piece_count(&self) -> u32 {
        self.occupied().count() as u32
    }

    #[inline(always)]
    fn is_check(&self) -> bool {
        self.is_check()
    }

    fn is_insufficient_material(&self) -> bool {
        self.is_insufficient_material()
    }

    fn is_finished(&self) -> bool {
        self.is_insufficient_material() || !self.has_legal_move()
    }

    #[inline]
    fn repetition_key(&self) -> RepetitionKey {
        RepetitionKey::Chess(PositionKey::of(self))
    }

    #[inline(always)]
    fn as_chess(&self) -> Option<&Position> {
        Some(self)
    }

    #[inline(always)]
    fn polyglot_key(&self) -> Option<u64> {
        Some(self.key())
    }

    fn resolve(&self, token: &[u8]) -> Result<Move, SanError> {
        crate::resolve(self, token)
    }

    #[inline(always)]
    fn play_unchecked(&mut self, mv: Move) {
        self.play_unchecked(mv);
    }

    #[inline(always)]
    fn san_of(&self, mv: Move) -> MoveText {
        crate::san_of(self, mv)
    }

    #[inline(always)]
    fn uci_of(&self, mv: Move) -> MoveText {
        self.uci_of(mv)
    }

    #[inline(always)]
    fn squares_of(&self, mv: Move) -> Option<(Square, Square)> {
        Some((mv.from(), mv.to()))
    }

    #[inline(always)]
    fn is_capture(&self, mv: Move) -> bool {
        mv.is_capture()
    }

    #[inline(always)]
    fn is_promotion(&self, mv: Move) -> bool {
        mv.promotion().is_some()
    }

    #[inline(always)]
    fn is_castling(&self, mv: Move) -> bool {
        mv.kind == Kind::Castle
    }

    #[inline(always)]
    fn role_of(&self, mv: Move) -> Role {
        mv.role()
    }

    #[inline(always)]
    fn write_fields(&self, style: FieldStyle, line: &mut Line<'_>) {
        crate::write_fields(self, style, line);
    }

    #[inline(always)]
    fn write_fen(&self, style: FieldStyle, line: &mut Line<'_>) {
        crate::write_fen(self, style, line);
    }
}
