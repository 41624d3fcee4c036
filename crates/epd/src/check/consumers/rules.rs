//! The table of rules, and the functions that find the affected places of a line.
//!
//! The rules follow the published parsers, of July 2026: cutechess' `EpdRecord::parse` and
//! `Board::setFenString`, fastchess' `EpdReader` with the `setFen` and `setEpd` of chess.hpp 0.9.4,
//! and `Board.set_epd` of python-chess 1.11.

use san::{AnyPosition, Color, File, Position, Rank, Square};

use super::refusal::{has_adjacent_digits, is_python_castling, python_string, refused};
use super::rule::{Finding, Rule, Seen};
use crate::diagnostic::misreading::Consumer::{self, Cutechess, Fastchess, PythonChess};
use crate::dialect::Dialect;
use crate::opcode::Opcode;
use crate::read::free_text::is_number;
use crate::read::operations::{End, OperationRef, Operations};
use crate::read::record_ref::{Line, RecordRef};
use crate::read::text::Token;
use crate::severity::Severity;

const fn error(
    name: &'static str,
    message: &'static str,
    find: fn(&Seen<'_>) -> Vec<Finding>,
) -> Rule {
    Rule { name, level: Severity::Error, message, find }
}

const fn warning(
    name: &'static str,
    message: &'static str,
    find: fn(&Seen<'_>) -> Vec<Finding>,
) -> Rule {
    Rule { name, level: Severity::Warning, message, find }
}

pub(super) fn rules_of(consumer: Consumer) -> &'static [Rule] {
    match consumer {
        Cutechess => OF_CUTECHESS,
        Fastchess => OF_FASTCHESS,
        PythonChess => OF_PYTHON_CHESS,
    }
}

static OF_CUTECHESS: &[Rule] = &[
    error("comment", "refuses a comment", comment),
    error("crafty", "refuses Crafty's old form", crafty),
    error("side", "refuses the side to move {}: it needs a small letter", side),
    error("en-passant", "refuses the en passant field {}", glued),
    error("empty-operation", "refuses a semicolon without an operation", empty),
    error("quote", "refuses a quote inside an operand of {}", quote),
    warning("clocks", "loses the clocks {} and starts with 0 and 1", fen_clocks),
    warning("semicolon", "loses {}, which has no semicolon", no_semicolon),
    warning("string-semicolon", "loses the semicolon in the string of {}", string_semicolon),
    warning("hyphen", "takes the hyphen for an opcode and loses {}", hyphen),
    warning("game-over", "starts a game that is over: {}", game_over),
    error(LINE, "refuses {}", |seen| line(seen, Cutechess)),
];

static OF_FASTCHESS: &[Rule] = &[
    error("comment", "refuses a comment", comment),
    error("blank-line", "refuses a line of blanks", blank_line),
    error("byte-order-mark", "refuses a byte order mark", byte_order_mark),
    error("crafty", "refuses Crafty's old form", crafty),
    error("blanks", "takes every blank as the end of a field, and a tab for part of one", blanks),
    error("side", "refuses the side to move {}: it needs a small letter", side),
    error("en-passant", "refuses the en passant field {}", glued),
    warning("fullmove", "takes a fullmove number of 0 for move 32768", zero_fullmove),
    warning(
        "clocks",
        "loses the clocks {} and starts with 0 and 1: a line with a semicolon has them as hmvc and fmvn",
        fen_clocks_and_operations,
    ),
    warning(
        "castling",
        "loses the castling rights {} unless the games are Chess960",
        castling_files,
    ),
    warning("game-over", "starts a game that is over: {}", game_over),
    warning("word", "takes the word {} in a string for the operation", word),
    error(LINE, "refuses {}", |seen| line(seen, Fastchess)),
];

static OF_PYTHON_CHESS: &[Rule] = &[
    error("comment", "refuses a comment", comment),
    error("byte-order-mark", "refuses a byte order mark", byte_order_mark),
    error("crafty", "refuses Crafty's old form", crafty),
    error("digits", "refuses digits next to each other in {}", digits),
    error("side", "refuses the side to move {}: it needs a small letter", side),
    error(
        "castling",
        "refuses the castling rights {}: at most two of White, then at most two of Black",
        castling_order,
    ),
    error("en-passant", "refuses the en passant field {}", glued),
    error("clocks", "refuses the fifth field {}: from_epd wants four fields", fifth_field),
    warning("label", "loses the label {}", bracket),
    error("operand", "refuses {}, which is neither a string nor a number nor a move", operand),
    error(
        "castling-move",
        "refuses {}: in operands it knows no castling of Chess960",
        castling_move,
    ),
    error("second-string", "refuses a second operand of {} that contains a space", second_refused),
    warning("second-operand", "loses all operands of {} but the first", second_lost),
    warning("backslash", "reads the backslash in the string of {} as an escape", backslash),
    warning(
        "chess960",
        "loses castling rights of {} unless the board is one of Chess960",
        rights_of_chess960,
    ),
    error(LINE, "refuses {}", |seen| line(seen, PythonChess)),
];

/// The last rule of each program.
pub(super) const LINE: &str = "line";

/// Returns the part of a line that the program refuses for any reason.
fn line(seen: &Seen<'_>, consumer: Consumer) -> Vec<Finding> {
    let refused = |record: &RecordRef<'_>| refused(consumer, seen.line, &record.position);
    let found = record(seen).and_then(refused);
    found.map(|part| Finding::new(part.at..part.end(), part.text)).into_iter().collect()
}

/// Rights of sides whose king or rook is not in its initial place.
fn rights_of_chess960(seen: &Seen<'_>) -> Vec<Finding> {
    let is_found = record(seen).is_some_and(|record| is_chess960(&record.position));
    if is_found { word_if(seen, 2, |_| true) } else { Vec::new() }
}

/// Returns the record of a line, except in Crafty's form, which none of the programs can read.
fn record<'l>(seen: &Seen<'l>) -> Option<&'l RecordRef<'l>> {
    seen.record().filter(|record| record.dialect != Dialect::Crafty)
}

fn operations<'l>(record: &RecordRef<'l>) -> impl Iterator<Item = OperationRef<'l>> {
    Operations::new(record.rest, record.escapes).filter(OperationRef::is_real)
}

/// Returns the operations for which `is_found` holds; the text is the opcode.
fn opcodes(
    seen: &Seen<'_>,
    is_found: impl Fn(&RecordRef<'_>, &OperationRef<'_>) -> bool,
) -> Vec<Finding> {
    let Some(record) = record(seen) else { return Vec::new() };
    let found = operations(record).filter(|operation| is_found(record, operation));
    found
        .map(|op| Finding::new(op.name.at..op.operands.end().max(op.name.end()), op.name.text))
        .collect()
}

fn whole(seen: &Seen<'_>) -> Vec<Finding> {
    let start = seen.line.len() - seen.line.trim_start().len();
    vec![Finding::new(start..seen.line.trim_end().len().max(start), "")]
}

/// Returns word `index` of the line. A byte order mark is part of the first word.
fn word_at<'l>(seen: &Seen<'l>, index: usize) -> Option<Token<'l>> {
    Token { at: 0, text: seen.line }.words().nth(index)
}

fn word_if(seen: &Seen<'_>, index: usize, is_found: impl Fn(&str) -> bool) -> Vec<Finding> {
    let found = record(seen).and_then(|_| word_at(seen, index)).filter(|word| is_found(word.text));
    found.map(|word| Finding::new(word.at..word.end(), word.text)).into_iter().collect()
}

fn comment(seen: &Seen<'_>) -> Vec<Finding> {
    if matches!(seen.read, Line::Comment) { whole(seen) } else { Vec::new() }
}

fn blank_line(seen: &Seen<'_>) -> Vec<Finding> {
    let is_blank = matches!(seen.read, Line::Blank) && !seen.line.trim_end_matches('\r').is_empty();
    if is_blank { vec![Finding::new(0..seen.line.len(), "")] } else { Vec::new() }
}

fn game_over(seen: &Seen<'_>) -> Vec<Finding> {
    let position = seen.record().map(RecordRef::position);
    let Some(position) = position.filter(|position| position.is_finished()) else {
        return Vec::new();
    };
    let why = if position.has_legal_move() { "no side can win" } else { "no legal move" };
    vec![Finding::new(0..seen.line.len(), why)]
}

fn byte_order_mark(seen: &Seen<'_>) -> Vec<Finding> {
    let mark = seen.line.starts_with('\u{feff}').then(|| Finding::new(0..3, ""));
    mark.into_iter().collect()
}

fn crafty(seen: &Seen<'_>) -> Vec<Finding> {
    let is_crafty = seen.record().is_some_and(|record| record.dialect == Dialect::Crafty);
    if is_crafty { whole(seen) } else { Vec::new() }
}

fn side(seen: &Seen<'_>) -> Vec<Finding> {
    word_if(seen, 1, |word| matches!(word, "W" | "B"))
}

/// `- -;`: the semicolon becomes part of the fourth word.
fn glued(seen: &Seen<'_>) -> Vec<Finding> {
    word_if(seen, 3, |word| word.contains(';'))
}

fn empty(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(record) = record(seen) else { return Vec::new() };
    // After the clocks of six fields, a semicolon ends the operation as which they are read.
    let is_empty = |operation: &OperationRef<'_>| {
        let is_of_clocks = record.has_clocks && operation.name.at == record.rest.at;
        operation.name.is_empty() && !is_of_clocks
    };
    let found = Operations::new(record.rest, record.escapes).find(is_empty);
    found.map(|op| Finding::new(op.name.at..op.name.at + 1, "")).into_iter().collect()
}

/// A quote inside an operand opens a string only at the operand's beginning.
fn quote(seen: &Seen<'_>) -> Vec<Finding> {
    opcodes(seen, |_, operation| {
        let (mut is_open, mut has_text) = (false, false);
        operation.operands.text.chars().any(|c| {
            match c {
                '"' if !is_open && has_text => return true,
                '"' => is_open = !is_open,
                ' ' | '\t' if !is_open => has_text = false,
                ';' => {}
                _ => has_text = true,
            }
            false
        })
    })
}

/// Finds the clocks of six fields, unless they are those of the starting position.
fn fen_clocks(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(record) = record(seen) else { return Vec::new() };
    let (halfmoves, fullmoves) = (record.position.halfmoves(), record.position.fullmoves());
    if !record.has_clocks || (halfmoves, fullmoves) == (0, 1) {
        return Vec::new();
    }
    let at = word_at(seen, 4).map_or(record.rest.at, |word| word.at);
    vec![Finding::new(at..at, &format!("{halfmoves} and {fullmoves}"))]
}

fn fen_clocks_and_operations(seen: &Seen<'_>) -> Vec<Finding> {
    if seen.line.contains(';') { fen_clocks(seen) } else { Vec::new() }
}

fn no_semicolon(seen: &Seen<'_>) -> Vec<Finding> {
    opcodes(seen, |_, operation| matches!(operation.end, End::Line | End::Opcode))
}

fn string_semicolon(seen: &Seen<'_>) -> Vec<Finding> {
    opcodes(seen, |_, operation| operation.operands.text.contains(';'))
}

/// The operation after a lone hyphen is read as its operands.
fn hyphen(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(record) = record(seen) else { return Vec::new() };
    let all = || Operations::new(record.rest, record.escapes);
    let lost =
        all().zip(all().skip(1)).filter(|(one, next)| one.name.text == "-" && next.is_real());
    lost.map(|(one, next)| Finding::new(one.name.at..one.name.end(), next.name.text)).collect()
}

/// Every space ends a field; leading ones are skipped in a FEN, but not with a semicolon.
fn blanks(seen: &Seen<'_>) -> Vec<Finding> {
    if record(seen).is_none() {
        return Vec::new();
    }
    let line = seen.line.trim_start_matches('\u{feff}').trim_end_matches('\r');
    let line = if line.contains(';') { line } else { line.trim_start_matches(' ') };
    let is_split = line.split(' ').take(4).filter(|field| !field.is_empty()).count() == 4;
    if is_split && !line.contains('\t') { Vec::new() } else { whole(seen) }
}

fn zero_fullmove(seen: &Seen<'_>) -> Vec<Finding> {
    let has_clocks = record(seen).is_some_and(|record| record.has_clocks);
    if !has_clocks || seen.line.contains(';') {
        return Vec::new();
    }
    word_if(seen, 5, |word| word.parse() == Ok(0_u32))
}

fn castling_files(seen: &Seen<'_>) -> Vec<Finding> {
    word_if(seen, 2, |word| word.bytes().any(|b| !b"KQkq-".contains(&b)))
}

fn word(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(record) = record(seen) else { return Vec::new() };
    let mut found = Vec::new();
    for operands in operations(record).map(|operation| operation.operands) {
        for word in operands.words() {
            let text = word.text.trim_matches('"');
            if matches!(text, "hmvc" | "fmvn") {
                found.push(Finding::new(word.at..word.end(), text));
            }
        }
    }
    found
}

fn digits(seen: &Seen<'_>) -> Vec<Finding> {
    word_if(seen, 0, has_adjacent_digits)
}

fn castling_order(seen: &Seen<'_>) -> Vec<Finding> {
    word_if(seen, 2, |word| word != "-" && !is_python_castling(word))
}

fn fifth_field(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(record) = record(seen) else { return Vec::new() };
    let is_refused = record.has_clocks || record.dialect == Dialect::Label && !is_bracketed(seen);
    if is_refused { word_if(seen, 4, |_| true) } else { Vec::new() }
}

fn is_bracketed(seen: &Seen<'_>) -> bool {
    seen.record().is_some_and(|record| record.dialect == Dialect::Label)
        && word_at(seen, 4).is_some_and(|word| word.text.starts_with('['))
}

/// `[0.5]` alone is read as an opcode.
fn bracket(seen: &Seen<'_>) -> Vec<Finding> {
    if is_bracketed(seen) { word_if(seen, 4, |_| true) } else { Vec::new() }
}

/// Returns the operations that python-chess reads: those of four-field records.
fn python_operations(
    seen: &Seen<'_>,
    is_found: impl Fn(&RecordRef<'_>, &OperationRef<'_>) -> bool,
) -> Vec<Finding> {
    match record(seen) {
        Some(record) if !record.has_clocks && record.dialect != Dialect::Label => {
            opcodes(seen, is_found)
        }
        _ => Vec::new(),
    }
}

/// The type of an operand is guessed from its first character.
fn operand(seen: &Seen<'_>) -> Vec<Finding> {
    let is_refused = |record: &RecordRef<'_>, operation: &OperationRef<'_>| {
        let text = operation.operands.text;
        match text.as_bytes().first() {
            None | Some(b'"') => false,
            Some(b'+' | b'-' | b'.' | b'0'..=b'9') => !is_number(text),
            _ if takes_moves(operation.opcode) => text.starts_with('#'),
            // Any other operand is read as one move in the position.
            _ => san::resolve(&record.position, text.as_bytes()).is_err(),
        }
    };
    let Some(record) = record(seen) else { return Vec::new() };
    if record.has_clocks || record.dialect == Dialect::Label {
        return Vec::new();
    }
    let found = operations(record).filter(|operation| is_refused(record, operation));
    found.map(|op| Finding::new(op.operands.at..op.operands.end(), op.operands.text)).collect()
}

fn castling_move(seen: &Seen<'_>) -> Vec<Finding> {
    python_operations(seen, |record, operation| {
        takes_moves(operation.opcode)
            && operation.operands.text.contains("O-O")
            && is_chess960(&record.position)
    })
}

/// Returns the text after the first string of an operation, which is read as an opcode. One that
/// does not begin with a letter is rejected, unless the operation ends after it.
fn after_string<'l>(operation: &OperationRef<'l>) -> Option<&'l str> {
    let text = operation.operands.text.strip_prefix('"')?;
    let (_, len) = python_string(text);
    Some(text[len..].trim()).filter(|rest| !rest.is_empty())
}

fn is_refused_opcode(rest: &str) -> bool {
    rest.contains([' ', '\t']) && !rest.starts_with(char::is_alphabetic)
}

fn second_refused(seen: &Seen<'_>) -> Vec<Finding> {
    python_operations(seen, |_, operation| after_string(operation).is_some_and(is_refused_opcode))
}

fn second_lost(seen: &Seen<'_>) -> Vec<Finding> {
    python_operations(seen, |_, operation| {
        after_string(operation).is_some_and(|rest| !is_refused_opcode(rest))
    })
}

fn backslash(seen: &Seen<'_>) -> Vec<Finding> {
    python_operations(seen, |_, operation| {
        let text = operation.operands.text;
        // Before a quote, the backslash is python-chess's own escape.
        text.starts_with('"') && text.contains('\\') && !text.contains("\\\"")
    })
}

/// Whether the castling rights are impossible in standard chess.
fn is_chess960(position: &Position) -> bool {
    let is_standard = |rook: Square| {
        let color = if rook.rank() == Rank::First { Color::White } else { Color::Black };
        matches!(rook.file(), File::A | File::H) && position.king(color).file() == File::E
    };
    !position.castling_rooks().into_iter().all(is_standard)
}

fn takes_moves(opcode: Option<Opcode>) -> bool {
    matches!(opcode, Some(Opcode::Am | Opcode::Bm | Opcode::Pm | Opcode::Pv | Opcode::Sm))
}
