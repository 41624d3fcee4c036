//! The command for opening books.

mod diff;
mod metadata;
pub(super) mod polyglot;
mod show;

use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail};
use pgn2epd::Openings;
use pgn2epd::book::{
    BookError, BookOptions, Choice, CountError, Counting, Figures, Form, Part, PartialForm, Source,
    Style, merge_partials, write_book,
};
use pgn2epd::{OnDamage, Summary};

use super::convert::Watcher;
use crate::args::{Book, BookCommand, Bytes, Choose, Room, SummaryForm, Target};
use crate::exit::Outcome;
use crate::inputs::{self, Failures};
use crate::output::{self, Guard, Output};
use crate::progress::Progress;
use crate::report::{self, Report};

/// Runs the command.
pub(super) fn book(args: &Book, given: &[OsString]) -> anyhow::Result<Outcome> {
    match &args.command {
        None => count(args, given),
        Some(BookCommand::Merge { parts, choice, output, .. })
            if parts.iter().any(|part| polyglot::is_book(part)) =>
        {
            polyglot::merge(parts, choice, output)
        }
        Some(BookCommand::Merge { parts, choice, output, room }) => {
            merge(parts, choice, output, room, given)
        }
        Some(BookCommand::Show { file, fen, moves }) => {
            show::show(file, fen.as_deref(), moves.as_deref())
        }
        Some(BookCommand::Diff { a, b }) => diff::diff(a, b),
    }
}

/// Counts games, and writes a book or a partial result.
fn count(args: &Book, given: &[OsString]) -> anyhow::Result<Outcome> {
    let began = Instant::now();
    refuse_choice_of_partial(&args.choice, &args.output)?;
    let form = BookForm::of(&args.output)?;
    let choice = args.choice.choice(args.output.form()?, &args.output)?;
    let mut guard = output::guard(&args.files)?;
    let report = args.messages.report.as_deref();
    report.map_or(Ok(()), |path| guard.output("--report", path))?;
    let outputs = Outputs::open(&args.output, guard, given)?;
    let report = report.map(Report::create).transpose()?;
    let options = args.options(args.output.form()?);
    let quiet = args.messages.quiet;
    let shown = args.messages.progress
        || !quiet && io::stderr().is_terminal() && !outputs.book.is_terminal();
    let (counting, summary, report) = counted(
        &args.files,
        args.count.range.as_ref(),
        &options,
        args.count.damage.on_damage(),
        shown,
        report,
        quiet,
    )?;
    let figures = match form {
        BookForm::Partial(form) => {
            write_partial(outputs.book, |output| counting.write_partial(form, output))?;
            None
        }
        BookForm::Book(form) => {
            Some(write(counting.finish(), &choice, form, &args.output, &args.room, outputs)?)
        }
    };
    // A game may begin in any range of a file, and some ranges contain none.
    if !quiet && args.count.range.is_none() {
        report_empty(&summary, figures.as_ref(), &args.count.limits());
    }
    report.map_or(Ok(()), Report::finish)?;
    let written = figures.map(|figures| figures.total);
    if !quiet {
        report::hints(options.filter.as_ref(), &summary);
    }
    match args.messages.summary {
        Some(SummaryForm::Json) => report::book_summary_json(&summary, written, began.elapsed()),
        Some(SummaryForm::Text) => report::book_summary_text(&summary, written, began.elapsed()),
        None if summary.errors > 0 && !quiet => {
            report::book_summary_text(&summary, written, began.elapsed());
        }
        None => {}
    }
    let is_empty = figures.is_some_and(|figures| figures.total == 0);
    Ok(Outcome::of_errors(summary.errors + u64::from(is_empty)))
}

/// Prints why a book or a partial result is empty, if it is.
fn report_empty(summary: &Summary, figures: Option<&Figures>, limits: &str) {
    let games = report::count(summary.games, "game");
    let reason = match (figures, summary) {
        (_, Summary { games: 0, .. }) => "the input has no games and no positions".to_owned(),
        (_, Summary { positions: 0, left_out, .. }) if *left_out == summary.games => {
            format!("--where excludes all of {games}")
        }
        (_, Summary { positions: 0, .. }) if limits.is_empty() => {
            format!("no position of {games} can be counted")
        }
        (_, Summary { positions: 0, .. }) => format!("no position of {games} meets {limits}"),
        (Some(Figures { empty: Some(reason), .. }), _) => reason.to_string(),
        _ => return,
    };
    let what = if figures.is_some() { "book" } else { "partial result" };
    report::note(&format!("the {what} is empty: {reason}"));
}

/// Counts the games of files, sorted by name.
fn counted(
    files: &[PathBuf],
    range: Option<&Bytes>,
    options: &BookOptions,
    on_damage: OnDamage,
    shown: bool,
    report: Option<Report>,
    quiet: bool,
) -> anyhow::Result<(Counting, Summary, Option<Report>)> {
    // Sorted by name, like the list in the book.
    let mut files = files.to_vec();
    files.sort_by_key(|path| inputs::name(path));
    inputs::check_existing(&files)?;
    let inputs = inputs::inputs(&files, range)?;
    let progress = Progress::new(inputs.bytes(), shown);
    let mut names: Vec<String> = files.iter().map(|path| inputs::name(path)).collect();
    if names.is_empty() {
        names.push("-".to_owned());
    }
    let mut counting = Counting::new(options, names);
    let mut watcher = Watcher::new(&inputs, progress, report, quiet);
    let mut failures = Failures::new(quiet);
    for text in inputs.on_damage(on_damage) {
        let Some(text) = failures.text(text, watcher.progress()) else { continue };
        watcher.begin(&text);
        let outcome = counting.text(text, &mut watcher);
        watcher.note_losses(true, false);
        watcher.end();
        match outcome {
            // No book will be written, but the other inputs that cannot be read are reported, too.
            Err(CountError::Read(error)) => {
                failures.add(watcher.unreadable(error), watcher.progress());
            }
            other => drop(other?),
        }
        if counting.is_over() {
            break;
        }
    }
    failures.finish()?;
    let (summary, report) = watcher.finish();
    Ok((counting, summary, report))
}

fn merge(
    parts: &[PathBuf],
    choice: &Choose,
    target: &Target,
    room: &Room,
    given: &[OsString],
) -> anyhow::Result<Outcome> {
    refuse_choice_of_partial(choice, target)?;
    let form = BookForm::of(target)?;
    let choice = choice.choice(target.form()?, target)?;
    let parts = files_of_parts(parts)?;
    let outputs = Outputs::open(target, output::guard(&parts)?, given)?;
    let parts: Vec<Part> =
        parts.iter().map(|path| Part::open(path)).collect::<Result<_, BookError>>()?;
    match form {
        BookForm::Partial(form) => {
            let folder = room.temp_dir();
            write_partial(outputs.book, |output| {
                merge_partials(parts, room.threads(), form, room.memory(), &folder, output)
            })?;
        }
        BookForm::Book(form) => {
            let figures =
                write(Source::Parts(parts, room.threads()), &choice, form, target, room, outputs)?;
            if let Some(reason) = figures.empty {
                report::note(&format!("the book is empty: {reason}"));
                return Ok(Outcome::SomeErrors);
            }
        }
    }
    Ok(Outcome::Well)
}

/// Returns the files of partial results. For a directory, as engines write it, these are its files
/// except hidden ones and marker files (`_…`).
fn files_of_parts(parts: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for part in parts {
        if !part.is_dir() {
            files.push(part.clone());
            continue;
        }
        let cannot_read = || format!("cannot read {}", part.display());
        let entries: Vec<_> =
            fs::read_dir(part).and_then(Iterator::collect).with_context(cannot_read)?;
        let is_part = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            path.is_file() && !name.starts_with(b".") && !name.starts_with(b"_")
        };
        let mut inside: Vec<PathBuf> =
            entries.iter().map(fs::DirEntry::path).filter(is_part).collect();
        if inside.is_empty() {
            bail!("{} contains no partial result", part.display());
        }
        inside.sort();
        files.append(&mut inside);
    }
    Ok(files)
}

fn write_partial(
    mut output: Output,
    write: impl FnOnce(&mut dyn Write) -> Result<(), BookError>,
) -> anyhow::Result<()> {
    if output.is_terminal() {
        bail!("a partial result is binary and cannot be shown on a terminal; name a file with -o");
    }
    write(&mut output)?;
    Ok(output.finish()?)
}

/// The outputs: a book or a partial result, and for `--metadata` the statistics of a book.
struct Outputs<'a> {
    book: Output,
    metadata: Option<Output>,
    /// The arguments of the program, which the metadata name.
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

/// Writes a book and its metadata. An empty book does not replace a file.
fn write(
    source: Source,
    choice: &Choice,
    form: Form,
    target: &Target,
    room: &Room,
    outputs: Outputs<'_>,
) -> anyhow::Result<Figures> {
    let style = Style { form, ops: target.ops(), names: Some(Openings::embedded()) };
    let mut output = metadata::Hashed::new(outputs.book, outputs.metadata.is_some());
    let figures = write_book(source, choice, &style, room.memory(), &room.temp_dir(), &mut output)?;
    let (output, hash) = output.finish();
    if figures.total == 0 && !output.is_stdout() {
        return Ok(figures);
    }
    output.finish()?;
    if let (Some(hash), Some(path), Some(output)) = (hash, &target.output, outputs.metadata) {
        metadata::write(path, &figures, &hash, outputs.given, output)?;
    }
    Ok(figures)
}

fn refuse_choice_of_partial(choice: &Choose, target: &Target) -> anyhow::Result<()> {
    if target.partial && choice.is_given() {
        bail!("--partial keeps all counts: give the selection options to `pgn2epd book merge`");
    }
    Ok(())
}

/// The format of the output.
#[derive(Clone, Copy)]
enum BookForm {
    Book(Form),
    Partial(PartialForm),
}

impl BookForm {
    /// Returns the format of the output. An unknown suffix, and a format that is not compiled in,
    /// are rejected before hours of counting, not after.
    fn of(target: &Target) -> anyhow::Result<Self> {
        let (form, is_built) = if target.partial {
            let form = target.partial_form()?;
            (BookForm::Partial(form), form.is_built())
        } else {
            let form = target.form()?;
            (BookForm::Book(form), form.is_built())
        };
        if is_built { Ok(form) } else { Err(BookError::NoColumns.into()) }
    }
}
