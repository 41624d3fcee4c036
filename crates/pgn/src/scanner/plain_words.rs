//! Fast path for plain movetext: reads a word that is probably a move before classifying it as a token.

use super::Scanner;
use super::phase::Phase;
use crate::class::{CLASS, END};

/// A word that may be a move, and its end; see [`Scanner::peek_plain_word`].
#[derive(Clone, Copy, Debug)]
pub struct PeekedWord<'a> {
    /// The text up to the next white space.
    pub text: &'a [u8],
    start: usize,
}

/// Longest word that is peeked at, in bytes; the same number of bytes must be available.
const WINDOW: usize = 8;

impl<'a> Scanner<'a> {
    /// Returns the next word of the main line if only white space and a move number precede it and white space follows it.
    ///
    /// Does not consume input or classify the word: it may be `Nf3`, `Nf3{good}` or `1-0`. A caller that recognizes a move
    /// in plain SAN (only letters, digits, `x`, `=`, `-`, `+` and `#`) may [consume](Scanner::consume) it, because
    /// [`Scanner::next_token`] would then return exactly that move; any other caller uses [`Scanner::next_token`]. Reading
    /// each byte of a word only once, while decoding the move, saves about 6 % of the total time on 8moves_v3 (benches
    /// `throughput`, `fields`).
    ///
    /// ```
    /// let mut scanner = pgn::Scanner::new(b"1. e4 e5 {best} 2. Nf3 *         ");
    /// assert!(scanner.next_game());
    /// let word = scanner.peek_plain_word().unwrap();
    /// assert_eq!(word.text, b"e4");
    /// scanner.consume(word);
    /// assert_eq!(scanner.next_token(), Some(pgn::Token::Move(b"e5")));
    /// assert_eq!(scanner.peek_plain_word().unwrap().text, b"{best}");
    /// ```
    #[inline(always)]
    pub fn peek_plain_word(&self) -> Option<PeekedWord<'a>> {
        if self.phase != Phase::Movetext || self.depth > 0 || self.blank_line {
            return None;
        }
        let mut at = skip_line_end(self.bytes, skip_spaces(self.bytes, self.at));
        if self.bytes.get(at)?.is_ascii_digit() {
            at = self.after_plain_number(at)?;
        }
        let window: [u8; WINDOW] = self.bytes.get(at..at + WINDOW)?.try_into().ok()?;
        let len = length_before_space(u64::from_le_bytes(window))?;
        // Other control characters belong to words.
        if CLASS[usize::from(window[len])] & END == 0 {
            return None;
        }
        Some(PeekedWord { text: &self.bytes[at..at + len], start: at })
    }

    /// Consumes the word as a move. It must be the last [peeked word](Scanner::peek_plain_word), and a move.
    #[inline(always)]
    pub fn consume(&mut self, word: PeekedWord<'a>) {
        self.token_start = word.start;
        self.at = word.start + word.text.len();
        self.has_moves = true;
    }

    /// Consumes and returns the next token of the main line if it is a comment in braces preceded only by white space.
    /// Equivalent to [`Scanner::next_token`], but faster.
    ///
    /// ```
    /// let mut scanner = pgn::Scanner::new(b"1. e4 {best} e5 *");
    /// assert!(scanner.next_game());
    /// assert_eq!(scanner.plain_comment(), None);
    /// assert_eq!(scanner.next_token(), Some(pgn::Token::Move(b"e4")));
    /// assert_eq!(scanner.plain_comment(), Some(&b"best"[..]));
    /// ```
    #[inline]
    pub fn plain_comment(&mut self) -> Option<&'a [u8]> {
        if self.phase != Phase::Movetext || self.depth > 0 || self.blank_line {
            return None;
        }
        let at = skip_line_end(self.bytes, skip_spaces(self.bytes, self.at));
        let text = self.bytes.get(at..)?.strip_prefix(b"{")?;
        let len = memchr::memchr(b'}', text)?;
        self.token_start = at;
        self.at = at + len + 2;
        Some(&text[..len])
    }

    /// Returns the offset after `12.` or `12...` and white space or a line end.
    #[inline(always)]
    fn after_plain_number(&self, mut at: usize) -> Option<usize> {
        while self.bytes.get(at)?.is_ascii_digit() {
            at += 1;
        }
        if self.bytes[at] != b'.' {
            return None;
        }
        while *self.bytes.get(at)? == b'.' {
            at += 1;
        }
        // Lines are also broken there.
        Some(skip_line_end(self.bytes, skip_spaces(self.bytes, at)))
    }
}

/// Skips a line end that is directly followed by a word, number or comment, not by an empty line, escape or tag.
#[inline(always)]
fn skip_line_end(bytes: &[u8], at: usize) -> usize {
    match bytes[at..] {
        [b'\n', next, ..] if goes_on(next) => at + 1,
        [b'\r', b'\n', next, ..] if goes_on(next) => at + 2,
        _ => at,
    }
}

/// Whether a line that begins with this byte continues the movetext: not white space, `%` or `[`. One or two comparisons.
#[inline(always)]
pub(super) fn goes_on(byte: u8) -> bool {
    byte.wrapping_sub(b'&') <= b'~' - b'&' && byte != b'['
}

#[inline(always)]
fn skip_spaces(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at) == Some(&b' ') {
        at += 1;
    }
    at
}

/// Returns the number of bytes before the first byte below `!` (space, line end, control character); `None` if there is
/// no such byte in the word, or it comes first.
#[inline]
fn length_before_space(word: u64) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // High bit of each byte below 0x21; bytes above the first such byte may be wrong because of the borrow.
    let below = word.wrapping_sub(ONES * 0x21) & !word & (ONES * 0x80);
    let len = below.trailing_zeros() as usize / 8;
    (len < WINDOW && len > 0).then_some(len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_before_a_space_is_found_in_any_word() {
        for text in
            ["e4 e5 Nf", "Nf3\n\n   ", "exd8=Q+ ", "a\tb     ", "O-O-O\r\n1", "\u{e9}4 e5 d6"]
        {
            let word: [u8; 8] = text.as_bytes()[..8].try_into().unwrap();
            let expected = word.iter().position(|b| *b < b'!').filter(|len| *len > 0);
            assert_eq!(length_before_space(u64::from_le_bytes(word)), expected, "{text:?}");
        }
        assert_eq!(length_before_space(u64::from_le_bytes(*b"Nf3Nf3Nf")), None);
        assert_eq!(length_before_space(u64::from_le_bytes(*b" f3Nf3Nf")), None);
    }
}
