//! The outputs of a command, and the check that none of them is an input.

pub(crate) use pgn2epd::output::{Guard, Output, OutputError};

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use pgn2epd::Options;
use pgn2epd::output::{Refused, is_stdout};

use crate::host::host;

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
