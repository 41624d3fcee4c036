//! From a record in a line to one of its own, in its normal form.

use std::str::FromStr;

use san::{Position, resolve, san_of};

use super::operands::{MoveTexts, OperandRef};
use super::operations::OperationRef;
use super::{ReadError, RecordRef};
use crate::{Opcode, Operand, OperandType, Record, legal_string};

impl RecordRef<'_> {
    /// The record in its normal form: each opcode once, moves in canonical SAN, strings with quotes, clocks and labels as
    /// operations.
    ///
    /// What is no operand of its opcode is kept as it is written; what is no operation at all is left out.
    pub fn to_record(&self) -> Record {
        let mut record = Record::new(self.position.clone());
        record.spelled = self.spelled;
        if self.has_clocks {
            record.put(Opcode::Hmvc, Operand::Integer(self.position.halfmoves().into()));
            record.put(Opcode::Fmvn, Operand::Integer(self.position.fullmoves().into()));
        }
        if let Some(label) = self.label {
            if let Some(evaluation) = label.evaluation(self.position.turn()) {
                record.put(Opcode::Ce, Operand::Evaluation(evaluation));
            }
            if let Some(result) = label.result {
                record.put(Opcode::C9, Operand::Text(result.to_owned()));
            }
        }
        for operation in self.operations() {
            match (operation.opcode, self.operand(&operation)) {
                (Some(opcode), operand) => record.put(opcode, operand),
                (None, operand) => record.put_other(operation.name(), operand),
            }
        }
        record
    }

    fn operand(&self, operation: &OperationRef<'_>) -> Operand {
        let raw = || Operand::Raw(operation.operands().to_owned());
        match (self.operands(operation), operation.opcode.map(Opcode::operands)) {
            (OperandRef::Nothing, _) => Operand::Nothing,
            (OperandRef::Integer(value), _) => Operand::Integer(value),
            (OperandRef::Evaluation(value), _) => Operand::Evaluation(value),
            (OperandRef::Text(text), _) => Operand::Text(legal_string(&text).into_owned()),
            (OperandRef::Texts(first, second), _) => {
                let text = |text: &str| legal_string(text).into_owned();
                Operand::Texts(text(&first), text(&second))
            }
            (OperandRef::Moves(texts), Some(OperandType::Move)) => {
                match self.moves(texts, false).and_then(|moves| moves.into_iter().next()) {
                    Some(san) => Operand::Move(san),
                    None => raw(),
                }
            }
            (OperandRef::Moves(texts), kind) => {
                self.moves(texts, kind == Some(OperandType::Line)).map_or_else(raw, Operand::Moves)
            }
            (OperandRef::Raw(_), _) => raw(),
        }
    }

    /// Moves in canonical SAN; none if one of them cannot be played. Where moves are not played they stay as they are.
    fn moves(&self, texts: MoveTexts<'_>, is_line: bool) -> Option<Vec<String>> {
        if !self.plays {
            return Some(texts.map(str::to_owned).collect());
        }
        let mut position: Position = self.position.clone();
        let mut sans = Vec::new();
        for text in texts {
            let next = resolve(&position, text.as_bytes()).ok()?;
            sans.push(san_of(&position, next).to_string());
            if is_line {
                position.play_unchecked(next);
            }
        }
        Some(sans)
    }
}

impl FromStr for Record {
    type Err = ReadError;

    /// Reads a record of the standard, as [`RecordRef::read`] does.
    fn from_str(line: &str) -> Result<Self, ReadError> {
        RecordRef::read(line).map(|record| record.to_record())
    }
}
