//! A position of a game, as passed to a sink; what the record of a position says of it, and how
//! often it has occurred.

use std::borrow::Cow;
use std::time::Duration;

use epd::{Centipawns, Opcode, Operand, OperandRef, OperandType, Record, RecordRef, Registers};
use san::{AnyPosition, MoveText, Position, PositionMap, RepetitionKey, VariantPosition};
use training::Score;

/// What the record of a position says of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    /// The record as written, if there is one.
    pub(crate) written: Option<&'a RecordRef<'a>>,
    /// The record in normal form, if the plan needs it.
    pub(crate) record: Option<&'a Record>,
    pub(crate) registers: Option<&'a Registers>,
    /// The evaluation for the side to move, of a label or of `ce` or `dm`.
    pub(crate) evaluation: Option<Centipawns>,
    /// White's mean points in several games, in parts of a win.
    pub(crate) points: Option<u64>,
    pub(crate) score: Option<Score>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) selective_depth: Option<u32>,
    pub(crate) time: Option<Duration>,
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

/// A position of a game, and the move that was played from it.
#[derive(Debug)]
pub struct Ply<'a, P: AnyPosition = Position> {
    /// The position.
    pub position: &'a P,
    /// The move that was played from it; `None` at the end of the game or variation.
    pub next: Option<P::Move>,
    /// Ply index; 0 is the starting position.
    pub number: u32,
    /// The comments after the move that led to it, without braces; none if the plan needs none.
    pub comments: &'a [&'a [u8]],
    /// The NAGs of the move that led here (PGN standard 10). Empty unless the plan needs them.
    pub nags: &'a [u8],
    /// The branching points that lead to its variation, outermost first; none in the main line.
    pub branches: &'a [Branch],
    /// Data that follows the position; only set if the plan needs it.
    pub ahead: Option<&'a Ahead<'a>>,
}

/// A position of a variant, and the move that was played from it.
pub type VariantPly<'a> = Ply<'a, VariantPosition>;

// Not derived, because a derive would require `P: Copy` and `P: Clone`.
impl<P: AnyPosition> Copy for Ply<'_, P> {}

impl<P: AnyPosition> Clone for Ply<'_, P> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

/// A point where a variation leaves its parent line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Number of plies played before.
    pub ply: u32,
    /// First move of the variation, in SAN.
    pub first: MoveText,
}

/// Data that follows this position in the game, or that its record has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ahead<'a> {
    /// The comments on the move that was played from the position.
    pub comments: &'a [&'a [u8]],
    /// Number of plies that follow in the line, if games are [collected](crate::Plan::looks_ahead).
    pub plies: Option<u32>,
    /// What the record of the position says of it, if it is not from a game.
    pub known: Option<&'a Known<'a>>,
}

impl<'a, P: AnyPosition> Ply<'a, P> {
    /// Returns what the record of the position says of it, if it is not from a game.
    #[inline(always)]
    pub fn known(&self) -> Option<&'a Known<'a>> {
        self.ahead?.known
    }

    /// Makes a ply of the main line, without comments.
    #[inline(always)]
    pub fn new(position: &'a P, next: Option<P::Move>, number: u32) -> Self {
        Ply { position, next, number, comments: &[], nags: &[], branches: &[], ahead: None }
    }
}

// Counts repetitions of positions (EPD 5.20).

#[derive(Debug, Default)]
pub(crate) struct Repetition {
    /// The whole line, only if variations are played: these replace the plies after their start.
    line: Vec<RepetitionKey>,
    counts: PositionMap<u32, RepetitionKey>,
}

impl Repetition {
    pub(crate) fn begin(&mut self) {
        self.line.clear();
        self.counts.clear();
    }

    pub(crate) fn follow<P: AnyPosition>(&mut self, ply: &Ply<'_, P>, variations: bool) -> u32 {
        let next = ply.position.repetition_key();
        if variations {
            for gone in self.line.drain(self.line.len().min(ply.number as usize)..) {
                if let Some(count) = self.counts.get_mut(&gone) {
                    *count -= 1;
                }
            }
            self.line.push(next.clone());
        } else if ply.position.halfmoves() == 0 && ply.position.as_chess().is_some() {
            // In chess a position before a capture or a pawn move cannot recur, so only the last
            // part of a long game is kept. In Crazyhouse it can, because captured pieces are
            // dropped again.
            self.counts.clear();
        }
        let count = self.counts.entry(next).or_default();
        *count += 1;
        *count
    }

    pub(crate) fn count_with<P: AnyPosition>(&self, position: &P) -> u32 {
        self.counts.get(&position.repetition_key()).map_or(0, |count| *count) + 1
    }
}

#[cfg(test)]
mod tests {
    use san::{Position, resolve};

    use super::*;

    #[test]
    fn what_cannot_come_again_is_not_held() {
        let (mut repetition, mut position) = (Repetition::default(), Position::default());
        let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"];
        let advances = [["a3", "a6"], ["b3", "b6"], ["c3", "c6"]];
        let mut number = 0;
        for advance in advances {
            for san in shuffle.iter().cycle().take(400).chain(&advance) {
                repetition.follow(&Ply::new(&position, None, number), false);
                let next = resolve(&position, san.as_bytes()).unwrap();
                position.play_unchecked(next);
                number += 1;
            }
        }
        // The last knight moves and the pawn move after them; earlier positions are dropped.
        assert!(repetition.counts.len() + repetition.line.len() <= 4 + 2);
        assert_eq!(repetition.count_with(&position), 1);
    }
}
