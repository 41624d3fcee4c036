//! Collects the operations of one record (EPD 4).

use std::ops::Range;

use san::Buffer;

use super::operation::OperationWriter;
use super::packed_opcode::PackedOpcode;
use crate::string::is_legal_string;

/// The operations of a record, added in any order and written in the order of their opcodes. Its
/// memory is reusable.
///
/// Of several operations with the same opcode, the one added last is used.
#[derive(Debug, Default)]
pub struct OperationList {
    /// The range of each operation in `text`.
    list: Vec<(PackedOpcode, Range<usize>)>,
    /// The operations, each preceded by a space.
    text: Vec<u8>,
    /// Number of entries of `list` already written.
    written: usize,
}

impl OperationList {
    /// Removes all operations, for the next record.
    pub fn clear(&mut self) {
        self.list.clear();
        self.text.clear();
        self.written = 0;
    }

    /// Adds an operation without operands.
    pub fn bare(&mut self, name: PackedOpcode) {
        self.add(name, |operation| operation);
    }

    /// Adds an operation with a number.
    pub fn number(&mut self, name: PackedOpcode, number: impl itoa::Integer) {
        self.word(name, itoa::Buffer::new().format(number).as_bytes());
    }

    /// Adds an operation with one operand that needs no quotes.
    pub fn word(&mut self, name: PackedOpcode, word: &[u8]) {
        self.add(name, |operation| operation.word(word));
    }

    /// Adds an operation with several operands that need no quotes.
    pub fn words<W: AsRef<[u8]>>(
        &mut self,
        name: PackedOpcode,
        words: impl IntoIterator<Item = W>,
    ) {
        self.add(name, |operation| words.into_iter().fold(operation, OperationWriter::word));
    }

    /// Adds an operation with a string, which must be [valid](is_legal_string).
    pub fn string(&mut self, name: PackedOpcode, text: &str) {
        debug_assert!(is_legal_string(text), "{text:?}");
        self.add(name, |operation| operation.string(text));
    }

    /// Adds an operation that sets a register, or sets it to null.
    pub fn register(&mut self, name: PackedOpcode, value: Option<&str>) {
        match value {
            Some(text) => self.string(name, text),
            None => self.bare(name),
        }
    }

    fn add(
        &mut self,
        name: PackedOpcode,
        operands: impl FnOnce(OperationWriter<'_, Vec<u8>>) -> OperationWriter<'_, Vec<u8>>,
    ) {
        let start = self.text.len();
        operands(OperationWriter::new(name.text(), &mut self.text)).end();
        self.list.push((name, start..self.text.len()));
    }

    /// Whether there is an operation with this name.
    pub fn has(&self, name: PackedOpcode) -> bool {
        self.list.iter().any(|(other, _)| *other == name)
    }

    /// Returns the first operand of the last operation with this name.
    pub fn first_operand(&self, name: PackedOpcode) -> Option<&[u8]> {
        let (_, place) = self.list.iter().rfind(|(other, _)| *other == name)?;
        let mut words = self.text[place.clone()].split(|b| matches!(b, b' ' | b';'));
        // The operation begins with a space and the opcode.
        words.nth(2).filter(|word| !word.is_empty())
    }

    /// Removes all operations with this name.
    pub fn remove(&mut self, name: PackedOpcode) {
        self.list.retain(|(other, _)| *other != name);
    }

    /// Sorts the operations by opcode; call it after the last one was added.
    pub fn sort(&mut self) {
        // Stable, so that the last one added comes last.
        self.list.sort_by_key(|(name, _)| *name);
    }

    /// Appends the operations that precede `end` and are not yet written, each preceded by a space.
    pub fn write_before(&mut self, end: PackedOpcode, buffer: &mut Buffer) {
        while let Some((name, place)) = self.list.get(self.written) {
            if *name >= end {
                return;
            }
            self.written += 1;
            if self.list.get(self.written).is_none_or(|(next, _)| next != name) {
                buffer.extend(&self.text[place.clone()]);
            }
        }
    }
}
