//! Engines that solve a test suite.

use std::time::Duration;

use engine::{EngineError, Pool};
use epd::Rules;

use super::error::AnalyseError;
use super::exercise::{Attempt, Exercise};
use super::options::AnalyseOptions;
use super::record::RecordOfLine;
use crate::options::OptionSet;

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
        let lines = records.lines().filter_map(|line| RecordOfLine::read(line, rules));
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
    /// the error if an engine fails.
    ///
    /// # Errors
    ///
    /// If options are in conflict, the suite asks nothing, or an engine cannot be started, or not
    /// again.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_counted_by_hand() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let records = [" dm 3;", " dm 3;", " dm 3;", " dm 3;", " bm e4;", " bm e4;", " id \"a\";"];
        let records: Vec<String> = records.iter().map(|text| format!("{start}{text}")).collect();
        let suite = Suite::read(&records.join("\n"), Rules::Detected);
        let best = suite.exercises[4].question.san_of("e4").unwrap();
        let attempt =
            |mate| Some(Attempt { best, score: None, mate, points: None, solution: None });
        let attempts = vec![
            attempt(Some(2)),
            attempt(Some(3)),
            attempt(Some(4)),
            attempt(None),
            attempt(Some(1)),
            None,
        ];
        let result =
            SuiteResult { name: String::new(), settings: String::new(), attempts, short: 0 };
        let SuiteTotals { exercises, failed, mates, mates_found, shortest_mates, .. } =
            result.totals(&suite);
        assert_eq!((exercises, failed, suite.others), (6, 1, 1));
        assert_eq!((mates, mates_found, shortest_mates), (4, 3, 2));
    }
}
