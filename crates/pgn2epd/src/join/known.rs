//! What the records of a position know of it.

use std::collections::BTreeMap;

use epd::{
    Dialect, Line, Opcode, OperationRef, OperationWriter, ReadOptions, fields_len, read_line,
};

/// The operations of equal records of a source, each that of the first record that has it. Counters
/// belong to a game, and a register without a value says nothing.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The fields of the first record.
    fields: String,
    /// Operands by opcode, with the depth of their record.
    operations: BTreeMap<String, (u32, String)>,
}

/// Returns where the operations of a record as the converter writes it begin, and these.
fn operations_of(record: &str) -> (usize, Vec<OperationRef<'_>>) {
    let options =
        ReadOptions { dialect: Some(Dialect::Standard), moves: false, ..ReadOptions::default() };
    match read_line(record, &options, &mut |_| {}) {
        Line::Record(read) => (fields_len(record), read.operations().collect()),
        _ => (record.len(), Vec::new()),
    }
}

/// Whether an operation sets a register to null.
fn is_null(operation: &OperationRef<'_>) -> bool {
    let is_register = operation.opcode().and_then(Opcode::register).is_some();
    is_register && operation.operands().is_empty()
}

fn is_counter(operation: &OperationRef<'_>) -> bool {
    matches!(operation.opcode(), Some(Opcode::Fmvn | Opcode::Hmvc))
}

impl Known {
    /// Adds a record with its depth.
    pub(super) fn add(&mut self, record: &str, depth: u32) {
        let (at, operations) = operations_of(record);
        if self.fields.is_empty() {
            record[..at].trim_end().clone_into(&mut self.fields);
        }
        for operation in operations {
            if !is_counter(&operation)
                && !is_null(&operation)
                && !self.operations.contains_key(operation.name())
            {
                let operands = operation.operands().to_owned();
                self.operations.insert(operation.name().to_owned(), (depth, operands));
            }
        }
    }

    pub(super) fn has_records(&self) -> bool {
        !self.fields.is_empty()
    }

    /// Appends an equal record with these operations. One that it has, too, is replaced if
    /// `replaces` is true for the depth.
    pub(super) fn write_with(
        &self,
        record: &str,
        replaces: impl Fn(u32) -> bool,
        out: &mut Vec<u8>,
    ) {
        let (at, own) = operations_of(record);
        let mut all: BTreeMap<&str, &str> = BTreeMap::new();
        for (name, (_, operands)) in &self.operations {
            all.insert(name, operands);
        }
        for operation in &own {
            let is_replaced = match self.operations.get(operation.name()) {
                Some((depth, _)) => is_null(operation) || replaces(*depth),
                None => false,
            };
            if !is_replaced {
                all.insert(operation.name(), operation.operands());
            }
        }
        out.extend_from_slice(record[..at].trim_end().as_bytes());
        all.into_iter().for_each(|(name, operands)| write(name, operands, out));
    }

    /// Whether these operations are among others.
    pub(super) fn has_all_of(&self, other: &Known) -> bool {
        other.operations.iter().all(|(name, own)| self.has(name, &own.1))
    }

    fn has(&self, name: &str, operands: &str) -> bool {
        self.operations.get(name).is_some_and(|(_, own)| own == operands)
    }

    /// Appends a line with the position and the operations that differ from those of another
    /// source, if it has records.
    pub(super) fn write_other_than(&self, other: &Known, mark: &[u8], out: &mut Vec<u8>) {
        if !self.has_records() {
            return;
        }
        out.extend_from_slice(mark);
        out.push(b' ');
        out.extend_from_slice(self.fields.as_bytes());
        let differing = self.operations.iter().filter(|(name, own)| !other.has(name, &own.1));
        differing.for_each(|(name, (_, operands))| write(name, operands, out));
        out.push(b'\n');
    }
}

fn write(name: &str, operands: &str, out: &mut Vec<u8>) {
    let writer = OperationWriter::new(name, out);
    if operands.is_empty() { writer.end() } else { writer.word(operands).end() }
}
