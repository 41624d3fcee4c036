//! Omits records while keeping the registers of the remaining ones correct.
//!
//! A record may contain only the registers that change (EPD 5.5, 5.12, 5.16, 5.26), so its meaning
//! depends on the records before it. The changes made by omitted records are added to the next
//! record that is written.

use std::borrow::Cow;

use arrayvec::ArrayVec;

use super::{Rank, Register, RegisterPlace, RegisterPlaces, Registers, ends};
use crate::dialect::Dialect;
use crate::opcode::Opcode;
use crate::read::operands::{self, OperandRef};
use crate::read::operations::{End, OperationRef, Operations};
use crate::read::text::{Escapes, Token};
use crate::record::{Operand, Operation, Record};
use crate::string;
use crate::write::OperationWriter;
use crate::write::packed_opcode::PackedOpcode;

/// Writes selected records of a text, each with the register operations that a scanner of the
/// output needs.
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
    /// Register families that the first record must set: the state of a scanner is unknown.
    unknown: Vec<Register>,
    /// Whether `wanted` and `held` are known to be equal.
    is_level: bool,
}

impl Default for RegisterKeeper {
    /// Creates a keeper for records of the standard.
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
            unknown: Vec::new(),
            is_level: true,
        }
    }

    /// Creates a keeper for input records that contain all their registers in these families.
    /// `is_minimal` selects whether output records contain only changes or all registers.
    pub fn of_full_records(families: Vec<Register>, is_minimal: bool) -> Self {
        RegisterKeeper { unknown: families, is_minimal, ..RegisterKeeper::default() }
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
        self.is_level && self.unknown.is_empty()
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
        let (record, places) = self.respaced(fields, operations);
        self.insert(&record, places.as_slice(), &added, out);
        if operations.ends_with('\r') {
            out.push(b'\r');
        }
    }

    /// Appends a record without a line end whose register operations are at `places`: like
    /// [`RegisterKeeper::write`], but the text is not read.
    ///
    /// ```
    /// use epd::{OperationList, PackedOpcode, RegisterKeeper, RegisterPlaces};
    /// use san::Buffer;
    ///
    /// let mut operations = OperationList::default();
    /// operations.string(PackedOpcode::new("c1"), "better");
    /// let mut record = Buffer::default();
    /// record.extend(b"4k3/8/8/8/8/8/4P3/4K3 w - -");
    /// let mut places = RegisterPlaces::default();
    /// operations.write_before(PackedOpcode::LAST, &mut record, Some((0, &mut places)));
    /// let mut keeper = RegisterKeeper::default();
    /// keeper.pass(None, " c0 \"the first game\";");
    /// let mut written = Vec::new();
    /// keeper.write_placed(std::str::from_utf8(record.as_bytes())?, places.as_slice(), &mut written);
    /// let expected = "4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"the first game\"; c1 \"better\";";
    /// assert_eq!(String::from_utf8(written)?, expected);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_placed(&mut self, record: &str, places: &[RegisterPlace], out: &mut Vec<u8>) {
        let ends = ends(places, record.len());
        let own: ArrayVec<Own<'_>, { Register::COUNT }> = places
            .iter()
            .zip(ends)
            .filter_map(|(place, end)| {
                let operation = &record[place.start as usize..end];
                Some((place.rank.register()?, string_of(operation).map(Cow::Borrowed)))
            })
            .collect();
        let added = self.follow(&own);
        if added.is_empty() && (own.is_empty() || !self.is_minimal) {
            out.extend_from_slice(record.as_bytes());
        } else {
            self.insert(record.as_bytes(), places, &added, out);
        }
    }

    /// Changes the register operations of a record that is written: like [`RegisterKeeper::write`],
    /// for a value instead of text.
    ///
    /// ```
    /// use epd::{Record, RegisterKeeper};
    ///
    /// let mut keeper = RegisterKeeper::default();
    /// keeper.pass(None, " c0 \"the first game\";");
    /// let mut record: Record = "4k3/8/8/8/8/8/4P3/4K3 w - - c1 \"better\";".parse()?;
    /// keeper.complete(&mut record);
    /// assert_eq!(
    ///     record.to_string(),
    ///     "4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"the first game\"; c1 \"better\";"
    /// );
    /// # Ok::<_, epd::ReadError>(())
    /// ```
    pub fn complete(&mut self, record: &mut Record) {
        let own: Vec<Own<'static>> = record.operations().iter().filter_map(own_value).collect();
        let added = self.follow(&own);
        if self.is_minimal {
            for (register, _) in &own {
                record.remove(Opcode::of_register(*register).name());
            }
        }
        for register in added {
            let text = self.wanted.get(register).map(str::to_owned);
            record.put(Opcode::of_register(register), text.map_or(Operand::Nothing, Operand::Text));
        }
    }

    /// Takes note that a record with these operations is written; returns the registers to add.
    fn follow(&mut self, own: &[Own<'_>]) -> ArrayVec<Register, { Register::COUNT }> {
        for (register, operand) in own {
            self.wanted.apply(*register, operand.as_deref());
        }
        // A file whose records have no registers needs none that are cleared.
        let has_none = |registers: &Registers| registers.iter().next().is_none();
        if !self.unknown.is_empty()
            && own.is_empty()
            && has_none(&self.wanted)
            && has_none(&self.held)
        {
            self.is_level = true;
            return ArrayVec::new();
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
        self.unknown.clear();
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
            let differs = |register: &Register| {
                self.unknown.contains(register)
                    || self.held.get(*register) != self.wanted.get(*register)
            };
            let Some(first) = rest.by_ref().find(differs) else { continue };
            added.push(first);
            added.extend(rest.filter(|register| self.wanted.get(*register).is_some()));
        }
        added
    }

    /// Returns a record with single spaces and all semicolons, and the places of its operations.
    #[cold]
    fn respaced(&self, fields: &str, operations: &str) -> (Vec<u8>, RegisterPlaces) {
        let fields = fields.trim_end_matches(|c| c <= ' ' || c == ';');
        let (mut record, mut places) = (fields.to_owned().into_bytes(), RegisterPlaces::default());
        let token = Token { at: 0, text: operations };
        for own in Operations::new(token, self.escapes).filter(OperationRef::is_real) {
            places.add(PackedOpcode::new(own.name()), record.len());
            let writer = OperationWriter::new(own.name(), &mut record);
            match own.operands() {
                "" => writer.end(),
                text if own.end == End::OpenString => writer.word(format!("{text}\"")).end(),
                text => writer.word(text).end(),
            }
        }
        (record, places)
    }

    /// In opcode order as far as the record is sorted; without its own if the added replace them.
    fn insert(
        &self,
        record: &[u8],
        places: &[RegisterPlace],
        added: &[Register],
        out: &mut Vec<u8>,
    ) {
        let fields = places.first().map_or(record.len(), |first| first.start as usize);
        out.extend_from_slice(&record[..fields]);
        let mut added: ArrayVec<(Rank, Register), { Register::COUNT }> =
            added.iter().map(|register| (Rank::of_register(*register), *register)).collect();
        added.sort();
        let mut added = added.into_iter().peekable();
        let add = |(_, register): (Rank, Register), out: &mut Vec<u8>| {
            let writer = OperationWriter::new(Opcode::of_register(register).name(), out);
            match self.wanted.get(register) {
                Some(text) => writer.string(text).end(),
                None => writer.end(),
            }
        };
        for (place, end) in places.iter().zip(ends(places, record.len())) {
            if self.is_minimal && place.rank.register().is_some() {
                continue;
            }
            while let Some(next) = added.next_if(|(rank, _)| *rank < place.rank) {
                add(next, out);
            }
            out.extend_from_slice(&record[place.start as usize..end]);
        }
        added.for_each(|next| add(next, out));
    }
}

fn string_of(operation: &str) -> Option<&str> {
    let (_, string) = operation.strip_suffix("\";")?.split_once('"')?;
    Some(string)
}

fn own_value(operation: &Operation) -> Option<Own<'static>> {
    let register = operation.opcode()?.register()?;
    match operation.operand() {
        Operand::Text(text) => Some((register, Some(Cow::Owned(text.clone())))),
        Operand::Nothing => Some((register, None)),
        _ => None,
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

#[cfg(test)]
mod tests;
