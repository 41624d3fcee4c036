//! Text output: a [`Buffer`] holds lines, and a [`Line`] has space for one more, without a bounds
//! check per byte.

/// A buffer of text that grows line by line.
///
/// The memory after the text is scratch space that is kept between uses: it is zeroed once and
/// never again, so that a writer may store a fixed number of bytes of which only some count.
///
/// ```
/// let mut buffer = san::Buffer::default();
/// let mut line = buffer.line();
/// line.push(b'h');
/// line.text(b"mvc ");
/// line.number(42);
/// line.finish();
/// assert_eq!(buffer.as_bytes(), b"hmvc 42");
/// ```
#[derive(Clone, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    len: usize,
}

impl Buffer {
    /// Returns the text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Returns the length of the text in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether another line requires more memory.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.bytes.len() - self.len < Line::ROOM
    }

    /// Clears the text but keeps the allocation.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Truncates the text to `len` bytes.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Appends text of any length.
    #[inline]
    pub fn extend(&mut self, text: &[u8]) {
        if self.bytes.len() - self.len < text.len() {
            self.make_room(text.len());
        }
        self.bytes[self.len..self.len + text.len()].copy_from_slice(text);
        self.len += text.len();
    }

    /// Returns space for a line after the text.
    #[inline(always)]
    pub fn line(&mut self) -> Line<'_> {
        if self.is_full() {
            self.make_room(Line::ROOM);
        }
        self.line_without_growth().expect("there is space")
    }

    /// Returns space for a line after the text; `None` if this requires more memory.
    #[inline(always)]
    pub fn line_without_growth(&mut self) -> Option<Line<'_>> {
        let room = self.bytes.get_mut(self.len..)?.first_chunk_mut()?;
        Some(Line { room, at: 0, len: &mut self.len })
    }

    #[cold]
    fn make_room(&mut self, more: usize) {
        let wanted = self.len + more;
        if wanted > self.bytes.len() {
            self.bytes.resize(wanted.max(2 * self.bytes.len()).max(4096), 0);
        }
    }
}

impl std::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Buffer").field(&String::from_utf8_lossy(self.as_bytes())).finish()
    }
}

/// A line being written. It becomes part of the text only once it is [finished](Line::finish).
#[derive(Debug)]
pub struct Line<'b> {
    room: &'b mut [u8; Line::ROOM],
    /// A byte, so that every offset is in bounds and no write needs a check.
    at: u8,
    len: &'b mut usize,
}

impl Line<'_> {
    /// Maximum length of a line in bytes. The four fields need at most 94 (EPD 3), `sm`, `fmvn` and
    /// `hmvc` 52.
    pub const CAPACITY: usize = 255;
    /// Maximum number of bytes stored at once, counted or not.
    const WIDEST: usize = 96;
    const ROOM: usize = Line::CAPACITY + Line::WIDEST + 1;

    /// Returns the length in bytes.
    #[inline(always)]
    pub fn len(&self) -> usize {
        usize::from(self.at)
    }

    /// Whether nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.at == 0
    }

    /// Appends a byte. Exceeding [`Line::CAPACITY`] corrupts the text, or panics in a debug build.
    #[inline(always)]
    pub fn push(&mut self, byte: u8) {
        self.room[usize::from(self.at)] = byte;
        self.count(1);
    }

    /// Appends text whose length is a compile-time constant.
    #[inline(always)]
    pub fn text<const N: usize>(&mut self, text: &[u8; N]) {
        self.text_of_len(text, N);
    }

    /// Stores all of `text` and counts the first `len` bytes: for table entries of varying length.
    #[inline(always)]
    pub fn text_of_len<const N: usize>(&mut self, text: &[u8; N], len: usize) {
        debug_assert!(len <= N);
        self.put(text);
        self.count(len);
    }

    /// Appends the bytes that `write` stores in a slice of `N` bytes; `write` returns their number.
    #[inline(always)]
    pub fn fill<const N: usize>(&mut self, write: impl FnOnce(&mut [u8; N]) -> usize) {
        const { assert!(N <= Line::WIDEST) };
        let at = usize::from(self.at);
        let room = &mut self.room[at..at + N];
        let len = write(room.try_into().expect("a slice of that length"));
        debug_assert!(len <= N);
        self.count(len);
    }

    /// Appends text.
    ///
    /// # Panics
    ///
    /// If the line does not have enough space.
    pub fn slice(&mut self, text: &[u8]) {
        let at = usize::from(self.at);
        assert!(at + text.len() <= Line::CAPACITY, "a line is too long");
        self.room[at..at + text.len()].copy_from_slice(text);
        self.count(text.len());
    }

    #[inline(always)]
    fn put<const N: usize>(&mut self, text: &[u8; N]) {
        const { assert!(N <= Line::WIDEST) };
        let at = usize::from(self.at);
        self.room[at..at + N].copy_from_slice(text);
    }

    #[inline(always)]
    fn count(&mut self, len: usize) {
        debug_assert!(usize::from(self.at) + len <= Line::CAPACITY, "a line is too long");
        self.at = self.at.wrapping_add(len as u8);
    }

    /// Appends a number in decimal digits.
    #[inline(always)]
    pub fn number(&mut self, number: u32) {
        match SMALL_NUMBERS.get(number as usize) {
            Some(small) => self.text_of_len(&small.digits, usize::from(small.len)),
            None => self.fill(|room| large_number(number, room)),
        }
    }

    /// Appends the line to the text of the buffer.
    #[inline(always)]
    pub fn finish(self) {
        *self.len += usize::from(self.at);
    }
}

/// Writes the digits. Not a method of the line, so that the line can be kept in registers.
#[cold]
fn large_number(mut number: u32, room: &mut [u8; 10]) -> usize {
    let mut start = room.len();
    while number > 0 {
        start -= 1;
        room[start] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    room.copy_within(start.., 0);
    room.len() - start
}

#[derive(Clone, Copy)]
struct Small {
    digits: [u8; 3],
    len: u8,
}

/// Clocks and move numbers of nearly all games: copying four bytes replaces divisions.
static SMALL_NUMBERS: [Small; 512] = {
    let mut table = [Small { digits: [0; 3], len: 0 }; 512];
    let mut i = 0;
    while i < table.len() {
        let all = [b'0' + (i / 100) as u8, b'0' + (i / 10 % 10) as u8, b'0' + (i % 10) as u8];
        let len = if i < 10 {
            1
        } else if i < 100 {
            2
        } else {
            3
        };
        let mut at = 0;
        while at < len {
            table[i].digits[at] = all[3 - len + at];
            at += 1;
        }
        table[i].len = len as u8;
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_formatting_writes_them() {
        let large = [1000, 5_949, 123_456, u32::MAX - 1, u32::MAX];
        for number in (0..1200).chain(large) {
            let mut buffer = Buffer::default();
            let mut line = buffer.line();
            line.number(number);
            line.finish();
            assert_eq!(buffer.as_bytes(), number.to_string().as_bytes());
        }
    }

    #[test]
    fn a_line_that_is_not_finished_leaves_nothing() {
        let mut buffer = Buffer::default();
        buffer.extend(b"abc");
        buffer.line().text(b"def");
        assert_eq!(buffer.as_bytes(), b"abc");
    }

    #[test]
    fn text_of_any_length_is_appended_whatever_there_was_before() {
        for len in [0, 1, Line::ROOM - 1, Line::ROOM, 4_095, 4_096, 4_097, 10_000] {
            let mut buffer = Buffer::default();
            let mut expected = Vec::new();
            assert!(buffer.is_empty());
            for byte in b'a'..=b'e' {
                buffer.extend(&vec![byte; len]);
                expected.resize(expected.len() + len, byte);
                assert_eq!(buffer.as_bytes(), expected);
                assert_eq!((buffer.len(), buffer.is_empty()), (expected.len(), len == 0));
            }
        }
    }

    #[test]
    fn a_buffer_is_full_when_it_has_no_space_for_the_longest_line() {
        let mut buffer = Buffer::default();
        assert!(buffer.is_full());
        buffer.line().push(b'x');
        assert!(!buffer.is_full());
        buffer.extend(&vec![b'x'; buffer.bytes.len() - Line::ROOM]);
        assert!(!buffer.is_full());
        buffer.extend(b"x");
        assert!(buffer.is_full());
    }

    #[test]
    #[should_panic(expected = "a line is too long")]
    fn a_line_takes_no_more_than_its_capacity() {
        let mut buffer = Buffer::default();
        let mut line = buffer.line();
        line.slice(&[b'x'; Line::CAPACITY]);
        line.slice(b"x");
    }

    #[test]
    fn parts_of_a_line_follow_each_other() {
        let mut buffer = Buffer::default();
        let mut line = buffer.line();
        line.push(b'a');
        line.text(b"bc");
        line.text_of_len(b"de-", 2);
        line.fill(|room: &mut [u8; 4]| {
            *room = *b"fgh-";
            3
        });
        line.slice(b"i");
        line.number(1_000_000);
        line.finish();
        assert_eq!(buffer.as_bytes(), b"abcdefghi1000000");
        assert_eq!(format!("{buffer:?}"), "Buffer(\"abcdefghi1000000\")");
    }

    #[test]
    fn the_buffer_grows_and_shrinks() {
        let mut buffer = Buffer::default();
        for _ in 0..1000 {
            let mut line = buffer.line();
            line.slice(&[b'x'; 200]);
            line.finish();
        }
        assert_eq!(buffer.len(), 200_000);
        buffer.truncate(3);
        buffer.truncate(4);
        assert_eq!(buffer.as_bytes(), b"xxx");
        buffer.extend(&[b'y'; 10_000]);
        assert_eq!(buffer.len(), 10_003);
        buffer.clear();
        assert!(buffer.is_empty());
    }
}
