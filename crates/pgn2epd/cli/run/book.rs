//! Libraries of openings.

mod compare;
mod metadata;

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use pgn2epd::Summary;
use pgn2epd::book::{
    BookError, BookOptions, Counting, EmbeddedNames, Part, Source, Style, merge_partials, unit,
    write_book,
};

use super::convert::{Watcher, inputs, refuse_range_of_many, total_bytes};
use crate::cli::Outcome;
use crate::cli::args::{Book, BookCommand, Bytes, Choose, Room, SummaryForm, Target};
use crate::cli::output::Output;
use crate::cli::progress::Progress;
use crate::cli::report::{self, Report};

/// Does what was asked for.
pub(super) fn book(args: &Book) -> anyhow::Result<Outcome> {
    match &args.command {
        None => count(args),
        Some(BookCommand::Merge { parts, choice, output, room }) => {
            merge(parts, choice, output, room)
        }
        Some(BookCommand::Show { file, fen }) => compare::show(file, fen.as_deref()),
        Some(BookCommand::Diff { a, b }) => compare::diff(a, b),
    }
}

/// Counts games, and writes a book or a partial result.
fn count(args: &Book) -> anyhow::Result<Outcome> {
    let began = Instant::now();
    refuse_choice_of_partial(&args.choice, &args.output)?;
    refuse_what_is_not_built(&args.output)?;
    refuse_to_write_over_inputs(&args.files, &args.output)?;
    let output = Output::open(args.output.output.as_deref())?;
    let options = args.options();
    let quiet = args.messages.quiet;
    let shown =
        args.messages.progress || !quiet && io::stderr().is_terminal() && !output.is_terminal();
    let report = args.messages.report.as_deref().map(Report::create).transpose()?;
    let (counting, summary) =
        counted(&args.files, args.count.range.as_ref(), &options, shown, report, quiet)?;
    if args.output.partial {
        let form = args.output.partial_form();
        write_partial(output, |output| counting.write_partial(form, output))?;
    } else {
        write(counting.finish(), &args.choice, &args.output, &args.room, output)?;
    }
    match args.messages.summary {
        Some(SummaryForm::Json) => report::summary_json(&summary, began.elapsed()),
        Some(SummaryForm::Text) => report::summary_text(&summary, began.elapsed()),
        None if summary.errors > 0 && !quiet => {
            report::summary_text(&summary, began.elapsed());
        }
        None => {}
    }
    Ok(Outcome::of_errors(summary.errors))
}

/// Counts the games of files, in the order of their names.
fn counted(
    files: &[PathBuf],
    range: Option<&Bytes>,
    options: &BookOptions,
    shown: bool,
    report: Option<Report>,
    quiet: bool,
) -> anyhow::Result<(Counting, Summary)> {
    let mut inputs = inputs(files)?;
    refuse_range_of_many(range, &inputs)?;
    let progress = Progress::new(total_bytes(&inputs), shown);
    inputs.sort_by_key(|input| input.name());
    let mut counting = Counting::new(options, inputs.iter().map(|input| input.name()));
    let mut watcher = Watcher::new(progress, report, quiet);
    for input in &inputs {
        let part = range.map(|range| input.part(range, unit)).transpose()?;
        watcher.begin(input.name(), part.as_ref().map_or(0, |part| part.start));
        let outcome = match part {
            None => counting.input(&input.name(), input.open_raw()?, &mut watcher),
            Some(part) => counting.part(&input.name(), part, &mut watcher),
        };
        watcher.end();
        let name = || format!("cannot read {}", input.name());
        match outcome {
            Err(pgn2epd::book::CountError::Read(error)) => {
                return Err(error).with_context(name);
            }
            other => other?,
        };
        watcher.check()?;
        if counting.is_over() {
            break;
        }
    }
    let summary = watcher.finish()?;
    Ok((counting, summary))
}

fn merge(
    parts: &[PathBuf],
    choice: &Choose,
    target: &Target,
    room: &Room,
) -> anyhow::Result<Outcome> {
    refuse_choice_of_partial(choice, target)?;
    refuse_what_is_not_built(target)?;
    let parts = files_of_parts(parts)?;
    refuse_to_write_over_inputs(&parts, target)?;
    let parts: Vec<Part> =
        parts.iter().map(|path| Part::open(path)).collect::<Result<_, BookError>>()?;
    let output = Output::open(target.output.as_deref())?;
    if target.partial {
        let (form, folder) = (target.partial_form(), room.temp_dir());
        write_partial(output, |output| {
            merge_partials(parts, form, room.memory(), &folder, output)
        })?;
    } else {
        write(Source::Parts(parts), choice, target, room, output)?;
    }
    Ok(Outcome::Well)
}

/// The files of partial results; of a folder, as engines write them, those in it that are not hidden and no mark of an engine.
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
            bail!("there is no partial result in {}", part.display());
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
        bail!("a partial result is no text for a terminal; name a file with -o");
    }
    write(&mut output)?;
    output.finish()
}

/// Writes a book, and what is said of it.
fn write(
    source: Source,
    choice: &Choose,
    target: &Target,
    room: &Room,
    output: Output,
) -> anyhow::Result<()> {
    let style = Style { form: target.form(), ops: target.ops(), names: Some(&EmbeddedNames) };
    let mut output = metadata::Hashed::new(output, target.metadata);
    let choice = choice.choice();
    let figures =
        write_book(source, &choice, &style, room.memory(), &room.temp_dir(), &mut output)?;
    let (output, hash) = output.finish();
    output.finish()?;
    if let (Some(hash), Some(path)) = (hash, &target.output) {
        metadata::write(path, &figures, &hash)?;
    }
    Ok(())
}

fn refuse_choice_of_partial(choice: &Choose, target: &Target) -> anyhow::Result<()> {
    if target.partial && choice.is_given() {
        bail!(
            "--partial keeps all that was counted: choose when the parts are merged, with `pgn2epd book merge`"
        );
    }
    Ok(())
}

/// Said before an hour of counting, not behind it.
fn refuse_what_is_not_built(target: &Target) -> anyhow::Result<()> {
    let is_built = match target.partial {
        true => target.partial_form().is_built(),
        false => target.form().is_built(),
    };
    if is_built { Ok(()) } else { Err(BookError::NoColumns.into()) }
}

/// Temporary files aside, an input would be read while it is replaced.
fn refuse_to_write_over_inputs(files: &[PathBuf], target: &Target) -> anyhow::Result<()> {
    let Some(output) = target.output.as_deref().and_then(|path| path.canonicalize().ok()) else {
        return Ok(());
    };
    let is_output = |path: &&PathBuf| path.canonicalize().is_ok_and(|path| path == output);
    match files.iter().find(is_output) {
        Some(path) if Path::new("/dev") != path.parent().unwrap_or(path) => {
            bail!("-o would overwrite {}, which is to be read", path.display())
        }
        _ => Ok(()),
    }
}
