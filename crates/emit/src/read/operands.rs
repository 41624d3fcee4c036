//! Operands, as the opcode wants them (EPD 4.1, 5).

use std::borrow::Cow;

use super::operations::{End, OperationRef, string_len};
use super::text::{Token, Words, is_blank};
use crate::fault::{Blanks, Fault, FaultKind, shortened};
use crate::{Centipawns, Dialect, LONGEST_STRING, Opcode, OperandType};

type Faults<'f> = &'f mut dyn FnMut(Fault);

/// The operands of an operation in a line.
#[derive(Clone, Debug)]
pub enum OperandRef<'a> {
    /// There are none.
    Nothing,
    /// A number.
    Integer(i64),
    /// An evaluation.
    Evaluation(Centipawns),
    /// Moves, or one move, as they are written.
    Moves(MoveTexts<'a>),
    /// A string, without its quotes.
    Text(Cow<'a, str>),
    /// Two strings.
    Texts(Cow<'a, str>, Cow<'a, str>),
    /// Operands as they are written: those of unknown opcodes, and what is no operand of the opcode.
    Raw(&'a str),
}

/// The moves of an operation, as they are written.
#[derive(Clone, Copy, Debug)]
pub struct MoveTexts<'a>(pub(crate) Words<'a>);

impl<'a> Iterator for MoveTexts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.0.next().map(|word| word.text)
    }
}

/// What a backslash in a string means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escapes {
    /// Itself.
    None,
    /// That which the string looks like.
    Guess,
    /// `\s` is a semicolon.
    Scid,
    /// `\\`, `\"`, `\n`, `\r`, `\t`.
    PythonChess,
}

impl Escapes {
    pub(crate) fn of(dialect: Option<Dialect>) -> Self {
        match dialect {
            None => Escapes::Guess,
            Some(Dialect::Scid) => Escapes::Scid,
            Some(Dialect::PythonChess) => Escapes::PythonChess,
            Some(_) => Escapes::None,
        }
    }

    /// Whether a quote behind a backslash may belong to the string.
    pub(crate) fn has_quotes(self) -> bool {
        matches!(self, Escapes::Guess | Escapes::PythonChess)
    }
}

/// Reads the operands of an operation. What the opcode does not take is [`OperandRef::Raw`], and a fault.
#[inline]
pub(crate) fn read<'a>(
    operation: &OperationRef<'a>,
    escapes: Escapes,
    faults: Faults<'_>,
) -> OperandRef<'a> {
    let text = operation.operands;
    if operation.end == End::OpenString {
        faults(Fault::new(text.at, text.text, FaultKind::UnclosedString));
    }
    let Some(opcode) = operation.opcode else {
        return if text.is_empty() { OperandRef::Nothing } else { OperandRef::Raw(text.text) };
    };
    let reader = Reader { opcode, text, escapes, is_open: operation.end == End::OpenString };
    match opcode.operands() {
        OperandType::Nothing => reader.nothing(faults),
        OperandType::Integer { least, most } => reader.integer(least, most, faults),
        OperandType::Evaluation => {
            let (least, most) = (Centipawns::LEAST, Centipawns::MOST);
            match reader.integer(least, most, faults) {
                OperandRef::Integer(value) => Centipawns::new(value)
                    .map_or(OperandRef::Raw(text.text), OperandRef::Evaluation),
                other => other,
            }
        }
        OperandType::Move => reader.one_move(faults),
        OperandType::Moves | OperandType::Line => reader.moves(faults),
        OperandType::Register if text.is_empty() => OperandRef::Nothing,
        OperandType::Register | OperandType::Text => reader.string(faults),
        OperandType::TwoTexts => reader.two_strings(faults),
        OperandType::Any if text.is_empty() => OperandRef::Nothing,
        OperandType::Any => OperandRef::Raw(text.text),
    }
}

struct Reader<'a> {
    opcode: Opcode,
    text: Token<'a>,
    escapes: Escapes,
    /// Whether the last string has no closing quote.
    is_open: bool,
}

impl<'a> Reader<'a> {
    #[cold]
    fn unfit(&self, faults: Faults<'_>) -> OperandRef<'a> {
        let (opcode, wanted) = (self.opcode, self.opcode.operands());
        let found = match self.text.text {
            "" => "and there is nothing".to_owned(),
            text => format!("not {}", shortened(text)),
        };
        let kind = FaultKind::Operands { opcode, wanted, found };
        faults(Fault::new(self.text.at, self.text.text, kind));
        if self.text.is_empty() { OperandRef::Nothing } else { OperandRef::Raw(self.text.text) }
    }

    fn nothing(&self, faults: Faults<'_>) -> OperandRef<'a> {
        if self.text.is_empty() { OperandRef::Nothing } else { self.unfit(faults) }
    }

    /// `42`, `-42`; `+42` and `042` with a fault.
    fn integer(&self, least: i64, most: i64, faults: Faults<'_>) -> OperandRef<'a> {
        let text = self.text.text;
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let value = if is_number { text.parse().ok() } else { None };
        match value {
            Some(value) if (least..=most).contains(&value) => {
                let is_normal = digits.len() == 1 || !digits.starts_with('0');
                if !is_normal || text.starts_with('+') || text == "-0" {
                    faults(Fault::new(self.text.at, text, FaultKind::NumberForm(value)));
                }
                OperandRef::Integer(value)
            }
            _ => self.unfit(faults),
        }
    }

    fn one_move(&self, faults: Faults<'_>) -> OperandRef<'a> {
        if self.text.words().count() == 1 { self.moves(faults) } else { self.unfit(faults) }
    }

    fn moves(&self, faults: Faults<'_>) -> OperandRef<'a> {
        let text = self.text;
        if text.text.starts_with('#') {
            faults(Fault::new(text.at, text.text, FaultKind::MateCount(text.text.to_owned())));
            return OperandRef::Raw(text.text);
        }
        if text.text.contains('"') {
            return self.unfit(faults);
        }
        let is_odd = |pair: &[u8]| is_blank(pair[0]) && is_blank(pair[1]) || pair[0] == b'\t';
        if let Some(at) = text.text.as_bytes().windows(2).position(is_odd) {
            let between = text.skip(at);
            let len = between.text.len() - between.trim_start().text.len();
            let between = &between.text[..len];
            if let Some(kind) = Blanks::of(between) {
                faults(Fault::new(text.at + at, between, FaultKind::Blanks(kind)));
            }
        }
        OperandRef::Moves(MoveTexts(text.words()))
    }

    fn string(&self, faults: Faults<'_>) -> OperandRef<'a> {
        if self.text.is_empty() {
            return self.unfit(faults);
        }
        let Some((string, rest)) = self.quoted(self.text, faults) else {
            faults(Fault::new(
                self.text.at,
                self.text.text,
                FaultKind::UnquotedString(self.opcode),
            ));
            return OperandRef::Text(Cow::Borrowed(self.text.text));
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

    /// The string at the beginning of `text`, and what stands behind it.
    fn quoted(&self, text: Token<'a>, faults: Faults<'_>) -> Option<(Cow<'a, str>, Token<'a>)> {
        if !text.text.starts_with('"') {
            return None;
        }
        let (inner, rest) = match string_len(text.text, self.escapes) {
            Some(len) => (
                Token { at: text.at + 1, text: &text.text[1..len - 1] },
                text.skip(len).trim_start(),
            ),
            None if self.is_open => (text.skip(1), text.skip(text.text.len())),
            None => return None,
        };
        if inner.text.len() > LONGEST_STRING {
            faults(Fault::new(inner.at, inner.text, FaultKind::LongString(inner.text.len())));
        }
        if inner.text.bytes().any(|b| b < b' ' || b == 0x7f) {
            faults(Fault::new(inner.at, inner.text, FaultKind::ControlCharacter));
        }
        Some((self.unescaped(inner, faults), rest))
    }

    fn unescaped(&self, inner: Token<'a>, faults: Faults<'_>) -> Cow<'a, str> {
        if self.escapes == Escapes::None || !inner.text.contains('\\') {
            return Cow::Borrowed(inner.text);
        }
        let escapes = match self.escapes {
            // A string of the standard has no quote inside; nor does anything but Scid write `\s`.
            Escapes::Guess if inner.text.contains('"') => Escapes::PythonChess,
            Escapes::Guess if inner.text.contains("\\s") => Escapes::Scid,
            Escapes::Guess => return Cow::Borrowed(inner.text),
            known => known,
        };
        let dialect = match escapes {
            Escapes::Scid => Dialect::Scid,
            _ => Dialect::PythonChess,
        };
        if self.escapes == Escapes::Guess {
            faults(Fault::new(inner.at, inner.text, FaultKind::Escape(dialect)));
        }
        Cow::Owned(unescape(inner.text, escapes))
    }
}

fn unescape(text: &str, escapes: Escapes) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match (escapes, chars.next()) {
            (Escapes::Scid, Some('s')) => plain.push(';'),
            (Escapes::PythonChess, Some(c @ ('\\' | '"'))) => plain.push(c),
            (Escapes::PythonChess, Some('n' | 'r' | 't')) => plain.push(' '),
            (_, Some(other)) => plain.extend(['\\', other]),
            (_, None) => plain.push('\\'),
        }
    }
    plain
}
