//! The inputs named in the arguments, and errors in reading them.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::Context;
use pgn2epd::input::{Input, InputError, Inputs, input_name, open_file};
use pgn2epd::options::OnDamage;

use super::args::Bytes;
use super::host::{self, host};
use super::progress::Progress;
use super::report;

/// Returns the inputs of a command. Those that cannot be opened are reported in their turn.
pub(super) fn inputs(files: &[PathBuf], range: Option<&Bytes>) -> anyhow::Result<Inputs> {
    if let Some(Bytes(range)) = range {
        let [path] = files else { anyhow::bail!(RANGE_OF_WHAT) };
        if path == Path::new("-") {
            anyhow::bail!(RANGE_OF_WHAT);
        }
        if !open(path)?.metadata().is_ok_and(|metadata| metadata.is_file()) {
            anyhow::bail!(RANGE_OF_WHAT);
        }
        return Ok(Inputs::new([Input::range(path, range.clone())]));
    }
    if files.is_empty() {
        // `-` still reads games that are typed.
        if io::stdin().is_terminal() {
            anyhow::bail!("no input: name a file, or - for standard input");
        }
        return Ok(Inputs::new([host().stdin()]));
    }
    Ok(Inputs::new(files.iter().map(|path| input(path))))
}

const RANGE_OF_WHAT: &str = "--range is for one file that can be read from its middle";

/// Returns the name of an input for messages.
pub(super) fn name(path: &Path) -> String {
    input_name(path)
}

/// Returns one input by name; `-` is standard input.
pub(super) fn input(path: &Path) -> Input {
    if path == Path::new("-") { host().stdin() } else { Input::file(path) }
}

/// For commands that need all of the files: a misspelled name costs no time.
pub(super) fn check_existing(files: &[PathBuf]) -> anyhow::Result<()> {
    for path in files.iter().filter(|path| *path != Path::new("-")) {
        std::fs::metadata(path).with_context(|| format!("cannot read {}", name(path)))?;
    }
    Ok(())
}

/// Opens a file; folders are errors.
pub(super) fn open(path: &Path) -> anyhow::Result<File> {
    open_file(path).with_context(|| format!("cannot read {}", name(path)))
}

pub(super) fn unreadable(error: io::Error, name: &str) -> anyhow::Error {
    InputError::new(name, error).into()
}

/// Inputs that could not be read: all are reported, except for the last, the error of the run.
pub(super) struct Failures {
    last: Option<anyhow::Error>,
    quiet: bool,
    on_damage: OnDamage,
}

impl Failures {
    /// Creates an empty list. In a quiet run, notes are not reported.
    pub(super) fn new(quiet: bool, on_damage: OnDamage) -> Self {
        Failures { last: None, quiet, on_damage }
    }

    /// Stores a failure, and reports the previous one.
    ///
    /// # Errors
    ///
    /// If the input is damaged, which ends the run unless what can be read is wanted, or the run is
    /// to end.
    pub(super) fn add(&mut self, error: anyhow::Error, progress: &Progress) -> anyhow::Result<()> {
        host().unreadable(&error);
        host::check()?;
        if let Some(before) = self.last.take() {
            progress.suspend(|| report::print(&report::failure(&before)));
        }
        let is_damage = error.downcast_ref().is_some_and(InputError::is_damage);
        if is_damage && self.on_damage == OnDamage::Stop {
            progress.clear();
            let text = format!("{error:#}; --on-damage keep uses what can be read");
            return Err(io::Error::other(text).into());
        }
        self.last = Some(error);
        Ok(())
    }

    /// Returns the text, or `None` if it could not be read.
    pub(super) fn text<T>(
        &mut self,
        text: Result<T, InputError>,
        progress: &Progress,
    ) -> anyhow::Result<Option<T>> {
        match text {
            Ok(text) => return Ok(Some(text)),
            Err(error) if !error.is_note() => self.add(error.into(), progress)?,
            Err(note) if !self.quiet => progress.suspend(|| report::input_note(&note)),
            Err(_) => {}
        }
        Ok(None)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// Returns the last failure, if any.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.last.map_or(Ok(()), Err)
    }
}
