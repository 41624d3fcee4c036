//! Messages: problems, totals, and why the output is empty; for people on standard error, for
//! programs in a file.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use indicatif::HumanCount;
use pgn2epd::analyse::EngineError;
use pgn2epd::epd::EpdDiagnosticKind;
use pgn2epd::game::{Losses, Severity, Unstorable};
use pgn2epd::options::{Filter, Format, Keyword, LabelForm, Omission};
use pgn2epd::output::printable;
use pgn2epd::{Options, Problem, Summary};
use serde::Serialize;

use crate::args::SummaryForm;
use crate::files::{Output, OutputError};
use crate::host::host;

/// The file of `--report`; a write error is kept until the end, so that the output is not lost.
pub(super) struct Report {
    writer: BufWriter<Output>,
    failed: Option<io::Error>,
}

impl Report {
    pub(super) fn create(path: Option<&Path>) -> Result<Option<Self>, OutputError> {
        let Some(path) = path else { return Ok(None) };
        Ok(Some(Report { writer: BufWriter::new(Output::open(path)?), failed: None }))
    }

    pub(super) fn write(&mut self, finding: &ReportLine<'_>) {
        if self.failed.is_none() {
            let line = serde_json::to_string(finding).map_err(io::Error::from);
            self.failed = line.and_then(|line| writeln!(self.writer, "{line}")).err();
        }
    }

    pub(super) fn finish(self) -> io::Result<()> {
        self.failed.map_or(Ok(()), Err)?;
        let output = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(output.finish()?)
    }
}

pub(super) struct Stderr;

impl Write for Stderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        host().message(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) fn print(line: &str) {
    host().message(&format!("{line}\n"));
}

/// Reports a problem of an engine or of a suite, in a record with this number if it is of one.
pub(super) fn problem_of_record(
    record: Option<u64>,
    severity: Severity,
    kind: &'static str,
    reason: String,
    message: &str,
) {
    let severity = severity.as_str();
    let finding = ReportLine { line: record, severity, kind, reason, ..ReportLine::default() };
    tell(&finding, &printable(message));
}

pub(super) fn tell(finding: &ReportLine<'_>, message: &str) {
    if !host().finding(finding, message) {
        print(message);
    }
}

pub(super) fn failed_search(record: Option<u64>, error: &EngineError, message: &str) {
    problem_of_record(record, Severity::Error, "engine", error.to_string(), message);
}

pub(super) fn warning(option: &str, text: &str) {
    host().warning(&format!("--{option}: {}", printable(text)));
}

pub(super) fn message(file: &str, problem: &Problem) -> String {
    format!("{}:{}", printable(file), printable(&problem.to_string()))
}

pub(super) fn failure(error: &anyhow::Error) -> String {
    let text = match OutputError::find(&**error) {
        // The name of the failed output is more useful than the description of its content.
        Some(failed) => format!("{failed}: {}", failed.source),
        None => format!("{error:#}"),
    };
    format!("pgn2epd: {}", printable(&text))
}

/// Prints what the run could not decide, and the names in options that nothing in the input has.
pub(super) fn warnings(options: &Options, summary: &Summary) {
    if summary.undecided_variants > 0 {
        let what = if summary.records > 0 { "record" } else { "game" };
        let what = count(summary.undecided_variants, what);
        let never = "board, material, attacks and reached never hold in variants";
        warning("where", &format!("{never}: {what} of variants"));
    }
    for (option, hint) in options.missing_names(summary) {
        warning(option, &hint);
    }
}

pub(super) fn note(text: &str) {
    print(&format!("pgn2epd: {}", printable(text)));
}

/// Prints `57 games, 4,812 positions, 1 error, 0.1 MB in 0.02 s`, or one line of JSON.
pub(super) fn summary(form: Option<SummaryForm>, summary: &Summary, elapsed: Duration) {
    match form {
        Some(SummaryForm::Json) => print(&summary_object(summary, elapsed).to_string()),
        Some(SummaryForm::Text) => {
            summary_line(summary, &count(summary.positions, "position"), elapsed);
        }
        None => {}
    }
}

/// `written` is the number of positions, and null for a partial result.
pub(super) fn book_summary(
    form: Option<SummaryForm>,
    summary: &Summary,
    written: Option<u64>,
    elapsed: Duration,
) {
    match form {
        Some(SummaryForm::Json) => {
            let mut object = summary_object(summary, elapsed);
            object["written"] = written.into();
            print(&object.to_string());
        }
        Some(SummaryForm::Text) => {
            let written = written.map(|written| format!(", {} written", HumanCount(written)));
            let counted = format!("{} counted", count(summary.positions, "position"));
            summary_line(summary, &(counted + &written.unwrap_or_default()), elapsed);
        }
        None => {}
    }
}

fn summary_line(summary: &Summary, positions: &str, elapsed: Duration) {
    let Summary { records, bad_games, errors, .. } = *summary;
    let games = summary.games - records;
    let items = match (games, records) {
        (_, 0) => count(games, "game"),
        (0, _) => count(records, "record"),
        _ => format!("{}, {}", count(games, "game"), count(records, "record")),
    };
    // A game with an error counts as one, a line without a position does not.
    let is_of_records = games == 0 && (records > 0 || bad_games > 0);
    let (item, place) = if is_of_records { ("record", "line") } else { ("game", "game") };
    let Losses { long_comments, shortened, altered, cut_lines, annotations, variations } =
        summary.losses;
    let mut parts = vec![items, positions.to_owned()];
    parts.extend(counted(&[
        (summary.left_out, item, "left out"),
        (summary.duplicates, "duplicate", "omitted"),
        (summary.unlabelled, "position", "that cannot be labelled"),
    ]));
    parts.extend(omitted(summary));
    let in_games = format!("in {}", count(bad_games, place));
    parts.extend(counted(&[
        (errors, "error", &in_games),
        (summary.warnings, "warning", ""),
        (summary.notes, "note", ""),
        (long_comments, "comment", "longer than 255 bytes"),
        (shortened, "string", "shortened"),
        (altered, "string", "with replaced characters"),
        (cut_lines, "pv", "cut before an illegal move"),
        (annotations, "annotation", "not written"),
        (variations, "variation", "not written"),
    ]));
    let (text, megabytes) = (parts.join(", "), summary.bytes_read as f64 / 1e6);
    print(&format!("{text}; {megabytes:.1} MB in {:.2} s", elapsed.as_secs_f64()));
}

#[derive(Clone, Copy, Default)]
pub(super) struct LossNotes {
    pub(super) can_vary: bool,
    pub(super) wants_annotations: bool,
    pub(super) splits_comments: bool,
}

const UNLABELLED: &str = "not written, which lack a result, evaluation or move that the format needs, or have no room in it";
const UNREAD: &str = "that cannot be read as operations written as comments (see `pgn2epd check`)";

pub(super) fn note_of_losses(file: &str, summary: &Summary, notes: LossNotes) {
    let LossNotes { can_vary, wants_annotations, splits_comments } = notes;
    let Losses { long_comments, shortened, cut_lines, variations, annotations, .. } =
        summary.losses;
    let not_varied = if can_vary { "not written (see --variations)" } else { "not written" };
    let long = match splits_comments {
        true => "longer than 255 bytes in several registers",
        false => "cut after 255 bytes (--comments split keeps them)",
    };
    let annotations = if wants_annotations { annotations } else { 0 };
    // In games, some moves usually have no evaluation.
    let is_labelled = summary.records > 0 && summary.positions > 0;
    let unlabelled = if is_labelled { summary.unlabelled } else { 0 };
    let parts = counted(&[
        (summary.foreign_games, "game", "with moves in another language (see --language auto)"),
        (variations, "variation", not_varied),
        (annotations, "annotation", "not written (see {nags} of --add)"),
        (long_comments, "comment", long),
        (shortened, "string", "shortened"),
        (cut_lines, "pv", "cut before an illegal move"),
        (summary.long_records, "line", "longer than 1024 bytes, which readers of EPD may refuse"),
        (unlabelled, "position", UNLABELLED),
        (summary.unread_texts, "text", UNREAD),
        (summary.lost_texts, "record", "without room for all of that text"),
    ]);
    if !parts.is_empty() {
        print(&format!("{}: note: {}", printable(file), parts.join(", ")));
    }
}

fn omitted(summary: &Summary) -> Option<String> {
    let counts = summary.omitted.all().filter(|(_, count)| *count > 0);
    let (words, counts): (Vec<_>, Vec<_>) = counts
        .map(|(omission, count)| (format!("{omission} {}", HumanCount(count)), count))
        .unzip();
    let all = HumanCount(counts.into_iter().sum());
    (!words.is_empty()).then(|| format!("{all} omitted ({})", words.join(", ")))
}

/// Returns the object of `--summary json`.
pub fn summary_object(summary: &Summary, elapsed: Duration) -> serde_json::Value {
    let counts = summary.omitted.all();
    let omitted: serde_json::Map<_, _> =
        counts.map(|(omission, count)| (omission.to_string(), count.into())).collect();
    serde_json::json!({
        "games": summary.games - summary.records,
        "records": summary.records,
        "unread_texts": summary.unread_texts,
        "lost_texts": summary.lost_texts,
        "bad_games": summary.bad_games,
        "left_out": summary.left_out,
        "positions": summary.positions,
        "duplicates": summary.duplicates,
        "unlabelled": summary.unlabelled,
        "omitted": omitted,
        "errors": summary.errors,
        "warnings": summary.warnings,
        "notes": summary.notes,
        "long_comments": summary.losses.long_comments,
        "shortened": summary.losses.shortened,
        "altered": summary.losses.altered,
        "cut_lines": summary.losses.cut_lines,
        "annotations": summary.losses.annotations,
        "variations": summary.losses.variations,
        "bytes_read": summary.bytes_read,
        "bytes_written": summary.bytes_written,
        "stopped": summary.stopped,
        "seconds": elapsed.as_secs_f64(),
    })
}

/// Rounds to tenths in integer arithmetic, so that the result is the same on all platforms.
pub(super) fn percent(part: u64, all: u64) -> String {
    if all == 0 {
        return "-".to_owned();
    }
    let tenths = (u128::from(part) * 2000 + u128::from(all)) / (2 * u128::from(all));
    format!("{}.{}%", tenths / 10, tenths % 10)
}

pub(super) fn counted(counts: &[(u64, &str, &str)]) -> Vec<String> {
    let is_any = |(number, ..): &&(u64, &str, &str)| *number > 0;
    let text = |(number, noun, what): &(u64, &str, &str)| {
        format!("{} {what}", count(*number, noun)).trim_end().to_owned()
    };
    counts.iter().filter(is_any).map(text).collect()
}

pub(super) fn count(number: u64, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {noun}{s}", HumanCount(number))
}

pub(crate) const NO_INPUT: &str = "the input has no games and no positions";

/// Prints why a run has no `what`, unless errors did; `limits` are the options that select.
pub(crate) fn explain(
    what: &str,
    known: Option<String>,
    done: &Summary,
    limits: &[String],
    filter: Option<&Filter>,
) {
    if let Some(reason) = known.or_else(|| selected_nothing(done, &limits.join(", "))) {
        note(&format!("no {what}: {reason}"));
    }
    hints(filter, done);
}

pub(crate) fn explain_records(done: &Summary, options: &Options, limits: &[String]) {
    explain("records", reason(done, options), done, limits, options.filter.as_ref());
}

pub(crate) fn hints(filter: Option<&Filter>, done: &Summary) {
    let Some(filter) = filter.filter(|_| done.games > 0 && done.positions == 0) else { return };
    let hints = filter.hints(done.condition_tags, done.records > 0);
    for hint in hints.into_iter().chain(filter.missing_values(done.condition_values)) {
        warning("where", &hint);
    }
}

fn selected_nothing(done: &Summary, limits: &str) -> Option<String> {
    let games = games(done);
    Some(match limits {
        _ if done.games == 0 && done.bad_games == 0 => NO_INPUT.to_owned(),
        _ if done.games == 0 => return None,
        _ if done.left_out == done.games => format!("--where excludes all of {games}"),
        _ if done.bad_games == done.games => return None,
        "" => format!("no position of {games} is selected"),
        limits => {
            let [without, outside] = [Omission::Unevaluated, Omission::Eval]
                .map(|omission| done.omitted.count(omission) > 0);
            let why = match without && !outside {
                true => ": none that could be selected has an evaluation",
                false => "",
            };
            format!("no position of {games} meets {limits}{why}")
        }
    })
}

fn reason(done: &Summary, options: &Options) -> Option<String> {
    let none = [("limit", options.limit), ("sample", options.sample)];
    if let Some((name, _)) = none.iter().find(|(_, number)| *number == Some(0)) {
        return Some(format!("--{name} 0 selects none"));
    }
    if done.unlabelled == 0 {
        return None;
    }
    let games = games(done);
    let Unstorable { castling, clocks, evaluations, moves, results, .. } = done.unstorable;
    let (format, needs) = (options.format.word(), needs(options.format));
    let positions = |number| count(number, "position");
    let without = counted(&[
        (evaluations, "position", "without an evaluation"),
        (moves, "position", "without a move"),
        (results, "position", "without a result"),
    ]);
    let lacking = match without.is_empty() {
        _ if evaluations == done.unlabelled => {
            format!("needs {needs}: no position of {games} has an evaluation")
        }
        true => format!("needs {needs}, which {} of {games} lack", positions(done.unlabelled)),
        false => format!("needs {needs}: {} in {games}", without.join(", ")),
    };
    let no_castling =
        format!("has no castling rights of Chess960, as {} have", positions(castling));
    let no_clocks = format!("has no room for the clocks of {}", positions(clocks));
    let others = done.unlabelled - castling - clocks;
    let parts = [(castling, no_castling), (clocks, no_clocks), (others, lacking)];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0).map(|(_, text)| text);
    Some(format!("--format {format} {}", parts.collect::<Vec<_>>().join("; it ")))
}

fn games(done: &Summary) -> String {
    count(done.games, if done.records > 0 { "record" } else { "game" })
}

fn needs(format: Format) -> &'static str {
    match format {
        Format::Label(LabelForm::Plain) | Format::Training(_) => {
            "a result, an evaluation and a move"
        }
        Format::Label(form) if form.needs_evaluation() => "a result and an evaluation",
        _ => "a result",
    }
}

/// A problem; as JSON a line of `--report`.
#[derive(Debug, Default, Serialize)]
pub struct ReportLine<'a> {
    file: Option<&'a str>,
    /// The byte from which lines and games are counted, if it is not the beginning of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<u64>,
    line: Option<u64>,
    column: Option<u64>,
    byte: Option<u64>,
    game: Option<u64>,
    white: Option<&'a str>,
    black: Option<&'a str>,
    site: Option<&'a str>,
    round: Option<&'a str>,
    #[serde(rename = "move")]
    move_number: Option<String>,
    token: Option<&'a str>,
    severity: &'static str,
    kind: &'static str,
    reason: String,
}

impl<'a> ReportLine<'a> {
    /// Creates it for a problem of a text that begins at the byte `from` of a file.
    pub fn of(file: &'a str, from: u64, problem: &'a Problem) -> Self {
        ReportLine {
            file: Some(file),
            from: Some(from).filter(|from| *from > 0),
            line: Some(problem.place.line),
            column: Some(problem.place.column),
            byte: Some(from + problem.place.byte),
            game: Some(problem.game).filter(|game| *game > 0),
            white: problem.identity.white.as_deref(),
            black: problem.identity.black.as_deref(),
            site: problem.identity.site.as_deref(),
            round: problem.identity.round.as_deref(),
            move_number: problem.move_number.map(|number| number.to_string()),
            token: Some(&problem.token),
            severity: problem.severity().as_str(),
            kind: problem.reason.kind(),
            reason: problem.reason.to_string(),
        }
    }

    /// Creates it for a fault of a record, which is in a line of a file, or comes from none.
    pub fn of_record(
        place: Option<(&'a str, u64)>,
        column: u64,
        token: &'a str,
        kind: &EpdDiagnosticKind,
    ) -> Self {
        ReportLine {
            file: place.map(|(file, _)| file),
            line: place.map(|(_, line)| line),
            column: Some(column),
            token: Some(token),
            severity: kind.severity().as_str(),
            kind: kind.name(),
            reason: kind.to_string(),
            ..ReportLine::default()
        }
    }
}
