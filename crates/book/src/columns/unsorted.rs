//! Sorts counts in arbitrary order, as query engines write them, into runs in bounded memory.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek};

use san::{MoveCode, PositionKey};

use super::checksum::Checksum;
use super::files::Batches;
use super::read::{FileNames, Rows, header_of};
use super::schema::HEADER;
use crate::error::BookError;
use crate::merge::{Counted, Merge, Run};
use crate::partial::Together;
use crate::plausible::Plausibility;
use crate::run::{RunReader, RunWriter};
use crate::temporary::Temporary;

/// Collects the rows of partial results and returns them sorted.
pub(crate) struct Unsorted {
    memory: usize,
    temporary: Temporary,
    counts: Vec<Counted>,
    /// Memory used by the counts, in bytes.
    bytes: usize,
    files: FileNames,
    runs: Vec<File>,
}

/// Maximum number of runs merged at once; more are merged in several passes.
const MOST_RUNS: usize = 64;
const BUFFER: usize = 64 << 10;

/// Memory used by a string in addition to its contents, in bytes.
const ALLOCATION: usize = 16;

impl Unsorted {
    pub(crate) fn new(memory: usize, temporary: Temporary) -> Self {
        let (counts, files, runs) = (Vec::new(), FileNames::default(), Vec::new());
        Unsorted { memory, temporary, counts, bytes: 0, files, runs }
    }

    /// Adds all rows of a partial result.
    pub(crate) fn take(
        &mut self,
        name: &str,
        batches: Batches,
        together: &mut Together,
    ) -> Result<(), BookError> {
        let failed = |error: io::Error| BookError::partial(name, &error);
        let damaged = || BookError::partial(name, &crate::run::damaged());
        let mut last: Option<String> = None;
        let mut next = Some(batches);
        while let Some(mut batches) = next {
            if let Some(expected) = batches.checksum_of_last() {
                if last.take() != Some(expected) || batches.next().is_some() {
                    return Err(damaged());
                }
            } else {
                let expected = batches.checksum().map(str::to_owned);
                let found = self.take_table(name, &mut batches, together)?;
                if expected.is_some_and(|expected| expected != found) {
                    return Err(damaged());
                }
                last = Some(found);
            }
            next = batches.next_table().map_err(failed)?;
        }
        Ok(())
    }

    /// Adds the rows of a table and returns its checksum.
    fn take_table(
        &mut self,
        name: &str,
        batches: &mut Batches,
        together: &mut Together,
    ) -> Result<String, BookError> {
        let failed = |error: io::Error| BookError::partial(name, &error);
        let schema = batches.schema();
        if let Some(header) = header_of(&schema).map_err(failed)? {
            together.add_header(name, &header)?;
        }
        let mut checksum = Checksum::new(schema.metadata().get(HEADER).map(|text| &**text));
        let mut plausibility = Plausibility::default();
        for batch in batches {
            let rows = Rows::of(batch.map_err(failed)?).map_err(failed)?;
            for row in 0..rows.len() {
                let (how, moves) = rows.counted(row);
                together.add_counted(name, how, moves)?;
                let counted = rows.count(row, &mut self.files).map_err(failed)?;
                plausibility
                    .check(&counted)
                    .map_err(|reason| BookError::Partial { name: name.to_owned(), reason })?;
                checksum.add(&counted, how, &self.files.names);
                self.push(counted)?;
            }
        }
        Ok(checksum.text())
    }

    fn push(&mut self, counted: Counted) -> Result<(), BookError> {
        let info = &counted.2.strongest.info;
        let texts = [info.white.len(), info.black.len(), info.start.len(), 2 * info.moves.len()];
        let texts: usize = texts.iter().map(|len| len + ALLOCATION).sum();
        // While the list grows, it exists twice.
        self.bytes += 2 * size_of::<Counted>() + texts;
        if self.bytes > self.memory && !self.counts.is_empty() {
            self.spill()?;
        }
        self.counts.push(counted);
        Ok(())
    }

    fn sort(&mut self) {
        let order = |(key, next, _): &Counted| -> ((u64, PositionKey), MoveCode) {
            ((key.stable_hash(), *key), *next)
        };
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
            // Counts are not added up yet, because files are numbered in name order only once all names are known.
            let merged = Merge::new(merged).and_then(|mut merged| {
                write_run(file, std::iter::from_fn(|| merged.pop().transpose()))
            });
            self.runs.push(merged.map_err(|error| self.temporary.failed(error))?);
        }
        Ok(())
    }

    /// Returns the file names found in the rows so far.
    pub(crate) fn files(&self) -> &[String] {
        &self.files.names
    }

    /// Returns all counts, sorted; files are renumbered by their index in `files`, which contains all of them.
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

/// Returns the counts of a file, with files of games renumbered by `places`, if given.
fn run_of(file: File, places: Option<Vec<u32>>) -> Run<'static> {
    let mut reader = RunReader::new(BufReader::with_capacity(BUFFER, file), places);
    Box::new(std::iter::from_fn(move || reader.read().transpose()))
}
