//! The facts that are read from the machine-written parts of comments, all at once.

use std::time::Duration;

use epd::{Centipawns, Mate};
use san::{AnyPosition, Color};

use super::fact_value::FactValue;
use super::{Fact, FactSet};
use crate::annotations::analysis::possible;
use crate::annotations::{commands, read_comments, reported_evaluation};
use crate::known::Known;
use crate::ply::Ply;

#[derive(Clone, Copy, Debug)]
pub(crate) struct CommentFacts {
    turn: Color,
    evaluation: Option<Centipawns>,
    depth: Option<u32>,
    selective_depth: Option<u32>,
    nodes: Option<u64>,
    time: Option<Duration>,
    clock: Option<Duration>,
}

impl CommentFacts {
    pub(crate) fn of<P: AnyPosition>(ply: &Ply<'_, P>, wanted: FactSet) -> Self {
        use Fact::{Clock, Depth, Eval, EvalCp, Mate, Nodes, Seldepth, Time, WhiteCp, WhiteMate};
        let turn = ply.position.turn();
        if let Some(known) = ply.known() {
            let &Known { evaluation, depth, selective_depth, nodes, time, clock, .. } = known;
            return CommentFacts { turn, evaluation, depth, selective_depth, nodes, time, clock };
        }
        let ahead = ply.ahead.map_or(&[][..], |ahead| ahead.comments);
        let has_any = |facts: &[Fact]| facts.iter().any(|fact| wanted.has(*fact));
        let needs_reports = has_any(&[Depth, Nodes, Seldepth, Time]);
        let needs_evaluation = has_any(&[Eval, EvalCp, Mate, WhiteCp, WhiteMate]);
        let (report, played) =
            if needs_reports { read_comments(ahead, turn) } else { Default::default() };
        let mut evaluation = report.and_then(|report| report.evaluation);
        // Later reports may have an evaluation. Without a report nothing has.
        let may_have_other = !needs_reports || report.is_some() && ahead.len() > 1;
        if needs_evaluation && evaluation.is_none() && may_have_other {
            evaluation = ahead.iter().find_map(|comment| reported_evaluation(comment, turn));
        }
        let report = report.unwrap_or_default();
        let lacks = |fact, is_known: bool| wanted.has(fact) && !is_known;
        let needs_commands = wanted.has(Clock)
            || needs_evaluation && evaluation.is_none()
            || lacks(Depth, report.depth.is_some());
        let before = if needs_commands { commands(ply.comments, turn) } else { Default::default() };
        CommentFacts {
            turn,
            evaluation: evaluation
                .or(before.evaluation)
                .map(|evaluation| possible(ply, evaluation)),
            depth: report.depth.or(before.depth),
            selective_depth: report.selective_depth,
            nodes: report.nodes,
            time: report.time.or(played.elapsed),
            clock: before.clock,
        }
    }

    #[inline(always)]
    pub(crate) fn value<'v>(&self, fact: Fact) -> Option<FactValue<'v>> {
        Some(match fact {
            Fact::Clock => FactValue::Seconds(self.clock?),
            Fact::Depth => FactValue::Number(self.depth?.into()),
            Fact::Eval => FactValue::Signed(self.evaluation?.get()),
            Fact::EvalCp => FactValue::Signed(centipawns(self.evaluation?)?),
            Fact::Mate => FactValue::Signed(moves_to_mate(self.evaluation?)?),
            Fact::Nodes => FactValue::Number(self.nodes?),
            Fact::Seldepth => FactValue::Number(self.selective_depth?.into()),
            Fact::Time => FactValue::Seconds(self.time?),
            Fact::WhiteCp => FactValue::Signed(self.for_white(centipawns(self.evaluation?)?)),
            Fact::WhiteMate => FactValue::Signed(self.for_white(moves_to_mate(self.evaluation?)?)),
            _ => return None,
        })
    }

    fn for_white(&self, value: i32) -> i32 {
        if self.turn.is_white() { value } else { -value }
    }
}

/// Returns an evaluation that is not a mate.
fn centipawns(evaluation: Centipawns) -> Option<i32> {
    let is_number = evaluation.mate().is_none() && !evaluation.is_illegal_position();
    is_number.then(|| evaluation.get())
}

/// Returns the moves to a mate, negative if the side to move is mated.
fn moves_to_mate(evaluation: Centipawns) -> Option<i32> {
    Some(match evaluation.mate()? {
        Mate::Gives { plies } => plies.div_ceil(2) as i32,
        Mate::Gets { plies } => -(plies.div_ceil(2) as i32),
    })
}
