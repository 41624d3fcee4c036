//! The commands that ask engines: evaluating positions, and solving test suites.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use pgn2epd::analyse::{
    AnalyseError, AnalyseOptions, Analysed, Analysis, EngineError, Exercise, FailedPosition,
    PartialFile, Suite, SuiteTotals, use_cache,
};
use pgn2epd::game::Severity;
use pgn2epd::input::Inputs;
use pgn2epd::options::{Format, RegisterStyle};
use pgn2epd::output::{Guard, Refused, advise_on_signals, printable};
use pgn2epd::{Conversion, Options};
use serde_json::json;

use crate::args::{Analyse, Messages, Solve, SuiteFormat, on_command_line};
use crate::files::{self, Output, Progress};
use crate::host::{self, host};
use crate::job::Job;
use crate::report::{self, LossNotes, Report, count};

pub(super) fn analyse(args: &Analyse) -> anyhow::Result<u64> {
    let target = files::named(args.output.as_deref());
    let options = match target {
        Some(path) => Options::from_names_for(args.library.given(), path),
        None => Options::from_names(args.library.given()),
    };
    let options = options.map_err(on_command_line)?;
    files::path(target, &options)?;
    let engine = AnalyseOptions::from_names(args.engine.given()).map_err(on_command_line)?;
    let engine = engine.stop(host::stop_check());
    // An engine takes long, so a missing file is an error before.
    files::check_existing(&args.files)?;
    let inputs = files::inputs(&args.files, None)?.of_kind(options.input);
    let mut guard = guard(&args.files, &options, args.output.as_deref(), &args.messages)?;
    files::add(&mut guard, "--cache", args.kept.cache.as_deref())?;
    // A pipe is empty when it is read once more.
    let is_read_once = |path: &&PathBuf| *path == Path::new("-") || !path.is_file();
    if options.format == Format::Pgn
        && let Some(path) = args.files.iter().find(is_read_once)
    {
        anyhow::bail!("--format pgn reads games twice, but {} is not a file", files::name(path));
    }
    let partial = target.and_then(|path| Some((path, PartialFile::name(path)?)));
    let open = |(target, name): (_, PathBuf)| {
        guard.output("-o", &name)?;
        anyhow::Ok(PartialFile::open(name, target, args.resume)?)
    };
    let mut partial = partial.map(open).transpose()?;
    if args.resume && partial.is_none() {
        anyhow::bail!("--resume is for a file: -o evaluated.epd");
    }
    if options.format != Format::Epd && partial.is_none() {
        anyhow::bail!("--format {} is for a file: -o evaluated", options.format);
    }
    let advice =
        |name: &Path| printable(&format!("{} has what is done; --resume goes on", name.display()));
    if let Some(partial) = &partial {
        advise_on_signals(partial.path(), advice(partial.path()));
    }
    let outcome = evaluate(args, &options, &engine, inputs, &mut partial);
    if let (Err(_), Some(name)) = (&outcome, partial.as_ref().and_then(PartialFile::with_results)) {
        report::print(&advice(name));
    }
    outcome
}

fn guard(
    files: &[PathBuf],
    options: &Options,
    output: Option<&Path>,
    messages: &Messages,
) -> Result<Guard, Refused> {
    let mut guard = files::guard(files)?;
    options.reach.iter().for_each(|file| guard.input(file.path()));
    files::add_output(&mut guard, output)?;
    files::add(&mut guard, "--report", messages.report.as_deref())?;
    Ok(guard)
}

fn evaluate(
    args: &Analyse,
    options: &Options,
    engine: &AnalyseOptions,
    inputs: Inputs,
    partial: &mut Option<PartialFile>,
) -> anyhow::Result<u64> {
    let began = Instant::now();
    let target = files::named(args.output.as_deref());
    let mut direct = match partial {
        Some(_) => None,
        None => Some(files::open(args.output.as_deref())?),
    };
    let is_terminal = direct.as_ref().is_some_and(Output::is_terminal);
    let is_shown = args.messages.shows_progress(is_terminal);
    let progress = Progress::of_input(inputs.bytes(), options.limit.or(options.sample), is_shown);
    let quiet = args.messages.quiet;
    let mut job = Job::new(quiet, options.on_damage);
    job.progress = progress.clone();
    job.report = Report::create(args.messages.report.as_deref())?;
    job.notes = Some(LossNotes::default());
    let name = target.map_or_else(|| "record ".to_owned(), |path| format!("{}:", path.display()));
    let failed = |position: &FailedPosition| {
        let FailedPosition { record, fen, error, .. } = position;
        let message = format!("{name}{record}: {fen}: {error}");
        progress.suspend(|| report::failed_search(Some(*record), error, &message));
    };
    let (earlier, output): (_, Box<dyn io::Write>) = match (&*partial, &mut direct) {
        (Some(partial), _) => (Some(partial.earlier()?), Box::new(partial.file())),
        (None, Some(direct)) => (None, Box::new(direct)),
        (None, None) => unreachable!("there is an output"),
    };
    let mut analysis = Analysis::new(output, options, engine)?;
    analysis.on_failure(failed);
    analysis.on_progress(|written| progress.reach(written));
    if let Some(path) = &args.kept.cache {
        use_cache(path, |cache, additions| analysis.use_cache(cache, additions))?;
    }
    if let Some(earlier) = earlier {
        analysis.continue_after(earlier);
    }
    job.read(inputs, |text, job| match analysis.text(text, job) {
        Ok(_) => Ok(analysis.is_over()),
        Err(AnalyseError::Convert(error)) => Err(error.into()),
        Err(error) => Err(error.into()),
    })?;
    let (summary, analysed) = analysis.finish()?;
    job.finish_report()?;
    // Results are kept for a run with the whole file.
    job.end_of_whole()?;
    let Analysed { asked, repeated, earlier, over, failed, .. } = analysed;
    let is_empty = asked + repeated + earlier + over + failed == 0;
    if let Some(direct) = direct {
        files::finish(direct, is_empty)?;
    }
    let mut written = None;
    if let (Some(partial), Some(path), false) = (partial, target, is_empty) {
        let has_games = options.format == Format::Pgn && summary.games > summary.records;
        let games = has_games.then_some(|conversion: &mut Conversion<'_>| {
            let inputs = files::inputs(&args.files, None)?.of_kind(options.input);
            // Their problems have been reported.
            let mut again = Job::new(true, options.on_damage);
            again.read(inputs, |text, job| {
                conversion.text(text, job)?;
                Ok(false)
            })?;
            // It could be read before.
            if job.is_all_read() { again.end_of_all() } else { Ok(()) }
        });
        written = partial.finish(path, options, engine, games)?;
    }
    if !quiet {
        if is_empty {
            report::explain_records(&summary, options, &args.library.limits());
        }
        report::warnings(options, &summary);
        print_totals(&analysed, engine, written.map_or(0, |written| written.unlabelled));
    }
    report::summary(args.messages.summary, &summary, began.elapsed());
    host().result(json!({
        "asked": asked,
        "repeated": repeated,
        "earlier": earlier,
        "over": over,
        "failed": failed,
        "summary": report::summary_object(&summary, began.elapsed()),
    }));
    job.end_of_all()?;
    Ok(summary.errors + analysed.failed + u64::from(is_empty))
}

pub(super) fn print_totals(analysed: &Analysed, engine: &AnalyseOptions, unlabelled: u64) {
    let Analysed { asked, repeated, earlier, over, unevaluated, failed, .. } = *analysed;
    let mut text = count(asked, "position") + " analysed";
    for (number, what) in [
        (earlier, "done before"),
        (repeated, "equal to others"),
        (over, "without a legal move"),
        (unevaluated, "without an evaluation by the engine"),
        (failed, "failed"),
        (unlabelled, "without a label"),
    ] {
        if number > 0 {
            text += &format!(", {} {what}", indicatif::HumanCount(number));
        }
    }
    report::print(&text);
    if let Some(warning) = engine.warning(analysed.short, asked - failed) {
        report::problem_of_record(None, Severity::Warning, "engine", warning.clone(), &warning);
    }
}

pub(super) fn solve(args: &Solve) -> anyhow::Result<u64> {
    let began = Instant::now();
    let options = Options::from_names(args.library.given()).map_err(on_command_line)?;
    let engines = AnalyseOptions::from_names(args.engine.given()).map_err(on_command_line)?;
    let engines = engines.stop(host::stop_check());
    files::check_existing(&args.files)?;
    let inputs = files::inputs(&args.files, None)?.of_kind(options.input);
    guard(&args.files, &options, args.output.as_deref(), &args.messages)?;
    let mut output = files::open(args.output.as_deref())?;
    let quiet = args.messages.quiet;

    let mut epd = Vec::new();
    let mut job = Job::new(quiet, options.on_damage);
    job.report = Report::create(args.messages.report.as_deref())?;
    job.notes = Some(LossNotes::default());
    // Records that are complete by themselves.
    let options = options.registers(Some(RegisterStyle::Full));
    let mut conversion = Conversion::new(&mut epd, &options);
    job.read(inputs, |text, job| {
        conversion.text(text, job)?;
        Ok(conversion.is_over())
    })?;
    let summary = conversion.finish()?;
    job.finish_report()?;
    job.end_of_all()?;

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
            false => report::explain_records(&summary, &options, &args.library.limits()),
        }
        return Ok(1);
    }
    let shown = args.messages.shows_progress(output.is_terminal());
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
    Ok(errors)
}
