//! Converts a borrowed record to an owned one in normal form.

use std::str::FromStr;

use san::{AnyPosition, Field, VariantPosition};

use super::line::ReadError;
use super::operands::{MoveTexts, OperandRef};
use super::operations::{End, OperationRef, Operations};
use super::record_ref::{Line, RecordRef};
use crate::diagnostic::EpdDiagnostic;
use crate::diagnostic::kind::EpdDiagnosticKind;
use crate::opcode::{Opcode, OperandType};
use crate::operand::Operand;
use crate::record::{Operation, Record};
use crate::registers::state::{Register, Registers};
use crate::severity::Severity;
use crate::string::{self, is_control};

/// An operation of a line, and where and how it is written there; no text for one of a field.
struct Entry<'a> {
    operation: Operation,
    written: (usize, &'a str),
}

impl Entry<'_> {
    fn is_cleared_by(&self, register: Register) -> bool {
        let own = self.operation.opcode().and_then(Opcode::register);
        own.is_some_and(|own| register.clears(own))
    }

    /// Whether text is lost if `other` takes the place of this operation.
    fn is_lost_for(&self, other: &Operation) -> bool {
        let is_empty = self.written.1.is_empty() || *self.operation.operand() == Operand::Nothing;
        !is_empty && self.operation != *other
    }
}

/// The operations of a line that can be read, and the text of the others.
#[derive(Clone, Debug)]
pub struct Readable {
    /// The record in normal form.
    pub record: Record,
    /// The position if it is one of a variant; that of the record then has no meaning.
    pub variant: Option<VariantPosition>,
    /// Text that is not in the record, in the order of the line.
    pub unread: Vec<String>,
}

impl Readable {
    /// Moves the text that is not in the record into comment registers that neither it nor `held`
    /// sets, from the first on after those that are set. Returns `false` if they have no room for
    /// all of it.
    ///
    /// ```
    /// let line = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; 00:00";
    /// let read = epd::read_line(line, &epd::ReadOptions::default(), &mut |_| {});
    /// let mut readable = read.readable(&[]).unwrap();
    /// assert!(readable.keep_unread(&epd::Registers::default()));
    /// assert_eq!(readable.record.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; c0 \"00:00\";");
    /// ```
    pub fn keep_unread(&mut self, held: &Registers) -> bool {
        let text = std::mem::take(&mut self.unread).join("; ");
        let text = string::printable(&text);
        let has = |rank| {
            let register = Register::comment(rank).map(Opcode::of_register);
            held.comment(rank).is_some()
                || register.is_some_and(|opcode| self.record.get(opcode).is_some())
        };
        // A register clears those after it.
        let first = (0..10).rev().find(|rank| has(*rank)).map_or(0, |rank| rank + 1);
        let mut free = (first..10).chain((0..first).filter(|rank| !has(*rank)));
        let mut placed = Vec::new();
        for piece in string::pieces(&text) {
            let Some(register) = free.next().and_then(Register::comment) else { return false };
            placed.push((Opcode::of_register(register), Operand::Text(piece.to_owned())));
        }
        for (opcode, operand) in placed {
            self.record.put(opcode, operand);
        }
        true
    }
}

impl Line<'_> {
    /// Returns the record in normal form, and the text that has no place in it, if the line has a
    /// position. `faults` are those of the line.
    pub fn readable(&self, faults: &[EpdDiagnostic]) -> Option<Readable> {
        match self {
            Line::Record(record) => Some(record.readable(&record.position, faults)),
            Line::Variant(variant) => {
                let readable = variant.record.readable(&variant.position, faults);
                Some(Readable { variant: Some(variant.position.clone()), ..readable })
            }
            _ => None,
        }
    }
}

impl RecordRef<'_> {
    /// Returns the record in normal form: unique opcodes, moves in canonical SAN, quoted strings,
    /// clocks and labels as operations.
    ///
    /// A scanner has the same registers after the record as after the line, although operations are
    /// sorted: an operation whose register is cleared by a later one is dropped. Operands that do
    /// not fit the opcode are kept as written; text that is not an operation is dropped.
    pub fn to_record(&self) -> Record {
        self.readable(&self.position, &[]).record
    }

    /// Unread are operations with an error, cleared by a later one, or the first of two of a name.
    fn readable<P: AnyPosition>(&self, position: &P, faults: &[EpdDiagnostic]) -> Readable {
        let mut unread: Vec<(usize, &str)> = Vec::new();
        let mut entries: Vec<Entry<'_>> = Vec::new();
        self.add_fields(position, faults, &mut entries, &mut unread);
        // At most as many as there are registers.
        let mut registers = Vec::new();
        let mut errors: Vec<usize> = faults
            .iter()
            .filter(|fault| fault.kind.severity() == Severity::Error && !fault.kind.is_repaired())
            .map(|fault| fault.at.start)
            .collect();
        errors.sort_unstable();
        for operation in Operations::new(self.rest, self.escapes).filter(OperationRef::is_real) {
            let (start, end) = (operation.name.at, self.end(&operation));
            let text = &self.rest.text[start - self.rest.at..end - self.rest.at];
            let written = (start, text.trim_end());
            let first_error = errors.partition_point(|at| *at < start);
            let is_error = errors
                .get(first_error)
                .is_some_and(|at| *at < end || *at == end && operation.operands.is_empty());
            if is_error || self.is_free_text(&operation) {
                unread.push(written);
                continue;
            }
            let operand = self.operand(&operation, position);
            let made = match operation.opcode {
                Some(opcode) => Some(Operation::of(opcode, operand)),
                None => Operation::other(operation.name(), operand),
            };
            let Some(made) = made.filter(Operation::can_be_read) else {
                unread.push(written);
                continue;
            };
            let entry = Entry { operation: made, written };
            let Some(register) = operation.opcode.and_then(Opcode::register) else {
                entries.push(entry);
                continue;
            };
            registers.retain(|held: &Entry<'_>| {
                let is_kept = !held.is_cleared_by(register);
                if !is_kept && held.is_lost_for(&entry.operation) {
                    unread.push(held.written);
                }
                is_kept
            });
            registers.push(entry);
        }
        entries.extend(registers);
        // Stable, so that the last of equal opcodes counts.
        entries.sort_by(|one, other| one.operation.name().cmp(other.operation.name()));
        for pair in entries.windows(2) {
            let [one, next] = pair else { continue };
            if one.operation.name() == next.operation.name() && one.is_lost_for(&next.operation) {
                unread.push(one.written);
            }
        }
        unread.sort_unstable_by_key(|(at, _)| *at);
        // A label is the text of two operations.
        unread.dedup();
        let operations = entries.into_iter().map(|entry| entry.operation).collect();
        let record = Record::of_operations(self.position.clone(), operations);
        let unread = unread.into_iter().map(|(_, text)| text.to_owned()).collect();
        Readable { record, variant: None, unread }
    }

    /// Adds the operations of fields after the fourth, and clocks and labels that are unreadable.
    fn add_fields<'f, P: AnyPosition>(
        &'f self,
        position: &P,
        faults: &'f [EpdDiagnostic],
        entries: &mut Vec<Entry<'f>>,
        unread: &mut Vec<(usize, &'f str)>,
    ) {
        let mut add = |opcode, operand, written| {
            entries.push(Entry { operation: Operation::of(opcode, operand), written });
        };
        let mut bad_clocks = Vec::new();
        for fault in faults {
            match &fault.kind {
                EpdDiagnosticKind::BadClock { field, text } => {
                    bad_clocks.push(*field);
                    unread.push((fault.at.start, text));
                }
                EpdDiagnosticKind::BadLabel(text) => unread.push((fault.at.start, text)),
                _ => {}
            }
        }
        if self.has_clocks {
            let position = &self.position;
            for (field, opcode, value) in [
                (Field::HalfmoveClock, Opcode::Hmvc, position.halfmoves()),
                (Field::FullmoveNumber, Opcode::Fmvn, position.fullmoves()),
            ] {
                if !bad_clocks.contains(&field) {
                    add(opcode, Operand::Integer(value.into()), (0, ""));
                }
            }
        }
        if let Some((text, label)) = &self.label {
            let written = (text.at, text.text);
            if let Some(evaluation) = label.evaluation(self.position.turn()) {
                let possible = evaluation.with_possible_mate();
                add(Opcode::Ce, Operand::Evaluation(possible), written);
            }
            if let Some(result) = &label.result {
                add(Opcode::C9, Operand::Text(result.to_string()), written);
            }
            match label.played.map(|played| (position.resolve(played.as_bytes()), played)) {
                Some((Ok(next), _)) => {
                    add(Opcode::Sm, Operand::Move(position.san_of(next).to_string()), written);
                }
                Some((Err(_), played)) => unread.push((text.at, played)),
                None => {}
            }
        }
    }

    /// Returns the offset after the last operand, or after the opcode if there is none.
    fn end(&self, operation: &OperationRef<'_>) -> usize {
        operation.name.end().max(operation.operands.end())
    }

    pub(crate) fn operand<P: AnyPosition>(
        &self,
        operation: &OperationRef<'_>,
        position: &P,
    ) -> Operand {
        // Control characters cannot be written, and count as white space when read.
        let raw = || {
            let mut text = operation.operands().replace(is_control, " ");
            if operation.end == End::OpenString {
                text.truncate(text.trim_end_matches([';', ' ']).len());
                text.push('"');
            }
            Operand::Raw(text)
        };
        match (self.operands(operation), operation.opcode.map(Opcode::operands)) {
            (OperandRef::Nothing, _) => Operand::Nothing,
            (OperandRef::Integer(value), _) => Operand::Integer(value),
            (OperandRef::Evaluation(value), _) => Operand::Evaluation(value),
            (OperandRef::Text(text), _) => Operand::Text(text.into_owned()),
            (OperandRef::Texts(first, second), _) => {
                Operand::Texts(first.into_owned(), second.into_owned())
            }
            (OperandRef::Moves(texts), Some(OperandType::Move)) => {
                match self.moves(position, texts, false).and_then(|moves| moves.into_iter().next())
                {
                    Some(san) => Operand::Move(san),
                    None => raw(),
                }
            }
            (OperandRef::Moves(texts), kind) => self
                .moves(position, texts, kind == Some(OperandType::Line))
                .map_or_else(raw, Operand::Moves),
            (OperandRef::Raw(_), _) => raw(),
        }
    }

    /// Returns the moves in canonical SAN, or as they are without checking; `None` if illegal.
    fn moves<P: AnyPosition>(
        &self,
        position: &P,
        texts: MoveTexts<'_>,
        is_line: bool,
    ) -> Option<Vec<String>> {
        if !self.plays {
            return Some(texts.map(str::to_owned).collect());
        }
        let mut position = position.clone();
        let mut sans = Vec::new();
        for text in texts {
            let next = position.resolve(text.as_bytes()).ok()?;
            sans.push(position.san_of(next).to_string());
            if is_line {
                position.play_unchecked(next);
            }
        }
        Some(sans)
    }
}

impl FromStr for Record {
    type Err = ReadError;

    /// Parses a record of the standard, like [`RecordRef::read`].
    fn from_str(line: &str) -> Result<Self, ReadError> {
        RecordRef::read(line).map(|record| record.to_record())
    }
}
