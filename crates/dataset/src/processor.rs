//! Processes stored records partition by partition, on all threads.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stream::ordered::{OrderedTasks, Threads};

use crate::chunk::Batch;
use crate::groups::{Group, GroupPolicy, Survivors};
use crate::partitions::{Partition, Partitions, Processed};
use crate::steps::Written;

/// Processes what was stored, on any thread.
#[derive(Clone, Debug)]
pub(crate) struct Processor {
    pub(crate) threads: Threads,
    /// In bytes.
    pub(crate) memory: usize,
    pub(crate) folder: PathBuf,
    pub(crate) policy: GroupPolicy,
}

impl Processor {
    /// In bytes: each thread has one and one is being written, also while parts are processed.
    fn memory_of_partition(&self) -> usize {
        self.memory / (2 * (self.threads.count() + 1))
    }

    /// Passes records on by their ranks, in batches that any thread prepares.
    pub(crate) fn sort<T: Send + 'static>(
        &self,
        partitions: &Partitions,
        prepare: impl Fn(Batch) -> T + Send + Sync + 'static,
        pass: &mut dyn FnMut(T) -> io::Result<()>,
    ) -> io::Result<()> {
        let (memory, folder) = (self.memory_of_partition(), self.folder.clone());
        let work = move |partition| Ok(sort(partition, memory, &folder)?.map(&prepare));
        process(partitions.finish(), &self.threads, &Arc::new(work), pass)
    }

    /// Any thread ranks and prepares the chosen records of each group, before they are passed on.
    pub(crate) fn choose<T: Send + 'static>(
        &self,
        groups: &Partitions,
        all_differ: bool,
        rank: impl Fn(&Group) -> u64 + Send + Sync + 'static,
        prepare: impl Fn(Survivors) -> io::Result<T> + Send + Sync + 'static,
        pass: &mut dyn FnMut(T) -> io::Result<()>,
    ) -> io::Result<Written> {
        let (memory, folder) = (self.memory_of_partition(), self.folder.clone());
        let policy = self.policy.clone();
        let work = move |partition| {
            let chosen = policy.choose(partition, all_differ, (memory, &folder), &rank)?;
            Ok(chosen.map(|survivors| {
                let positions = survivors.items.len() as u64;
                let written = Written { positions, duplicates: survivors.duplicates };
                (prepare(survivors), written)
            }))
        };
        let mut written = Written::default();
        let mut pass_on = |(prepared, more): (io::Result<T>, Written)| {
            written += more;
            pass(prepared?)
        };
        process(groups.finish(), &self.threads, &Arc::new(work), &mut pass_on)?;
        Ok(written)
    }
}

/// Passes results on in the order of partitions. There are at most as many as threads,
/// and as many again while the parts of a partition are processed.
fn process<T: Send + 'static, F>(
    partitions: Vec<Partition>,
    threads: &Threads,
    work: &Arc<F>,
    pass: &mut dyn FnMut(T) -> io::Result<()>,
) -> io::Result<()>
where
    F: Fn(Partition) -> io::Result<Processed<T>> + Send + Sync + 'static,
{
    let mut partitions = partitions.into_iter();
    let mut tasks = OrderedTasks::new(threads.clone());
    loop {
        let next = match tasks.next_ready() {
            Some(next) => next,
            None => match partitions.next() {
                Some(partition) => {
                    let work = Arc::clone(work);
                    tasks.push(move || work(partition))?;
                    continue;
                }
                None => match tasks.wait() {
                    Some(next) => next,
                    None => return Ok(()),
                },
            },
        };
        match next? {
            Processed::Done(result) => pass(result)?,
            Processed::Divided(parts) => process(parts, threads, work, pass)?,
        }
    }
}

/// Sorts the records of a partition by rank, or divides it if that takes more than `memory` bytes.
fn sort(partition: Partition, memory: usize, folder: &Path) -> io::Result<Processed<Batch>> {
    let is_large = partition.memory() > memory as u64 && partition.records() > 1;
    if is_large && partition.is_divisible() {
        return Ok(Processed::Divided(partition.divide(memory, folder)?));
    }
    let (bytes, items) = partition.read()?;
    Ok(Processed::Done(Batch::sorted(bytes, items)))
}

#[cfg(test)]
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
            let parts = Partitions::new(memory, folder.path());
            // Added by two threads.
            std::thread::scope(|scope| {
                let (first, second) = records.split_at(records.len() / 3);
                for records in [first, second] {
                    let parts = &parts;
                    scope.spawn(move || {
                        let (one_by_one, together) = records.split_at(records.len() / 2);
                        for (rank, record) in one_by_one {
                            parts.push(*rank, record).unwrap();
                        }
                        let ranks: Vec<u64> = together.iter().map(|(rank, _)| *rank).collect();
                        let write = |index: usize, out: &mut Vec<u8>| out.extend_from_slice(&together[index].1);
                        parts.push_all(&ranks, write).unwrap();
                    });
                }
            });
            let path = folder.path().to_owned();
            let work = Arc::new(move |partition| sort(partition, memory, &path));
            let mut found = Vec::new();
            let mut add = |batch: Batch| {
                found.extend(batch.stored().map(<[u8]>::to_vec));
                Ok(())
            };
            process(parts.finish(), &Threads::new(threads), &work, &mut add).unwrap();
            let mut expected = records;
            expected.sort();
            let expected: Vec<Vec<u8>> = expected.into_iter().map(|(_, record)| record).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
