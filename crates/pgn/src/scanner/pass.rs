//! The short way past a game that nobody wants to read.

use super::guess::goes_on;
use super::{Phase, Scanner};
use crate::token::{Outcome, Token};

/// So far one looks ahead at once: what is looked at twice is bounded by it.
const WINDOW: usize = 4096;

/// Bytes looked at together: as many as a register holds on every machine.
const BLOCK: usize = 16;

/// Letters, digits, and what stands beside them in moves and move numbers: no result, comment, variation or tag can begin
/// with them or hold them alone. It is arithmetic, so that a whole block is asked at once.
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

/// The same for one byte.
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
fn pass_over_plain_bytes(bytes: &[u8], mut at: usize, end: usize) -> usize {
    while at < end && PLAIN[usize::from(bytes[at])] {
        at += 1;
    }
    at
}

/// The first `}` behind `at`. Most comments are a few words of eight bytes, fewer than a call is worth.
#[inline(always)]
fn closing_brace(bytes: &[u8], mut at: usize) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    for _ in 0..4 {
        let word: [u8; 8] = bytes.get(at..at + 8)?.try_into().ok()?;
        let differs = u64::from_le_bytes(word) ^ (ONES * b'}' as u64);
        // The high bit of each byte that is zero; above the first such byte a borrow may make it wrong.
        let same = differs.wrapping_sub(ONES) & !differs & (ONES * 0x80);
        if same != 0 {
            return Some(at + same.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    memchr::memchr(b'}', &bytes[at..]).map(|len| at + len)
}

impl Scanner<'_> {
    /// Passes over what is left of this game: the same as taking all its tokens, in less time. The result that its movetext
    /// ends with comes back, if it is still ahead.
    ///
    /// ```
    /// let mut scanner = pgn::Scanner::new(b"1. e4 {1-0} e5 1/2-1/2 {end}\n\n1. d4 *");
    /// assert!(scanner.next_game());
    /// assert_eq!(scanner.pass_over_game(), Some(pgn::Outcome::Draw));
    /// assert_eq!(scanner.next_token(), None);
    /// assert!(scanner.next_game());
    /// assert_eq!(scanner.next_token(), Some(pgn::Token::Move(b"d4")));
    /// ```
    pub fn pass_over_game(&mut self) -> Option<Outcome> {
        let mut outcome = None;
        loop {
            self.pass_over_plain_words();
            match self.next_token() {
                None => return outcome,
                Some(Token::Result(result)) if self.depth == 0 => outcome = Some(result),
                Some(_) => {}
            }
        }
    }

    /// Passes over words and comments of which no one can change where the scanner stands in the game: once there is a move,
    /// more of them make no difference. What it stops at is left to [`Scanner::next_token`], from the beginning of the word on.
    #[inline]
    fn pass_over_plain_words(&mut self) {
        let indifferent = self.has_moves || self.depth > 0;
        if self.phase != Phase::Movetext || self.blank_line || !indifferent {
            return;
        }
        let end = self.bytes.len().min(self.at + WINDOW);
        let bytes = &self.bytes[..end];
        let mut at = self.at;
        // Behind the last comment: what stands in one is no word.
        let mut start = at;
        loop {
            if bytes.get(at).is_some_and(|byte| PLAIN[usize::from(*byte)]) {
                while let Some(block) = bytes.get(at..at + BLOCK)
                    && block.iter().fold(true, |all, byte| all & is_plain(*byte))
                {
                    at += BLOCK;
                }
                at = pass_over_plain_bytes(bytes, at, end);
            }
            match bytes[at..] {
                [b'{', ..] => match closing_brace(bytes, at) {
                    Some(brace) => {
                        start = brace + 1;
                        // Where each move has a comment, the next one is near.
                        at = pass_over_plain_bytes(bytes, start, end.min(start + BLOCK));
                    }
                    None => break,
                },
                // A line end behind which movetext goes on at once: no blank line, no escape and no tag.
                [b'\n', next, ..] if goes_on(next) => at += 1,
                [b'\r', b'\n', next, ..] if goes_on(next) => at += 2,
                // Castling is no result.
                [b'-', b'O', ..] if at > start && bytes[at - 1] == b'O' => at += 1,
                _ => break,
            }
        }
        let last_word = bytes[start..at].iter().rposition(|byte| matches!(byte, b' ' | b'\n'));
        self.at = start + last_word.map_or(0, |blank| blank + 1);
    }
}
