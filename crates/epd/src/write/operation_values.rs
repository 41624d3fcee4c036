//! Collects the operations of one record as values.

use san::Position;

use super::operations::Operations;
use super::packed_opcode::PackedOpcode;
use crate::ascii::to_ascii;
use crate::centipawns::Centipawns;
use crate::opcode::{Opcode, OperandType};
use crate::operand::Operand;
use crate::record::{Operation, Record};
use crate::string::is_legal_string;

/// The operations of a record as values, for a [`Record`] that is made without its text.
///
/// ```
/// use epd::{OperationValues, Operations, PackedOpcode};
///
/// let mut operations = OperationValues::default();
/// operations.number(PackedOpcode::new("ce"), -35);
/// operations.moves(PackedOpcode::new("bm"), ["e4", "d4"]);
/// let record = operations.take_record(san::Position::default());
/// assert_eq!(
///     record.to_string(),
///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm d4 e4; ce -35;"
/// );
/// ```
#[derive(Debug, Default)]
pub struct OperationValues {
    list: Vec<Operation>,
}

impl OperationValues {
    /// Removes all operations and returns them as a record, with the clocks of `hmvc` and `fmvn`.
    pub fn take_record(&mut self, position: Position) -> Record {
        Record::of_operations(position, std::mem::take(&mut self.list))
    }

    /// Transliterates strings and other text to ASCII; returns the number of strings that were cut.
    /// See [`to_ascii`](crate::to_ascii).
    pub fn transliterate(&mut self) -> u64 {
        self.list.iter_mut().map(|operation| operation.map_text(ascii)).sum()
    }

    fn add(&mut self, name: PackedOpcode, operand: impl FnOnce(OperandType) -> Operand) {
        let text = name.text();
        let Ok(text) = str::from_utf8(&text) else { return };
        match Opcode::from_name(text) {
            Some(opcode) => self.list.push(Operation::of(opcode, operand(opcode.operands()))),
            None => self.list.extend(Operation::other(text, operand(OperandType::Any))),
        }
    }
}

impl Operations for OperationValues {
    fn clear(&mut self) {
        self.list.clear();
    }

    fn bare(&mut self, name: PackedOpcode) {
        self.add(name, |_| Operand::Nothing);
    }

    fn number(&mut self, name: PackedOpcode, number: i64) {
        self.add(name, |operands| match operands {
            OperandType::Integer { .. } => Operand::Integer(number),
            OperandType::Evaluation => Centipawns::new(number)
                .map_or_else(|| Operand::Raw(number.to_string()), Operand::Evaluation),
            _ => Operand::Raw(number.to_string()),
        });
    }

    fn word(&mut self, name: PackedOpcode, word: &str) {
        self.add(name, |_| Operand::Raw(word.to_owned()));
    }

    fn moves<M: AsRef<[u8]>>(&mut self, name: PackedOpcode, moves: impl IntoIterator<Item = M>) {
        let text = |san: M| String::from_utf8_lossy(san.as_ref()).into_owned();
        let mut moves = moves.into_iter().map(text);
        self.add(name, |operands| match operands {
            OperandType::Move => moves.next().map_or(Operand::Nothing, Operand::Move),
            _ => Operand::Moves(moves.collect()),
        });
    }

    fn string(&mut self, name: PackedOpcode, text: &str) {
        debug_assert!(is_legal_string(text), "{text:?}");
        self.add(name, |operands| match operands {
            OperandType::Any => Operand::Raw(format!("\"{text}\"")),
            _ => Operand::Text(text.to_owned()),
        });
    }

    fn strings(&mut self, name: PackedOpcode, first: &str, second: &str) {
        self.add(name, |_| Operand::Texts(first.to_owned(), second.to_owned()));
    }

    fn operation(&mut self, operation: &Operation) {
        self.list.push(operation.clone());
    }

    fn has(&self, name: PackedOpcode) -> bool {
        self.list.iter().any(|operation| is_named(operation, name))
    }

    fn first_move(&self, name: PackedOpcode) -> Option<&[u8]> {
        match self.list.iter().rfind(|operation| is_named(operation, name))?.operand() {
            Operand::Move(san) => Some(san.as_bytes()),
            Operand::Moves(sans) => sans.first().map(String::as_bytes),
            _ => None,
        }
    }

    fn remove(&mut self, name: PackedOpcode) {
        self.list.retain(|operation| !is_named(operation, name));
    }
}

fn is_named(operation: &Operation, name: PackedOpcode) -> bool {
    PackedOpcode::new(operation.name()) == name
}

/// Transliterates the text of an operand; returns the number of strings that were cut.
fn ascii(operand: &mut Operand) -> u64 {
    let string = |text: &mut String| {
        if text.is_ascii() {
            return 0;
        }
        let quoted = format!("\"{text}\"");
        let (ascii, cut) = to_ascii(&quoted);
        *text = ascii[1..ascii.len() - 1].to_owned();
        cut
    };
    match operand {
        Operand::Text(text) => string(text),
        Operand::Texts(first, second) => string(first) + string(second),
        Operand::Raw(text) => {
            let (ascii, cut) = to_ascii(text);
            *text = ascii.into_owned();
            cut
        }
        _ => 0,
    }
}
