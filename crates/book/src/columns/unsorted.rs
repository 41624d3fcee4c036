//! Sorts counts in arbitrary order, as query engines write them, into runs in bounded memory.

use std::io;
use std::path::Path;

use san::{MoveCode, PositionKey};
use stream::ordered::Threads;
use stream::spill::merge::Run;
use stream::spill::sorter::Sorter;
use table::Batches;

use super::checksum::{CHECKSUM, Checksum};
use super::read::{FileNames, Rows, header_of};
use super::schema::HEADER;
use crate::encoding::damaged;
use crate::error::BookError;
use crate::partial::Together;
use crate::plausible::Plausibility;
use crate::row::Counted;
use crate::run::{read_tally, renumber, write_tally};

/// Collects the rows of partial results and returns them sorted.
pub(crate) struct Unsorted {
    sorter: Sorter,
    /// The encoded counts of a row.
    value: Vec<u8>,
    files: FileNames,
}

impl Unsorted {
    pub(crate) fn new(memory: usize, threads: Threads, folder: &Path) -> Self {
        // While the memory of the sorter grows, it may exist twice.
        let sorter = Sorter::new(memory / 2, folder).with_threads(threads);
        Unsorted { sorter, value: Vec::new(), files: FileNames::default() }
    }

    /// Adds all rows of a partial result.
    pub(crate) fn take(
        &mut self,
        name: &str,
        batches: Batches,
        together: &mut Together,
    ) -> Result<(), BookError> {
        let failed = |error: io::Error| BookError::partial(name, &error);
        let damaged = || BookError::partial(name, &damaged());
        let mut last: Option<String> = None;
        let mut next = Some(batches);
        while let Some(mut batches) = next {
            if let Some(expected) = batches.metadata_of_last(CHECKSUM) {
                if last.take() != Some(expected) || batches.next().is_some() {
                    return Err(damaged());
                }
            } else {
                let expected = batches.metadata(CHECKSUM).map(str::to_owned);
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
                self.push(&counted)?;
            }
        }
        Ok(checksum.text())
    }

    fn push(&mut self, counted: &Counted) -> Result<(), BookError> {
        let Counted { key, next, class, tally } = counted;
        self.value.clear();
        write_tally(&tally.undecoded(), &mut self.value);
        Ok(self.sorter.push(&[&sort_key(*key, *next), class.as_bytes()].concat(), &self.value)?)
    }

    /// Returns the file names found in the rows so far.
    pub(crate) fn files(&self) -> &[String] {
        &self.files.names
    }

    /// Returns all counts, sorted; files are renumbered by their index in `files`, which contains
    /// all of them.
    pub(crate) fn finish(self, files: &[String]) -> Result<Run<'static, Counted>, BookError> {
        let place = |name: &String| files.binary_search(name).expect("it is in the list") as u32;
        let places: Vec<u32> = self.files.names.iter().map(place).collect();
        let mut sorted = self.sorter.finish()?;
        let mut next = move || -> io::Result<Option<Counted>> {
            let Some((key, mut value)) = sorted.next()? else { return Ok(None) };
            let (key, class) = key.split_first_chunk().ok_or_else(damaged)?;
            let (key, next) = of_sort_key(key).ok_or_else(damaged)?;
            let class = String::from_utf8_lossy(class).into();
            let mut tally = read_tally(&mut value)?;
            renumber(&mut tally, &places)?;
            Ok(Some(Counted { key, next, class, tally }))
        };
        Ok(Box::new(std::iter::from_fn(move || next().transpose())))
    }
}

/// Size of a sort key without the class, in bytes.
const KEY: usize = 8 + 32 + 2;

/// Returns bytes that sort as counts in runs: by hash, position and move.
fn sort_key(key: PositionKey, next: MoveCode) -> [u8; KEY] {
    let mut bytes = [0; KEY];
    let words = [key.stable_hash()].into_iter().chain(key.0);
    for (bytes, word) in bytes.chunks_exact_mut(8).zip(words) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    bytes[KEY - 2..].copy_from_slice(&next.0.to_be_bytes());
    bytes
}

/// Returns the position and the move of a sort key.
fn of_sort_key(bytes: &[u8; KEY]) -> Option<(PositionKey, MoveCode)> {
    let (words, next) = bytes.split_last_chunk::<2>()?;
    let (_, words) = words.split_first_chunk::<8>()?;
    let (words, _) = words.as_chunks::<8>();
    let key = PositionKey(<[[u8; 8]; 4]>::try_from(words).ok()?.map(u64::from_be_bytes));
    Some((key, MoveCode(u16::from_be_bytes(*next))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sort_keys_sort_as_counts_in_runs() {
        let numbers = [0, 1, 0x100, 0x0102_0304_0506_0708, u64::MAX];
        let keys = numbers.iter().flat_map(|a| numbers.map(|b| PositionKey([*a, b, 7, *a ^ b])));
        let mut all: Vec<(PositionKey, MoveCode)> =
            keys.flat_map(|key| [0, 1, 0x100, 0x7fff].map(|next| (key, MoveCode(next)))).collect();
        all.sort_by_key(|(key, next)| sort_key(*key, *next));
        assert!(all.is_sorted_by_key(|(key, next)| (key.stable_hash(), *key, *next)));
        for (key, next) in all {
            assert_eq!(of_sort_key(&sort_key(key, next)), Some((key, next)));
        }
    }
}
