//! Counting in bounded memory: a table that goes to disk, sorted, when it is full; in the end all such runs are merged.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use crate::BookError;
use crate::collect::Counts;
use crate::merge::{Counted, Merge, Run, file_run};
use crate::run::RunWriter;
use crate::table::Table;

/// Adds up the counts of many chunks.
///
/// Temporary files have no name: whatever ends the program, they are gone.
#[derive(Debug)]
pub struct Aggregate {
    table: Table,
    /// The file and game that came last.
    last: (u32, u64),
    memory: usize,
    temporary: Temporary,
    runs: Vec<File>,
}

/// So many runs are merged at once; more are merged in steps.
const MOST_RUNS: usize = 64;

/// What is read or written at once, in bytes.
const BUFFER: usize = 64 << 10;

impl Aggregate {
    /// Counts in about `memory` bytes; what does not fit goes to files in `folder`.
    pub fn new(memory: usize, folder: &Path) -> Self {
        Aggregate {
            table: Table::default(),
            last: (0, 0),
            memory,
            temporary: Temporary { folder: folder.to_owned() },
            runs: Vec::new(),
        }
    }

    /// Adds the counts of a chunk, in whose file so many games come before it. Files have numbers in the order of their names.
    ///
    /// Chunks should come in the order of files and games: it saves memory and time, the sum is the same.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written.
    pub fn add(&mut self, counts: &Counts, file: u32, games_before: u64) -> Result<(), BookError> {
        let table = &counts.table;
        if table.is_empty() {
            return Ok(());
        }
        let goes_back = (file, games_before) < self.last;
        let full = self.table.bytes_with(table) > self.memory || self.table.is_full_for(table);
        if !self.table.is_empty() && (goes_back || full) {
            self.spill()?;
        }
        self.last = (file, games_before);
        self.table.absorb(table, file, games_before);
        Ok(())
    }

    /// How many times the memory was full.
    pub fn spills(&self) -> usize {
        self.runs.len()
    }

    /// Writes the table to a run, and forgets it.
    fn spill(&mut self) -> Result<(), BookError> {
        let counts = self.table.sort().map(Ok);
        let run = self.temporary.write_run(counts)?;
        self.table.clear();
        self.runs.push(run);
        if self.runs.len() >= MOST_RUNS {
            let runs = std::mem::take(&mut self.runs);
            let merged = self.temporary.merge_files(runs)?;
            self.runs.push(merged);
        }
        Ok(())
    }

    /// All counts. At most half of the memory is still in use.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written or read.
    pub(crate) fn finish(mut self) -> Result<Sum, BookError> {
        if !self.runs.is_empty() || self.table.bytes() > self.memory / 2 {
            self.spill()?;
            self.table = Table::default();
        }
        Ok(Sum { table: self.table, runs: self.runs, temporary: self.temporary })
    }
}

/// The counts of everything, in memory or in files.
#[derive(Debug)]
pub(crate) struct Sum {
    table: Table,
    runs: Vec<File>,
    pub(crate) temporary: Temporary,
}

impl Sum {
    /// The counts in their order.
    pub(crate) fn counts(&mut self) -> Result<Merge<'_>, BookError> {
        let runs = std::mem::take(&mut self.runs);
        let mut all = self.temporary.rewound(runs)?;
        if !self.table.is_empty() {
            let counts: Run<'_> = Box::new(self.table.sort().map(Ok));
            all.push(counts);
        }
        Merge::new(all).map_err(|error| self.temporary.failed(error))
    }
}

/// Where temporary files are.
#[derive(Clone, Debug)]
pub(crate) struct Temporary {
    pub(crate) folder: PathBuf,
}

impl Temporary {
    /// Why a file failed; or what failed on the way to it, where that is known.
    pub(crate) fn failed(&self, source: io::Error) -> BookError {
        source
            .downcast()
            .unwrap_or_else(|source| BookError::Temporary { folder: self.folder.clone(), source })
    }

    /// A file without a name.
    pub(crate) fn file(&self) -> Result<File, BookError> {
        tempfile::tempfile_in(&self.folder).map_err(|error| self.failed(error))
    }

    fn write_run(
        &self,
        counts: impl Iterator<Item = io::Result<Counted>>,
    ) -> Result<File, BookError> {
        let write = |file: File| -> io::Result<File> {
            let mut writer = RunWriter::new(BufWriter::with_capacity(BUFFER, file));
            for counted in counts {
                writer.write(&counted?)?;
            }
            Ok(writer.finish()?.into_inner()?)
        };
        write(self.file()?).map_err(|error| self.failed(error))
    }

    fn merge_files(&self, runs: Vec<File>) -> Result<File, BookError> {
        let merge = Merge::new(self.rewound(runs)?).map_err(|error| self.failed(error))?;
        self.write_run(merge)
    }

    fn rewound(&self, runs: Vec<File>) -> Result<Vec<Run<'static>>, BookError> {
        let rewound = |mut run: File| {
            io::Seek::rewind(&mut run)?;
            Ok(file_run(run, BUFFER))
        };
        runs.into_iter().map(|run| rewound(run).map_err(|error| self.failed(error))).collect()
    }
}
