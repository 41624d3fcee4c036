//! Format detection by magic numbers; file names are not used.

use std::fmt;
use std::io::{self, Read};

use super::SourceError;

/// Number of bytes needed to distinguish all formats.
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
        if self.has_feature() { Ok(()) } else { Err(SourceError::NotBuiltFor(self)) }
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
