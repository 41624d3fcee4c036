//! Positions of chess variants, by shakmaty's rules: Antichess, Atomic, Crazyhouse, Horde, King of
//! the Hill, Racing Kings, Three-check. [`Position`](crate::Position) covers only standard chess
//! and Chess960, which keeps it fast.

use std::fmt::Debug;

use shakmaty::fen::{Epd, Fen};
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::variant::{Variant, VariantPosition as Board};
use shakmaty::{
    CastlingMode, Color, EnPassantMode, File, Position as _, PositionErrorKinds, Role, Square,
};

use crate::buffer::{Buffer, Line};
use crate::error::{FenError, SanError};
use crate::fen::{CastlingStyle, EnPassantPolicy, FieldStyle};
use crate::keys::PositionKey;
use crate::position::{Move, MoveKind, Position};
use crate::resolve;
use crate::write::MoveText;

// The interface that positions of chess and of its variants share, for facts, records and labels.

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

    /// Whether no move is legal, neither side can win, or one has by the rules of a variant.
    fn is_finished(&self) -> bool;

    /// Returns a key for detecting repetitions.
    fn repetition_key(&self) -> RepetitionKey;

    /// Returns the position if it is one of chess.
    fn as_chess(&self) -> Option<&Position>;

    /// Returns the move that a token denotes. Fails if the token is not a move, or if it matches no
    /// legal move or more than one.
    fn resolve(&self, token: &[u8]) -> Result<Self::Move, SanError>;

    /// Plays a move that was created for this position.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// Returns the move in SAN.
    fn san_of(&self, mv: Self::Move) -> MoveText;

    /// Returns the move in UCI notation.
    fn uci_of(&self, mv: Self::Move) -> MoveText;

    /// Returns the squares that a move (castling: the king) leaves and reaches; `None` for a drop.
    fn squares_of(&self, mv: Self::Move) -> Option<(Square, Square)>;

    /// Whether the move is a capture.
    fn is_capture(&self, mv: Self::Move) -> bool;

    /// Whether the move is castling.
    fn is_castling(&self, mv: Self::Move) -> bool;

    /// Returns the kind of the piece moved; castling is a move of the king.
    fn role_of(&self, mv: Self::Move) -> Role;

    /// Writes the four fields of an EPD record.
    fn write_fields(&self, style: FieldStyle, line: &mut Line<'_>);

    /// Returns the six fields of a FEN.
    fn fen(&self, style: FieldStyle) -> String {
        let mut buffer = Buffer::default();
        let mut line = buffer.line();
        self.write_fen(style, &mut line);
        line.finish();
        String::from_utf8_lossy(buffer.as_bytes()).into_owned()
    }

    /// Writes the six fields of a FEN.
    #[inline(always)]
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
    fn is_castling(&self, mv: Move) -> bool {
        mv.kind == MoveKind::Castle
    }

    #[inline(always)]
    fn role_of(&self, mv: Move) -> Role {
        mv.role()
    }

    #[inline(always)]
    fn write_fields(&self, style: FieldStyle, line: &mut Line<'_>) {
        crate::write_fields(self, style, line);
    }
}

/// Names of variants in `Variant` tags, without spaces and punctuation, in lower case.
const NAMES: &[(&str, Variant)] = &[
    ("antichess", Variant::Antichess),
    ("giveaway", Variant::Antichess),
    ("suicide", Variant::Antichess),
    ("atomic", Variant::Atomic),
    ("crazyhouse", Variant::Crazyhouse),
    ("zh", Variant::Crazyhouse),
    ("horde", Variant::Horde),
    ("kingofthehill", Variant::KingOfTheHill),
    ("koth", Variant::KingOfTheHill),
    ("racingkings", Variant::RacingKings),
    ("racing", Variant::RacingKings),
    ("threecheck", Variant::ThreeCheck),
    ("3check", Variant::ThreeCheck),
];

/// A position of a chess variant.
///
/// ```
/// use san::VariantPosition;
///
/// let mut position = VariantPosition::start(VariantPosition::variant_named(b"Crazyhouse").unwrap());
/// for token in ["e4", "d5", "exd5", "Qxd5", "P@e4"] {
///     let next = position.resolve(token.as_bytes())?;
///     position.play(next);
/// }
/// assert_eq!(
///     position.fields(san::FieldStyle::default()),
///     "rnb1kbnr/ppp1pppp/8/3q4/4P3/8/PPPP1PPP/RNBQKBNR[p] b KQkq -",
/// );
/// # Ok::<_, san::SanError>(())
/// ```
#[derive(Clone, Debug)]
pub struct VariantPosition {
    board: Board,
}

/// A legal move of a [`VariantPosition`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariantMove(shakmaty::Move);

impl VariantPosition {
    /// Returns the variant of a `Variant` tag, with or without `960` at its end; `None` for chess.
    pub fn variant_named(name: &[u8]) -> Option<Variant> {
        let letters = name.iter().filter(|byte| byte.is_ascii_alphanumeric());
        let name: Vec<u8> = letters.map(u8::to_ascii_lowercase).collect();
        let name = name.strip_suffix(b"960").unwrap_or(&name);
        NAMES.iter().find(|(known, _)| known.as_bytes() == name).map(|(_, variant)| *variant)
    }

    /// Returns the starting position of the variant.
    pub fn start(variant: Variant) -> Self {
        VariantPosition { board: Board::new(variant) }
    }

    /// Reads a FEN, with the pockets of Crazyhouse (`[Qp]` or `/Qp` after the board) and the checks
    /// of Three-check (`3+3` after the en passant field, `+0+0` at the end). Also returns whether
    /// the FEN was repaired: impossible castling rights or en passant squares were removed, or two
    /// consecutive digits were added up. Fails if it is not a FEN, or not a legal position of the
    /// variant: the rules of chess apply unless those of the variant differ (36 pawns in Horde,
    /// pieces that changed sides in Crazyhouse).
    ///
    /// ```
    /// use san::{FenError, VariantPosition};
    ///
    /// let atomic = VariantPosition::variant_named(b"Atomic").unwrap();
    /// let fen = b"rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// assert_eq!(VariantPosition::from_fen(atomic, fen).unwrap_err(), FenError::VariantMaterial);
    /// ```
    pub fn from_fen(variant: Variant, fen: &[u8]) -> Result<(Self, bool), FenError> {
        match Self::playable_from_fen(variant, fen)? {
            (position, is_repaired, None) => Ok((position, is_repaired)),
            (_, _, Some(error)) => Err(error),
        }
    }

    /// Like [`VariantPosition::from_fen`], but also reads positions that no game leads to if moves
    /// can be played from them: more pieces than possible, impossible checks. Also returns that
    /// reason. Fails if it is not a FEN, or moves cannot be played.
    ///
    /// ```
    /// use san::{FenError, VariantPosition};
    ///
    /// let atomic = VariantPosition::variant_named(b"Atomic").unwrap();
    /// let fen = b"rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// let (position, _, oddity) = VariantPosition::playable_from_fen(atomic, fen)?;
    /// assert_eq!(oddity, Some(FenError::VariantMaterial));
    /// assert!(position.resolve(b"e4").is_ok());
    /// # Ok::<_, FenError>(())
    /// ```
    #[allow(clippy::result_large_err)] // shakmaty gives the position back in its error, once a game.
    pub fn playable_from_fen(
        variant: Variant,
        fen: &[u8],
    ) -> Result<(Self, bool, Option<FenError>), FenError> {
        let fen = fen.trim_ascii();
        let placement = fen.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        let mut repaired = placement.windows(2).any(|two| two.iter().all(u8::is_ascii_digit));
        let fen = Fen::from_ascii(fen).map_err(|_| FenError::NoVariantFen)?;
        let setup = fen.into_setup();
        let mode = CastlingMode::detect(&setup);
        let board = Board::from_setup(variant, setup, mode)
            .or_else(|error| {
                repaired |= error.kinds().intersects(
                    PositionErrorKinds::INVALID_CASTLING_RIGHTS
                        | PositionErrorKinds::INVALID_EP_SQUARE,
                );
                error.ignore_invalid_castling_rights()
            })
            .or_else(|error| error.ignore_invalid_ep_square());
        let error = match board {
            Ok(board) => return Ok((VariantPosition { board }, repaired, None)),
            Err(error) => error,
        };
        let reason = match error.kinds() {
            PositionErrorKinds::TOO_MUCH_MATERIAL => FenError::VariantMaterial,
            _ => FenError::NotInVariant,
        };
        let board = error
            .ignore_too_much_material()
            .or_else(|error| error.ignore_impossible_check())
            .map_err(|_| reason)?;
        Ok((VariantPosition { board }, repaired, Some(reason)))
    }

    /// Returns the variant.
    pub fn variant(&self) -> Variant {
        self.board.variant()
    }

    /// Returns the move that a token denotes, in the notations accepted by
    /// [`resolve()`](crate::resolve()), or a drop: `N@f3`, `P@e4` or `@e4`. Fails if the token is
    /// not a move, or matches no legal move or more than one.
    pub fn resolve(&self, token: &[u8]) -> Result<VariantMove, SanError> {
        resolve::in_variant(&self.board, token).map(VariantMove)
    }

    /// Returns a key, which is that of no position of chess: a hash of the variant and the fields,
    /// with the en passant square if a capture is legal.
    pub fn key(&self) -> PositionKey {
        let style = FieldStyle { en_passant: EnPassantPolicy::Legal, ..FieldStyle::default() };
        let fields = self.fields(style);
        PositionKey([1, 2, 3, 4_u64].map(|seed| {
            let start = seed << 8 | self.variant() as u64;
            fields.bytes().fold(start, |hash, byte| {
                let mixed = (hash ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                mixed ^ mixed >> (27 + seed)
            })
        }))
    }

    /// Plays a move that was created for this position.
    pub fn play(&mut self, mv: VariantMove) {
        self.board.play_unchecked(mv.0);
    }

    /// Returns the four fields of an EPD record, with pockets and remaining checks.
    pub fn fields(&self, style: FieldStyle) -> String {
        let mode = match style.en_passant {
            EnPassantPolicy::Always => EnPassantMode::Always,
            EnPassantPolicy::Pseudo => EnPassantMode::PseudoLegal,
            EnPassantPolicy::Legal => EnPassantMode::Legal,
        };
        let text = Epd::from_position(&self.board, mode).to_string();
        let rights = self.board.castles().castling_rights();
        if style.castling == CastlingStyle::XFen || rights.is_empty() {
            return text;
        }
        let mut fields: Vec<&str> = text.split(' ').collect();
        let written = self.rights(style.castling);
        fields[2] = &written;
        fields.join(" ")
    }

    /// Returns the castling rights, White before Black, kingside before queenside.
    fn rights(&self, style: CastlingStyle) -> String {
        let mut text = String::new();
        for color in [Color::White, Color::Black] {
            for side in [shakmaty::CastlingSide::KingSide, shakmaty::CastlingSide::QueenSide] {
                let Some(rook) = self.board.castles().rook(color, side) else { continue };
                let letter = match style {
                    CastlingStyle::Shredder => rook.file().char(),
                    _ if side.is_king_side() => 'k',
                    _ => 'q',
                };
                text.push(if color.is_white() { letter.to_ascii_uppercase() } else { letter });
            }
        }
        text
    }
}

impl AnyPosition for VariantPosition {
    type Move = VariantMove;

    fn turn(&self) -> Color {
        self.board.turn()
    }

    fn halfmoves(&self) -> u32 {
        self.board.halfmoves()
    }

    fn fullmoves(&self) -> u32 {
        self.board.fullmoves().get()
    }

    fn piece_count(&self) -> u32 {
        self.board.board().occupied().count() as u32
    }

    fn is_check(&self) -> bool {
        self.board.is_check()
    }

    fn is_insufficient_material(&self) -> bool {
        self.board.is_insufficient_material()
    }

    fn is_finished(&self) -> bool {
        self.board.is_game_over()
    }

    fn repetition_key(&self) -> RepetitionKey {
        let mut setup = self.board.to_setup(EnPassantMode::Legal);
        (setup.halfmoves, setup.fullmoves) = (0, std::num::NonZeroU32::MIN);
        RepetitionKey::Variant(Box::new(setup))
    }

    fn as_chess(&self) -> Option<&Position> {
        None
    }

    fn resolve(&self, token: &[u8]) -> Result<VariantMove, SanError> {
        self.resolve(token)
    }

    fn play_unchecked(&mut self, mv: VariantMove) {
        self.play(mv);
    }

    fn san_of(&self, mv: VariantMove) -> MoveText {
        MoveText::of(&SanPlus::from_move(self.board.clone(), mv.0).to_string())
    }

    fn uci_of(&self, mv: VariantMove) -> MoveText {
        let mode = self.board.castles().mode();
        MoveText::of(&UciMove::from_move(mv.0, mode).to_string())
    }

    fn squares_of(&self, mv: VariantMove) -> Option<(Square, Square)> {
        let to = match mv.0 {
            shakmaty::Move::Castle { king, rook } => {
                let file = if rook > king { File::G } else { File::C };
                Square::from_coords(file, king.rank())
            }
            _ => mv.0.to(),
        };
        Some((mv.0.from()?, to))
    }

    fn is_capture(&self, mv: VariantMove) -> bool {
        mv.0.is_capture()
    }

    fn is_castling(&self, mv: VariantMove) -> bool {
        mv.0.is_castle()
    }

    fn role_of(&self, mv: VariantMove) -> Role {
        mv.0.role()
    }

    fn write_fields(&self, style: FieldStyle, line: &mut Line<'_>) {
        line.slice(self.fields(style).as_bytes());
    }
}
