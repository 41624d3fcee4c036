//! Sorting in bounded memory: what does not fit is in sorted runs in a temporary file, which are
//! merged while they are read. Books sort counts and selected positions here, and data sets what
//! they compare or put in another order.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take, Write};
use std::mem;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::ordered::{OrderedTasks, Threads};
use crate::read_at::ReaderAt;

/// Appends a number.
///
/// ```
/// use stream::spill::{read_number, write_number};
///
/// let mut bytes = Vec::new();
/// write_number(300, &mut bytes);
/// assert_eq!(bytes, [0b1010_1100, 0b10]);
/// assert_eq!(read_number(&mut &bytes[..])?, 300);
/// # Ok::<_, std::io::Error>(())
/// ```
#[inline]
pub fn write_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads a number. Fails if the input does, or ends within it, or has more than 64 bits.
#[inline]
pub fn read_number(input: &mut impl BufRead) -> io::Result<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = *input.fill_buf()?.first().ok_or(io::ErrorKind::UnexpectedEof)?;
        input.consume(1);
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "a number has more than 64 bits"))
}

/// Collects pairs of key and value, to return them sorted by the bytes of both.
#[derive(Debug)]
pub struct Sorter {
    memory: usize,
    threads: Threads,
    pairs: StoredPairs,
    runs: Runs,
    has_runs: bool,
    /// Writes a run while the next pairs are added, and returns all runs and the emptied pairs.
    spilling: OrderedTasks<io::Result<(StoredPairs, Runs)>>,
}

#[derive(Debug, Default)]
struct StoredPairs {
    bytes: Vec<u8>,
    items: Vec<PairPlace>,
}

/// The bytes of a key and of its value.
pub type KeyAndValue<'b> = (&'b [u8], &'b [u8]);

/// The place of a pair in memory, and the lengths of its key and its value.
#[derive(Clone, Copy, Debug)]
struct PairPlace {
    /// A number in the order of the pairs, so that few comparisons look at the bytes.
    prefix: u128,
    start: usize,
    key: u32,
    value: u32,
}

impl PairPlace {
    fn pair<'b>(&self, bytes: &'b [u8]) -> KeyAndValue<'b> {
        let whole = &bytes[self.start..self.start + (self.key + self.value) as usize];
        whole.split_at(self.key as usize)
    }

    fn compare(&self, other: &Self, bytes: &[u8]) -> Ordering {
        let by_prefix = self.prefix.cmp(&other.prefix);
        by_prefix.then_with(|| self.pair(bytes).cmp(&other.pair(bytes)))
    }
}

/// The first bytes of the key, or of the value without one; pairs without a key come first.
fn prefix_of((key, value): KeyAndValue<'_>) -> u128 {
    let has_key = !key.is_empty();
    let first = if has_key { key } else { value };
    let mut bytes = [0; 16];
    let len = first.len().min(bytes.len());
    bytes[..len].copy_from_slice(&first[..len]);
    u128::from_be_bytes(bytes) >> 1 | u128::from(has_key) << 127
}

/// Number of pairs that are read together.
const FETCHED: usize = 32;

/// Reads the ends of pairs without other work, so that the processor overlaps the cache misses.
#[inline]
fn fetch(items: &[PairPlace], bytes: &[u8]) {
    let ends = items.iter().map(|item| {
        let (key, value) = item.pair(bytes);
        key.first().unwrap_or(&0) | value.last().unwrap_or(&0)
    });
    std::hint::black_box(ends.fold(0, |all, byte| all | byte));
}

/// Sorts by the numbers first: two thirds of the time for a million random keys.
fn sort_places(items: &mut [PairPlace], bytes: &[u8]) {
    items.sort_unstable_by_key(|item| item.prefix);
    for same in items.chunk_by_mut(|a, b| a.prefix == b.prefix) {
        same.sort_unstable_by(|a, b| a.pair(bytes).cmp(&b.pair(bytes)));
    }
}

impl StoredPairs {
    fn used(&self) -> usize {
        self.bytes.len() + self.items.len() * size_of::<PairPlace>()
    }

    fn push(&mut self, key: &[u8], value: &[u8]) {
        let (start, prefix) = (self.bytes.len(), prefix_of((key, value)));
        let (len, value_len) = (key.len() as u32, value.len() as u32);
        self.items.push(PairPlace { prefix, start, key: len, value: value_len });
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(value);
    }

    /// Sorts the pairs. Values break ties, so the order is deterministic.
    fn sort(&mut self, threads: &Threads) -> io::Result<()> {
        let bytes = &self.bytes;
        let size = self.items.len().div_ceil(threads.count()).max(1);
        let parts: Vec<&mut [PairPlace]> = self.items.chunks_mut(size).collect();
        threads.map(parts, |part| sort_places(part, bytes))?;
        // The stable sort merges runs that are in order.
        self.items.sort_by(|a, b| a.compare(b, bytes));
        Ok(())
    }
}

impl Sorter {
    /// Sorts on these threads in about `memory` bytes, with temporary files in `folder`.
    pub fn new(memory: usize, folder: &Path, threads: &Threads) -> Self {
        let runs = Runs { folder: folder.to_owned(), ..Runs::default() };
        let (pairs, spilling) = (StoredPairs::default(), OrderedTasks::new(threads.clone()));
        Sorter { memory, threads: threads.clone(), pairs, runs, has_runs: false, spilling }
    }

    /// Adds a pair. Fails if a temporary file cannot be written.
    pub fn push(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        let used = self.pairs.used() + key.len() + value.len();
        if used > self.memory && !self.pairs.items.is_empty() {
            self.spill()?;
            if !mem::replace(&mut self.has_runs, true) {
                drop(self.end_spill()?);
                // From now on the pairs of the last run are written meanwhile.
                self.memory /= self.threads.count().min(2);
            }
        }
        self.pairs.push(key, value);
        Ok(())
    }

    fn spill(&mut self) -> io::Result<()> {
        let spare = self.end_spill()?;
        let mut pairs = mem::replace(&mut self.pairs, spare);
        let mut runs = mem::take(&mut self.runs);
        self.spilling.push(move || {
            pairs.sort(&Threads::new(1))?;
            runs.append_run(&pairs)?;
            pairs.bytes.clear();
            pairs.items.clear();
            Ok((pairs, runs))
        })
    }

    /// Waits for the run that is being written, and returns the memory of its pairs.
    fn end_spill(&mut self) -> io::Result<StoredPairs> {
        let Some(written) = self.spilling.wait() else { return Ok(StoredPairs::default()) };
        let (pairs, runs) = written?;
        self.runs = runs;
        Ok(pairs)
    }

    /// Returns all pairs, in order. Fails if a temporary file cannot be written or read.
    pub fn finish(mut self) -> io::Result<SortedPairs> {
        if self.has_runs {
            self.spill()?;
            self.pairs = StoredPairs::default();
            drop(self.end_spill()?);
        }
        self.pairs.sort(&self.threads)?;
        while self.runs.places.len() > MOST_MERGED {
            let mut merged = SortedPairs::merged(self.runs.merge()?, &self.threads)?;
            while let Some((key, value)) = merged.next()? {
                self.runs.append(key, value)?;
            }
            self.runs.end_run()?;
        }
        let mut sorted = SortedPairs::merged(self.runs.merge()?, &self.threads)?;
        (sorted.bytes, sorted.items) = (self.pairs.bytes, self.pairs.items.into_iter());
        Ok(sorted)
    }
}

/// Pairs of a [`Sorter`], in order.
#[derive(Debug)]
pub struct SortedPairs {
    bytes: Vec<u8>,
    items: std::vec::IntoIter<PairPlace>,
    /// Merges the next pairs while these are used.
    merging: OrderedTasks<io::Result<(Merge, StoredPairs)>>,
}

impl SortedPairs {
    fn merged(merge: Merge, threads: &Threads) -> io::Result<Self> {
        let (bytes, items) = (Vec::new(), Vec::new().into_iter());
        let mut sorted = SortedPairs { bytes, items, merging: OrderedTasks::new(threads.clone()) };
        sorted.merge_next(merge, StoredPairs::default())?;
        Ok(sorted)
    }

    fn merge_next(&mut self, mut merge: Merge, mut pairs: StoredPairs) -> io::Result<()> {
        self.merging.push(move || {
            merge.next(&mut pairs)?;
            Ok((merge, pairs))
        })
    }

    /// Returns the key and the value of the next pair. Fails if a temporary file cannot be read.
    #[expect(clippy::should_implement_trait, reason = "a pair borrows from the pairs")]
    pub fn next(&mut self) -> io::Result<Option<KeyAndValue<'_>>> {
        if self.items.as_slice().is_empty()
            && let Some(merged) = self.merging.wait()
        {
            let (merge, StoredPairs { bytes, items }) = merged?;
            self.items = items.into_iter();
            let bytes = mem::replace(&mut self.bytes, bytes);
            if self.items.len() > 0 {
                self.merge_next(merge, StoredPairs { bytes, items: Vec::new() })?;
            }
        }
        let left = self.items.as_slice();
        if left.len().is_multiple_of(FETCHED) {
            fetch(&left[..left.len().min(FETCHED)], &self.bytes);
        }
        Ok(self.items.next().map(|item| item.pair(&self.bytes)))
    }
}

/// Write size, in bytes.
const WRITTEN: usize = 1 << 20;

/// Read size per merged run, in bytes.
const READ: usize = 64 << 10;

/// Bytes of pairs that are merged at once.
const MERGED: usize = 256 << 10;

/// Maximum number of runs merged at once; more are merged in several passes.
const MOST_MERGED: usize = 128;

/// Sorted runs in a temporary file, which is created when it is first written.
#[derive(Debug, Default)]
struct Runs {
    folder: PathBuf,
    file: Option<Arc<File>>,
    /// Data not written yet; its file offset is `written`.
    buffer: Vec<u8>,
    written: u64,
    /// Where the current run begins, and the places of those before it.
    start: u64,
    places: Vec<Range<u64>>,
}

impl Runs {
    #[inline]
    fn append(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        write_number(key.len() as u64, &mut self.buffer);
        write_number(value.len() as u64, &mut self.buffer);
        self.buffer.extend_from_slice(key);
        self.buffer.extend_from_slice(value);
        if self.buffer.len() >= WRITTEN { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut file = match &self.file {
            Some(file) => &**file,
            None => self.file.insert(Arc::new(temporary_file(&self.folder)?)),
        };
        let seek = file.seek(SeekFrom::Start(self.written));
        seek.and_then(|_| file.write_all(&self.buffer)).map_err(within(&self.folder))?;
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    fn append_run(&mut self, pairs: &StoredPairs) -> io::Result<()> {
        for items in pairs.items.chunks(FETCHED) {
            fetch(items, &pairs.bytes);
            for item in items {
                let (key, value) = item.pair(&pairs.bytes);
                self.append(key, value)?;
            }
        }
        self.end_run()
    }

    fn end_run(&mut self) -> io::Result<()> {
        self.flush()?;
        self.places.push(self.start..self.written);
        self.start = self.written;
        Ok(())
    }

    /// Merges the first runs, at most [`MOST_MERGED`].
    fn merge(&mut self) -> io::Result<Merge> {
        let most = MOST_MERGED.min(self.places.len());
        let runs = self.places.drain(..most).zip(self.file.iter().cycle()).map(|(place, file)| {
            let file = ReaderAt { file: Arc::clone(file), offset: place.start };
            BufReader::with_capacity(READ, file.take(place.end - place.start))
        });
        let (runs, heads) = (runs.collect::<Vec<_>>(), BinaryHeap::with_capacity(most));
        let mut merge = Merge { runs, heads, folder: self.folder.clone() };
        for run in 0..most {
            let mut head = Head { run, ..Head::default() };
            if head.read(&mut merge.runs[run]).map_err(within(&self.folder))? {
                merge.heads.push(Reverse(head));
            }
        }
        Ok(merge)
    }
}

#[derive(Debug)]
struct Merge {
    runs: Vec<BufReader<Take<ReaderAt<Arc<File>>>>>,
    heads: BinaryHeap<Reverse<Head>>,
    folder: PathBuf,
}

#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Head {
    prefix: u128,
    key: Vec<u8>,
    value: Vec<u8>,
    run: usize,
}

impl Head {
    /// Reads the next pair of the run; returns `false` at its end.
    fn read(&mut self, run: &mut impl BufRead) -> io::Result<bool> {
        if run.fill_buf()?.is_empty() {
            return Ok(false);
        }
        let (key, value) = (read_number(run)?, read_number(run)?);
        for (bytes, len) in [(&mut self.key, key), (&mut self.value, value)] {
            bytes.resize(len as usize, 0);
            run.read_exact(bytes)?;
        }
        self.prefix = prefix_of((&self.key, &self.value));
        Ok(true)
    }
}

impl Merge {
    /// Replaces the pairs by the next ones, which are in order.
    fn next(&mut self, pairs: &mut StoredPairs) -> io::Result<()> {
        pairs.bytes.clear();
        while pairs.bytes.len() < MERGED
            && let Some(mut first) = self.heads.peek_mut()
        {
            pairs.push(&first.0.key, &first.0.value);
            let run = &mut self.runs[first.0.run];
            if !first.0.read(run).map_err(within(&self.folder))? {
                PeekMut::pop(first);
            }
        }
        Ok(())
    }
}

/// A temporary file cannot be created, written or read: the inner error of an [`io::Error`].
#[derive(Debug, thiserror::Error)]
#[error("the temporary files in {folder} cannot be written or read")]
pub struct SpillError {
    /// Its folder.
    pub folder: PathBuf,
    /// The cause.
    pub source: io::Error,
}

fn within(folder: &Path) -> impl Fn(io::Error) -> io::Error {
    |source| io::Error::other(SpillError { folder: folder.to_owned(), source })
}

/// Creates an unnamed file in a folder, which disappears however the program ends. Fails if the
/// file cannot be created, or this build lacks the feature `spill`: a [`SpillError`].
pub fn temporary_file(folder: &Path) -> io::Result<File> {
    #[cfg(feature = "spill")]
    let file = tempfile::tempfile_in(folder);
    #[cfg(not(feature = "spill"))]
    let file = Err(io::Error::new(io::ErrorKind::Unsupported, "built without temporary files"));
    file.map_err(within(folder))
}

#[cfg(feature = "spill")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_sorted_by_key_and_value_whatever_the_memory() {
        // With the least memory each pair is a run, so that runs are merged in several passes, and
        // more is merged than at once.
        let folder = tempfile::tempdir().unwrap();
        let number = |i: u32| i.wrapping_mul(2_654_435_761) >> 22;
        let pair = |i: u32| match i % 3 {
            0 => (String::new(), format!("{:x}", u128::from(number(i)) << 90 | u128::from(i))),
            _ => (format!("{}", number(i)), format!("{}", i % 7)),
        };
        let pairs: Vec<(String, String)> = (0..40_000).map(pair).collect();
        let mut expected = pairs.clone();
        expected.sort();
        for memory in [1, 1000, 20_000, 1 << 20] {
            let mut sorter = Sorter::new(memory, folder.path(), &Threads::new(3));
            for (key, value) in &pairs {
                sorter.push(key.as_bytes(), value.as_bytes()).unwrap();
            }
            let mut sorted = sorter.finish().unwrap();
            let mut found = Vec::new();
            while let Some((key, value)) = sorted.next().unwrap() {
                let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
                found.push((text(key), text(value)));
            }
            assert!(found == expected, "{memory}");
        }
    }
}
