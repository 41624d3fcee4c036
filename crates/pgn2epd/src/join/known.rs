//! What the records of a position know of it.

use std::collections::BTreeMap;

use epd::{Opcode, OperationRef, OperationWriter, divided};

/// Operations of equal records: each from the deepest that has it, of equally deep the first.
/// Counters belong to a game, and a register without a value says nothing.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The number and the fields of the first record.
    first: Option<(u64, String)>,
    /// Operands by opcode, with the depth of their record.
    operations: BTreeMap<String, (String, u32)>,
}

/// Whether an operation sets a register to null.
fn is_null(operation: &OperationRef<'_>) -> bool {
    let is_register = operation.opcode().and_then(Opcode::register).is_some();
    is_register && operation.operands().is_empty()
}

impl Known {
    pub(super) fn add(&mut self, record: &str, number: u64, depth: u32) {
        let (fields, operations) = divided(record);
        self.first.get_or_insert_with(|| (number, fields.to_owned()));
        for operation in operations {
            let is_counter = matches!(operation.opcode(), Some(Opcode::Fmvn | Opcode::Hmvc));
            let name = operation.name();
            let is_known = self.operations.get(name).is_some_and(|(_, known)| *known >= depth);
            if !is_counter && !is_null(&operation) && !is_known {
                self.operations.insert(name.to_owned(), (operation.operands().to_owned(), depth));
            }
        }
    }

    pub(super) fn first(&self) -> Option<u64> {
        self.first.as_ref().map(|(number, _)| *number)
    }

    /// Appends an equal record of the first source, of this depth, with these operations.
    pub(super) fn write_with(&self, record: &str, depth: u32, out: &mut Vec<u8>) {
        let (fields, own) = divided(record);
        let known = self.operations.iter();
        let mut all: BTreeMap<&str, &str> =
            known.map(|(name, (operands, _))| (&**name, &**operands)).collect();
        for operation in own {
            let is_better = |(_, other): &(String, u32)| *other > depth || is_null(&operation);
            if !self.operations.get(operation.name()).is_some_and(is_better) {
                all.insert(operation.name(), operation.operands());
            }
        }
        out.extend_from_slice(fields.as_bytes());
        all.into_iter().for_each(|(name, operands)| write(name, operands, out));
    }

    pub(super) fn has_same(&self, other: &Known) -> bool {
        let len = self.operations.len();
        len == other.operations.len() && self.other_than(other).next().is_none()
    }

    fn other_than(&self, other: &Known) -> impl Iterator<Item = (&str, &str)> {
        let known = self.operations.iter().map(|(name, (operands, _))| (&**name, &**operands));
        known.filter(|(name, operands)| {
            other.operations.get(*name).is_none_or(|(others, _)| others != operands)
        })
    }

    /// Appends a line with the position and the operations that differ, if there are records.
    pub(super) fn write_other_than(&self, other: &Known, mark: &[u8], out: &mut Vec<u8>) {
        let Some((_, fields)) = &self.first else { return };
        out.extend_from_slice(mark);
        out.push(b' ');
        out.extend_from_slice(fields.as_bytes());
        self.other_than(other).for_each(|(name, operands)| write(name, operands, out));
        out.push(b'\n');
    }
}

fn write(name: &str, operands: &str, out: &mut Vec<u8>) {
    let writer = OperationWriter::new(name, out);
    if operands.is_empty() { writer.end() } else { writer.word(operands).end() }
}
