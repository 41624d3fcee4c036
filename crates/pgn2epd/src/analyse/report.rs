//! The result of a test suite as tables, JSON and CSV.

use std::iter;

use engine::Score;
use serde_json::{Map, Value, json};

use super::exercise::{Attempt, Exercise};
use super::solve::{Suite, SuiteResult, SuiteTotals};

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
        let mut rows =
            vec![["position", "asked"].map(str::to_owned).into_iter().chain(names).collect()];
        for (index, exercise) in self.exercises.iter().enumerate() {
            let attempts: Vec<Option<Attempt>> =
                results.iter().map(|result| result.attempts[index]).collect();
            if !attempts.iter().all(|attempt| attempt.is_some_and(|of| of.solution.is_some())) {
                let cells =
                    attempts.iter().map(|attempt| attempt.map_or("failed".to_owned(), cell));
                let first = [exercise.name.clone(), exercise.task.clone()];
                rows.push(first.into_iter().chain(cells).collect());
            }
        }
        if rows.len() > 1 {
            text += "\n";
            text += &table(&rows, is_markdown);
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

/// The move and its score, if it is wrong.
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
    match units {
        1 => mean.to_string(),
        _ => {
            let digits = units.ilog10() as usize;
            format!("{}.{:0digits$}", mean / units, mean % units)
        }
    }
}

/// Returns rows, of which the first one has the names of the columns.
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
        if is_markdown {
            text += &format!("| {} |\n", cells.join(" | "));
        } else {
            text += cells.join("  ").trim_end();
            text += "\n";
        }
        if is_markdown && number == 0 {
            let rules: Vec<String> = widths.iter().map(|width| "-".repeat(width + 2)).collect();
            text += &format!("|{}|\n", rules.join("|"));
        }
    }
    text
}

/// Without characters that terminals and readers of tables act upon.
fn plain(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// Returns what an engine does with an exercise, by the names of columns.
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
