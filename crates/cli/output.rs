//! The outputs of a command, and the check that none of them is an input.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use pgn2epd::Options;
use pgn2epd::output::OutputPath;

pub(super) use pgn2epd::output::{Guard, Output, OutputError};
use pgn2epd::output::{Refused, is_stdout};

use super::host::host;

/// Returns a guard for these inputs; an empty list, and `-`, mean standard input.
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

/// Returns the file or the folder that `-o` names; `None` is standard output.
pub(super) fn path(target: Option<&Path>, options: &Options) -> anyhow::Result<Option<OutputPath>> {
    if let Some(path) = named(target) {
        return Ok(Some(OutputPath::new(path, options).context("-o")?));
    }
    if options.has_folder() {
        bail!("--split and --rows-per-file need a folder: -o positions");
    }
    Ok(None)
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

/// Returns the output file, or `None` for standard output.
pub(super) fn named(target: Option<&Path>) -> Option<&Path> {
    target.filter(|path| *path != Path::new("-") && !is_stdout(path))
}
