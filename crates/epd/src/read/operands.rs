//! Parses operands according to the opcode (EPD 4.1, 5).

use std::borrow::Cow;

use super::operations::{
    End, OpcodeForm, OperationRef, bare_points, chessdb_evaluation, hides_operation, mate_count,
};
use super::text::{Escapes, Token, Words, is_blank, string_len, unescape};
use crate::centipawns::Centipawns;
use crate::diagnostic::{Blanks, EpdDiagnostic, EpdDiagnosticKind as Kind, Faults, shortened};
use crate::dialect::Dialect;
use crate::opcode::{Opcode, OperandType};
use crate::string::{
    LONGEST_STRING, is_control, is_curly_quote, is_printing_ascii, quotable, without_curly_quotes,
};

/// The operands of an operation in a line.
#[derive(Clone, Debug)]
pub enum OperandRef<'a> {
    /// No operands.
    Nothing,
    /// An integer.
    Integer(i64),
    /// An evaluation.
    Evaluation(Centipawns),
    /// Moves, or one move, as written.
    Moves(MoveTexts<'a>),
    /// A string, without quotes and without characters that are invalid in strings.
    Text(Cow<'a, str>),
    /// Two strings.
    Texts(Cow<'a, str>, Cow<'a, str>),
    /// Operands as written: those of unknown opcodes, and those that do not fit the opcode.
    Raw(&'a str),
}

/// The moves of an operation as written, without signs separated by a space, move numbers, commas
/// and quotes: `Ng5` and `Bc4` of `1. "Ng5" +, Bc4`.
#[derive(Clone, Copy, Debug)]
pub struct MoveTexts<'a> {
    words: Words<'a>,
    is_plain: bool,
}

impl<'a> MoveTexts<'a> {
    pub(crate) fn of(text: Token<'a>) -> Self {
        MoveTexts { words: text.words(), is_plain: odd_separator(text.text).is_none() }
    }

    #[inline]
    pub(crate) fn next_token(&mut self) -> Option<Token<'a>> {
        let word = self.word()?;
        let mut behind = *self;
        while behind.word().is_some_and(is_sign) {
            *self = behind;
        }
        Some(word)
    }

    fn word(&mut self) -> Option<Token<'a>> {
        if self.is_plain { self.words.next() } else { self.bare_word() }
    }

    #[cold]
    fn bare_word(&mut self) -> Option<Token<'a>> {
        loop {
            let rest = self.words.rest;
            let word = self.words.next()?;
            if let Some(len) = word.text.find(',') {
                self.words = rest.skip(len + 1).words();
                let word = bare(rest.split_at(len).0);
                if !word.is_empty() {
                    return Some(word);
                }
            } else if !bare(word).is_empty() {
                return Some(bare(word));
            }
        }
    }

    pub(crate) fn tokens(mut self) -> impl Iterator<Item = Token<'a>> {
        std::iter::from_fn(move || self.next_token())
    }
}

impl<'a> Iterator for MoveTexts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.next_token().map(|word| word.text)
    }
}

/// Returns the moves of a text, such as the operands of `bm` as written.
pub fn move_texts(text: &str) -> MoveTexts<'_> {
    MoveTexts::of(Token { at: 0, text })
}

/// Returns the offset of the first comma, quote, or point of a move number.
fn odd_separator(text: &str) -> Option<usize> {
    match text.is_ascii() {
        true => text.bytes().position(|byte| matches!(byte, b',' | b'"' | b'.')),
        false => text.find(|c| matches!(c, ',' | '"' | '.') || is_curly_quote(c)),
    }
}

/// Removes quotes and a move number from a word: `3.`, `3...Nf6`, `"Bb5"`.
fn bare(word: Token<'_>) -> Token<'_> {
    let is_quote = |c: char| c == '"' || is_curly_quote(c);
    let word = word.skip(word.text.len() - word.text.trim_start_matches(is_quote).len());
    let digits = word.text.bytes().take_while(u8::is_ascii_digit).count();
    let points = word.text[digits..].bytes().take_while(|byte| *byte == b'.').count();
    let word = if points > 0 { word.skip(digits + points) } else { word };
    Token { at: word.at, text: word.text.trim_end_matches(is_quote) }
}

#[inline]
fn is_sign(word: Token<'_>) -> bool {
    match word.text.as_bytes() {
        [b'A'..=b'Z' | b'a'..=b'z', ..] => false,
        // A numeric annotation glyph.
        [b'$', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        _ if !word.text.is_ascii() => matches!(word.text, "±" | "∓" | "⩲" | "⩱" | "∞"),
        bytes => {
            bytes.iter().all(|b| matches!(b, b'+' | b'#' | b'!' | b'?' | b'=' | b'-' | b'/'))
                && bytes.iter().any(|b| !matches!(b, b'-' | b'/'))
        }
    }
}

/// Operands that do not fit the opcode become [`OperandRef::Raw`], with a fault.
#[inline]
pub(crate) fn read<'a>(
    operation: &OperationRef<'a>,
    escapes: Escapes,
    faults: Faults<'_>,
) -> OperandRef<'a> {
    let text = operation.operands;
    if operation.end == End::OpenString {
        faults(text.fault(Kind::UnclosedString));
    }
    let Some(opcode) = operation.opcode else {
        return raw(text, escapes, faults);
    };
    let reader = Reader { opcode, text, escapes, is_open: operation.end == End::OpenString };
    match operation.form {
        OpcodeForm::Named => {}
        OpcodeForm::Mate | OpcodeForm::Mated => return reader.mate(faults),
        OpcodeForm::Chessdb => {
            if let Some(ce) = chessdb_evaluation(text.text) {
                faults(operation.name.fault(Kind::Chessdb(ce.to_string())));
                return OperandRef::Evaluation(ce);
            }
        }
    }
    match opcode.operands() {
        OperandType::Nothing | OperandType::Register if text.is_empty() => OperandRef::Nothing,
        OperandType::Nothing => reader.unfit(faults),
        OperandType::Integer { least, most } => reader.integer(least, most, faults),
        OperandType::Evaluation => {
            let (least, most) = (Centipawns::LEAST, Centipawns::MOST);
            match reader.integer(least, most, faults) {
                OperandRef::Integer(value) => Centipawns::new(value)
                    .map_or(OperandRef::Raw(text.text), OperandRef::Evaluation),
                other => other,
            }
        }
        OperandType::Move if MoveTexts::of(text).count() != 1 => reader.unfit(faults),
        OperandType::Move | OperandType::Moves | OperandType::Line => reader.moves(faults),
        OperandType::Register | OperandType::Text => reader.string(faults),
        OperandType::TwoTexts => reader.two_strings(faults),
        OperandType::Any => raw(text, escapes, faults),
    }
}

fn raw<'a>(text: Token<'a>, escapes: Escapes, faults: Faults<'_>) -> OperandRef<'a> {
    if text.is_empty() {
        return OperandRef::Nothing;
    }
    // The writer replaces it.
    if let Some(at) = text.text.find('\t') {
        faults(EpdDiagnostic::new(text.at + at, &text.text[at..=at], Kind::Blanks(Blanks::Tab)));
    }
    if text.text.contains('.') {
        for (word, number) in bare_points(text, escapes) {
            faults(word.fault(Kind::PointForm(number)));
        }
    }
    OperandRef::Raw(text.text)
}

/// Parses a number of up to nine digits, in the form of the standard.
pub(crate) fn plain_number(bytes: &[u8]) -> Option<i64> {
    let is_form = matches!(bytes, [b'0'..=b'9'] | [b'1'..=b'9', ..]) && bytes.len() <= 9;
    if !is_form || !bytes.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(bytes.iter().fold(0, |value, byte| value * 10 + i64::from(byte - b'0')))
}

struct Reader<'a> {
    opcode: Opcode,
    text: Token<'a>,
    escapes: Escapes,
    is_open: bool,
}

impl<'a> Reader<'a> {
    #[cold]
    fn unfit(&self, faults: Faults<'_>) -> OperandRef<'a> {
        let (opcode, wanted) = (self.opcode, self.opcode.operands());
        let found = match self.text.text {
            "" => "but has no operand".to_owned(),
            text => format!("not {}", shortened(text)),
        };
        faults(self.text.fault(Kind::Operands { opcode, wanted, found }));
        if self.text.is_empty() { OperandRef::Nothing } else { OperandRef::Raw(self.text.text) }
    }

    /// Parses `42` and `-42`; `+42` and `042` with a fault.
    fn integer(&self, least: i64, most: i64, faults: Faults<'_>) -> OperandRef<'a> {
        match plain_number(self.text.text.as_bytes()) {
            Some(value) if (least..=most).contains(&value) => OperandRef::Integer(value),
            _ => self.other_integer(least, most, faults),
        }
    }

    #[inline(never)]
    fn other_integer(&self, least: i64, most: i64, faults: Faults<'_>) -> OperandRef<'a> {
        let text = self.text.text;
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let value = if is_number { text.parse().ok() } else { None };
        match value {
            Some(value) if (least..=most).contains(&value) => {
                let is_normal = digits.len() == 1 || !digits.starts_with('0');
                if !is_normal || text.starts_with('+') || text == "-0" {
                    faults(EpdDiagnostic::new(self.text.at, text, Kind::NumberForm(value)));
                }
                OperandRef::Integer(value)
            }
            _ => self.unfit(faults),
        }
    }

    /// Parses `#4`, `#+4`, `#-4` or `-4`, a number of moves until mate.
    #[cold]
    fn mate(&self, faults: Faults<'_>) -> OperandRef<'a> {
        let text = self.text.text;
        let moves = mate_count(text).unwrap_or_default();
        let (operand, operation_text) = match Centipawns::mate_in_moves(moves.min(0)) {
            Some(ce) => (OperandRef::Evaluation(ce), format!("ce {ce}")),
            None => (OperandRef::Integer(moves), format!("dm {moves}")),
        };
        if text.starts_with('#') {
            let kind = Kind::MateCount(text.to_owned(), operation_text);
            faults(EpdDiagnostic::new(self.text.at, text, kind));
        } else if let OperandRef::Evaluation(ce) = operand {
            faults(EpdDiagnostic::new(self.text.at, text, Kind::NegativeMate { moves, ce }));
        }
        operand
    }

    fn moves(&self, faults: Faults<'_>) -> OperandRef<'a> {
        let text = self.text;
        if text.text.starts_with('#') {
            return self.unfit(faults);
        }
        if let Some(at) = odd_separator(text.text) {
            let len = text.text[at..].chars().next().map_or(0, char::len_utf8);
            let at = text.at + at..text.at + at + len;
            faults(EpdDiagnostic { at, kind: Kind::MoveSeparator });
        }
        let is_odd = |pair: &[u8]| is_blank(pair[0]) && is_blank(pair[1]) || pair[0] == b'\t';
        if let Some(at) = text.text.as_bytes().windows(2).position(is_odd) {
            let between = text.skip(at);
            let len = between.text.len() - between.trim_start().text.len();
            let between = &between.text[..len];
            if let Some(kind) = Blanks::of(between) {
                faults(EpdDiagnostic::new(text.at + at, between, Kind::Blanks(kind)));
            }
        }
        // A sign before all moves is not a suffix.
        for sign in text.words().skip(1).filter(|word| is_sign(*word)) {
            faults(sign.fault(Kind::DetachedSign(sign.text.to_owned())));
        }
        OperandRef::Moves(MoveTexts::of(text))
    }

    fn string(&self, faults: Faults<'_>) -> OperandRef<'a> {
        if self.text.is_empty() {
            return self.unfit(faults);
        }
        let Some((string, rest)) = self.quoted(self.text, faults) else {
            if self.text.text.contains('"') || hides_operation(self.text.text) {
                return self.unfit(faults);
            }
            faults(self.text.fault(Kind::UnquotedString(self.opcode)));
            let text = without_curly_quotes(self.text.text);
            // A quote of two or three bytes at both ends.
            let at = self.text.at + (self.text.text.len() - text.len()) / 2;
            check_string(Token { at, text }, faults);
            return OperandRef::Text(quotable(Cow::Borrowed(text)));
        };
        if rest.is_empty() { OperandRef::Text(string) } else { self.unfit(faults) }
    }

    fn two_strings(&self, faults: Faults<'_>) -> OperandRef<'a> {
        let first = self.quoted(self.text, faults);
        let second = first.as_ref().and_then(|(_, rest)| self.quoted(*rest, faults));
        match (first, second) {
            (Some((first, _)), Some((second, rest))) if rest.is_empty() => {
                OperandRef::Texts(first, second)
            }
            _ => self.unfit(faults),
        }
    }

    fn quoted(&self, text: Token<'a>, faults: Faults<'_>) -> Option<(Cow<'a, str>, Token<'a>)> {
        if !text.text.starts_with('"') {
            return None;
        }
        let (inner, rest) = match string_len(text.text, self.escapes) {
            Some(len) => (
                Token { at: text.at + 1, text: &text.text[1..len - 1] },
                text.skip(len).trim_start(),
            ),
            None if self.is_open => {
                // The quote is missing, not the semicolon.
                let inner = text.text[1..].trim_end_matches(|c| c == ';' || c <= ' ');
                if inner.contains(';') || hides_operation(inner) {
                    return None;
                }
                (Token { at: text.at + 1, text: inner }, text.skip(text.text.len()))
            }
            None => return None,
        };
        check_string(inner, faults);
        Some((quotable(self.unescaped(inner, faults)), rest))
    }

    fn unescaped(&self, inner: Token<'a>, faults: Faults<'_>) -> Cow<'a, str> {
        if self.escapes == Escapes::None || !inner.text.contains('\\') {
            return Cow::Borrowed(inner.text);
        }
        let escapes = match self.escapes {
            // A string of the standard contains no quote.
            Escapes::Guess if inner.text.contains('"') => {
                faults(inner.fault(Kind::Escape(Dialect::PythonChess)));
                Escapes::PythonChess
            }
            // May be a path, so only the dialect of Scid makes it a semicolon.
            Escapes::Guess => {
                if inner.text.contains("\\s") {
                    faults(inner.fault(Kind::ScidEscape));
                }
                return Cow::Borrowed(inner.text);
            }
            known => known,
        };
        Cow::Owned(unescape(inner.text, escapes))
    }
}

fn check_string(string: Token<'_>, faults: Faults<'_>) {
    if string.text.len() > LONGEST_STRING {
        faults(string.fault(Kind::LongString(string.text.len())));
    }
    if let Some((at, control)) = control(string.text) {
        let at = string.at + at..string.at + at + control.len_utf8();
        faults(EpdDiagnostic { at, kind: Kind::ControlCharacter(control) });
    }
}

/// The first that is not printing (EPD 4.1), or that some programs treat as a line end.
fn control(text: &str) -> Option<(usize, char)> {
    if is_printing_ascii(text) {
        return None;
    }
    text.char_indices().find(|(_, c)| is_control(*c))
}
