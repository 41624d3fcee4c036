//! A record: a position and its operations, with unique opcodes in ASCII order (EPD 4.1).

use std::fmt;

use san::Position;

use crate::opcode::{Opcode, OperandType, is_opcode};
use crate::operand::{Operand, OperandError, raw, raw_of_other};

/// A position with its operations.
///
/// ```
/// use epd::{Opcode, Operand, Record};
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
    /// The clocks equal `hmvc` and `fmvn`; missing operations mean 0 and 1.
    position: Position,
    operations: Vec<Operation>,
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
    /// Creates an operation of the standard. A set of moves is sorted in ASCII order.
    pub(crate) fn of(opcode: Opcode, mut operand: Operand) -> Self {
        if let (OperandType::Moves, Operand::Moves(moves)) = (opcode.operands(), &mut operand) {
            moves.sort();
            moves.dedup();
        }
        Operation { name: Name::Known(opcode), operand }
    }

    /// Creates an operation with another opcode, or returns `None` if the name is invalid or known.
    pub(crate) fn other(name: &str, operand: Operand) -> Option<Self> {
        is_opcode(name).then(|| Operation { name: Name::Other(name.into()), operand })
    }

    /// Whether the operation survives a round trip.
    pub(crate) fn can_be_read(&self) -> bool {
        match (&self.operand, &self.name) {
            (Operand::Raw(text), Name::Known(_)) => raw(text).is_ok(),
            (Operand::Raw(text), Name::Other(_)) => raw_of_other(text).is_ok(),
            _ => true,
        }
    }

    /// Changes the operand; returns what `change` returns.
    pub(crate) fn map_text<T>(&mut self, change: impl FnOnce(&mut Operand) -> T) -> T {
        change(&mut self.operand)
    }

    /// Returns the name of the opcode.
    pub fn name(&self) -> &str {
        match &self.name {
            Name::Known(opcode) => opcode.name(),
            Name::Other(name) => name,
        }
    }

    /// Returns the opcode, if known.
    pub fn opcode(&self) -> Option<Opcode> {
        match self.name {
            Name::Known(opcode) => Some(opcode),
            Name::Other(_) => None,
        }
    }

    /// Returns the operands.
    pub fn operand(&self) -> &Operand {
        &self.operand
    }
}

/// An error of [`Record::set_other`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// The name is not an opcode.
    #[error(
        "{0:?} is not an opcode: an opcode starts with a letter, and has letters, digits and underscores"
    )]
    NotAnOpcode(String),
    /// The opcode is in the standard and has an operand type; use [`Record::set`].
    #[error("{0} is an opcode of the standard: its operands have a type")]
    Known(Opcode),
    /// The operands cannot be written.
    #[error(transparent)]
    Operand(#[from] OperandError),
}

impl Record {
    /// Creates a record without operations and clocks; [`Record::with_clocks`] keeps the clocks.
    pub fn new(position: Position) -> Self {
        let position = position.with_clocks(0, 1);
        Record { position, operations: Vec::new() }
    }

    /// Creates a record with `fmvn` and `hmvc`.
    pub fn with_clocks(position: Position) -> Self {
        let (halfmoves, fullmoves) = (position.halfmoves(), position.fullmoves());
        let mut record = Record::new(position);
        record.put(Opcode::Hmvc, Operand::Integer(halfmoves.into()));
        record.put(Opcode::Fmvn, Operand::Integer(fullmoves.into()));
        record
    }

    /// The last operation of an opcode wins; those that would not survive a round trip are dropped.
    pub(crate) fn of_operations(position: Position, mut operations: Vec<Operation>) -> Self {
        operations.retain(Operation::can_be_read);
        // Stable, so that duplicates stay in input order. Sorting once is faster than inserting
        // each.
        operations.sort_by(|a, b| a.name().cmp(b.name()));
        operations.dedup_by(|later, earlier| {
            let is_same = later.name == earlier.name;
            if is_same {
                std::mem::swap(later, earlier);
            }
            is_same
        });
        let mut record = Record { position, operations };
        record.settle_clocks();
        record
    }

    /// Returns the position, with the clocks of `hmvc` and `fmvn`; missing operations mean 0 and 1.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the operations, in ASCII order.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// Returns the operand of an opcode, or `None` if the record does not contain it.
    pub fn get(&self, opcode: Opcode) -> Option<&Operand> {
        self.get_other(opcode.name())
    }

    /// Returns the moves of an opcode: the one of `sm`, all of `bm`. Empty if the record does not
    /// contain it, or its moves are not legal.
    ///
    /// ```
    /// use epd::{Opcode, Record};
    ///
    /// let record: Record = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 e3; sm e4;".parse()?;
    /// assert_eq!(record.moves(Opcode::Bm), ["e3", "e4"]);
    /// assert_eq!(record.moves(Opcode::Sm), ["e4"]);
    /// # Ok::<_, epd::ReadError>(())
    /// ```
    pub fn moves(&self, opcode: Opcode) -> &[String] {
        match self.get(opcode) {
            Some(Operand::Move(one)) => std::slice::from_ref(one),
            Some(Operand::Moves(all)) => all,
            _ => &[],
        }
    }

    /// Returns the operand by name, for unknown opcodes.
    pub fn get_other(&self, name: &str) -> Option<&Operand> {
        self.find(name).ok().map(|index| &self.operations[index].operand)
    }

    /// Sets the operand of an opcode, replacing any previous one. A set of moves is sorted in ASCII
    /// order.
    ///
    /// # Errors
    ///
    /// Returns an error if the opcode does not accept the operand. Moves are not checked for
    /// legality.
    pub fn set(&mut self, opcode: Opcode, operand: Operand) -> Result<(), OperandError> {
        operand.check(opcode.operands())?;
        self.put(opcode, operand);
        Ok(())
    }

    /// Sets the operands of an unknown opcode, as raw text; empty for none.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is not an opcode, if it is an opcode of the standard, or if the
    /// operands would not survive a round trip.
    pub fn set_other(&mut self, name: &str, operands: &str) -> Result<(), NameError> {
        if !is_opcode(name) {
            return Err(NameError::NotAnOpcode(name.to_owned()));
        }
        if let Some(opcode) = Opcode::from_name(name) {
            return Err(NameError::Known(opcode));
        }
        let operand = if operands.is_empty() {
            Operand::Nothing
        } else {
            raw_of_other(operands)?;
            Operand::Raw(operands.to_owned())
        };
        self.insert(Operation { name: Name::Other(name.into()), operand });
        Ok(())
    }

    /// Removes an operation.
    pub fn remove(&mut self, name: &str) -> Option<Operand> {
        let removed = self.operations.remove(self.find(name).ok()?);
        self.settle_clocks();
        Some(removed.operand)
    }

    /// Finds the index of an operation, or its insertion point.
    fn find(&self, name: &str) -> Result<usize, usize> {
        self.operations.binary_search_by(|operation| operation.name().cmp(name))
    }

    /// Inserts an operation. One that would not survive a round trip is dropped.
    pub(crate) fn put(&mut self, opcode: Opcode, operand: Operand) {
        self.insert(Operation::of(opcode, operand));
        if matches!(opcode, Opcode::Hmvc | Opcode::Fmvn) {
            self.settle_clocks();
        }
    }

    fn insert(&mut self, operation: Operation) {
        if !operation.can_be_read() {
            return;
        }
        match self.find(operation.name()) {
            Ok(index) => self.operations[index] = operation,
            Err(index) => self.operations.insert(index, operation),
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
            "4k3/8/8/8/8/8/4P3/4K3 w - - x1 4  e5 \"c;d\"; bm e4;".parse().unwrap();
        assert_eq!(record.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; x1 4  e5 \"c;d\";");
        assert_eq!(record.set_other("y", "1 2"), Ok(()));
        assert!(record.set_other("7up", "1").is_err());
        assert!(record.set_other("y", "to win").is_err());
        assert!(record.set_other("bm", "e4").is_err());
        assert!(record.set_other("y", "a; b").is_err());
    }
}
