//! The operations of one record, in the making (EPD 4).

use std::ops::Range;

use san::Buffer;

use crate::mnemonic::Mnemonic;

/// Operations of a record. They are added in any order and written in that of their opcodes; its memory is used again.
///
/// Of two with one opcode the one added last counts.
#[derive(Debug, Default)]
pub(crate) struct Operations {
    /// Where each stands in `text`.
    list: Vec<(Mnemonic, Range<usize>)>,
    /// Each with the blank before it.
    text: Vec<u8>,
    /// So many of the list are written.
    written: usize,
}

impl Operations {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.text.clear();
        self.written = 0;
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
        self.add(name, |text| operand(text, word));
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
        let start = self.text.len();
        self.text.push(b' ');
        name.write(&mut self.text);
        write(&mut self.text);
        self.text.push(b';');
        self.list.push((name, start..self.text.len()));
    }

    /// Whether there is an operation of that name.
    pub(crate) fn has(&self, name: Mnemonic) -> bool {
        self.list.iter().any(|(other, _)| *other == name)
    }

    /// All are added: they are put into the order of their opcodes.
    pub(crate) fn sort(&mut self) {
        // Stable, so that the last one added comes last.
        self.list.sort_by_key(|(name, _)| *name);
    }

    /// Appends to the record those operations that come before `end` and are not yet written, each with a blank before it.
    pub(crate) fn write_before(&mut self, end: Mnemonic, buffer: &mut Buffer) {
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

fn operand(operands: &mut Vec<u8>, word: &[u8]) {
    operands.push(b' ');
    operands.extend_from_slice(word);
}
