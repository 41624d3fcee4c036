//! Engine analysis of a position, collected from the comments before and after its move.

use std::time::Duration;

use epd::{Centipawns, Mate};
use san::{AnyPosition, MoveText, Position};

use crate::annotations::report::Report;
use crate::annotations::{commands, report, reported_evaluation};
use crate::known::Known;
use crate::ply::Ply;

/// Returns an engine's evaluation of a position, from the view of the side to move.
///
/// Prefers the engine that moved over a comment on the position. The plan must need evaluations, as
/// with the fact [`Eval`](crate::Fact::Eval), since engines write the evaluation of a position
/// after the move played from it.
pub fn evaluation(ply: &Ply<'_>) -> Option<Centipawns> {
    Analysis::evaluation(ply)
}

/// Returns the depth of an engine's evaluation of a position, in plies. The plan must need it, as
/// with the fact [`Depth`](crate::Fact::Depth).
pub fn depth<P: AnyPosition>(ply: &Ply<'_, P>) -> Option<u32> {
    Analysis::of(ply).depth
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Analysis<'a> {
    /// From the view of the side to move.
    pub(crate) evaluation: Option<Centipawns>,
    /// In plies.
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) time: Option<Duration>,
    /// Principal variation as written: see [`legal_line`].
    pub(crate) line: Option<&'a [u8]>,
}

impl<'a> Analysis<'a> {
    /// The evaluation from the comments on the position, the rest from those on the move played.
    pub(crate) fn of<P: AnyPosition>(ply: &Ply<'a, P>) -> Self {
        if let Some(known) = ply.known() {
            let Known { evaluation, depth, nodes, time, .. } = *known;
            return Analysis { evaluation, depth, nodes, time, line: None };
        }
        let report = report_on(ply).unwrap_or_default();
        let (evaluation, depth) = match report {
            Report { evaluation: Some(evaluation), depth: Some(depth), .. } => {
                (Some(evaluation), Some(depth))
            }
            _ => {
                let before = commands(ply.comments, ply.position.turn());
                (report.evaluation.or(before.evaluation), report.depth.or(before.depth))
            }
        };
        Analysis {
            evaluation: evaluation.map(|evaluation| possible(ply, evaluation)),
            depth,
            nodes: report.nodes,
            time: report.time,
            line: report.line,
        }
    }

    #[inline(always)]
    pub(crate) fn evaluation<P: AnyPosition>(ply: &Ply<'_, P>) -> Option<Centipawns> {
        if let Some(known) = ply.known() {
            return known.evaluation;
        }
        let turn = ply.position.turn();
        let behind = ply.ahead.map_or(&[][..], |ahead| ahead.comments);
        // Not `find_map`, which is not inlined.
        for text in behind {
            if let Some(evaluation) = reported_evaluation(text, turn) {
                return Some(possible(ply, evaluation));
            }
        }
        Some(possible(ply, commands(ply.comments, turn).evaluation?))
    }

    /// Returns the number of moves in which the side to move mates.
    pub(crate) fn mate_in_moves(&self) -> Option<u32> {
        match self.evaluation?.mate()? {
            Mate::Gives { plies } => Some(plies.div_ceil(2)),
            Mate::Gets { .. } => None,
        }
    }
}

#[inline]
fn report_on<'a, P: AnyPosition>(ply: &Ply<'a, P>) -> Option<Report<'a>> {
    let turn = ply.position.turn();
    ply.ahead?.comments.iter().find_map(|comment| report(comment, turn))
}

/// Returns what EPD 5.6 permits: 0 if drawn by stalemate or material, and only possible mates.
pub(crate) fn possible<P: AnyPosition>(ply: &Ply<'_, P>, evaluation: Centipawns) -> Centipawns {
    let position = ply.position;
    let is_stalemate =
        || ply.next.is_none() && position.as_chess().is_some_and(Position::is_stalemate);
    match position.is_insufficient_material() || is_stalemate() {
        true => Centipawns::default(),
        false => evaluation.with_possible_mate(),
    }
}

/// Returns the moves of an engine's line up to the first illegal one, and whether there is one.
pub(crate) fn legal_line<P: AnyPosition>(ply: &Ply<'_, P>, text: &[u8]) -> (Vec<MoveText>, bool) {
    let mut position = ply.position.clone();
    let is_number = |word: &[u8]| word.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    let mut line = Vec::new();
    for word in text.split(u8::is_ascii_whitespace).filter(|word| !is_number(word)) {
        let Ok(mv) = position.resolve(word) else { return (line, true) };
        line.push(position.san_of(mv));
        position.play_unchecked(mv);
    }
    (line, false)
}
