//! The text of a template becomes an operand of the type that its opcode takes.

use std::borrow::Cow;

use san::{MoveText, Position};

use super::Template;
use crate::mnemonic::Mnemonic;
use crate::opcode::OperandType;
use crate::operations::Operations;
use crate::{Centipawns, LONGEST_STRING, Wanted, legal_string};

/// What came of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filled {
    Whole,
    /// The string was cut, being too long.
    Shortened,
    /// The text cannot be such an operand.
    Misfit(Wanted),
}

/// Adds the operation of a template, whose placeholders are filled.
pub(crate) fn fill(
    template: &Template,
    text: &str,
    position: &Position,
    operations: &mut Operations,
) -> Filled {
    let name = Mnemonic::new(template.opcode());
    let Some(operands) = template.operands() else {
        return unknown(name, text, operations);
    };
    let misfit = Filled::Misfit(Wanted(operands));
    match operands {
        OperandType::Nothing if text.is_empty() => operations.bare(name),
        OperandType::Nothing => return misfit,
        OperandType::Integer { .. } | OperandType::Evaluation => match number(text, operands) {
            Some(number) => operations.number(name, number),
            None => return misfit,
        },
        OperandType::Move | OperandType::Moves | OperandType::Line => {
            let Some(mut moves) = moves(text, operands, position) else { return misfit };
            if operands == OperandType::Moves {
                moves.sort_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
            }
            operations.words(name, moves.iter().map(MoveText::as_bytes));
        }
        OperandType::Text | OperandType::Register => return string(name, text, operations),
        OperandType::TwoTexts => match text.split_once('|') {
            Some((first, second)) => {
                let quoted = |text: &str| format!("\"{}\"", legal_string(text));
                operations.words(name, [quoted(first), quoted(second)]);
            }
            None => return misfit,
        },
        OperandType::Any => return unknown(name, text, operations),
    }
    Filled::Whole
}

/// A number that the opcode can have.
pub(crate) fn number(text: &str, operands: OperandType) -> Option<i64> {
    let number: i64 = text.trim().parse().ok()?;
    match operands {
        OperandType::Integer { least, most } => (least..=most).contains(&number).then_some(number),
        _ => Centipawns::new(number).map(|ce| i64::from(ce.get())),
    }
}

/// Moves that can be played, each from the position, or one after the other.
fn moves(text: &str, operands: OperandType, position: &Position) -> Option<Vec<MoveText>> {
    let mut position = Cow::Borrowed(position);
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let next = san::resolve(&position, word.as_bytes()).ok()?;
        moves.push(san::san_of(&position, next));
        if operands == OperandType::Line {
            position.to_mut().play_unchecked(next);
        }
    }
    (operands != OperandType::Move || moves.len() == 1).then_some(moves)
}

fn string(name: Mnemonic, text: &str, operations: &mut Operations) -> Filled {
    operations.string(name, &legal_string(text));
    if text.len() > LONGEST_STRING { Filled::Shortened } else { Filled::Whole }
}

/// An opcode of somebody's own: a number stands as it is, all else in quotes.
fn unknown(name: Mnemonic, text: &str, operations: &mut Operations) -> Filled {
    let is_sign = |byte: u8| matches!(byte, b'0'..=b'9' | b'.' | b'-');
    if text.parse::<f64>().is_ok() && text.bytes().all(is_sign) {
        operations.word(name, text.as_bytes());
        return Filled::Whole;
    }
    string(name, text, operations)
}
