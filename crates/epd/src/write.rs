//! Writes records and their operations, in the order of opcodes. Fields and clocks are written by
//! the same functions as those of games.

use std::fmt;
use std::ops::Range;

use arrayvec::ArrayVec;
use san::{Buffer, FieldStyle, Line, write_fields};

use crate::opcode::Opcode;
use crate::read::Readable;
use crate::record::{Operand, Operation, Record};
use crate::string::is_legal_string;

// The syntax of an operation: ` opcode operand…;` (EPD 4.1). The only other code that writes its
// spaces and semicolon is [`Counter`] and, for the records of games, that of `sm`; both are on the
// hot path.

/// A buffer to which operations are appended.
pub trait Append {
    /// Appends bytes.
    fn append(&mut self, bytes: &[u8]);
}

impl Append for Vec<u8> {
    #[inline]
    fn append(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

impl Append for Buffer {
    #[inline]
    fn append(&mut self, bytes: &[u8]) {
        self.extend(bytes);
    }
}

/// Writes one operation, preceded by a space.
///
/// ```
/// use epd::OperationWriter;
///
/// let mut text = Vec::new();
/// OperationWriter::new("bm", &mut text).word("Nf3").word("d4").end();
/// OperationWriter::new("id", &mut text).string("BK.01").end();
/// assert_eq!(text, b" bm Nf3 d4; id \"BK.01\";");
/// ```
#[derive(Debug)]
#[must_use = "the semicolon is missing until `end`"]
pub struct OperationWriter<'o, O> {
    out: &'o mut O,
}

impl<'o, O: Append> OperationWriter<'o, O> {
    /// Writes the opcode.
    #[inline]
    pub fn new(opcode: impl AsRef<[u8]>, out: &'o mut O) -> Self {
        OperationWriter { out }.word(opcode)
    }

    /// Appends an operand that needs no quotes, or several that are already formatted.
    #[inline]
    pub fn word(self, word: impl AsRef<[u8]>) -> Self {
        self.out.append(b" ");
        self.out.append(word.as_ref());
        self
    }

    /// Appends a string, which must be [valid](crate::is_legal_string).
    #[inline]
    pub fn string(self, text: &str) -> Self {
        self.out.append(b" \"");
        self.out.append(text.as_bytes());
        self.out.append(b"\"");
        self
    }

    pub(crate) fn operand(self, operand: &Operand) -> Self {
        match operand {
            Operand::Nothing => self,
            Operand::Moves(texts) => texts.iter().fold(self, OperationWriter::word),
            Operand::Move(text) | Operand::Raw(text) => self.word(text),
            Operand::Text(text) => self.string(text),
            operand => self.word(operand.to_string()),
        }
    }

    /// Ends the operation.
    #[inline]
    pub fn end(self) {
        self.out.append(b";");
    }
}

// Precomputed `fmvn` and `hmvc` operations (EPD 5.13, 5.14). Move numbers and clocks of nearly all
// games are small. A table holds their operations, consisting of space, opcode, number and
// semicolon, so that each is a single store of sixteen bytes. Worth 2 % on 8moves_v3 (bench
// `throughput`, `fields`).

/// The largest number in the tables, plus one.
const COUNT: usize = 256;

/// The operations of one opcode for all small numbers.
#[derive(Debug)]
pub struct Counter {
    prefix: [u8; 6],
    texts: [[u8; 16]; COUNT],
    lens: [u8; COUNT],
}

/// `fmvn`, the fullmove number.
pub static FMVN: Counter = counter(*b" fmvn ");

/// `hmvc`, the halfmove clock.
pub static HMVC: Counter = counter(*b" hmvc ");

const fn counter(prefix: [u8; 6]) -> Counter {
    let mut counter = Counter { prefix, texts: [[b' '; 16]; COUNT], lens: [0; COUNT] };
    let mut number = 0;
    while number < COUNT {
        let text = &mut counter.texts[number];
        let mut len = 0;
        while len < prefix.len() {
            text[len] = prefix[len];
            len += 1;
        }
        let mut unit = if number >= 100 {
            100
        } else if number >= 10 {
            10
        } else {
            1
        };
        while unit > 0 {
            text[len] = b'0' + (number / unit % 10) as u8;
            len += 1;
            unit /= 10;
        }
        text[len] = b';';
        counter.lens[number] = len as u8 + 1;
        number += 1;
    }
    counter
}

impl Counter {
    /// Writes the operation, preceded by a space.
    #[inline(always)]
    pub fn write(&self, number: u32, line: &mut Line<'_>) {
        match self.texts.get(number as usize) {
            Some(text) => line.text_of_len(text, usize::from(self.lens[number as usize])),
            None => {
                line.text(&self.prefix);
                line.number(number);
                line.push(b';');
            }
        }
    }
}

// Names of opcodes packed into one integer, for fast sorting.

/// The name of an opcode (EPD 4.2), up to sixteen bytes as an integer in the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackedOpcode(u128);

impl PackedOpcode {
    /// Sorts after all others.
    pub const LAST: PackedOpcode = PackedOpcode(u128::MAX);

    /// Packs a name; bytes after the sixteenth are ignored.
    pub const fn new(name: &str) -> Self {
        let (bytes, mut word, mut i) = (name.as_bytes(), 0, 0);
        while i < 16 {
            let byte = if i < bytes.len() { bytes[i] } else { 0 };
            word = word << 8 | byte as u128;
            i += 1;
        }
        PackedOpcode(word)
    }

    /// Returns the member of a family with this rank, such as `c7`.
    pub const fn ranked(family: u8, rank: usize) -> Self {
        PackedOpcode((family as u128) << 120 | (b'0' as u128 + rank as u128) << 112)
    }

    /// Returns the name.
    pub fn text(self) -> ArrayVec<u8, 16> {
        let mut text = ArrayVec::from(self.0.to_be_bytes());
        text.truncate(16 - self.0.trailing_zeros() as usize / 8);
        text
    }
}

/// Operations of a record as text, added in any order and written in that of opcodes (EPD 4).
///
/// Of several operations with the same opcode, the one added last is used. The memory is reusable.
///
/// ```
/// use epd::{OperationList, PackedOpcode};
///
/// let mut operations = OperationList::default();
/// operations.number(PackedOpcode::new("ce"), -35);
/// operations.moves(PackedOpcode::new("bm"), ["d4", "e4"]);
/// let mut buffer = san::Buffer::default();
/// operations.sort();
/// operations.write_before(PackedOpcode::LAST, &mut buffer);
/// assert_eq!(buffer.as_bytes(), b" bm d4 e4; ce -35;");
/// ```
#[derive(Debug, Default)]
pub struct OperationList {
    list: Vec<(PackedOpcode, Range<usize>)>,
    /// The operations, each preceded by a space.
    text: Vec<u8>,
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
    pub fn number(&mut self, name: PackedOpcode, number: i64) {
        self.add(name, |operation| operation.word(itoa::Buffer::new().format(number)));
    }

    /// Adds an operation with operands that need no quotes.
    pub fn word(&mut self, name: PackedOpcode, word: &str) {
        self.add(name, |operation| operation.word(word));
    }

    /// Adds an operation with moves.
    pub fn moves<M: AsRef<[u8]>>(
        &mut self,
        name: PackedOpcode,
        moves: impl IntoIterator<Item = M>,
    ) {
        self.add(name, |operation| moves.into_iter().fold(operation, OperationWriter::word));
    }

    /// Adds an operation with a string, which must be [valid](crate::is_legal_string).
    pub fn string(&mut self, name: PackedOpcode, text: &str) {
        debug_assert!(is_legal_string(text), "{text:?}");
        self.add(name, |operation| operation.string(text));
    }

    /// Adds an operation with two strings, which must be [valid](crate::is_legal_string).
    pub fn strings(&mut self, name: PackedOpcode, first: &str, second: &str) {
        self.add(name, |operation| operation.string(first).string(second));
    }

    /// Adds an operation that sets a register, or sets it to null.
    pub fn register(&mut self, name: PackedOpcode, value: Option<&str>) {
        match value {
            Some(text) => self.string(name, text),
            None => self.bare(name),
        }
    }

    /// Adds an operation that was read.
    pub fn operation(&mut self, operation: &Operation) {
        let name = PackedOpcode::new(operation.name());
        self.add(name, |writer| writer.operand(operation.operand()));
    }

    /// Whether there is an operation with this name.
    pub fn has(&self, name: PackedOpcode) -> bool {
        self.list.iter().any(|(other, _)| *other == name)
    }

    /// Returns the first move of the last operation with this name.
    pub fn first_move(&self, name: PackedOpcode) -> Option<&[u8]> {
        let (_, place) = self.list.iter().rfind(|(other, _)| *other == name)?;
        let mut words = self.text[place.clone()].split(|b| matches!(b, b' ' | b';'));
        // The operation begins with a space and the opcode.
        words.nth(2).filter(|word| !word.is_empty())
    }

    /// Removes all operations with this name.
    pub fn remove(&mut self, name: PackedOpcode) {
        self.list.retain(|(other, _)| *other != name);
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

impl Readable {
    /// Writes the record in standard form, without a line end; returns where its operations begin.
    pub fn write(&self, out: &mut Buffer) -> usize {
        match &self.variant {
            Some(variant) => {
                let start = out.len();
                out.extend(variant.fields(FieldStyle::default()).as_bytes());
                write_operations(&self.record, start, out)
            }
            None => write(&self.record, out),
        }
    }
}

fn write(record: &Record, out: &mut Buffer) -> usize {
    let start = out.len();
    let mut line = out.line();
    write_fields(record.position(), FieldStyle::default(), &mut line);
    line.finish();
    write_operations(record, start, out)
}

/// Writes the operations after fields that begin at `start`; returns their offset in the record.
fn write_operations(record: &Record, start: usize, out: &mut Buffer) -> usize {
    let fields = out.len() - start;
    for operation in record.operations() {
        match (operation.opcode(), operation.operand()) {
            (Some(opcode @ (Opcode::Fmvn | Opcode::Hmvc)), &Operand::Integer(value)) => {
                let counter = if opcode == Opcode::Fmvn { &FMVN } else { &HMVC };
                let mut line = out.line();
                // A value that does not fit 32 bits is not a valid operand of these opcodes.
                counter.write(u32::try_from(value).unwrap_or(u32::MAX), &mut line);
                line.finish();
            }
            (_, operand) => {
                OperationWriter::new(operation.name(), out).operand(operand).end();
            }
        }
    }
    // A space separates the fields from the operations.
    (fields + 1).min(out.len() - start)
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut buffer = Buffer::default();
        write(self, &mut buffer);
        f.write_str(&String::from_utf8_lossy(buffer.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use san::Buffer;

    use super::*;

    #[test]
    fn counters_are_written_as_formatting_writes_them() {
        for number in (0..1000).chain([u32::MAX]) {
            let mut buffer = Buffer::default();
            let mut line = buffer.line();
            FMVN.write(number, &mut line);
            HMVC.write(number, &mut line);
            line.finish();
            let expected = format!(" fmvn {number}; hmvc {number};");
            assert_eq!(buffer.as_bytes(), expected.as_bytes());
        }
    }

    #[test]
    fn mnemonics_sort_as_their_names_do() {
        let names = ["Ae", "acd", "acn", "c0", "c9", "ce", "dm", "draw_claim", "v0", "zz"];
        assert!(names.is_sorted_by_key(|name| PackedOpcode::new(name)));
        assert_eq!(PackedOpcode::ranked(b'c', 9), PackedOpcode::new("c9"));
        for name in names {
            assert_eq!(&*PackedOpcode::new(name).text(), name.as_bytes());
        }
    }
}
