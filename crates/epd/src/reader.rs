//! Splits bytes into lines.
//!
//! A line ends with a line feed, a carriage return (classic Mac OS) or both in sequence (Windows).
//! [`Lines`] splits bytes in memory, and [`Reader`] yields the lines of a stream.

use std::io::{self, Read};

/// Maximum line length in bytes; longer lines are errors, so that memory is bounded.
pub const LONGEST_LINE: usize = 64 << 20;

/// Bytes that a [`Reader`] reads at once: fit into the cache, yet need few system calls.
const BLOCK: usize = 64 << 10;

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
    /// The line without its end. The carriage return of a Windows line end is included, so that a
    /// line can be written back unchanged; [`read_line`](crate::read_line) ignores it.
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

/// An iterator over the lines of a text, numbered from 1, without either byte of a Windows line
/// end.
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

    #[inline]
    fn next(&mut self) -> Option<(u64, &'t str)> {
        let line = self.lines.next()?;
        let text = &self.rest[..line.bytes.len()];
        self.rest = &self.rest[line.len_with_end..];
        Some((line.number, text.strip_suffix('\r').unwrap_or(text)))
    }
}

/// Reads a stream line by line.
///
/// ```
/// let mut reader = epd::Reader::new(&b"a\rb\r\nc\n"[..]);
/// let mut lines = Vec::new();
/// while let Some(line) = reader.next_line()? {
///     lines.push((line.number, line.bytes.to_owned()));
/// }
/// assert_eq!(lines, [(1, b"a".to_vec()), (2, b"b\r".to_vec()), (3, b"c".to_vec())]);
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    buffer: Vec<u8>,
    /// The offset of the next line in the buffer, and its number.
    at: usize,
    next_number: u64,
    /// The end of the whole lines in the buffer.
    whole: usize,
    at_end: bool,
    /// The error that ended the stream, returned after the preceding lines.
    failed: Option<io::Error>,
}

impl<R: Read> Reader<R> {
    /// Creates a reader. A line is returned as soon as the byte after its end has been read.
    pub fn new(input: R) -> Self {
        Reader {
            input,
            buffer: Vec::new(),
            at: 0,
            next_number: 1,
            whole: 0,
            at_end: false,
            failed: None,
        }
    }

    /// Returns the next line, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns an error if the stream cannot be read, after the whole lines before the error, or an
    /// [`OverlongLine`] if a line exceeds [`LONGEST_LINE`].
    pub fn next_line(&mut self) -> io::Result<Option<RawLine<'_>>> {
        if self.at == self.whole {
            self.fill()?;
        }
        let line = Lines::numbered(&self.buffer[self.at..self.whole], self.next_number).next();
        self.at += line.map_or(0, |line| line.len_with_end);
        self.next_number += 1;
        Ok(line)
    }

    /// Reads more lines, as many as are available.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.whole);
        (self.at, self.whole) = (0, 0);
        while self.whole == 0 && !self.at_end {
            let len = self.buffer.len();
            if len >= LONGEST_LINE {
                // What follows is the rest of that line.
                self.buffer.clear();
                self.at_end = true;
                return Err(OverlongLine { line: self.next_number }.into());
            }
            self.buffer.resize(len + BLOCK.max(len), 0);
            let read = self.input.read(&mut self.buffer[len..]);
            self.buffer.truncate(len + read.as_ref().copied().unwrap_or(0));
            // A final carriage return of the previous bytes may end a line now.
            let new = len.saturating_sub(1);
            let last_end = last_line_end(&self.buffer[new..]).map_or(0, |end| new + end);
            match read {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    // A line truncated by the error is dropped.
                    self.buffer.clear();
                    (self.at_end, self.failed) = (true, Some(error));
                }
                Ok(0) => (self.at_end, self.whole) = (true, len),
                Ok(_) => self.whole = last_end,
            }
        }
        if self.whole == 0 { self.failed.take().map_or(Ok(()), Err) } else { Ok(()) }
    }
}

/// Returns the offset after the last line end. A final carriage return does not count: its line
/// feed may not have been read yet.
fn last_line_end(bytes: &[u8]) -> Option<usize> {
    let known = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    memchr::memrchr2(b'\n', b'\r', known).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A reader that returns at most a few bytes per call.
    struct Slow<'b> {
        rest: &'b [u8],
        most: usize,
    }

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let len = self.rest.len().min(self.most).min(buffer.len());
            buffer[..len].copy_from_slice(&self.rest[..len]);
            self.rest = &self.rest[len..];
            Ok(len)
        }
    }

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
        fn lines_are_the_same_by_every_way(text in "[ab\\r\\n]{0,60}", most in 1usize..9) {
            let expected = naive(&text);
            let of = |line: RawLine<'_>| String::from_utf8(line.bytes.to_vec()).unwrap();
            let numbered: Vec<u64> = Lines::new(text.as_bytes()).map(|line| line.number).collect();
            prop_assert_eq!(numbered, (1..=expected.len() as u64).collect::<Vec<_>>());
            prop_assert_eq!(Lines::new(text.as_bytes()).map(of).collect::<Vec<_>>(), &expected[..]);
            let numbered: Vec<(u64, &str)> =
                (1..).zip(&expected).map(|(number, line)| (number, line.trim_end_matches('\r'))).collect();
            prop_assert_eq!(TextLines::new(&text).collect::<Vec<_>>(), numbered);

            let mut reader = Reader::new(Slow { rest: text.as_bytes(), most });
            let mut lines = Vec::new();
            while let Some(line) = reader.next_line().unwrap() {
                prop_assert_eq!(line.number, lines.len() as u64 + 1);
                lines.push(of(line));
            }
            prop_assert_eq!(lines, &expected[..]);
        }
    }

    /// A stream of lines followed by an error.
    struct Torn<'b>(Slow<'b>);

    impl Read for Torn<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(io::Error::other("torn")),
                read => Ok(read),
            }
        }
    }

    #[test]
    fn an_error_comes_after_the_whole_lines_before_it() {
        for most in [1, 3, 100] {
            let mut reader = Reader::new(Torn(Slow { rest: b"one\rtwo\r\nthr", most }));
            assert_eq!(reader.next_line().unwrap().unwrap().bytes, b"one");
            assert_eq!(reader.next_line().unwrap().unwrap().bytes, b"two\r");
            assert_eq!(reader.next_line().unwrap_err().to_string(), "torn");
            assert_eq!(reader.next_line().unwrap(), None);
        }
    }

    #[test]
    fn a_line_is_read_before_the_next_one_is_there() {
        let mut reader = Reader::new(Torn(Slow { rest: b"one\n", most: 9 }));
        assert_eq!(reader.next_line().unwrap().unwrap().bytes, b"one");
    }

    #[test]
    fn a_line_above_the_limit_is_named_after_the_lines_before_it() {
        let text = || io::Read::chain(&b"one\r\ntwo\n"[..], io::repeat(b'x'));
        let message = "line 3 is longer than 67108864 bytes";
        let mut reader = Reader::new(text());
        assert_eq!(reader.next_line().unwrap().unwrap().bytes, b"one\r");
        assert_eq!(reader.next_line().unwrap().unwrap().bytes, b"two");
        assert_eq!(reader.next_line().unwrap_err().to_string(), message);
        assert_eq!(reader.next_line().unwrap(), None);
    }
}
