//! Converts the inputs in sequence into one output.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use pgn2epd::input::{InputText, Inputs, Meter};
use pgn2epd::options::{Comments, Format, NameSource, OptionSet};
use pgn2epd::output::{OutputFiles, printable};
use pgn2epd::{ConvertError, Observer, Problem, Summary};

use super::tables::opening_tables;
use crate::args::{self, Convert, Messages, SummaryForm};
use crate::empty_output;
use crate::exit::{Outcome, Written};
use crate::finding::Finding;
use crate::host::{self, host};
use crate::inputs::{Failures, inputs, unreadable};
use crate::output::{self, Output};
use crate::progress::Progress;
use crate::report::{self, Report};
use crate::run::manifest::Manifest;

pub(super) fn convert(args: &Convert) -> anyhow::Result<Outcome> {
    let began = Instant::now();
    if let Some(command) = args::command_meant(&args.files) {
        let first = args.files[0].display();
        anyhow::bail!("{first} is neither a command nor a file: did you mean `{command}`?");
    }
    if let Some(output) = output_meant(args) {
        let output = output.display();
        anyhow::bail!("{output} does not exist; to write to it: -o {output}");
    }
    let mut options = args.options()?;
    let mut inputs = inputs(&args.files, args.run.range.as_ref())?.of_kind(options.input);
    let report = args.messages.report.as_deref();
    let mut guard = output::guard(&args.files)?;
    args.openings.files().for_each(|table| guard.input(table));
    options.reach.iter().for_each(|file| guard.input(file.path()));
    let path = output::path(args.run.output.as_deref(), &options);
    if let (Err(_), Some(path)) = (&path, output::named(args.run.output.as_deref())) {
        // An input is the more important reason.
        guard.output("-o", path)?;
    }
    let path = path?;
    match &path {
        Some(path) => path.add_to(&mut guard, "-o")?,
        None => output::add_output(&mut guard, None)?,
    }
    report.map_or(Ok(()), |path| guard.output("--report", path))?;
    let manifest = args.run.manifest.as_deref();
    manifest.map_or(Ok(()), |path| guard.output("--manifest", path))?;
    if let Some(openings) = opening_tables(&args.openings)? {
        options.names = match options.names {
            NameSource::Embedded | NameSource::Table(_) => NameSource::Table(openings),
            _ => anyhow::bail!("--openings is for --names table"),
        };
    }
    let mut outputs = match path {
        Some(path) => OutputFiles::open(path, &options)?,
        None => OutputFiles::stdout(output::stdout()),
    };
    let is_terminal = outputs.one().is_some_and(Output::is_terminal);
    outputs.set_compression(&mut options);
    if let Some(compression) = options.compress
        && is_terminal
    {
        anyhow::bail!("--compress {compression} is not for a terminal; write to a file with -o");
    }
    let is_binary = match options.format {
        Format::Table(table) => table.is_binary(),
        format => matches!(format, Format::Training(_)),
    };
    if is_binary && is_terminal {
        anyhow::bail!(
            "--format {} is binary and not for a terminal; write to a file with -o",
            options.format
        );
    }
    let report = report.map(Report::create).transpose()?;
    let mut manifest = manifest.map(|path| Manifest::open(path, args, &options)).transpose()?;
    let progress = Progress::new(inputs.bytes(), shows_progress(args, is_terminal));
    let mut conversion = outputs.conversion(&options);
    let mut watcher = Watcher::new(&inputs, progress, report, args.messages.quiet);
    let mut failures = Failures::new(args.messages.quiet, options.on_damage);
    let can_vary = options.clone().variations(true).conflict().is_none();
    if manifest.is_some() {
        inputs = inputs.keep_read();
    }
    while let Some(text) = inputs.next() {
        if let Some(manifest) = &mut manifest {
            manifest.add(inputs.take_read());
        }
        let Some(text) = failures.text(text, &watcher.progress)? else { continue };
        watcher.begin(&text);
        let outcome = conversion.text(text, &mut watcher);
        // Operations that were chosen have no annotations on purpose.
        let wants_annotations = options.format == Format::Epd && options.ops.is_none();
        // Games are written whole.
        if options.format != Format::Pgn {
            let splits_comments = options.comments == Comments::Split;
            watcher.note_losses(can_vary, wants_annotations, splits_comments);
        }
        watcher.end()?;
        match outcome {
            Err(ConvertError::Read(error)) => {
                failures.add(watcher.unreadable(error), &watcher.progress)?;
            }
            outcome => drop(outcome?),
        }
        if conversion.is_over() {
            break;
        }
    }
    let files;
    (watcher.done, files) = conversion.finish_files()?;
    watcher.progress.clear();
    // A game may begin in any range of a file, and some ranges contain none.
    let is_part = args.run.range.is_some() && failures.is_empty();
    let written = Written::of(watcher.done.has_output, is_part);
    // Partial output is kept.
    if written != Written::Nothing || outputs.one().is_some_and(|output| !output.is_file()) {
        let is_whole = failures.is_empty() && !watcher.done.stopped;
        let files = outputs.written(&watcher.done, files);
        outputs.complete()?;
        if let Some(mut manifest) = manifest
            && (is_whole || !options.has_folder())
        {
            manifest.add(inputs.finish_read());
            let totals = report::summary_object(&watcher.done, began.elapsed());
            manifest.write(args, &options, &files, totals)?;
        }
        if is_whole { outputs.finish()? } else { outputs.keep()? }
    }
    watcher.report.map_or(Ok(()), Report::finish)?;
    if !args.messages.quiet {
        if failures.is_empty() && written == Written::Nothing {
            empty_output::explain_records(&watcher.done, &options, &args.library.limits());
        }
        report::warnings(&options, &watcher.done);
    }
    let has_errors = watcher.done.errors > 0 && !args.messages.quiet;
    let form = args.messages.summary.or(has_errors.then_some(SummaryForm::Text));
    report::summary(form, &watcher.done, began.elapsed());
    host().result(report::summary_object(&watcher.done, began.elapsed()));
    failures.finish()?;
    Ok(written.outcome(watcher.done.errors))
}

/// Returns the last file if it seems to be the output: it does not exist, its suffix is new.
fn output_meant(args: &Convert) -> Option<&Path> {
    let (last, inputs) = args.files.split_last().filter(|(_, inputs)| !inputs.is_empty())?;
    let is_output = match Format::of_file_name(last) {
        None => last.extension().is_some_and(|suffix| suffix == "epd"),
        format => format != Some(Format::Pgn),
    };
    let is_other = inputs.iter().all(|input| input.extension() != last.extension());
    (args.run.output.is_none() && is_output && is_other && !last.exists()).then_some(last)
}

/// Whether progress is shown: on a terminal, unless the records are written there too.
fn shows_progress(args: &Convert, is_terminal: bool) -> bool {
    let Messages { progress, quiet, .. } = args.messages;
    progress || !quiet && io::stderr().is_terminal() && !is_terminal
}

/// Reports problems and progress to the user.
pub(super) struct Watcher {
    /// The name of the text.
    file: String,
    /// The same, with the byte from which lines are counted if it is not 0.
    counted_from: String,
    /// The byte of the file at which the text begins.
    from: u64,
    /// The totals of the previous texts.
    done: Summary,
    /// The totals of this text.
    text: Summary,
    progress: Progress,
    /// Counts the bytes read, as stored, of all inputs.
    meter: Meter,
    report: Option<Report>,
    /// Problems of the text printed once: what they share, the line of the first, their number.
    once: Vec<(&'static str, u64, u64)>,
    quiet: bool,
}

impl Watcher {
    pub(super) fn new(
        inputs: &Inputs,
        progress: Progress,
        report: Option<Report>,
        quiet: bool,
    ) -> Self {
        Watcher {
            file: String::new(),
            counted_from: String::new(),
            from: 0,
            done: Summary::default(),
            text: Summary::default(),
            progress,
            meter: inputs.meter().clone(),
            report,
            once: Vec::new(),
            quiet,
        }
    }

    pub(super) fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Reads all texts. `read` passes one on, and returns whether no other is needed.
    pub(super) fn read_all(
        &mut self,
        inputs: Inputs,
        failures: &mut Failures,
        mut read: impl FnMut(InputText<'_>, &mut Self) -> anyhow::Result<bool>,
    ) -> anyhow::Result<()> {
        for text in inputs {
            let Some(text) = failures.text(text, &self.progress)? else { continue };
            self.begin(&text);
            let outcome = read(text, self);
            self.note_losses(false, false, false);
            self.end()?;
            match outcome.map_err(|error| error.downcast()) {
                Ok(is_over) if is_over => break,
                Ok(_) => {}
                Err(Ok(ConvertError::Read(error))) => {
                    failures.add(self.unreadable(error), &self.progress)?;
                }
                Err(Ok(error)) => return Err(error.into()),
                Err(Err(error)) => return Err(error),
            }
        }
        Ok(())
    }

    pub(super) fn begin(&mut self, text: &InputText<'_>) {
        self.from = text.start();
        text.name().clone_into(&mut self.file);
        self.counted_from = text.counted_from().into_owned();
    }

    /// Notes what of the text was not written; see [`report::note_of_losses`].
    pub(super) fn note_losses(
        &self,
        can_vary: bool,
        wants_annotations: bool,
        splits_comments: bool,
    ) {
        if !self.quiet {
            self.progress.suspend(|| {
                report::note_of_losses(
                    &self.file,
                    &self.text,
                    can_vary,
                    wants_annotations,
                    splits_comments,
                );
            });
        }
    }

    pub(super) fn unreadable(&self, error: io::Error) -> anyhow::Error {
        unreadable(error, &self.file)
    }

    /// Ends a text.
    ///
    /// # Errors
    ///
    /// If the run is to end.
    pub(super) fn end(&mut self) -> anyhow::Result<()> {
        for (kind, line, count) in std::mem::take(&mut self.once) {
            if count > 1 && !self.quiet {
                let more = report::count(count - 1, "more problem");
                let text = format!("{}: {more} like that in line {line} ({kind})", self.file);
                self.progress.suspend(|| report::print(&printable(&text)));
            }
        }
        self.done += std::mem::take(&mut self.text);
        host::check()
    }

    pub(super) fn finish(self) -> (Summary, Option<Report>) {
        self.progress.clear();
        (self.done, self.report)
    }
}

impl Observer for Watcher {
    fn problem(&mut self, problem: &Problem) {
        let finding = Finding::of(&self.file, self.from, problem);
        if let Some(report) = &mut self.report {
            report.write(&finding);
        }
        let message = report::message(&self.counted_from, problem);
        if host().finding(&finding, &message) {
            return;
        }
        let once = problem.reason.printed_once();
        let before = self.once.iter_mut().find(|(kind, ..)| Some(*kind) == once);
        match (before, once) {
            (Some((.., count)), _) => *count += 1,
            (None, once) => {
                self.once.extend(once.map(|kind| (kind, problem.place.line, 1)));
                if !self.quiet {
                    self.progress.suspend(|| report::print(&message));
                }
            }
        }
    }

    fn progress(&mut self, summary: &Summary) -> ControlFlow<()> {
        self.text = *summary;
        let mut all = self.done;
        all += *summary;
        self.progress.show(&all, self.meter.bytes());
        host().progress(&all)
    }
}
