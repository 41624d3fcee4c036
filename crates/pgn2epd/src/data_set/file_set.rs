//! The outputs of a run: one, or the files of a folder, which are opened when their first records
//! arrive.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use stream::compress::{Compression, Compressor};
use stream::ordered::Threads;

use crate::options::Options;
use crate::summary::OutputCounts;

pub(crate) enum Outputs<W> {
    One(W),
    /// Files of a folder, which the first function opens by their names; the second one receives
    /// the name of a file to which nothing follows.
    Folder(Box<OnFile<W>>, Box<OnFile<()>>),
}

type OnFile<T> = dyn FnMut(&Path) -> io::Result<T> + Send;

pub(crate) trait OutputFile {
    type Output: io::Write;

    /// Writes what follows the last record, once.
    fn finish(&mut self) -> io::Result<()>;

    fn flush(&mut self) -> io::Result<()>;

    fn counts(&self) -> OutputCounts;
}

pub(crate) enum FileSet<F: OutputFile> {
    One(F),
    Folder(Box<Folder<F>>),
}

pub(crate) struct Folder<F: OutputFile> {
    parts: Vec<Part<F>>,
    /// The files to which nothing follows.
    complete: Vec<(PathBuf, OutputCounts)>,
    suffix: String,
    rows_per_file: u64,
    /// Whether a row is a game.
    has_games: bool,
    open: Box<OnFile<F::Output>>,
    on_complete: Box<OnFile<()>>,
    make: Box<dyn Fn(Compressor<F::Output>) -> F + Send>,
    compression: Option<Compression>,
    threads: Threads,
}

/// A part of a data set, with a folder of its own if it has a name.
struct Part<F> {
    name: String,
    /// The file that is written now, its name and the number of its rows.
    last: Option<(F, PathBuf, u64)>,
    files: u64,
}

impl<F: OutputFile> FileSet<F> {
    /// Uses these outputs; `make` makes a file of each.
    pub(crate) fn new(
        outputs: Outputs<F::Output>,
        options: &Options,
        threads: &Threads,
        make: impl Fn(Compressor<F::Output>) -> F + Send + 'static,
    ) -> Self {
        let (compression, threads) = (options.compress_outputs(), threads.clone());
        match outputs {
            Outputs::One(output) => {
                FileSet::One(make(Compressor::new(output, compression, threads)))
            }
            Outputs::Folder(open, on_complete) => {
                let part = |name: &str| Part { name: name.to_owned(), last: None, files: 0 };
                let folder = Folder {
                    parts: match &options.split {
                        Some(split) => split.names().map(part).collect(),
                        None => vec![part("")],
                    },
                    complete: Vec::new(),
                    suffix: options.suffix(),
                    rows_per_file: options.rows_per_file.map_or(u64::MAX, u64::from),
                    has_games: options.has_games(),
                    open,
                    on_complete,
                    make: Box::new(make),
                    compression,
                    threads,
                };
                FileSet::Folder(Box::new(folder))
            }
        }
    }

    /// Returns the file for the next record of a part, which has this number of positions.
    pub(crate) fn next(&mut self, part: usize, positions: u64) -> io::Result<&mut F> {
        match self {
            FileSet::One(file) => Ok(file),
            FileSet::Folder(folder) => folder.next(part, positions),
        }
    }

    /// Returns the only output, unless there is a folder.
    pub(crate) fn only(&mut self) -> Option<&mut F> {
        if let FileSet::One(file) = self { Some(file) } else { None }
    }

    /// Returns the outputs to which something may follow.
    fn written_now(&mut self) -> impl Iterator<Item = &mut F> {
        let (one, parts) = match self {
            FileSet::One(file) => (Some(file), &mut [][..]),
            FileSet::Folder(folder) => (None, &mut folder.parts[..]),
        };
        let last = parts.iter_mut().flat_map(|part| &mut part.last);
        one.into_iter().chain(last.map(|(file, ..)| file))
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.written_now().try_for_each(F::flush)
    }

    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.written_now().try_for_each(F::finish)?;
        self.flush()
    }

    /// Returns the number of bytes written, before compression.
    pub(crate) fn bytes(&mut self) -> u64 {
        let complete = match self {
            FileSet::One(_) => 0,
            FileSet::Folder(folder) => folder.complete.iter().map(|(_, counts)| counts.bytes).sum(),
        };
        complete + self.written_now().map(|file| file.counts().bytes).sum::<u64>()
    }

    /// Returns the files in the folder, part by part in their order, with what was written to each.
    pub(crate) fn counts(&self) -> Vec<(PathBuf, OutputCounts)> {
        let FileSet::Folder(folder) = self else { return Vec::new() };
        let last = folder.parts.iter().flat_map(|part| &part.last);
        let last = last.map(|(file, name, _)| (name.clone(), file.counts()));
        let mut counts: Vec<_> = folder.complete.iter().cloned().chain(last).collect();
        counts.sort_by(|(one, _), (other, _)| one.parent().cmp(&other.parent()));
        counts
    }
}

impl<F: OutputFile> Folder<F> {
    fn next(&mut self, part: usize, positions: u64) -> io::Result<&mut F> {
        let rows = if self.has_games { 1 } else { positions };
        let part = &mut self.parts[part];
        if let Some((mut file, name, _)) = part.last.take_if(|last| last.2 >= self.rows_per_file) {
            file.finish()?;
            file.flush()?;
            self.complete.push((name.clone(), file.counts()));
            drop(file);
            (self.on_complete)(&name)?;
        }
        let (file, _, before) = match &mut part.last {
            Some(last) => last,
            none => {
                let name = format!("part-{:05}.{}", part.files, self.suffix);
                part.files += 1;
                // With slashes on every system, as in the list of files.
                let name: PathBuf = match &*part.name {
                    "" => name.into(),
                    folder => format!("{folder}/{name}").into(),
                };
                let output = (self.open)(&name)?;
                let output = Compressor::new(output, self.compression, self.threads.clone());
                none.insert(((self.make)(output), name, 0))
            }
        };
        *before += rows;
        Ok(file)
    }
}

impl<F: OutputFile> fmt::Debug for FileSet<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileSet").finish_non_exhaustive()
    }
}
