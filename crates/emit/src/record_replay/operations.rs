//! What the operations and the label of a record say of its position.

use std::time::Duration;

use epd::{Centipawns, Opcode, OperandRef, RecordRef, Registers};
use pgn::Outcome;
use san::AnyPosition;

use crate::labels::label::WIN;

/// Returns the number of plies before a position in a game from the initial one.
pub(super) fn number_of<P: AnyPosition>(position: &P) -> u32 {
    2 * (position.fullmoves().max(1) - 1) + u32::from(position.turn().is_black())
}

pub(super) struct Read<M> {
    pub(super) next: Option<M>,
    pub(super) evaluation: Option<Centipawns>,
    pub(super) mate: Option<Centipawns>,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) time: Option<Duration>,
    pub(super) result: Option<Outcome>,
    pub(super) points: Option<u64>,
}

impl<M> Read<M> {
    pub(super) fn nothing() -> Self {
        let (evaluation, mate, depth, nodes, time, result, points) = Default::default();
        Read { next: None, evaluation, mate, depth, nodes, time, result, points }
    }

    pub(super) fn operations<P: AnyPosition<Move = M>>(
        &mut self,
        record: &RecordRef<'_>,
        position: &P,
    ) {
        for operation in record.operations() {
            let Some(opcode) = operation.opcode() else { continue };
            if !matches!(
                opcode,
                Opcode::Sm
                    | Opcode::Ce
                    | Opcode::Dm
                    | Opcode::Acd
                    | Opcode::Acn
                    | Opcode::Acs
                    | Opcode::C9
            ) {
                continue;
            }
            self.operation(opcode, record.operands(&operation), position);
        }
        let of_label = record.label().and_then(|(evaluation, _)| evaluation);
        self.evaluation = self.evaluation.or(of_label).or(self.mate);
        if let Some(played) = record.played_by_label() {
            self.next = self.next.take().or_else(|| position.resolve(played.as_bytes()).ok());
        }
    }

    pub(super) fn operation<P: AnyPosition<Move = M>>(
        &mut self,
        opcode: Opcode,
        operand: OperandRef<'_>,
        position: &P,
    ) {
        match (opcode, operand) {
            (Opcode::Sm, OperandRef::Moves(mut moves)) => {
                self.next = moves.next().and_then(|text| position.resolve(text.as_bytes()).ok());
            }
            (_, OperandRef::Evaluation(value)) => self.evaluation = Some(value),
            (Opcode::Dm, OperandRef::Integer(moves)) => {
                self.mate = u32::try_from(moves).ok().and_then(Centipawns::gives_mate_in_moves);
            }
            (Opcode::Acd, OperandRef::Integer(plies)) => self.depth = u32::try_from(plies).ok(),
            (Opcode::Acn, OperandRef::Integer(nodes)) => self.nodes = u64::try_from(nodes).ok(),
            (Opcode::Acs, OperandRef::Integer(seconds)) => {
                self.time = u64::try_from(seconds).ok().map(Duration::from_secs);
            }
            (Opcode::C9, OperandRef::Text(text)) => {
                (self.result, self.points) = (known_result(&text), mean_points(&text));
            }
            _ => {}
        }
    }

    /// Returns the result of the game: that of the label, or of `c9`.
    pub(super) fn result(
        &mut self,
        record: &RecordRef<'_>,
        registers: Option<&Registers>,
    ) -> Option<Outcome> {
        let of_label = record.label().and_then(|(_, result)| result);
        self.points = of_label.and_then(mean_points).or(self.points);
        let held = || registers.and_then(|registers| registers.comment(9));
        of_label.and_then(known_result).or(self.result).or_else(|| held().and_then(known_result))
    }
}

#[cold]
fn mean_points(text: &str) -> Option<u64> {
    let mean: f64 = text.parse().ok().filter(|mean| (0.0..=1.0).contains(mean))?;
    Some((mean * WIN as f64).round() as u64)
}

fn known_result(text: &str) -> Option<Outcome> {
    Some(Outcome::of_tag(text.as_bytes())).filter(|outcome| *outcome != Outcome::Unknown)
}
