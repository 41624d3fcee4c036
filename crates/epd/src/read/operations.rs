//! Parses operations one by one: `opcode operand…;` (EPD 4.1). Missing or superfluous text between
//! them is skipped and reported by the checker: each records whether and where its semicolon is.

use std::ops::Range;

use super::text::{Escapes, Token, is_blank, string_len};
use crate::centipawns::Centipawns;
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
    pub(crate) form: OpcodeForm,
}

/// How an operation says what its opcode means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpcodeForm {
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
    Line,
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
                OperationRef { opcode: Some(Opcode::Dm), form: OpcodeForm::Mate, ..self }
            }
            Some(moves) if Centipawns::mate_in_moves(moves).is_some() => {
                OperationRef { opcode: Some(Opcode::Ce), form: OpcodeForm::Mated, ..self }
            }
            _ => self,
        }
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
                form: OpcodeForm::Named,
            });
        }
        match Opcode::from_name(name.text) {
            Some(opcode) => Some(self.known(name, opcode, operands)),
            None => Some(self.other(text, name, operands)),
        }
    }
}

impl<'a> Operations<'a> {
    pub(crate) fn new(text: Token<'a>, escapes: Escapes) -> Self {
        Operations { rest: text.trim_start(), escapes }
    }

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
        OperationRef { name, operands: operands.trim_end(), opcode, end, form: OpcodeForm::Named }
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
        Some(OperationRef { form: OpcodeForm::Chessdb, ..operation })
    }
}

/// Whether a quote or a bracket in the text has not been closed.
fn is_open(text: &str) -> bool {
    let count = |of: &[u8]| text.bytes().filter(|b| of.contains(b)).count();
    count(b"{([<") > count(b"})]>") || !count(b"\"").is_multiple_of(2)
}

/// `None` for unquoted strings, which may contain any word; `Rb5 dm 14;` of `bm` ends at `dm`.
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

// Finds operations of the form that programs write, without reading them: the name of an opcode, a
// space, one word or one string, a semicolon, and a space before the next. [`Operations`] would
// read the same.

/// Yields `None` where the text leaves that form; what was found before does not count then.
#[derive(Clone, Debug)]
pub(crate) struct PlainOperations<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// Whether a byte ends a name, and an operand: `:` may be of an evaluation, `_` is of opcodes.
/// A look-up saves a twentieth of the time of a record: comparisons are unpredictable branches.
static ENDS: [(bool, bool); 256] = {
    let mut ends = [(true, false); 256];
    let mut byte = 0;
    while byte < 256 {
        let of_name = (byte as u8).is_ascii_lowercase() || (byte as u8).is_ascii_digit();
        let of_word = byte > b' ' as usize && !matches!(byte as u8, b';' | b'"' | b':' | b'_');
        ends[byte] = (!of_name, !of_word);
        byte += 1;
    }
    ends
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlainOperation {
    pub(crate) name: Range<usize>,
    pub(crate) operands: Range<usize>,
}

impl<'a> PlainOperations<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        PlainOperations { bytes: text.as_bytes(), at: 0 }
    }

    #[inline(always)]
    fn plain(&mut self) -> Option<PlainOperation> {
        let bytes = self.bytes;
        let at = self.at + bytes[self.at..].iter().position(|b| ENDS[usize::from(*b)].0)?;
        let name = self.at..at;
        let operands = match bytes[at..] {
            _ if name.is_empty() => return None,
            [b';', ..] => at..at,
            [b' ', b'"', ..] => {
                let end = at + 2 + memchr::memchr(b'"', &bytes[at + 2..])?;
                // An escape, perhaps.
                if bytes[end - 1] == b'\\' {
                    return None;
                }
                at + 1..end + 1
            }
            // `=` may belong to the name, `#4` and `-4` are mates, and a word that is not an
            // operand is another operation.
            [b' ', b'=' | b';' | b'#', ..] => return None,
            [b' ', b'-', ..] if bytes[name.clone()] == *b"dm" => return None,
            [b' ', ..] if bytes[name.clone()] == *b"resign" => return None,
            [b' ', ref word @ ..] => {
                at + 1..at + 1 + word.iter().position(|b| ENDS[usize::from(*b)].1)?
            }
            _ => return None,
        };
        self.at = match bytes[operands.end..] {
            [b';'] => bytes.len(),
            [b';', b' ', ..] => operands.end + 2,
            _ => return None,
        };
        Some(PlainOperation { name, operands })
    }
}

impl Iterator for PlainOperations<'_> {
    type Item = Option<PlainOperation>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        (self.at < self.bytes.len()).then(|| self.plain())
    }
}

// Tells operations from free text by the form of their operands.

/// Whether the text is what an unknown opcode may have: strings, numbers, moves (EPD 4.1).
pub(crate) fn are_operands(text: &str, escapes: Escapes) -> bool {
    let mut rest = Token { at: 0, text }.trim_start();
    while !rest.is_empty() {
        let len = match rest.text.starts_with('"') {
            true => string_len(rest.text, escapes),
            false => Some(rest.split_word().0.text)
                .filter(|word| is_number(word) || is_like_move(word))
                .map(str::len),
        };
        let Some(len) = len else { return false };
        rest = rest.skip(len).trim_start();
    }
    true
}

/// Numbers such as `.5` and `5.`, each with its form in the standard; not a move's, `5. Nf3`.
pub(crate) fn bare_points(text: Token<'_>, escapes: Escapes) -> Vec<(Token<'_>, String)> {
    let (mut found, mut rest) = (Vec::new(), text.trim_start());
    while !rest.is_empty() {
        let word = rest.split_word().0;
        let is_string = word.text.starts_with('"');
        let len = if is_string { string_len(rest.text, escapes) } else { None };
        rest = rest.skip(len.unwrap_or(word.text.len())).trim_start();
        let (sign, digits) = match word.text.strip_prefix(['+', '-']) {
            Some(digits) => (&word.text[..1], digits),
            None => ("", word.text),
        };
        let (is_first, is_last) = (digits.starts_with('.'), digits.ends_with('.'));
        let is_of_move = is_last && is_like_move(rest.split_word().0.text);
        if (is_first || is_last) && !is_of_move && is_number(word.text) {
            let zero = |is_wanted| if is_wanted { "0" } else { "" };
            found.push((word, format!("{sign}{}{digits}{}", zero(is_first), zero(is_last))));
        }
    }
    found
}

pub(crate) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && text.parse().is_ok_and(f64::is_finite)
}

pub(crate) fn is_like_move(text: &str) -> bool {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    if matches!(text, "O-O" | "O-O-O" | "0-0" | "0-0-0" | "--") {
        return true;
    }
    let is_of_move = |b: u8| {
        matches!(b, b'a'..=b'h' | b'1'..=b'8' | b'x' | b'-' | b'=' | b'@')
            || b"KQRBNPqrbn".contains(&b)
    };
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    text.len() <= 8 && text.bytes().all(is_of_move) && text.as_bytes().windows(2).any(is_square)
}

/// Whether the text contains an operation. An unquoted string or one without its end may hide one.
pub(crate) fn hides_operation(text: &str) -> bool {
    operation_at(text).is_some()
}

/// Returns the offset of the first operation in a text: an opcode and an operand of its type.
pub(crate) fn operation_at(text: &str) -> Option<usize> {
    use OperandType::{
        Any, Evaluation, Integer, Line, Move, Moves, Nothing, Register, Text, TwoTexts,
    };
    let mut words = Token { at: 0, text }.words();
    while let Some(word) = words.next() {
        let next = words.clone().next().map_or("", |next| next.text.trim_end_matches(';'));
        let is_found = match Opcode::from_name(word.text).map(Opcode::operands) {
            Some(Integer { .. } | Evaluation) => is_number(next),
            Some(Moves) if next.starts_with('#') => mate_count(next).is_some(),
            Some(Move | Moves | Line) => is_like_move(next),
            Some(Text | Register | TwoTexts) => next.starts_with('"'),
            Some(Nothing) => word.text.contains('_'),
            Some(Any) | None => false,
        };
        if is_found {
            return Some(word.at);
        }
    }
    None
}

// Evaluations and mates as other programs write them.

/// Parses `#4`, `#+4`, `#-4` or `-4`.
pub(crate) fn mate_count(text: &str) -> Option<i64> {
    let text = text.strip_prefix("#+").or_else(|| text.strip_prefix('#')).unwrap_or(text);
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// The evaluation for the side to move: centipawns, or a mate in plies, `M13`, `-M12` or 29987.
pub(crate) fn chessdb_evaluation(text: &str) -> Option<Centipawns> {
    const MATE: u32 = 30000;
    const TABLEBASE_WIN: u32 = 25000;
    let bare = text.strip_prefix('-').unwrap_or(text);
    let is_lost = bare.len() < text.len();
    let plies: u32 = match bare.strip_prefix('M') {
        Some(plies) => plies.parse().ok()?,
        None => match bare.parse().ok()? {
            value @ ..=TABLEBASE_WIN => {
                let value = i64::from(value);
                return Centipawns::new(if is_lost { -value } else { value });
            }
            value => MATE.checked_sub(value)?,
        },
    };
    match is_lost {
        true => Centipawns::gets_mated_in_plies(plies),
        false => Centipawns::gives_mate_in_plies(plies),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::read::operations::{OpcodeForm, Operations};
    use crate::read::text::{Escapes, Token};

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
            (";D1 20 ;D2 4", &[("", "", Semicolon), ("D1", "20", Semicolon), ("D2", "4", Line)]),
            ("bm e4;;", &[("bm", "e4", Semicolon), ("", "", Semicolon)]),
            (
                "c0 \"say \\\"hi\\\"; you\"; c1;",
                &[("c0", "\"say \\\"hi\\\"; you\"", Semicolon), ("c1", "", Semicolon)],
            ),
            // A semicolon is missing.
            ("bm Rb5 dm 14;", &[("bm", "Rb5", Opcode), ("dm", "14", Semicolon)]),
            (
                "bm e4 c3; id \"x\" bm c3;",
                &[("bm", "e4 c3", Semicolon), ("id", "\"x\"", Opcode), ("bm", "c3", Semicolon)],
            ),
            ("bm c3 c1 \"y\";", &[("bm", "c3", Opcode), ("c1", "\"y\"", Semicolon)]),
            ("bm e4 c0;", &[("bm", "e4", Opcode), ("c0", "", Semicolon)]),
            ("bm e4 v1 \"x\";", &[("bm", "e4", Opcode), ("v1", "\"x\"", Semicolon)]),
            ("bm e4 c4;", &[("bm", "e4 c4", Semicolon)]),
            ("acd 12 x acs 5;", &[("acd", "12 x acs 5", Semicolon)]),
            ("c0 x bm e4;", &[("c0", "x bm e4", Semicolon)]),
            ("id \"x\"c0;", &[("id", "\"x\"", Opcode), ("c0", "", Semicolon)]),
            ("draw_offer sm e4", &[("draw_offer", "", Opcode), ("sm", "e4", Line)]),
            ("hmvc 0 fmvn 1", &[("hmvc", "0", Opcode), ("fmvn", "1", Line)]),
            ("id the bm of all;", &[("id", "the bm of all", Semicolon)]),
            ("x bm e4;", &[("x", "", Opcode), ("bm", "e4", Semicolon)]),
            // A path that ends with a backslash is a string of the standard.
            ("c0 \"C:\\\"; id 5;", &[("c0", "\"C:\\\"", Semicolon), ("id", "5", Semicolon)]),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), *expected, "{text}");
        }
    }

    /// The names and operands of operations.
    type Found<'a> = Vec<(&'a str, &'a str)>;

    /// The operations, if all have the plain form.
    fn plain(text: &str) -> Option<Found<'_>> {
        let found = PlainOperations::new(text).collect::<Option<Vec<_>>>()?;
        Some(found.into_iter().map(|op| (&text[op.name], &text[op.operands])).collect())
    }

    /// The operations that the reader of all forms finds, which must be named.
    fn any(text: &str, escapes: Escapes) -> Found<'_> {
        Operations::new(Token { at: 0, text }, escapes)
            .map(|operation| {
                assert_eq!(operation.form, OpcodeForm::Named, "{text}");
                (operation.name(), operation.operands())
            })
            .collect()
    }

    #[test]
    fn only_what_can_be_read_in_one_way_is_plain() {
        for (text, expected) in [
            ("", &[][..]),
            ("hmvc 0;", &[("hmvc", "0")]),
            ("hmvc 0; ", &[("hmvc", "0")]),
            ("c0; hmvc 0;", &[("c0", ""), ("hmvc", "0")]),
            ("c0 \"a; hmvc 3;\"; x1 y;", &[("c0", "\"a; hmvc 3;\""), ("x1", "y")]),
            ("ce -5; hmvc 3; hmvc 4;", &[("ce", "-5"), ("hmvc", "3"), ("hmvc", "4")]),
            ("c0 \"\u{e4}\"; sm \u{e4};", &[("c0", "\"\u{e4}\""), ("sm", "\u{e4}")]),
        ] {
            assert_eq!(plain(text).as_deref(), Some(expected), "{text}");
        }
        // Without a semicolon or a space, with more spaces or a tab, with several words, signs,
        // free text or other forms, with strings that do not end, or not before a semicolon.
        let short = [
            "hmvc 0", "hmvc 0; fmvn", "hmvc 0;fmvn 1;", "hmvc  0;", "hmvc 0 ;", "hmvc 0;  fmvn 1;",
            "hmvc\t0;", "hmvc ;", "bm e4 d4; hmvc 0;", "bm e4 hmvc 0;", "hmvc =3;", "hmvc=3;",
            "hmvc: 3;", "PV: e4;", "cdb eval:5,hmvc=3;", "v=5;", "resign hmvc;", "x1 draw_offer;",
            "D1 20;", "- hmvc 3;", "// hmvc 3;", "bm #4;", "dm -4;", ";", "hmvc 3;;",
            "c0 \"a; hmvc 3;", "c0 \"a\"b; hmvc 3;", "c0 a\"; hmvc 3;", "c0 \"",
        ];
        let long = ["c0 \"a\\\"; hmvc 3;", "c0 \"a\" \"b\"; hmvc 3;"];
        for text in short.into_iter().chain(long) {
            assert_eq!(plain(text), None, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4096, ..ProptestConfig::default() })]
        #[test]
        fn plain_operations_are_what_the_reader_of_all_forms_finds(
            text in "((hmvc|fmvn|sm|bm|dm|ce|c0|id|resign|draw_offer|noop|cdb|x1|v|D1|PV:|-|//)( | | |=|:|\\t|  )?\
                (|0|12|-4|#4|e4|Nf3\\+|e4 d4|hmvc|fmvn 3|resign|c0|draw_offer|eval:5,hmvc=3|\"a; hmvc 3;\"|\"\\\\\"|\"|v=4|\u{e4})\
                (;|; |; |; |; | ;|;;| |)){0,5}"
        ) {
            let text = text.trim();
            if let Some(found) = plain(text) {
                for escapes in [Escapes::Guess, Escapes::None] {
                    prop_assert_eq!(&found, &any(text, escapes));
                }
            }
        }
    }

    #[test]
    fn operands_are_strings_numbers_and_moves() {
        for (text, expected) in [
            ("", true),
            ("5", true),
            ("-7 +3 1.5 .5 1e9", true),
            ("\"to win; or not\" 3", true),
            ("e4 Nbd7+ O-O-O exd8=Q# e2e4 N@f3 --", true),
            ("to win", false),
            ("pin", false),
            ("1-0", false),
            ("\"open", false),
            ("eval: 5", false),
            ("inf", false),
            ("#2", false),
        ] {
            assert_eq!(are_operands(text, Escapes::Guess), expected, "{text}");
        }
    }

    #[test]
    fn a_point_has_a_digit_on_both_sides() {
        for (text, expected) in [
            ("0.5 5.0 -1.5 5 x", &[][..]),
            (".5", &["0.5"]),
            ("-.5 5. +7.", &["-0.5", "5.0", "+7.0"]),
            ("\".5 5.\" .25", &["0.25"]),
            (". .. ... a.5 5.x", &[]),
            ("1. e4 e5 2. Nf3", &[]),
            ("5. x", &["5.0"]),
        ] {
            let found = bare_points(Token { at: 3, text }, Escapes::None);
            let numbers: Vec<&str> = found.iter().map(|(_, number)| &**number).collect();
            assert_eq!(numbers, expected, "{text}");
            assert!(found.iter().all(|(word, _)| text[word.at - 3..].starts_with(word.text)));
        }
    }

    #[test]
    fn an_operation_hides_in_text_if_an_operand_follows_its_opcode() {
        for text in ["x ce 10", "x bm e4", "x id \"y\"", "x draw_offer", "mate in 3 bm #3"] {
            assert!(hides_operation(text), "{text}");
        }
        for text in ["the best bm of all", "they resign", "dm", "noop 5"] {
            assert!(!hides_operation(text), "{text}");
        }
    }

    #[test]
    fn mates_of_chessdb_are_counted_in_plies() {
        // 32767 - plies, -32767 + plies (EPD 5.6).
        for (text, expected) in [
            ("95", Some(95)),
            ("-7", Some(-7)),
            ("M13", Some(32754)),
            ("-M12", Some(-32755)),
            ("29987", Some(32754)),
            ("-29988", Some(-32755)),
            // Wins of tablebases.
            ("24990", Some(24990)),
            ("-20001", Some(-20001)),
        ] {
            let found = chessdb_evaluation(text).map(|ce| i64::from(ce.get()));
            assert_eq!(found, expected, "{text}");
        }
        for text in ["30000", "30001", "M0", "mated", "--7", "-", ""] {
            assert_eq!(chessdb_evaluation(text), None, "{text}");
        }
    }

    #[test]
    fn a_number_of_moves_until_mate_has_a_sign() {
        let (four, lost) = (Some(4), Some(-4));
        for (text, expected) in
            [("#4", four), ("#+4", four), ("#-4", lost), ("-4", lost), ("#x", None), ("#", None)]
        {
            assert_eq!(mate_count(text), expected, "{text}");
        }
    }
}
