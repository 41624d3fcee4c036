//! External sort of records by a number.

use std::path::{Path, PathBuf};

use super::partitions::{Partition, Partitions};
use super::temporary::SpillError;
use crate::ordered::{OrderedTasks, Threads};

/// Collects records, to return them sorted by rank, and by their bytes if ranks are equal. While they fit in memory, no
/// file is created.
///
/// ```
/// use stream::ordered::Threads;
/// use stream::spill::rank_sorter::RankSorter;
///
/// let mut sorter = RankSorter::new(1 << 20, &std::env::temp_dir());
/// sorter.push(20, b"b")?;
/// sorter.push(10, b"a")?;
/// let mut sorted = sorter.finish(Threads::new(1))?;
/// let batch = sorted.next()?.unwrap();
/// assert_eq!(batch.records().collect::<Vec<_>>(), [b"a", b"b"]);
/// # Ok::<_, stream::spill::temporary::SpillError>(())
/// ```
#[derive(Debug)]
pub struct RankSorter {
    memory: usize,
    folder: PathBuf,
    batch: Batch,
    /// Used instead of `batch` if memory does not suffice.
    parts: Option<Partitions>,
}

/// Records in memory.
#[derive(Debug, Default)]
pub struct Batch {
    bytes: Vec<u8>,
    /// The rank of each record, and its start and its end in `bytes`.
    items: Vec<(u64, usize, usize)>,
}

/// A record takes this much memory in addition to its bytes; while the vectors grow, they exist twice.
const ITEM: usize = size_of::<(u64, usize, usize)>();

impl Batch {
    fn push(&mut self, rank: u64, record: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(record);
        self.items.push((rank, start, self.bytes.len()));
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        let order = |&(rank, start, end): &(u64, usize, usize)| (rank, &bytes[start..end]);
        self.items.sort_unstable_by(|a, b| order(a).cmp(&order(b)));
    }

    /// Returns the records.
    pub fn records(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.items.iter().map(|&(_, start, end)| &self.bytes[start..end])
    }

    /// Returns an upper bound on the memory that the vectors have.
    fn allocated(&self) -> usize {
        self.bytes.capacity() + self.items.capacity() * ITEM
    }

    /// Whether a record can be added without more memory than this, in bytes, even if a vector grows.
    fn has_room(&self, memory: usize, record: &[u8]) -> bool {
        let is_full = self.bytes.capacity() - self.bytes.len() < record.len()
            || self.items.len() == self.items.capacity();
        !is_full || self.allocated() * 3 + record.len() <= memory
    }
}

impl RankSorter {
    /// Sorts in about `memory` bytes, with a temporary file in `folder`.
    pub fn new(memory: usize, folder: &Path) -> Self {
        RankSorter { memory, folder: folder.to_owned(), batch: Batch::default(), parts: None }
    }

    /// Adds a record.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written.
    #[inline]
    pub fn push(&mut self, rank: u64, record: &[u8]) -> Result<(), SpillError> {
        if let Some(parts) = &mut self.parts {
            return parts.push(rank, record);
        }
        if !self.batch.has_room(self.memory, record) {
            self.spill()?.push(rank, record)
        } else {
            self.batch.push(rank, record);
            Ok(())
        }
    }

    #[cold]
    fn spill(&mut self) -> Result<&mut Partitions, SpillError> {
        let mut parts = Partitions::new(self.memory, &self.folder, 0)?;
        let batch = std::mem::take(&mut self.batch);
        for (record, (rank, _, _)) in batch.records().zip(&batch.items) {
            parts.push(*rank, record)?;
        }
        Ok(self.parts.insert(parts))
    }

    /// Returns all records, in order; batches are read and sorted by `threads`.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written.
    pub fn finish(self, threads: Threads) -> Result<SortedRecords, SpillError> {
        let RankSorter { memory, folder, mut batch, parts } = self;
        let mut left = Vec::new();
        let mut first = None;
        match parts {
            Some(parts) => {
                left = parts.finish()?;
                left.reverse();
            }
            None => {
                batch.sort();
                first = Some(batch);
            }
        }
        // Each thread has a batch, and one more is being read by the caller.
        let batch_memory = memory / (threads.count() + 1);
        let tasks = OrderedTasks::new(threads);
        Ok(SortedRecords { memory, batch_memory, folder, first, left, tasks })
    }
}

/// The records of a [`RankSorter`], in order.
#[derive(Debug)]
pub struct SortedRecords {
    memory: usize,
    /// The memory of a batch in bytes.
    batch_memory: usize,
    folder: PathBuf,
    /// All records, if they are in memory.
    first: Option<Batch>,
    /// The partitions that are not read yet, the last one first.
    left: Vec<Partition>,
    tasks: OrderedTasks<Result<Batch, SpillError>>,
}

impl SortedRecords {
    /// Returns the next records, in order; `None` after the last ones.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be read.
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator of results continues after an error"
    )]
    pub fn next(&mut self) -> Result<Option<Batch>, SpillError> {
        if let Some(batch) = self.first.take() {
            return Ok(Some(batch));
        }
        loop {
            if let Some(batch) = self.tasks.next_ready() {
                return batch.map(Some);
            }
            let Some(partition) = self.left.pop() else { return self.tasks.wait().transpose() };
            let size = partition.bytes() + partition.records() * ITEM as u64;
            if size > self.batch_memory as u64
                && partition.is_divisible()
                && partition.records() > 1
            {
                let divided = partition.divide(self.memory, &self.folder)?;
                self.left.extend(divided.into_iter().rev());
                continue;
            }
            self.tasks.push(move || load(&partition)).map_err(SpillError::within(&self.folder))?;
        }
    }
}

fn load(partition: &Partition) -> Result<Batch, SpillError> {
    let mut batch = Batch {
        bytes: Vec::with_capacity(partition.bytes() as usize),
        items: Vec::with_capacity(partition.records() as usize),
    };
    partition.for_each(|rank, record| {
        batch.push(rank, record);
        Ok::<_, SpillError>(())
    })?;
    batch.sort();
    Ok(batch)
}

#[cfg(all(test, feature = "spill"))]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn records_are_sorted_whatever_the_memory_and_the_threads(
            records in vec((prop_oneof![0_u64..3, any::<u64>(), Just(u64::MAX)], vec(any::<u8>(), 0..40)), 0..300),
            memory in prop_oneof![Just(1), 1_usize..40_000],
            threads in 1_usize..3,
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut sorter = RankSorter::new(memory, folder.path());
            for (rank, record) in &records {
                sorter.push(*rank, record).unwrap();
            }
            let mut sorted = sorter.finish(Threads::new(threads)).unwrap();
            let mut found = Vec::new();
            while let Some(batch) = sorted.next().unwrap() {
                found.extend(batch.records().map(<[u8]>::to_vec));
            }
            let mut expected = records;
            expected.sort();
            let expected: Vec<Vec<u8>> = expected.into_iter().map(|(_, record)| record).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
