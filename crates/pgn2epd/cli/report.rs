//! What is wrong, said to people on standard error and to programs in a file.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use pgn2epd::epd::LineFault;
use pgn2epd::{Problem, Summary};
use serde::Serialize;

/// A problem as a line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    /// The byte from which lines and games are counted, where that is not the beginning of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<u64>,
    line: u64,
    column: u64,
    byte: u64,
    game: Option<u64>,
    white: Option<&'a str>,
    black: Option<&'a str>,
    #[serde(rename = "move")]
    move_number: Option<String>,
    token: &'a str,
    severity: &'static str,
    kind: &'static str,
    reason: String,
}

/// The file of `--report`.
pub(super) struct Report {
    writer: BufWriter<File>,
    path: String,
}

impl Report {
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        let shown = path.display().to_string();
        let file = File::create(path).with_context(|| format!("cannot write {shown}"))?;
        Ok(Report { writer: BufWriter::new(file), path: shown })
    }

    pub(super) fn write(&mut self, file: &str, from: u64, problem: &Problem) -> anyhow::Result<()> {
        let line = Line {
            file,
            from: Some(from).filter(|from| *from > 0),
            line: problem.place.line,
            column: problem.place.column,
            byte: from + problem.place.byte,
            game: Some(problem.game).filter(|game| *game > 0),
            white: problem.white.as_deref(),
            black: problem.black.as_deref(),
            move_number: problem.move_number.map(|number| number.to_string()),
            token: &problem.token,
            severity: problem.severity().as_str(),
            kind: problem.reason.kind(),
            reason: problem.reason.to_string(),
        };
        let text = serde_json::to_string(&line)?;
        writeln!(self.writer, "{text}").with_context(|| format!("cannot write {}", self.path))
    }

    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        self.writer.flush().with_context(|| format!("cannot write {}", self.path))
    }
}

/// Says a problem.
#[allow(clippy::print_stderr)]
pub(super) fn problem(file: &str, problem: &Problem) {
    anstream::eprintln!("{}:{}", printable(file), printable(&problem.to_string()));
}

/// Says what is wrong with a record.
#[allow(clippy::print_stderr)]
pub(super) fn fault(file: &str, fault: &LineFault) {
    anstream::eprintln!("{}:{}", printable(file), printable(&fault.to_string()));
}

/// Says what is wrong with a line of a file of positions.
#[allow(clippy::print_stderr)]
pub(super) fn place_in_line(file: &str, number: u64, column: usize, reason: &str) {
    anstream::eprintln!("{}:{number}:{column}: {}", printable(file), printable(reason));
}

/// Says why the run failed.
#[allow(clippy::print_stderr)]
pub(super) fn failure(error: &anyhow::Error) {
    anstream::eprintln!("pgn2epd: {}", printable(&format!("{error:#}")));
}

/// Names of players come from anywhere: what a terminal would act upon is shown as a code instead.
pub(super) fn printable(text: &str) -> String {
    let is_bidi = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || is_bidi(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    shown
}

/// The summary for people: `57 games, 4,812 positions, 1 error, 0.1 MB in 0.02 s`.
#[allow(clippy::print_stderr)]
pub(super) fn summary_text(summary: &Summary, elapsed: Duration) {
    let Summary { games, bad_games, positions, errors, warnings, notes, .. } = *summary;
    let mut text = format!("{}, {}", count(games, "game"), count(positions, "position"));
    if summary.left_out > 0 {
        text += &format!(", {} left out", count(summary.left_out, "game"));
    }
    if summary.unlabelled > 0 {
        text += &format!(", {} that cannot be labelled", count(summary.unlabelled, "position"));
    }
    if errors > 0 {
        text += &format!(", {} in {}", count(errors, "error"), count(bad_games, "game"));
    }
    if warnings > 0 {
        text += &format!(", {}", count(warnings, "warning"));
    }
    if notes > 0 {
        text += &format!(", {}", count(notes, "note"));
    }
    let megabytes = summary.bytes_read as f64 / 1e6;
    anstream::eprintln!("{text}; {megabytes:.1} MB in {:.2} s", elapsed.as_secs_f64());
}

/// The summary for programs: one object on one line.
#[allow(clippy::print_stderr)]
pub(super) fn summary_json(summary: &Summary, elapsed: Duration) {
    let object = serde_json::json!({
        "games": summary.games,
        "bad_games": summary.bad_games,
        "left_out": summary.left_out,
        "positions": summary.positions,
        "unlabelled": summary.unlabelled,
        "errors": summary.errors,
        "warnings": summary.warnings,
        "notes": summary.notes,
        "bytes_read": summary.bytes_read,
        "bytes_written": summary.bytes_written,
        "stopped": summary.stopped,
        "seconds": elapsed.as_secs_f64(),
    });
    anstream::eprintln!("{object}");
}

pub(super) fn count(number: u64, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {noun}{s}", indicatif::HumanCount(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_does_not_command_the_terminal() {
        assert_eq!(printable("M\u{1b}[31müller\u{202e}"), "M\\u{1b}[31müller\\u{202e}");
    }
}
