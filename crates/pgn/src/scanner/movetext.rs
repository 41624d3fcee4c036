//! Tokens of movetext, up to the result.

use stream::chunk::NextInput;

use super::around::{ends_with_number, trim_end};
use super::{Digits, Phase, Scanner, ScannerState};
use crate::token::{
    CLASS, DIGIT, END, ODD, Outcome, PgnDiagnosticKind, Token, at_start, ends_word,
};
use crate::{tag, word};

/// More digits than a move number has: with its dot, a usual number is not longer.
const LONGEST_NUMBER: usize = 4;

/// Words are examined in pieces of about this length, in bytes; moves and marks are far shorter.
const LONGEST_WORD: usize = 128;

impl<'a> Scanner<'a> {
    pub(super) fn movetext_token(&mut self) -> Option<Token<'a>> {
        loop {
            let Some(&byte) = self.bytes.get(self.at) else {
                return self.text_ends_in_movetext();
            };
            self.token_start = self.at;
            match byte {
                b' ' | b'\t' | 0x0b | 0x0c => self.at += 1,
                b'\n' | b'\r' => self.line_ends(),
                b'a'..=b'z' | b'A'..=b'Z' => return self.word(),
                b'0'..=b'9' => match self.digits() {
                    Digits::Number(end) => {
                        if self.blank_line && self.restarts(end) {
                            return self.restart();
                        }
                        (self.at, self.blank_line) = (end, false);
                        if let Some(token) = self.unusual_number() {
                            return Some(token);
                        }
                    }
                    Digits::Result(outcome, end) => return Some(self.result(outcome, end)),
                    Digits::Word => return self.word(),
                },
                b'.' | 0 | 0x1a => {
                    if let Some(token) = self.dots_or_padding(byte) {
                        return Some(token);
                    }
                }
                b'{' => return self.comment(),
                b';' => {
                    let start = self.at;
                    let comment = self.line_comment();
                    self.doubt_comment(&self.bytes[start..self.at]);
                    return Some(comment);
                }
                b'[' if self.first_in_line() && tag::begins(self.bytes, self.at) => {
                    return self.next_game_begins(self.end_state_in_movetext());
                }
                b'[' if self.depth == 0 && tag::read_damaged(self.bytes, self.at).is_some() => {
                    return self.start_in_movetext();
                }
                _ => {
                    self.blank_line = false;
                    if let Some(token) = self.mark(byte) {
                        return Some(token);
                    }
                    if self.phase != Phase::Movetext {
                        return None;
                    }
                }
            }
        }
    }

    #[cold]
    fn text_ends_in_movetext(&mut self) -> Option<Token<'a>> {
        // A byte order mark belongs to the text that follows this one, a blank may precede the
        // first tag of the next range, and a comment at the end is whole.
        let is_whole =
            self.bytes.last().is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b'}')
                || self.bytes.ends_with("\u{feff}".as_bytes());
        // A bare list of moves often has neither.
        if self.next_input == NextInput::End && !is_whole && !self.tags.is_empty() {
            self.fault(PgnDiagnosticKind::TruncatedGame, self.at, self.at);
        }
        self.end_of_bytes(self.end_state_in_movetext())
    }

    fn end_state_in_movetext(&self) -> ScannerState {
        let Scanner { depth, blank_line, has_moves, .. } = *self;
        ScannerState::Movetext { depth, blank_line, has_moves }
    }

    /// Reads a token that begins with a less common byte; `None` if it was skipped.
    fn mark(&mut self, byte: u8) -> Option<Token<'a>> {
        let next = self.bytes.get(self.at + 1);
        match byte {
            // The time of a move, as the server FICS writes it.
            b'(' if word::time_in_parentheses(&self.bytes[self.at..]) > 0 => {
                self.at += word::time_in_parentheses(&self.bytes[self.at..]);
                Some(Token::Comment(&self.bytes[self.token_start..self.at]))
            }
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
            b')' => self.skip_as(PgnDiagnosticKind::StrayClose, 1),
            b'}' => self.skip_as(PgnDiagnosticKind::StrayBrace, 1),
            b'$' => {
                let nag = self.nag();
                let word_end = word::end_of_odd_word(self.bytes, self.at);
                match nag {
                    Token::Nag([]) if word_end > self.at => Some(self.damaged_word(word_end)),
                    nag => Some(nag),
                }
            }
            // The standard has it as a token of its own (7): `*1.` begins the next game.
            b'*' if ends_word(next) || next.is_some_and(u8::is_ascii_digit) => {
                Some(self.result(Outcome::Unknown, self.at + 1))
            }
            b'<' => self.angle_brackets(),
            b'[' | b']' | b'>' => {
                self.at += 1;
                Some(Token::Unknown(&self.bytes[self.token_start..self.at]))
            }
            0x80.. => self.high_byte(),
            _ => self.word(),
        }
    }

    /// Directly before a word they may be a damaged letter, `.a3` and `\0b6`: no move then.
    #[cold]
    fn dots_or_padding(&mut self, byte: u8) -> Option<Token<'a>> {
        let start = self.at;
        if let Some((Some(outcome), len)) = at_start(&self.bytes[start..]) {
            return Some(self.result(outcome, start + len));
        }
        let (end, is_torn) = if byte == b'.' {
            let end = self.after_dots(start);
            // A number without a dot may precede it: `12 .`.
            (end, end == start + 1 && !ends_with_number(trim_end(self.game_before(start))))
        } else {
            // Padding between the comments before the game and its first word was skipped to find
            // that word.
            // It is NUL, or the end-of-file character of CP/M and DOS.
            let padding = self.bytes[start..].iter().take_while(|byte| matches!(byte, 0 | 0x1a));
            (start + padding.count(), start >= self.preamble_end)
        };
        let word_end = if is_torn { word::end_of_odd_word(self.bytes, end) } else { end };
        if word_end > end {
            return Some(self.damaged_word(word_end));
        }
        (self.at, self.blank_line) = (end, self.blank_line && byte != b'.');
        None
    }

    /// Returns a word up to `end` that is not a move, but was one before the text was damaged.
    fn damaged_word(&mut self, end: usize) -> Token<'a> {
        (self.at, self.blank_line) = (end, false);
        self.has_moves |= self.depth == 0;
        Token::Unknown(&self.bytes[self.token_start..end])
    }

    /// Reads a character above ASCII: white space, an ellipsis, a draw, or the beginning of a word.
    #[cold]
    fn high_byte(&mut self) -> Option<Token<'a>> {
        let rest = &self.bytes[self.at..];
        let blank = word::odd_space(rest);
        if blank > 0 {
            self.at += blank;
            return None;
        }
        if word::ellipsis(rest) > 0 {
            self.at = self.after_dots(self.at);
            return None;
        }
        match at_start(rest) {
            Some((Some(outcome), len)) => Some(self.result(outcome, self.at + len)),
            _ => self.word(),
        }
    }

    /// Begins in movetext, which is a fault unless a line begins there, as in a range of a file.
    #[cold]
    fn start_in_movetext(&mut self) -> Option<Token<'a>> {
        if !self.first_in_line() {
            self.fault(PgnDiagnosticKind::StartInMovetext, self.at, self.end_of_anything());
        }
        self.next_game_begins(self.end_state_in_movetext())
    }

    /// Reads a word: a move, a glyph or unknown text; `None` if the game ends before it.
    #[inline]
    fn word(&mut self) -> Option<Token<'a>> {
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
        // `e4=`, `e4=+`, `e4N`
        let has_sign = end > start + 2
            && (matches!(self.bytes[end - 1], b'=' | b'N' | b'D' | b'R')
                || self.bytes[end - 2] == b'=');
        if classes & (DIGIT | ODD) != DIGIT || bracket || has_sign {
            return self.unusual_word(end);
        }
        self.at = end;
        self.has_moves |= self.depth == 0;
        Some(Token::Move(&self.bytes[start..end]))
    }

    /// A space above ASCII, or the longest word: long runs of glued text are examined once.
    #[cold]
    fn breaks_word(&self, start: usize, end: usize) -> bool {
        let byte = self.bytes[end];
        // The byte A0 is a no-break space in ISO 8859-1, or the last byte of a UTF-8 character.
        let continues = end > start && byte & 0xc0 == 0x80 && self.bytes[end - 1] >= 0x80;
        let blank = || word::odd_space(&self.bytes[end..]) > 0;
        end > start && !continues && (end - start >= LONGEST_WORD || byte >= 0x80 && blank())
    }

    #[cold]
    fn unusual_word(&mut self, end: usize) -> Option<Token<'a>> {
        let start = self.at;
        if matches!(&self.bytes[start..end], b"O-O" | b"O-O-O") {
            self.at = end;
            self.has_moves |= self.depth == 0;
            return Some(Token::Move(&self.bytes[start..end]));
        }
        if self.depth == 0 && word::says_start(&self.bytes[start..end]) {
            return self.start_in_movetext();
        }
        if end - start <= 2
            && let Some(token) = self.spaced_word(start)
        {
            return Some(token);
        }
        let odd_end = word::end_of_odd_word(&self.bytes[..end], start);
        // A word is never empty: an odd space ends it, and one at its start is handled before.
        let end = if odd_end > start { odd_end } else { end };
        let text = &self.bytes[start..end];
        if let Some((Some(outcome), len)) = at_start(&self.bytes[start..]) {
            return Some(self.result(outcome, start + len));
        }
        let promotion = word::bracketed_promotion(&self.bytes[end..]);
        let end = end + promotion;
        let signs = || word::before_signs(text).filter(|_| promotion == 0);
        let glued = word::glued_move(text).or_else(signs);
        let end = glued.map_or(end, |len| start + len);
        let text = &self.bytes[start..end];
        self.at = end;
        // A dash after a move number is in the place of a move; elsewhere it separates moves.
        let dashes = word::dashes(text);
        let is_null = dashes > Some(1) || dashes.is_some() && self.follows_dots();
        if !is_null && let Some(len) = word::first_sign(text).or(dashes.map(|_| text.len())) {
            self.at = start + len;
            return Some(Token::Glyph(&text[..len]));
        }
        let has_digit = text.iter().any(u8::is_ascii_digit);
        if has_digit || is_null || word::is_move_without_digit(text) {
            self.has_moves |= self.depth == 0;
            return Some(Token::Move(text));
        }
        Some(Token::Unknown(text))
    }

    fn spaced_word(&mut self, start: usize) -> Option<Token<'a>> {
        let text = &self.bytes[start..];
        let castling = word::spaced_castling(text);
        if castling > 0 {
            self.at = start + castling;
            self.has_moves |= self.depth == 0;
            return Some(Token::Move(&text[..castling]));
        }
        let len = word::spaced_en_passant(text);
        self.at = if len > 0 { start + len } else { return None };
        Some(Token::Glyph(&text[..len]))
    }

    /// Classifies the text that begins with a digit at `self.at`.
    #[inline]
    pub(super) fn digits(&self) -> Digits {
        let mut end = self.at + 1;
        while self.bytes.get(end).is_some_and(u8::is_ascii_digit) {
            end += 1;
        }
        if self.bytes.get(end) == Some(&b'.') {
            // `0.5-0.5`
            if self.bytes.get(end + 1).is_some_and(u8::is_ascii_digit)
                && let Some((outcome, len)) = at_start(&self.bytes[self.at..])
            {
                return outcome
                    .map_or(Digits::Word, |outcome| Digits::Result(outcome, self.at + len));
            }
            return Digits::Number(self.after_dots(end));
        }
        self.digits_without_dot(end)
    }

    fn digits_without_dot(&self, end: usize) -> Digits {
        let rest = &self.bytes[self.at..];
        let results: [(&[u8], Outcome); 3] = [
            (b"1-0", Outcome::WhiteWins),
            (b"0-1", Outcome::BlackWins),
            (b"1/2-1/2", Outcome::Draw),
        ];
        for (text, outcome) in results {
            if rest.starts_with(text) && ends_word(rest.get(text.len())) {
                return Digits::Result(outcome, self.at + text.len());
            }
        }
        if let Some((Some(outcome), len)) = at_start(rest) {
            return Digits::Result(outcome, self.at + len);
        }
        // `00` and `000` are castling, `0000` a null move.
        let digits = &self.bytes[self.at..end];
        let after_castling = || self.game_before(self.at).trim_ascii_end().ends_with(b"0-0");
        let zeros = digits.iter().all(|b| *b == b'0') && (digits.len() > 1 || after_castling());
        let next = self.bytes.get(end).copied().unwrap_or(0);
        let after = self.bytes.get(end + 1).copied().unwrap_or(0);
        let piece_follows = matches!(next, b'N' | b'B' | b'R' | b'Q' | b'K' | b'P' | b'O')
            && matches!(after, b'a'..=b'h' | b'1'..=b'8' | b'x' | b'O' | b'-');
        let pawn_follows = matches!(next, b'a'..=b'h') && matches!(after, b'1'..=b'8' | b'x');
        if word::ellipsis(&self.bytes[end..]) > 0 {
            Digits::Number(self.after_dots(end))
        } else if !zeros && (ends_word(self.bytes.get(end)) || piece_follows || pawn_follows)
            || word::odd_space(&self.bytes[end..]) > 0
        {
            Digits::Number(end)
        } else {
            Digits::Word
        }
    }

    /// `None` if the digits that were read last are a move number before a move.
    #[inline]
    fn unusual_number(&mut self) -> Option<Token<'a>> {
        let (start, end) = (self.token_start, self.at);
        let next = end + usize::from(self.bytes.get(end) == Some(&b' '));
        let is_usual = self.bytes[end - 1] == b'.'
            && self.bytes.get(next).is_some_and(u8::is_ascii_alphabetic)
            && end - start <= LONGEST_NUMBER;
        if is_usual { None } else { self.number() }
    }

    #[cold]
    fn number(&mut self) -> Option<Token<'a>> {
        let (start, end) = (self.token_start, self.at);
        let len = self.bytes[start..end].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let blanks = self.bytes[end..].iter().take_while(|byte| **byte == b' ').count();
        let has_dot = end > start + len || self.bytes.get(end + blanks) == Some(&b'.');
        let is_glued =
            !has_dot && !ends_word(self.bytes.get(end)) && word::odd_space(&self.bytes[end..]) == 0;
        let is_usual = has_dot && len < LONGEST_NUMBER;
        if is_glued || is_usual && self.move_follows() {
            return None;
        }
        self.has_moves |= self.depth == 0 && len >= LONGEST_NUMBER;
        Some(Token::Number(&self.bytes[start..start + len]))
    }

    /// After white space, dots and annotations; a number or a result is not a move.
    fn move_follows(&self) -> bool {
        let mut at = self.at;
        loop {
            let rest = &self.bytes[at..];
            at += match rest.first() {
                None | Some(b'*' | b')' | b'[') => return false,
                Some(b'0'..=b'9') => {
                    let ahead = Scanner { at, ..Scanner::new(self.bytes) };
                    return match ahead.digits() {
                        Digits::Word => true,
                        Digits::Number(end) => {
                            !ends_word(self.bytes.get(end)) && self.bytes[end - 1] != b'.'
                        }
                        Digits::Result(..) => false,
                    };
                }
                Some(b'{') => match memchr::memchr(b'}', rest) {
                    Some(end) => end + 1,
                    None => return false,
                },
                Some(b';') => tag::line_end(rest, 0),
                Some(b'$') => 1 + rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count(),
                Some(b'.' | b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | 0 | 0x1a) => 1,
                Some(0x80..) if word::odd_space(rest) > 0 => word::odd_space(rest),
                Some(_) => return at_start(rest).is_none(),
            };
        }
    }

    /// Whether the game [goes on](Scanner::go_on) depends on the text that is near.
    #[cold]
    fn restart(&mut self) -> Option<Token<'a>> {
        if self.says_start() {
            return self.start_in_movetext();
        }
        let after_comment = self.game_before(self.at).trim_ascii_end().ends_with(b"}");
        self.restarted_after = after_comment.then_some(self.last_end);
        self.next_game_begins(self.end_state_in_movetext())
    }

    /// Exactly `1.` or `1`: the first number of a bare move list.
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
            self.phase = Phase::AfterResult;
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
        let text = &self.bytes[start..];
        let closing = match memchr::memchr2(b'}', b'{', text) {
            Some(len) if text[len] == b'{' => self.end_of_nested(text),
            len => len,
        };
        match closing {
            Some(len) => {
                self.at = start + len + 1;
                Some(Token::Comment(&self.bytes[start..start + len]))
            }
            None => {
                let Scanner { phase, blank_line, has_moves, .. } = *self;
                let depth = match phase {
                    Phase::AfterResult => self.depth_after_result,
                    _ => self.depth,
                };
                self.fault(PgnDiagnosticKind::OpenComment, self.at, self.at + 1);
                self.at = self.bytes.len();
                self.end_of_bytes(ScannerState::Comment { phase, depth, blank_line, has_moves })
            }
        }
    }

    /// The opening brace inside may be that of another comment.
    #[cold]
    fn end_of_nested(&mut self, text: &'a [u8]) -> Option<usize> {
        let len = memchr::memchr(b'}', text)?;
        self.doubt_comment(&text[..len]);
        Some(len)
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
            Some(len) => self.skip_as(PgnDiagnosticKind::Reserved, len + 1),
            None => {
                self.at += 1;
                Some(Token::Unknown(&line[..1]))
            }
        }
    }
}

// Text after the result of a game.

impl<'a> Scanner<'a> {
    /// Reads tokens after the result; comments up to the next empty line still belong to the game.
    pub(super) fn token_after_result(&mut self) -> Option<Token<'a>> {
        loop {
            let Some(&byte) = self.bytes.get(self.at) else {
                return self.end_of_bytes(self.end_state_after_result());
            };
            self.token_start = self.at;
            match byte {
                b' ' | b'\t' | 0x0b | 0x0c | 0 | 0x1a => self.at += 1,
                b'\n' | b'\r' => self.line_ends(),
                _ if self.tags_begin(byte) => {
                    return self.next_game_begins(self.end_state_after_result());
                }
                b'{' | b';' if self.blank_line && self.depth_after_result == 0 => {
                    return self.end_game(true);
                }
                b'{' => return self.comment(),
                b';' => return Some(self.line_comment()),
                _ if self.depth_after_result == 0 && (self.game_begins() || self.says_start()) => {
                    return self.next_game_begins(self.end_state_after_result());
                }
                b'$' => return Some(self.nag()),
                _ => self.text_after_result(byte),
            }
        }
    }

    fn end_state_after_result(&self) -> ScannerState {
        ScannerState::AfterResult { depth: self.depth_after_result, blank_line: self.blank_line }
    }

    #[cold]
    fn text_after_result(&mut self, byte: u8) {
        let start = self.at;
        self.blank_line = false;
        match byte {
            b'(' => self.depth_after_result += 1,
            b')' => self.depth_after_result = self.depth_after_result.saturating_sub(1),
            _ => {}
        }
        self.at = self.end_of_anything();
        if word::odd_space(&self.bytes[start..]) > 0 {
            return;
        }
        match self.faults.last_mut() {
            // One fault covers all of it.
            Some(last)
                if last.kind == PgnDiagnosticKind::TextAfterResult
                    && last.span.start >= self.game_start =>
            {
                last.span.end = self.at;
            }
            _ => self.fault(PgnDiagnosticKind::TextAfterResult, start, self.at),
        }
    }
}
