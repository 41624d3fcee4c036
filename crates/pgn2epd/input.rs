//! The first bytes of an input: some say at once that it is no PGN text.

use std::io::{self, Read};

/// What an input is that holds no plain text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotText {
    Utf16,
    /// A compressed file, and the command that undoes it.
    Compressed(&'static str),
}

const MAGIC: &[(&[u8], NotText)] = &[
    (b"\xff\xfe", NotText::Utf16),
    (b"\xfe\xff", NotText::Utf16),
    (b"\x1f\x8b", NotText::Compressed("gzip -dc")),
    (b"\x28\xb5\x2f\xfd", NotText::Compressed("zstd -dc")),
    (b"BZh", NotText::Compressed("bzip2 -dc")),
    (b"\xfd7zXZ\0", NotText::Compressed("xz -dc")),
    (b"PK\x03\x04", NotText::Compressed("unzip -p")),
    (b"7z\xbc\xaf\x27\x1c", NotText::Compressed("7z x -so")),
];

/// Looks at the first bytes; the reader that comes back gives them again.
pub(crate) fn sniff<R: Read>(mut input: R) -> io::Result<(impl Read, Option<NotText>)> {
    let mut first = Vec::new();
    (&mut input).take(6).read_to_end(&mut first)?;
    let found = MAGIC.iter().find(|(magic, _)| first.starts_with(magic)).map(|(_, what)| *what);
    Ok((io::Cursor::new(first).chain(input), found))
}
