//! A conversion: one input after the other into one output.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use pgn2epd::{
    Conversion, ConvertError, Meter, NameSource, Part, Problem, Source, Summary, Unit, Watch, part,
};
use same_file::Handle;

use super::tables::opening_tables;
use crate::cli::args::{Bytes, Convert, Messages, SummaryForm};
use crate::cli::output::Output;
use crate::cli::progress::Progress;
use crate::cli::report::{self, Report};

/// Converts what was asked for.
pub(super) fn convert(args: &Convert) -> anyhow::Result<Summary> {
    let began = Instant::now();
    if let Some(misfit) = args.misfit() {
        anyhow::bail!(misfit);
    }
    let inputs = inputs(&args.files)?;
    let range = args.run.range.as_ref();
    refuse_range_of_many(range, &inputs)?;
    refuse_to_write_over_inputs(args)?;
    let mut options = args.options();
    if let Some(openings) = opening_tables(&args.records.openings)? {
        options.names = match options.names {
            NameSource::Table(_) => NameSource::Table(openings),
            _ => anyhow::bail!("--openings is for --names table"),
        };
    }
    let mut output = Output::open(args.run.output.as_deref())?;
    let progress = Progress::new(total_bytes(&inputs), shows_progress(args, &output));
    let mut conversion = Conversion::new(&mut output, &options);
    let report = args.messages.report.as_deref().map(Report::create).transpose()?;
    let mut watcher = Watcher::new(progress, report, args.messages.quiet);
    let mut unread = Vec::new();
    for input in &inputs {
        if let Err(error) = convert_input(input, range, &mut conversion, &mut watcher) {
            match error.downcast_ref() {
                Some(ConvertError::Write(_)) => return Err(error),
                _ => unread.push(error),
            }
        }
        if let Some(error) = watcher.report_failed.take() {
            return Err(error);
        }
        if conversion.is_over() {
            break;
        }
    }
    watcher.done = conversion.finish()?;
    watcher.progress.clear();
    // What could be read is worth keeping; nothing at all is not worth the old file.
    if unread.is_empty() || watcher.done.positions > 0 {
        output.finish()?;
    }
    watcher.report.map_or(Ok(()), Report::finish)?;
    match args.messages.summary {
        Some(SummaryForm::Json) => report::summary_json(&watcher.done, began.elapsed()),
        Some(SummaryForm::Text) => report::summary_text(&watcher.done, began.elapsed()),
        None if watcher.done.errors > 0 && !args.messages.quiet => {
            report::summary_text(&watcher.done, began.elapsed());
        }
        None => {}
    }
    // The last one is said where all failures are.
    let last = unread.pop();
    unread.iter().for_each(report::failure);
    last.map_or(Ok(watcher.done), Err)
}

/// Converts an input: all its texts, if it is an archive.
fn convert_input(
    input: &Input,
    range: Option<&Bytes>,
    conversion: &mut Conversion<&mut Output>,
    watcher: &mut Watcher,
) -> anyhow::Result<()> {
    let cannot_read = || format!("cannot read {}", input.name());
    let mut source = match range {
        None => input.open()?,
        Some(range) => {
            let part = input.part(range, |_| Unit::Game)?;
            watcher.from = part.start;
            part.source
        }
    };
    watcher.meter = source.meter().cloned();
    let mut failed = Ok(());
    while let Some(text) = source.next_text().with_context(cannot_read)? {
        watcher.file = match text.name() {
            Some(member) => format!("{}/{member}", input.name()),
            None => input.name(),
        };
        watcher.text = Summary::default();
        conversion.name_input(&watcher.file);
        let outcome = conversion.input(text, watcher);
        watcher.done += watcher.text;
        if let Err(error) = outcome {
            if matches!(error, ConvertError::Write(_)) {
                return Err(error.into());
            }
            let error = explain(error, &watcher.file);
            // Of an archive the other files may be whole.
            match failed {
                Ok(()) => failed = Err(error),
                Err(_) => watcher.progress.suspend(|| report::failure(&error)),
            }
        }
        if conversion.is_over() || watcher.report_failed.is_some() {
            break;
        }
    }
    let unpacked = watcher.done.bytes_read - watcher.unpacked;
    watcher.stored += watcher.meter.take().map_or(unpacked, |meter| meter.bytes());
    watcher.unpacked = watcher.done.bytes_read;
    failed
}

/// A terminal shows how far it is, unless it is also where the records go.
fn shows_progress(args: &Convert, output: &Output) -> bool {
    let Messages { progress, quiet, .. } = args.messages;
    progress || !quiet && io::stderr().is_terminal() && !output.is_terminal()
}

/// An error of the output does not name an input.
pub(super) fn explain(error: ConvertError, file: &str) -> anyhow::Error {
    match error {
        ConvertError::Read(error) => {
            anyhow::Error::from(error).context(format!("cannot read {file}"))
        }
        _ => error.into(),
    }
}

/// Where games come from.
pub(super) enum Input {
    Stdin,
    File(PathBuf),
}

impl Input {
    pub(super) fn name(&self) -> String {
        match self {
            Input::Stdin => "-".to_owned(),
            Input::File(path) => path.display().to_string(),
        }
    }

    /// The bytes as they are stored.
    pub(super) fn open_raw(&self) -> anyhow::Result<Box<dyn std::io::Read>> {
        match self {
            Input::Stdin => {
                widen_pipe(&io::stdin());
                Ok(Box::new(io::stdin().lock()))
            }
            Input::File(path) => Ok(Box::new(open(path)?)),
        }
    }

    /// The games of a range.
    pub(super) fn part(
        &self,
        Bytes(range): &Bytes,
        unit: impl FnOnce(&[u8]) -> Unit,
    ) -> anyhow::Result<Part> {
        let Input::File(path) = self else { anyhow::bail!(RANGE_OF_WHAT) };
        let cannot_read = || format!("cannot read {}", path.display());
        let file = open(path)?;
        if !file.metadata().with_context(cannot_read)?.is_file() {
            anyhow::bail!(RANGE_OF_WHAT);
        }
        part(file, range.clone(), unit).with_context(cannot_read)
    }

    pub(super) fn open(&self) -> anyhow::Result<Source<'static>> {
        let source = match self {
            Input::Stdin => {
                widen_pipe(&io::stdin());
                Source::ahead(io::stdin())
            }
            Input::File(path) => Source::file(open(path)?),
        };
        source.with_context(|| format!("cannot read {}", self.name()))
    }
}

const RANGE_OF_WHAT: &str = "--range is for one file that can be read from its middle";

/// A range is of one file.
pub(super) fn refuse_range_of_many(range: Option<&Bytes>, inputs: &[Input]) -> anyhow::Result<()> {
    match (range, inputs) {
        (None, _) | (Some(_), [Input::File(_)]) => Ok(()),
        _ => anyhow::bail!(RANGE_OF_WHAT),
    }
}

/// Lets a program that unpacks games into our standard input run ahead of us: in the usual 64 KB it would wait for us, and
/// we for it. Where it is no pipe, or that is not allowed, nothing happens.
///
/// Worth a third of the time of `zstd -dc games.pgn.zst | pgn2epd -j 1`.
fn widen_pipe(stdin: &io::Stdin) {
    #[cfg(target_os = "linux")]
    let _ = rustix::pipe::fcntl_setpipe_size(stdin, 1 << 20);
    #[cfg(not(target_os = "linux"))]
    let _ = stdin;
}

pub(super) fn open(path: &Path) -> anyhow::Result<File> {
    let name = || format!("cannot read {}", path.display());
    let file = File::open(path).with_context(name)?;
    if file.metadata().with_context(name)?.is_dir() {
        anyhow::bail!("cannot read {}: it is a folder; name the files in it", path.display());
    }
    Ok(file)
}

/// The inputs; all of them are looked for before anything is done, so that a misspelled name costs no time.
pub(super) fn inputs(files: &[PathBuf]) -> anyhow::Result<Vec<Input>> {
    if files.is_empty() {
        return Ok(vec![Input::Stdin]);
    }
    let input = |path: &PathBuf| {
        if path == Path::new("-") {
            return Ok(Input::Stdin);
        }
        let is_fifo = std::fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir());
        // What cannot be read for another reason is said in its turn, and the others are converted.
        if !is_fifo
            && let Err(error) = open(path)
            && !is_there(&error)
        {
            return Err(error);
        }
        Ok(Input::File(path.clone()))
    };
    files.iter().map(input).collect()
}

/// Whether a file could not be opened though it is there.
fn is_there(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() != io::ErrorKind::NotFound)
}

/// What is written is not what is read: a report would destroy it at once, standard output (`>>`) would never end, and `-o` would
/// leave nothing of it.
fn refuse_to_write_over_inputs(args: &Convert) -> anyhow::Result<()> {
    let inputs: Vec<(&PathBuf, Handle)> = args
        .files
        .iter()
        .filter(|path| path.is_file())
        .filter_map(|path| Some((path, Handle::from_path(path).ok()?)))
        .collect();
    let input = |written: Option<Handle>| {
        let written = written?;
        inputs.iter().find(|(_, input)| *input == written).map(|(path, _)| path.display())
    };
    let handle = |path: &Option<PathBuf>| Handle::from_path(path.as_deref()?).ok();
    if let Some(path) = input(handle(&args.messages.report)) {
        anyhow::bail!("--report would overwrite {path}, which is to be read");
    }
    if let Some(path) = input(handle(&args.run.output)) {
        anyhow::bail!("--output would overwrite {path}, which is to be read");
    }
    if args.run.output.is_none()
        && let Some(path) = input(Handle::stdout().ok())
    {
        anyhow::bail!("standard output is {path}, which is to be read");
    }
    Ok(())
}

/// How much there is to read, if that can be known.
pub(super) fn total_bytes(inputs: &[Input]) -> Option<u64> {
    let size = |input: &Input| match input {
        Input::Stdin => None,
        Input::File(path) => path.metadata().ok().filter(|m| m.is_file()).map(|m| m.len()),
    };
    inputs.iter().map(size).sum()
}

/// Is told by the library how it goes, and tells the user.
pub(super) struct Watcher {
    file: String,
    /// The byte of the file where what is read begins.
    from: u64,
    /// What the texts before this one came to.
    done: Summary,
    /// What this one came to.
    text: Summary,
    progress: Progress,
    /// Of the input that is being unpacked.
    meter: Option<Meter>,
    /// What the inputs before this one came to, in bytes as they are stored,
    stored: u64,
    /// and as they were read.
    unpacked: u64,
    report: Option<Report>,
    report_failed: Option<anyhow::Error>,
    quiet: bool,
}

impl Watcher {
    pub(super) fn new(progress: Progress, report: Option<Report>, quiet: bool) -> Self {
        Watcher {
            file: String::new(),
            from: 0,
            done: Summary::default(),
            text: Summary::default(),
            progress,
            meter: None,
            stored: 0,
            unpacked: 0,
            report,
            report_failed: None,
            quiet,
        }
    }

    /// What follows is of this file, from this byte on.
    pub(super) fn begin(&mut self, file: String, from: u64) {
        self.text = Summary::default();
        self.from = from;
        self.file = file;
    }

    /// The file is over.
    pub(super) fn end(&mut self) {
        self.done += std::mem::take(&mut self.text);
    }

    /// The file, and where lines are counted from if that is not its beginning.
    fn counted_from(&self) -> Cow<'_, str> {
        match self.from {
            0 => Cow::Borrowed(&self.file),
            from => Cow::Owned(format!("{}@{from}", self.file)),
        }
    }

    /// Whether the report could be written so far.
    pub(super) fn check(&mut self) -> anyhow::Result<()> {
        self.report_failed.take().map_or(Ok(()), Err)
    }

    /// All that was done, once everything is read.
    pub(super) fn finish(self) -> anyhow::Result<Summary> {
        self.progress.clear();
        self.report.map_or(Ok(()), Report::finish)?;
        Ok(self.done)
    }
}

impl Watch for Watcher {
    fn line(&mut self, number: u64, column: usize, reason: &str) {
        if !self.quiet {
            let file = self.counted_from();
            self.progress.suspend(|| report::place_in_line(&file, number, column, reason));
        }
    }

    fn problem(&mut self, problem: &Problem) {
        if !self.quiet {
            let file = self.counted_from();
            self.progress.suspend(|| report::problem(&file, problem));
        }
        if let Some(report) = &mut self.report
            && let Err(error) = report.write(&self.file, self.from, problem)
        {
            self.report_failed.get_or_insert(error);
        }
    }

    fn progress(&mut self, summary: &Summary) {
        self.text = *summary;
        let mut all = self.done;
        all += *summary;
        let read = self.meter.as_ref().map_or(all.bytes_read - self.unpacked, Meter::bytes);
        self.progress.show(&all, self.stored + read);
    }
}
