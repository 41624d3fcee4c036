//! Converts a borrowed record to an owned one in normal form.

use std::str::FromStr;

use san::{Position, resolve, san_of};

use super::line::ReadError;
use super::operands::{MoveTexts, OperandRef};
use super::operations::{End, OperationRef};
use super::record_ref::RecordRef;
use crate::opcode::{Opcode, OperandType};
use crate::operand::Operand;
use crate::record::{Operation, Record};
use crate::registers::state::Register;
use crate::string::is_control;

impl RecordRef<'_> {
    /// Returns the record in normal form: unique opcodes, moves in canonical SAN, quoted strings,
    /// clocks and labels as operations.
    ///
    /// A scanner has the same registers after the record as after the line, although operations are
    /// sorted: an operation whose register is cleared by a later one is dropped. Operands that do
    /// not fit the opcode are kept as written; text that is not an operation is dropped.
    pub fn to_record(&self) -> Record {
        let mut operations = Vec::new();
        if self.has_clocks {
            let (halfmoves, fullmoves) = (self.position.halfmoves(), self.position.fullmoves());
            operations.push(Operation::of(Opcode::Hmvc, Operand::Integer(halfmoves.into())));
            operations.push(Operation::of(Opcode::Fmvn, Operand::Integer(fullmoves.into())));
        }
        let mut registers: Vec<(Register, Operand)> = Vec::new();
        if let Some(label) = self.label {
            if let Some(evaluation) = label.evaluation(self.position.turn()) {
                operations.push(Operation::of(Opcode::Ce, Operand::Evaluation(evaluation)));
            }
            if let Some(result) = label.result {
                operations.push(Operation::of(Opcode::C9, Operand::Text(result.to_owned())));
            }
        }
        for operation in self.operations() {
            let operand = self.operand(&operation);
            match (operation.opcode, operation.opcode.and_then(Opcode::register)) {
                (_, Some(register)) => {
                    registers.retain(|(held, _)| !register.clears(*held));
                    registers.push((register, operand));
                }
                (Some(opcode), None) => operations.push(Operation::of(opcode, operand)),
                (None, None) => operations.extend(Operation::other(operation.name(), operand)),
            }
        }
        let opcode = |(register, operand)| Operation::of(Opcode::of_register(register), operand);
        operations.extend(registers.into_iter().map(opcode));
        self.mate_count(&mut operations);
        let mut record = Record::of_operations(self.position.clone(), operations);
        record.spelled = self.spelled;
        record
    }

    /// Converts `bm #2` to `dm 2`, unless another `dm` is present. The last `bm` counts, so earlier ones are dropped.
    fn mate_count(&self, operations: &mut Vec<Operation>) {
        let at = |opcode| operations.iter().rposition(|o| o.opcode() == Some(opcode));
        let Some(best) = at(Opcode::Bm) else { return };
        let Operand::Raw(text) = operations[best].operand() else { return };
        let Some(moves) = text.strip_prefix('#').and_then(|digits| digits.parse().ok()) else {
            return;
        };
        let mate = Operation::of(Opcode::Dm, Operand::Integer(moves));
        match at(Opcode::Dm) {
            _ if moves < 1 => return,
            Some(dm) if operations[dm] != mate => return,
            Some(_) => {}
            None => operations[best] = mate,
        }
        operations.retain(|operation| operation.opcode() != Some(Opcode::Bm));
    }

    fn operand(&self, operation: &OperationRef<'_>) -> Operand {
        // Control characters cannot be written, and count as white space when read.
        let raw = || {
            let mut text = operation.operands().replace(is_control, " ");
            if operation.end == End::OpenString {
                text.truncate(text.trim_end_matches([';', ' ']).len());
                text.push('"');
            }
            Operand::Raw(text)
        };
        match (self.operands(operation), operation.opcode.map(Opcode::operands)) {
            (OperandRef::Nothing, _) => Operand::Nothing,
            (OperandRef::Integer(value), _) => Operand::Integer(value),
            (OperandRef::Evaluation(value), _) => Operand::Evaluation(value),
            (OperandRef::Text(text), _) => Operand::Text(text.into_owned()),
            (OperandRef::Texts(first, second), _) => {
                Operand::Texts(first.into_owned(), second.into_owned())
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

    /// Returns the moves in canonical SAN, or `None` if one is illegal. Without move checking they
    /// are unchanged.
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

    /// Parses a record of the standard, like [`RecordRef::read`].
    fn from_str(line: &str) -> Result<Self, ReadError> {
        RecordRef::read(line).map(|record| record.to_record())
    }
}
