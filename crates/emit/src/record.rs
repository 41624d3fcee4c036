//! A record: a position, and operations, each opcode once, in ASCII order (EPD 4.1).

use std::fmt;

use san::{Buffer, FieldStyle, Position};

use crate::check::operations::is_opcode;
use crate::operand::raw;
use crate::write::record as write;
use crate::{Opcode, Operand, OperandError, OperandType};

/// A position and what is said of it.
///
/// ```
/// use emit::{Opcode, Operand, Record};
///
/// let mut record: Record = "4k3/8/8/8/8/8/4P3/4K3 w - - id \"up\"; bm e4 e3; Ae \"mine\";".parse()?;
/// assert_eq!(record.get(Opcode::Id), Some(&Operand::Text("up".to_owned())));
/// record.set(Opcode::Dm, Operand::Integer(9))?;
/// assert!(record.set(Opcode::Dm, Operand::Integer(0)).is_err());
/// record.remove("id");
/// assert_eq!(
///     record.to_string(),
///     "4k3/8/8/8/8/8/4P3/4K3 w - - Ae \"mine\"; bm e3 e4; dm 9;"
/// );
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Record {
    /// Its clocks are those of `hmvc` and `fmvn`; where there is no such operation 0 and 1.
    position: Position,
    operations: Vec<Operation>,
    /// See `dialect::crafty`.
    pub(crate) spelled: u8,
}

/// An opcode with its operand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    name: Name,
    operand: Operand,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Name {
    Known(Opcode),
    Other(Box<str>),
}

impl Operation {
    /// The name of the opcode.
    pub fn name(&self) -> &str {
        match &self.name {
            Name::Known(opcode) => opcode.name(),
            Name::Other(name) => name,
        }
    }

    /// The opcode, if it is known.
    pub fn opcode(&self) -> Option<Opcode> {
        match self.name {
            Name::Known(opcode) => Some(opcode),
            Name::Other(_) => None,
        }
    }

    /// What stands behind it.
    pub fn operand(&self) -> &Operand {
        &self.operand
    }
}

/// A name that cannot stand for an operation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// It is no opcode.
    #[error(
        "{0:?} is no opcode: an opcode starts with a letter, and has letters, digits and underscores"
    )]
    NotAnOpcode(String),
    /// It has a type, which [`Record::set`] looks at.
    #[error("{0} is an opcode of the standard: its operands have a type")]
    Known(Opcode),
    /// The operands cannot be written.
    #[error(transparent)]
    Operand(#[from] OperandError),
}

impl Record {
    /// A record of the position alone. Its clocks are left out: [`Record::with_clocks`] has them.
    pub fn new(position: Position) -> Self {
        let position = position.with_clocks(0, 1);
        Record { position, operations: Vec::new(), spelled: 0 }
    }

    /// A record of the position with `fmvn` and `hmvc`.
    pub fn with_clocks(position: Position) -> Self {
        let (halfmoves, fullmoves) = (position.halfmoves(), position.fullmoves());
        let mut record = Record::new(position);
        record.put(Opcode::Hmvc, Operand::Integer(halfmoves.into()));
        record.put(Opcode::Fmvn, Operand::Integer(fullmoves.into()));
        record
    }

    /// The position, with the clocks of `hmvc` and `fmvn`; where there is no such operation 0 and 1.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The operations, in ASCII order.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// What stands behind an opcode; `None` if it is not there.
    pub fn get(&self, opcode: Opcode) -> Option<&Operand> {
        self.get_other(opcode.name())
    }

    /// The same by name, for opcodes that are not known.
    pub fn get_other(&self, name: &str) -> Option<&Operand> {
        self.find(name).ok().map(|index| &self.operations[index].operand)
    }

    /// Gives an opcode its operand, in the place of the one it has. A set of moves is put into ASCII order.
    ///
    /// # Errors
    ///
    /// If the opcode does not take this. Whether moves can be played is not asked.
    pub fn set(&mut self, opcode: Opcode, operand: Operand) -> Result<(), OperandError> {
        operand.check(opcode.operands())?;
        self.put(opcode, operand);
        Ok(())
    }

    /// Gives an opcode that is not known its operands, as they are to be written; empty for none.
    ///
    /// # Errors
    ///
    /// If the name is no opcode or one of the standard, or the operands would not be read back as they are.
    pub fn set_other(&mut self, name: &str, operands: &str) -> Result<(), NameError> {
        if !is_opcode(name) {
            return Err(NameError::NotAnOpcode(name.to_owned()));
        }
        if let Some(opcode) = Opcode::from_name(name) {
            return Err(NameError::Known(opcode));
        }
        if operands.is_empty() {
            self.put_other(name, Operand::Nothing);
            return Ok(());
        }
        raw(operands)?;
        self.put_other(name, Operand::Raw(operands.to_owned()));
        Ok(())
    }

    /// Takes an operation out.
    pub fn remove(&mut self, name: &str) -> Option<Operand> {
        let removed = self.operations.remove(self.find(name).ok()?);
        self.settle_clocks();
        Some(removed.operand)
    }

    /// Where an operation is, or belongs.
    fn find(&self, name: &str) -> Result<usize, usize> {
        self.operations.binary_search_by(|operation| operation.name().cmp(name))
    }

    /// Puts an operation into its place. What could not be read back is left out.
    pub(crate) fn put(&mut self, opcode: Opcode, mut operand: Operand) {
        if let (OperandType::Moves, Operand::Moves(moves)) = (opcode.operands(), &mut operand) {
            moves.sort();
            moves.dedup();
        }
        self.insert(Name::Known(opcode), opcode.name(), operand);
        if matches!(opcode, Opcode::Hmvc | Opcode::Fmvn) {
            self.settle_clocks();
        }
    }

    /// The same for an opcode that is not known.
    pub(crate) fn put_other(&mut self, name: &str, operand: Operand) {
        if is_opcode(name) {
            self.insert(Name::Other(name.into()), name, operand);
        }
    }

    fn insert(&mut self, name: Name, text: &str, operand: Operand) {
        if matches!(&operand, Operand::Raw(text) if raw(text).is_err()) {
            return;
        }
        match self.find(text) {
            Ok(index) => self.operations[index].operand = operand,
            Err(index) => self.operations.insert(index, Operation { name, operand }),
        }
    }

    fn settle_clocks(&mut self) {
        let number = |opcode, default| match self.get(opcode) {
            Some(Operand::Integer(value)) => u32::try_from(*value).unwrap_or(default),
            _ => default,
        };
        let (halfmoves, fullmoves) = (number(Opcode::Hmvc, 0), number(Opcode::Fmvn, 1));
        self.position.set_clocks(halfmoves, fullmoves);
    }
}

impl fmt::Display for Record {
    /// The record of the standard, without a line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut buffer = Buffer::default();
        write::write(self, write::Form::Epd, FieldStyle::default(), &mut buffer);
        f.write_str(&String::from_utf8_lossy(buffer.as_bytes()))
    }
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Record({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_those_of_the_operations() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 5 39").unwrap();
        let mut record = Record::with_clocks(position.clone());
        assert_eq!(record.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - fmvn 39; hmvc 5;");
        assert_eq!(*record.position(), position);
        record.remove("hmvc");
        assert_eq!(record.position().halfmoves(), 0);
        record.set(Opcode::Fmvn, Operand::Integer(7)).unwrap();
        assert_eq!(record.position().fullmoves(), 7);
        assert_eq!(Record::new(position).to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - -");
    }

    #[test]
    fn other_opcodes_are_kept_as_they_are() {
        let mut record: Record =
            "4k3/8/8/8/8/8/4P3/4K3 w - - x1 a  b \"c;d\"; bm e4;".parse().unwrap();
        assert_eq!(record.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; x1 a  b \"c;d\";");
        assert_eq!(record.set_other("y", "1 2"), Ok(()));
        assert!(record.set_other("7up", "1").is_err());
        assert!(record.set_other("bm", "e4").is_err());
        assert!(record.set_other("y", "a; b").is_err());
    }
}
