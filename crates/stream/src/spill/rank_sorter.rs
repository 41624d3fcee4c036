//! External sort of records by a number.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::partitions::{Partition, Partitions, RankedPlace};
use super::temporary::SpillError;
use crate::ordered::{OrderedTasks, Threads};

/// Collects records, to return them sorted by rank, and by their bytes if ranks are equal. Several threads can add records.
/// While they fit in memory, no file is created.
///
/// ```
/// use stream::ordered::Threads;
/// use stream::spill::rank_sorter::{Batch, RankSorter};
///
/// let sorter = RankSorter::new(1 << 20, &std::env::temp_dir());
/// sorter.push(20, b"b")?;
/// sorter.push_all(&[30, 10], |index, record| record.push(b"ca"[index]))?;
/// let join = |batch: Batch| batch.records().collect::<Vec<_>>().concat();
/// let mut sorted = sorter.finish(Threads::new(1), join);
/// let mut text = Vec::new();
/// while let Some(joined) = sorted.next()? {
///     text.extend_from_slice(&joined);
/// }
/// assert_eq!(text, b"abc");
/// # Ok::<_, stream::spill::temporary::SpillError>(())
/// ```
#[derive(Debug)]
pub struct RankSorter {
    memory: usize,
    folder: PathBuf,
    parts: Partitions,
}

/// Sorted records.
#[derive(Debug)]
pub struct Batch {
    bytes: Vec<u8>,
    /// The rank of each record and its place in `bytes`.
    items: Vec<RankedPlace>,
}

impl Batch {
    /// Sorts records by rank, and by their bytes if ranks are equal. `items` has the rank of each and its place in `bytes`.
    pub fn sorted(bytes: Vec<u8>, mut items: Vec<RankedPlace>) -> Self {
        let order = |(rank, place): &RankedPlace| (*rank, &bytes[place.clone()]);
        items.sort_unstable_by(|a, b| order(a).cmp(&order(b)));
        Batch { bytes, items }
    }

    /// Returns the rank of each record.
    pub fn ranks(&self) -> impl Iterator<Item = u64> {
        self.items.iter().map(|(rank, _)| *rank)
    }

    /// Returns the records.
    pub fn records(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.items.iter().map(|(_, place)| &self.bytes[place.clone()])
    }
}

impl RankSorter {
    /// Sorts in about `memory` bytes, with a temporary file in `folder`.
    pub fn new(memory: usize, folder: &Path) -> Self {
        let parts = Partitions::new(memory, folder);
        RankSorter { memory, folder: folder.to_owned(), parts }
    }

    /// Adds a record.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written.
    pub fn push(&self, rank: u64, record: &[u8]) -> Result<(), SpillError> {
        self.parts.push(rank, record)
    }

    /// Adds records with these ranks; `write` appends the bytes of the one with an index, below 4 GiB.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written.
    pub fn push_all(
        &self,
        ranks: &[u64],
        write: impl FnMut(usize, &mut Vec<u8>),
    ) -> Result<(), SpillError> {
        self.parts.push_all(ranks, write)
    }

    /// Removes all records, and returns them in order, as batches that `threads` read, sort and `prepare`.
    pub fn finish<T>(
        &self,
        threads: Threads,
        prepare: impl Fn(Batch) -> T + Send + Sync + 'static,
    ) -> SortedRecords<T>
    where
        T: Send + 'static,
    {
        let mut left = self.parts.finish();
        left.reverse();
        // Each thread has a batch, and one more is being read by the caller.
        let batch_memory = self.memory / (threads.count() + 1);
        let (memory, folder) = (self.memory, self.folder.clone());
        let (prepare, tasks) = (Arc::new(prepare), OrderedTasks::new(threads));
        SortedRecords { memory, batch_memory, folder, left, prepare, tasks }
    }
}

/// The records of a [`RankSorter`], in order.
pub struct SortedRecords<T> {
    memory: usize,
    /// The memory of a batch in bytes.
    batch_memory: usize,
    folder: PathBuf,
    /// The partitions that are not read yet, the last one first.
    left: Vec<Partition>,
    prepare: Arc<Prepare<T>>,
    tasks: OrderedTasks<Result<T, SpillError>>,
}

type Prepare<T> = dyn Fn(Batch) -> T + Send + Sync;

impl<T> fmt::Debug for SortedRecords<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SortedRecords").field("left", &self.left).finish_non_exhaustive()
    }
}

impl<T: Send + 'static> SortedRecords<T> {
    /// Returns the next batch, as it was prepared; `None` after the last one.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be read.
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator of results continues after an error"
    )]
    pub fn next(&mut self) -> Result<Option<T>, SpillError> {
        loop {
            if let Some(batch) = self.tasks.next_ready() {
                return batch.map(Some);
            }
            let Some(partition) = self.left.pop() else { return self.tasks.wait().transpose() };
            let size = partition.bytes() + partition.records() * size_of::<RankedPlace>() as u64;
            if size > self.batch_memory as u64
                && partition.is_divisible()
                && partition.records() > 1
            {
                let divided = partition.divide(self.memory, &self.folder)?;
                self.left.extend(divided.into_iter().rev());
                continue;
            }
            let prepare = Arc::clone(&self.prepare);
            self.tasks
                .push(move || {
                    let (bytes, items) = partition.read()?;
                    Ok(prepare(Batch::sorted(bytes, items)))
                })
                .map_err(SpillError::within(&self.folder))?;
        }
    }
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
            let sorter = RankSorter::new(memory, folder.path());
            // Added by two threads.
            std::thread::scope(|scope| {
                let (first, second) = records.split_at(records.len() / 3);
                for records in [first, second] {
                    let sorter = &sorter;
                    scope.spawn(move || {
                        let (one_by_one, together) = records.split_at(records.len() / 2);
                        for (rank, record) in one_by_one {
                            sorter.push(*rank, record).unwrap();
                        }
                        let ranks: Vec<u64> = together.iter().map(|(rank, _)| *rank).collect();
                        let write = |index: usize, out: &mut Vec<u8>| out.extend_from_slice(&together[index].1);
                        sorter.push_all(&ranks, write).unwrap();
                    });
                }
            });
            let to_vecs = |batch: Batch| batch.records().map(<[u8]>::to_vec).collect::<Vec<_>>();
            let mut sorted = sorter.finish(Threads::new(threads), to_vecs);
            let mut found = Vec::new();
            while let Some(batch) = sorted.next().unwrap() {
                found.extend(batch);
            }
            let mut expected = records;
            expected.sort();
            let expected: Vec<Vec<u8>> = expected.into_iter().map(|(_, record)| record).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
