//! Errors in reading files.

use std::io;

use san::FenError;

/// An error in reading a file; entries before it are good.
#[derive(Debug, thiserror::Error)]
#[error("byte {offset}: {damage}")]
pub struct ReadError {
    /// The offset in bytes of the damaged part from the start of the file.
    pub offset: u64,
    /// The kind of damage.
    pub damage: Damage,
}

/// The kind of damage of a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// The file could not be read.
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
    /// The file ends within a record, game or block.
    #[error("the file ends within {0}")]
    Truncated(&'static str),
    /// A block of a binpack does not begin with `BINP`.
    #[error("a block of a binpack begins with BINP, this with {:?}", String::from_utf8_lossy(.0))]
    NoBlock([u8; 4]),
    /// A block is larger than any that Stockfish's tools read.
    #[error("the block has {0} bytes, more than 100 MiB")]
    BlockTooLarge(u32),
    /// A code of a piece that the format does not have, or has not on this square.
    #[error("unknown code {0} of the piece on {1}")]
    NoPiece(u8, san::Square),
    /// More pieces than there is room for.
    #[error("the position has {0} pieces, more than 32")]
    TooManyPieces(u32),
    /// The position is illegal.
    #[error("the position is illegal: {0}")]
    Illegal(#[source] FenError),
    /// The en passant square does not exist.
    #[error("unknown en passant square {0}")]
    NoSquare(u8),
    /// The move is not legal in the position.
    #[error("the move is illegal: {0:#06x} in {1}")]
    IllegalMove(u16, String),
    /// The number of a move is greater than the number of moves.
    #[error("the piece has {1} moves, and this is number {0}")]
    NoMove(u8, u32),
    /// A number without an end.
    #[error("the score has more than 16 bits")]
    LongNumber,
    /// A result other than loss, draw and win.
    #[error("unknown result {0}")]
    NoResult(u8),
}
