//! A record borrowed from its line.

use san::Position;

use super::escapes::Escapes;
use super::operands::{self, OperandRef};
use super::operations::{OperationRef, Operations};
use super::text::Token;
use crate::dialect::Dialect;
use crate::dialect::label::Label;
use crate::opcode::Opcode;

/// Options for reading lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The dialect of all lines; `None` to detect it for each line.
    pub dialect: Option<Dialect>,
    /// Whether the moves in operands are played.
    pub moves: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { dialect: None, moves: true }
    }
}

/// The content of a line.
#[derive(Clone, Debug)]
pub enum Line<'a> {
    /// An empty line.
    Blank,
    /// A comment: a line that begins with `#` or `;`.
    Comment,
    /// Not a record; the reason has been reported.
    Bad,
    /// A record. Its operations may have faults.
    Record(RecordRef<'a>),
    /// A record of Crazyhouse or Three-check, recognized by its fields, without surrounding spaces.
    /// The fields are legal in the variant; moves in operands are not checked.
    Variant(&'a str),
}

/// A record borrowed from a line.
///
/// ```
/// use epd::{Opcode, OperandRef, RecordRef};
///
/// let line = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";";
/// let record = RecordRef::read(line)?;
/// assert_eq!(record.position().turn(), san::Color::Black);
/// let Some(OperandRef::Moves(moves)) = record.get(Opcode::Bm) else { panic!() };
/// assert_eq!(moves.collect::<Vec<_>>(), ["Qd1+"]);
/// # Ok::<_, epd::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RecordRef<'a> {
    pub(crate) position: Position,
    pub(crate) dialect: Dialect,
    /// Whether the line has clock fields.
    pub(crate) has_clocks: bool,
    pub(crate) label: Option<Label<'a>>,
    pub(crate) spelled: u8,
    pub(crate) rest: Token<'a>,
    pub(crate) escapes: Escapes,
    /// Whether moves are played.
    pub(crate) plays: bool,
}

impl<'a> RecordRef<'a> {
    /// Returns the position, with the clocks of `hmvc` and `fmvn`, or of the six fields, or else 0
    /// and 1.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the dialect of the line.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the offset in the line after the fields.
    pub fn operations_at(&self) -> usize {
        self.rest.at
    }

    /// Returns the operations as written, from left to right.
    pub fn operations(&self) -> impl Iterator<Item = OperationRef<'a>> {
        Operations::new(self.rest, self.escapes).filter(OperationRef::is_real)
    }

    /// Returns the operands of an opcode; the last ones, if the opcode is duplicated.
    pub fn get(&self, opcode: Opcode) -> Option<OperandRef<'a>> {
        let operation = self.operations().filter(|op| op.opcode == Some(opcode)).last()?;
        Some(self.operands(&operation))
    }

    /// Returns the operands of one of [`RecordRef::operations`].
    pub fn operands(&self, operation: &OperationRef<'a>) -> OperandRef<'a> {
        operands::read(operation, self.escapes, &mut |_| {})
    }
}
