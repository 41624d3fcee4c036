//! Fast path for plain movetext: words that are probably moves, without classifying them as tokens
//! first.

use super::Scanner;
use super::phase::Phase;
use crate::class::{CLASS, END};

/// A word that may be a move; see [`Scanner::peek_plain_word`].
#[derive(Clone, Copy, Debug)]
pub struct PeekedWord {
    /// The word and what follows it.
    bytes: [u8; LONGEST],
    len: usize,
    start: usize,
}

impl PeekedWord {
    /// Returns the text up to the next white space.
    #[inline(always)]
    pub fn text(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Returns the length in bytes, 1 to 7.
    #[inline(always)]
    #[expect(clippy::len_without_is_empty, reason = "a word is not empty")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the first bytes of the text from the beginning of the word; the first
    /// [`len`](PeekedWord::len) are the word.
    #[inline(always)]
    pub fn bytes(&self) -> [u8; 8] {
        self.bytes
    }
}

/// A plain word has fewer bytes.
const LONGEST: usize = 8;

/// The bytes in which a word is searched: white space, a move number, white space, and the word.
const WINDOW: usize = 24;

impl<'a> Scanner<'a> {
    /// Returns the next word of the main line if white space follows it, and only a move number
    /// precedes it, with at most one space or line end before and after the number.
    ///
    /// Does not consume input or classify the word: it may be `Nf3`, `Nf3{good}` or `1-0`. A caller
    /// that recognizes a move in plain SAN (only letters, digits, `x`, `=`, `-`, `+` and `#`) may
    /// [consume](Scanner::consume) it, because [`Scanner::next_token`] would then return exactly
    /// that move; any other caller uses [`Scanner::next_token`]. Reading each byte of a word only
    /// once, while decoding the move, saves about 6 % of the total time on 8moves_v3 (benches
    /// `throughput`, `fields`), and another 5 % of the instructions because one check covers all
    /// bytes up to the end of the word.
    ///
    /// ```
    /// let mut scanner = pgn::Scanner::new(b"1. e4 e5 {best} 2. Nf3 Nc6 3. Bb5 a6 *");
    /// assert!(scanner.next_game());
    /// let word = scanner.peek_plain_word().unwrap();
    /// assert_eq!(word.text(), b"e4");
    /// scanner.consume(word);
    /// assert_eq!(scanner.next_token(), Some(pgn::Token::Move(b"e5")));
    /// assert_eq!(scanner.peek_plain_word().unwrap().text(), b"{best}");
    /// ```
    #[inline(always)]
    pub fn peek_plain_word(&self) -> Option<PeekedWord> {
        if self.phase != Phase::Movetext || self.depth > 0 || self.blank_line {
            return None;
        }
        let window: &[u8; WINDOW] = self.bytes.get(self.at..)?.first_chunk()?;
        let mut at = gap(window, 0);
        if window[at].is_ascii_digit() {
            at = after_number(window, at)?;
            at += gap(window, at);
        }
        let bytes = *window.get(at..)?.first_chunk()?;
        let len = length_before_space(u64::from_le_bytes(bytes))?;
        Some(PeekedWord { bytes, len, start: self.at + at })
    }

    /// Consumes the word as a move. It must be the last [peeked word](Scanner::peek_plain_word),
    /// and a move.
    #[inline(always)]
    pub fn consume(&mut self, word: PeekedWord) {
        self.token_start = word.start;
        self.at = word.start + word.len;
        self.has_moves = true;
    }

    /// Consumes spaces, and the next token of the main line if it is a comment in braces, which is
    /// returned. Equivalent to [`Scanner::next_token`], but faster.
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
        while self.bytes.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        let at = self.at + line_end(self.bytes.get(self.at..)?);
        let text = self.bytes[at..].strip_prefix(b"{")?;
        // A comment that contains another opening brace is left to the general reader.
        let len = memchr::memchr2(b'}', b'{', text).filter(|len| text[*len] == b'}')?;
        self.token_start = at;
        self.at = at + len + 2;
        Some(&text[..len])
    }
}

/// Returns the length of a space or line end before a word, number or comment.
#[inline(always)]
fn gap(window: &[u8; WINDOW], at: usize) -> usize {
    if window[at] == b' ' { 1 } else { line_end(&window[at..]) }
}

/// Returns the length of a line end that is directly followed by a word, number or comment, not by
/// an empty line, escape or tag.
#[inline]
fn line_end(text: &[u8]) -> usize {
    match text {
        [b'\n', next, ..] if goes_on(*next) => 1,
        [b'\r', b'\n', next, ..] if goes_on(*next) => 2,
        _ => 0,
    }
}

/// Returns the offset after `1.`, `12.`, `123.` or, for Black's move, `12...`.
#[inline(always)]
fn after_number(window: &[u8; WINDOW], at: usize) -> Option<usize> {
    let mut dot = at + 1;
    while window[dot] != b'.' {
        if !window[dot].is_ascii_digit() || dot == at + 3 {
            return None;
        }
        dot += 1;
    }
    let is_black = window[dot + 1] == b'.' && window[dot + 2] == b'.';
    Some(if is_black { dot + 3 } else { dot + 1 })
}

/// Whether a line that begins with this byte continues the movetext: not white space, `%` or `[`.
/// One or two comparisons.
#[inline(always)]
pub(super) fn goes_on(byte: u8) -> bool {
    byte.wrapping_sub(b'&') <= b'~' - b'&' && byte != b'['
}

/// The characters below `!` that end a word, as bits. Other control characters belong to words.
const ENDS: u64 = {
    let (mut ends, mut byte) = (0, 0);
    while byte <= b' ' {
        if CLASS[byte as usize] & END != 0 {
            ends |= 1 << byte;
        }
        byte += 1;
    }
    ends
};

/// Returns the number of bytes before the first byte below `!`. `None` if all bytes are above it,
/// if nothing precedes it, or if it is a control character that does not end words.
#[inline(always)]
fn length_before_space(word: u64) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // High bit of each byte below 0x21; bytes above the first such byte may be wrong because of the
    // borrow.
    let below = word.wrapping_sub(ONES * 0x21) & !word & (ONES * 0x80);
    let len = below.trailing_zeros() / 8;
    if len == 0 || len >= 8 || ENDS >> (word >> (8 * len) & 0x3f) & 1 == 0 {
        return None;
    }
    Some(len as usize)
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
        // Other control characters belong to the word.
        assert_eq!(length_before_space(u64::from_le_bytes(*b"Nf3\x01 d5 ")), None);
        assert_eq!(length_before_space(u64::from_le_bytes(*b" f3Nf3Nf")), None);
    }
}
