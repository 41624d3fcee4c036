//! The values that facts have.

use std::time::Duration;

use san::MoveText;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FactValue<'v> {
    Number(u64),
    Signed(i32),
    Decimal(f64),
    Seconds(Duration),
    Key(u64),
    Packed([u8; 32]),
    /// Days since 1 January 1970.
    Date(i32),
    Board([u8; 64]),
    Bitboards([u64; 12]),
    /// The legal moves, which the caller lists with [`legal_moves`](super::value::legal_moves).
    LegalMoves,
    Truth(bool),
    Text(&'v str),
    Move(MoveText),
    /// A text that the caller writes with [`write_text`](super::value::write_text).
    Written(Written),
}

/// A text that is not made before it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Written {
    /// The field of the FEN with this number, from 0; nothing if it is a hyphen.
    Field(usize),
    /// The four fields of the position.
    Epd,
    /// The six fields.
    Fen,
    Nags,
    /// The text of the comments; nothing if that is empty.
    Comment,
    /// The pieces.
    Material,
}
