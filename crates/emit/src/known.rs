//! What the record of a position says of it.

use std::borrow::Cow;
use std::time::Duration;

use training::Score;

use epd::{Centipawns, Opcode, Operand, OperandRef, OperandType, Record, RecordRef, Registers};

/// What the record of a position says of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    /// The record as written, if there is one.
    pub(crate) written: Option<&'a RecordRef<'a>>,
    /// The record in normal form, if the plan needs it.
    pub(crate) record: Option<&'a Record>,
    /// The registers after the record, if the plan needs them.
    pub(crate) registers: Option<&'a Registers>,
    /// The evaluation for the side to move, of a label or of `ce` or `dm`.
    pub(crate) evaluation: Option<Centipawns>,
    /// White's mean points in several games, in parts of a win.
    pub(crate) points: Option<u64>,
    /// The score as training data has it.
    pub(crate) score: Option<Score>,
    /// `acd`, in plies.
    pub(crate) depth: Option<u32>,
    /// `acn`.
    pub(crate) nodes: Option<u64>,
    /// The greatest depth of any line.
    pub(crate) selective_depth: Option<u32>,
    /// `acs`.
    pub(crate) time: Option<Duration>,
    /// The remaining time of the player who has just moved.
    pub(crate) clock: Option<Duration>,
}

impl<'a> Known<'a> {
    /// Returns the text of an operation that the record itself has, such as its `c0`.
    pub fn text(&self, opcode: Opcode) -> Option<Cow<'a, str>> {
        let Some(written) = self.written else {
            return match self.record?.get(opcode)? {
                Operand::Text(text) => Some(text.into()),
                _ => None,
            };
        };
        match written.get(opcode)? {
            OperandRef::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Returns the operands of an operation as text: without quotes, moves in SAN, `true` for none.
pub(crate) fn operand_text(operand: &Operand) -> Cow<'_, str> {
    match operand {
        Operand::Nothing => "true".into(),
        Operand::Integer(number) => number.to_string().into(),
        Operand::Evaluation(value) => value.to_string().into(),
        Operand::Move(text) | Operand::Text(text) => text.into(),
        Operand::Moves(moves) => moves.join(" ").into(),
        Operand::Texts(first, second) => format!("{first} {second}").into(),
        Operand::Raw(text) => {
            match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
                Some(inner) if !inner.contains('"') => inner.into(),
                _ => text.into(),
            }
        }
    }
}

/// Whether the operands are a number, which is read without the record in normal form.
pub(crate) fn is_number(name: &str) -> bool {
    let operands = Opcode::from_name(name).map(Opcode::operands);
    matches!(operands, Some(OperandType::Integer { .. } | OperandType::Evaluation))
}
