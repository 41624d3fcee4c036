//! Engines that solve a test suite.

use std::iter;
use std::time::Duration;

use engine::{Answer, EngineError, Finding, Pool, Question, Score};
use epd::Rules;
use san::MoveText;
use serde_json::{Map, Value, json};

use super::evaluator::{AnalyseError, EngineRecord, centipawns, mate};
use super::options::AnalyseOptions;
use crate::options::OptionSet;

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
        line: &EngineRecord,
        before: Option<&EngineRecord>,
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
        let mate = mate(score);
        let Answer { best, nodes, time, .. } = *answer;
        let end = Finding { best, mate, depth: line.and_then(|line| line.depth), nodes, time };
        let findings = answer.findings.iter().rev();
        let stayed = findings.take_while(|found| self.is_solved(found)).last();
        let solution = self.is_solved(&end).then(|| stayed.copied().unwrap_or(end));
        Attempt { best, score, mate, points: self.points_of(best), solution }
    }
}

/// Points as in the Strategic Test Suite: numbers in c8 and moves in c9, or `f5=10, Be5+=2` in c0.
fn points(
    line: &EngineRecord,
    before: Option<&EngineRecord>,
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

/// The records of a test suite that ask something: best moves, moves to avoid, mates, points.
///
/// ```no_run
/// use pgn2epd::Options;
/// use pgn2epd::analyse::{AnalyseOptions, Suite};
/// use pgn2epd::options::RegisterStyle;
///
/// let mut epd = Vec::new();
/// let options = Options::default().registers(Some(RegisterStyle::Full));
/// pgn2epd::convert(std::fs::File::open("suite.epd")?, &mut epd, &options)?;
/// let engines = [("engine", "stockfish"), ("engine", "lc0"), ("nodes", "10000")];
/// let engines = AnalyseOptions::from_names(engines)?;
/// let suite = Suite::read(&String::from_utf8_lossy(&epd), engines.variant);
/// for result in suite.solve(&engines, &mut |_, _| {})? {
///     println!("{}: {}", result.name, result.totals(&suite).solved);
/// }
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Suite {
    /// What is asked.
    pub exercises: Vec<Exercise>,
    /// The number of records that ask nothing.
    pub others: u64,
    /// Records whose points cannot be read, with the reasons.
    pub problems: Vec<String>,
}

/// What an engine does with a suite.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SuiteResult {
    /// The name that the engine gives itself, with a number if an earlier one has the same.
    pub name: String,
    /// The engine and all that its answers depend on.
    pub settings: String,
    /// What it does with each exercise; `None` if it fails.
    pub attempts: Vec<Option<Attempt>>,
    /// The number of searches that ended far below their limits.
    pub short: u64,
}

/// The totals of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SuiteTotals {
    /// Exercises.
    pub exercises: u64,
    /// Those that the engine solves.
    pub solved: u64,
    /// Those at which the engine fails.
    pub failed: u64,
    /// Points of its moves.
    pub points: u64,
    /// Points of the best moves.
    pub most_points: u64,
    /// Exercises with a mate.
    pub mates: u64,
    /// Mates that it sees.
    pub mates_found: u64,
    /// Those of them that are as short as the suite says, or shorter.
    pub shortest_mates: u64,
    /// Nodes up to all solutions.
    pub nodes: u64,
    /// Depths of all solutions.
    pub depth: u64,
    /// Time up to all solutions.
    pub time: Duration,
}

impl Suite {
    /// Reads records as a conversion writes them, with
    /// [full](crate::options::RegisterStyle::Full) registers.
    pub fn read(records: &str, rules: Rules) -> Self {
        let mut suite = Suite::default();
        let lines = records.lines().filter_map(|line| EngineRecord::read(line, rules));
        let mut before = None;
        for (number, line) in (1..).zip(lines) {
            let report = &mut |reason| suite.problems.push(reason);
            match Exercise::read(&line, before.as_ref(), number, report) {
                Some(exercise) if !line.question.is_over() => suite.exercises.push(exercise),
                _ => suite.others += 1,
            }
            before = Some(line);
        }
        suite
    }

    /// Asks the engines, one after the other. `on_answer` is called for each answer, and receives
    /// the error if an engine fails. Fails if options are in conflict, the suite asks nothing, or
    /// an engine cannot be started, or not again.
    pub fn solve(
        &self,
        options: &AnalyseOptions,
        on_answer: &mut dyn FnMut(&Exercise, Option<&EngineError>),
    ) -> Result<Vec<SuiteResult>, AnalyseError> {
        options.conflict().map_or(Ok(()), Err)?;
        if self.exercises.is_empty() {
            return Err(AnalyseError::NothingAsked);
        }
        // All of them, before the first one is asked.
        let pools: Result<Vec<Pool>, _> =
            options.engine.iter().map(|engine| options.start(engine)).collect();
        let mut results: Vec<SuiteResult> = Vec::new();
        for (mut pool, engine) in pools?.into_iter().zip(&options.engine) {
            let settings = options.description(pool.name(), engine).0;
            let name = match results.iter().filter(|other| other.settings == settings).count() {
                0 => pool.name().to_owned(),
                earlier => format!("{} ({})", pool.name(), earlier + 1),
            };
            self.exercises.iter().for_each(|exercise| pool.push(exercise.question.clone()));
            let (mut attempts, mut short) = (Vec::new(), 0);
            for exercise in &self.exercises {
                let answer = pool.wait().expect("the engine was asked")?;
                on_answer(exercise, answer.as_ref().err());
                short += u64::from(answer.as_ref().is_ok_and(|answer| answer.is_short));
                attempts.push(answer.ok().map(|answer| exercise.attempt(&answer)));
            }
            results.push(SuiteResult { name, settings, attempts, short });
        }
        Ok(results)
    }
}

impl SuiteResult {
    /// Returns the totals for the suite.
    pub fn totals(&self, suite: &Suite) -> SuiteTotals {
        let mut totals = SuiteTotals::default();
        for (exercise, attempt) in suite.exercises.iter().zip(&self.attempts) {
            totals.exercises += 1;
            totals.most_points += exercise.most_points().unwrap_or_default();
            totals.mates += u64::from(exercise.mate.is_some());
            let Some(attempt) = attempt else {
                totals.failed += 1;
                continue;
            };
            totals.points += attempt.points.unwrap_or_default();
            if let (Some(shortest), Some(found)) = (exercise.mate, attempt.mate) {
                totals.mates_found += 1;
                totals.shortest_mates += u64::from(found <= shortest);
            }
            if let Some(solution) = attempt.solution {
                totals.solved += 1;
                totals.nodes += solution.nodes.unwrap_or_default();
                totals.depth += u64::from(solution.depth.unwrap_or_default());
                totals.time += solution.time.unwrap_or_default();
            }
        }
        totals
    }
}

impl Suite {
    /// Returns the totals of each engine, then the positions that are not solved by all.
    pub fn tables(&self, results: &[SuiteResult], has_time: bool, is_markdown: bool) -> String {
        let totals: Vec<SuiteTotals> = results.iter().map(|result| result.totals(self)).collect();
        let any = |number: fn(&SuiteTotals) -> u64| totals.iter().any(|totals| number(totals) > 0);
        type Column = (&'static str, bool, fn(&SuiteTotals) -> String);
        let columns: [Column; 8] = [
            ("solved", true, |of| format!("{} of {}", of.solved, of.exercises)),
            ("points", any(|of| of.most_points), |of| {
                format!("{} of {}", of.points, of.most_points)
            }),
            ("mates", any(|of| of.mates), |of| format!("{} of {}", of.mates_found, of.mates)),
            ("shortest", any(|of| of.mates), |of| format!("{} of {}", of.shortest_mates, of.mates)),
            ("failed", any(|of| of.failed), |of| of.failed.to_string()),
            ("nodes", true, |of| mean(of.nodes.into(), 1, of.solved)),
            ("depth", true, |of| mean(of.depth.into(), 10, of.solved)),
            ("seconds", has_time, |of| mean(of.time.as_millis(), 1000, 1000 * of.solved)),
        ];
        let columns: Vec<Column> =
            columns.into_iter().filter(|(_, is_shown, _)| *is_shown).collect();
        let names = columns.iter().map(|(name, ..)| (*name).to_owned());
        let mut rows = vec![iter::once("engine".to_owned()).chain(names).collect::<Vec<_>>()];
        for (result, totals) in results.iter().zip(&totals) {
            let cells = columns.iter().map(|(.., cell)| cell(totals));
            rows.push(iter::once(result.name.clone()).chain(cells).collect());
        }
        let mut text = table(&rows, is_markdown);

        let names = results.iter().map(|result| result.name.clone());
        let first = ["position", "asked"].map(str::to_owned);
        let mut rows = vec![first.into_iter().chain(names).collect::<Vec<_>>()];
        for (index, exercise) in self.exercises.iter().enumerate() {
            let attempts = || results.iter().map(|result| result.attempts[index]);
            if !attempts().all(|attempt| attempt.is_some_and(|of| of.solution.is_some())) {
                let cells = attempts().map(|attempt| attempt.map_or("failed".to_owned(), cell));
                let first = [exercise.name.clone(), exercise.task.clone()];
                rows.push(first.into_iter().chain(cells).collect());
            }
        }
        if rows.len() > 1 {
            text += &format!("\n{}", table(&rows, is_markdown));
        }
        text
    }

    /// Returns one object.
    pub fn json(&self, results: &[SuiteResult], has_time: bool) -> String {
        let engines = results.iter().map(|result| {
            let totals = result.totals(self);
            let positions = self.exercises.iter().zip(&result.attempts);
            let positions = positions.map(|(exercise, attempt)| {
                let fields = fields(exercise, *attempt, has_time).into_iter();
                fields.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>()
            });
            json!({
                "engine": result.name,
                "settings": result.settings,
                "solved": totals.solved,
                "exercises": totals.exercises,
                "failed": totals.failed,
                "points": totals.points,
                "most_points": totals.most_points,
                "mates": totals.mates,
                "mates_found": totals.mates_found,
                "shortest_mates": totals.shortest_mates,
                "positions": positions.collect::<Vec<_>>(),
            })
        });
        json!(engines.collect::<Vec<_>>()).to_string() + "\n"
    }

    /// Returns a row for each engine and exercise.
    pub fn csv(&self, results: &[SuiteResult], has_time: bool) -> String {
        let quoted = |text: &str| match text.contains([',', '"']) {
            true => format!("\"{}\"", plain(text).replace('"', "\"\"")),
            false => plain(text),
        };
        let mut text = String::new();
        for result in results {
            for (exercise, attempt) in self.exercises.iter().zip(&result.attempts) {
                let fields = fields(exercise, *attempt, has_time);
                if text.is_empty() {
                    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
                    text += &format!("engine,{}\n", names.join(","));
                }
                let values = fields.iter().map(|(_, value)| match value {
                    Value::Null => String::new(),
                    Value::String(text) => quoted(text),
                    value => value.to_string(),
                });
                let values: Vec<String> = iter::once(quoted(&result.name)).chain(values).collect();
                text += &(values.join(",") + "\n");
            }
        }
        text
    }
}

fn cell(attempt: Attempt) -> String {
    if attempt.solution.is_some() {
        return "solved".to_owned();
    }
    let score = attempt.score.map(|score| match score {
        Score::Centipawns(centipawns) => format!(" ({centipawns})"),
        Score::Mate(moves) => format!(" (#{moves})"),
    });
    let points = attempt.points.map(|points| format!(", points: {points}"));
    format!("{}{}{}", attempt.best, score.unwrap_or_default(), points.unwrap_or_default())
}

/// Returns a mean in units of which there are `units` in 1, rounded to the nearest one.
fn mean(sum: u128, units: u64, number: u64) -> String {
    let (units, number) = (u128::from(units), u128::from(number));
    if number == 0 {
        return "-".to_owned();
    }
    let mean = (2 * sum * units + number) / (2 * number);
    let digits = units.ilog10() as usize;
    if digits == 0 {
        mean.to_string()
    } else {
        format!("{}.{:0digits$}", mean / units, mean % units)
    }
}

fn table(rows: &[Vec<String>], is_markdown: bool) -> String {
    let escaped = |cell: &String| match is_markdown {
        true => plain(cell).replace('&', "&amp;").replace('<', "&lt;").replace('|', "\\|"),
        false => plain(cell),
    };
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(escaped).collect()).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..rows[0].len()).filter_map(width).collect();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        let cells: Vec<String> = cells.collect();
        text += &match is_markdown {
            true => format!("| {} |\n", cells.join(" | ")),
            false => cells.join("  ").trim_end().to_owned() + "\n",
        };
        if is_markdown && number == 0 {
            let rules: Vec<String> = widths.iter().map(|width| "-".repeat(width + 2)).collect();
            text += &format!("|{}|\n", rules.join("|"));
        }
    }
    text
}

/// The text without characters that terminals and readers of tables act upon.
fn plain(text: &str) -> String {
    text.replace(char::is_control, " ")
}

fn fields(
    exercise: &Exercise,
    attempt: Option<Attempt>,
    has_time: bool,
) -> Vec<(&'static str, Value)> {
    let solution = attempt.and_then(|attempt| attempt.solution);
    let seconds = solution.and_then(|found| found.time).map(|time| time.as_secs_f64());
    let mut fields = vec![
        ("record", json!(exercise.record)),
        ("position", json!(exercise.name)),
        ("asked", json!(exercise.task)),
        ("move", json!(attempt.map(|attempt| attempt.best.to_string()))),
        ("score", json!(attempt.and_then(|attempt| attempt.centipawns()))),
        ("solved", json!(solution.is_some())),
        ("points", json!(attempt.and_then(|attempt| attempt.points))),
        ("most_points", json!(exercise.most_points())),
        ("mate", json!(attempt.and_then(|attempt| attempt.mate))),
        ("nodes", json!(solution.and_then(|found| found.nodes))),
        ("depth", json!(solution.and_then(|found| found.depth))),
    ];
    if has_time {
        fields.push(("seconds", json!(seconds)));
    }
    fields
}

#[cfg(test)]
mod tests {
    use engine::EvaluatedLine;
    use epd::Rules;

    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn exercise(operations: &str) -> (Option<Exercise>, Vec<String>) {
        let (line, mut reasons) = (format!("{START} {operations}"), Vec::new());
        let record = EngineRecord::read(&line, Rules::Detected).unwrap();
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
        fn read(line: &str) -> EngineRecord {
            EngineRecord::read(line, Rules::Detected).unwrap()
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

    #[test]
    fn totals_are_counted_by_hand() {
        let records = [" dm 3;", " dm 3;", " dm 3;", " dm 3;", " bm e4;", " bm e4;", " id \"a\";"];
        let records: Vec<String> = records.iter().map(|text| format!("{START}{text}")).collect();
        let suite = Suite::read(&records.join("\n"), Rules::Detected);
        let best = suite.exercises[4].question.san_of("e4").unwrap();
        let attempt =
            |mate| Some(Attempt { best, score: None, mate, points: None, solution: None });
        let mut attempts = [Some(2), Some(3), Some(4), None, Some(1)].map(attempt).to_vec();
        attempts.push(None);
        let result =
            SuiteResult { name: String::new(), settings: String::new(), attempts, short: 0 };
        let SuiteTotals { exercises, failed, mates, mates_found, shortest_mates, .. } =
            result.totals(&suite);
        assert_eq!((exercises, failed, suite.others), (6, 1, 1));
        assert_eq!((mates, mates_found, shortest_mates), (4, 3, 2));
    }
}
