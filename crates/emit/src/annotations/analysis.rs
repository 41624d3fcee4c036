//! Engine analysis of a position, collected from the comments before and after its move.

use std::time::Duration;

use epd::{Centipawns, Mate};
use san::{AnyPosition, MoveText, Position};

use crate::annotations::{commands, engine};
use crate::ply::Ply;

/// Returns an engine's evaluation of a position, from the view of the side to move.
///
/// Prefers the engine that moved over a comment on the position. The sink must [look
/// ahead](crate::LookAhead), since engines write the evaluation of a position after the move played
/// from it.
pub fn evaluation(ply: &Ply<'_>) -> Option<Centipawns> {
    Analysis::evaluation(ply)
}

/// Analysis of a position by an engine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Analysis {
    /// From the view of the side to move.
    pub(crate) evaluation: Option<Centipawns>,
    /// In plies.
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) time: Option<Duration>,
    /// Legal moves of the principal variation.
    pub(crate) line: Vec<MoveText>,
    /// Whether the principal variation was cut before a move that is not legal.
    pub(crate) is_line_cut: bool,
}

impl Analysis {
    /// Collects the analysis of a position from the comments on it (its evaluation) and from those
    /// on the move played from it (the report of the engine that moved).
    pub(crate) fn of<P: AnyPosition>(ply: &Ply<'_, P>) -> Self {
        let turn = ply.position.turn();
        let before = commands(ply.comments, turn);
        let behind = ply.ahead.map_or(&[][..], |ahead| ahead.comments);
        let Some(engine) = behind.iter().find_map(|comment| engine(comment, turn)) else {
            let evaluation = before.evaluation.map(|evaluation| possible(ply, evaluation));
            let depth = before.depth;
            return Analysis { evaluation, depth, ..Analysis::default() };
        };
        let evaluation = engine.evaluation.or(before.evaluation);
        let (line, is_line_cut) = engine.line.map(|line| legal_line(ply, line)).unwrap_or_default();
        Analysis {
            evaluation: evaluation.map(|evaluation| possible(ply, evaluation)),
            depth: engine.depth.or(before.depth),
            nodes: engine.nodes,
            time: engine.time,
            line,
            is_line_cut,
        }
    }

    /// Like [`Analysis::of`], but only the evaluation.
    pub(crate) fn evaluation<P: AnyPosition>(ply: &Ply<'_, P>) -> Option<Centipawns> {
        let turn = ply.position.turn();
        let behind = ply.ahead.map_or(&[][..], |ahead| ahead.comments);
        let engine = behind.iter().find_map(|comment| engine(comment, turn));
        engine
            .and_then(|engine| engine.evaluation)
            .or_else(|| commands(ply.comments, turn).evaluation)
            .map(|evaluation| possible(ply, evaluation))
    }

    /// Returns the number of moves in which the side to move mates.
    pub(crate) fn mate_in_moves(&self) -> Option<u32> {
        match self.evaluation?.mate()? {
            Mate::Gives { plies } => Some(plies.div_ceil(2)),
            Mate::Gets { .. } => None,
        }
    }
}

/// Returns the evaluation that EPD 5.6 permits: “A stalemate position has a centipawn evaluation of zero as does a position drawn
/// due to insufficient mating material”, and a mate has a possible number of plies.
fn possible<P: AnyPosition>(ply: &Ply<'_, P>, evaluation: Centipawns) -> Centipawns {
    let position = ply.position;
    let is_stalemate =
        || ply.next.is_none() && position.as_chess().is_some_and(Position::is_stalemate);
    match position.is_insufficient_material() || is_stalemate() {
        true => Centipawns::default(),
        false => evaluation.with_possible_mate(),
    }
}

/// Returns the moves of an engine's line up to the first illegal one, and whether there is one.
fn legal_line<P: AnyPosition>(ply: &Ply<'_, P>, text: &str) -> (Vec<MoveText>, bool) {
    let mut position = ply.position.clone();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let mut line = Vec::new();
    for word in text.split_whitespace().filter(|word| !is_number(word)) {
        let Ok(mv) = position.resolve(word.as_bytes()) else { return (line, true) };
        line.push(position.san_of(mv));
        position.play_unchecked(mv);
    }
    (line, false)
}
