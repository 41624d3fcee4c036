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
    /// `None` if nothing is asked. Unreadable points are reported, unless they are of `before`.
    pub(super) fn read(
        line: &RecordOfLine<'_>,
        before: Option<&RecordOfLine<'_>>,
        record: u64,
        report: &mut dyn FnMut(String),
    ) -> Option<Self> {
        let question = line.question.clone();
        let moves = |name| {
            let words = line.operands(name).unwrap_or_default().split_whitespace();
            words.filter_map(|word| question.san_of(word).ok()).collect::<Vec<_>>()
        };
        let (best, avoided) = (moves("bm"), moves("am"));
        let mate: Option<i64> = line.operands("dm").and_then(|dm| dm.parse().ok());
        let points = points(line, before).unwrap_or_else(|reason| {
            report(format!("record {record}: {}: {reason}", question.fen()));
            Vec::new()
        });
        if best.is_empty() && avoided.is_empty() && mate.is_none() && points.is_empty() {
            return None;
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
        Some(exercise)
    }

    /// Returns the points of the best move, if the exercise has points.
    pub fn most_points(&self) -> Option<u64> {
        self.points.iter().map(|(_, points)| *points).max()
    }

    fn points_of(&self, mv: MoveText) -> Option<u64> {
        let known = self.points.iter().find(|(known, _)| *known == mv);
        (!self.points.is_empty()).then(|| known.map_or(0, |(_, points)| *points))
    }

    /// Moves count before points, these before a mate, which may be beyond what an engine sees.
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

/// As in the Strategic Test Suite: numbers in c8 and moves in c9, or `f5=10, Be5+=2` in c0.
fn points(
    line: &RecordOfLine<'_>,
    before: Option<&RecordOfLine<'_>>,
) -> Result<Vec<(MoveText, u64)>, String> {
    let text = |name| line.operands(name).map(unquoted).unwrap_or_default();
    let (numbers, moves, pairs) = (text("c8"), text("c9"), text("c0"));
    let numbers: Vec<u64> = numbers.split_whitespace().flat_map(str::parse).collect();
    let moves: Vec<&str> = moves.split_whitespace().collect();
    let is_move = |text: &&str| line.question.san_of(text).is_ok();
    let is_same = |name| before.is_some_and(|it| it.operands(name) == line.operands(name));
    let (is_same, pairs): (bool, Vec<(&str, u64)>) =
        if !numbers.is_empty() && moves.iter().any(is_move) {
            let is_same = is_same("c8") && is_same("c9");
            if moves.len() != numbers.len() && !is_same {
                let (numbers, moves) = (numbers.len(), moves.len());
                return Err(format!("c8 has {numbers} numbers, and c9 {moves} moves"));
            }
            (is_same, moves.into_iter().zip(numbers).collect())
        } else {
            let pairs = pairs.split(',').map(|part| {
                let (mv, points) = part.trim().rsplit_once('=')?;
                Some((mv, points.parse().ok()?))
            });
            (is_same("c0"), pairs.collect::<Option<_>>().unwrap_or_default())
        };
    if !pairs.iter().any(|(mv, _)| is_move(mv)) {
        return Ok(Vec::new());
    }
    let read = pairs.into_iter().map(|(mv, points)| match line.question.san_of(mv) {
        Ok(mv) => Ok((mv, points)),
        Err(error) => Err(format!("points of {mv}: {error}")),
    });
    read.collect::<Result<_, _>>()
        .or_else(|reason| if is_same { Ok(Vec::new()) } else { Err(reason) })
}

fn unquoted(operand: &str) -> String {
    operand.trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use engine::EvaluatedLine;
    use epd::Rules;

    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn exercise(operations: &str) -> (Option<Exercise>, Vec<String>) {
        let (line, mut reasons) = (format!("{START} {operations}"), Vec::new());
        let record = RecordOfLine::read(&line, Rules::Detected).unwrap();
        (Exercise::read(&record, None, 3, &mut |reason| reasons.push(reason)), reasons)
    }

    /// An answer after a search that preferred these moves, with a mate if there is a number.
    fn answer(found: &[(&str, Option<i64>)]) -> Answer {
        let (start, _) = exercise("bm e4;");
        let question = start.unwrap().question;
        let findings = (1..).zip(found).map(|(number, (mv, mate))| {
            let best = question.san_of(mv).unwrap();
            let nodes = Some(u64::from(number) * 100);
            Finding { best, mate: *mate, depth: Some(number), nodes, time: None }
        });
        let findings: Vec<Finding> = findings.collect();
        let last = findings[findings.len() - 1];
        let score = last.mate.map_or(Score::Centipawns(30), Score::Mate);
        let line = EvaluatedLine { score, depth: Some(9), wdl: None, moves: vec![last.best] };
        let lines = vec![line];
        Answer { best: last.best, lines, nodes: Some(999), findings, time: None, is_short: false }
    }

    #[test]
    fn what_solves_an_exercise() {
        // The nodes up to the solution, and the points.
        for (operations, found, nodes, points) in [
            ("bm e4 d4;", &["d4"][..], Some(100), None),
            ("bm e4;", &["e4", "d4"], None, None),
            ("bm e4;", &["e4", "d4", "e4"], Some(300), None),
            ("bm e4 d4;", &["c4", "e4", "d4"], Some(200), None),
            ("am e4;", &["e4", "d4", "c4"], Some(200), None),
            ("am e4;", &["d4", "e4"], None, None),
            ("bm e4; am d4;", &["e4"], Some(100), None),
            ("bm e4; dm 3;", &["e4"], Some(100), None),
            ("dm 3;", &["e4", "d4+5", "e4+4"], Some(200), None),
            ("dm 3;", &["e4+5", "e4"], None, None),
            ("bm e4; c0 \"e4=10, d4=7\";", &["d4"], None, Some(7)),
            ("c0 \"e4=10, d4=10, Nf3=1\";", &["Nf3", "d4"], Some(200), Some(10)),
            ("c0 \"e4=10\";", &["a3"], None, Some(0)),
            ("bm d4; c8 \"80 5\"; c9 \"d2d4 e2e4\";", &["d4"], Some(100), Some(80)),
            ("bm d4; c0 \"d4=1\"; c8 \"80\"; c9 \"e2e4\";", &["d4"], Some(100), Some(0)),
            ("c0 \"e4=9\"; c8 \"7\"; c9 \"some text\";", &["e4"], Some(100), Some(9)),
            ("bm d4; c0 \"eval=5\"; c8 \"7\"; c9 \"some text\";", &["d4"], Some(100), None),
        ] {
            let mate = |text: &&'static str| match text.split_once('+') {
                Some((mv, moves)) => (mv, moves.parse().ok()),
                None => (*text, None),
            };
            let found: Vec<_> = found.iter().map(mate).collect();
            let (exercise, reasons) = exercise(operations);
            let attempt = exercise.unwrap().attempt(&answer(&found));
            let solved = attempt.solution.map(|solution| solution.nodes.unwrap());
            assert_eq!((solved, attempt.points), (nodes, points), "{operations}");
            assert_eq!(reasons, [""; 0], "{operations}");
        }
    }

    #[test]
    fn an_answer_that_the_lines_do_not_have_is_found_at_the_end() {
        let mut answer = answer(&[("d4", None)]);
        answer.best = exercise("bm e4;").0.unwrap().best[0];
        let attempt = exercise("bm e4;").0.unwrap().attempt(&answer);
        assert_eq!(attempt.solution.unwrap().nodes, Some(999));
    }

    #[test]
    fn points_that_cannot_be_read_are_reported_and_moves_stay() {
        for (operations, reason, remains) in [
            ("bm e4; c8 \"5 6\"; c9 \"e2e4\";", "c8 has 2 numbers, and c9 1 moves", true),
            ("c0 \"e4=10, e5=3\";", "points of e5: ", false),
        ] {
            let (exercise, reasons) = exercise(operations);
            assert!(reasons[0].starts_with("record 3: rnbqkbnr/"), "{reasons:?}");
            assert!(reasons[0].contains(reason), "{reasons:?}");
            assert_eq!((exercise.is_some(), reasons.len()), (remains, 1));
        }
        for operations in ["id \"a\";", "c0 \"e4 = good\";", "ce 20; pv e4;"] {
            assert!(exercise(operations).0.is_none(), "{operations}");
        }
    }

    #[test]
    fn points_of_the_record_before_may_not_fit() {
        fn read(line: &str) -> RecordOfLine<'_> {
            RecordOfLine::read(line, Rules::Detected).unwrap()
        }
        let points = "c8 \"10 9\"; c9 \"e2e4 e1e2\"";
        let before = format!("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; {points};");
        for (points, reasons) in [(points, 0), ("c8 \"10 8\"; c9 \"e2e4 e1e2\"", 1)] {
            let line = format!("{START} {points}; bm d4;");
            let mut reported = 0;
            let exercise =
                Exercise::read(&read(&line), Some(&read(&before)), 2, &mut |_| reported += 1);
            assert_eq!((exercise.unwrap().most_points(), reported), (None, reasons));
        }
    }

    #[test]
    fn what_is_asked_is_the_text_of_the_operations() {
        for (operations, task) in [
            ("am d4; bm e4 Nf3; dm 2; id \"a\";", "bm e4 Nf3, am d4, dm 2"),
            ("c0 \"e4=10, d4=9, Nf3=10\";", "e4=10, Nf3=10"),
        ] {
            assert_eq!(exercise(operations).0.unwrap().task, task);
        }
    }
}
