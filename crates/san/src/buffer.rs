//! Text in the making: [`Buffer`] holds lines, [`Line`] has room for one more, without a check for space at every byte.

/// Bytes that grow line by line.
///
/// What lies behind the text is scratch memory, kept from one use to the next: it is cleared once, never again, so that
/// a writer may put down a fixed number of bytes of which only some count.
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
    /// The text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether more memory is needed for one more line.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.bytes.len() - self.len < Line::ROOM
    }

    /// Forgets the text, keeps the memory.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Forgets all but the first `len` bytes.
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

    /// Room for a line behind the text.
    #[inline(always)]
    pub fn line(&mut self) -> Line<'_> {
        if self.is_full() {
            self.make_room(Line::ROOM);
        }
        let room = &mut self.bytes[self.len..self.len + Line::ROOM];
        let room = room.try_into().expect("a slice of that length");
        Line { room, at: 0, len: &mut self.len }
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

/// A line being written. It counts only once it is [finished](Line::finish).
#[derive(Debug)]
pub struct Line<'b> {
    room: &'b mut [u8; Line::ROOM],
    /// A byte, so that no place it can name is outside of the room: no write needs a check.
    at: u8,
    len: &'b mut usize,
}

impl Line<'_> {
    /// So many bytes a line can hold. The four fields take 94 at most (EPD 3), a `sm`, `fmvn` and `hmvc` 52.
    pub const CAPACITY: usize = 255;
    /// What may be put down at once, beyond what counts.
    const WIDEST: usize = 96;
    const ROOM: usize = Line::CAPACITY + Line::WIDEST + 1;

    /// Appends a byte. Who appends more than [`Line::CAPACITY`] bytes writes nonsense, or panics in a debug build.
    #[inline(always)]
    pub fn push(&mut self, byte: u8) {
        self.room[usize::from(self.at)] = byte;
        self.count(1);
    }

    /// Appends text whose length is known when the program is built.
    #[inline(always)]
    pub fn text<const N: usize>(&mut self, text: &[u8; N]) {
        self.text_of_len(text, N);
    }

    /// Puts all of `text` down, and counts the first `len` bytes of it: for text of different lengths from a table.
    #[inline(always)]
    pub fn text_of_len<const N: usize>(&mut self, text: &[u8; N], len: usize) {
        debug_assert!(len <= N);
        self.put(text);
        self.count(len);
    }

    /// Appends what `write` puts into a room of `N` bytes, as many of them as it says.
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
    /// If there is no room for it in the line.
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

    /// Makes the line part of the buffer.
    #[inline(always)]
    pub fn finish(self) {
        *self.len += usize::from(self.at);
    }
}

/// Apart from the line, so that the line itself can live in registers.
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

/// Clocks and move numbers of nearly all games: one copy of four bytes instead of divisions.
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
    fn the_buffer_grows_and_shrinks() {
        let mut buffer = Buffer::default();
        for _ in 0..1000 {
            let mut line = buffer.line();
            line.slice(&[b'x'; 200]);
            line.finish();
        }
        assert_eq!(buffer.len(), 200_000);
        buffer.truncate(3);
        assert_eq!(buffer.as_bytes(), b"xxx");
        buffer.extend(&[b'y'; 10_000]);
        assert_eq!(buffer.len(), 10_003);
        buffer.clear();
        assert!(buffer.is_empty());
    }
}
