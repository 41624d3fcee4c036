//! What a record of a test suite asks, and whether an answer solves it.

use engine::{Answer, Finding, Question, Score};
use san::MoveText;

use super::evaluation::centipawns;
use super::record::RecordOfLine;

/// A record of a test suite.
#[derive(Debug)]
#[non_exhaustive]
pub struct Exercise {
    /// The number of the record, from 1.
    pub record: u64,
    /// The operand of `id`, or the position.
    pub name: String,
    /// What is asked: `bm Qd1+`, or the moves with the most points.
    pub task: String,
    /// The number of moves in which there is a mate, by `dm`.
    pub mate: Option<i64>,
    pub(super) question: Question,
    best: Vec<MoveText>,
    avoided: Vec<MoveText>,
    points: Vec<(MoveText, u64)>,
}

/// What an engine does with an exercise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attempt {
    /// The move, in SAN.
    pub best: MoveText,
    /// The evaluation for the side to move.
    pub score: Option<Score>,
    /// The number of moves in which the engine mates, if it sees that.
    pub mate: Option<i64>,
    /// Points of the move, if the exercise has points.
    pub points: Option<u64>,
    /// When the engine found the solution that stayed, if it solves the exercise.
    pub solution: Option<Finding>,
}

impl Attempt {
    /// Returns the evaluation as the operation `ce` has it.
    pub fn centipawns(&self) -> Option<i32> {
        self.score.and_then(centipawns)
    }
}

impl Exercise {
    /// Reads what a record asks; `None` if it asks nothing. An error is the reason why its points
    /// cannot be read.
    pub(super) fn read(line: &RecordOfLine<'_>, record: u64) -> Result<Option<Self>, String> {
        let question = line.question.clone();
        let moves = |name| {
            let words = line.operands(name).unwrap_or_default().split_whitespace();
            words.filter_map(|word| question.san_of(word).ok()).collect::<Vec<_>>()
        };
        let (best, avoided) = (moves("bm"), moves("am"));
        let mate: Option<i64> = line.operands("dm").and_then(|dm| dm.parse().ok());
        let points = points(line)?;
        if best.is_empty() && avoided.is_empty() && mate.is_none() && points.is_empty() {
            return Ok(None);
        }
        let asked = ["bm", "am", "dm"]
            .into_iter()
            .filter_map(|name| line.operands(name).map(|operands| format!("{name} {operands}")));
        let mut exercise = Exercise {
            record,
            name: line.operands("id").map_or_else(|| question.fen(), unquoted),
            task: asked.collect::<Vec<_>>().join(", "),
            mate,
            question,
            best,
            avoided,
            points,
        };
        if exercise.task.is_empty() {
            let most = exercise.most_points();
            let best = exercise.points.iter().filter(|(_, points)| Some(*points) == most);
            exercise.task =
                best.map(|(mv, points)| format!("{mv}={points}")).collect::<Vec<_>>().join(", ");
        }
        Ok(Some(exercise))
    }

    /// Returns the points of the best move, if the exercise has points.
    pub fn most_points(&self) -> Option<u64> {
        self.points.iter().map(|(_, points)| *points).max()
    }

    fn points_of(&self, mv: MoveText) -> Option<u64> {
        let known = self.points.iter().find(|(known, _)| *known == mv);
        (!self.points.is_empty()).then(|| known.map_or(0, |(_, points)| *points))
    }

    /// Moves are more important than points, and these than a mate: one that is further away than
    /// an engine sees does not make its move wrong.
    fn is_solved(&self, found: &Finding) -> bool {
        let Finding { best: mv, mate, .. } = found;
        if !self.best.is_empty() || !self.avoided.is_empty() {
            let is_best = self.best.is_empty() || self.best.contains(mv);
            return is_best && !self.avoided.contains(mv);
        }
        match self.points_of(*mv) {
            Some(points) => Some(points) == self.most_points(),
            None => mate.is_some(),
        }
    }

    pub(super) fn attempt(&self, answer: &Answer) -> Attempt {
        let line = answer.lines.first();
        let score = line.map(|line| line.score);
        let mate = match score {
            Some(Score::Mate(moves @ 1..)) => Some(moves),
            _ => None,
        };
        let Answer { best, nodes, time, .. } = *answer;
        let end = Finding { best, mate, depth: line.and_then(|line| line.depth), nodes, time };
        let findings = answer.findings.iter().rev();
        let stayed = findings.take_while(|found| self.is_solved(found)).last();
        let solution = self.is_solved(&end).then(|| stayed.copied().unwrap_or(end));
        Attempt { best, score, mate, points: self.points_of(best), solution }
    }
}

/// Returns moves with their points, as the Strategic Test Suite has them: numbers in c8 and moves
/// in c9, or `f5=10, Be5+=2` in c0. Other comments have none.
fn points(line: &RecordOfLine<'_>) -> Result<Vec<(MoveText, u64)>, String> {
    let text = |name| line.operands(name).map(unquoted).unwrap_or_default();
    let (numbers, moves, pairs) = (text("c8"), text("c9"), text("c0"));
    let numbers: Option<Vec<u64>> =
        numbers.split_whitespace().map(|number| number.parse().ok()).collect();
    let numbers = numbers.filter(|numbers| !numbers.is_empty() && line.has("c9"));
    let pairs: Vec<(&str, u64)> = match numbers {
        Some(numbers) => {
            let moves: Vec<&str> = moves.split_whitespace().collect();
            if moves.len() != numbers.len() {
                let (numbers, moves) = (numbers.len(), moves.len());
                return Err(format!("c8 has {numbers} numbers, and c9 {moves} moves"));
            }
            moves.into_iter().zip(numbers).collect()
        }
        None => {
            let pairs = pairs.split(',').map(|part| {
                let (mv, points) = part.trim().rsplit_once('=')?;
                Some((mv, points.parse().ok()?))
            });
            pairs.collect::<Option<_>>().unwrap_or_default()
        }
    };
    let pairs = pairs.into_iter().map(|(mv, points)| match line.question.san_of(mv) {
        Ok(mv) => Ok((mv, points)),
        Err(error) => Err(format!("points of {mv}: {error}")),
    });
    pairs.collect()
}

fn unquoted(operand: &str) -> String {
    operand.trim_matches('"').to_owned()
}
