//! What does not fit in memory: runs of records in a temporary file. Sorted ones are merged while
//! they are read. Books sort counts and selected positions here, and data sets store their
//! partitions.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::ordered::Threads;
use crate::read_at::ReaderAt;

/// A record of a sorted run.
pub trait Record: Sized {
    /// Returns the first criterion of the order, which is computed once.
    fn rank(&self) -> u64 {
        0
    }

    /// Compares records of the same rank.
    fn compare(&self, other: &Self) -> Ordering;

    /// Whether another record is to be added to this one; by default records stay separate.
    fn has_same_key(&self, _other: &Self) -> bool {
        false
    }

    /// Adds a record with the same key.
    fn add(&mut self, _other: Self) {}

    /// Appends the encoded record to `out`.
    fn write(&self, out: &mut Vec<u8>);

    /// Reads the next record, or `None` at the end of the run.
    ///
    /// # Errors
    ///
    /// If the run cannot be read, or ends within a record.
    fn read(input: &mut impl BufRead) -> io::Result<Option<Self>>;
}

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

/// Reads a number.
///
/// # Errors
///
/// If the input cannot be read, ends within the number, or has a number of more than 64 bits.
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

/// A temporary file of runs, which is created when it is first written. Errors are
/// [`SpillError`]s.
#[derive(Debug)]
pub struct RunFile {
    folder: PathBuf,
    file: Option<Arc<File>>,
    /// Data not written yet; its file offset is `written`.
    buffer: Vec<u8>,
    written: u64,
    start: u64,
}

/// The place of a run in its file.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    start: u64,
    end: u64,
}

impl Extent {
    /// Returns the size in bytes.
    pub fn len(&self) -> u64 {
        self.end - self.start
    }

    /// Returns whether the run is empty.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

/// Write size, in bytes.
const WRITTEN: usize = 1 << 20;

/// Read size per merged run, in bytes.
const READ: usize = 64 << 10;

/// Maximum number of runs merged at once; more are merged in several passes.
const MOST_MERGED: usize = 64;

impl RunFile {
    /// Creates no file yet in `folder`.
    pub fn new(folder: &Path) -> Self {
        let folder = folder.to_owned();
        RunFile { folder, file: None, buffer: Vec::new(), written: 0, start: 0 }
    }

    /// Appends a record, which `write` encodes, to the current run.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    #[inline]
    pub fn append(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        write(&mut self.buffer);
        if self.buffer.len() >= WRITTEN { self.flush() } else { Ok(()) }
    }

    /// Ends the current run, the last part of which is buffered until [`RunFile::flush`]. `None` if
    /// it is empty.
    pub fn end_run(&mut self) -> Option<Extent> {
        let end = self.written + self.buffer.len() as u64;
        let run = Extent { start: self.start, end };
        self.start = end;
        (!run.is_empty()).then_some(run)
    }

    /// Writes buffered data.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
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

    /// Appends all bytes of a run to `bytes`, after [`RunFile::flush`].
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is shorter.
    pub fn read(&self, run: Extent, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.reserve_exact(run.len() as usize);
        let read = match self.reader(run)?.read_to_end(bytes) {
            Ok(read) if read as u64 == run.len() => Ok(()),
            Ok(_) => Err(io::ErrorKind::UnexpectedEof.into()),
            Err(error) => Err(error),
        };
        read.map_err(within(&self.folder))
    }

    /// Returns the error for bytes that are not as they were written.
    pub fn damaged(&self) -> io::Error {
        within(&self.folder)(io::Error::new(io::ErrorKind::InvalidData, "it is damaged"))
    }

    /// Reads a run; the offset of the file is shared with other threads that read it.
    fn reader(&self, run: Extent) -> io::Result<impl Read + use<>> {
        // There is no file if it could not be created.
        let file = Arc::clone(self.file.as_ref().ok_or_else(|| self.damaged())?);
        Ok(ReaderAt { file, offset: run.start }.take(run.len()))
    }

    /// Returns the records of runs, merged.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written.
    pub fn merge<T: Record + 'static>(
        &mut self,
        mut runs: Vec<Extent>,
    ) -> io::Result<Merge<'static, T>> {
        self.flush()?;
        while runs.len() > MOST_MERGED {
            for record in self.merged::<T>(runs.drain(..MOST_MERGED))? {
                let record = record?;
                self.append(|out| record.write(out))?;
            }
            runs.extend(self.end_run());
            self.flush()?;
        }
        self.merged(runs)
    }

    fn merged<T: Record + 'static>(
        &self,
        runs: impl IntoIterator<Item = Extent>,
    ) -> io::Result<Merge<'static, T>> {
        let run = |extent: Extent| -> io::Result<Run<'static, T>> {
            let mut reader = BufReader::with_capacity(READ, self.reader(extent)?);
            let folder = self.folder.clone();
            let next = move || T::read(&mut reader).map_err(within(&folder)).transpose();
            Ok(Box::new(std::iter::from_fn(next)))
        };
        Merge::new(runs.into_iter().map(run).collect::<io::Result<_>>()?)
    }
}

/// A source of records in sort order.
pub type Run<'r, T> = Box<dyn Iterator<Item = io::Result<T>> + 'r>;

/// Merges several runs. Ends after an error.
pub struct Merge<'r, T> {
    runs: Vec<Run<'r, T>>,
    heads: BinaryHeap<Head<T>>,
    failed: bool,
}

/// The next record of a run.
struct Head<T> {
    rank: u64,
    record: T,
    run: usize,
}

impl<T: Record> Ord for Head<T> {
    /// Reversed, because the heap returns its maximum.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_rank = other.rank.cmp(&self.rank);
        by_rank
            .then_with(|| other.record.compare(&self.record))
            .then_with(|| other.run.cmp(&self.run))
    }
}

impl<T: Record> PartialOrd for Head<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Record> PartialEq for Head<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T: Record> Eq for Head<T> {}

impl<'r, T: Record> Merge<'r, T> {
    /// Merges these runs.
    ///
    /// # Errors
    ///
    /// If the first record of a run cannot be read.
    pub fn new(runs: Vec<Run<'r, T>>) -> io::Result<Self> {
        let mut merge = Merge { runs, heads: BinaryHeap::new(), failed: false };
        for run in 0..merge.runs.len() {
            if let Some(head) = merge.head(run)? {
                merge.heads.push(head);
            }
        }
        Ok(merge)
    }

    fn head(&mut self, run: usize) -> io::Result<Option<Head<T>>> {
        let record = self.runs[run].next().transpose()?;
        Ok(record.map(|record| Head { rank: record.rank(), record, run }))
    }

    /// Removes the first record and advances its run.
    fn pop(&mut self) -> io::Result<Option<T>> {
        let Some(run) = self.heads.peek().map(|head| head.run) else { return Ok(None) };
        Ok(match self.head(run)? {
            Some(next) => {
                let mut first = self.heads.peek_mut().expect("it was just looked at");
                Some(std::mem::replace(&mut *first, next).record)
            }
            None => self.heads.pop().map(|head| head.record),
        })
    }

    fn next_record(&mut self) -> io::Result<Option<T>> {
        let Some(mut record) = self.pop()? else { return Ok(None) };
        while self.heads.peek().is_some_and(|head| record.has_same_key(&head.record)) {
            if let Some(more) = self.pop()? {
                record.add(more);
            }
        }
        Ok(Some(record))
    }
}

impl<T: Record> Iterator for Merge<'_, T> {
    type Item = io::Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.next_record().transpose();
        self.failed = matches!(next, Some(Err(_)));
        next
    }
}

impl<T> fmt::Debug for Merge<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Merge").field("runs", &self.runs.len()).finish_non_exhaustive()
    }
}

/// Collects pairs of key and value, to return them sorted by the bytes of the key, and then of the
/// value.
#[derive(Debug)]
pub struct Sorter {
    memory: usize,
    threads: Threads,
    ties: Option<OrderOfTies>,
    pairs: Pairs,
    file: RunFile,
    runs: Vec<Extent>,
}

/// Returns what pairs with equal keys are sorted by, given the value of one.
pub type OrderOfTies = fn(&[u8]) -> Vec<u8>;

#[derive(Debug, Default)]
struct Pairs {
    /// Concatenated keys and values.
    bytes: Vec<u8>,
    items: Vec<Item>,
}

/// The bytes of a key and of its value.
pub type KeyAndValue<'b> = (&'b [u8], &'b [u8]);

/// The place of a pair in memory, and the lengths of its key and its value.
#[derive(Clone, Copy, Debug)]
struct Item {
    /// A number in the order of the pairs, so that few comparisons look at the bytes.
    prefix: u128,
    start: usize,
    key: u32,
    value: u32,
}

impl Item {
    fn pair<'b>(&self, bytes: &'b [u8]) -> KeyAndValue<'b> {
        let whole = &bytes[self.start..self.start + (self.key + self.value) as usize];
        whole.split_at(self.key as usize)
    }

    fn order<'b>(&self, bytes: &'b [u8]) -> (u128, KeyAndValue<'b>) {
        (self.prefix, self.pair(bytes))
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
fn fetch(items: &[Item], bytes: &[u8]) {
    let ends = items.iter().map(|item| {
        let (key, value) = item.pair(bytes);
        key.first().unwrap_or(&0) | value.last().unwrap_or(&0)
    });
    std::hint::black_box(ends.fold(0, |all, byte| all | byte));
}

/// Number of pairs that are worth sorting on several threads.
const MANY: usize = 2000;

impl Pairs {
    fn used(&self) -> usize {
        self.bytes.len() + self.items.len() * size_of::<Item>()
    }

    /// Sorts the pairs. Values break ties, so the order is deterministic.
    fn sort(&mut self, threads: &Threads) -> io::Result<()> {
        let bytes = &self.bytes;
        let count = threads.count();
        if count == 1 || self.items.len() < MANY {
            self.items.sort_unstable_by(|a, b| a.order(bytes).cmp(&b.order(bytes)));
            return Ok(());
        }
        let size = self.items.len().div_ceil(count);
        let parts: Vec<&mut [Item]> = self.items.chunks_mut(size).collect();
        let sort = |part: &mut [Item]| {
            part.sort_unstable_by(|a, b| a.order(bytes).cmp(&b.order(bytes)));
        };
        threads.map(parts, sort)?;
        // The stable sort merges runs that are in order.
        self.items.sort_by(|a, b| a.order(bytes).cmp(&b.order(bytes)));
        Ok(())
    }

    /// Sorts pairs with equal keys, which are adjacent, by what `ties` returns.
    fn sort_ties(&mut self, ties: OrderOfTies) {
        let bytes = &self.bytes;
        for same in self.items.chunk_by_mut(|a, b| a.pair(bytes).0 == b.pair(bytes).0) {
            if same.len() > 1 {
                same.sort_by_cached_key(|item| ties(item.pair(bytes).1));
            }
        }
    }
}

impl Sorter {
    /// Sorts in about `memory` bytes, with temporary files in `folder`.
    pub fn new(memory: usize, folder: &Path) -> Self {
        Sorter {
            memory,
            threads: Threads::new(1),
            ties: None,
            pairs: Pairs::default(),
            file: RunFile::new(folder),
            runs: Vec::new(),
        }
    }

    /// Sorts on several threads.
    #[must_use]
    pub fn with_threads(self, threads: Threads) -> Self {
        Sorter { threads, ..self }
    }

    /// Sorts pairs with equal keys by what `ties` returns for their values, and only then by their
    /// values. It is called for such pairs only, and for those that are written to a file.
    #[must_use]
    pub fn with_ties(self, ties: OrderOfTies) -> Self {
        Sorter { ties: Some(ties), ..self }
    }

    /// Adds a pair.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written.
    pub fn push(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        let used = self.pairs.used() + key.len() + value.len();
        if used > self.memory && !self.pairs.items.is_empty() {
            self.spill()?;
        }
        let Pairs { bytes, items } = &mut self.pairs;
        let (start, prefix) = (bytes.len(), prefix_of((key, value)));
        items.push(Item { prefix, start, key: key.len() as u32, value: value.len() as u32 });
        bytes.extend_from_slice(key);
        bytes.extend_from_slice(value);
        Ok(())
    }

    fn sort(&mut self) -> io::Result<()> {
        self.pairs.sort(&self.threads)?;
        self.ties.into_iter().for_each(|ties| self.pairs.sort_ties(ties));
        Ok(())
    }

    fn spill(&mut self) -> io::Result<()> {
        self.sort()?;
        for items in self.pairs.items.chunks(FETCHED) {
            fetch(items, &self.pairs.bytes);
            for item in items {
                let (key, value) = item.pair(&self.pairs.bytes);
                let tie = self.ties.map(|ties| ties(value)).unwrap_or_default();
                self.file.append(|out| write_pair(&[key, &tie], value, out))?;
            }
        }
        let run = self.file.end_run();
        self.file.flush()?;
        self.runs.extend(run);
        self.pairs.bytes.clear();
        self.pairs.items.clear();
        Ok(())
    }

    /// Returns all pairs, in order.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written or read.
    pub fn finish(mut self) -> io::Result<SortedPairs> {
        let mut merge = None;
        if self.runs.is_empty() {
            self.sort()?;
        } else {
            self.spill()?;
            self.pairs = Pairs::default();
            merge = Some(self.file.merge(self.runs)?);
        }
        let Pairs { bytes, items } = self.pairs;
        Ok(SortedPairs { bytes, items: items.into_iter(), merge, pair: Pair::default() })
    }
}

/// Pairs of a [`Sorter`], in order.
#[derive(Debug)]
pub struct SortedPairs {
    bytes: Vec<u8>,
    items: std::vec::IntoIter<Item>,
    /// Used instead of `items` if pairs were spilled.
    merge: Option<Merge<'static, Pair>>,
    /// The last pair of the merge.
    pair: Pair,
}

impl SortedPairs {
    /// Returns the key and the value of the next pair. What [ties](Sorter::with_ties) were resolved
    /// by may follow the key.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be read.
    #[expect(clippy::should_implement_trait, reason = "a pair borrows from the pairs")]
    pub fn next(&mut self) -> io::Result<Option<KeyAndValue<'_>>> {
        let Some(merge) = &mut self.merge else {
            let left = self.items.as_slice();
            if left.len().is_multiple_of(FETCHED) {
                fetch(&left[..left.len().min(FETCHED)], &self.bytes);
            }
            return Ok(self.items.next().map(|item| item.pair(&self.bytes)));
        };
        Ok(merge.next().transpose()?.map(|next| {
            self.pair = next;
            self.pair.split()
        }))
    }
}

#[derive(Debug, Default)]
struct Pair {
    /// The key and the value.
    bytes: Vec<u8>,
    key: usize,
}

impl Pair {
    fn split(&self) -> KeyAndValue<'_> {
        self.bytes.split_at(self.key)
    }
}

impl Record for Pair {
    fn rank(&self) -> u64 {
        (prefix_of(self.split()) >> 64) as u64
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.split().cmp(&other.split())
    }

    fn write(&self, out: &mut Vec<u8>) {
        let (key, value) = self.split();
        write_pair(&[key], value, out);
    }

    fn read(input: &mut impl BufRead) -> io::Result<Option<Self>> {
        if input.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let (key, value) = (read_number(input)? as usize, read_number(input)? as usize);
        let mut bytes = vec![0; key + value];
        input.read_exact(&mut bytes)?;
        Ok(Some(Pair { bytes, key }))
    }
}

fn write_pair(key: &[&[u8]], value: &[u8], out: &mut Vec<u8>) {
    write_number(key.iter().map(|part| part.len() as u64).sum(), out);
    write_number(value.len() as u64, out);
    key.iter().for_each(|part| out.extend_from_slice(part));
    out.extend_from_slice(value);
}

/// A temporary file cannot be created, written or read, for example because the disk is full. It is
/// the inner error of an [`io::Error`].
#[derive(Debug, thiserror::Error)]
#[error("the temporary files in {folder} cannot be written or read")]
pub struct SpillError {
    /// Its folder.
    pub folder: PathBuf,
    /// The cause.
    pub source: io::Error,
}

/// Returns a function that adds the folder to an error.
fn within(folder: &Path) -> impl Fn(io::Error) -> io::Error {
    |source| io::Error::other(SpillError { folder: folder.to_owned(), source })
}

/// Creates an unnamed file in a folder, which disappears however the program ends.
///
/// # Errors
///
/// If the file cannot be created, or this build lacks the feature `spill`: a [`SpillError`].
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
        // With the least memory each pair is a run, so that runs are merged in several passes.
        let folder = tempfile::tempdir().unwrap();
        let number = |i: u32| i.wrapping_mul(2_654_435_761) >> 22;
        let pair = |i: u32| match i % 3 {
            0 => (String::new(), format!("{:x}", u128::from(number(i)) << 90 | u128::from(i))),
            _ => (format!("{}", number(i)), format!("{}", i % 7)),
        };
        let pairs: Vec<(String, String)> = (0..9000).map(pair).collect();
        let mut expected = pairs.clone();
        expected.sort();
        for memory in [1, 1000, 20_000, 1 << 20] {
            let mut sorter = Sorter::new(memory, folder.path()).with_threads(Threads::new(3));
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

    #[test]
    fn pairs_with_equal_keys_are_sorted_by_what_breaks_ties_whatever_the_memory() {
        let folder = tempfile::tempdir().unwrap();
        let last_first = |value: &[u8]| value.iter().map(|byte| !byte).collect::<Vec<u8>>();
        let mut pairs: Vec<(u8, u16)> = (0..3000).map(|i| (i as u8 % 7, i * 11 % 3001)).collect();
        for memory in [1, 20_000, 1 << 20] {
            let sorter = Sorter::new(memory, folder.path()).with_threads(Threads::new(2));
            let mut sorter = sorter.with_ties(last_first);
            for (key, value) in &pairs {
                sorter.push(&[*key], &value.to_be_bytes()).unwrap();
            }
            let mut sorted = sorter.finish().unwrap();
            let mut found = Vec::new();
            while let Some((key, value)) = sorted.next().unwrap() {
                found.push((key[0], u16::from_be_bytes(value.try_into().unwrap())));
            }
            pairs.sort_by_key(|(key, value)| (*key, std::cmp::Reverse(*value)));
            assert!(found == pairs, "{memory}");
            pairs.reverse();
        }
    }
}
