//! Context of the last token, by which a caller distinguishes an annotation or a move number from
//! part of a damaged move.

use std::ops::Range;

use super::{Phase, Scanner};
use crate::token::{CLASS, END, PgnDiagnosticKind, ends_word};
use crate::{tag, word};

/// Maximum look-ahead, in bytes; bounds the cost of a hostile game.
const NEAR: usize = 256;

/// Longest run of digits considered before a token, in bytes.
const LONGEST_NUMBER: usize = 16;

/// Text that may not be what it was read as: the next move number confirms or refutes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubt<'a> {
    /// The text: a comment, the rest of a line, or nothing behind a mark that closes nothing.
    pub text: &'a [u8],
}

impl Doubt<'_> {
    /// Whether moves were behind a sign that makes a comment of them: `16. ;Qc3 *`.
    pub fn is_line_of_moves(&self) -> bool {
        matches!(self.text, [b';' | b'%', moves @ ..] if word::has_moves(moves))
    }
}

impl<'a> Scanner<'a> {
    #[cold]
    pub(super) fn doubt_comment(&mut self, text: &'a [u8]) {
        let doubt = Doubt { text };
        let has_numbers = || word::move_numbers(text).next().is_some();
        let is_doubtful = || text.contains(&b'{') || has_numbers() || doubt.is_line_of_moves();
        if self.phase == Phase::Movetext && is_doubtful() {
            self.doubt = Some(doubt);
        }
    }

    /// Returns the next word of this game after the last token without consuming it, if it is near.
    /// White space, comments, annotations and variations in between are skipped. A move number is a
    /// word, too.
    ///
    /// ```
    /// let mut scanner = pgn::Scanner::new(b"1. Nf3 N {new} 1... e5 *");
    /// assert!(scanner.next_game());
    /// assert_eq!(scanner.next_token(), Some(pgn::Token::Move(b"Nf3")));
    /// assert_eq!(scanner.next_token(), Some(pgn::Token::Glyph(b"N")));
    /// assert_eq!(scanner.word_ahead(), Some(&b"1..."[..]));
    /// ```
    pub fn word_ahead(&self) -> Option<&'a [u8]> {
        let word = self.near_word()?;
        // The next game may be in another chunk, so its words must not count.
        self.goes_on_to(word.start).then(|| &self.bytes[word])
    }

    /// Returns the place of the next word after the last token, which may be in the next game.
    fn near_word(&self) -> Option<Range<usize>> {
        let near = &self.bytes[..self.bytes.len().min(self.at + NEAR)];
        let (mut at, mut depth) = (self.at, 0_usize);
        loop {
            let rest = &near[at..];
            at += match *rest.first()? {
                b'{' => memchr::memchr(b'}', rest)? + 1,
                b'%' if matches!(near[..at].last(), Some(b'\n' | b'\r')) => tag::line_end(rest, 0),
                b';' => tag::line_end(rest, 0),
                b'(' => {
                    depth += 1;
                    1
                }
                b')' => {
                    depth = depth.checked_sub(1)?;
                    1
                }
                // The next game may be attached to the result.
                b'*' if depth == 0 => return Some(at..at + 1),
                b'$' => 1 + rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count(),
                byte if CLASS[usize::from(byte)] & END != 0 => 1,
                _ => match word::odd_space(rest) {
                    0 => {
                        let end = word::end_of_odd_word(near, at);
                        if depth == 0 && !word::is_glyph(&near[at..end]) {
                            return Some(at..end);
                        }
                        end - at
                    }
                    blank => blank,
                },
            };
        }
    }

    fn goes_on_to(&self, to: usize) -> bool {
        let Scanner { bytes, at, phase, depth, blank_line, has_moves, next_input, .. } = *self;
        let mut ahead =
            Scanner { at, phase, depth, blank_line, has_moves, next_input, ..Scanner::new(bytes) };
        while ahead.at < to {
            if ahead.next_token().is_none() {
                return ahead.at > to;
            }
        }
        true
    }

    /// Whether a move number or `(` precedes the last token, ignoring white space.
    pub fn is_after_number(&self) -> bool {
        let before = trim_end(self.game_before(self.token_start));
        self.follows_dots() || before.ends_with(b"(") || ends_with_number(before)
    }

    pub(super) fn follows_dots(&self) -> bool {
        word::strip_dot(trim_end(self.game_before(self.token_start))).is_some()
    }

    /// Returns the digits of the move number directly before the last token, ignoring white space,
    /// and whether several dots follow them, as before a move of Black.
    pub fn number_before(&self) -> Option<(&'a [u8], bool)> {
        let (mut before, mut dots) = (trim_end(self.game_before(self.token_start)), 0);
        while let Some(rest) = word::strip_dot(before) {
            dots += if before.ends_with("…".as_bytes()) { 3 } else { 1 };
            before = trim_end(rest);
        }
        let len = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let (before, digits) = before.split_at(before.len() - len);
        (len > 0 && ends_word(before.last()) && !before.ends_with(b"$"))
            .then_some((digits, dots > 1))
    }

    /// Returns the word after the last token, without `=` and parentheses, and the offset of its
    /// end: the promotion piece of `a8 = Q` and `a8 (Q)`.
    pub fn promotion_ahead(&self) -> Option<(&'a [u8], usize)> {
        let near = &self.bytes[..self.bytes.len().min(self.at + NEAR)];
        let skip = |at: usize, marks: &[u8]| {
            at + near[at..].iter().take_while(|byte| marks.contains(byte)).count()
        };
        let start = skip(self.at, b" \t=/(");
        let end = word::end_of_odd_word(near, start);
        (end > start).then(|| (&near[start..end], skip(end, b")")))
    }

    /// Consumes the text up to an offset after the last token, which belongs to that token.
    pub fn skip_to(&mut self, end: usize) {
        self.at = end;
    }

    /// Whether this game ended only because move number 1 follows after a comment.
    #[inline]
    pub fn is_restarted(&self) -> bool {
        self.restarted_after.is_some() && self.phase == Phase::BetweenGames
    }

    /// Whether the last token is so near this game's end that it may decide whether it goes on.
    pub fn is_near(&self, end: usize) -> bool {
        self.at < end + NEAR
    }

    /// Returns the start of the variation in which this game ended, if it is not closed.
    pub fn open_variation(&self) -> Option<usize> {
        let (start, _) = self.unclosed?;
        (self.phase == Phase::BetweenGames && !self.is_cut).then_some(start)
    }

    /// Reads the text of this game from an offset on as its main line.
    pub fn go_on_at(&mut self, at: usize) {
        (self.phase, self.at, self.depth, self.blank_line) = (Phase::Movetext, at, 0, false);
    }

    /// Goes on with the game that ended in a variation, at the offset where its main line does.
    pub fn leave_variation(&mut self, at: usize) {
        if let Some((_, last_end)) = self.unclosed.take() {
            (self.last_end, self.starts_here) = (last_end, false);
            self.go_on_at(at);
            self.faults.retain(|fault| {
                fault.span.start < at || fault.kind == PgnDiagnosticKind::OpenVariation
            });
        }
    }

    /// Returns the text read since the last call that raises a doubt about the moves around it.
    #[inline]
    pub fn take_doubt(&mut self) -> Option<Doubt<'a>> {
        self.doubt.take()
    }

    /// Goes on with the game that ended because move number 1 follows.
    pub fn go_on(&mut self) {
        if let Some(last_end) = self.restarted_after.take() {
            (self.last_end, self.starts_here) = (last_end, false);
            (self.phase, self.blank_line) = (Phase::Movetext, false);
        }
    }

    /// Returns the digits directly before the last token, without white space or a dot in between:
    /// `3` before the `a3` of `3a3`. The digits of an annotation (`$3`) do not count.
    #[inline]
    pub fn glued_digits(&self) -> Option<&'a [u8]> {
        let before = self.game_before(self.token_start);
        if before.last().is_some_and(u8::is_ascii_digit) { glued_digits(before) } else { None }
    }

    /// Whether a dot precedes the [glued digits](Scanner::glued_digits), as in `3. 3a3`.
    pub fn is_number_repeated(&self) -> bool {
        let before = self.game_before(self.token_start);
        let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        trim_end(&before[..before.len() - digits]).ends_with(b".")
    }

    /// Text before the game may be in another chunk and is not used.
    #[inline]
    pub(super) fn game_before(&self, at: usize) -> &'a [u8] {
        self.bytes.get(self.game_start..at).unwrap_or_default()
    }
}

#[cold]
fn glued_digits(before: &[u8]) -> Option<&[u8]> {
    let len = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (before, digits) = before.split_at(before.len() - len);
    (!before.ends_with(b"$")).then_some(digits)
}

/// Whether the last word consists of digits, and is not an annotation (`$3`).
pub(super) fn ends_with_number(text: &[u8]) -> bool {
    let near = &text[text.len().saturating_sub(LONGEST_NUMBER)..];
    let digits = near.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let before = near[..near.len() - digits].last();
    digits > 0 && before != Some(&b'$') && ends_word(before)
}

pub(super) fn trim_end(text: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0 | 0x0b | 0x1a);
    let end = text.iter().rposition(|byte| !is_blank(byte)).map_or(0, |last| last + 1);
    &text[..end]
}
