//! The files in which results are kept: while they are made, and for later runs.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use pgn2epd::analyse::Analysis;
use pgn2epd::input::decompressed;

use crate::output::{Guard, Output};

/// The file in which results are kept while they are made, `NAME.partial`.
pub(super) struct PartialFile {
    path: PathBuf,
    file: File,
    /// The length of the records of an earlier run, in bytes.
    earlier: u64,
    /// Whether the file is removed if nothing is added to it.
    is_new: bool,
}

/// The first line of a file that keeps evaluations for later runs.
const CACHE: &str = "# pgn2epd: positions and what engines say of them\n";

impl PartialFile {
    /// Opens the file beside an output; `None` if the output is a device or a pipe.
    pub(super) fn open(
        output: &Path,
        resume: bool,
        guard: &mut Guard,
    ) -> anyhow::Result<Option<Self>> {
        let is_file = fs::metadata(output).map(|output| output.is_file());
        if matches!(is_file, Ok(false)) {
            return Ok(None);
        }
        let mut name = OsString::from(output);
        name.push(".partial");
        let path = PathBuf::from(name);
        guard.output("-o", &path)?;
        let failed = || format!("cannot write {}", path.display());
        let is_new = !path.exists();
        let mut file = open_alone(&path)?;
        if resume && is_new && is_file.is_ok() {
            let old =
                File::open(output).and_then(|old| io::copy(&mut decompressed(old)?, &mut file));
            old.with_context(failed)?;
        }
        let earlier = whole_lines(&mut file).with_context(failed)?;
        if earlier > 0 && !resume {
            anyhow::bail!(
                "{} has the results of a run that was interrupted: continue it with --resume, or remove the file",
                path.display()
            );
        }
        file.set_len(earlier).and_then(|()| file.seek(SeekFrom::End(0))).with_context(failed)?;
        Ok(Some(PartialFile { path, file, earlier, is_new }))
    }

    /// Returns the records of an earlier run.
    pub(super) fn earlier(&self) -> anyhow::Result<Option<impl BufRead + use<>>> {
        if self.earlier == 0 {
            return Ok(None);
        }
        let file = File::open(&self.path);
        let file = file.with_context(|| format!("cannot read {}", self.path.display()))?;
        Ok(Some(BufReader::new(file).take(self.earlier)))
    }

    pub(super) fn file(&self) -> impl Write + '_ {
        &self.file
    }

    /// Replaces the output with the results.
    pub(super) fn finish(&mut self, output: &Path) -> anyhow::Result<()> {
        let mut output = Output::open(output)?;
        self.file.rewind()?;
        io::copy(&mut self.file, &mut output)?;
        output.finish()?;
        fs::remove_file(&self.path)
            .with_context(|| format!("cannot remove {}", self.path.display()))
    }

    /// Returns what to do with the results of a run that failed, if there are any.
    pub(super) fn advice(&self) -> Option<String> {
        let name = self.path.display();
        self.has_results().then(|| format!("{name} has what is done; --resume goes on"))
    }

    fn has_results(&self) -> bool {
        let least = if self.is_new { self.earlier } else { 0 };
        self.file.metadata().is_ok_and(|file| file.len() > least)
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if !self.has_results() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Opens the file that keeps evaluations for later runs, and makes an analysis use it.
pub(super) fn use_cache(path: &Path, analysis: &mut Analysis<'_>) -> anyhow::Result<()> {
    let mut file = open_alone(path)?;
    let failed = || format!("cannot use {}", path.display());
    let mut head = Vec::new();
    (&file).take(CACHE.len() as u64).read_to_end(&mut head).with_context(failed)?;
    // A run may have been killed while it wrote the first line.
    if !CACHE.as_bytes().starts_with(&head) {
        anyhow::bail!("{} is not a cache of evaluations", path.display());
    }
    if head.len() < CACHE.len() {
        file.rewind().and_then(|()| file.write_all(CACHE.as_bytes())).with_context(failed)?;
    }
    let whole = whole_lines(&mut file).with_context(failed)?;
    file.rewind().with_context(failed)?;
    let cache = BufReader::new(file.try_clone().with_context(failed)?.take(whole));
    let additions = file.try_clone().with_context(failed)?;
    analysis.use_cache(cache, additions).with_context(|| path.display().to_string())?;
    file.set_len(whole).and_then(|()| file.seek(SeekFrom::End(0))).with_context(failed)?;
    Ok(())
}

/// Opens a file to continue it, and makes sure that no other run writes it.
fn open_alone(path: &Path) -> anyhow::Result<File> {
    let file = File::options().read(true).write(true).create(true).truncate(false).open(path);
    let file = file.with_context(|| format!("cannot write {}", path.display()))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            anyhow::bail!("{}: another run writes it", path.display())
        }
        // A file system without locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// Returns the length of the lines that are whole, in bytes.
fn whole_lines(file: &mut File) -> io::Result<u64> {
    let mut end = file.metadata()?.len();
    let mut block = [0; 4096];
    while end > 0 {
        let start = end.saturating_sub(block.len() as u64);
        let block = &mut block[..(end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(block)?;
        if let Some(at) = block.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}
