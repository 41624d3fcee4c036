//! The command for opening books.

mod engine;
mod gaps;
mod metadata;
pub(super) mod polyglot;
#[cfg(feature = "serve")]
mod serve;
mod show;

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::bail;
use pgn2epd::Summary;
use pgn2epd::book::{
    BookError, BookOptions, CountError, Counting, Figures, Part, Source, write_partial,
};
use pgn2epd::options::OnDamage;
use serde_json::json;

use super::convert::Watcher;
use crate::args::{Book, BookCommand, BookEngine, Bytes, SummaryForm, Target, check_merge};
use crate::empty_output;
use crate::exit::{Outcome, Written};
use crate::host::host;
use crate::inputs::{self, Failures};
use crate::output::{self, Guard, Output};
use crate::progress::Progress;
use crate::report::{self, Report};
use engine::Evaluating;

pub(super) fn book(args: &Book, given: &[OsString]) -> anyhow::Result<Outcome> {
    match &args.command {
        None => count(args, given),
        Some(BookCommand::Merge { parts, library, engine, output }) => {
            let has_engine = engine.options()?.is_some();
            let options = output.options(library, has_engine)?;
            check_merge(&options, has_engine)?;
            merge(parts, options, output, engine, given)
        }
        Some(BookCommand::Show { file, fen, moves }) => {
            show::show(file, fen.as_deref(), moves.as_deref())
        }
        Some(BookCommand::Gaps(args)) => gaps::gaps(args),
        #[cfg(feature = "serve")]
        Some(BookCommand::Serve(args)) => serve::serve(args),
        #[cfg(not(feature = "serve"))]
        Some(BookCommand::Serve(_)) => {
            bail!(
                "this program was built without a server: install it with `cargo install --locked --path . --features serve` in a clone"
            )
        }
    }
}

fn count(args: &Book, given: &[OsString]) -> anyhow::Result<Outcome> {
    let began = Instant::now();
    let has_engine = args.engine.options()?.is_some();
    let mut options = args.output.options(&args.library, has_engine)?;
    options.format.unwrap_or_default().check_built()?;
    let mut guard = output::guard(&args.files)?;
    options.reach.iter().for_each(|file| guard.input(file.path()));
    let report = args.messages.report.as_deref();
    report.map_or(Ok(()), |path| guard.output("--report", path))?;
    let quiet = args.messages.quiet;
    let shown = args.messages.progress || !quiet && has_bar(&args.output);
    let evaluating = Evaluating::start(&args.engine, &mut options, &mut guard, shown)?;
    let outputs = Outputs::open(&args.output, guard, given)?;
    let report = report.map(Report::create).transpose()?;
    let (counting, summary, report, unread) = counted(
        &args.files,
        args.range.as_ref(),
        &options,
        !args.output.partial,
        shown,
        report,
        quiet,
    )?;
    let mut failed = 0;
    let source = counting.finish();
    let figures = if args.output.partial {
        write_part(source, &options, outputs.book)?;
        None
    } else {
        let written = write(source, &options, &args.output, outputs, evaluating, quiet)?;
        failed = written.1;
        Some(written.0)
    };
    // A game may begin in any range of a file, and some ranges contain none.
    let reason = figures.as_ref().and_then(|figures| figures.empty.clone());
    if !quiet && args.range.is_none() && (summary.positions == 0 || reason.is_some()) {
        let mut limits = args.library.limits();
        limits.retain(|name| !has_engine || name != "--eval");
        let reason = reason.filter(|_| summary.positions > 0);
        let filter = options.filter.as_ref();
        empty_output::explain("positions", reason, &summary, &limits, filter);
    }
    report.map_or(Ok(()), Report::finish)?;
    let written = figures.map(|figures| figures.total);
    match args.messages.summary {
        Some(SummaryForm::Json) => report::book_summary_json(&summary, written, began.elapsed()),
        Some(SummaryForm::Text) => report::book_summary_text(&summary, written, began.elapsed()),
        None if summary.errors > 0 && !quiet => {
            report::book_summary_text(&summary, written, began.elapsed());
        }
        None => {}
    }
    unread?;
    let written = Written::of(written != Some(0), false);
    Ok(written.outcome(summary.errors + failed))
}

/// Whether a progress bar is seen, and no book is written among it.
fn has_bar(target: &Target) -> bool {
    let is_shown = output::named(target.output.as_deref()).is_none() && io::stdout().is_terminal();
    io::stderr().is_terminal() && !is_shown
}

/// Counts the games of files, sorted by name: everything, or only what the book needs.
fn counted(
    files: &[PathBuf],
    range: Option<&Bytes>,
    options: &BookOptions,
    only_for_book: bool,
    shown: bool,
    report: Option<Report>,
    quiet: bool,
) -> anyhow::Result<(Counting, Summary, Option<Report>, anyhow::Result<()>)> {
    inputs::check_existing(files)?;
    let mut inputs = inputs::inputs(files, range)?.of_kind(options.input);
    let progress = Progress::new(inputs.bytes(), shown);
    let mut counting = Counting::new(options, inputs.sort());
    if only_for_book {
        counting = counting.only_for_book(options);
    }
    let mut watcher = Watcher::new(&inputs, progress, report, quiet);
    let mut failures = Failures::new(quiet, options.on_damage);
    for text in inputs {
        let Some(text) = failures.text(text, watcher.progress())? else { continue };
        watcher.begin(&text);
        let outcome = counting.text(text, &mut watcher);
        watcher.note_losses(true, false, false);
        watcher.end()?;
        match outcome {
            // The other inputs that cannot be read are reported, too.
            Err(CountError::Read(error)) => {
                failures.add(watcher.unreadable(error), watcher.progress())?;
            }
            other => drop(other?),
        }
        if counting.is_over() {
            break;
        }
    }
    let mut failed = failures.finish();
    // No book is written, unless the user wants what can be read.
    if options.on_damage == OnDamage::Stop {
        failed = Ok(failed?);
    }
    let (summary, report) = watcher.finish();
    Ok((counting, summary, report, failed))
}

fn merge(
    parts: &[PathBuf],
    mut options: BookOptions,
    target: &Target,
    engine: &BookEngine,
    given: &[OsString],
) -> anyhow::Result<Outcome> {
    options.format.unwrap_or_default().check_built()?;
    let mut guard = output::guard(parts)?;
    let evaluating = Evaluating::start(engine, &mut options, &mut guard, has_bar(target))?;
    let outputs = Outputs::open(target, guard, given)?;
    let parts: Vec<Part> =
        parts.iter().map(|path| Part::open(path)).collect::<Result<_, BookError>>()?;
    let source = Source::Parts(parts, options.threads());
    if target.partial {
        write_part(source, &options, outputs.book)?;
        return Ok(Outcome::Well);
    }
    let (figures, failed) = write(source, &options, target, outputs, evaluating, false)?;
    if let Some(reason) = figures.empty {
        report::note(&format!("no positions: {reason}"));
        return Ok(Outcome::SomeErrors);
    }
    Ok(Outcome::of_errors(failed))
}

fn write_part(source: Source, options: &BookOptions, mut output: Output) -> anyhow::Result<()> {
    if output.is_terminal() {
        bail!("a partial result is binary and cannot be shown on a terminal; name a file with -o");
    }
    write_partial(source, options, &mut output)?;
    Ok(output.finish()?)
}

/// The outputs: a book or a partial result, and for `--metadata` the statistics of a book.
struct Outputs<'a> {
    book: Output,
    metadata: Option<Output>,
    given: &'a [OsString],
}

impl<'a> Outputs<'a> {
    /// Opens the outputs after checking that they are distinct files.
    fn open(target: &Target, mut guard: Guard, given: &'a [OsString]) -> anyhow::Result<Self> {
        output::add_output(&mut guard, target.output.as_deref())?;
        let metadata = target.output.as_deref().filter(|_| target.metadata).map(metadata::path);
        metadata.as_deref().map_or(Ok(()), |path| guard.output("--metadata", path))?;
        Ok(Outputs {
            book: output::open(target.output.as_deref())?,
            metadata: metadata.as_deref().map(Output::open).transpose()?,
            given,
        })
    }
}

/// Also returns the number of positions without evaluation. An empty book replaces no file.
fn write(
    source: Source,
    options: &BookOptions,
    target: &Target,
    outputs: Outputs<'_>,
    evaluating: Evaluating,
    quiet: bool,
) -> anyhow::Result<(Figures, u64)> {
    let mut output = metadata::Hashed::new(outputs.book, outputs.metadata.is_some());
    let (figures, failed) = evaluating.write(source, options, &mut output, quiet)?;
    let (output, hash) = output.finish();
    let written = Written::of(figures.total > 0, false);
    written.finish(output)?;
    host().result(json!({
        "positions": figures.total,
        "white": figures.white,
        "black": figures.black,
        "min_ply": figures.min_depth,
        "max_ply": figures.max_depth,
        "games": figures.games,
        "empty": figures.empty,
    }));
    if let Written::Something = written
        && let (Some(hash), Some(path), Some(output)) = (hash, &target.output, outputs.metadata)
    {
        metadata::write(path, &figures, &hash, outputs.given, output)?;
    }
    Ok((figures, failed))
}
