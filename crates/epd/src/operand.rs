//! The operands of an operation, as values.

use std::fmt;

use crate::centipawns::Centipawns;
use crate::opcode::{ExpectedOperand, OperandType};
use crate::read::escapes::Escapes;
use crate::read::free_text::are_operands;
use crate::read::operations::{End, Operations};
use crate::read::text::Token;
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
#[non_exhaustive]
pub enum OperandError {
    /// The operand has the wrong type.
    #[error("expected {0}")]
    Type(ExpectedOperand),
    /// The number is out of range.
    #[error("{value} is not in the range from {least} to {most}")]
    Range {
        /// The number.
        value: i64,
        /// The lower bound.
        least: i64,
        /// The upper bound.
        most: i64,
    },
    /// The string cannot be written in quotes.
    #[error("a string has no quotes and control characters, and at most {LONGEST_STRING} bytes")]
    Text,
    /// A move that is empty or contains spaces, quotes or semicolons.
    #[error("{0:?} cannot be written as a move")]
    Move(String),
    /// Raw text that would not be parsed as the same operands.
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
}
