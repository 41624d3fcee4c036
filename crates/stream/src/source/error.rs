//! Errors of an input as a file, before its text is parsed.

use std::io;

use super::{Format, codec};

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
    /// Decompression needs more memory than is allowed, because the window or dictionary is too
    /// large.
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
    #[error("no .pgn, .epd, .fen, .csv, .jsonl, .plain or .fns file in this {0} archive")]
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
    /// The input is compressed, but the program was built without the feature for its format.
    #[error("this is a {0} file, and this program was built without the feature `{0}`")]
    NotBuiltFor(Format),
}

impl SourceError {
    /// Converts a decoder error; errors of reading the file itself are returned unchanged.
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
fn limit_exceeded(error: &io::Error) -> Option<u64> {
    #[cfg(feature = "xz")]
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    #[cfg(feature = "xz")]
    if matches!(inner, Some(liblzma::stream::Error::MemLimit)) {
        return Some(super::MEMORY);
    }
    (error.to_string() == codec::ZSTD_WINDOW_TOO_LARGE).then_some(codec::ZSTD_WINDOW)
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

#[cfg(feature = "xz")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_a_decoder_is_damage_unless_the_system_or_this_crate_reports_it() {
        let zip = Format::Zip;
        // The error, and the message for zip data.
        let cases = [
            (io::ErrorKind::UnexpectedEof.into(), "the zip data ends too early"),
            (io::Error::other("bad block"), "the zip data is damaged: bad block"),
            (
                io::Error::other(super::super::codec::ZSTD_WINDOW_TOO_LARGE),
                "decompressing this zip data takes more than 128 MiB of memory: decompress it first with another program",
            ),
            (
                io::Error::other(liblzma::stream::Error::MemLimit),
                "decompressing this zip data takes more than 512 MiB of memory: decompress it first with another program",
            ),
            // These are passed on.
            (SourceError::TooManyLayers(3).into(), "it is compressed more than 3 times"),
            (SourceError::Truncated(Format::Xz).into(), "the xz data ends too early"),
        ];
        for (error, expected) in cases {
            assert_eq!(SourceError::of(zip, error).to_string(), expected);
        }
        for error in [io::Error::from_raw_os_error(5), io::ErrorKind::Interrupted.into()] {
            let (kind, code) = (error.kind(), error.raw_os_error());
            let found = SourceError::of(zip, error);
            assert_eq!((found.kind(), found.raw_os_error()), (kind, code));
        }
        let kind = |error: SourceError| io::Error::from(error).kind();
        assert_eq!(kind(SourceError::Truncated(zip)), io::ErrorKind::UnexpectedEof);
        assert_eq!(kind(SourceError::NoGames(zip)), io::ErrorKind::InvalidData);
    }
}
