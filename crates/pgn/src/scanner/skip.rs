//! Fast path that skips the rest of a game.

use super::Scanner;
use super::phase::Phase;
use super::plain_words::goes_on;
use crate::result::Outcome;
use crate::token::Token;

/// Look-ahead in bytes; bounds the number of bytes that are examined twice.
const WINDOW: usize = 4096;

/// Bytes processed together: the size of a SIMD register on every supported machine.
const BLOCK: usize = 16;

/// Letters, digits, and the other characters of moves and move numbers. A result, comment,
/// variation or tag cannot begin with them or consist of them. Written as arithmetic so that a
/// whole block is tested at once.
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

/// Lookup table of [`is_plain`], for single bytes.
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

/// Returns the offset of the first `}` after `at`. Most comments are a few 8-byte words, too short
/// for a call of memchr.
#[inline(always)]
fn closing_brace(bytes: &[u8], mut at: usize) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    for _ in 0..4 {
        let word: [u8; 8] = bytes.get(at..at + 8)?.try_into().ok()?;
        let differs = u64::from_le_bytes(word) ^ (ONES * b'}' as u64);
        // High bit of each zero byte; bytes above the first such byte may be wrong because of the
        // borrow.
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
    /// further moves make no difference. Stops at the beginning of a word; the rest is left to
    /// [`Scanner::next_token`].
    #[inline]
    fn skip_plain_words(&mut self) {
        let indifferent = self.has_moves || self.depth > 0;
        if self.phase != Phase::Movetext || self.blank_line || !indifferent {
            return;
        }
        let end = self.bytes.len().min(self.at + WINDOW);
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
