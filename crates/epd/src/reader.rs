//! Splits bytes into lines. All code that depends on line ends is here.
//!
//! A line ends with a line feed, a carriage return (classic Mac OS) or both in sequence (Windows).
//! [`Lines`] splits bytes in memory, [`Blocks`] splits a stream into blocks of whole lines, and
//! [`Reader`] yields the lines of a stream.

use std::io::{self, Read};

/// Maximum line length in bytes; longer lines are errors, so that memory is bounded.
const LONGEST_LINE: usize = 64 << 20;

/// Block size of a [`Reader`]: fits into the cache, yet needs few system calls.
const READER_BLOCK: usize = 64 << 10;

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

/// A block of whole lines from a stream.
#[derive(Debug, Default)]
pub struct Block {
    bytes: Vec<u8>,
    first_line: u64,
}

impl Block {
    /// Returns the text of the lines.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the lines.
    pub fn lines(&self) -> Lines<'_> {
        Lines::numbered(&self.bytes, self.first_line)
    }

    /// Removes the line with this number and all lines after it.
    pub fn truncate_before(&mut self, line: u64) {
        let kept = line.saturating_sub(self.first_line) as usize;
        let len = self.lines().take(kept).map(|line| line.len_with_end).sum();
        self.bytes.truncate(len);
    }
}

/// Reads a stream in blocks of whole lines.
#[derive(Debug)]
pub struct Blocks<R> {
    input: R,
    /// The target size of a block, in bytes.
    size: usize,
    /// Whether a block ends early if the input has no more bytes available, so that no line is
    /// delayed.
    is_prompt: bool,
    /// The beginning of a line whose end has not been read.
    carry: Vec<u8>,
    next_line: u64,
    at_end: bool,
    /// The error that ended the stream, returned after the preceding lines.
    failed: Option<io::Error>,
    /// Buffers of returned blocks, for reuse.
    unused: Vec<Vec<u8>>,
}

impl<R: Read> Blocks<R> {
    /// Creates a reader of blocks of about `size` bytes.
    pub fn new(input: R, size: usize) -> Self {
        Blocks {
            input,
            size,
            is_prompt: false,
            carry: Vec::new(),
            next_line: 1,
            at_end: false,
            failed: None,
            unused: Vec::new(),
        }
    }

    /// Returns the next block, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns an error if the stream cannot be read, after the whole lines before the error, or if
    /// a line exceeds 64 MiB.
    pub fn next_block(&mut self) -> io::Result<Option<Block>> {
        if self.at_end {
            return self.failed.take().map_or(Ok(None), Err);
        }
        let mut bytes = self.unused.pop().unwrap_or_default();
        bytes.clear();
        bytes.append(&mut self.carry);
        let mut wanted = self.size;
        loop {
            match self.fill(&mut bytes, wanted) {
                Ok(()) if self.at_end => break,
                Ok(()) => {}
                Err(error) => {
                    // A line truncated by the error is dropped.
                    bytes.truncate(last_line_end(&bytes).unwrap_or(0));
                    (self.at_end, self.failed) = (true, Some(error));
                    break;
                }
            }
            if let Some(end) = last_line_end(&bytes) {
                self.carry.extend_from_slice(&bytes[end..]);
                bytes.truncate(end);
                break;
            }
            if bytes.len() >= LONGEST_LINE {
                // What follows is the rest of that line.
                self.at_end = true;
                let text = format!("line {} is longer than {LONGEST_LINE} bytes", self.next_line);
                return Err(io::Error::new(io::ErrorKind::InvalidData, text));
            }
            if bytes.len() >= wanted {
                wanted = 2 * bytes.len();
            }
        }
        if bytes.is_empty() {
            return self.failed.take().map_or(Ok(None), Err);
        }
        let first_line = self.next_line;
        self.next_line += count_line_ends(&bytes);
        Ok(Some(Block { bytes, first_line }))
    }

    /// Reads up to `wanted` bytes, or those available.
    fn fill(&mut self, bytes: &mut Vec<u8>, wanted: usize) -> io::Result<()> {
        let missing = wanted.saturating_sub(bytes.len());
        if !self.is_prompt {
            let read = self.input.by_ref().take(missing as u64).read_to_end(bytes)?;
            self.at_end = read < missing;
            return Ok(());
        }
        let before = bytes.len();
        bytes.resize(before + missing, 0);
        let read = loop {
            match self.input.read(&mut bytes[before..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        bytes.truncate(before + read.as_ref().copied().unwrap_or(0));
        self.at_end = read? == 0 && missing > 0;
        Ok(())
    }

    /// Recycles the memory of a block.
    pub fn recycle(&mut self, block: &mut Block) {
        self.unused.push(std::mem::take(&mut block.bytes));
    }
}

/// Returns the offset after the last line end. A final carriage return does not count: its line
/// feed may not have been read yet.
fn last_line_end(bytes: &[u8]) -> Option<usize> {
    let known = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    memchr::memrchr2(b'\n', b'\r', known).map(|at| at + 1)
}

/// Counts line ends, which is faster than splitting.
fn count_line_ends(bytes: &[u8]) -> u64 {
    let feeds = memchr::memchr_iter(b'\n', bytes).count();
    let is_alone = |at: &usize| bytes.get(at + 1) != Some(&b'\n');
    let returns = memchr::memchr_iter(b'\r', bytes).filter(is_alone).count();
    (feeds + returns) as u64
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
    blocks: Blocks<R>,
    block: Block,
    /// The offset of the next line in the block, and its number.
    at: usize,
    next_number: u64,
}

impl<R: Read> Reader<R> {
    /// Creates a reader. A line is returned as soon as the byte after its end has been read.
    pub fn new(input: R) -> Self {
        let blocks = Blocks { is_prompt: true, ..Blocks::new(input, READER_BLOCK) };
        Reader { blocks, block: Block::default(), at: 0, next_number: 1 }
    }

    /// Returns the next line, or `None` at the end.
    ///
    /// # Errors
    ///
    /// The same as [`Blocks::next_block`].
    pub fn next_line(&mut self) -> io::Result<Option<RawLine<'_>>> {
        if self.at == self.block.bytes.len() {
            self.blocks.recycle(&mut self.block);
            // A call after the end or an error finds an empty block.
            self.at = 0;
            let Some(block) = self.blocks.next_block()? else { return Ok(None) };
            self.block = block;
        }
        let line = Lines::numbered(&self.block.bytes[self.at..], self.next_number).next();
        self.at += line.map_or(0, |line| line.len_with_end);
        self.next_number += 1;
        Ok(line)
    }
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
        fn lines_are_the_same_by_every_way(text in "[ab\\r\\n]{0,60}", most in 1usize..9, size in 1usize..20) {
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

            let mut blocks = Blocks::new(Slow { rest: text.as_bytes(), most }, size);
            let (mut lines, mut bytes) = (Vec::new(), Vec::new());
            while let Some(mut block) = blocks.next_block().unwrap() {
                bytes.extend_from_slice(block.bytes());
                for line in block.lines() {
                    lines.push(of(line));
                    prop_assert_eq!(line.number, lines.len() as u64);
                }
                blocks.recycle(&mut block);
            }
            prop_assert_eq!(lines, &expected[..]);
            prop_assert_eq!(bytes, text.as_bytes());
        }

        #[test]
        fn a_block_ends_before_a_line(text in "[ab\\r\\n]{0,40}", first in 1u64..4, line in 0u64..50) {
            let mut block = Block { bytes: text.clone().into_bytes(), first_line: first };
            let all: Vec<u64> = block.lines().map(|line| line.number).collect();
            block.truncate_before(line);
            let kept: Vec<u64> = block.lines().map(|line| line.number).collect();
            prop_assert_eq!(kept, all.into_iter().filter(|number| *number < line).collect::<Vec<_>>());
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
        let mut blocks = Blocks::new(text(), 100);
        assert_eq!(blocks.next_block().unwrap().unwrap().bytes(), b"one\r\ntwo\n");
        assert_eq!(blocks.next_block().unwrap_err().to_string(), message);
        assert!(blocks.next_block().unwrap().is_none());
    }
}
