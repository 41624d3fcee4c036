//! The short way through plain movetext: a word that is likely a move is looked at before it is known to be a token.

use super::{Phase, Scanner};
use crate::class::{CLASS, END};

/// A word that may be a move, and where it ends. It is a guess: see [`Scanner::guess`].
#[derive(Clone, Copy, Debug)]
pub struct Guess<'a> {
    /// The text up to the next blank.
    pub text: &'a [u8],
    start: usize,
}

/// Words up to this length are guessed, and so much must follow in the text.
const WINDOW: usize = 8;

impl<'a> Scanner<'a> {
    /// The next word of the main line, if nothing but blanks, a line end and a move number come before it and a blank comes behind.
    ///
    /// Nothing is consumed, and nothing is known of what the word holds: it may be `Nf3`, or `Nf3{good}`, or `1-0`. Who finds
    /// that it is a move in plain SAN, letters, digits and `x`, `=`, `-`, `+`, `#` alone, may [accept](Scanner::accept) it, for then
    /// [`Scanner::next_token`] would give just that; who does not asks [`Scanner::next_token`]. Looking at each byte of a
    /// word once, where it is read as a move, is worth some 6 % of the whole time on 8moves_v3 (bench `throughput`, `fields`).
    ///
    /// ```
    /// let mut scanner = pgn::Scanner::new(b"1. e4 e5 {best} 2. Nf3 *         ");
    /// assert!(scanner.next_game());
    /// let guess = scanner.guess().unwrap();
    /// assert_eq!(guess.text, b"e4");
    /// scanner.accept(guess);
    /// assert_eq!(scanner.next_token(), Some(pgn::Token::Move(b"e5")));
    /// assert_eq!(scanner.guess().unwrap().text, b"{best}");
    /// ```
    #[inline(always)]
    pub fn guess(&self) -> Option<Guess<'a>> {
        if self.phase != Phase::Movetext || self.depth > 0 || self.blank_line {
            return None;
        }
        let mut at = skip_line_end(self.bytes, skip_blanks(self.bytes, self.at));
        if self.bytes.get(at)?.is_ascii_digit() {
            at = self.after_plain_number(at)?;
        }
        let window: [u8; WINDOW] = self.bytes.get(at..at + WINDOW)?.try_into().ok()?;
        let len = length_before_blank(u64::from_le_bytes(window))?;
        // Other bytes below `!` belong to words.
        if CLASS[usize::from(window[len])] & END == 0 {
            return None;
        }
        Some(Guess { text: &self.bytes[at..at + len], start: at })
    }

    /// Takes the word as a move. It must be the last [guess](Scanner::guess), and a move.
    #[inline(always)]
    pub fn accept(&mut self, guess: Guess<'a>) {
        self.token_start = guess.start;
        self.at = guess.start + guess.text.len();
        self.has_moves = true;
    }

    /// The next token of the main line, if that is a comment in braces and nothing but blanks come before it; it is taken. The
    /// same as [`Scanner::next_token`] would give, in less time.
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
        let at = skip_line_end(self.bytes, skip_blanks(self.bytes, self.at));
        let text = self.bytes.get(at..)?.strip_prefix(b"{")?;
        let len = memchr::memchr(b'}', text)?;
        self.token_start = at;
        self.at = at + len + 2;
        Some(&text[..len])
    }

    /// Behind `12.` or `12...` and blanks, or a line end.
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
        // Lines are broken there too.
        Some(skip_line_end(self.bytes, skip_blanks(self.bytes, at)))
    }
}

/// Behind a line end that a word, a number or a comment follows at once: no blank line, no escape and no tag.
#[inline(always)]
fn skip_line_end(bytes: &[u8], at: usize) -> usize {
    match bytes[at..] {
        [b'\n', next, ..] if goes_on(next) => at + 1,
        [b'\r', b'\n', next, ..] if goes_on(next) => at + 2,
        _ => at,
    }
}

/// Whether movetext goes on with this byte at the beginning of a line, in one comparison or two: no white space, no `%` and no `[`.
#[inline(always)]
pub(super) fn goes_on(byte: u8) -> bool {
    byte.wrapping_sub(b'&') <= b'~' - b'&' && byte != b'['
}

#[inline(always)]
fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at) == Some(&b' ') {
        at += 1;
    }
    at
}

/// How many bytes come before the first blank, line end or other byte below `!`; `None` if there is none in the word, or
/// nothing before it.
#[inline]
fn length_before_blank(word: u64) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The high bit of each byte that is below 0x21; above the first such byte a borrow may make it wrong.
    let below = word.wrapping_sub(ONES * 0x21) & !word & (ONES * 0x80);
    let len = below.trailing_zeros() as usize / 8;
    (len < WINDOW && len > 0).then_some(len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_before_a_blank_is_found_in_any_word() {
        for text in
            ["e4 e5 Nf", "Nf3\n\n   ", "exd8=Q+ ", "a\tb     ", "O-O-O\r\n1", "\u{e9}4 e5 d6"]
        {
            let word: [u8; 8] = text.as_bytes()[..8].try_into().unwrap();
            let expected = word.iter().position(|b| *b < b'!').filter(|len| *len > 0);
            assert_eq!(length_before_blank(u64::from_le_bytes(word)), expected, "{text:?}");
        }
        assert_eq!(length_before_blank(u64::from_le_bytes(*b"Nf3Nf3Nf")), None);
        assert_eq!(length_before_blank(u64::from_le_bytes(*b" f3Nf3Nf")), None);
    }
}
