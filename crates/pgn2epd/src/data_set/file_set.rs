//! The outputs of a run: one, or the files of a folder, which are opened when their first records
//! arrive.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use stream::compress::Compression;
use stream::ordered::Threads;

use crate::destination::Destination;
use crate::options::Options;
use crate::summary::OutputCounts;

/// Where a run writes.
pub(crate) enum Outputs<W> {
    One(W),
    /// Files of a folder, which the first function opens by their names; the second one receives
    /// the name of a file to which nothing follows.
    Folder(Box<OnFile<W>>, Box<OnFile<()>>),
}

type OnFile<T> = dyn FnMut(&Path) -> io::Result<T> + Send;

/// An output of a run.
pub(crate) trait OutputFile {
    /// What is written to.
    type Output: io::Write;

    /// Writes what follows the last record, once.
    fn finish(&mut self) -> io::Result<()>;

    /// Writes the same, and closes the output.
    fn close(&mut self) -> io::Result<()>;

    /// Passes on what was written so far.
    fn flush(&mut self) -> io::Result<()>;

    /// Returns what was written.
    fn counts(&self) -> OutputCounts;
}

/// The outputs of a run.
pub(crate) struct FileSet<F: OutputFile> {
    files: Vec<F>,
    folder: Option<Folder<F>>,
}

/// A folder of files.
struct Folder<F: OutputFile> {
    parts: Vec<Part>,
    /// The names of the files so far.
    names: Vec<PathBuf>,
    suffix: String,
    /// The number of rows in a file.
    rows_per_file: u64,
    /// Whether a row is a game.
    has_games: bool,
    open: Box<OnFile<F::Output>>,
    complete: Box<OnFile<()>>,
    make: Box<dyn Fn(Destination<F::Output>) -> F + Send>,
    compression: Option<Compression>,
    threads: Threads,
}

/// A part of a data set, with a folder of its own if it has a name.
struct Part {
    name: String,
    /// The file that is written now, and the number of its rows.
    last: Option<(usize, u64)>,
    /// The number of files.
    files: u64,
}

impl<F: OutputFile> FileSet<F> {
    /// Uses these outputs; `make` makes a file of each.
    pub(crate) fn new(
        outputs: Outputs<F::Output>,
        options: &Options,
        threads: &Threads,
        make: impl Fn(Destination<F::Output>) -> F + Send + 'static,
    ) -> Self {
        let (compression, threads) = (options.compress_outputs(), threads.clone());
        match outputs {
            Outputs::One(output) => {
                FileSet::one(make(Destination::new(output, compression, threads)))
            }
            Outputs::Folder(open, complete) => {
                let part = |name: &str| Part { name: name.to_owned(), last: None, files: 0 };
                let folder = Folder {
                    parts: match &options.split {
                        Some(split) => split.names().map(part).collect(),
                        None => vec![part("")],
                    },
                    names: Vec::new(),
                    suffix: options.suffix(),
                    rows_per_file: options.rows_per_file.map_or(u64::MAX, u64::from),
                    has_games: options.has_games(),
                    open,
                    complete,
                    make: Box::new(make),
                    compression,
                    threads,
                };
                FileSet { files: Vec::new(), folder: Some(folder) }
            }
        }
    }

    /// Returns the file for the next record of a part, which has this number of positions.
    pub(crate) fn next(&mut self, part: usize, positions: u64) -> io::Result<&mut F> {
        let Some(folder) = &mut self.folder else { return Ok(&mut self.files[0]) };
        let rows = if folder.has_games { 1 } else { positions };
        let part = &mut folder.parts[part];
        if let Some((file, before)) = &mut part.last
            && *before < folder.rows_per_file
        {
            *before += rows;
            return Ok(&mut self.files[*file]);
        }
        let next = self.files.len();
        if let Some((ended, _)) = part.last.replace((next, rows)) {
            self.files[ended].close()?;
            (folder.complete)(&folder.names[ended])?;
        }
        let name = format!("part-{:05}.{}", part.files, folder.suffix);
        part.files += 1;
        // With slashes on every system, as in the list of files.
        let name: PathBuf = match &*part.name {
            "" => name.into(),
            folder => format!("{folder}/{name}").into(),
        };
        let output = (folder.open)(&name)?;
        let output = Destination::new(output, folder.compression, folder.threads.clone());
        self.files.push((folder.make)(output));
        folder.names.push(name);
        Ok(&mut self.files[next])
    }

    /// One output.
    pub(crate) fn one(file: F) -> Self {
        FileSet { files: vec![file], folder: None }
    }

    /// Returns the only output, unless there is a folder.
    pub(crate) fn only(&mut self) -> Option<&mut F> {
        if self.folder.is_some() { None } else { self.files.first_mut() }
    }

    /// Flushes all outputs.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.files.iter_mut().try_for_each(F::flush)
    }

    /// Writes the ends of all outputs.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.files.iter_mut().try_for_each(F::finish)?;
        self.flush()
    }

    /// Returns the number of bytes written, before compression.
    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.counts().bytes).sum()
    }

    /// Returns the names of the files in the folder, part by part in their order, with what was
    /// written to each.
    pub(crate) fn counts(&self) -> Vec<(PathBuf, OutputCounts)> {
        let names = self.folder.as_ref().map_or(&[][..], |folder| &folder.names);
        let counts = names.iter().cloned().zip(self.files.iter().map(F::counts));
        let mut counts: Vec<(PathBuf, OutputCounts)> = counts.collect();
        counts.sort_by(|(one, _), (other, _)| one.parent().cmp(&other.parent()));
        counts
    }
}

impl<F: OutputFile> fmt::Debug for FileSet<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileSet").field("files", &self.files.len()).finish_non_exhaustive()
    }
}
