//! Counts in any order, as engines write them, become sorted runs in bounded memory.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek};

use san::Packed;

use super::files::Batches;
use super::read::{FileNames, Rows, header_of};
use crate::hash::order_of;
use crate::merge::{Counted, Merge, Run};
use crate::partial::Together;
use crate::run::{RunReader, RunWriter};
use crate::temporary::Temporary;
use crate::{BookError, MoveCode};

/// Takes the rows of partial results, and gives them back sorted.
pub(crate) struct Unsorted {
    memory: usize,
    temporary: Temporary,
    counts: Vec<Counted>,
    /// What the counts take, in bytes.
    bytes: usize,
    files: FileNames,
    runs: Vec<File>,
}

/// So many runs are merged at once; more are merged in steps.
const MOST_RUNS: usize = 64;
const BUFFER: usize = 64 << 10;

/// What a text in memory takes besides its letters, in bytes.
const ALLOCATION: usize = 16;

impl Unsorted {
    pub(crate) fn new(memory: usize, temporary: Temporary) -> Self {
        let (counts, files, runs) = (Vec::new(), FileNames::default(), Vec::new());
        Unsorted { memory, temporary, counts, bytes: 0, files, runs }
    }

    /// Takes all rows of a partial result.
    pub(crate) fn take(
        &mut self,
        name: &str,
        batches: Batches,
        together: &mut Together,
    ) -> Result<(), BookError> {
        let failed = |error: io::Error| BookError::partial(name, &error);
        if let Some(header) = header_of(&batches.schema()).map_err(failed)? {
            together.add_header(name, &header)?;
        }
        for batch in batches {
            let rows = Rows::of(batch.map_err(failed)?).map_err(failed)?;
            for row in 0..rows.len() {
                let (counted, moves) = rows.counted(row);
                together.add_counted(name, counted, moves)?;
                let counted = rows.count(row, &mut self.files).map_err(failed)?;
                self.push(counted)?;
            }
        }
        Ok(())
    }

    fn push(&mut self, counted: Counted) -> Result<(), BookError> {
        let story = &counted.2.strongest.story;
        let texts =
            [story.white.len(), story.black.len(), story.start.len(), 2 * story.moves.len()];
        let texts: usize = texts.iter().map(|len| len + ALLOCATION).sum();
        // While the list grows it is there twice.
        self.bytes += 2 * size_of::<Counted>() + texts;
        if self.bytes > self.memory && !self.counts.is_empty() {
            self.spill()?;
        }
        self.counts.push(counted);
        Ok(())
    }

    fn sort(&mut self) {
        let order =
            |(key, next, _): &Counted| -> ((u64, Packed), MoveCode) { (order_of(*key), *next) };
        self.counts.sort_unstable_by_key(order);
    }

    fn spill(&mut self) -> Result<(), BookError> {
        self.sort();
        self.bytes = 0;
        let file = self.temporary.file()?;
        let run = write_run(file, self.counts.drain(..).map(Ok));
        self.runs.push(run.map_err(|error| self.temporary.failed(error))?);
        if self.runs.len() >= MOST_RUNS {
            let runs = std::mem::take(&mut self.runs);
            let file = self.temporary.file()?;
            let merged = runs.into_iter().map(|run| run_of(run, None)).collect();
            // Nothing is added up yet: files have their numbers in the order of names only when all are known.
            let merged = Merge::new(merged).and_then(|mut merged| {
                write_run(file, std::iter::from_fn(|| merged.pop().transpose()))
            });
            self.runs.push(merged.map_err(|error| self.temporary.failed(error))?);
        }
        Ok(())
    }

    /// The names of the files, as far as rows tell them.
    pub(crate) fn files(&self) -> &[String] {
        &self.files.names
    }

    /// All counts, sorted; files have the numbers of their places in this list of names, in which they all are.
    pub(crate) fn finish(mut self, files: &[String]) -> Result<Vec<Run<'static>>, BookError> {
        let place = |name: &String| files.binary_search(name).expect("it is in the list") as u32;
        let places: Vec<u32> = self.files.names.iter().map(place).collect();
        if !self.runs.is_empty() {
            self.spill()?;
            self.counts = Vec::new();
        }
        self.sort();
        let mut runs: Vec<Run<'static>> = Vec::new();
        for file in self.runs {
            runs.push(run_of(file, Some(places.clone())));
        }
        runs.push(Box::new(self.counts.into_iter().map(move |(key, next, mut tally)| {
            for at in [&mut tally.first, &mut tally.strongest.at] {
                at.file = places[at.file as usize];
            }
            Ok((key, next, tally))
        })));
        Ok(runs)
    }
}

fn write_run(file: File, counts: impl Iterator<Item = io::Result<Counted>>) -> io::Result<File> {
    let mut writer = RunWriter::new(BufWriter::with_capacity(BUFFER, file));
    for counted in counts {
        writer.write(&counted?)?;
    }
    let mut file = writer.finish()?.into_inner()?;
    file.rewind()?;
    Ok(file)
}

/// The counts of a file. Files of games are numbered anew, if that is given.
fn run_of(file: File, places: Option<Vec<u32>>) -> Run<'static> {
    let mut reader = RunReader::new(BufReader::with_capacity(BUFFER, file), places);
    Box::new(std::iter::from_fn(move || reader.read().transpose()))
}
