//! External sort of pairs of key and value.

use std::cmp::Ordering;
use std::io::{self, BufRead};
use std::path::Path;

use crate::ordered::Threads;
use crate::spill::Record;
use crate::spill::merge::Merge;
use crate::spill::number::{read_number, write_number};
use crate::spill::run_file::{Extent, RunFile};

/// Collects pairs of key and value, to return them sorted by the bytes of the key.
#[derive(Debug)]
pub struct Sorter {
    memory: usize,
    threads: Threads,
    pairs: Pairs,
    file: RunFile,
    runs: Vec<Extent>,
}

/// Pairs in memory.
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
    start: usize,
    key: u32,
    value: u32,
}

impl Item {
    /// Returns the key and the value.
    fn pair<'b>(&self, bytes: &'b [u8]) -> KeyAndValue<'b> {
        let whole = &bytes[self.start..self.start + (self.key + self.value) as usize];
        whole.split_at(self.key as usize)
    }
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
            self.items.sort_unstable_by_key(|item| item.pair(bytes));
            return Ok(());
        }
        let size = self.items.len().div_ceil(count);
        let parts: Vec<&mut [Item]> = self.items.chunks_mut(size).collect();
        threads.map(parts, |part| part.sort_unstable_by_key(|item| item.pair(bytes)))?;
        // The stable sort merges runs that are in order.
        self.items.sort_by(|a, b| a.pair(bytes).cmp(&b.pair(bytes)));
        Ok(())
    }
}

impl Sorter {
    /// Sorts in about `memory` bytes, with temporary files in `folder`.
    pub fn new(memory: usize, folder: &Path) -> Self {
        Sorter {
            memory,
            threads: Threads::new(1),
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
        items.push(Item { start: bytes.len(), key: key.len() as u32, value: value.len() as u32 });
        bytes.extend_from_slice(key);
        bytes.extend_from_slice(value);
        Ok(())
    }

    fn spill(&mut self) -> io::Result<()> {
        self.pairs.sort(&self.threads)?;
        for item in &self.pairs.items {
            let (key, value) = item.pair(&self.pairs.bytes);
            self.file.append(|out| write_pair(key, value, out))?;
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
            self.pairs.sort(&self.threads)?;
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
    /// Returns the key and the value of the next pair.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be read.
    #[expect(clippy::should_implement_trait, reason = "a pair borrows from the pairs")]
    pub fn next(&mut self) -> io::Result<Option<KeyAndValue<'_>>> {
        let Some(merge) = &mut self.merge else {
            return Ok(self.items.next().map(|item| item.pair(&self.bytes)));
        };
        Ok(merge.next().transpose()?.map(|next| {
            self.pair = next;
            self.pair.split()
        }))
    }
}

/// A spilled pair.
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
    fn compare(&self, other: &Self) -> Ordering {
        self.split().cmp(&other.split())
    }

    fn write(&self, out: &mut Vec<u8>) {
        let (key, value) = self.split();
        write_pair(key, value, out);
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

fn write_pair(key: &[u8], value: &[u8], out: &mut Vec<u8>) {
    write_number(key.len() as u64, out);
    write_number(value.len() as u64, out);
    out.extend_from_slice(key);
    out.extend_from_slice(value);
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
        let pairs: Vec<(String, String)> =
            (0..9000).map(|i| (format!("{}", number(i)), format!("{}", i % 7))).collect();
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
}
