//! Operations, one after the other: `opcode operand…;` (EPD 4.1).
//!
//! What is missing or too much between them is passed over here and said by the checker: each operation knows whether its
//! semicolon is there, and where it stands.

use super::operands::Escapes;
use super::text::{Token, is_blank};
use crate::Opcode;

/// The operations of a record, as they stand in its line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operations<'a> {
    rest: Token<'a>,
    escapes: Escapes,
}

/// An operation as it stands in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperationRef<'a> {
    pub(crate) name: Token<'a>,
    pub(crate) operands: Token<'a>,
    pub(crate) opcode: Option<Opcode>,
    pub(crate) end: End,
}

/// How an operation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Semicolon,
    /// The end of the line.
    Line,
    /// The end of the line, in a string.
    OpenString,
}

impl<'a> OperationRef<'a> {
    /// The name of its opcode; empty for a semicolon alone, `-` for a hyphen.
    pub fn name(&self) -> &'a str {
        self.name.text
    }

    /// The opcode, if it is known.
    pub fn opcode(&self) -> Option<Opcode> {
        self.opcode
    }

    /// The operands as they are written.
    pub fn operands(&self) -> &'a str {
        self.operands.text
    }

    /// Whether it is one: not a semicolon alone, nor a hyphen.
    pub(crate) fn is_real(&self) -> bool {
        !matches!(self.name.text, "" | "-")
    }
}

impl<'a> Operations<'a> {
    pub(crate) fn new(text: Token<'a>, escapes: Escapes) -> Self {
        Operations { rest: text.trim_start(), escapes }
    }
}

impl<'a> Iterator for Operations<'a> {
    type Item = OperationRef<'a>;

    #[inline]
    fn next(&mut self) -> Option<OperationRef<'a>> {
        let text = self.rest;
        if text.is_empty() {
            return None;
        }
        let bytes = text.text.as_bytes();
        let len = bytes.iter().position(|b| is_blank(*b) || *b == b';').unwrap_or(bytes.len());
        let (name, behind) = text.split_at(len);
        let operands = behind.trim_start();
        // A hyphen is no operation, and has no semicolon.
        if name.text == "-" && !operands.text.starts_with(';') {
            self.rest = operands;
            let nothing = Token { at: name.end(), text: "" };
            return Some(OperationRef {
                name,
                operands: nothing,
                opcode: None,
                end: End::Semicolon,
            });
        }
        let (len, end) = end_of(operands.text, self.escapes);
        let (operands, rest) = operands.split_at(len);
        self.rest = if end == End::Semicolon { rest.skip(1).trim_start() } else { rest };
        let opcode = Opcode::from_name(name.text);
        Some(OperationRef { name, operands: operands.trim_end(), opcode, end })
    }
}

/// Where operands end: at the first semicolon outside of strings.
#[inline]
fn end_of(text: &str, escapes: Escapes) -> (usize, End) {
    let bytes = text.as_bytes();
    // Nearly always there is no string before the semicolon.
    match bytes.iter().position(|b| matches!(b, b';' | b'"')) {
        Some(at) if bytes[at] == b';' => return (at, End::Semicolon),
        Some(_) => {}
        None => return (bytes.len(), End::Line),
    }
    let mut at = 0;
    let mut behind_blank = true;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b';' => return (at, End::Semicolon),
            // Only at the beginning of a word: an inch sign inside of one opens nothing.
            b'"' if behind_blank => match string_len(&text[at..], escapes) {
                Some(len) => {
                    at += len;
                    behind_blank = false;
                    continue;
                }
                None => return (bytes.len(), End::OpenString),
            },
            _ => {}
        }
        behind_blank = is_blank(byte);
        at += 1;
    }
    (at, End::Line)
}

/// The length of the string at the beginning of `text`, with its quotes.
///
/// The standard has no escapes, so the next quote closes it; but where a backslash stands before that, and another quote
/// closes the string better, it may be an escape.
#[inline]
pub(crate) fn string_len(text: &str, escapes: Escapes) -> Option<usize> {
    let bytes = text.as_bytes();
    let first = 1 + memchr::memchr(b'"', &bytes[1..])?;
    if bytes[first - 1] == b'\\' && escapes.has_quotes() {
        return Some(escaped_string_len(bytes).unwrap_or(first + 1));
    }
    Some(first + 1)
}

/// The same where a backslash escapes the byte behind it; the closing quote must be the end of a word.
#[cold]
fn escaped_string_len(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b'"' => break,
            _ => at += 1,
        }
    }
    let is_end = bytes.get(at + 1).is_none_or(|b| is_blank(*b) || *b == b';');
    is_end.then_some(at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names, operands and ends.
    type Read = &'static [(&'static str, &'static str, End)];

    fn read(text: &str) -> Vec<(&str, &str, End)> {
        let operations = Operations::new(Token { at: 0, text }, Escapes::Guess);
        operations.map(|op| (op.name(), op.operands(), op.end)).collect()
    }

    #[test]
    fn operations_end_with_semicolons_outside_of_strings() {
        use End::{Line, OpenString, Semicolon};
        let cases: &[(&str, Read)] = &[
            ("", &[]),
            ("  ", &[]),
            ("bm e4;", &[("bm", "e4", Semicolon)]),
            ("bm e4  d4 ;c0;", &[("bm", "e4  d4", Semicolon), ("c0", "", Semicolon)]),
            ("c0 \"a;b\"; bm e4", &[("c0", "\"a;b\"", Semicolon), ("bm", "e4", Line)]),
            ("c0 \"a", &[("c0", "\"a", OpenString)]),
            ("c0 3\" gun; bm e4;", &[("c0", "3\" gun", Semicolon), ("bm", "e4", Semicolon)]),
            ("- bm e4;", &[("-", "", Semicolon), ("bm", "e4", Semicolon)]),
            (
                ";D1 20 ;D2 400",
                &[("", "", Semicolon), ("D1", "20", Semicolon), ("D2", "400", Line)],
            ),
            ("bm e4;;", &[("bm", "e4", Semicolon), ("", "", Semicolon)]),
            (
                "c0 \"say \\\"hi\\\"; you\"; c1;",
                &[("c0", "\"say \\\"hi\\\"; you\"", Semicolon), ("c1", "", Semicolon)],
            ),
            // A path that ends with a backslash is a string of the standard.
            (
                "c0 \"C:\\\"; id \"x\";",
                &[("c0", "\"C:\\\"", Semicolon), ("id", "\"x\"", Semicolon)],
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), *expected, "{text}");
        }
    }
}
