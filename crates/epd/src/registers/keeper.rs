//! Omits records while keeping the registers of the others correct, which depend on the records
//! before (EPD 5.5, 5.12, 5.16, 5.26): their changes are added to the next record that is written.
//! Of records that have all their registers it is enough to know which ones those before have set.

use std::borrow::Cow;
use std::mem;

use arrayvec::ArrayVec;

use super::{Register, Registers};
use crate::dialect::Dialect;
use crate::opcode::Opcode;
use crate::read::fields::fields_len;
use crate::read::operands::{self, OperandRef};
use crate::read::operations::{End, OperationRef, Operations, PlainOperation, PlainOperations};
use crate::read::text::{Escapes, Token};
use crate::string;
use crate::write::OperationWriter;

/// Writes selected records, each with the register operations that a scanner of the output needs.
///
/// ```
/// use epd::RegisterKeeper;
///
/// let fields = "4k3/8/8/8/8/8/4P3/4K3 w - -";
/// let mut keeper = RegisterKeeper::default();
/// keeper.pass(None, " c0 \"the first game\"; c1 \"well played\";");
/// let mut written = Vec::new();
/// keeper.write(&format!("{fields} c1 \"better\"; id \"a\";"), fields.len(), &mut written);
/// let expected = format!("{fields} c0 \"the first game\"; c1 \"better\"; id \"a\";");
/// assert_eq!(String::from_utf8(written)?, expected);
/// # Ok::<_, std::string::FromUtf8Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RegisterKeeper {
    /// The registers after the last record of the input.
    wanted: Registers,
    /// The registers of a scanner of the output.
    held: Registers,
    escapes: Escapes,
    /// Whether the register operations of a record are replaced by fewest ones, not completed.
    is_minimal: bool,
    is_level: bool,
}

impl Default for RegisterKeeper {
    fn default() -> Self {
        RegisterKeeper::reading(Some(Dialect::Standard))
    }
}

type Own<'a> = (Register, Option<Cow<'a, str>>);

impl RegisterKeeper {
    /// Creates a keeper for records of one dialect, or of any dialect for `None`.
    pub fn reading(dialect: Option<Dialect>) -> Self {
        RegisterKeeper {
            wanted: Registers::default(),
            held: Registers::default(),
            escapes: Escapes::of(dialect),
            is_minimal: false,
            is_level: true,
        }
    }

    /// Creates a keeper for input records that contain all their registers. `is_minimal` selects
    /// whether output records contain only changes or all registers.
    pub fn of_full_records(is_minimal: bool) -> Self {
        RegisterKeeper { is_minimal, ..RegisterKeeper::default() }
    }

    /// Sets all registers to null, for a new text or a record that contains all its registers.
    pub fn begin(&mut self) {
        self.wanted.clear();
        self.is_level = self.held == self.wanted;
    }

    /// Applies the operations of an omitted record, which may be of another dialect.
    pub fn pass(&mut self, dialect: Option<Dialect>, operations: &str) {
        for (register, operand) in own(operations, Escapes::of(dialect)) {
            self.wanted.apply(register, operand.as_deref());
            self.is_level = false;
        }
    }

    /// Whether a record without register operations can be written unchanged.
    pub fn is_level(&self) -> bool {
        self.is_level
    }

    /// Appends a label record. Its `c9`, the result of a game, applies to this record only, since
    /// the line that it was read from has no registers.
    pub fn write_label(&mut self, record: &str, at: usize, out: &mut Vec<u8>) {
        let result = Register::RESULT;
        let before = self.wanted.get(result).map(str::to_owned);
        self.wanted.apply(result, None);
        self.write(record, at, out);
        self.wanted.apply(result, before.as_deref());
        self.is_level = false;
    }

    /// Appends a record with text of its line that cannot be read, as comments in free registers
    /// from the first on: those that the record does not set, and that do not clear what still
    /// applies if there are enough. They apply to this record only.
    ///
    /// ```
    /// let fields = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    /// let mut keeper = epd::RegisterKeeper::default();
    /// let mut written = Vec::new();
    /// keeper.write_with_comment(&format!("{fields} dm 9; id \"a\";"), fields.len(), "00:00", &mut written);
    /// let expected = format!("{fields} c0 \"00:00\"; dm 9; id \"a\";");
    /// assert_eq!(String::from_utf8(written)?, expected);
    /// # Ok::<_, std::string::FromUtf8Error>(())
    /// ```
    pub fn write_with_comment(&mut self, record: &str, at: usize, text: &str, out: &mut Vec<u8>) {
        let (fields, operations) = record.split_at(at);
        let own: Vec<Own<'_>> = own(operations, self.escapes).collect();
        let mut after = self.wanted.clone();
        own.iter().for_each(|(register, operand)| after.apply(*register, operand.as_deref()));
        let is_own = |register: &Register| own.iter().any(|(other, _)| other == register);
        let free = || Register::FAMILIES[0].cleared().filter(move |register| !is_own(register));
        let keeps = |register: &Register| {
            register.cleared().all(|other| is_own(&other) || after.get(other).is_none())
        };
        let pieces: Vec<&str> = string::pieces(text).collect();
        let mut registers: Vec<Register> = free().filter(keeps).collect();
        if registers.len() < pieces.len() {
            registers = free().collect();
        }
        let mut comments = registers.into_iter().map(Opcode::of_register).zip(pieces).peekable();
        let fields = fields.trim_end();
        let mut commented = fields.to_owned().into_bytes();
        let token = Token { at: 0, text: operations };
        let add = |(opcode, piece): (Opcode, &str), out: &mut Vec<u8>| {
            OperationWriter::new(opcode.name(), out).string(piece).end();
        };
        for own in Operations::new(token, self.escapes).filter(OperationRef::is_real) {
            while let Some(next) = comments.next_if(|(opcode, _)| opcode.name() < own.name()) {
                add(next, &mut commented);
            }
            let end = own.name.end().max(own.operands.end());
            OperationWriter::new(&operations[own.name.at..end], &mut commented).end();
        }
        comments.for_each(|next| add(next, &mut commented));
        self.write(&String::from_utf8_lossy(&commented), fields.len(), out);
        self.wanted = after;
        self.is_level = false;
    }

    /// Appends a record without a line end. Its operations begin at byte `at`.
    pub fn write(&mut self, record: &str, at: usize, out: &mut Vec<u8>) {
        let (fields, operations) = record.split_at(at);
        let own: Vec<Own<'_>> = own(operations, self.escapes).collect();
        let added = self.follow(&own);
        if added.is_empty() && (own.is_empty() || !self.is_minimal) {
            out.extend_from_slice(record.as_bytes());
            return;
        }
        self.insert(fields, operations, &added, out);
        if operations.ends_with('\r') {
            out.push(b'\r');
        }
    }

    /// Takes note that a record with these operations is written; returns the registers to add.
    fn follow(&mut self, own: &[Own<'_>]) -> ArrayVec<Register, { Register::COUNT }> {
        for (register, operand) in own {
            self.wanted.apply(*register, operand.as_deref());
        }
        let kept = if self.is_minimal { &[] } else { own };
        let added = self.added(kept);
        for register in &added {
            self.held.apply(*register, self.wanted.get(*register));
        }
        for (register, operand) in kept {
            self.held.apply(*register, operand.as_deref());
        }
        debug_assert_eq!(self.held, self.wanted);
        self.is_level = true;
        added
    }

    /// Returns the registers to set before `own`, so that a scanner reaches the intended state.
    fn added(&self, own: &[Own<'_>]) -> ArrayVec<Register, { Register::COUNT }> {
        let mut added = ArrayVec::new();
        for family in Register::FAMILIES {
            // From the first register of the record on, its own operations determine the family.
            let is_own = |register: &Register| own.iter().any(|(other, _)| other == register);
            let mut rest = family.cleared().take_while(|register| !is_own(register));
            let differs =
                |register: &Register| self.held.get(*register) != self.wanted.get(*register);
            let Some(first) = rest.by_ref().find(differs) else { continue };
            added.push(first);
            added.extend(rest.filter(|register| self.wanted.get(*register).is_some()));
        }
        added
    }

    /// Adds registers in the order of opcodes, with single spaces and all semicolons.
    #[cold]
    fn insert(&self, fields: &str, operations: &str, added: &[Register], out: &mut Vec<u8>) {
        out.extend_from_slice(fields.trim_end_matches(|c| c <= ' ' || c == ';').as_bytes());
        let names = added.iter().map(|register| (Opcode::of_register(*register).name(), *register));
        let mut added = names.peekable();
        let add = |(name, register): (&str, Register), out: &mut Vec<u8>| {
            let writer = OperationWriter::new(name, out);
            match self.wanted.get(register) {
                Some(text) => writer.string(text).end(),
                None => writer.end(),
            }
        };
        let token = Token { at: 0, text: operations };
        for own in Operations::new(token, self.escapes).filter(OperationRef::is_real) {
            if self.is_minimal && own.opcode.and_then(Opcode::register).is_some() {
                continue;
            }
            while let Some(next) = added.next_if(|(name, _)| *name < own.name()) {
                add(next, out);
            }
            let writer = OperationWriter::new(own.name(), out);
            match own.operands() {
                "" => writer.end(),
                text if own.end == End::OpenString => writer.word(format!("{text}\"")).end(),
                text => writer.word(text).end(),
            }
        }
        added.for_each(|next| add(next, out));
    }
}

fn own(operations: &str, escapes: Escapes) -> impl Iterator<Item = Own<'_>> {
    let token = Token { at: 0, text: operations };
    Operations::new(token, escapes).filter_map(move |operation| {
        let register = operation.opcode?.register()?;
        match operands::read(&operation, escapes, &mut |_| {}) {
            OperandRef::Text(text) => Some((register, Some(text))),
            OperandRef::Nothing => Some((register, None)),
            _ => None,
        }
    })
}

/// Writes records that have all their registers, whatever is left out and in any order, for a
/// program that reads one after the other: a record clears what those before it have set.
///
/// ```
/// use epd::{Register, RegisterClearer};
///
/// let fields = "4k3/8/8/8/8/8/4P3/4K3 w - -";
/// // Nothing is known of what the program has read before.
/// let mut clearer = RegisterClearer::new(&[Register::ECO]);
/// let mut written = Vec::new();
/// clearer.write(&format!("{fields} c0 \"the first game\"; id \"a\";"), &mut written);
/// written.push(b'\n');
/// clearer.write(&format!("{fields} id \"b\";"), &mut written);
/// let expected =
///     format!("{fields} c0 \"the first game\"; eco; id \"a\";\n{fields} c0; id \"b\";");
/// assert_eq!(String::from_utf8(written)?, expected);
/// # Ok::<_, std::string::FromUtf8Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RegisterClearer {
    /// The registers of the reader that have a value, as bits.
    held: u32,
    /// Those that may have one before the first record with registers.
    unknown: u32,
}

impl RegisterClearer {
    /// Creates a clearer for readers in which these registers and those above them may have values.
    pub fn new(unknown: &[Register]) -> Self {
        let unknown = unknown.iter().fold(0, |bits, register| bits | 1 << register.index());
        RegisterClearer { held: 0, unknown }
    }

    /// Takes note that no register of the program has a value before the first record.
    pub fn begin_cleared(&mut self) {
        self.unknown = 0;
    }

    /// Appends a record that this program wrote, without a line end.
    pub fn write(&mut self, record: &str, out: &mut Vec<u8>) {
        let fields = fields_len(record);
        let (named, set) = registers_in(&record[fields..]);
        // A file whose records have no registers needs none that are cleared.
        let unknown = if named == 0 { 0 } else { mem::take(&mut self.unknown) };
        let before = mem::replace(&mut self.held, set) | unknown;
        // An operation clears what is above it in its family.
        let cleared = |family: &u32| {
            let (before, named) = (before & family, named & family);
            let is_above = before.trailing_zeros() < named.trailing_zeros();
            is_above.then(|| Register(before.trailing_zeros() as u8))
        };
        let cleared: ArrayVec<Register, 4> = FAMILY_BITS.iter().filter_map(cleared).collect();
        if cleared.is_empty() {
            return out.extend_from_slice(record.as_bytes());
        }
        let mut cleared =
            cleared.into_iter().map(|register| Opcode::of_register(register).name()).peekable();
        let mut start = 0;
        for own in operations_of(record, fields) {
            while let Some(opcode) = cleared.next_if(|opcode| *opcode < own.name()) {
                // Before the space that precedes the operation.
                let end = own.name.at - 1;
                out.extend_from_slice(&record.as_bytes()[start..end]);
                OperationWriter::new(opcode, out).end();
                start = end;
            }
        }
        out.extend_from_slice(&record.as_bytes()[start..]);
        cleared.for_each(|opcode| OperationWriter::new(opcode, out).end());
    }
}

/// The registers of each family as bits, in the order of their opcodes.
const FAMILY_BITS: [u32; 4] = [0x3ff, 1 << 20, 1 << 21, 0x3ff << 10];

fn operations_of(record: &str, at: usize) -> Operations<'_> {
    let token = Token { at, text: &record[at..] };
    Operations::new(token, Escapes::of(Some(Dialect::Standard)))
}

/// Returns the registers that operations set or clear, and those that they set, as bits.
fn registers_in(operations: &str) -> (u32, u32) {
    let (mut named, mut set) = (0, 0);
    let mut add = |name: &str, has_value: bool| {
        if let Some(register) = Register::named(name) {
            named |= 1 << register.index();
            set |= u32::from(has_value) << register.index();
        }
    };
    for operation in PlainOperations::new(operations) {
        let Some(PlainOperation { name, operands }) = operation else {
            // Opcodes with capitals, several operands.
            operations_of(operations, 0)
                .for_each(|own| add(own.name(), !own.operands().is_empty()));
            break;
        };
        add(&operations[name], !operands.is_empty());
    }
    (named, set)
}

#[cfg(test)]
mod tests;
