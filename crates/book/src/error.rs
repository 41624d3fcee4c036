//! Errors of counting, merging and writing books.

use std::io;

use stream::spill::SpillError;

/// Why a count file cannot be read.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum CountFileError {
    #[error("it cannot be read")]
    Read(#[from] io::Error),
    #[error("it is neither an explorer file nor a partial result of `pgn2epd book`")]
    NotExplorer,
    #[error("it has version {0} of the format, and this program reads version {1}")]
    Version(u32, u32),
    #[error("it is damaged at byte {at}: {reason}")]
    Damaged { at: u64, reason: String },
    #[error(
        "it is compressed, and this program was built without zstd: build it with the feature `zstd`"
    )]
    NoZstd,
}

/// Why a book could not be made.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum BookError {
    /// A temporary file failed.
    #[error(transparent)]
    Temporary(SpillError),
    /// The book cannot be made of these counts or in this format; the reason.
    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    File(#[from] CountFileError),
    #[error("a position that was counted is not legal: {0}")]
    Position(#[from] san::FenError),
    /// An engine cannot evaluate the positions.
    #[error(transparent)]
    Evaluate(Box<dyn std::error::Error + Send + Sync>),
    #[error("the output cannot be written")]
    Write(#[source] io::Error),
}

impl From<io::Error> for BookError {
    fn from(error: io::Error) -> Self {
        let error = error.downcast().map_or_else(|error| error.downcast().map(Self::Temporary), Ok);
        error.unwrap_or_else(BookError::Write)
    }
}

impl BookError {
    pub(crate) fn partial(name: &str, error: CountFileError) -> Self {
        let reason = match error {
            CountFileError::Read(error) => error.to_string(),
            error => error.to_string(),
        };
        BookError::Refused(format!("cannot read {name} as a partial result: {reason}"))
    }
}
