//! Records in normal form, with comments of the text that is none of their operations.

use epd::{
    EpdDiagnostic, Line, Opcode, Operand, Operation, Readable, Record, Register, RegisterStyle,
    Registers,
};

use super::RecordReplay;

impl RecordReplay<'_> {
    /// Returns the record in normal form; text that is none of its operations is a comment.
    pub(super) fn normal(&mut self, line: &Line<'_>, faults: &[EpdDiagnostic]) -> Option<Record> {
        let mut readable = line.readable(faults)?;
        if self.plan.reports_faults {
            return Some(readable.record);
        }
        let registers = self.registers.take();
        self.keep_unread(&mut readable, registers.as_ref());
        self.registers = registers;
        Some(readable.record)
    }

    /// Makes text that is not an operation a comment; ends that of the record before.
    pub(super) fn keep_unread(&mut self, readable: &mut Readable, held: Option<&Registers>) {
        let is_delta = self.plan.registers == RegisterStyle::Delta;
        let before = self.added.take().filter(|_| is_delta);
        // A text that is not wanted is not lost.
        if !readable.unread.is_empty() && self.plan.kept.has("c0") {
            let record = readable.record.clone();
            self.shown.counts.unread_texts += readable.unread.len() as u64;
            let is_kept = match (held, self.plan.registers) {
                (Some(held), RegisterStyle::Delta | RegisterStyle::Full) => {
                    readable.keep_unread(held)
                }
                _ => readable.keep_unread(&Registers::default()),
            };
            self.shown.counts.lost_texts += u64::from(!is_kept);
            let mut comments = (0..10).filter_map(Register::comment);
            self.added = comments.find(|register| {
                let opcode = Opcode::of_register(*register);
                readable.record.get(opcode) != record.get(opcode)
            });
            self.read.depends |= is_delta;
        }
        if let Some(before) = before {
            self.read.depends = true;
            restore_comments(&mut readable.record, before, held);
        }
        for register in self.to_clear.drain(..) {
            let set = |operation: &Operation| operation.opcode().and_then(Opcode::register);
            let record = &mut readable.record;
            if !record.operations().iter().filter_map(set).any(|set| set.clears(register)) {
                // A register may be without an operand.
                let _ = record.set(Opcode::of_register(register), Operand::Nothing);
            }
        }
    }
}

/// Sets the comments that a record has from those before it, after one with an added comment.
#[cold]
fn restore_comments(record: &mut Record, added: Register, held: Option<&Registers>) {
    let mut is_cleared = false;
    for register in (0..10).filter_map(Register::comment) {
        let opcode = Opcode::of_register(register);
        let value = held.and_then(|held| held.get(register));
        let operand = match value {
            _ if register < added || record.get(opcode).is_some() => None,
            Some(text) => Some(Operand::Text(text.to_owned())),
            None if register == added && !is_cleared => Some(Operand::Nothing),
            None => None,
        };
        if let Some(operand) = operand {
            // A text that was read can be written.
            let _ = record.set(opcode, operand);
        }
        is_cleared |= record.get(opcode).is_some();
    }
}
