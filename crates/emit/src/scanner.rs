//! Records one after the other, each with what the registers hold behind it.

use crate::fault::Fault;
use crate::read::operands::OperandRef;
use crate::{Line, ReadOptions, RecordRef, Registers, read_line};

/// Reads the records of a text and keeps its registers, as a “move sequence scanning program” does (EPD 5.5).
///
/// A file may give a register only where it changes: what counts for a position is what the registers hold behind its
/// record. The first record of each game sets them anew.
///
/// ```
/// use emit::RecordScanner;
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
    rest: &'a str,
    line_number: u64,
    options: ReadOptions,
    registers: Registers,
}

impl<'a> RecordScanner<'a> {
    /// A scanner before the first line of a text, whose dialects it tells line by line. It does not play moves.
    pub fn new(text: &'a str) -> Self {
        Self::with_options(text, ReadOptions { moves: false, ..ReadOptions::default() })
    }

    /// The same with other options.
    pub fn with_options(text: &'a str, options: ReadOptions) -> Self {
        RecordScanner { rest: text, line_number: 0, options, registers: Registers::default() }
    }

    /// The next record; lines that hold none are passed over. `faults` is told what is wrong with lines on the way.
    pub fn next_record(&mut self, faults: &mut dyn FnMut(Fault)) -> Option<RecordRef<'a>> {
        while !self.rest.is_empty() {
            let (line, rest) = match memchr::memchr(b'\n', self.rest.as_bytes()) {
                Some(at) => (&self.rest[..at], &self.rest[at + 1..]),
                None => (self.rest, ""),
            };
            self.rest = rest;
            self.line_number += 1;
            if let Line::Record(record) = read_line(line, &self.options, faults) {
                self.registers.read(&record);
                return Some(record);
            }
        }
        None
    }

    /// The line of the last record, counted from 1.
    pub fn line_number(&self) -> u64 {
        self.line_number
    }

    /// What the registers hold behind the last record.
    pub fn registers(&self) -> &Registers {
        &self.registers
    }
}

impl Registers {
    /// Processes the operations of a record from left to right.
    pub fn read(&mut self, record: &RecordRef<'_>) {
        for operation in record.operations() {
            let Some(register) = operation.opcode().and_then(crate::Opcode::register) else {
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
