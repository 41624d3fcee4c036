//! FEN, X-FEN and Shredder-FEN: text to [`Setup`](crate::Setup), [`Position`] to text.

mod placement;
mod read;

use crate::{CastlingStyle, EnPassantPolicy, Line, Position, castling, en_passant};

pub(crate) use read::{read, read_fields};

/// How the fields are written that have more than one form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FieldStyle {
    /// The castling rights.
    pub castling: CastlingStyle,
    /// When there is an en passant square.
    pub en_passant: EnPassantPolicy,
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
