//! Lets engines solve test suites.

use std::io::{self, IsTerminal, Write};
use std::time::Instant;

use pgn2epd::analyse::{AnalyseError, AnalyseOptions, EngineError, Exercise, Suite, SuiteTotals};
use pgn2epd::game::Severity;
use pgn2epd::options::RegisterStyle;
use pgn2epd::output::printable;
use pgn2epd::{Conversion, Options};

use super::convert::Watcher;
use crate::args::{Solve, SuiteFormat, on_command_line};
use crate::empty_output;
use crate::exit::{Outcome, Written};
use crate::host::{self, host};
use crate::inputs::{self, Failures};
use crate::output;
use crate::progress::Progress;
use crate::report::{self, Report, count};

pub(super) fn solve(args: &Solve) -> anyhow::Result<Outcome> {
    let began = Instant::now();
    let options = Options::from_names(args.library.given()).map_err(on_command_line)?;
    let engines = AnalyseOptions::from_names(args.engine.given()).map_err(on_command_line)?;
    let engines = engines.stop(host::stop_check());
    inputs::check_existing(&args.files)?;
    let inputs = inputs::inputs(&args.files, None)?.of_kind(options.input);
    let mut guard = output::guard(&args.files)?;
    options.reach.iter().for_each(|file| guard.input(file.path()));
    output::add_output(&mut guard, args.output.as_deref())?;
    args.messages.report.as_deref().map_or(Ok(()), |path| guard.output("--report", path))?;
    let mut output = output::open(args.output.as_deref())?;
    let report = args.messages.report.as_deref().map(Report::create).transpose()?;
    let quiet = args.messages.quiet;

    let mut epd = Vec::new();
    let mut failures = Failures::new(quiet, options.on_damage);
    let mut watcher = Watcher::new(&inputs, Progress::new(None, false), report, quiet);
    // Records that are complete by themselves.
    let options = options.registers(Some(RegisterStyle::Full));
    let mut conversion = Conversion::new(&mut epd, &options);
    watcher.read_all(inputs, &mut failures, |text, watcher| {
        conversion.text(text, watcher)?;
        Ok(conversion.is_over())
    })?;
    let summary = conversion.finish()?;
    watcher.finish().1.map_or(Ok(()), Report::finish)?;
    failures.finish()?;

    let suite = Suite::read(&String::from_utf8_lossy(&epd), engines.variant);
    if !quiet {
        let tell = |severity, kind, text: &str| {
            report::problem_of_record(None, severity, kind, text.to_owned(), text);
        };
        suite.problems.iter().for_each(|problem| tell(Severity::Error, "points", problem));
        if suite.others > 0 {
            let others = count(suite.others, "record");
            tell(Severity::Note, "no-task", &format!("{others} without bm, am, dm or points"));
        }
    }
    if suite.exercises.is_empty() {
        match summary.has_output {
            _ if quiet => {}
            true => report::note(&AnalyseError::NothingAsked.to_string()),
            false => empty_output::explain_records(&summary, &options, &args.library.limits()),
        }
        return Ok(Written::Nothing.outcome(0));
    }
    let shown = io::stderr().is_terminal() && !output.is_terminal();
    let shown = args.messages.progress || !quiet && shown;
    let all = suite.exercises.len() as u64 * engines.engine.len() as u64;
    let progress = Progress::of_answers(all, shown);
    let mut on_answer = |exercise: &Exercise, error: Option<&EngineError>| {
        progress.advance(1);
        if let Some(error) = error {
            let text = format!("record {}: {}: {error}", exercise.record, exercise.name);
            progress.suspend(|| report::failed_search(Some(exercise.record), error, &text));
        }
    };
    let results = suite.solve(&engines, &mut on_answer)?;
    progress.clear();
    // The time is another one in each run, unless it is the limit.
    let has_time = engines.movetime.is_some();
    let text = match args.format {
        SuiteFormat::Text => suite.tables(&results, has_time, false),
        SuiteFormat::Markdown => suite.tables(&results, has_time, true),
        SuiteFormat::Json => suite.json(&results, has_time),
        SuiteFormat::Csv => suite.csv(&results, has_time),
    };
    output.write_all(text.as_bytes())?;
    output.finish()?;
    host().result(serde_json::from_str(&suite.json(&results, has_time))?);

    let mut errors = summary.errors + suite.problems.len() as u64;
    // A task that cannot be read is one of the texts that are kept as comments.
    errors += if suite.others > 0 { summary.unread_texts } else { 0 };
    for result in &results {
        let totals = result.totals(&suite);
        errors += totals.failed;
        let warning = engines.warning(result.short, totals.exercises - totals.failed);
        if let Some(warning) = warning.filter(|_| !quiet) {
            let message = format!("{}: {warning}", result.name);
            report::problem_of_record(None, Severity::Warning, "engine", warning, &message);
        }
        let SuiteTotals { solved, points, most_points, .. } = totals;
        let (reached, what) = match most_points {
            0 => (solved, "solved position"),
            _ => (points, "point"),
        };
        if let Some(least) = args.fail_below.filter(|least| reached < *least) {
            errors += 1;
            let reached = count(reached, what);
            report::print(&printable(&format!("{}: {reached}, fewer than {least}", result.name)));
        }
    }
    report::summary(args.messages.summary, &summary, began.elapsed());
    Ok(Outcome::of_errors(errors))
}
