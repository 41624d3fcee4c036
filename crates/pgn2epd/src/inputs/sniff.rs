//! Detects from the first bytes whether a text contains games, positions, or no text at all.

use std::io::{self, Read};

use pgn::Unit;

/// Number of bytes examined.
const LOOKED_AT: u64 = 4096;

/// The content of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// Games.
    Pgn,
    /// EPD records or FENs, in any [dialect](crate::epd::Dialect).
    Epd,
    /// Not text: the name of the format, or an unknown one.
    Binary(&'static str),
}

/// Formats that are not supported, by their first bytes.
const NOT_READ: &[(&[u8], &str)] = &[
    (b"\x04\x22\x4d\x18", "an lz4 file"),
    (b"\x02\x21\x4c\x18", "an lz4 file"),
    (b"LZIP", "an lzip file"),
    (b"\x89LZO\0", "an lzop file"),
    (b"\x1f\x9d", "a compress (.Z) file"),
    (b"]\0\0", "an lzma file"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"%PDF-", "a PDF file"),
    (b"SQLite format 3\0", "an SQLite file"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1\0\0", "an Arrow file"),
];

/// The offset and the value of the magic bytes in a tar header.
const TAR: (usize, &[u8]) = (257, b"ustar");

/// A text with fewer control characters is never binary: damage leaves a few.
const LEAST_CONTROLS: usize = 16;

impl TextKind {
    /// Detects the content from the first bytes, at most 4096.
    ///
    /// Positions are recognized by the first line that is neither empty nor a comment (`#`): it
    /// begins with ranks, and no game begins with five slashes among board letters.
    ///
    /// ```
    /// use pgn2epd::TextKind;
    ///
    /// assert_eq!(TextKind::of(b"# a suite\n\n4k3/8/8/8/8/8/4P3/4K3 w - -\n"), TextKind::Epd);
    /// assert_eq!(TextKind::of(b"k2r/ppp5/8/8/8/Q/5PPP/7K/ b -\n"), TextKind::Epd);
    /// assert_eq!(TextKind::of(b"1. e4 e5 1/2-1/2\n"), TextKind::Pgn);
    /// assert_eq!(TextKind::of(b"\x04\x22\x4d\x18"), TextKind::Binary("an lz4 file"));
    /// ```
    pub fn of(first: &[u8]) -> Self {
        let is_read = |(magic, _): &&(&[u8], _)| first.starts_with(magic);
        if let Some((_, name)) = NOT_READ.iter().find(is_read) {
            return TextKind::Binary(name);
        }
        if first.get(TAR.0..).is_some_and(|rest| rest.starts_with(TAR.1)) {
            return TextKind::Binary("a tar archive");
        }
        if is_binary(first) {
            return TextKind::Binary("a binary file");
        }
        if begins_with_ranks(first) { TextKind::Epd } else { TextKind::Pgn }
    }

    /// Returns the unit that is not split in such a text.
    pub fn unit(self) -> Unit {
        match self {
            TextKind::Epd => Unit::Line,
            _ => Unit::Game,
        }
    }
}

/// Whether at least one of sixteen bytes is a control character (in random bytes, one of ten is).
/// If a quarter of the bytes is not ASCII, one of a hundred is enough, for packed data that is less
/// random. A run of NUL counts as one, because text may continue after a damaged disk sector.
fn is_binary(first: &[u8]) -> bool {
    let is_control = |byte: u8| matches!(byte, 0..=8 | 0x0e..=0x19 | 0x1c..=0x1f);
    let (mut bytes, mut controls) = (0, 0);
    let mut before = None;
    for &byte in first {
        if byte != 0 || before != Some(0) {
            bytes += 1;
            controls += usize::from(is_control(byte));
        }
        before = Some(byte);
    }
    let is_empty = first.len() >= LEAST_CONTROLS && first.iter().all(|byte| *byte == 0);
    let high = first.iter().filter(|byte| !byte.is_ascii()).count();
    let share = if 4 * high > bytes { 100 } else { 16 };
    is_empty || controls >= LEAST_CONTROLS && share * controls > bytes
}

fn begins_with_ranks(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && line[0] != b'#').unwrap_or_default();
    let is_of_board = |byte: &&u8| {
        matches!(byte, b'0'..=b'9' | b'/' | b' ' | b'~') || b"pnbrqkPNBRQK".contains(byte)
    };
    first.iter().take_while(is_of_board).filter(|byte| **byte == b'/').count() > 4
}

/// The error for content that is not text.
#[derive(Debug, thiserror::Error)]
#[error("this is {0}, not PGN or EPD")]
pub(super) struct NotText(pub(super) &'static str);

/// Returns the first bytes of a text, and a reader for the rest. An error in the first bytes is
/// returned when the rest is read.
pub(super) fn first_bytes<'r>(mut text: impl Read + 'r) -> (Vec<u8>, Box<dyn Read + 'r>) {
    let mut first = Vec::new();
    match (&mut text).take(LOOKED_AT).read_to_end(&mut first) {
        Ok(_) => (first, Box::new(text)),
        Err(error) => (first, Box::new(Fails(Some(error)))),
    }
}

/// A reader that fails once, and is then at its end.
pub(super) struct Fails(pub(super) Option<io::Error>);

impl Read for Fails {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
