//! Equal positions of a check: best moves that differ, and records that are merged into the first.

use std::collections::HashMap;
use std::io::{self, Write};

use epd::{
    Dialect, EpdDiagnostic, EpdDiagnosticKind, Form, Line, Opcode, Operand, ReadOptions, Readable,
    Record, Rules, read_line,
};
use san::{
    AnyPosition, Buffer, EnPassantPolicy, FieldStyle, Position, PositionKey, PositionMap,
    VariantPosition,
};

use super::line_diagnostic::LineDiagnostic;

/// What makes positions equal: all but clocks, and en passant squares only if a capture is legal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Identity {
    Chess(PositionKey),
    /// The fields of a position of a variant.
    Variant(Box<str>),
}

impl Identity {
    /// Returns the identity of the position of a line, if it has one.
    pub(super) fn of(line: &Line<'_>) -> Option<Self> {
        match line {
            Line::Record(record) => Some(Identity::Chess(PositionKey::of(record.position()))),
            Line::Variant(variant) => Some(Identity::of_variant(variant.position())),
            _ => None,
        }
    }

    fn of_variant(position: &VariantPosition) -> Self {
        let en_passant = EnPassantPolicy::Legal;
        let style = FieldStyle { en_passant, ..FieldStyle::default() };
        Identity::Variant(position.fields(style).into())
    }
}

/// The best moves of a record, as written.
#[derive(Debug)]
pub(super) struct BestMoves {
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) position: BestPosition,
    pub(super) text: Box<str>,
}

/// The position of a record with best moves.
#[derive(Debug)]
pub(super) enum BestPosition {
    Chess(Position),
    Variant(Box<VariantPosition>),
}

impl BestPosition {
    /// Returns the position of a line, if it has one.
    pub(super) fn of(line: &Line<'_>) -> Option<Self> {
        match line {
            Line::Record(record) => Some(BestPosition::Chess(record.position().clone())),
            Line::Variant(variant) => {
                Some(BestPosition::Variant(variant.position().clone().into()))
            }
            _ => None,
        }
    }

    fn identity(&self) -> Identity {
        match self {
            BestPosition::Chess(position) => Identity::Chess(PositionKey::of(position)),
            BestPosition::Variant(position) => Identity::of_variant(position),
        }
    }

    /// Returns moves in SAN and in order; those that are illegal as they are.
    fn canonical(&self, text: &str) -> Vec<String> {
        match self {
            BestPosition::Chess(position) => canonical(position, text),
            BestPosition::Variant(position) => canonical(&**position, text),
        }
    }
}

/// The first best moves of each position.
#[derive(Debug, Default)]
pub(super) struct FirstBest {
    files: Vec<String>,
    moves: PositionMap<(u32, u64, Box<str>), Identity>,
}

impl FirstBest {
    /// Begins a file.
    pub(super) fn begin(&mut self, name: &str) {
        self.files.push(name.to_owned());
    }

    /// Reports moves other than the first ones of the position.
    pub(super) fn compare(&mut self, best: &BestMoves) -> Option<LineDiagnostic> {
        let file = self.files.len().saturating_sub(1) as u32;
        let key = best.position.identity();
        let Some((other_file, line, other)) = self.moves.get(&key) else {
            self.moves.insert(key, (file, best.line, best.text.clone()));
            return None;
        };
        if *other == best.text {
            return None;
        }
        let [moves, other] = [&best.text, other].map(|text| best.position.canonical(text));
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

fn canonical<P: AnyPosition>(position: &P, text: &str) -> Vec<String> {
    let moves = epd::move_texts(text);
    let mut moves: Vec<String> = moves
        .map(|text| match position.resolve(text.as_bytes()) {
            Ok(next) => position.san_of(next).to_string(),
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
    firsts: PositionMap<u64, Identity>,
    /// The operations to be added to a line.
    added: HashMap<u64, Record>,
}

impl Merging {
    /// Returns the line of an equal position that is held, or takes note that the next line has it.
    pub(super) fn first(&mut self, position: Identity) -> Option<u64> {
        let next = self.lines;
        let line = *self.firsts.entry(position).or_insert(next);
        (line < next).then_some(line)
    }

    /// Holds a line, with its end.
    pub(super) fn hold(&mut self, line: &[u8]) {
        self.text.extend_from_slice(line);
        self.lines += 1;
    }

    /// Takes note of the operations of a record for a line; returns whether it has any that count.
    pub(super) fn add(&mut self, line: u64, record: &str, form: Form, rules: Rules) -> bool {
        let Some(Readable { record, .. }) = read(record, form, rules) else { return false };
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
        rules: Rules,
        output: &mut dyn Write,
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
                if let (Some(mut first), Some(added)) =
                    (read(line.trim_end(), form, rules), self.added.remove(&number))
                {
                    merge(&mut first.record, &added);
                    buffer.clear();
                    first.write(form, style, &mut buffer);
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
fn read(line: &str, form: Form, rules: Rules) -> Option<Readable> {
    let options = ReadOptions { dialect: Some(dialect(form)), rules, ..ReadOptions::default() };
    read_line(line, &options, &mut |_| {}).readable(&[])
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
