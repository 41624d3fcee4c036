//! Fast path for plain movetext: words that are probably moves are not classified as tokens first.

use super::{Phase, Scanner};
use crate::token::{CLASS, END, Outcome, Token};

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

    /// Returns the word and the bytes that follow it.
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

    /// Consumes the last [peeked word](Scanner::peek_plain_word), which must be a move.
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

/// Length of a line end that a word, number or comment follows; 0 before anything else.
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

/// Whether it is neither white space nor `%` or `[`, in one or two comparisons.
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

/// `None` if there is none, or nothing before it, or if it does not end words.
#[inline(always)]
fn length_before_space(word: u64) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // High bit of each byte below 0x21; those above the first may be wrong because of the borrow.
    let below = word.wrapping_sub(ONES * 0x21) & !word & (ONES * 0x80);
    let len = below.trailing_zeros() / 8;
    if len == 0 || len >= 8 || ENDS >> (word >> (8 * len) & 0x3f) & 1 == 0 {
        return None;
    }
    Some(len as usize)
}

// Fast path that skips the rest of a game.

/// Look-ahead in bytes; bounds the number of bytes that are examined twice.
const SKIP_WINDOW: usize = 4096;

/// Bytes processed together: the size of a SIMD register on every supported machine.
const BLOCK: usize = 16;

/// Letters, digits, and other characters of moves and move numbers, of which no result, comment,
/// variation or tag consists. Written as arithmetic so that a whole block is tested at once.
#[inline(always)]
const fn is_plain(byte: u8) -> bool {
    let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    let digit = byte.wrapping_sub(b'0') < 10;
    letter
        | digit
        | (byte == b' ')
        | (byte == b'.')
        | (byte == b'+')
        | (byte == b'#')
        | (byte == b'=')
}

static PLAIN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = is_plain(byte as u8);
        byte += 1;
    }
    table
};

#[inline(always)]
fn skip_plain_bytes(bytes: &[u8], mut at: usize, end: usize) -> usize {
    while at < end && PLAIN[usize::from(bytes[at])] {
        at += 1;
    }
    at
}

/// Returns the offset of the first `}`. Most comments are too short for a call of memchr.
#[inline(always)]
fn closing_brace(bytes: &[u8], mut at: usize) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    for _ in 0..4 {
        let word: [u8; 8] = bytes.get(at..at + 8)?.try_into().ok()?;
        let differs = u64::from_le_bytes(word) ^ (ONES * b'}' as u64);
        // High bit of each zero byte; those above the first may be wrong because of the borrow.
        let same = differs.wrapping_sub(ONES) & !differs & (ONES * 0x80);
        if same != 0 {
            return Some(at + same.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    memchr::memchr(b'}', &bytes[at..]).map(|len| at + len)
}

impl Scanner<'_> {
    /// Skips the rest of this game; equivalent to reading all its tokens, but faster. Returns the
    /// result that ends the movetext, unless it has been read already.
    ///
    /// ```
    /// let mut scanner = pgn::Scanner::new(b"1. e4 {1-0} e5 1/2-1/2 {end}\n\n1. d4 *");
    /// assert!(scanner.next_game());
    /// assert_eq!(scanner.skip_game(), Some(pgn::Outcome::Draw));
    /// assert_eq!(scanner.next_token(), None);
    /// assert!(scanner.next_game());
    /// assert_eq!(scanner.next_token(), Some(pgn::Token::Move(b"d4")));
    /// ```
    pub fn skip_game(&mut self) -> Option<Outcome> {
        let mut outcome = None;
        loop {
            self.skip_plain_words();
            match self.next_token() {
                None => return outcome,
                Some(Token::Result(result)) if self.depth == 0 => outcome = Some(result),
                Some(_) => {}
            }
        }
    }

    /// Skips words and comments that cannot change the state of the scanner: once there is a move,
    /// further moves make no difference. Stops at the beginning of a word.
    #[inline]
    fn skip_plain_words(&mut self) {
        let indifferent = self.has_moves || self.depth > 0;
        if self.phase != Phase::Movetext || self.blank_line || !indifferent {
            return;
        }
        let end = self.bytes.len().min(self.at + SKIP_WINDOW);
        let bytes = &self.bytes[..end];
        let mut at = self.at;
        // End of the last comment: words do not extend into comments.
        let mut start = at;
        loop {
            if bytes.get(at).is_some_and(|byte| PLAIN[usize::from(*byte)]) {
                while let Some(block) = bytes.get(at..at + BLOCK)
                    && block.iter().fold(true, |all, byte| all & is_plain(*byte))
                {
                    at += BLOCK;
                }
                at = skip_plain_bytes(bytes, at, end);
            }
            match bytes[at..] {
                [b'{', ..] => match closing_brace(bytes, at) {
                    Some(brace) => {
                        start = brace + 1;
                        // In games with a comment after each move, the next one is near.
                        at = skip_plain_bytes(bytes, start, end.min(start + BLOCK));
                    }
                    None => break,
                },
                // A line end directly followed by movetext: not by an empty line, escape or tag.
                [b'\n', next, ..] if goes_on(next) => at += 1,
                [b'\r', b'\n', next, ..] if goes_on(next) => at += 2,
                // Castling is not a result.
                [b'-', b'O', ..] if at > start && bytes[at - 1] == b'O' => at += 1,
                _ => break,
            }
        }
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\n');
        let last_blank =
            |end: usize| bytes[start..end].iter().rposition(is_blank).map(|at| start + at);
        // The word before the last one may be a part of a result: `1 - 0`.
        self.at = last_blank(at).and_then(last_blank).map_or(start, |blank| blank + 1);
    }
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
