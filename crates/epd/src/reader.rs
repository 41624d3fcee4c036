//! Splits bytes into lines.
//!
//! A line ends with a line feed, a carriage return (classic Mac OS) or both in sequence (Windows).

use std::io;

/// Maximum line length in bytes; longer lines are errors, so that memory is bounded.
pub const LONGEST_LINE: usize = 64 << 20;

/// A line that exceeds [`LONGEST_LINE`]. The text cannot be read beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is longer than {} bytes", LONGEST_LINE)]
pub struct OverlongLine {
    /// The line number, counted from 1.
    pub line: u64,
}

impl From<OverlongLine> for io::Error {
    fn from(error: OverlongLine) -> Self {
        io::Error::new(io::ErrorKind::InvalidData, error)
    }
}

/// A line and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawLine<'b> {
    /// The line number, counted from 1.
    pub number: u64,
    /// The line without its end, but with its carriage return, so that it can be written back.
    pub bytes: &'b [u8],
    /// The length of the line including its end.
    pub len_with_end: usize,
}

/// An iterator over the lines of bytes in memory.
///
/// ```
/// let lines: Vec<&[u8]> = epd::Lines::new(b"a\n\nb\r\nc\rd").map(|line| line.bytes).collect();
/// assert_eq!(lines, [&b"a"[..], b"", b"b\r", b"c", b"d"]);
/// ```
#[derive(Clone, Debug)]
pub struct Lines<'b> {
    rest: &'b [u8],
    next_number: u64,
}

impl<'b> Lines<'b> {
    /// Returns the lines of a whole text.
    pub fn new(bytes: &'b [u8]) -> Self {
        Lines::numbered(bytes, 1)
    }

    /// Returns the lines of a part of a text whose first line has number `number`.
    pub fn numbered(bytes: &'b [u8], first: u64) -> Self {
        Lines { rest: bytes, next_number: first }
    }
}

impl<'b> Iterator for Lines<'b> {
    type Item = RawLine<'b>;

    #[inline]
    fn next(&mut self) -> Option<RawLine<'b>> {
        if self.rest.is_empty() {
            return None;
        }
        let (len, end) = match memchr::memchr2(b'\n', b'\r', self.rest) {
            Some(at) if self.rest[at..].starts_with(b"\r\n") => (at + 1, 1),
            Some(at) => (at, 1),
            None => (self.rest.len(), 0),
        };
        let line =
            RawLine { number: self.next_number, bytes: &self.rest[..len], len_with_end: len + end };
        self.rest = &self.rest[len + end..];
        self.next_number += 1;
        Some(line)
    }
}

/// An iterator over the lines of a text, numbered from 1, without their ends.
#[derive(Clone, Debug)]
pub struct TextLines<'t> {
    rest: &'t str,
    lines: Lines<'t>,
}

impl<'t> TextLines<'t> {
    /// Returns the lines of a whole text.
    pub fn new(text: &'t str) -> Self {
        TextLines { rest: text, lines: Lines::new(text.as_bytes()) }
    }
}

impl<'t> Iterator for TextLines<'t> {
    type Item = (u64, &'t str);

    fn next(&mut self) -> Option<(u64, &'t str)> {
        let line = self.lines.next()?;
        let text = &self.rest[..line.bytes.len()];
        self.rest = &self.rest[line.len_with_end..];
        Some((line.number, text.strip_suffix('\r').unwrap_or(text)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Reference implementation of the line rules: one character at a time.
    fn naive(text: &str) -> Vec<String> {
        let text = text.replace("\r\n", "\u{1}");
        text.split_inclusive(['\n', '\r', '\u{1}'])
            .map(|line| match line.strip_suffix('\u{1}') {
                Some(line) => format!("{line}\r"),
                None => line.trim_end_matches(['\n', '\r']).to_owned(),
            })
            .collect()
    }

    proptest! {
        #[test]
        fn lines_are_the_same_by_every_way(text in "[ab\\r\\n]{0,60}") {
            let expected = naive(&text);
            let of = |line: RawLine<'_>| String::from_utf8(line.bytes.to_vec()).unwrap();
            let numbered: Vec<u64> = Lines::new(text.as_bytes()).map(|line| line.number).collect();
            prop_assert_eq!(numbered, (1..=expected.len() as u64).collect::<Vec<_>>());
            prop_assert_eq!(Lines::new(text.as_bytes()).map(of).collect::<Vec<_>>(), &expected[..]);
            let numbered: Vec<(u64, &str)> =
                (1..).zip(&expected).map(|(number, line)| (number, line.trim_end_matches('\r'))).collect();
            prop_assert_eq!(TextLines::new(&text).collect::<Vec<_>>(), numbered);
        }
    }
}
