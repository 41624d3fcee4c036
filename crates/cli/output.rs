//! The outputs of a command, and the check that none of them is an input.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use pgn2epd::Options;

pub(super) use pgn2epd::output::{Guard, Output, OutputError, OutputFolder};
use pgn2epd::output::{Refused, is_stdout};

use super::pipe;

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
        if input == Path::new("-") { guard.stdin() } else { guard.input(input) }
    }
    guard.stderr()
}

/// Where a conversion writes.
#[derive(Debug)]
pub(super) enum Targets {
    /// Files, or standard output for one without a name.
    Files(Vec<Option<PathBuf>>),
    /// A folder of files.
    Folder(PathBuf),
}

/// Returns the outputs of a conversion: that of the option `-o`, or those that its name stands for.
pub(super) fn targets(target: Option<&Path>, options: &Options) -> anyhow::Result<Targets> {
    let has_several = options.split.is_some() || options.shards.is_some();
    let Some(path) = named(target) else {
        if options.has_folder() {
            bail!("--rows-per-file and --partition-by need a folder: -o positions");
        }
        if has_several {
            bail!(
                "--split and --shards need files: -o 'positions-{{split}}.epd', -o 'positions-{{shard}}.epd'"
            );
        }
        return Ok(Targets::Files(vec![target.map(Path::to_owned)]));
    };
    let Some(name) = path.to_str() else {
        if has_several && !options.has_folder() {
            bail!("-o: the name {} is not UTF-8", path.display());
        }
        return Ok(Targets::of(path, options));
    };
    if options.has_folder() {
        if name.contains("{split}") {
            bail!("-o: a folder has a folder for each part: omit {{split}}");
        }
        return Ok(Targets::of(path, options));
    }
    let names = options.output_names(name).context("-o")?;
    Ok(Targets::Files(names.into_iter().map(|name| Some(name.into())).collect()))
}

impl Targets {
    /// Adds the outputs to those of a run.
    pub(super) fn add_to(&self, guard: &mut Guard) -> Result<(), Refused> {
        match self {
            Targets::Files(files) => {
                files.iter().try_for_each(|file| add_output(guard, file.as_deref()))
            }
            Targets::Folder(folder) => guard.output_folder("-o", folder),
        }
    }

    fn of(path: &Path, options: &Options) -> Self {
        match options.has_folder() {
            true => Targets::Folder(path.to_owned()),
            false => Targets::Files(vec![Some(path.to_owned())]),
        }
    }
}

/// Adds the output of the option `-o`.
pub(super) fn add_output(guard: &mut Guard, target: Option<&Path>) -> Result<(), Refused> {
    match named(target) {
        None => guard.stdout(),
        Some(path) => guard.output("-o", path),
    }
}

/// Opens the output of the option `-o`, which is compressed if its suffix says so.
pub(super) fn open(target: Option<&Path>) -> Result<Output, OutputError> {
    named(target).map_or_else(|| Ok(stdout()), Output::open)
}

/// Opens the output of the option `-o` for a command that compresses the text itself.
pub(super) fn open_stored(target: Option<&Path>) -> Result<Output, OutputError> {
    named(target).map_or_else(|| Ok(stdout()), Output::open_stored)
}

fn stdout() -> Output {
    pipe::enlarge(&io::stdout());
    Output::stdout()
}

/// Returns the output file, or `None` for standard output.
pub(super) fn named(target: Option<&Path>) -> Option<&Path> {
    target.filter(|path| *path != Path::new("-") && !is_stdout(path))
}
