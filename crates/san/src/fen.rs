//! FEN, X-FEN and Shredder-FEN: text to [`Setup`](crate::Setup), [`Position`] to text.

mod placement;
mod read;

use crate::buffer::Line;
use crate::castling::CastlingStyle;
use crate::en_passant::EnPassantPolicy;
use crate::position::Position;
use crate::{castling, en_passant};

pub(crate) use read::{read, read_fields};

/// Style of the fields that have more than one notation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FieldStyle {
    /// The castling rights.
    pub castling: CastlingStyle,
    /// When to write an en passant square.
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
