//! Inputs and outputs of the arguments, the check that no output is an input, the progress bar.

pub(super) use pgn2epd::input::input_name as name;
pub(crate) use pgn2epd::output::{Guard, Output, OutputError};

use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use pgn2epd::input::{Input, Inputs, open_file};
use pgn2epd::output::{Refused, is_stdout};
use pgn2epd::{Options, Summary};

use crate::args::Bytes;
use crate::host::host;

#[derive(Clone)]
pub(crate) struct Progress {
    bar: ProgressBar,
    /// The bytes of the input and the most positions, if answers are counted.
    input: Option<(Option<u64>, Option<u64>)>,
}

impl Default for Progress {
    fn default() -> Self {
        Progress { bar: ProgressBar::hidden(), input: None }
    }
}

/// Whether progress is shown: on a terminal, unless the output is shown there too.
pub(super) fn shows_progress(progress: bool, quiet: bool, is_terminal: bool) -> bool {
    progress || !quiet && io::stderr().is_terminal() && !is_terminal
}

impl Progress {
    /// Creates a bar for a total of `bytes`, or a spinner if the total is unknown.
    pub(crate) fn new(bytes: Option<u64>, shown: bool) -> Self {
        if !shown || !host().is_process() {
            return Progress::default();
        }
        let bar = ProgressBar::with_draw_target(bytes, ProgressDrawTarget::stderr_with_hz(5));
        let template = match bytes {
            Some(_) => "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {msg} {eta}",
            None => "{spinner} {bytes} {bytes_per_sec} {msg} {elapsed}",
        };
        bar.set_style(ProgressStyle::with_template(template).expect("a template of ours"));
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress { bar, input: None }
    }

    pub(crate) fn of_answers(all: u64, shown: bool) -> Self {
        let progress = Progress::new(Some(all), shown);
        let template = "{wide_bar} {human_pos}/{human_len} positions {per_sec} {eta}";
        let style = ProgressStyle::with_template(template).expect("a template of ours");
        progress.bar.set_style(style);
        progress
    }

    /// Creates a bar for the answers to the positions of an input, at most this many.
    pub(crate) fn of_input(bytes: Option<u64>, most: Option<u64>, shown: bool) -> Self {
        Progress { input: Some((bytes, most)), ..Progress::of_answers(0, shown) }
    }

    pub(crate) fn reach(&self, answers: u64) {
        self.bar.set_position(answers);
    }

    pub(crate) fn advance(&self, answers: u64) {
        self.bar.inc(answers);
    }

    pub(crate) fn show(&self, summary: &Summary, bytes: u64) {
        if self.bar.is_hidden() {
            return;
        }
        if let Some((all_bytes, most)) = self.input {
            // As many positions in each byte that follows. The text of a compressed file is longer.
            let read = u128::from(bytes.min(summary.bytes_read).max(1));
            let all = u128::from(summary.positions) * u128::from(all_bytes.unwrap_or(0)) / read;
            let all = u64::try_from(all).unwrap_or(u64::MAX).max(summary.positions);
            return self.bar.set_length(all.min(most.unwrap_or(u64::MAX)));
        }
        let (games, positions) = (HumanCount(summary.games), HumanCount(summary.positions));
        let duplicates = match summary.duplicates {
            0 => String::new(),
            duplicates => format!(" {} duplicates", HumanCount(duplicates)),
        };
        self.bar.set_message(format!("{games} games {positions} positions{duplicates}"));
        self.bar.set_position(bytes);
    }

    pub(crate) fn suspend(&self, action: impl FnOnce()) {
        self.bar.suspend(action);
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Returns the inputs of a command. Those that cannot be opened are reported in their turn.
pub(super) fn inputs(files: &[PathBuf], range: Option<&Bytes>) -> anyhow::Result<Inputs> {
    if let Some(Bytes(range)) = range {
        let [path] = files else { bail!(RANGE_OF_WHAT) };
        if path == Path::new("-")
            || !open_input(path)?.metadata().is_ok_and(|metadata| metadata.is_file())
        {
            bail!(RANGE_OF_WHAT);
        }
        return Ok(Inputs::new([Input::range(path, range.clone())]));
    }
    if files.is_empty() {
        // `-` still reads games that are typed.
        if io::stdin().is_terminal() {
            bail!("no input: name a file, or - for standard input");
        }
        return Ok(Inputs::new([host().stdin()]));
    }
    Ok(Inputs::new(files.iter().map(|path| input(path))))
}

const RANGE_OF_WHAT: &str = "--range is for one file that can be read from its middle";

pub(super) fn input(path: &Path) -> Input {
    if path == Path::new("-") { host().stdin() } else { Input::file(path) }
}

/// Fails if a file cannot be found: commands that need all files say so before they read any.
pub(super) fn check_existing(files: &[PathBuf]) -> anyhow::Result<()> {
    for path in files.iter().filter(|path| *path != Path::new("-")) {
        std::fs::metadata(path).with_context(|| format!("cannot read {}", name(path)))?;
    }
    Ok(())
}

pub(super) fn open_input(path: &Path) -> anyhow::Result<File> {
    open_file(path).with_context(|| format!("cannot read {}", name(path)))
}

/// Enlarges a pipe, if permitted; with the default of 64 KB, its programs wait for each other.
/// Worth a third of the time of `zstd -dc F | pgn2epd -j 1`, a sixth of `pgn2epd -j 1 F | cat`.
#[cfg(target_os = "linux")]
pub(crate) fn enlarge(stream: &impl std::os::fd::AsFd) {
    let _ = rustix::pipe::fcntl_setpipe_size(stream, 1 << 20);
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn enlarge<T>(_: &T) {}

/// An empty list, and `-`, mean standard input. An error if messages would be written to an input.
pub(super) fn guard(inputs: &[PathBuf]) -> Result<Guard, Refused> {
    let (mut guard, is_process) = (Guard::default(), host().is_process());
    if inputs.is_empty() {
        guard.stdin();
    }
    for input in inputs {
        if input != Path::new("-") {
            guard.input(input);
        } else if is_process {
            guard.stdin();
        }
    }
    if is_process {
        guard.stderr()?;
    }
    Ok(guard)
}

pub(super) fn path<'t>(
    target: Option<&'t Path>,
    options: &Options,
) -> anyhow::Result<Option<&'t Path>> {
    let path = named(target);
    match path {
        Some(path) => options.check_file_name(path).context("-o")?,
        None if options.has_folder() => {
            bail!("--split and --rows-per-file need a folder: -o positions")
        }
        None => {}
    }
    Ok(path)
}

pub(super) fn add_output(guard: &mut Guard, target: Option<&Path>) -> Result<(), Refused> {
    match named(target) {
        None if host().is_process() => guard.stdout(),
        None => Ok(()),
        Some(path) => guard.output("-o", path),
    }
}

/// Adds the file that an option names, if it does.
pub(super) fn add(guard: &mut Guard, option: &str, path: Option<&Path>) -> Result<(), Refused> {
    path.map_or(Ok(()), |path| guard.output(option, path))
}

/// Opens the output of the option `-o`, which is compressed if its suffix says so.
pub(super) fn open(target: Option<&Path>) -> Result<Output, OutputError> {
    named(target).map_or_else(|| Ok(stdout()), Output::open)
}

pub(super) fn stdout() -> Output {
    host().stdout()
}

pub(super) fn named(target: Option<&Path>) -> Option<&Path> {
    target.filter(|path| *path != Path::new("-") && !is_stdout(path))
}

/// Completes an output, unless it would replace an old one with nothing.
pub(super) fn finish(output: Output, is_empty: bool) -> Result<(), OutputError> {
    if is_empty && output.is_file() { Ok(()) } else { output.finish() }
}
