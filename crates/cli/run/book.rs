//! The command for opening books.

#[cfg(feature = "serve")]
mod serve;
mod show;

use std::cell::OnceCell;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;

use anyhow::bail;
use base64::prelude::{BASE64_STANDARD, Engine};
use pgn2epd::analyse::{AnalyseOptions, FailedPosition, use_cache};
use pgn2epd::book::{
    BookError, BookOptions, Counting, EngineWindow, Figures, Part, Source, write_book,
    write_evaluated_book, write_partial,
};
use serde_json::json;
use sha2::{Digest, Sha384};

use super::analyse::print_totals;
use crate::args::{Book, BookCommand, BookEngine, BookOutput, Bytes, check_merge};
use crate::files::{self, Guard, Output, Progress};
use crate::host::host;
use crate::job::Job;
use crate::report::{self, LossNotes, Report};

pub(super) fn book(args: &Book, given: &[OsString]) -> anyhow::Result<u64> {
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
        Some(BookCommand::Gaps(args)) => show::gaps(args),
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

fn count(args: &Book, given: &[OsString]) -> anyhow::Result<u64> {
    let began = Instant::now();
    let has_engine = args.engine.options()?.is_some();
    let mut options = args.output.options(&args.library, has_engine)?;
    options.format.unwrap_or_default().check_built()?;
    let mut guard = files::guard(&args.files)?;
    options.reach.iter().for_each(|file| guard.input(file.path()));
    let report = args.messages.report.as_deref();
    files::add(&mut guard, "--report", report)?;
    let quiet = args.messages.quiet;
    let shown = shows_progress(args.messages.progress, quiet, &args.output);
    let evaluating = Evaluating::start(&args.engine, &mut options, &mut guard, shown)?;
    let outputs = BookOutputs::open(&args.output, guard, given)?;
    let mut job = Job::new(quiet, options.on_damage);
    job.report = Report::create(report)?;
    let (range, is_part) = (args.range.as_ref(), args.output.partial);
    let counting = counted(&args.files, range, &options, !is_part, shown, &mut job)?;
    let summary = job.done;
    let source = counting.finish();
    let (figures, failed) = if is_part {
        write_part(source, &options, outputs.book)?;
        (None, 0)
    } else {
        let written = write(source, &options, &args.output, outputs, evaluating, quiet)?;
        (Some(written.0), written.1)
    };
    // A game may begin in any range of a file, and some ranges contain none.
    let reason = figures.as_ref().and_then(|figures| figures.empty.clone());
    if !quiet && args.range.is_none() && (summary.positions == 0 || reason.is_some()) {
        let mut limits = args.library.limits();
        limits.retain(|name| !has_engine || name != "--eval");
        let reason = reason.filter(|_| summary.positions > 0);
        let filter = options.filter.as_ref();
        report::explain("positions", reason, &summary, &limits, filter);
    }
    job.finish_report()?;
    let written = figures.map(|figures| figures.total);
    report::book_summary(args.messages.form(summary.errors), &summary, written, began.elapsed());
    job.end_of_all()?;
    Ok(summary.errors + failed + u64::from(written == Some(0)))
}

fn shows_progress(progress: bool, quiet: bool, target: &BookOutput) -> bool {
    let is_stdout = files::named(target.output.as_deref()).is_none();
    files::shows_progress(progress, quiet, is_stdout && io::stdout().is_terminal())
}

/// Counts the games of files, sorted by name: everything, or only what the book needs.
fn counted(
    files: &[PathBuf],
    range: Option<&Bytes>,
    options: &BookOptions,
    only_for_book: bool,
    shown: bool,
    job: &mut Job,
) -> anyhow::Result<Counting> {
    files::check_existing(files)?;
    let mut inputs = files::inputs(files, range)?.of_kind(options.input);
    let mut counting = Counting::new(options, inputs.sort());
    if only_for_book {
        counting = counting.only_for_book(options);
    }
    job.progress = Progress::new(inputs.bytes(), shown);
    job.notes = Some(LossNotes { can_vary: true, ..LossNotes::default() });
    job.read(inputs, |text, job| {
        counting.text(text, job)?;
        Ok(counting.is_over())
    })?;
    job.end_of_whole()?;
    Ok(counting)
}

fn merge(
    parts: &[PathBuf],
    mut options: BookOptions,
    target: &BookOutput,
    engine: &BookEngine,
    given: &[OsString],
) -> anyhow::Result<u64> {
    options.format.unwrap_or_default().check_built()?;
    let mut guard = files::guard(parts)?;
    let shown = shows_progress(false, false, target);
    let evaluating = Evaluating::start(engine, &mut options, &mut guard, shown)?;
    let outputs = BookOutputs::open(target, guard, given)?;
    let parts: Vec<Part> =
        parts.iter().map(|path| Part::open(path)).collect::<Result<_, BookError>>()?;
    let source = Source::Parts(parts, options.threads());
    if target.partial {
        write_part(source, &options, outputs.book)?;
        return Ok(0);
    }
    let (figures, failed) = write(source, &options, target, outputs, evaluating, false)?;
    if let Some(reason) = figures.empty {
        report::note(&format!("no positions: {reason}"));
        return Ok(1);
    }
    Ok(failed)
}

fn write_part(source: Source, options: &BookOptions, mut output: Output) -> anyhow::Result<()> {
    if output.is_terminal() {
        bail!("a partial result is binary and cannot be shown on a terminal; name a file with -o");
    }
    write_partial(source, options, &mut output)?;
    Ok(output.finish()?)
}

/// The outputs: a book or a partial result, and for `--metadata` the statistics of a book.
struct BookOutputs<'a> {
    book: Output,
    metadata: Option<Output>,
    given: &'a [OsString],
}

impl<'a> BookOutputs<'a> {
    fn open(target: &BookOutput, mut guard: Guard, given: &'a [OsString]) -> anyhow::Result<Self> {
        files::add_output(&mut guard, target.output.as_deref())?;
        // The metadata of the book `path` are `path.json`.
        let name = |path: &Path| path.with_added_extension("json");
        let metadata = target.output.as_deref().filter(|_| target.metadata).map(name);
        files::add(&mut guard, "--metadata", metadata.as_deref())?;
        Ok(BookOutputs {
            book: files::open(target.output.as_deref())?,
            metadata: metadata.as_deref().map(Output::open).transpose()?,
            given,
        })
    }
}

/// Also returns the number of positions without evaluation. An empty book replaces no file.
fn write(
    source: Source,
    options: &BookOptions,
    target: &BookOutput,
    outputs: BookOutputs<'_>,
    evaluating: Option<Evaluating>,
    quiet: bool,
) -> anyhow::Result<(Figures, u64)> {
    let hash = outputs.metadata.is_some().then(Sha384::new);
    let mut output = Hashed { output: outputs.book, hash };
    let (figures, failed) = match evaluating {
        None => (write_book(source, options, &mut output)?, 0),
        Some(evaluating) => evaluating.write(source, options, &mut output, quiet)?,
    };
    let (Hashed { output, hash }, is_empty) = (output, figures.total == 0);
    files::finish(output, is_empty)?;
    host().result(json!({
        "positions": figures.total,
        "white": figures.white,
        "black": figures.black,
        "min_ply": figures.min_depth,
        "max_ply": figures.max_depth,
        "games": figures.games,
        "empty": figures.empty,
    }));
    if let (Some(hash), Some(path), Some(output)) = (hash, &target.output, outputs.metadata)
        && !is_empty
    {
        write_metadata(path, &figures, &hash.finalize(), outputs.given, output)?;
    }
    Ok((figures, failed))
}

/// The engine that selects positions after the counts.
struct Evaluating {
    engine: AnalyseOptions,
    window: EngineWindow<'static>,
    progress: Rc<OnceCell<Progress>>,
}

impl Evaluating {
    /// Starts an engine. The option for evaluations is taken out of those of the book.
    fn start(
        args: &BookEngine,
        options: &mut BookOptions,
        guard: &mut Guard,
        is_shown: bool,
    ) -> anyhow::Result<Option<Self>> {
        let Some(engine) = args.options()? else { return Ok(None) };
        files::add(guard, "--cache", args.kept.cache.as_deref())?;
        let mut window = EngineWindow::start(options, &engine)?;
        if let Some(path) = &args.kept.cache {
            use_cache(path, |cache, additions| window.use_cache(cache, additions))?;
        }
        let progress = Rc::new(OnceCell::new());
        let bar = progress.clone();
        window.on_progress(move |decided, all| {
            bar.get_or_init(|| Progress::of_answers(all, is_shown)).advance(decided);
        });
        let bar = progress.clone();
        window.on_failure(move |FailedPosition { fen, error, .. }| {
            let print = || report::failed_search(None, error, &format!("{fen}: {error}"));
            bar.get().map_or_else(print, |bar: &Progress| bar.suspend(print));
        });
        Ok(Some(Evaluating { engine, window, progress }))
    }

    fn write(
        self,
        source: Source,
        options: &BookOptions,
        output: &mut dyn Write,
        quiet: bool,
    ) -> Result<(Figures, u64), BookError> {
        let Evaluating { engine, mut window, progress } = self;
        let figures = write_evaluated_book(source, options, &mut window, output);
        progress.get().inspect(|bar| bar.clear());
        let analysed = window.analysed();
        if !quiet {
            print_totals(&analysed, &engine, 0);
        }
        Ok((figures?, analysed.failed))
    }
}

// Writes a metadata file for a book in the format of books.json of the Stockfish books: an
// object with the book's name, whose `sri` is the SHA-384 in base 64. Members that books.json
// lacks come last.

struct Hashed {
    output: Output,
    hash: Option<Sha384>,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        if let Some(hash) = &mut self.hash {
            hash.update(&bytes[..written]);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// Replaces the path of an existing file by its last component: the metadata are published.
fn published(argument: &OsString) -> String {
    let text = argument.to_string_lossy().into_owned();
    // `--option=PATH`
    let (option, value) = match text.split_once('=').filter(|_| text.starts_with('-')) {
        Some((option, value)) => (format!("{option}="), value),
        None => (String::new(), &*text),
    };
    let path = Path::new(value);
    match path.file_name().filter(|_| path.exists()) {
        Some(name) => option + &name.to_string_lossy(),
        None => text,
    }
}

fn write_metadata(
    path: &Path,
    figures: &Figures,
    sha384: &[u8],
    given: &[OsString],
    mut output: Output,
) -> anyhow::Result<()> {
    let command: Vec<String> = given.iter().skip(1).map(published).collect();
    let book = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let object = serde_json::json!({
        book: {
            "total": figures.total,
            "white": figures.white,
            "black": figures.black,
            "min_depth": figures.min_depth,
            "max_depth": figures.max_depth,
            "sri": BASE64_STANDARD.encode(sha384),
            "sha384": sha384.iter().map(|byte| format!("{byte:02x}")).collect::<String>(),
            "games": figures.games,
            "command": command,
            "versions": { "pgn2epd": env!("CARGO_PKG_VERSION") },
        }
    });
    writeln!(output, "{object:#}")?;
    Ok(output.finish()?)
}
