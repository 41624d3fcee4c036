//! Errors in opening files.

use epd::EpdDiagnosticKind;
use san::{FenError, SanError};

/// An error in an opening file, and its location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {reason}")]
pub struct LoadError {
    /// Line number, from 1.
    pub line: u64,
    /// Column in characters, from 1.
    pub column: u64,
    /// The reason.
    pub reason: LoadReason,
}

/// Why an opening file was rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadReason {
    /// The format is not recognized.
    #[error(
        "unknown format of an opening table; supported are those of Lichess (eco, name, pgn), EPD records, PGN, .eco files of SCID, and CSV of code and EPD"
    )]
    Unknown,
    /// A required column is missing.
    #[error("missing column {0}")]
    NoColumn(&'static str),
    /// Neither a name nor a code.
    #[error("this line has neither a code nor a name")]
    NoName,
    /// A move that cannot be played.
    #[error("{token}: illegal: {error}")]
    Move {
        /// The move as written.
        token: String,
        /// Why it cannot be played.
        error: SanError,
    },
    /// The position is invalid.
    #[error("{0}")]
    Position(FenError),
    /// An EPD record that cannot be read.
    #[error("{0}")]
    Record(EpdDiagnosticKind),
    /// The name is not quoted.
    #[error("the name is not quoted")]
    NoQuotes,
    /// Invalid CSV.
    #[error("{0}")]
    Csv(String),
    /// Text of a PGN file that is lost.
    #[error("{0}")]
    Text(pgn::PgnDiagnosticKind),
    /// Text that is neither a move nor a comment.
    #[error("{0}: neither a move nor a comment")]
    Token(String),
}
