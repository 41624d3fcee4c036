//! What can go wrong.

use std::io;
use std::path::PathBuf;

/// Why there is no book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The disk of the temporary files is full, say.
    #[error("the temporary files in {folder} cannot be written or read")]
    Temporary {
        /// Where they are.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is no partial result, or damaged.
    #[error("{name} cannot be read as a partial result: {reason}")]
    Partial {
        /// Its name.
        name: String,
        /// Why.
        reason: String,
    },
    /// The format is one that this program was built without.
    #[error(
        "this program was built without Arrow and Parquet: build it with `cargo build --release --features arrow`"
    )]
    NoColumns,
    /// Partial results of different kinds cannot become one.
    #[error("{name} was counted in another way than the others: {theirs}, not {ours}")]
    Different {
        /// The one that differs.
        name: String,
        /// How it was counted.
        theirs: String,
        /// How the others were.
        ours: String,
    },
    /// The moves of games are needed, and were not kept.
    #[error("there are no moves to write: this partial result was made without --moves")]
    NoMoves,
    /// What was counted holds no legal position: a partial result is damaged.
    #[error("a position that was counted is not legal: {0}")]
    Position(#[from] san::FenError),
    /// Two positions or moves cannot be told apart in the format.
    #[error("a Polyglot book cannot hold this: {0}")]
    Polyglot(String),
    /// The output cannot be written.
    #[error("the output cannot be written")]
    Write(#[source] io::Error),
}

impl BookError {
    /// A partial result that fails as it is read.
    pub(crate) fn partial(name: &str, error: &io::Error) -> Self {
        let reason = match error.kind() {
            io::ErrorKind::UnexpectedEof => "it ends early".to_owned(),
            _ => error.to_string(),
        };
        BookError::Partial { name: name.to_owned(), reason }
    }
}
