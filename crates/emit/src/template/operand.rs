//! Conversion of a template's text to an operand of the type that its opcode takes.

use std::borrow::Cow;

use epd::{
    Centipawns, ExpectedOperand, LONGEST_STRING, OperandType, Operations, PackedOpcode,
    check_raw_operand, legal_string,
};
use san::{AnyPosition, MoveText};

use super::Template;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filled {
    Whole,
    /// The string was too long and was cut.
    Shortened,
    /// The text is not a valid operand of this type.
    WrongOperand(ExpectedOperand),
}

impl Filled {
    pub(crate) fn of_string(text: &str) -> Self {
        if text.len() > LONGEST_STRING { Filled::Shortened } else { Filled::Whole }
    }
}

pub(crate) fn fill<P: AnyPosition>(
    template: &Template,
    text: &str,
    position: &P,
    operations: &mut impl Operations,
) -> Filled {
    let name = PackedOpcode::new(template.opcode());
    let Some(operands) = template.operands() else {
        return unknown(name, text, operations);
    };
    let wrong_operand = Filled::WrongOperand(ExpectedOperand(operands));
    match operands {
        OperandType::Nothing if text.is_empty() => operations.bare(name),
        OperandType::Nothing => return wrong_operand,
        OperandType::Integer { .. } | OperandType::Evaluation => match number(text, operands) {
            Some(number) => operations.number(name, number),
            None => return wrong_operand,
        },
        OperandType::Move | OperandType::Moves | OperandType::Line => {
            let Some(mut moves) = moves(text, operands, position) else { return wrong_operand };
            if operands == OperandType::Moves {
                moves.sort_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
            }
            operations.moves(name, moves.iter().map(MoveText::as_bytes));
        }
        OperandType::Text | OperandType::Register => return string(name, text, operations),
        OperandType::TwoTexts => match two_strings(text) {
            Some((first, second)) => {
                operations.strings(name, &legal_string(first), &legal_string(second));
            }
            None => return wrong_operand,
        },
        OperandType::Any if text.is_empty() => operations.bare(name),
        // Operands of any type are written unchanged if they can be parsed again.
        OperandType::Any if check_raw_operand(text).is_ok() => operations.word(name, text),
        OperandType::Any => return string(name, text, operations),
    }
    Filled::Whole
}

/// Parses two strings: `"a@b.c" "A B"`, as written in records, or `a@b.c|A B`.
pub(crate) fn two_strings(text: &str) -> Option<(&str, &str)> {
    let quoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let quoted = quoted.and_then(|text| text.split_once("\" \""));
    quoted.or_else(|| text.split_once('|').filter(|_| !text.starts_with('"')))
}

pub(crate) fn number(text: &str, operands: OperandType) -> Option<i64> {
    let number: i64 = text.trim().parse().ok()?;
    match operands {
        OperandType::Integer { least, most } => (least..=most).contains(&number).then_some(number),
        _ => Centipawns::new(number).map(|ce| i64::from(ce.get())),
    }
}

/// Resolves legal moves, each from the position, or one after the other.
fn moves<P: AnyPosition>(text: &str, operands: OperandType, position: &P) -> Option<Vec<MoveText>> {
    let mut position = Cow::Borrowed(position);
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let mv = position.resolve(word.as_bytes()).ok()?;
        moves.push(position.san_of(mv));
        if operands == OperandType::Line {
            position.to_mut().play_unchecked(mv);
        }
    }
    (operands != OperandType::Move || moves.len() == 1).then_some(moves)
}

fn string(name: PackedOpcode, text: &str, operations: &mut impl Operations) -> Filled {
    operations.string(name, &legal_string(text));
    Filled::of_string(text)
}

/// Adds an operation with a user-defined opcode: a number as it is, all else in quotes.
fn unknown(name: PackedOpcode, text: &str, operations: &mut impl Operations) -> Filled {
    let is_sign = |byte: u8| matches!(byte, b'0'..=b'9' | b'.' | b'-');
    if text.parse::<f64>().is_ok() && text.bytes().all(is_sign) {
        operations.word(name, text);
        return Filled::Whole;
    }
    string(name, text, operations)
}
