//! A record: a position and its operations, with unique opcodes in ASCII order (EPD 4.1).

use std::fmt;

use san::Position;

use crate::centipawns::Centipawns;
use crate::opcode::{ExpectedOperand, Opcode, OperandType, is_opcode};
use crate::read::operations::{End, Operations, are_operands};
use crate::read::text::{Escapes, Token};
use crate::string::{LONGEST_STRING, is_legal_string};

/// The operands of an operation.
///
/// Moves are text in SAN; canonical if the record was read with move checking.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Operand {
    /// No operands.
    Nothing,
    /// An integer.
    Integer(i64),
    /// An evaluation.
    Evaluation(Centipawns),
    /// One move.
    Move(String),
    /// A set of moves in ASCII order, or a line of play in order.
    Moves(Vec<String>),
    /// A string, without its quotes.
    Text(String),
    /// Two strings.
    Texts(String, String),
    /// Operands as written: those of unknown opcodes, and those that do not fit the opcode.
    Raw(String),
}

/// An error that prevents an operation from having an operand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum OperandError {
    #[error("expected {0}")]
    Type(ExpectedOperand),
    #[error("{value} is not in the range from {least} to {most}")]
    Range { value: i64, least: i64, most: i64 },
    #[error("a string has no quotes and control characters, and at most {LONGEST_STRING} bytes")]
    Text,
    #[error("{0:?} cannot be written as a move")]
    Move(String),
    #[error("{0:?} cannot be written as an operand")]
    Raw(String),
}

impl Operand {
    /// Whether an opcode of type `operands` accepts it, such that it survives a round trip.
    pub(crate) fn check(&self, operands: OperandType) -> Result<(), OperandError> {
        match (operands, self) {
            (OperandType::Any, Operand::Raw(text)) => raw(text),
            (OperandType::Nothing | OperandType::Register | OperandType::Any, Operand::Nothing) => {
                Ok(())
            }
            (OperandType::Integer { least, most }, Operand::Integer(value)) => {
                if (least..=most).contains(value) {
                    return Ok(());
                }
                Err(OperandError::Range { value: *value, least, most })
            }
            (OperandType::Evaluation, Operand::Evaluation(_)) => Ok(()),
            (OperandType::Move, Operand::Move(text)) => a_move(text),
            (OperandType::Moves | OperandType::Line, Operand::Moves(texts)) => {
                texts.iter().try_for_each(|text| a_move(text))
            }
            (OperandType::Text | OperandType::Register, Operand::Text(string)) => text(string),
            (OperandType::TwoTexts, Operand::Texts(first, second)) => {
                text(first).and_then(|()| text(second))
            }
            _ => Err(OperandError::Type(ExpectedOperand(operands))),
        }
    }
}

/// Displays the operands as they are written in a record, without the opcode.
///
/// ```
/// use epd::Operand;
///
/// assert_eq!(Operand::Moves(vec!["Nf3".into(), "d4".into()]).to_string(), "Nf3 d4");
/// assert_eq!(Operand::Text("BK.01".into()).to_string(), "\"BK.01\"");
/// ```
impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Nothing => Ok(()),
            Operand::Integer(value) => value.fmt(f),
            Operand::Evaluation(value) => value.fmt(f),
            Operand::Move(text) | Operand::Raw(text) => f.write_str(text),
            Operand::Moves(texts) => f.write_str(&texts.join(" ")),
            Operand::Text(text) => write!(f, "\"{text}\""),
            Operand::Texts(first, second) => write!(f, "\"{first}\" \"{second}\""),
        }
    }
}

fn text(text: &str) -> Result<(), OperandError> {
    if is_legal_string(text) { Ok(()) } else { Err(OperandError::Text) }
}

fn a_move(text: &str) -> Result<(), OperandError> {
    let is_sign = |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, ';' | '"');
    // With a leading number sign, it would be a count of moves until mate.
    let is_move = !text.is_empty() && text.chars().all(is_sign) && !text.starts_with('#');
    if is_move { Ok(()) } else { Err(OperandError::Move(text.to_owned())) }
}

/// Whether the text is parsed as the same raw operands.
pub fn raw(text: &str) -> Result<(), OperandError> {
    let line = format!("noop {text};");
    let mut operations = Operations::new(Token { at: 0, text: &line }, Escapes::None);
    let is_read = operations.next().is_some_and(|op| {
        op.operands() == text && op.end == End::Semicolon && operations.next().is_none()
    });
    let is_legal = is_read && !text.is_empty() && !text.chars().any(char::is_control);
    if is_legal { Ok(()) } else { Err(OperandError::Raw(text.to_owned())) }
}

/// Whether it is parsed as the same strings, numbers and moves of a nonstandard opcode.
pub(crate) fn raw_of_other(text: &str) -> Result<(), OperandError> {
    match are_operands(text, Escapes::None) {
        true => raw(text),
        false => Err(OperandError::Raw(text.to_owned())),
    }
}

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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "crate::serialize::RecordFields"))]
pub struct Record {
    /// The clocks equal `hmvc` and `fmvn`; missing operations mean 0 and 1.
    position: Position,
    operations: Vec<Operation>,
}

/// An opcode with its operand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    name: OperationName,
    operand: Operand,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum OperationName {
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
        Operation { name: OperationName::Known(opcode), operand }
    }

    /// Creates an operation with another opcode, or returns `None` if the name is invalid or known.
    pub(crate) fn other(name: &str, operand: Operand) -> Option<Self> {
        is_opcode(name).then(|| Operation { name: OperationName::Other(name.into()), operand })
    }

    pub(crate) fn can_be_read(&self) -> bool {
        match (&self.operand, &self.name) {
            (Operand::Raw(text), OperationName::Known(_)) => raw(text).is_ok(),
            (Operand::Raw(text), OperationName::Other(_)) => raw_of_other(text).is_ok(),
            _ => true,
        }
    }

    /// Returns the name of the opcode.
    pub fn name(&self) -> &str {
        match &self.name {
            OperationName::Known(opcode) => opcode.name(),
            OperationName::Other(name) => name,
        }
    }

    /// Returns the opcode, if known.
    pub fn opcode(&self) -> Option<Opcode> {
        match self.name {
            OperationName::Known(opcode) => Some(opcode),
            OperationName::Other(_) => None,
        }
    }

    /// Returns the operands.
    pub fn operand(&self) -> &Operand {
        &self.operand
    }
}

/// An error of [`Record::set_other`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum NameError {
    #[error(
        "{0:?} is not an opcode: an opcode starts with a letter, and has letters, digits and underscores"
    )]
    NotAnOpcode(String),
    /// The opcode is in the standard and has an operand type; use [`Record::set`].
    #[error("{0} is an opcode of the standard: its operands have a type")]
    Known(Opcode),
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
        // Stable: duplicates stay in input order. Sorting once is faster than inserting each.
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

    /// Returns the moves of an opcode; none if the record lacks it, or they are not legal.
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

    /// Sets the operand of an opcode in place of any other; a set of moves is sorted. Fails if the
    /// opcode does not accept the operand. Moves are not checked for legality.
    pub fn set(&mut self, opcode: Opcode, operand: Operand) -> Result<(), OperandError> {
        operand.check(opcode.operands())?;
        self.put(opcode, operand);
        Ok(())
    }

    /// Sets the operands of an unknown opcode, as raw text; empty for none. Fails if the name is
    /// not an opcode or one of the standard, or the operands would be misread.
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
        self.insert(Operation { name: OperationName::Other(name.into()), operand });
        Ok(())
    }

    /// Removes an operation.
    pub fn remove(&mut self, name: &str) -> Option<Operand> {
        let removed = self.operations.remove(self.find(name).ok()?);
        self.settle_clocks();
        Some(removed.operand)
    }

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
    fn operands_fit_their_type_or_are_refused() {
        let integer = OperandType::Integer { least: 1, most: i64::MAX };
        assert_eq!(Operand::Integer(1).check(integer), Ok(()));
        let error = Operand::Integer(0).check(integer).unwrap_err();
        assert_eq!(error.to_string(), "0 is not in the range from 1 to 9223372036854775807");
        let error = Operand::Nothing.check(OperandType::Text).unwrap_err();
        assert_eq!(error.to_string(), "expected one string");
        for text in ["a\"b", "a\nb"] {
            assert!(Operand::Text(text.to_owned()).check(OperandType::Text).is_err());
        }
        for text in ["", " a", "a;b", "a \"b", "a\tb"] {
            assert!(Operand::Raw(text.to_owned()).check(OperandType::Any).is_err(), "{text:?}");
        }
        assert_eq!(Operand::Raw("1 \"a;b\" -2.5".to_owned()).check(OperandType::Any), Ok(()));
        assert!(Operand::Move("e4 e5".to_owned()).check(OperandType::Move).is_err());
    }

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
