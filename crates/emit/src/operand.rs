//! What stands behind an opcode, as a value.

use std::fmt;

use crate::read::operands::Escapes;
use crate::read::operations::{End, Operations};
use crate::read::text::Token;
use crate::string::is_legal_string;
use crate::{LONGEST_STRING, OperandType};

/// An evaluation of a position in hundredths of a pawn, as the player to move sees it (EPD 5.6): -32767 to 32766.
///
/// Above 32000 the player to move mates, below -32000 it is mated; the number says in how many plies.
///
/// ```
/// use emit::{Centipawns, Mate};
///
/// assert_eq!(Centipawns::gives_mate_in_moves(1).unwrap().get(), 32766);
/// assert_eq!(Centipawns::gives_mate_in_moves(5).unwrap().get(), 32758);
/// assert_eq!(Centipawns::gets_mated_in_moves(1).unwrap().get(), -32765);
/// assert_eq!(Centipawns::gets_mated_in_moves(5).unwrap().get(), -32757);
/// assert_eq!(Centipawns::new(32766).unwrap().mate(), Some(Mate::Gives { plies: 1 }));
/// assert_eq!(Centipawns::new(-32765).unwrap().mate(), Some(Mate::Gets { plies: 2 }));
/// assert_eq!(Centipawns::new(32767), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Centipawns(i16);

/// A forced mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mate {
    /// The player to move mates in so many plies, an odd number.
    Gives {
        /// Plies of both sides.
        plies: u32,
    },
    /// The player to move is mated in so many plies, an even number.
    Gets {
        /// Plies of both sides.
        plies: u32,
    },
}

impl Centipawns {
    /// The least: “a value of -32767 indicates an illegal position”.
    pub const LEAST: i64 = -32767;
    /// The most: mate on the move.
    pub const MOST: i64 = 32766;
    /// Beyond this there is a mate.
    const MATE: i32 = 32000;

    /// An evaluation; `None` if it is out of range.
    pub fn new(value: i64) -> Option<Self> {
        (Self::LEAST..=Self::MOST).contains(&value).then_some(Centipawns(value as i16))
    }

    /// The evaluation of a position without a mate, brought into the range that says so: -32000 to 32000.
    pub fn without_mate(value: i64) -> Self {
        Centipawns(value.clamp(-32000, 32000) as i16)
    }

    /// The player to move mates in so many plies: 32767 less that. `None` if that is out of range.
    pub fn gives_mate_in_plies(plies: u32) -> Option<Self> {
        Self::new(32767 - i64::from(plies)).filter(|ce| ce.mate().is_some() && plies > 0)
    }

    /// The player to move is mated in so many plies: -32767 and that. `None` if that is out of range.
    pub fn gets_mated_in_plies(plies: u32) -> Option<Self> {
        Self::new(-32767 + i64::from(plies)).filter(|ce| ce.mate().is_some() && plies > 0)
    }

    /// The player to move mates with its move of this number: mate in one is 32766.
    pub fn gives_mate_in_moves(moves: u32) -> Option<Self> {
        Self::gives_mate_in_plies(moves.checked_mul(2)?.checked_sub(1)?)
    }

    /// The player to move makes so many moves before it is mated: after one it is -32765.
    pub fn gets_mated_in_moves(moves: u32) -> Option<Self> {
        Self::gets_mated_in_plies(moves.checked_mul(2)?)
    }

    /// The number.
    pub fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// The mate that the number stands for.
    pub fn mate(self) -> Option<Mate> {
        let value = self.get();
        match value {
            _ if self.is_illegal_position() => None,
            _ if value > Self::MATE => Some(Mate::Gives { plies: (32767 - value) as u32 }),
            _ if value < -Self::MATE => Some(Mate::Gets { plies: (32767 + value) as u32 }),
            _ => None,
        }
    }

    /// Whether the number says that the position is illegal: -32767.
    pub fn is_illegal_position(self) -> bool {
        i64::from(self.0) == Self::LEAST
    }

    /// The same evaluation as the other player sees it. The number for an illegal position stays.
    #[must_use]
    pub fn of_other_side(self) -> Self {
        if self.is_illegal_position() { self } else { Centipawns(-self.0) }
    }
}

impl fmt::Display for Centipawns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The operands of an operation.
///
/// Moves are text: SAN, canonical where the record was read with its moves checked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// There are none.
    Nothing,
    /// A number.
    Integer(i64),
    /// An evaluation.
    Evaluation(Centipawns),
    /// One move.
    Move(String),
    /// A set of moves in ASCII order, or a line of them in the order of play.
    Moves(Vec<String>),
    /// A string, without its quotes.
    Text(String),
    /// Two strings.
    Texts(String, String),
    /// Operands as they are written: those of unknown opcodes, and what is no operand of the opcode.
    Raw(String),
}

/// Why an operation cannot have an operand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OperandError {
    /// The operand is of another type.
    #[error("{0} is wanted")]
    Type(Wanted),
    /// The number is out of range.
    #[error("{value} is not in the range from {least} to {most}")]
    Range {
        /// The number.
        value: i64,
        /// The least that it may be.
        least: i64,
        /// The most.
        most: i64,
    },
    /// The string cannot be written between quotes.
    #[error("a string has no quotes and control characters, and at most {LONGEST_STRING} bytes")]
    Text,
    /// A move that is empty, or that holds blanks, quotes or semicolons.
    #[error("{0:?} cannot be written as a move")]
    Move(String),
    /// Text that would not be read back as the operands that it is.
    #[error("{0:?} cannot be written as an operand")]
    Raw(String),
}

/// What an opcode wants, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted(pub OperandType);

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            OperandType::Nothing => f.write_str("no operand"),
            OperandType::Integer { least, most } => {
                match least {
                    0 => f.write_str("an integer of 0 or more")?,
                    1 => f.write_str("a positive integer")?,
                    least => write!(f, "an integer of {least} or more")?,
                }
                if most < i64::MAX { write!(f, ", at most {most}") } else { Ok(()) }
            }
            OperandType::Evaluation => {
                write!(f, "an integer from {} to {}", Centipawns::LEAST, Centipawns::MOST)
            }
            OperandType::Move => f.write_str("exactly one move"),
            OperandType::Moves => f.write_str("moves"),
            OperandType::Line => f.write_str("a line of moves"),
            OperandType::Text => f.write_str("one string"),
            OperandType::Register => f.write_str("one string or nothing"),
            OperandType::TwoTexts => f.write_str("two strings"),
            OperandType::Any => f.write_str("anything"),
        }
    }
}

impl Operand {
    /// Whether an opcode that takes `operands` can have this, and would be read back with it.
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
            _ => Err(OperandError::Type(Wanted(operands))),
        }
    }
}

fn text(text: &str) -> Result<(), OperandError> {
    if is_legal_string(text) { Ok(()) } else { Err(OperandError::Text) }
}

fn a_move(text: &str) -> Result<(), OperandError> {
    let is_sign = |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, ';' | '"');
    // A number sign in front would be a count of moves until mate.
    let is_move = !text.is_empty() && text.chars().all(is_sign) && !text.starts_with('#');
    if is_move { Ok(()) } else { Err(OperandError::Move(text.to_owned())) }
}

/// Raw text is what a reader gives back.
pub(crate) fn raw(text: &str) -> Result<(), OperandError> {
    let line = format!("noop {text};");
    let mut operations = Operations::new(Token { at: 0, text: &line }, Escapes::None);
    let is_read = operations.next().is_some_and(|op| {
        op.operands() == text && op.end == End::Semicolon && operations.next().is_none()
    });
    let is_legal = is_read && !text.is_empty() && !text.chars().any(char::is_control);
    if is_legal { Ok(()) } else { Err(OperandError::Raw(text.to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_coded_as_the_standard_says() {
        let ce = |value| Centipawns::new(value).unwrap();
        assert_eq!(ce(17).mate(), None);
        assert_eq!(ce(32000).mate(), None);
        assert_eq!(ce(32001).mate(), Some(Mate::Gives { plies: 766 }));
        assert_eq!(ce(-32001).mate(), Some(Mate::Gets { plies: 766 }));
        assert_eq!(ce(-32767).mate(), None);
        assert!(ce(-32767).is_illegal_position());
        assert_eq!(ce(32766).of_other_side(), ce(-32766));
        assert_eq!(ce(-32767).of_other_side(), ce(-32767));
        assert_eq!(Centipawns::gives_mate_in_moves(0), None);
        assert_eq!(Centipawns::gets_mated_in_plies(0), None);
        assert_eq!(Centipawns::gives_mate_in_plies(767), None);
        assert_eq!(Centipawns::without_mate(40000), ce(32000));
    }

    #[test]
    fn operands_fit_their_type_or_are_refused() {
        let integer = OperandType::Integer { least: 1, most: i64::MAX };
        assert_eq!(Operand::Integer(1).check(integer), Ok(()));
        let error = Operand::Integer(0).check(integer).unwrap_err();
        assert_eq!(error.to_string(), "0 is not in the range from 1 to 9223372036854775807");
        let error = Operand::Nothing.check(OperandType::Text).unwrap_err();
        assert_eq!(error.to_string(), "one string is wanted");
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
