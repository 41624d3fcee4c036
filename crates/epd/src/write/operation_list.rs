//! Collects the operations of one record as text (EPD 4).

use std::ops::Range;

use san::Buffer;

use super::operation::OperationWriter;
use super::operations::Operations;
use super::packed_opcode::PackedOpcode;
use crate::record::Operation;
use crate::registers::places::RegisterPlaces;
use crate::string::is_legal_string;

/// The operations of a record as text, in the order of opcodes. Its memory is reusable.
#[derive(Debug, Default)]
pub struct OperationList {
    list: Vec<(PackedOpcode, Range<usize>)>,
    /// The operations, each preceded by a space.
    text: Vec<u8>,
    /// Number of entries of `list` already written.
    written: usize,
}

impl Operations for OperationList {
    fn clear(&mut self) {
        self.list.clear();
        self.text.clear();
        self.written = 0;
    }

    fn bare(&mut self, name: PackedOpcode) {
        self.add(name, |operation| operation);
    }

    fn number(&mut self, name: PackedOpcode, number: i64) {
        self.add(name, |operation| operation.word(itoa::Buffer::new().format(number)));
    }

    fn word(&mut self, name: PackedOpcode, word: &str) {
        self.add(name, |operation| operation.word(word));
    }

    fn moves<M: AsRef<[u8]>>(&mut self, name: PackedOpcode, moves: impl IntoIterator<Item = M>) {
        self.add(name, |operation| moves.into_iter().fold(operation, OperationWriter::word));
    }

    fn string(&mut self, name: PackedOpcode, text: &str) {
        debug_assert!(is_legal_string(text), "{text:?}");
        self.add(name, |operation| operation.string(text));
    }

    fn strings(&mut self, name: PackedOpcode, first: &str, second: &str) {
        self.add(name, |operation| operation.string(first).string(second));
    }

    fn operation(&mut self, operation: &Operation) {
        let name = PackedOpcode::new(operation.name());
        self.add(name, |writer| writer.operand(operation.operand()));
    }

    fn has(&self, name: PackedOpcode) -> bool {
        self.list.iter().any(|(other, _)| *other == name)
    }

    fn first_move(&self, name: PackedOpcode) -> Option<&[u8]> {
        let (_, place) = self.list.iter().rfind(|(other, _)| *other == name)?;
        let mut words = self.text[place.clone()].split(|b| matches!(b, b' ' | b';'));
        // The operation begins with a space and the opcode.
        words.nth(2).filter(|word| !word.is_empty())
    }

    fn remove(&mut self, name: PackedOpcode) {
        self.list.retain(|(other, _)| *other != name);
    }
}

impl OperationList {
    fn add(
        &mut self,
        name: PackedOpcode,
        operands: impl FnOnce(OperationWriter<'_, Vec<u8>>) -> OperationWriter<'_, Vec<u8>>,
    ) {
        let start = self.text.len();
        operands(OperationWriter::new(name.text(), &mut self.text)).end();
        self.list.push((name, start..self.text.len()));
    }

    /// Sorts the operations by opcode; call it after the last one was added.
    pub fn sort(&mut self) {
        // Stable, so that the last one added comes last.
        self.list.sort_by_key(|(name, _)| *name);
    }

    /// Appends the operations that precede `end` and are not yet written, each preceded by a space.
    /// `places`, if needed, are those of a record that begins at this offset of the buffer.
    pub fn write_before(
        &mut self,
        end: PackedOpcode,
        buffer: &mut Buffer,
        mut places: Option<(usize, &mut RegisterPlaces)>,
    ) {
        while let Some((name, place)) = self.list.get(self.written) {
            if *name >= end {
                return;
            }
            self.written += 1;
            if self.list.get(self.written).is_none_or(|(next, _)| next != name) {
                if let Some((start, places)) = &mut places {
                    places.add(*name, buffer.len() - *start);
                }
                buffer.extend(&self.text[place.clone()]);
            }
        }
    }
}
