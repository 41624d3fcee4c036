//! A record borrowed from its line.

use std::ops::Range;

use san::{Color, File, Position, VariantPosition};

use super::operands::{self, OperandRef};
use super::operations::{
    End, OpcodeForm, OperationRef, Operations, PlainOperation, PlainOperations, are_operands,
};
use super::text::{Escapes, Token};
use crate::centipawns::Centipawns;
use crate::dialect::forms::LabelText;
use crate::dialect::{Dialect, Rules};
use crate::opcode::{Opcode, is_opcode};

/// Options for reading lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The dialect of all lines; `None` to detect it for each line.
    pub dialect: Option<Dialect>,
    /// Whether operations are checked. If not, only the clocks are read, without diagnostics.
    pub operations: bool,
    /// Whether the moves in operands are played.
    pub moves: bool,
    /// The rules of all lines.
    pub rules: Rules,
    /// Whether positions that no game leads to are errors, even if moves can be played.
    pub strict: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            dialect: None,
            operations: true,
            moves: true,
            rules: Rules::Detected,
            strict: false,
        }
    }
}

/// The content of a line.
// Nearly all lines are records, so a box would be an allocation for each.
#[expect(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
pub enum Line<'a> {
    /// An empty line.
    Blank,
    /// A comment: a line that begins with `#`, `;`, `%` or `// `.
    Comment,
    /// Not a record; the reason has been reported.
    Bad,
    /// A record. Its operations may have faults.
    Record(RecordRef<'a>),
    /// A record of a variant, by the [`ReadOptions`] or recognized by its fields.
    Variant(Box<VariantRef<'a>>),
}

/// A record of a variant.
#[derive(Clone, Debug)]
pub struct VariantRef<'a> {
    pub(crate) position: VariantPosition,
    /// Its operations, and a position without meaning that has the clocks.
    pub(crate) record: RecordRef<'a>,
}

impl<'a> VariantRef<'a> {
    /// Returns the position, without clocks.
    pub fn position(&self) -> &VariantPosition {
        &self.position
    }

    /// Returns the record, whose operations are those of the line; its position has no meaning.
    pub fn operations(&self) -> &RecordRef<'a> {
        &self.record
    }
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
    pub(crate) has_clocks: bool,
    pub(crate) label: Option<(Token<'a>, LabelText<'a>)>,
    pub(crate) rest: Token<'a>,
    pub(crate) escapes: Escapes,
    pub(crate) plays: bool,
}

impl<'a> RecordRef<'a> {
    /// Returns a record without clock fields and label; `rest` is the text after its fields.
    pub(crate) fn new(
        position: Position,
        dialect: Dialect,
        escapes: Escapes,
        rest: Token<'a>,
        plays: bool,
    ) -> Self {
        let (has_clocks, label) = (false, None);
        RecordRef { position, dialect, has_clocks, label, rest, escapes, plays }
    }

    /// Returns the position, with the clocks of `hmvc` and `fmvn`, or of six fields, or 0 and 1.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Whether only Chess960 has such castling rights: no king that may castle is on the e-file.
    pub fn is_of_chess960(&self) -> bool {
        let rooks = self.position.castling_rooks();
        let has_right = |color: &Color| (rooks & self.position.side(*color)).any();
        let is_on_e = |color| self.position.king(color).file() == File::E;
        rooks.any() && !Color::ALL.into_iter().filter(has_right).any(is_on_e)
    }

    /// Returns the dialect of the line.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the offset in the line after the fields.
    pub fn operations_at(&self) -> usize {
        self.rest.at
    }

    /// Returns the operations as written, from left to right, without text that is none.
    pub fn operations(&self) -> impl Iterator<Item = OperationRef<'a>> + '_ {
        let operations = Operations::new(self.rest, self.escapes);
        operations.filter(|operation| operation.is_real() && !self.is_free_text(operation))
    }

    pub(crate) fn is_free_text(&self, operation: &OperationRef<'_>) -> bool {
        let is_unknown_operation = || {
            is_opcode(operation.name.text)
                && (operation.end == End::Semicolon || self.dialect == Dialect::Perft)
                && are_operands(operation.operands.text, self.escapes)
        };
        operation.opcode.is_none() && !is_unknown_operation()
    }

    /// Returns the operands of an opcode; the last ones, if the opcode is duplicated.
    pub fn get(&self, opcode: Opcode) -> Option<OperandRef<'a>> {
        let any = || self.operations().filter(|op| op.opcode == Some(opcode)).last();
        Some(self.operands(&self.plain(opcode).unwrap_or_else(any)?))
    }

    /// Returns the last one; the outer `None` unless all have the form that programs write.
    fn plain(&self, opcode: Opcode) -> Option<Option<OperationRef<'a>>> {
        let mut last = None;
        for operation in PlainOperations::new(self.rest.text) {
            let operation = operation?;
            if self.rest.text.as_bytes()[operation.name.clone()] == *opcode.name().as_bytes() {
                last = Some(operation);
            }
        }
        let token =
            |at: Range<usize>| Token { at: self.rest.at + at.start, text: &self.rest.text[at] };
        Some(last.map(|PlainOperation { name, operands }| OperationRef {
            name: token(name),
            operands: token(operands),
            opcode: Some(opcode),
            end: End::Semicolon,
            form: OpcodeForm::Named,
        }))
    }

    /// Whether the line gives the number of the move, as a field or as `fmvn`.
    pub fn has_fullmove_number(&self) -> bool {
        self.has_clocks || self.get(Opcode::Fmvn).is_some()
    }

    /// Whether the record has the halfmove clock, as `hmvc` or in six fields.
    pub fn has_halfmove_clock(&self) -> bool {
        self.has_clocks || self.get(Opcode::Hmvc).is_some()
    }

    /// Returns the label's evaluation for the side to move and its result, if the line has a label.
    pub fn label(&self) -> Option<(Option<Centipawns>, Option<&str>)> {
        let (_, label) = self.label.as_ref()?;
        Some((label.evaluation(self.position.turn()), label.result.as_deref()))
    }

    /// Returns the move played that the label has, as written.
    pub fn played_by_label(&self) -> Option<&'a str> {
        self.label.as_ref().and_then(|(_, label)| label.played)
    }

    /// Returns the operands of one of [`RecordRef::operations`].
    pub fn operands(&self, operation: &OperationRef<'a>) -> OperandRef<'a> {
        operands::read(operation, self.escapes, &mut |_| {})
    }
}
