//! A location in a file.

/// A location in a file: byte offset, line and column. The byte offset counts from 0; line and
/// column count from 1. A line ends with LF, CRLF or a bare CR. A column is a UTF-8 character; in
/// other encodings it is approximate. A byte order mark at the beginning of the file does not count
/// as a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Number of bytes before this place in the file.
    pub byte: u64,
    /// Line number, from 1.
    pub line: u64,
    /// Column, in characters from 1.
    pub column: u64,
}

impl Default for Place {
    fn default() -> Self {
        Place::FIRST
    }
}

/// What a text adds to the place before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    bytes: u64,
    lines: u64,
    /// The characters after the last line end.
    characters: u64,
}

impl Extent {
    /// Measures the text that begins at byte `start` of the file.
    pub(crate) fn of(bytes: &[u8], start: u64) -> Self {
        let lines = count_lines(bytes);
        let has_mark = start == 0 && bytes.starts_with(b"\xef\xbb\xbf");
        let mark = u64::from(has_mark && lines == 0);
        let last = bytes.iter().rposition(|&b| b == b'\n' || b == b'\r').map_or(0, |i| i + 1);
        // All bytes but UTF-8 continuation bytes, so that the counts of pieces of a line add up.
        let characters = bytes[last..].iter().filter(|byte| **byte & 0xc0 != 0x80).count() as u64;
        let characters = characters - mark;
        Extent { bytes: bytes.len() as u64, lines, characters }
    }
}

impl Place {
    pub(crate) const FIRST: Place = Place { byte: 0, line: 1, column: 1 };

    /// Returns the place `bytes.len()` bytes further on, where `bytes` is the text in between.
    ///
    /// ```
    /// let place = stream::place::Place::default().after(b"1. e4 e5\n2. ");
    /// assert_eq!((place.byte, place.line, place.column), (12, 2, 4));
    /// ```
    pub fn after(self, bytes: &[u8]) -> Place {
        self.plus(Extent::of(bytes, self.byte))
    }

    pub(crate) fn plus(self, Extent { bytes, lines, characters }: Extent) -> Place {
        let column = if lines == 0 { self.column } else { 1 };
        Place { byte: self.byte + bytes, line: self.line + lines, column: column + characters }
    }
}

/// Counts the line ends in `bytes`; CRLF counts as one, so `bytes` must not end between CR and LF.
pub fn count_lines(bytes: &[u8]) -> u64 {
    let feeds = memchr::memchr_iter(b'\n', bytes).count();
    if memchr::memchr(b'\r', bytes).is_none() {
        return feeds as u64;
    }
    let last = u64::from(bytes.last() == Some(&b'\r'));
    feeds as u64 + last + count_bare_returns(bytes)
}

/// Counts CRs that are not followed by LF. Byte sums over short pieces let the compiler use SIMD.
fn count_bare_returns(bytes: &[u8]) -> u64 {
    const PIECE: usize = 192;
    let next = bytes.get(1..).unwrap_or_default();
    let is_bare = |(byte, next): (&u8, &u8)| u8::from(*byte == b'\r') & u8::from(*next != b'\n');
    let piece = |(bytes, next): (&[u8], &[u8])| bytes.iter().zip(next).map(is_bare).sum::<u8>();
    bytes.chunks(PIECE).zip(next.chunks(PIECE)).map(|pair| u64::from(piece(pair))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters() {
        let cases: &[(&str, u64, u64)] = &[
            ("", 1, 1),
            ("abc", 1, 4),
            ("a\nb", 2, 2),
            ("a\r\nb", 2, 2),
            ("a\rb", 2, 2),
            ("a\r\rb", 3, 2),
            ("a\r", 2, 1),
            ("\r\n\r\r\n", 4, 1),
            ("a\n\n", 3, 1),
            ("Müller", 1, 7),
        ];
        for (text, line, column) in cases {
            let place = Place::default().after(text.as_bytes());
            assert_eq!((place.line, place.column), (*line, *column), "{text:?}");
        }
    }

    #[test]
    fn lines_are_counted_in_long_texts_as_in_short_ones() {
        for end in ["\n", "\r\n", "\r"] {
            let text = format!("1. e4{end}").repeat(1000);
            for len in (0..text.len()).filter(|len| !text[..*len].ends_with('\r') || end == "\r") {
                let ends = text[..len].matches(end).count() as u64;
                assert_eq!(count_lines(&text.as_bytes()[..len]), ends, "{end:?} {len}");
            }
        }
    }

    #[test]
    fn the_column_continues_within_a_line() {
        let place = Place::default().after(b"ab").after(b"cd");
        assert_eq!((place.line, place.column), (1, 5));
    }

    #[test]
    fn a_line_that_is_not_utf_8_is_counted_too() {
        assert_eq!(Place::default().after(b"M\xfcller ").column, 8);
    }

    #[test]
    fn a_byte_order_mark_does_not_count_as_a_column() {
        assert_eq!(Place::default().after("\u{feff}1. ".as_bytes()).column, 4);
        assert_eq!(Place::default().after("\u{feff}1.\n2".as_bytes()).column, 2);
    }

    #[test]
    fn a_byte_order_mark_inside_a_file_is_a_character() {
        let inside = Place { byte: 8, line: 1, column: 9 };
        assert_eq!(inside.after("\u{feff}1. ".as_bytes()).column, 13);
        let on_second_line = Place { byte: 8, line: 2, column: 1 };
        assert_eq!(on_second_line.after("\u{feff}1. ".as_bytes()).column, 5);
        assert_eq!(Place::default().after("1.\u{feff}".as_bytes()).column, 4);
    }
}
