//! Tracks the registers of a scanning program and writes the fewest operations that update them. As
//! `cN` (`vN`) sets the registers N to 9 of its family to null (EPD 5.5, 5.26), an update begins at
//! the first that differs: it is set, even to null, and each non-null register after it once more.

use san::keywords;

use super::Registers;
use crate::diagnostic::EpdDiagnostic;
use crate::opcode::Opcode;
use crate::read::operands::OperandRef;
use crate::read::read_line;
use crate::read::record_ref::{Line, ReadOptions, RecordRef};
use crate::reader::TextLines;
use crate::write::{OperationList, PackedOpcode};

/// Reads records and tracks registers, as a “move sequence scanning program” does (EPD 5.5).
///
/// A file may give a register only where it changes; the values that apply to a position are those
/// after its record. The first record of each game sets the registers anew.
///
/// ```
/// use epd::RecordScanner;
///
/// let text = "4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"The game\"; v0 \"King's Pawn\";\n\
///             4k3/8/8/8/4P3/8/8/4K3 b - e3 v1 \"Advanced\";\n";
/// let mut scanner = RecordScanner::new(text);
/// let mut names = Vec::new();
/// while let Some(record) = scanner.next_record(&mut |_| {}) {
///     names.push((record.position().turn(), scanner.registers().variation(1).map(str::to_owned)));
///     assert_eq!(scanner.registers().comment(0), Some("The game"));
/// }
/// assert_eq!(names, [(san::Color::White, None), (san::Color::Black, Some("Advanced".to_owned()))]);
/// ```
#[derive(Debug)]
pub struct RecordScanner<'a> {
    lines: TextLines<'a>,
    line_number: u64,
    options: ReadOptions,
    registers: Registers,
}

impl<'a> RecordScanner<'a> {
    /// Creates a scanner that detects the dialect of each line. Moves are not played.
    pub fn new(text: &'a str) -> Self {
        Self::with_options(text, ReadOptions { moves: false, ..ReadOptions::default() })
    }

    /// Creates a scanner with other options.
    pub fn with_options(text: &'a str, options: ReadOptions) -> Self {
        let (lines, registers) = (TextLines::new(text), Registers::default());
        RecordScanner { lines, line_number: 0, options, registers }
    }

    /// Returns the next record, skipping other lines. Errors on the way go to `faults`.
    pub fn next_record(&mut self, faults: &mut dyn FnMut(EpdDiagnostic)) -> Option<RecordRef<'a>> {
        for (number, line) in &mut self.lines {
            self.line_number = number;
            if let Line::Record(record) = read_line(line, &self.options, faults) {
                self.registers.read(&record);
                return Some(record);
            }
        }
        None
    }

    /// Returns the line number of the last record, counted from 1.
    pub fn line_number(&self) -> u64 {
        self.line_number
    }

    /// Returns the registers after the last record.
    pub fn registers(&self) -> &Registers {
        &self.registers
    }
}

impl Registers {
    /// Processes the operations of a record from left to right.
    pub fn read(&mut self, record: &RecordRef<'_>) {
        for operation in record.operations() {
            let Some(register) = operation.opcode().and_then(Opcode::register) else {
                continue;
            };
            match record.operands(&operation) {
                OperandRef::Text(text) => self.apply(register, Some(&text)),
                OperandRef::Nothing => self.apply(register, None),
                _ => {}
            }
        }
    }
}

keywords! {
    /// How registers are written (EPD 5.5, 5.12, 5.16, 5.26).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum RegisterStyle {
        /// Only changes: a record depends on those before it
        ///
        /// The fewest operations that update the registers of a scanning program. The first record
        /// of a game sets each family, or sets it to null.
        #[default]
        Delta = "delta",
        /// All registers in every record, so that each line is self-contained
        ///
        /// Those that have a value, and those that a scanning program must clear.
        Full = "full",
        /// No registers, except those of --add
        Off = "off",
    }
}

/// The highest rank of a comment or variation name.
pub const REGISTER_RANKS: usize = 10;

/// A family of `N` registers, as held by the scanning program.
#[derive(Debug)]
pub struct RegisterFamily<const N: usize> {
    held: [Held; N],
    /// Whether a game begins, so that any previous state must be overwritten.
    begins: bool,
}

/// Comments, or the names of a variation.
pub type RankedRegisters = RegisterFamily<REGISTER_RANKS>;

/// An independent register: `eco` or `nic`.
pub type SingleRegister = RegisterFamily<1>;

impl<const N: usize> Default for RegisterFamily<N> {
    fn default() -> Self {
        RegisterFamily { held: std::array::from_fn(|_| Held::default()), begins: false }
    }
}

/// A register value. Its allocation is kept while the register is null.
#[derive(Debug, Default)]
struct Held {
    is_set: bool,
    text: String,
}

impl Held {
    fn get(&self) -> Option<&str> {
        self.is_set.then_some(&*self.text)
    }

    fn set(&mut self, value: Option<&str>) {
        self.is_set = value.is_some();
        if let Some(value) = value {
            self.text.clear();
            self.text.push_str(value);
        }
    }
}

impl<const N: usize> RegisterFamily<N> {
    /// Begins a game: its first record sets the family in any case.
    pub fn begin(&mut self) {
        self.begins = true;
    }

    /// Overwrites the tracked state with values written by another code path.
    pub fn note<'t>(&mut self, value: impl Fn(usize) -> Option<&'t str>) {
        self.begins = false;
        self.held.iter_mut().enumerate().for_each(|(rank, held)| held.set(value(rank)));
    }

    /// Adds the operations that update the family to `wanted`. `lowest` is the lowest rank in use,
    /// and the registers from rank `repeated` on are set in each record that has a value for them.
    pub fn update<'t>(
        &mut self,
        name: impl Fn(usize) -> PackedOpcode,
        lowest: usize,
        repeated: usize,
        wanted: impl Fn(usize) -> Option<&'t str>,
        operations: &mut OperationList,
    ) {
        if std::mem::take(&mut self.begins) {
            self.held.iter_mut().for_each(|held| held.set(None));
            if wanted(lowest).is_none() {
                operations.bare(name(lowest));
            }
        }
        let differs = |rank: &usize| self.held[*rank].get() != wanted(*rank);
        let first = (0..N).find(differs).unwrap_or(N);
        let mut is_begun = false;
        for rank in first.min(repeated)..N {
            let value = wanted(rank);
            // An operation on an earlier register sets this one to null.
            if value.is_some() || rank == first && self.held[rank].is_set && !is_begun {
                operations.register(name(rank), value);
                is_begun = true;
            }
            self.held[rank].set(value);
        }
    }
}

#[cfg(test)]
mod tests;
