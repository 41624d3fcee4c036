//! Records divided by a number into partitions, in memory or in one temporary file.

use std::io;
use std::mem;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use san::PositionKey;
use stream::ordered::lock;
use stream::spill::{Extent, RunFile};

// Indexes of items in buckets, and keys in sets, which are looked up side by side.

/// Indexes of items by bucket; those of a bucket stay in order.
#[derive(Debug, Default)]
pub(crate) struct Buckets {
    indexes: Vec<u32>,
    ends: Vec<u32>,
}

impl Buckets {
    /// Divides the items with these buckets, each below `count`.
    pub(crate) fn new(count: usize, items: impl ExactSizeIterator<Item = usize> + Clone) -> Self {
        let mut ends = vec![0; count];
        for bucket in items.clone() {
            ends[bucket] += 1;
        }
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        let mut indexes = vec![0; items.len()];
        for (index, bucket) in (0..).zip(items) {
            let end = &mut ends[bucket];
            indexes[*end as usize] = index;
            *end += 1;
        }
        Buckets { indexes, ends }
    }

    /// Returns the indexes of all items, bucket by bucket.
    pub(crate) fn indexes(&self) -> &[u32] {
        &self.indexes
    }

    /// Returns where the [indexes](Buckets::indexes) of a bucket are.
    pub(crate) fn range(&self, bucket: usize) -> Range<usize> {
        let Some(end) = self.ends.get(bucket) else { return 0..0 };
        let start = bucket.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..*end as usize
    }

    pub(crate) fn of(&self, bucket: usize) -> &[u32] {
        &self.indexes[self.range(bucket)]
    }
}

/// The keys of records, divided by their hash.
#[derive(Debug, Default)]
pub(crate) struct DividedKeys {
    records: Buckets,
    /// Numbers and keys of records, set by set: apart they take twice the time to look up.
    keys: Vec<(u32, PositionKey)>,
}

/// Returns the number of sets for this number of threads: a power of two.
pub(crate) fn sets_for(threads: usize) -> usize {
    threads.next_power_of_two()
}

pub(crate) fn set_of(key: &PositionKey, sets: usize) -> usize {
    key.stable_hash() as usize % sets
}

impl DividedKeys {
    pub(crate) fn new(keys: &[PositionKey], threads: usize) -> Self {
        let sets = sets_for(threads);
        let records = Buckets::new(sets, keys.iter().map(|key| set_of(key, sets)));
        let with_key = |record: &u32| (*record, keys[*record as usize]);
        let keys = records.indexes().iter().map(with_key).collect();
        DividedKeys { records, keys }
    }

    /// Returns the keys of a set, in the order of their records.
    pub(crate) fn of_set(&self, set: usize) -> &[(u32, PositionKey)] {
        &self.keys[self.records.range(set)]
    }
}

/// Bits of the rank that divide records.
const BITS: u32 = 8;

const PARTITIONS: usize = 1 << BITS;

/// Maximum size of the buffer of a partition in bytes, if there is a file.
const MOST_BUFFERED: usize = 256 << 10;

/// Minimum size of the buffer of a partition in bytes.
const LEAST_BUFFERED: usize = 4 << 10;

/// Size of the length of a record, in bytes.
const LEN_SIZE: usize = size_of::<u32>();

/// Divides records by the highest bits of their rank; in memory only, while they fit there.
/// Several threads can add records; in a partition, those of a thread keep their order.
#[derive(Debug)]
pub(crate) struct Partitions {
    folder: PathBuf,
    /// Number of bits of the rank that are equal in all records.
    depth: u32,
    /// Bound on the memory of buffers that are not written, in bytes.
    memory: usize,
    /// The size of all buffers in bytes, until they are written to the file.
    buffered: AtomicUsize,
    is_on_disk: AtomicBool,
    /// The size of a buffer that is written to the file, in bytes.
    buffer_size: usize,
    parts: Vec<Mutex<Part>>,
    file: Mutex<RunFile>,
}

#[derive(Debug, Default)]
struct Part {
    buffer: Vec<u8>,
    extents: Vec<Extent>,
    records: u64,
}

/// The records of a partition, which can be read from any thread.
#[derive(Debug)]
pub(crate) struct Partition {
    file: Arc<RunFile>,
    /// Number of bits of the rank that are equal in all records.
    depth: u32,
    extents: Vec<Extent>,
    /// The records after those in the file.
    buffer: Vec<u8>,
    records: u64,
}

/// The rank of a record and the place of its bytes.
pub(crate) type RankedPlace = (u64, Range<usize>);

/// The size of that, and of what is read of the record, in bytes.
pub(crate) const SORTED: usize = 80;

impl Partitions {
    /// Creates partitions in about `memory` bytes, with a temporary file in `folder`.
    pub(crate) fn new(memory: usize, folder: &Path) -> Self {
        Partitions {
            folder: folder.to_owned(),
            depth: 0,
            // Buffers grow to twice their size.
            memory: memory / 2,
            buffered: AtomicUsize::new(0),
            is_on_disk: AtomicBool::new(false),
            buffer_size: (memory / 8 / PARTITIONS).clamp(LEAST_BUFFERED, MOST_BUFFERED),
            parts: (0..PARTITIONS).map(|_| Mutex::default()).collect(),
            file: Mutex::new(RunFile::new(folder)),
        }
    }

    /// Buffers of the temporary file take at most an eighth of `memory`, but 1 MiB at least.
    pub(crate) fn on_disk(memory: usize, folder: &Path) -> Self {
        let parts = Partitions::new(memory, folder);
        Partitions { is_on_disk: AtomicBool::new(true), ..parts }
    }

    fn part_of(&self, rank: u64) -> usize {
        (rank.unbounded_shl(self.depth) >> (u64::BITS - BITS)) as usize
    }

    pub(crate) fn push(&self, rank: u64, record: &[u8]) -> io::Result<()> {
        let mut part = lock(&self.parts[self.part_of(rank)]);
        let added = part.push(rank, |out| out.extend_from_slice(record));
        self.added_to(part, added)
    }

    /// `write` appends the bytes of the record with an index, below 4 GiB.
    pub(crate) fn push_all(
        &self,
        ranks: &[u64],
        mut write: impl FnMut(usize, &mut Vec<u8>),
    ) -> io::Result<()> {
        let Some(first) = ranks.first() else { return Ok(()) };
        let buckets = Buckets::new(PARTITIONS, ranks.iter().map(|rank| self.part_of(*rank)));
        // Threads begin with different partitions, so that they hardly ever wait for each other.
        let first = self.part_of(*first);
        for part in (first..PARTITIONS).chain(0..first) {
            let indexes = buckets.of(part);
            if indexes.is_empty() {
                continue;
            }
            let (mut part, mut added) = (lock(&self.parts[part]), 0);
            for &index in indexes {
                added += part.push(ranks[index as usize], |out| write(index as usize, out));
            }
            self.added_to(part, added)?;
        }
        Ok(())
    }

    /// Writes buffers that have become too large by the bytes added to one.
    fn added_to(&self, mut part: MutexGuard<'_, Part>, added: usize) -> io::Result<()> {
        if self.is_on_disk.load(Ordering::Relaxed) {
            return match part.buffer.len() >= self.buffer_size {
                true => self.flush(&mut part),
                false => Ok(()),
            };
        }
        drop(part);
        let buffered = self.buffered.fetch_add(added, Ordering::Relaxed) + added;
        if buffered > self.memory && !self.is_on_disk.swap(true, Ordering::Relaxed) {
            self.parts.iter().try_for_each(|part| self.flush(&mut lock(part)))?;
        }
        Ok(())
    }

    #[cold]
    fn flush(&self, part: &mut Part) -> io::Result<()> {
        let mut file = lock(&self.file);
        file.append(|out| out.extend_from_slice(&part.buffer))?;
        let extent = file.end_run();
        file.flush()?;
        drop(file);
        part.extents.extend(extent);
        part.buffer.clear();
        part.buffer.shrink_to(2 * self.buffer_size);
        Ok(())
    }

    /// Removes all records, and returns the partitions that have any, by rising rank.
    pub(crate) fn finish(&self) -> Vec<Partition> {
        let file = mem::replace(&mut *lock(&self.file), RunFile::new(&self.folder));
        let file = Arc::new(file);
        let partition = |part: &Mutex<Part>| {
            let Part { buffer, extents, records } = mem::take(&mut *lock(part));
            Partition { file: file.clone(), depth: self.depth + BITS, extents, buffer, records }
        };
        self.parts.iter().map(partition).filter(|part| part.records > 0).collect()
    }
}

impl Part {
    /// Adds a record, and returns the number of bytes.
    fn push(&mut self, rank: u64, write: impl FnOnce(&mut Vec<u8>)) -> usize {
        let before = self.buffer.len();
        self.buffer.extend_from_slice(&rank.to_le_bytes());
        self.buffer.extend_from_slice(&[0; LEN_SIZE]);
        let start = self.buffer.len();
        write(&mut self.buffer);
        let len = (self.buffer.len() - start) as u32;
        self.buffer[start - LEN_SIZE..start].copy_from_slice(&len.to_le_bytes());
        self.records += 1;
        self.buffer.len() - before
    }
}

/// Returns the rank and the place of each, up to bytes that are not those of records.
fn places(bytes: &[u8]) -> impl Iterator<Item = RankedPlace> {
    let mut left = bytes;
    std::iter::from_fn(move || {
        let (rank, record) = left.split_first_chunk()?;
        let (len, record) = record.split_first_chunk()?;
        let len = u32::from_le_bytes(*len) as usize;
        let start = bytes.len() - record.len();
        left = record.get(len..)?;
        Some((u64::from_le_bytes(*rank), start..start + len))
    })
}

impl Partition {
    /// Returns the size of all records in bytes, with their ranks.
    pub(crate) fn bytes(&self) -> u64 {
        let stored: u64 = self.extents.iter().map(Extent::len).sum();
        stored + self.buffer.len() as u64
    }

    /// Returns the memory that all records need while they are sorted, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        self.bytes() + self.records * SORTED as u64
    }

    pub(crate) fn records(&self) -> u64 {
        self.records
    }

    /// Reading in parts takes less memory if some are in a file and ranks have bits left to divide.
    pub(crate) fn is_divisible(&self) -> bool {
        self.depth < u64::BITS && !self.extents.is_empty()
    }

    /// The bytes of all records, and the rank and place of each, in the order of adding.
    pub(crate) fn read(mut self) -> io::Result<(Vec<u8>, Vec<RankedPlace>)> {
        let mut bytes = mem::take(&mut self.buffer);
        if !self.extents.is_empty() {
            let buffer = mem::take(&mut bytes);
            bytes.reserve_exact(self.bytes() as usize + buffer.len());
            for &extent in &self.extents {
                self.file.read(extent, &mut bytes)?;
            }
            bytes.extend_from_slice(&buffer);
        }
        let mut found = Vec::with_capacity(self.records as usize);
        found.extend(places(&bytes));
        self.check(found.len() as u64)?;
        Ok((bytes, found))
    }

    /// In the order of adding, until `take` returns `false`; returns whether it never did so.
    pub(crate) fn for_each(
        &self,
        mut take: impl FnMut(u64, &[u8]) -> io::Result<bool>,
    ) -> io::Result<bool> {
        let (mut count, mut extent) = (0, Vec::new());
        for place in self.extents.iter().copied().map(Some).chain([None]) {
            extent.clear();
            place.map_or(Ok(()), |place| self.file.read(place, &mut extent))?;
            let bytes = if place.is_some() { &extent } else { &self.buffer };
            for (rank, place) in places(bytes) {
                count += 1;
                if !take(rank, &bytes[place])? {
                    return Ok(false);
                }
            }
        }
        self.check(count)?;
        Ok(true)
    }

    fn check(&self, count: u64) -> io::Result<()> {
        if count == self.records { Ok(()) } else { Err(self.file.damaged()) }
    }

    /// Divides by the next bits of the ranks; the rest is as in [`Partitions::on_disk`].
    pub(crate) fn divide(&self, memory: usize, folder: &Path) -> io::Result<Vec<Partition>> {
        let parts = Partitions { depth: self.depth, ..Partitions::on_disk(memory, folder) };
        self.for_each(|rank, record| parts.push(rank, record).map(|()| true))?;
        Ok(parts.finish())
    }
}

pub(crate) enum Processed<T> {
    /// The result.
    Done(T),
    /// It does not fit in memory: its parts.
    Divided(Vec<Partition>),
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn indexes_are_divided_in_their_order() {
        let buckets = Buckets::new(3, [4, 7, 1, 6].iter().map(|number| number % 2));
        assert_eq!([0, 1, 2].map(|bucket| buckets.of(bucket)), [&[0, 3][..], &[1, 2], &[]]);
    }

    type Record = (u64, Vec<u8>);

    fn records(partition: &Partition) -> Vec<Record> {
        let mut found = Vec::new();
        partition
            .for_each(|rank, record| {
                found.push((rank, record.to_vec()));
                Ok(true)
            })
            .unwrap();
        found
    }

    proptest! {
        #[test]
        fn partitions_have_all_records_in_order(
            records_in in vec((any::<u64>(), vec(any::<u8>(), 0..300)), 0..200), depth in 0_u32..3,
            memory in prop_oneof![Just(1), 1_usize..40_000],
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut expected: Vec<Record> = records_in;
            let depth = depth * BITS;
            expected.iter_mut().for_each(|(rank, _)| *rank = rank.unbounded_shr(depth));
            let parts = Partitions { depth, ..Partitions::new(memory, folder.path()) };
            let (one_by_one, together) = expected.split_at(expected.len() / 2);
            for (rank, record) in one_by_one {
                parts.push(*rank, record).unwrap();
            }
            let ranks: Vec<u64> = together.iter().map(|(rank, _)| *rank).collect();
            let write = |index: usize, out: &mut Vec<u8>| out.extend_from_slice(&together[index].1);
            parts.push_all(&ranks, write).unwrap();
            expected.sort_by_key(|(rank, _)| rank << depth >> (u64::BITS - BITS));
            let parts = parts.finish();
            prop_assert_eq!(parts.iter().map(Partition::records).sum::<u64>(), expected.len() as u64);
            let found: Vec<Record> = parts.iter().flat_map(records).collect();
            prop_assert_eq!(&found, &expected);
            let divide = |part: &Partition| part.divide(1, folder.path()).unwrap();
            let divided: Vec<Partition> = parts.iter().flat_map(divide).collect();
            for part in parts.iter().chain(&divided) {
                let ranks = records(part).into_iter().map(|(rank, _)| rank.unbounded_shr(u64::BITS - part.depth));
                prop_assert!(ranks.collect::<Vec<_>>().windows(2).all(|pair| pair[0] == pair[1]));
            }
            let divided: Vec<Record> = divided.iter().flat_map(records).collect();
            let read = |part: Partition| {
                let (bytes, places) = part.read().unwrap();
                let record = |(rank, place): RankedPlace| (rank, bytes[place].to_vec());
                places.into_iter().map(record).collect::<Vec<Record>>()
            };
            let found: Vec<Record> = parts.into_iter().flat_map(read).collect();
            prop_assert_eq!(&found, &expected);
            expected.sort_by_key(|(rank, _)| rank << depth >> (u64::BITS - 2 * BITS));
            prop_assert_eq!(divided, expected);
        }
    }
}
