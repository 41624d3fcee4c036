//! What can be wrong with an input as a file, before anything is read as chess.

use std::io;

use super::Format;

/// Why an input is not read, or not to its end. It comes inside of an [`io::Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// Compressed data, or UTF-16 text, that ends in the middle.
    #[error("the {0} data ends too early")]
    Truncated(Format),
    /// Compressed data that is not what it should be.
    #[error("the {format} data is damaged: {reason}")]
    Damaged {
        /// The format that it begins as.
        format: Format,
        /// What the decoder says.
        reason: String,
    },
    /// An archive without games.
    #[error("there is no .pgn file in this {0} archive")]
    NoGames(Format),
    /// Compressed, and compressed again, and again.
    #[error("this is compressed more than {0} times")]
    TooManyLayers(usize),
    /// An archive inside of something compressed.
    #[error("there is a {0} archive inside; unpack it first")]
    ArchiveInside(Format),
    /// An encoding that is not read.
    #[error("this is {0} text; convert it to UTF-8 first, as with `iconv -f {0} -t UTF-8`")]
    Unsupported(Format),
    /// Compressed, but this program was built without the feature `compression`.
    #[error("this is a {0} file, and this program was built to read none")]
    NotBuiltFor(Format),
}

impl SourceError {
    /// What a decoder's error means. That the file itself cannot be read is another matter.
    #[cfg_attr(not(feature = "compression"), allow(dead_code))]
    pub(super) fn of(format: Format, error: io::Error) -> io::Error {
        let is_ours = error.get_ref().is_some_and(|inner| inner.is::<SourceError>());
        if error.raw_os_error().is_some() || error.kind() == io::ErrorKind::Interrupted || is_ours {
            return error;
        }
        match error.kind() {
            io::ErrorKind::UnexpectedEof => SourceError::Truncated(format).into(),
            _ => SourceError::Damaged { format, reason: error.to_string() }.into(),
        }
    }
}

impl From<SourceError> for io::Error {
    fn from(error: SourceError) -> Self {
        let kind = match error {
            SourceError::Truncated(_) => io::ErrorKind::UnexpectedEof,
            _ => io::ErrorKind::InvalidData,
        };
        io::Error::new(kind, error)
    }
}
