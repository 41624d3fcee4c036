//! Errors of an input as a file, before its text is parsed.

use std::io;

use super::Format;

/// Why an input cannot be read, or not completely. Wrapped in an [`io::Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// Compressed data, or UTF-16 text, is truncated.
    #[error("the {0} data ends too early")]
    Truncated(Format),
    /// Compressed data is corrupt.
    #[error("the {format} data is damaged: {reason}")]
    Damaged {
        /// The format detected from the first bytes.
        format: Format,
        /// Message of the decoder.
        reason: String,
    },
    /// Decompression needs more memory than is allowed, because the window or dictionary is too large.
    #[error(
        "decompressing this {format} data takes more than {} MiB of memory: decompress it first with another program", .limit >> 20
    )]
    TooMuchMemory {
        /// The format detected from the first bytes.
        format: Format,
        /// The memory limit, in bytes.
        limit: u64,
    },
    /// An archive that contains no texts.
    #[error("no .pgn, .epd or .fen file in this {0} archive")]
    NoGames(Format),
    /// Too many nested compression layers.
    #[error("it is compressed more than {0} times")]
    TooManyLayers(usize),
    /// An archive inside a compressed stream.
    #[error("it contains a {0} archive; unpack it first")]
    ArchiveInside(Format),
    /// An unsupported encoding.
    #[error(
        "this is {0} text; convert it to UTF-8 first, for example with `iconv -f {0} -t UTF-8`"
    )]
    Unsupported(Format),
    /// The input is compressed, but the program was built without the feature `compression`.
    #[error("this is a {0} file, and this program was built without support for compressed files")]
    NotBuiltFor(Format),
}

impl SourceError {
    /// Converts a decoder error; errors of reading the file itself are returned unchanged.
    #[cfg_attr(not(feature = "compression"), allow(dead_code))]
    pub(super) fn of(format: Format, error: io::Error) -> io::Error {
        let is_ours = error.get_ref().is_some_and(|inner| inner.is::<SourceError>());
        if error.raw_os_error().is_some() || error.kind() == io::ErrorKind::Interrupted || is_ours {
            return error;
        }
        match error.kind() {
            io::ErrorKind::UnexpectedEof => SourceError::Truncated(format).into(),
            _ if let Some(limit) = limit_exceeded(&error) => {
                SourceError::TooMuchMemory { format, limit }.into()
            }
            _ => SourceError::Damaged { format, reason: error.to_string() }.into(),
        }
    }
}

/// Returns the memory limit that a decoder refused to exceed, in bytes.
#[cfg(feature = "compression")]
fn limit_exceeded(error: &io::Error) -> Option<u64> {
    use super::codec;

    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    if matches!(inner, Some(liblzma::stream::Error::MemLimit)) {
        return Some(super::MEMORY);
    }
    (error.to_string() == codec::ZSTD_WINDOW_TOO_LARGE).then_some(codec::ZSTD_WINDOW)
}

#[cfg(not(feature = "compression"))]
fn limit_exceeded(_: &io::Error) -> Option<u64> {
    None
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
