//! Positions of other kinds of chess: a slower way with the same promises, on shakmaty's rules.
//!
//! [`Position`](crate::Position) is chess, standard or Chess960, and nothing else, so that its way stays fast. What plays by
//! other rules stands here: Antichess, Atomic, Crazyhouse, Horde, King of the Hill, Racing Kings, Three-check.

use shakmaty::fen::{Epd, Fen};
use shakmaty::san::SanPlus;
use shakmaty::variant::{Variant, VariantPosition as Board};
use shakmaty::{CastlingMode, Color, EnPassantMode, Position as _};

use crate::error::{FenError, SanError};
use crate::fen::FieldStyle;
use crate::{CastlingStyle, EnPassantPolicy, resolve};

/// Names of variants without blanks, marks and capital letters, as tags have them.
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

/// A position of another kind of chess.
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
    /// The variant that a `Variant` tag names, with or without `960` behind it; `None` for chess and for what is not known.
    pub fn variant_named(name: &[u8]) -> Option<Variant> {
        let letters = name.iter().filter(|byte| byte.is_ascii_alphanumeric());
        let name: Vec<u8> = letters.map(u8::to_ascii_lowercase).collect();
        let name = name.strip_suffix(b"960").unwrap_or(&name);
        NAMES.iter().find(|(known, _)| known.as_bytes() == name).map(|(_, variant)| *variant)
    }

    /// Where games of the variant start.
    pub fn start(variant: Variant) -> Self {
        VariantPosition { board: Board::new(variant) }
    }

    /// Reads a FEN, with the pockets of Crazyhouse (`[Qp]` or `/Qp` behind the board) and the checks of Three-check (`3+3` behind
    /// the en passant field, `+0+0` at the end). `true` says that castling rights or an en passant square were left out
    /// that cannot be.
    ///
    /// # Errors
    ///
    /// If it is no FEN, or no position of the variant.
    #[allow(clippy::result_large_err)] // shakmaty gives the position back in its error, once a game.
    pub fn from_fen(variant: Variant, fen: &[u8]) -> Result<(Self, bool), FenError> {
        let fen = Fen::from_ascii(fen.trim_ascii()).map_err(|_| FenError::NoVariantFen)?;
        let setup = fen.into_setup();
        let mode = CastlingMode::detect(&setup);
        let mut repaired = false;
        let board = Board::from_setup(variant, setup, mode)
            .or_else(|error| {
                repaired = true;
                error.ignore_invalid_castling_rights()
            })
            .or_else(|error| error.ignore_invalid_ep_square())
            .or_else(|error| error.ignore_too_much_material())
            .map_err(|_| FenError::NotInVariant)?;
        Ok((VariantPosition { board }, repaired))
    }

    /// Finds the move that a token means, in the spellings that [`resolve()`](crate::resolve()) knows, and drops: `N@f3`, `P@e4` or `@e4`.
    ///
    /// # Errors
    ///
    /// If the token is no move, or none that is legal here, or more than one.
    pub fn resolve(&self, token: &[u8]) -> Result<VariantMove, SanError> {
        resolve::in_variant(&self.board, token).map(VariantMove)
    }

    /// Plays a move that was found in this very position.
    pub fn play(&mut self, next: VariantMove) {
        self.board.play_unchecked(next.0);
    }

    /// The move in SAN.
    pub fn san_of(&self, next: VariantMove) -> String {
        SanPlus::from_move(self.board.clone(), next.0).to_string()
    }

    /// The four fields of an EPD record; pockets stand behind the board, checks that remain behind the en passant field.
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

    /// Castling rights, White's before Black's, kingside before queenside.
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

    /// Whose turn it is.
    pub fn turn(&self) -> Color {
        self.board.turn()
    }

    /// Plies since the last capture or move of a pawn.
    pub fn halfmoves(&self) -> u32 {
        self.board.halfmoves()
    }

    /// The number of the full move.
    pub fn fullmoves(&self) -> u32 {
        self.board.fullmoves().get()
    }
}
