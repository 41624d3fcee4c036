//! FEN, X-FEN and Shredder-FEN: text to [`Setup`] and [`Position`], [`Position`] to text.

mod placement;
mod read;

use crate::buffer::Line;
use crate::castling::CastlingStyle;
use crate::en_passant::EnPassantPolicy;
use crate::error::FenError;
use crate::position::Position;
use crate::setup::Setup;
use crate::{castling, en_passant};

/// Style of the fields that have more than one notation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FieldStyle {
    /// The castling rights.
    pub castling: CastlingStyle,
    /// When to write an en passant square.
    pub en_passant: EnPassantPolicy,
}

impl Setup {
    /// Reads a FEN, X-FEN or Shredder-FEN (PGN standard 16.1).
    ///
    /// Accepts: spaces around and between the fields, `W` and `B` for the side to move, missing
    /// fields after it, `-` for a clock, a fullmove number of 0. [`Setup::repair`] lists which of
    /// these occurred.
    ///
    /// # Errors
    ///
    /// If the text is not a FEN. Legality is not checked here.
    pub fn from_fen(fen: &[u8]) -> Result<Self, FenError> {
        read::read(fen)
    }

    /// Reads the four fields of an EPD record, passed separately (EPD 3). The clocks are 0 and 1.
    ///
    /// # Errors
    ///
    /// If a field is malformed; [`FenError::field`] tells which. Legality is not checked here.
    ///
    /// ```
    /// use san::{Field, Setup};
    ///
    /// assert!(Setup::from_fields(["4k3/8/8/8/8/8/8/4K3", "w", "-", "-"]).is_ok());
    /// let error = Setup::from_fields(["4k3/8/8/8/8/8/8/4K3", "x", "-", "-"]).unwrap_err();
    /// assert_eq!(error.field(), Some(Field::SideToMove));
    /// ```
    #[inline(always)]
    pub fn from_fields(fields: [&str; 4]) -> Result<Self, FenError> {
        read::read_fields(fields.map(str::as_bytes))
    }
}

impl Position {
    /// Reads a FEN, X-FEN or Shredder-FEN (PGN standard 16.1). Missing fields at the end default to
    /// `- - 0 1`.
    ///
    /// # Errors
    ///
    /// If it is not a FEN, or the position is not legal; impossible castling rights and en passant
    /// squares are errors too. [`Setup::repair`] can remove those.
    ///
    /// ```
    /// use san::{FenError, Position};
    ///
    /// assert!(Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").is_ok());
    /// let error = Position::from_fen("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1").unwrap_err();
    /// assert_eq!(error.to_string(), "Black is in check, but it is White's turn");
    /// ```
    pub fn from_fen(fen: impl AsRef<[u8]>) -> Result<Self, FenError> {
        Setup::from_fen(fen.as_ref())?.into_position()
    }
}

/// Writes the four fields of an EPD record (EPD 3).
///
/// ```
/// use san::{Buffer, FieldStyle, Position};
///
/// let mut buffer = Buffer::default();
/// let mut line = buffer.line();
/// san::write_fields(&Position::default(), FieldStyle::default(), &mut line);
/// line.finish();
/// assert_eq!(buffer.as_bytes(), b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
/// ```
#[inline(always)]
pub fn write_fields(position: &Position, style: FieldStyle, line: &mut Line<'_>) {
    placement::write(position, line);
    castling::write(position, style.castling, line);
    en_passant::write(position.en_passant(style.en_passant), line);
}

/// Writes the six fields of a FEN (PGN standard 16.1).
#[inline(always)]
pub fn write_fen(position: &Position, style: FieldStyle, line: &mut Line<'_>) {
    write_fields(position, style, line);
    line.push(b' ');
    line.number(position.halfmoves);
    line.push(b' ');
    line.number(position.fullmoves);
}
