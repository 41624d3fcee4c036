//! Reads records in sequence, with the register state after each.

use super::state::Registers;
use crate::diagnostic::EpdDiagnostic;
use crate::opcode::Opcode;
use crate::read::line::read_line;
use crate::read::operands::OperandRef;
use crate::read::record_ref::{Line, ReadOptions, RecordRef};
use crate::reader::TextLines;

/// Reads the records of a text and tracks its registers, as a “move sequence scanning program” does
/// (EPD 5.5).
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
