//! Passes the records of chunks through the steps of a data set. What was stored is processed
//! partition by partition, on all threads.

use std::collections::VecDeque;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stream::ordered::{OrderedTasks, Threads};
use stream::spill::Sorter;

use crate::partitions::{Partition, Partitions, Processed};
use crate::record::{Batch, Chunk, Next, Record, pass_sorted};
use crate::steps::{Numbers, Order, Sample, Steps, Written, random_rank};
use crate::unique::{Deciding, FirstKeys, Group, GroupPolicy, KnownKeys, UniqueGames};

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

    /// Passes records on by their ranks.
    fn sort(&self, partitions: &Partitions, next: Next<'_>) -> io::Result<()> {
        let (memory, folder) = (self.memory_of_partition(), self.folder.clone());
        let work = move |partition| sort(partition, memory, &folder);
        process(partitions.finish(), &self.threads, &Arc::new(work), next)
    }

    /// Passes on the chosen records of each group by the rank that each gets; returns the number of
    /// the others.
    fn choose(
        &self,
        groups: &Partitions,
        all_differ: bool,
        rank: impl Fn(&Group) -> u64 + Send + Sync + 'static,
        next: Next<'_>,
    ) -> io::Result<u64> {
        let (memory, folder) = (self.memory_of_partition(), self.folder.clone());
        let policy = self.policy.clone();
        let work = move |partition| policy.choose(partition, all_differ, (memory, &folder), &rank);
        let mut duplicates = 0;
        let mut pass = |(batch, more): (Batch, u64)| {
            duplicates += more;
            next(batch)
        };
        process(groups.finish(), &self.threads, &Arc::new(work), &mut pass)?;
        Ok(duplicates)
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

/// Records that become a data set.
#[derive(Debug)]
pub struct DataSet {
    seed: u64,
    processor: Processor,
    /// The keys so far, while they fit in memory, if the first of equal records is selected.
    first: Option<FirstKeys>,
    /// The keys of the records selected so far, if they did not.
    known: Option<Arc<KnownKeys>>,
    /// Records that are compared with others at the end.
    groups: Option<Arc<Partitions>>,
    /// Whether the groups are in the random order of the result.
    orders_groups: bool,
    /// The games, and all records, if games are compared.
    games: Option<UniqueGames>,
    numbers: Numbers,
    sample: Option<Sample<Vec<u8>>>,
    shuffled: Option<Arc<Partitions>>,
    sorter: Option<Sorter>,
    /// Selects among sorted records.
    sorted_numbers: Numbers,
    /// The chunks of which the decision is awaited, in their order.
    waiting: VecDeque<(Chunk, Deciding)>,
    /// What stores records; returns the number of those omitted because of known keys.
    tasks: OrderedTasks<io::Result<u64>>,
    /// The number of records so far, and of games.
    records: u64,
    games_begun: u64,
    /// What was not returned yet.
    written: Written,
}

impl DataSet {
    /// Begins a data set.
    pub fn new(steps: &Steps, threads: &Threads) -> Self {
        let numbers = match (steps.sample, steps.order) {
            (Some(0), _) => Numbers::new(0, Some(0)),
            (_, Order::SortKey) => Numbers::new(0, None),
            _ => Numbers::new(steps.skip, steps.limit),
        };
        let (compares, folder) = (steps.compares(), &steps.folder);
        let selects_all = numbers.are_all() && steps.sample.is_none();
        let is_sorted = steps.order == Order::SortKey;
        let is_random = steps.order == Order::Random;
        let orders_groups = is_random && compares && selects_all;
        // Keys and records are in memory at the same time, and so are records that are compared and
        // those in another order.
        let is_compared = compares || steps.unique_games;
        let is_halved = (is_sorted || is_random) && is_compared;
        let memory = if is_halved { steps.memory / 2 } else { steps.memory };
        let groups = compares.then(|| match steps.keeps_first() && !orders_groups {
            true => Partitions::on_disk(memory, folder),
            false => Partitions::new(memory, folder),
        });
        let is_shuffled = is_random && !orders_groups;
        let policy = GroupPolicy { keep: steps.keep, append_mean: steps.append_mean.clone() };
        // Buffers grow to twice their size.
        let sorter = || Sorter::new(memory / 2, folder).with_threads(threads.clone());
        DataSet {
            seed: steps.seed,
            processor: Processor {
                threads: threads.clone(),
                memory,
                folder: folder.clone(),
                policy,
            },
            first: steps.keeps_first().then(|| FirstKeys::new(threads, memory)),
            known: None,
            groups: groups.map(Arc::new),
            orders_groups,
            games: steps.unique_games.then(|| UniqueGames::new(memory, folder, threads)),
            numbers,
            sample: steps.sample.map(|count| Sample::new(count, steps.seed)),
            shuffled: is_shuffled.then(|| Arc::new(Partitions::new(memory, folder))),
            sorter: is_sorted.then(sorter),
            sorted_numbers: Numbers::new(steps.skip, steps.limit),
            waiting: VecDeque::new(),
            tasks: OrderedTasks::new(threads.clone()),
            records: 0,
            games_begun: 0,
            written: Written::default(),
        }
    }

    /// Returns whether no further record will be selected.
    pub fn is_full(&self) -> bool {
        self.numbers.are_over()
    }

    /// Adds the records of a chunk. Those that are selected may be passed on later.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written, and those of `next`.
    pub fn push(&mut self, mut chunk: Chunk, next: Next<'_>) -> io::Result<Written> {
        if let Some(games) = &mut self.games {
            games.add(&chunk, self.games_begun)?;
        }
        let (records, games, games_before) = (self.records, self.games_begun, chunk.games_before);
        for record in &mut chunk.batch.records {
            record.number += records;
            record.game += games;
            record.games_before = games_before;
        }
        chunk.first = records;
        self.records += chunk.batch.records.len() as u64;
        self.games_begun += u64::from(chunk.games);
        let is_large = |first: &FirstKeys, chunk: &Chunk| !first.have_room_for(chunk);
        if self.first.as_ref().is_some_and(|first| is_large(first, &chunk)) {
            // Less memory may be needed when all decisions are known.
            self.select_decided(0, next)?;
        }
        if let Some(first) = self.first.take_if(|first| is_large(first, &chunk)) {
            self.known = Some(Arc::new(first.into_known()?));
        }
        if let Some(first) = &mut self.first {
            let deciding = first.decide(&mut chunk)?;
            self.waiting.push_back((chunk, deciding));
            // Other threads decide meanwhile, unless the limit decides what is read.
            let threads = self.processor.threads.count();
            let most = if threads == 1 || self.numbers.have_end() { 0 } else { threads };
            self.select_decided(most, next)?;
        } else if let Some(games) = &mut self.games {
            games.store(&chunk.batch)?;
        } else if self.groups.is_some() {
            self.store_groups(chunk)?;
        } else {
            self.select(chunk.batch, &[], next)?;
        }
        Ok(mem::take(&mut self.written))
    }

    /// Waits until at most `most` chunks remain whose decision is awaited.
    fn select_decided(&mut self, most: usize, next: Next<'_>) -> io::Result<()> {
        while let (Some(first), Some((mut chunk, mut deciding))) =
            (&mut self.first, self.waiting.pop_front())
        {
            let must_wait = self.waiting.len() >= most;
            let before = chunk.batch.records.len();
            let Some(is_duplicate) = first.decided(&mut deciding, must_wait) else {
                self.waiting.push_front((chunk, deciding));
                break;
            };
            if self.orders_groups {
                let mut is_duplicate = is_duplicate.into_iter();
                chunk.batch.records.retain(|_| !is_duplicate.next().unwrap_or_default());
                self.written.duplicates += (before - chunk.batch.records.len()) as u64;
                self.store_groups(chunk)?;
            } else {
                self.select(chunk.batch, &is_duplicate, next)?;
            }
        }
        Ok(())
    }

    /// Selects among records in the order of the input, and without those that are duplicates.
    fn select(
        &mut self,
        mut batch: Batch,
        is_duplicate: &[bool],
        next: Next<'_>,
    ) -> io::Result<()> {
        let DataSet { numbers, sample, written, .. } = self;
        let mut is_duplicate = is_duplicate.iter();
        let mut records = mem::take(&mut batch.records);
        records.retain(|record| {
            let is_duplicate = is_duplicate.next().is_some_and(|is_duplicate| *is_duplicate);
            // First, so that the number of duplicates does not depend on where chunks end.
            if numbers.are_over() {
                return false;
            }
            written.duplicates += u64::from(is_duplicate);
            if is_duplicate || !numbers.selects_next() {
                return false;
            }
            let Some(sample) = sample else { return true };
            sample.offer(numbers.count(), || {
                let mut stored = Vec::new();
                batch.store(record, &mut stored);
                stored
            });
            false
        });
        batch.records = records;
        self.pass_on(batch, next)
    }

    /// Passes on records that are selected, or puts them in another order.
    fn pass_on(&mut self, batch: Batch, next: Next<'_>) -> io::Result<()> {
        if let Some(sorter) = &mut self.sorter {
            let mut stored = Vec::new();
            for record in &batch.records {
                let without_key = Record { start: record.contents, ..*record };
                stored.clear();
                batch.store(&without_key, &mut stored);
                // Records with equal keys stay in the order of the input.
                sorter.push(batch.sort_key(record), &stored)?;
            }
            return Ok(());
        }
        self.written.positions += batch.positions();
        let Some(shuffled) = self.shuffled.clone() else { return next(batch) };
        let seed = self.seed;
        let rank = move |record: &Record| random_rank(seed, record.number);
        self.run(move || batch.store_all(&shuffled, rank).map(|()| 0))
    }

    /// Stores records that are compared at the end.
    fn store_groups(&mut self, mut chunk: Chunk) -> io::Result<()> {
        let Some(groups) = self.groups.clone() else { return Ok(()) };
        let (known, seed) = (self.known.clone(), self.seed);
        self.run(move || {
            let mut records = mem::take(&mut chunk.batch.records);
            let before = records.len();
            if let Some(known) = known {
                records.retain(|record| !known.contains(&chunk.keys[chunk.index(record)]));
            }
            let key = |record| chunk.keys[chunk.index(record)];
            let rank = |record| random_rank(seed, key(record).stable_hash());
            let ranks: Vec<u64> = records.iter().map(rank).collect();
            groups.push_all(&ranks, |index, out| {
                Group::of(&chunk, &records[index]).write(out);
                chunk.batch.store(&records[index], out);
            })?;
            Ok((before - records.len()) as u64)
        })
    }

    /// Stores records on any thread.
    fn run(&mut self, store: impl FnOnce() -> io::Result<u64> + Send + 'static) -> io::Result<()> {
        self.tasks.push(store)?;
        while let Some(omitted) = self.tasks.next_ready() {
            self.written.duplicates += omitted?;
        }
        Ok(())
    }

    /// Waits until all records are stored.
    fn wait(&mut self) -> io::Result<()> {
        while let Some(omitted) = self.tasks.wait() {
            self.written.duplicates += omitted?;
        }
        Ok(())
    }

    /// Passes on what can be known of all records so far.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written, and those of `next`.
    pub fn flush(&mut self, next: Next<'_>) -> io::Result<Written> {
        self.select_decided(0, next)?;
        self.wait()?;
        Ok(mem::take(&mut self.written))
    }

    /// Passes on the selected records that were stored.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written or read, and those of `next`.
    pub fn finish(mut self, next: Next<'_>) -> io::Result<Written> {
        self.select_decided(0, next)?;
        self.wait()?;
        if let Some(games) = self.games.take() {
            let omitted = games.finish(&mut |batch| self.select(batch, &[], next))?;
            self.written.duplicates += omitted;
        }
        // Their memory is not needed any more.
        self.known = None;
        let all_differ = self.first.take().is_some();
        if let Some(groups) = self.groups.take() {
            let omitted = match self.orders_groups {
                true => self.order_groups(&groups, all_differ, next)?,
                false => self.select_groups(&groups, next)?,
            };
            self.written.duplicates += omitted;
        }
        if let Some(sample) = self.sample.take() {
            let mut batch = Batch::default();
            let records = sample.into_records().map(|stored| batch.read(&stored)).collect();
            batch.records = records;
            self.pass_on(batch, next)?;
        }
        self.wait()?;
        if let Some(shuffled) = self.shuffled.take() {
            self.processor.sort(&shuffled, next)?;
        }
        if let Some(sorter) = self.sorter.take() {
            let DataSet { sorted_numbers: numbers, written, .. } = &mut self;
            let keeps = |_: &Record| Ok((!numbers.are_over()).then(|| numbers.selects_next()));
            pass_sorted(sorter.finish()?, keeps, &mut |batch| {
                written.positions += batch.positions();
                next(batch)
            })?;
        }
        Ok(self.written)
    }

    /// Passes on the records that are chosen from the groups, in their random order; returns the
    /// number of the others.
    fn order_groups(
        &mut self,
        groups: &Partitions,
        all_differ: bool,
        next: Next<'_>,
    ) -> io::Result<u64> {
        let (seed, written) = (self.seed, &mut self.written);
        let rank = move |group: &Group| random_rank(seed, group.key.stable_hash());
        self.processor.choose(groups, all_differ, rank, &mut |batch| {
            written.positions += batch.positions();
            next(batch)
        })
    }

    /// Selects among the records that are chosen from the groups, in the order of the input;
    /// returns the number of the others.
    fn select_groups(&mut self, groups: &Partitions, next: Next<'_>) -> io::Result<u64> {
        let processor = self.processor.clone();
        // Numbers are sorted like other ranks, of which the highest bits count.
        let scale = self.records.leading_zeros();
        let rank = move |group: &Group| group.number.unbounded_shl(scale);
        if self.sorter.is_some() && self.sample.is_none() && self.numbers.are_all() {
            // They may be sorted in any order.
            return processor.choose(groups, false, rank, &mut |batch| self.pass_on(batch, next));
        }
        let numbered = Arc::new(Partitions::new(processor.memory / 2, &processor.folder));
        let omitted = processor.choose(groups, false, rank, &mut |batch| {
            let numbered = Arc::clone(&numbered);
            let rank = move |record: &Record| record.number.unbounded_shl(scale);
            self.run(move || batch.store_all(&numbered, rank).map(|()| 0))
        })?;
        self.wait()?;
        processor.sort(&numbered, &mut |batch| self.select(batch, &[], next))?;
        Ok(omitted)
    }
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
            let middle = records.len() / 3;
            std::thread::scope(|scope| {
                for range in [0..middle, middle..records.len()] {
                    let (parts, records) = (&parts, &records);
                    scope.spawn(move || {
                        let mut batch = Batch::default();
                        for number in range {
                            let start = batch.bytes.len();
                            batch.bytes.extend(&records[number].1);
                            let (number, end) = (number as u64, batch.bytes.len());
                            let (game, games_before, part, positions) = (0, 0, 0, 1);
                            let contents = start;
                            let record = Record { number, game, games_before, part, positions, start, contents, end };
                            batch.records.push(record);
                        }
                        batch.store_all(parts, |record| records[record.number as usize].0).unwrap();
                    });
                }
            });
            let path = folder.path().to_owned();
            let work = Arc::new(move |partition| sort(partition, memory, &path));
            let mut found = Vec::new();
            let mut add = |batch: Batch| {
                found.extend(batch.records.iter().map(|record| (record.number as usize, batch.contents(record).to_vec())));
                Ok(())
            };
            process(parts.finish(), &Threads::new(threads), &work, &mut add).unwrap();
            let mut expected: Vec<(usize, Vec<u8>)> =
                records.iter().map(|(_, contents)| contents.clone()).enumerate().collect();
            expected.sort_by_key(|(number, _)| records[*number].0);
            prop_assert_eq!(found, expected);
        }
    }
}
