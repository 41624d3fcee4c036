//! Tokens of movetext, up to the result.

use super::{Digits, Phase, Scanner};
use crate::boundary::Tail;
use crate::class::{CLASS, DIGIT, END, ODD, ends_word};
use crate::fault::FaultKind;
use crate::token::{Outcome, Token};
use crate::{tag, word};

/// Words are looked at in pieces of about this length, in bytes; no move or mark is nearly as long.
const LONGEST_WORD: usize = 128;

impl<'a> Scanner<'a> {
    pub(super) fn movetext_token(&mut self) -> Option<Token<'a>> {
        loop {
            let Some(&byte) = self.bytes.get(self.at) else {
                return self.end_of_bytes(self.tail_in_movetext());
            };
            self.token_start = self.at;
            match byte {
                b' ' | b'\t' | 0x0b | 0x0c | 0 | 0x1a => self.at += 1,
                b'\n' | b'\r' => self.line_ends(),
                b'a'..=b'z' | b'A'..=b'Z' => return Some(self.word()),
                b'0'..=b'9' => match self.digits() {
                    Digits::Number(end) => {
                        if self.blank_line && self.restarts(end) {
                            return self.next_game_begins(self.tail_in_movetext());
                        }
                        (self.at, self.blank_line) = (end, false);
                    }
                    Digits::Result(outcome, end) => return Some(self.result(outcome, end)),
                    Digits::Word => return Some(self.word()),
                },
                b'.' => (self.at, self.blank_line) = (self.after_dots(self.at), false),
                b'{' => return self.comment(),
                b';' => return Some(self.line_comment()),
                b'[' if self.first_in_line()
                    && tag::opening_quote(self.bytes, self.at).is_some() =>
                {
                    return self.next_game_begins(self.tail_in_movetext());
                }
                _ => {
                    self.blank_line = false;
                    if let Some(token) = self.mark(byte) {
                        return Some(token);
                    }
                }
            }
        }
    }

    fn tail_in_movetext(&self) -> Tail {
        let Scanner { depth, blank_line, has_moves, .. } = *self;
        Tail::Movetext { depth, blank_line, has_moves }
    }

    /// A token that begins with none of the common bytes; `None` if it was passed over.
    fn mark(&mut self, byte: u8) -> Option<Token<'a>> {
        match byte {
            b'(' => {
                if self.depth == 0 {
                    self.variation_start = self.at;
                }
                self.at += 1;
                self.depth += 1;
                Some(Token::Open)
            }
            b')' if self.depth > 0 => {
                self.at += 1;
                self.depth -= 1;
                Some(Token::Close)
            }
            b')' => self.pass_over(FaultKind::StrayClose, 1),
            b'}' => self.pass_over(FaultKind::StrayBrace, 1),
            b'$' => Some(self.nag()),
            b'*' if ends_word(self.bytes.get(self.at + 1)) => {
                Some(self.result(Outcome::Unknown, self.at + 1))
            }
            b'<' => self.angle_brackets(),
            b'[' | b']' | b'>' => {
                self.at += 1;
                Some(Token::Unknown(&self.bytes[self.token_start..self.at]))
            }
            0x80.. => self.high_byte(),
            _ => Some(self.word()),
        }
    }

    /// A character above ASCII: white space, an ellipsis, a draw, or the beginning of a word.
    #[cold]
    fn high_byte(&mut self) -> Option<Token<'a>> {
        let rest = &self.bytes[self.at..];
        let blank = word::odd_blank(rest);
        if blank > 0 {
            self.at += blank;
            return None;
        }
        if word::ellipsis(rest) > 0 {
            self.at = self.after_dots(self.at);
            return None;
        }
        match word::half_signs(rest) {
            0 => Some(self.word()),
            len => Some(self.result(Outcome::Draw, self.at + len)),
        }
    }

    /// A word: a move, a glyph or something unknown.
    #[inline]
    fn word(&mut self) -> Token<'a> {
        let start = self.at;
        let mut end = start;
        let mut classes = 0;
        while let Some(&byte) = self.bytes.get(end) {
            let class = CLASS[byte as usize];
            if class & END != 0 || class & ODD != 0 && self.breaks_word(start, end) {
                break;
            }
            classes |= class;
            end += 1;
        }
        self.blank_line = false;
        let bracket = self.bytes.get(end) == Some(&b'(');
        if classes & (DIGIT | ODD) != DIGIT || bracket {
            return self.unusual_word(end);
        }
        self.at = end;
        self.has_moves |= self.depth == 0;
        Token::Move(&self.bytes[start..end])
    }

    /// Whether a word ends with an odd byte: before a blank above ASCII, or because it is longer than any word, of which
    /// much may be glued together. What is not looked at twice costs no square of its length.
    #[cold]
    fn breaks_word(&self, start: usize, end: usize) -> bool {
        let byte = self.bytes[end];
        // The byte A0 is a blank of ISO 8859-1, or the end of a character of UTF-8.
        let continues = end > start && byte & 0xc0 == 0x80 && self.bytes[end - 1] >= 0x80;
        let blank = || word::odd_blank(&self.bytes[end..]) > 0;
        end > start && !continues && (end - start >= LONGEST_WORD || byte >= 0x80 && blank())
    }

    #[cold]
    fn unusual_word(&mut self, end: usize) -> Token<'a> {
        let start = self.at;
        if matches!(&self.bytes[start..end], b"O-O" | b"O-O-O") {
            self.at = end;
            self.has_moves |= self.depth == 0;
            return Token::Move(&self.bytes[start..end]);
        }
        let odd_end = word::end_of_odd_word(&self.bytes[..end], start);
        // A word is never empty: an odd blank inside ends it, one at its start never gets here.
        let end = if odd_end > start { odd_end } else { end };
        let text = &self.bytes[start..end];
        let end = end + word::bracketed_promotion(&self.bytes[end..]);
        let end = word::glued_move(text).map_or(end, |len| start + len);
        let text = &self.bytes[start..end];
        self.at = end;
        if word::is_glyph(text) {
            return Token::Glyph(text);
        }
        let has_digit = text.iter().any(u8::is_ascii_digit);
        if has_digit || word::is_move_without_digit(text) {
            self.has_moves |= self.depth == 0;
            return Token::Move(text);
        }
        Token::Unknown(text)
    }

    /// What begins with a digit at `self.at`.
    #[inline]
    pub(super) fn digits(&self) -> Digits {
        let mut end = self.at + 1;
        while self.bytes.get(end).is_some_and(u8::is_ascii_digit) {
            end += 1;
        }
        if self.bytes.get(end) == Some(&b'.') {
            return Digits::Number(self.after_dots(end));
        }
        self.digits_without_dot(end)
    }

    fn digits_without_dot(&self, end: usize) -> Digits {
        let rest = &self.bytes[self.at..];
        let results: [(&[u8], Outcome); 4] = [
            (b"1-0", Outcome::WhiteWins),
            (b"0-1", Outcome::BlackWins),
            (b"1/2-1/2", Outcome::Draw),
            (b"1/2", Outcome::Draw),
        ];
        for (text, outcome) in results {
            if rest.starts_with(text) && ends_word(rest.get(text.len())) {
                return Digits::Result(outcome, self.at + text.len());
            }
        }
        // `00` and `000` are castling, `0000` a null move.
        let digits = &self.bytes[self.at..end];
        let zeros = digits.len() > 1 && digits.iter().all(|b| *b == b'0');
        let next = self.bytes.get(end).copied().unwrap_or(0);
        let after = self.bytes.get(end + 1).copied().unwrap_or(0);
        let piece_follows = matches!(next, b'N' | b'B' | b'R' | b'Q' | b'K' | b'P' | b'O')
            && matches!(after, b'a'..=b'h' | b'1'..=b'8' | b'x' | b'O' | b'-');
        let pawn_follows = matches!(next, b'a'..=b'h') && matches!(after, b'1'..=b'8' | b'x');
        if word::ellipsis(&self.bytes[end..]) > 0 {
            Digits::Number(self.after_dots(end))
        } else if !zeros && (ends_word(self.bytes.get(end)) || piece_follows || pawn_follows)
            || word::odd_blank(&self.bytes[end..]) > 0
        {
            Digits::Number(end)
        } else {
            Digits::Word
        }
    }

    /// Whether the move number that ends at `end` is a first one of a bare move list: exactly `1.` or `1`.
    #[cold]
    fn restarts(&self, end: usize) -> bool {
        let number = &self.bytes[self.at..end];
        self.has_moves && self.depth == 0 && (number == b"1." || number == b"1")
    }

    fn after_dots(&self, mut at: usize) -> usize {
        loop {
            match self.bytes.get(at) {
                Some(b'.') => at += 1,
                Some(0x80..) if word::ellipsis(&self.bytes[at..]) > 0 => at += "…".len(),
                _ => return at,
            }
        }
    }

    fn result(&mut self, outcome: Outcome, end: usize) -> Token<'a> {
        (self.at, self.blank_line) = (end, false);
        if self.depth == 0 {
            self.phase = Phase::Over;
        }
        Token::Result(outcome)
    }

    pub(super) fn nag(&mut self) -> Token<'a> {
        let start = self.at + 1;
        let digits = self.bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
        self.at = start + digits;
        Token::Nag(&self.bytes[start..self.at])
    }

    #[inline]
    pub(super) fn comment(&mut self) -> Option<Token<'a>> {
        let start = self.at + 1;
        match memchr::memchr(b'}', &self.bytes[start..]) {
            Some(len) => {
                self.at = start + len + 1;
                Some(Token::Comment(&self.bytes[start..start + len]))
            }
            None => {
                let Scanner { phase, blank_line, has_moves, .. } = *self;
                let depth = match phase {
                    Phase::Over => self.depth_behind_result,
                    _ => self.depth,
                };
                self.fault(FaultKind::OpenComment, self.at, self.at + 1);
                self.at = self.bytes.len();
                self.end_of_bytes(Tail::Comment { phase, depth, blank_line, has_moves })
            }
        }
    }

    pub(super) fn line_comment(&mut self) -> Token<'a> {
        let start = self.at + 1;
        self.at = tag::line_end(self.bytes, start);
        Token::LineComment(&self.bytes[start..self.at])
    }

    fn angle_brackets(&mut self) -> Option<Token<'a>> {
        let near = &self.bytes[self.at..self.bytes.len().min(self.at + LONGEST_WORD)];
        let line = &near[..tag::line_end(near, 0)];
        match memchr::memchr(b'>', line) {
            Some(1) => {
                self.at += 2;
                Some(Token::Move(&line[..2]))
            }
            Some(len) => self.pass_over(FaultKind::Reserved, len + 1),
            None => {
                self.at += 1;
                Some(Token::Unknown(&line[..1]))
            }
        }
    }
}
