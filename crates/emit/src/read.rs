//! Lines to records. What is wrong is a [`Fault`] with its place; what has one reading is read.
//!
//! * [`read_line`] reads a line of any dialect and tells every fault;
//! * [`RecordRef::read`] reads a record of the standard, or says what the first error is;
//! * a [`RecordRef`] borrows from its line: nothing is copied but strings that hold escapes;
//! * [`RecordRef::to_record`] makes a [`Record`] of it, in its normal form.

pub(crate) mod fields;
pub(crate) mod operands;
pub(crate) mod operations;
pub(crate) mod text;
mod to_record;

use san::Position;

use crate::check::operations as check;
use crate::dialect::label::Label;
use crate::fault::{Fault, FaultKind};
use crate::{Dialect, Opcode, Severity};

pub use operands::{MoveTexts, OperandRef};
pub use operations::OperationRef;
use operations::Operations;

use operands::Escapes;
use text::Token;

/// How lines are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The dialect of all lines; `None` to tell it from each line.
    pub dialect: Option<Dialect>,
    /// Whether the moves in operands are played.
    pub moves: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { dialect: None, moves: true }
    }
}

/// What a line holds.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "looked at once and not kept: a box would cost more")]
pub enum Line<'a> {
    /// Nothing.
    Blank,
    /// A comment: the line begins with `#`.
    Comment,
    /// No record: the faults say why.
    Bad,
    /// A record. There may be faults in its operations.
    Record(RecordRef<'a>),
}

/// A record as it stands in a line.
///
/// ```
/// use emit::{Opcode, OperandRef, RecordRef};
///
/// let line = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";";
/// let record = RecordRef::read(line)?;
/// assert_eq!(record.position().turn(), san::Color::Black);
/// let Some(OperandRef::Moves(moves)) = record.get(Opcode::Bm) else { panic!() };
/// assert_eq!(moves.collect::<Vec<_>>(), ["Qd1+"]);
/// # Ok::<_, emit::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RecordRef<'a> {
    pub(crate) position: Position,
    pub(crate) dialect: Dialect,
    /// Whether the clocks are fields of the line.
    pub(crate) has_clocks: bool,
    pub(crate) label: Option<Label<'a>>,
    pub(crate) spelled: u8,
    pub(crate) rest: Token<'a>,
    pub(crate) escapes: Escapes,
    /// Whether its moves are played.
    pub(crate) plays: bool,
}

/// Why a line is no record of the standard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {kind}")]
pub struct ReadError {
    /// The character of the line, from 1.
    pub column: usize,
    /// What is wrong.
    pub kind: FaultKind,
}

impl<'a> RecordRef<'a> {
    /// Reads a record of the standard. Operations may stand in any order, and what has one reading is read.
    ///
    /// # Errors
    ///
    /// The first error: something without a reading, or that says what cannot be, a move that is not legal say.
    ///
    /// ```
    /// let error = emit::RecordRef::read("4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;").unwrap_err();
    /// assert_eq!(error.to_string(), "column 32: e5: illegal: no pawn of White's can reach e5");
    /// ```
    pub fn read(line: &'a str) -> Result<Self, ReadError> {
        let options = ReadOptions { dialect: Some(Dialect::Standard), moves: true };
        let mut first: Option<Fault> = None;
        let mut keep = |fault: Fault| {
            if fault.kind.severity() == Severity::Error && first.is_none() {
                first = Some(fault);
            }
        };
        let read = read_line(line, &options, &mut keep);
        match (read, first) {
            (Line::Record(record), None) => Ok(record),
            (_, Some(fault)) => Err(ReadError { column: fault.column(line), kind: fault.kind }),
            (_, None) => {
                let kind = FaultKind::MissingField(san::Field::Placement);
                Err(ReadError { column: 1, kind })
            }
        }
    }

    /// The position, with the clocks of `hmvc` and `fmvn`, or of the six fields; else 0 and 1.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The dialect of the line.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The operations as they stand in the line, from left to right.
    pub fn operations(&self) -> impl Iterator<Item = OperationRef<'a>> {
        Operations::new(self.rest, self.escapes).filter(OperationRef::is_real)
    }

    /// The operands of an opcode; of one that stands there twice, the last.
    pub fn get(&self, opcode: Opcode) -> Option<OperandRef<'a>> {
        let operation = self.operations().filter(|op| op.opcode == Some(opcode)).last()?;
        Some(self.operands(&operation))
    }

    /// The operands of one of [`RecordRef::operations`].
    pub fn operands(&self, operation: &OperationRef<'a>) -> OperandRef<'a> {
        operands::read(operation, self.escapes, &mut |_| {})
    }
}

/// Reads a line, without its end, and hands every fault to `faults`.
pub fn read_line<'a>(
    line: &'a str,
    options: &ReadOptions,
    faults: &mut dyn FnMut(Fault),
) -> Line<'a> {
    let text = Token { at: 0, text: line };
    let text = if line.starts_with('\u{feff}') { text.skip(3) } else { text };
    let text = text.trim_end().trim_start();
    match text.text.as_bytes().first() {
        None => return Line::Blank,
        Some(b'#') => return Line::Comment,
        _ => {}
    }
    if line.len() > LONGEST_LINE {
        let at = line.floor_char_boundary(LONGEST_LINE)..line.len();
        faults(Fault { at, kind: FaultKind::LongLine(line.len()) });
    }
    match fields::read(text, options.dialect, faults) {
        Some(mut record) => {
            record.plays = options.moves;
            check::check(&mut record, faults);
            Line::Record(record)
        }
        None => Line::Bad,
    }
}

/// “Implementors are encouraged to have their programs handle EPD text lines of up to 1024 characters long” (EPD 3).
const LONGEST_LINE: usize = 1024;
