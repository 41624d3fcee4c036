//! The outputs of a command, the check that none of them is an input, and the exit status.

pub(crate) use pgn2epd::output::{Guard, Output, OutputError};

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use pgn2epd::Options;
use pgn2epd::output::{Refused, is_stdout};

use crate::host::host;

// The pipes of standard input and output.

/// Enlarges a pipe, if permitted; with the default of 64 KB, its programs wait for each other.
/// Worth a third of the time of `zstd -dc F | pgn2epd -j 1`, a sixth of `pgn2epd -j 1 F | cat`.
#[cfg(target_os = "linux")]
pub(crate) fn enlarge(stream: &impl std::os::fd::AsFd) {
    let _ = rustix::pipe::fcntl_setpipe_size(stream, 1 << 20);
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn enlarge<T>(_: &T) {}

pub(super) fn guard(inputs: &[PathBuf]) -> Result<Guard, Refused> {
    let mut guard = Guard::default();
    add_inputs(&mut guard, inputs)?;
    Ok(guard)
}

/// Adds input files; an error if messages would be written to one of them.
pub(super) fn add_inputs(guard: &mut Guard, inputs: &[PathBuf]) -> Result<(), Refused> {
    if inputs.is_empty() {
        guard.stdin();
    }
    for input in inputs {
        match input == Path::new("-") {
            true if host().is_process() => guard.stdin(),
            true => {}
            false => guard.input(input),
        }
    }
    if host().is_process() { guard.stderr() } else { Ok(()) }
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

// The exit status: 0 for success, 1 for errors in the input or if nothing was written, 2 for a
// failed run.

pub(crate) const FAILED: u8 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Well,
    /// Errors in the input were reported, or nothing was written: exit status 1.
    SomeErrors,
}

/// A run that wrote nothing leaves the old output as it is; parts of a larger job may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Something,
    Nothing,
    EmptyPart,
}

impl Written {
    pub(crate) fn of(is_any: bool, is_part: bool) -> Self {
        match (is_any, is_part) {
            (true, _) => Written::Something,
            (false, true) => Written::EmptyPart,
            (false, false) => Written::Nothing,
        }
    }

    /// Completes an output, unless it would replace an old one with nothing.
    pub(crate) fn finish(self, output: Output) -> Result<(), OutputError> {
        if self == Written::Nothing && output.is_file() { Ok(()) } else { output.finish() }
    }

    pub(crate) fn outcome(self, errors: u64) -> Outcome {
        Outcome::of_errors(errors + u64::from(self == Written::Nothing))
    }
}

impl Outcome {
    pub(crate) fn of_errors(errors: u64) -> Self {
        if errors == 0 { Outcome::Well } else { Outcome::SomeErrors }
    }

    pub(crate) fn status(self) -> u8 {
        match self {
            Outcome::Well => 0,
            Outcome::SomeErrors => 1,
        }
    }
}
