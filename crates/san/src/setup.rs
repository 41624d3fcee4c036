//! The content of a FEN, legal or not.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, CastlingSide, Color, File, Role, Square};

use crate::error::{FenError, Field};
use crate::mailbox::Mailbox;
use crate::position::{CastlingNotation, Position};

/// A position that may be illegal, with rights that may be impossible: the content of a FEN.
///
/// ```
/// use san::Setup;
///
/// // Rights without rooks, and no pawn that could have advanced.
/// let mut setup = Setup::from_fen(b"4k3/8/8/8/8/8/4P3/4K3 w KQ e6 0 1")?;
/// assert!(setup.clone().into_position().is_err());
/// assert_eq!(setup.repair().len(), 3);
/// assert_eq!(setup.into_position()?.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
/// # Ok::<_, san::FenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    pub(crate) letters: Mailbox,
    pub(crate) by_role: [Bitboard; 6],
    pub(crate) by_color: [Bitboard; 2],
    pub(crate) turn: Color,
    pub(crate) rights: ArrayVec<Right, 16>,
    pub(crate) en_passant: Option<Square>,
    pub(crate) halfmoves: u32,
    pub(crate) fullmoves: u32,
    pub(crate) repairs: ArrayVec<Repair, 8>,
}

/// A castling right as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Right {
    /// `K` or `Q`: the right of the outermost rook.
    Side(Color, CastlingSide),
    /// `A` to `H`: the right of the rook on this file.
    File(Color, File),
}

/// A repair of a FEN that has one sensible reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Repair {
    /// An impossible castling right or en passant square was removed.
    #[error("{0}: left out")]
    LeftOut(FenError),
    /// The en passant field names the square of the pawn that has just advanced.
    #[error("the en passant field names the square of the pawn, {pawn}: taken as {passed}")]
    SquareOfPawn {
        /// The square of the pawn.
        pawn: Square,
        /// The square over which it advanced.
        passed: Square,
    },
    /// The FEN ends early.
    #[error("no {}: taken as {}", field_name(*.0), field_default(*.0))]
    Missing(Field),
    /// `W` or `B` instead of `w` or `b`.
    #[error("the side to move is a capital letter: taken as the small one")]
    CapitalSide,
    /// `-` instead of a clock.
    #[error("the {} is -: taken as {}", field_name(*.0), field_default(*.0))]
    Dash(Field),
    /// In a variant: impossible castling rights or en passant square, or several consecutive
    /// digits.
    #[error(
        "impossible castling rights or en passant square left out, or digits in a row read as their sum"
    )]
    OfVariant,
    /// A trailing semicolon, as after an operation of EPD.
    #[error("trailing semicolon: ignored")]
    Semicolon,
    /// Fullmove numbers begin with 1.
    #[error("the fullmove number is 0: taken as 1")]
    ZeroFullmove,
}

fn field_name(field: Field) -> &'static str {
    match field {
        Field::Placement => "piece placement",
        Field::SideToMove => "side to move",
        Field::Castling => "castling field",
        Field::EnPassant => "en passant field",
        Field::HalfmoveClock => "halfmove clock",
        Field::FullmoveNumber => "fullmove number",
    }
}

fn field_default(field: Field) -> &'static str {
    match field {
        Field::HalfmoveClock => "0",
        Field::FullmoveNumber => "1",
        _ => "-",
    }
}

impl Setup {
    /// Returns the side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Sets the clocks: plies since the last capture or pawn move, and the fullmove number.
    pub fn set_clocks(&mut self, halfmoves: u32, fullmoves: u32) {
        (self.halfmoves, self.fullmoves) = (halfmoves, fullmoves.max(1));
    }

    /// Sets the en passant square, which need not be possible.
    pub fn set_en_passant(&mut self, square: Option<Square>) {
        self.en_passant = square;
    }

    /// Returns the FEN letter of the piece on a square.
    pub fn letter(&self, square: Square) -> Option<char> {
        Some(self.letters[square]).filter(|letter| *letter != 0).map(char::from)
    }

    #[inline]
    pub(crate) fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.by_role[role as usize - 1] & self.by_color[color as usize]
    }

    pub(crate) fn only_king(&self, color: Color) -> Option<Square> {
        self.pieces(color, Role::King).single_square()
    }

    /// Returns the position without rights and en passant square; both kings must exist.
    pub(crate) fn bare_position(&self) -> Position {
        Position {
            letters: self.letters.clone(),
            by_role: self.by_role,
            by_color: self.by_color,
            castling_rooks: Bitboard::EMPTY,
            turn: self.turn,
            en_passant: None,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
            notation: CastlingNotation { takes_rook: false },
        }
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Self {
        let rights = position.castling_rooks.into_iter().map(|rook| {
            let color = Color::from_white(position.side(Color::White).contains(rook));
            Right::File(color, rook.file())
        });
        Setup {
            letters: position.letters.clone(),
            by_role: position.by_role,
            by_color: position.by_color,
            turn: position.turn,
            rights: rights.collect(),
            en_passant: position.en_passant,
            halfmoves: position.halfmoves,
            fullmoves: position.fullmoves,
            repairs: ArrayVec::new(),
        }
    }
}
