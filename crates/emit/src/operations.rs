//! The operations of one record, in the making (EPD 4).

use std::ops::Range;

use san::Buffer;

use crate::mnemonic::Mnemonic;

/// Operations of a record. They are added in any order and written in that of their opcodes; its memory is used again.
#[derive(Debug, Default)]
pub(crate) struct Operations {
    list: Vec<(Mnemonic, Range<usize>)>,
    /// The operands, each with the blank before it.
    operands: Vec<u8>,
    line: Vec<u8>,
}

impl Operations {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.operands.clear();
    }

    /// An operation without operands.
    pub(crate) fn bare(&mut self, name: Mnemonic) {
        self.add(name, |_| {});
    }

    /// An operation with a number.
    pub(crate) fn number(&mut self, name: Mnemonic, number: impl itoa::Integer) {
        self.word(name, itoa::Buffer::new().format(number).as_bytes());
    }

    /// An operation with one operand that needs no quotes.
    pub(crate) fn word(&mut self, name: Mnemonic, word: &[u8]) {
        self.add(name, |operands| operand(operands, word));
    }

    /// An operation with several of them.
    pub(crate) fn words<W: AsRef<[u8]>>(
        &mut self,
        name: Mnemonic,
        words: impl IntoIterator<Item = W>,
    ) {
        self.add(name, |operands| {
            words.into_iter().for_each(|word| operand(operands, word.as_ref()))
        });
    }

    /// An operation with a string, which must be a [legal](crate::is_legal_string) one.
    pub(crate) fn string(&mut self, name: Mnemonic, text: &str) {
        debug_assert!(crate::is_legal_string(text), "{text:?}");
        self.add(name, |operands| {
            operands.extend_from_slice(b" \"");
            operands.extend_from_slice(text.as_bytes());
            operands.push(b'"');
        });
    }

    /// A register is set, or set to null.
    pub(crate) fn register(&mut self, name: Mnemonic, value: Option<&str>) {
        match value {
            Some(text) => self.string(name, text),
            None => self.bare(name),
        }
    }

    fn add(&mut self, name: Mnemonic, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.operands.len();
        write(&mut self.operands);
        self.list.push((name, start..self.operands.len()));
    }

    /// Appends all operations to the record, each with a blank before it. Of two with one opcode the one added last counts.
    pub(crate) fn write(&mut self, buffer: &mut Buffer) {
        // Stable, so that the last one added comes last.
        self.list.sort_by_key(|(name, _)| *name);
        self.line.clear();
        for (i, (name, operands)) in self.list.iter().enumerate() {
            if self.list.get(i + 1).is_some_and(|(next, _)| next == name) {
                continue;
            }
            self.line.push(b' ');
            name.write(&mut self.line);
            self.line.extend_from_slice(&self.operands[operands.clone()]);
            self.line.push(b';');
        }
        buffer.extend(&self.line);
    }
}

fn operand(operands: &mut Vec<u8>, word: &[u8]) {
    operands.push(b' ');
    operands.extend_from_slice(word);
}
