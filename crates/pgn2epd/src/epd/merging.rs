//! Equal positions of a check: best moves that differ, and records that are merged into the first.

use std::collections::HashMap;
use std::io::{self, Write};

use epd::{
    Dialect, EpdDiagnostic, EpdDiagnosticKind, Form, Line, Opcode, Operand, ReadOptions, Record,
    read_line, write_record_value,
};
use san::{Buffer, FieldStyle, Position, PositionKey, PositionMap, resolve, san_of};

use super::line_diagnostic::LineDiagnostic;

/// The best moves of a record, as written.
#[derive(Debug)]
pub(super) struct BestMoves {
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) position: Position,
    pub(super) text: Box<str>,
}

/// The first best moves of each position.
#[derive(Debug, Default)]
pub(super) struct FirstBest {
    files: Vec<String>,
    moves: PositionMap<(u32, u64, Box<str>)>,
}

impl FirstBest {
    /// Begins a file.
    pub(super) fn begin(&mut self, name: &str) {
        self.files.push(name.to_owned());
    }

    /// Reports moves other than the first ones of the position.
    pub(super) fn compare(&mut self, best: &BestMoves) -> Option<LineDiagnostic> {
        let file = self.files.len().saturating_sub(1) as u32;
        let key = PositionKey::of(&best.position);
        let Some((other_file, line, other)) = self.moves.get(&key) else {
            self.moves.insert(key, (file, best.line, best.text.clone()));
            return None;
        };
        if *other == best.text {
            return None;
        }
        let [moves, other] = [&best.text, other].map(|text| canonical(&best.position, text));
        if moves == other {
            return None;
        }
        let place = match *other_file == file {
            true => format!("line {line}"),
            false => format!("{}:{line}", self.files[*other_file as usize]),
        };
        let [moves, other] = [moves, other].map(|moves| moves.join(" "));
        let text = best.text.to_string();
        let kind = EpdDiagnosticKind::OtherBest { moves, other, place };
        let fault = EpdDiagnostic { at: 0..text.len(), kind };
        Some(LineDiagnostic::at(best.line, best.column, &text, fault))
    }
}

/// Returns the moves in SAN and in order; those that are illegal as they are.
fn canonical(position: &Position, text: &str) -> Vec<String> {
    let moves = epd::move_texts(text);
    let mut moves: Vec<String> = moves
        .map(|text| match resolve(position, text.as_bytes()) {
            Ok(next) => san_of(position, next).to_string(),
            Err(_) => text.to_owned(),
        })
        .collect();
    moves.sort();
    moves.dedup();
    moves
}

/// The records of the output, held until the operations of later equal positions are known.
#[derive(Debug, Default)]
pub(super) struct Merging {
    text: Vec<u8>,
    lines: u64,
    /// The line of each position.
    firsts: PositionMap<u64>,
    /// The operations to be added to a line.
    added: HashMap<u64, Record>,
}

impl Merging {
    /// Returns the line of an equal position that is held, or takes note that the next line has it.
    pub(super) fn first(&mut self, key: PositionKey) -> Option<u64> {
        let next = self.lines;
        let line = *self.firsts.entry(key).or_insert(next);
        (line < next).then_some(line)
    }

    /// Holds a line, with its end.
    pub(super) fn hold(&mut self, line: &[u8]) {
        self.text.extend_from_slice(line);
        self.lines += 1;
    }

    /// Takes note of the operations of a record for a line; returns whether it has any that count.
    pub(super) fn add(&mut self, line: u64, record: &str, form: Form) -> bool {
        let Some(record) = read(record, form) else { return false };
        if !record.operations().iter().any(|operation| is_merged(operation.opcode())) {
            return false;
        }
        match self.added.get_mut(&line) {
            Some(first) => merge(first, &record),
            None => _ = self.added.insert(line, record),
        }
        true
    }

    /// Writes all lines.
    pub(super) fn finish(
        &mut self,
        form: Form,
        style: FieldStyle,
        output: &mut impl Write,
    ) -> io::Result<()> {
        let text = std::mem::take(&mut self.text);
        let mut buffer = Buffer::default();
        let mut start = 0;
        let mut lines: Vec<u64> = self.added.keys().copied().collect();
        lines.sort_unstable();
        let mut lines = lines.into_iter().peekable();
        let mut number = 0;
        // Unchanged lines are written together.
        let mut written = 0;
        while lines.peek().is_some() {
            let len =
                memchr::memchr(b'\n', &text[start..]).map_or(text.len() - start, |len| len + 1);
            if lines.next_if_eq(&number).is_some() {
                output.write_all(&text[written..start])?;
                written = start;
                let line = String::from_utf8_lossy(&text[start..start + len]);
                if let (Some(mut record), Some(added)) =
                    (read(line.trim_end(), form), self.added.remove(&number))
                {
                    merge(&mut record, &added);
                    buffer.clear();
                    write_record_value(&record, form, style, &mut buffer);
                    output.write_all(buffer.as_bytes())?;
                    output.write_all(b"\n")?;
                    written = start + len;
                }
            }
            start += len;
            number += 1;
        }
        output.write_all(&text[written..])
    }
}

/// Reads a record that was written in a form.
fn read(line: &str, form: Form) -> Option<Record> {
    let options = ReadOptions { dialect: Some(dialect(form)), ..ReadOptions::default() };
    match read_line(line, &options, &mut |_| {}) {
        Line::Record(record) => Some(record.to_record()),
        _ => None,
    }
}

/// Returns the dialect of records in a form.
pub(super) fn dialect(form: Form) -> Dialect {
    match form {
        Form::Epd => Dialect::Standard,
        Form::Fen => Dialect::Fen,
        Form::Crafty => Dialect::Crafty,
        Form::Perl => Dialect::Perl,
    }
}

/// Whether an operation is added to that of an equal position. Registers belong to the place of their
/// record, and counters to its game.
fn is_merged(opcode: Option<Opcode>) -> bool {
    let is_counter = matches!(opcode, Some(Opcode::Fmvn | Opcode::Hmvc));
    !is_counter && opcode.and_then(Opcode::register).is_none()
}

/// Adds the operations that a record lacks, and unites best moves.
fn merge(first: &mut Record, other: &Record) {
    for operation in other.operations().iter().filter(|operation| is_merged(operation.opcode())) {
        let own = first.get_other(operation.name());
        let operand = match (own, operation.operand()) {
            (None, operand) => operand.clone(),
            (Some(Operand::Moves(own)), Operand::Moves(moves))
                if operation.opcode() == Some(Opcode::Bm) =>
            {
                Operand::Moves(own.iter().chain(moves).cloned().collect())
            }
            _ => continue,
        };
        // What was an operation of a record is one again.
        _ = match (operation.opcode(), operand) {
            (Some(opcode), operand) => first.set(opcode, operand).is_ok(),
            (None, Operand::Raw(text)) => first.set_other(operation.name(), &text).is_ok(),
            (None, _) => first.set_other(operation.name(), "").is_ok(),
        };
    }
}
