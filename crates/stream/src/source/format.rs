//! The formats of inputs, found by magic numbers, the suffixes of their names, and why an input
//! cannot be read as a file, before its text is parsed.

use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::codec;

/// Length of the longest mark that distinguishes formats, in bytes.
const LONGEST: u64 = 6;

/// Format of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Format {
    /// Text in an encoding that extends ASCII.
    Plain,
    Utf16Le,
    Utf16Be,
    Utf32,
    Gzip,
    Bzip2,
    Zstd,
    Xz,
    Zip,
    SevenZip,
}

const MAGIC: &[(&[u8], Format)] = &[
    (b"\xff\xfe\0\0", Format::Utf32),
    (b"\0\0\xfe\xff", Format::Utf32),
    (b"\xff\xfe", Format::Utf16Le),
    (b"\xfe\xff", Format::Utf16Be),
    (b"\x1f\x8b", Format::Gzip),
    (b"\x28\xb5\x2f\xfd", Format::Zstd),
    (b"BZh", Format::Bzip2),
    (b"\xfd7zXZ\0", Format::Xz),
    (b"PK\x03\x04", Format::Zip),
    (b"PK\x05\x06", Format::Zip),
    (b"7z\xbc\xaf\x27\x1c", Format::SevenZip),
];

impl Format {
    pub(super) fn of(first: &[u8]) -> Self {
        let found = MAGIC.iter().find(|(magic, _)| first.starts_with(magic));
        let skippable_zstd = matches!(first, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]);
        match (found, first) {
            (Some((_, format)), _) => *format,
            _ if skippable_zstd => Format::Zstd,
            // UTF-16 without a byte order mark: every other byte of ASCII text is zero.
            (None, [1..=255, 0, 1..=255, 0, ..]) => Format::Utf16Le,
            (None, [0, 1..=255, 0, 1..=255, ..]) => Format::Utf16Be,
            _ => Format::Plain,
        }
    }

    /// Whether the library was built with the feature that reads this format.
    pub(super) fn has_feature(self) -> bool {
        match self {
            Format::Plain | Format::Utf16Le | Format::Utf16Be | Format::Utf32 => true,
            Format::Gzip => cfg!(feature = "gzip"),
            Format::Bzip2 => cfg!(feature = "bzip2"),
            Format::Zstd => cfg!(feature = "zstd"),
            Format::Xz => cfg!(feature = "xz"),
            Format::Zip => cfg!(feature = "zip"),
            Format::SevenZip => cfg!(feature = "7z"),
        }
    }

    pub(super) fn refuse_without_feature(self) -> Result<(), SourceError> {
        if self.has_feature() { Ok(()) } else { Err(SourceError::not_built_for(self)) }
    }

    pub(super) fn is_compressed(self) -> bool {
        matches!(self, Format::Gzip | Format::Bzip2 | Format::Zstd | Format::Xz)
    }

    pub(super) fn is_archive(self) -> bool {
        matches!(self, Format::Zip | Format::SevenZip)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Plain => "text",
            Format::Utf16Le | Format::Utf16Be => "UTF-16",
            Format::Utf32 => "UTF-32",
            Format::Gzip => "gzip",
            Format::Bzip2 => "bzip2",
            Format::Zstd => "zstd",
            Format::Xz => "xz",
            Format::Zip => "zip",
            Format::SevenZip => "7z",
        })
    }
}

/// Detects the format from the first bytes; the returned reader yields them again.
pub fn sniff<R: Read>(mut reader: R) -> io::Result<(impl Read + use<R>, Format)> {
    let mut first = Vec::new();
    (&mut reader).take(LONGEST).read_to_end(&mut first)?;
    let format = Format::of(&first);
    Ok((io::Cursor::new(first).chain(reader), format))
}

const COMPRESSED: &[&str] = &[
    "7z", "bgz", "br", "bz2", "gz", "lz4", "lzma", "tbz2", "tgz", "txz", "xz", "z", "zip", "zst",
    "zstd",
];

/// Returns the suffix of a name that suggests a compressed file.
///
/// ```
/// use std::path::Path;
///
/// assert_eq!(stream::source::compression_suffix(Path::new("book.epd.gz")), Some("gz"));
/// assert_eq!(stream::source::compression_suffix(Path::new("book.epd")), None);
/// ```
pub fn compression_suffix(path: &Path) -> Option<&str> {
    let suffix = path.extension()?.to_str()?;
    COMPRESSED.iter().any(|known| known.eq_ignore_ascii_case(suffix)).then_some(suffix)
}

/// Returns a name without the suffix of a compressed file, if it has one.
///
/// ```
/// use std::path::Path;
/// use stream::source::without_compression_suffix;
///
/// assert_eq!(without_compression_suffix(Path::new("book.epd.GZ")), Path::new("book.epd"));
/// assert_eq!(without_compression_suffix(Path::new("book.epd")), Path::new("book.epd"));
/// ```
pub fn without_compression_suffix(path: &Path) -> PathBuf {
    match compression_suffix(path) {
        Some(_) => path.with_extension(""),
        None => path.to_owned(),
    }
}

/// Why an input cannot be read, or not completely. Wrapped in an [`io::Error`].
#[derive(Clone, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum SourceError {
    #[error("the {0} data ends too early")]
    Truncated(Format),
    #[error("the {0} data is damaged: {1}")]
    Damaged(Format, String),
    /// The input is of a kind that is not read; the reason.
    #[error("{0}")]
    NotRead(String),
}

impl SourceError {
    pub(super) fn not_built_for(format: Format) -> Self {
        let reason = "and this program was built without the feature";
        SourceError::NotRead(format!("this is a {format} file, {reason} `{format}`"))
    }

    /// The window or the dictionary is larger than `limit`, in bytes.
    pub(super) fn too_much_memory(format: Format, limit: u64) -> Self {
        SourceError::NotRead(format!(
            "decompressing this {format} data takes more than {} MiB of memory: decompress it first with another program",
            limit >> 20
        ))
    }

    /// Converts a decoder error; errors of reading the file itself are returned unchanged.
    pub(super) fn of(format: Format, error: io::Error) -> io::Error {
        let is_ours = error.get_ref().is_some_and(|inner| inner.is::<SourceError>());
        if error.raw_os_error().is_some() || error.kind() == io::ErrorKind::Interrupted || is_ours {
            return error;
        }
        match error.kind() {
            io::ErrorKind::UnexpectedEof => SourceError::Truncated(format).into(),
            _ if let Some(limit) = limit_exceeded(&error) => {
                SourceError::too_much_memory(format, limit).into()
            }
            _ => SourceError::Damaged(format, error.to_string()).into(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_text_however_odd() {
        for text in
            ["", "1", "[Event", "1. e4", "\u{feff}1. e4", "BZ", "PK", "7z", "\0\0\0\0", "e\0"]
        {
            assert_eq!(Format::of(text.as_bytes()), Format::Plain, "{text:?}");
        }
        assert_eq!(Format::of(b"M\xfcller"), Format::Plain);
    }

    #[test]
    fn utf_16_is_known_with_and_without_its_mark() {
        assert_eq!(Format::of(b"\xff\xfe1\0.\0"), Format::Utf16Le);
        assert_eq!(Format::of(b"1\0.\0 \0"), Format::Utf16Le);
        assert_eq!(Format::of(b"\xfe\xff\x001\0."), Format::Utf16Be);
        assert_eq!(Format::of(b"\x001\0.\0 "), Format::Utf16Be);
        assert_eq!(Format::of(b"\xff\xfe\0\x001\0"), Format::Utf32);
    }
}

#[cfg(feature = "xz")]
#[cfg(test)]
mod error_tests {
    use super::*;

    #[test]
    fn an_error_of_a_decoder_is_damage_unless_the_system_or_this_crate_reports_it() {
        let zip = Format::Zip;
        let memory = |limit| {
            format!(
                "decompressing this zip data takes more than {limit} MiB of memory: decompress it first with another program"
            )
        };
        // The error, and the message for zip data.
        let cases = [
            (io::ErrorKind::UnexpectedEof.into(), "the zip data ends too early"),
            (io::Error::other("bad block"), "the zip data is damaged: bad block"),
            (io::Error::other(codec::ZSTD_WINDOW_TOO_LARGE), &*memory(128)),
            (io::Error::other(liblzma::stream::Error::MemLimit), &*memory(512)),
            // These are passed on.
            (SourceError::NotRead("a folder".to_owned()).into(), "a folder"),
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
        assert_eq!(kind(SourceError::NotRead(String::new())), io::ErrorKind::InvalidData);
    }
}
