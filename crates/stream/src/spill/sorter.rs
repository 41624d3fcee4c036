//! External sort of pairs of key and value.

use std::cmp::Ordering;
use std::io::{self, BufRead};
use std::path::Path;

use crate::ordered::Threads;
use crate::spill::Record;
use crate::spill::merge::Merge;
use crate::spill::number::{read_number, write_number};
use crate::spill::run_file::{Extent, RunFile};

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
