//! Parses operations one by one: `opcode operand…;` (EPD 4.1).
//!
//! Missing or superfluous text between them is skipped here and reported by the checker: each
//! operation records whether and where its semicolon is.

use super::escapes::{Escapes, string_len};
use super::free_text::operation_at;
use super::mates::{chessdb_evaluation, mate_count, mated};
use super::text::{Token, is_blank};
use crate::opcode::{Opcode, OperandType};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Operations<'a> {
    rest: Token<'a>,
    escapes: Escapes,
}

/// An operation as written in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperationRef<'a> {
    pub(crate) name: Token<'a>,
    pub(crate) operands: Token<'a>,
    pub(crate) opcode: Option<Opcode>,
    pub(crate) end: End,
    pub(crate) form: Form,
}

/// How an operation says what its opcode means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// By the name of the opcode.
    Named,
    /// `dm 4` as `bm #4`.
    Mate,
    /// `ce -32759` as `bm #-4` or `dm -4`: mated in four moves.
    Mated,
    /// `ce 95` as `cdb eval: 95` or `v=95`.
    Chessdb,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Semicolon,
    /// The opcode of the next operation, without a semicolon before it.
    Opcode,
    /// The end of the line.
    Line,
    /// The end of the line, inside a string.
    OpenString,
}

impl<'a> OperationRef<'a> {
    /// Returns the name of the opcode; empty for a lone semicolon, `-` for a hyphen.
    pub fn name(&self) -> &'a str {
        self.name.text
    }

    /// Returns the opcode, if known: that of the value, which is `dm` for `bm #2`.
    pub fn opcode(&self) -> Option<Opcode> {
        self.opcode
    }

    /// Returns the operands as written.
    pub fn operands(&self) -> &'a str {
        self.operands.text
    }

    /// Whether it is an actual operation, not a lone semicolon or a hyphen.
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
        // A hyphen is not an operation, and has no semicolon.
        if name.text == "-" && !operands.text.starts_with(';') {
            self.rest = operands;
            let nothing = Token { at: name.end(), text: "" };
            return Some(OperationRef {
                name,
                operands: nothing,
                opcode: None,
                end: End::Semicolon,
                form: Form::Named,
            });
        }
        match Opcode::from_name(name.text) {
            Some(opcode) => Some(self.known(name, opcode, operands)),
            None => Some(self.other(text, name, operands)),
        }
    }
}

impl<'a> Operations<'a> {
    #[inline]
    fn known(&mut self, name: Token<'a>, opcode: Opcode, operands: Token<'a>) -> OperationRef<'a> {
        // `id = "33"`
        let is_joined = matches!(operands.text.as_bytes().first(), Some(b'=' | b':'));
        let operands = if is_joined { operands.skip(1).trim_start() } else { operands };
        let (len, end) = end_by_opcode(opcode, operands.text, self.escapes)
            .unwrap_or_else(|| end_of(operands.text, self.escapes));
        let operation = self.ended(name, Some(opcode), operands, (len, end));
        match opcode {
            Opcode::Bm | Opcode::Ce | Opcode::Dm => operation.with_mate(opcode),
            _ => operation,
        }
    }

    fn ended(
        &mut self,
        name: Token<'a>,
        opcode: Option<Opcode>,
        operands: Token<'a>,
        (len, end): (usize, End),
    ) -> OperationRef<'a> {
        let (operands, rest) = operands.split_at(len);
        self.rest = if end == End::Semicolon { rest.skip(1).trim_start() } else { rest };
        OperationRef { name, operands: operands.trim_end(), opcode, end, form: Form::Named }
    }

    /// Reads what does not begin with the name of a known opcode and a space.
    #[inline(never)]
    fn other(&mut self, text: Token<'a>, name: Token<'a>, operands: Token<'a>) -> OperationRef<'a> {
        // A comment of other languages, to the end of the line.
        if name.text.starts_with("//") || name.text.starts_with('#') {
            return self.ended(name, None, operands, (operands.text.len(), End::Line));
        }
        // `id="33"`, `id"33"`
        if let Some(at) = name.text.find(['=', ':', '"'])
            && let Some(opcode) = Opcode::from_name(&name.text[..at])
        {
            return self.known(name.split_at(at).0, opcode, text.skip(at));
        }
        // `PV: d5e6` of matetrack.
        if name.text == "PV:" {
            return self.known(name.split_at(2).0, Opcode::Pv, text.skip(2));
        }
        // `cdb eval: 12, ply: 0;`, `v=-328`
        let value = match name.text {
            "cdb" => operands.after("eval:"),
            _ => text.after("v="),
        };
        if let Some(operation) = value.and_then(|value| self.evaluation(name, value)) {
            return operation;
        }
        let (len, end) = end_of(operands.text, self.escapes);
        // Text before an operation, unless a string or brackets contain it.
        if let Some(at) = operation_at(&operands.text[..len])
            && !is_open(&text.text[..operands.at - text.at + at])
        {
            return self.ended(name, None, operands, (at, End::Opcode));
        }
        self.ended(name, None, operands, (len, end))
    }

    /// Reads an evaluation for the side to move, as in chessdb.cn; a comma ends it.
    fn evaluation(&mut self, name: Token<'a>, operands: Token<'a>) -> Option<OperationRef<'a>> {
        let len = operands.text.find([',', ';']).unwrap_or(operands.text.len());
        chessdb_evaluation(operands.text[..len].trim_end())?;
        let end = if len < operands.text.len() { End::Semicolon } else { End::Line };
        let operation = self.ended(name, Some(Opcode::Ce), operands, (len, end));
        Some(OperationRef { form: Form::Chessdb, ..operation })
    }
}

/// Whether a quote or a bracket in the text has not been closed.
fn is_open(text: &str) -> bool {
    let count = |of: &[u8]| text.bytes().filter(|b| of.contains(b)).count();
    count(b"{([<") > count(b"})]>") || !count(b"\"").is_multiple_of(2)
}

impl OperationRef<'_> {
    /// Changes the opcode for a mate in moves: `bm #4`, `bm #-4`, `dm -4`, `dm #4`, `ce #-4`.
    #[inline]
    fn with_mate(self, opcode: Opcode) -> Self {
        let text = self.operands.text;
        match (text.as_bytes().first(), opcode) {
            (Some(b'#'), _) | (Some(b'-'), Opcode::Dm) => {}
            _ => return self,
        }
        match mate_count(text) {
            Some(moves) if moves > 0 => {
                OperationRef { opcode: Some(Opcode::Dm), form: Form::Mate, ..self }
            }
            Some(moves) if mated(moves).is_some() => {
                OperationRef { opcode: Some(Opcode::Ce), form: Form::Mated, ..self }
            }
            _ => self,
        }
    }
}

/// Ends at a semicolon after the first operand, or at the next operation if one is missing:
/// `Rb5 dm 14;` of `bm`. `None` for unquoted strings, which may contain any word.
#[inline]
fn end_by_opcode(opcode: Opcode, text: &str, escapes: Escapes) -> Option<(usize, End)> {
    use OperandType::{Evaluation, Integer, Line, Move, Moves, Nothing, Register, Text};
    let bytes = text.as_bytes();
    let word_end = |at: usize| {
        let is_end = |b: &u8| is_blank(*b) || matches!(b, b';' | b'"');
        at + bytes[at..].iter().position(is_end).unwrap_or(bytes.len() - at)
    };
    let mut at = match opcode.operands() {
        Nothing => 0,
        Text | Register if bytes.first() == Some(&b'"') => string_len(text, escapes)?,
        Integer { .. } | Evaluation | Move | Moves | Line => word_end(0),
        _ => return None,
    };
    if bytes.get(at) == Some(&b';') {
        return Some((at, End::Semicolon));
    }
    loop {
        at += bytes[at..].iter().take_while(|b| is_blank(**b)).count();
        let end = word_end(at);
        if is_next_opcode(&text[at..end], &bytes[end..]) {
            return Some((at, End::Opcode));
        }
        if end == at || !matches!(opcode.operands(), Moves | Line) {
            return None;
        }
        at = end;
    }
}

/// Whether a word among operands is an opcode. `c3` is a move too, so a string must follow it.
fn is_next_opcode(word: &str, behind: &[u8]) -> bool {
    match word.as_bytes() {
        // Nearly all words are moves, and no opcode has a digit or `x` in this place.
        [b'c', b'1'..=b'8'] => behind.trim_ascii_start().starts_with(b"\""),
        [b'c' | b'v', b'0'..=b'9'] => true,
        [first, second, ..] => {
            first.is_ascii_lowercase()
                && second.is_ascii_lowercase()
                && *second != b'x'
                && Opcode::from_name(word).is_some()
        }
        _ => false,
    }
}

/// Finds the end of the operands: the first semicolon outside strings.
#[inline]
fn end_of(text: &str, escapes: Escapes) -> (usize, End) {
    let bytes = text.as_bytes();
    // Fast path: there is rarely a string before the semicolon.
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
            // Only at the beginning of a word: an inch sign inside a word does not open a string.
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
        use End::{Line, Opcode, OpenString, Semicolon};
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
            // A semicolon is missing.
            ("bm Rb5 dm 14;", &[("bm", "Rb5", Opcode), ("dm", "14", Semicolon)]),
            (
                "bm e4 c3; id \"x\" bm c3 c1 \"y\";",
                &[
                    ("bm", "e4 c3", Semicolon),
                    ("id", "\"x\"", Opcode),
                    ("bm", "c3", Opcode),
                    ("c1", "\"y\"", Semicolon),
                ],
            ),
            ("bm e4 c0;", &[("bm", "e4", Opcode), ("c0", "", Semicolon)]),
            ("bm e4 v1 \"x\";", &[("bm", "e4", Opcode), ("v1", "\"x\"", Semicolon)]),
            ("bm e4 c4;", &[("bm", "e4 c4", Semicolon)]),
            ("acd 12 x acs 5;", &[("acd", "12 x acs 5", Semicolon)]),
            ("c0 x bm e4;", &[("c0", "x bm e4", Semicolon)]),
            ("id \"x\"c0;", &[("id", "\"x\"", Opcode), ("c0", "", Semicolon)]),
            ("draw_offer sm e4", &[("draw_offer", "", Opcode), ("sm", "e4", Line)]),
            ("hmvc 0 fmvn 1", &[("hmvc", "0", Opcode), ("fmvn", "1", Line)]),
            (
                "id the bm of all; x bm e4;",
                &[("id", "the bm of all", Semicolon), ("x", "", Opcode), ("bm", "e4", Semicolon)],
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
