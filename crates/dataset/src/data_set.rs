//! Passes the records of chunks through the steps of a data set. What was stored is processed
//! partition by partition, on all threads.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use stream::ordered::{OrderedTasks, Threads, lock};
use stream::spill::{SortedPairs, Sorter};

use crate::partitions::{Partition, Partitions, Processed};
use crate::record::{
    Batch, Chunk, Place, Preparation, Selected, SelectedRecords, Start, Writer, read_stored,
};
use crate::steps::{Numbers, Order, Sample, Steps, Written, random_rank};
use crate::unique::{Deciding, FirstKeys, Group, GroupPolicy, KnownKeys, Survivors, UniqueGames};

// Sorts the selected records by their sort keys.

/// The approximate size of a batch of sorted records, in bytes.
const BATCH: usize = 256 << 10;

#[derive(Debug)]
pub(crate) struct RecordSorter {
    sorter: Sorter,
    numbers: Numbers,
    /// The record that is added.
    record: Vec<u8>,
}

impl RecordSorter {
    /// Sorts in about `memory` bytes.
    pub(crate) fn new(steps: &Steps, memory: usize, threads: &Threads) -> Self {
        // Buffers grow to twice their size.
        let sorter = Sorter::new(memory / 2, &steps.folder).with_threads(threads.clone());
        let numbers = Numbers::new(steps.skip, steps.limit);
        RecordSorter { sorter, numbers, record: Vec::new() }
    }

    /// Adds a record that was stored with its sort key.
    pub(crate) fn push(&mut self, stored: &[u8]) -> io::Result<()> {
        let (place, mut rest) = Place::read(stored);
        let len = read_stored(&mut rest) as usize;
        let (key, contents) = rest.split_at(len);
        self.record.clear();
        // Records with equal keys stay in the order of the input.
        self.record.extend(place.number.to_be_bytes());
        place.write(&mut self.record);
        self.record.extend_from_slice(contents);
        self.sorter.push(key, &self.record)
    }

    pub(crate) fn finish(self) -> io::Result<SortedRecords> {
        Ok(SortedRecords { pairs: self.sorter.finish()?, numbers: self.numbers })
    }
}

#[derive(Debug)]
pub(crate) struct SortedRecords {
    pairs: SortedPairs,
    numbers: Numbers,
}

impl SortedRecords {
    /// Returns the next records, stored without their keys.
    pub(crate) fn next_batch(&mut self) -> io::Result<Option<Batch>> {
        let mut batch = Batch::default();
        while batch.size() < BATCH
            && !self.numbers.are_over()
            && let Some((_, record)) = self.pairs.next()?
        {
            if self.numbers.selects_next() {
                batch.push(|out| out.extend_from_slice(&record[size_of::<u64>()..]));
            }
        }
        Ok((batch.size() > 0).then_some(batch))
    }
}

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

/// Records that become a data set.
pub struct DataSet<W: Writer> {
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
    sample: Option<Arc<Mutex<Sample<Vec<u8>>>>>,
    shuffled: Option<Arc<Partitions>>,
    sorter: Option<RecordSorter>,
    prepare: Arc<Preparation<W::Chunk, W::Prepared>>,
    /// The chunks of which the decision is awaited, in their order.
    waiting: VecDeque<(W::Chunk, Deciding)>,
    /// The chunks whose records are stored or prepared.
    tasks: OrderedTasks<io::Result<Ready<W::Chunk, W::Prepared>>>,
    start: Start,
}

impl<W: Writer> fmt::Debug for DataSet<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DataSet").field("numbers", &self.numbers).finish_non_exhaustive()
    }
}

enum Ready<C, P> {
    Prepared(P),
    /// With the number of records omitted because of known keys.
    Stored(C, u64),
    /// With the records, for the next step.
    Batch(C, Batch),
}

enum Target<C, P> {
    Groups(Arc<Partitions>, Option<Arc<KnownKeys>>),
    /// With the number of the first record among those that are not omitted.
    Sample(Arc<Mutex<Sample<Vec<u8>>>>, u64),
    Shuffled(Arc<Partitions>),
    /// One batch, in the order of the input.
    Batch,
    Writer(Arc<Preparation<C, P>>),
}

impl<W: Writer> DataSet<W> {
    /// Begins a data set.
    pub fn new(steps: &Steps, threads: &Threads, writer: &W) -> Self {
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
        let sample = steps.sample.map(|count| Arc::new(Mutex::new(Sample::new(count, steps.seed))));
        let policy = GroupPolicy { keep: steps.keep, append_mean: steps.append_mean.clone() };
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
            sample,
            shuffled: is_shuffled.then(|| Arc::new(Partitions::new(memory, folder))),
            sorter: is_sorted.then(|| RecordSorter::new(steps, memory, threads)),
            prepare: writer.preparation(),
            waiting: VecDeque::new(),
            tasks: OrderedTasks::new(threads.clone()),
            start: Start::default(),
        }
    }

    /// Returns whether no further record will be selected.
    pub fn is_full(&self) -> bool {
        self.numbers.are_over()
    }

    /// Adds the records of a chunk. Those that are selected may be written later.
    ///
    /// # Errors
    ///
    /// If a temporary file or the output cannot be written.
    pub fn push(&mut self, mut chunk: W::Chunk, writer: &mut W) -> io::Result<Written> {
        let mut written = Written::default();
        if let Some(games) = &mut self.games {
            games.add(chunk.records(), self.start.games)?;
        }
        let is_large = |first: &FirstKeys, chunk: &W::Chunk| !first.have_room_for(chunk.records());
        if self.first.as_ref().is_some_and(|first| is_large(first, &chunk)) {
            // Less memory may be needed when all decisions are known.
            written += self.select_decided(0, writer)?;
        }
        if let Some(first) = self.first.take_if(|first| is_large(first, &chunk)) {
            self.known = Some(Arc::new(first.into_known()?));
        }
        if let Some(first) = &mut self.first {
            let deciding = first.decide(chunk.records_mut())?;
            self.waiting.push_back((chunk, deciding));
            // Other threads decide meanwhile, unless the limit decides what is read.
            let threads = self.processor.threads.count();
            let most = if threads == 1 || self.numbers.have_end() { 0 } else { threads };
            written += self.select_decided(most, writer)?;
        } else {
            written += self.select(chunk, None, writer)?;
        }
        Ok(written)
    }

    /// Waits until at most `most` chunks remain whose decision is awaited.
    fn select_decided(&mut self, most: usize, writer: &mut W) -> io::Result<Written> {
        let mut written = Written::default();
        while let (Some(first), Some((chunk, mut deciding))) =
            (&mut self.first, self.waiting.pop_front())
        {
            let must_wait = self.waiting.len() >= most;
            let Some(is_duplicate) = first.decided(&mut deciding, must_wait) else {
                self.waiting.push_front((chunk, deciding));
                break;
            };
            written += self.select(chunk, Some(is_duplicate), writer)?;
        }
        Ok(written)
    }

    /// Begins to store or prepare records on any thread; `is_duplicate` has the decisions on keys.
    fn select(
        &mut self,
        chunk: W::Chunk,
        is_duplicate: Option<Vec<bool>>,
        writer: &mut W,
    ) -> io::Result<Written> {
        let mut written = Written::default();
        let count = chunk.records().list.len();
        let (start, mut indexes) = (self.start, Vec::with_capacity(count));
        self.start.add(chunk.records());
        // The number of the first record selected, among those that are not omitted; the others
        // follow.
        let mut first = 0;
        let is_compared = is_duplicate.is_none() && self.groups.is_some() || self.games.is_some();
        for index in 0..count {
            if is_compared {
                indexes.push(index as u32);
                continue;
            }
            // First, so that the number of duplicates does not depend on where chunks end.
            if self.numbers.are_over() {
                break;
            }
            if is_duplicate.as_ref().is_some_and(|is_duplicate| is_duplicate[index]) {
                written.duplicates += 1;
            } else if self.numbers.selects_next() {
                if indexes.is_empty() {
                    first = self.numbers.count();
                }
                indexes.push(index as u32);
            }
        }
        let target = match (&self.groups, &self.sample, &self.shuffled) {
            _ if self.games.is_some() => Target::Batch,
            (Some(groups), _, _) if is_compared || self.orders_groups => {
                Target::Groups(Arc::clone(groups), self.known.clone())
            }
            (_, Some(sample), _) => Target::Sample(Arc::clone(sample), first),
            (_, None, Some(shuffled)) => Target::Shuffled(Arc::clone(shuffled)),
            (_, None, None) if self.sorter.is_some() => Target::Batch,
            (_, None, None) => Target::Writer(Arc::clone(&self.prepare)),
        };
        if matches!(target, Target::Shuffled(_) | Target::Writer(_)) {
            let positions =
                indexes.iter().map(|index| chunk.records().list[*index as usize].positions);
            written.positions += positions.map(u64::from).sum::<u64>();
        }
        let selected = SelectedRecords { chunk, indexes, start };
        let seed = self.seed;
        self.tasks.push(move || target.store(selected, seed))?;
        while let Some(ready) = self.tasks.next_ready() {
            written += self.take(ready?, writer)?;
        }
        Ok(written)
    }

    /// Writes what can be known of all records so far.
    ///
    /// # Errors
    ///
    /// If a temporary file or the output cannot be written.
    pub fn flush(&mut self, writer: &mut W) -> io::Result<Written> {
        let mut written = self.select_decided(0, writer)?;
        while let Some(ready) = self.tasks.wait() {
            written += self.take(ready?, writer)?;
        }
        Ok(written)
    }

    /// Writes the selected records that were stored.
    ///
    /// # Errors
    ///
    /// If a temporary file or the output cannot be written.
    pub fn finish(mut self, writer: &mut W) -> io::Result<Written> {
        let mut written = self.flush(writer)?;
        if let Some(games) = self.games.take() {
            let mut pass = |batch| {
                written += self.select_stored(batch, writer)?;
                Ok(())
            };
            written.duplicates += games.finish(&mut pass)?;
        }
        // Their memory is not needed any more.
        self.known = None;
        let all_differ = self.first.take().is_some();
        if let Some(groups) = self.groups.take() {
            written += match self.orders_groups {
                true => self.write_groups(&groups, all_differ, writer)?,
                false => self.select_groups(&groups, writer)?,
            };
        }
        if let Some(sample) = self.sample.take() {
            let sample = std::mem::replace(&mut *lock(&sample), Sample::new(0, 0));
            let records: Vec<Vec<u8>> = sample.into_records().collect();
            written += self.pass_on(records.iter().map(|record| &**record).collect(), writer)?;
        }
        if let Some(shuffled) = self.shuffled.take() {
            let prepare = Arc::clone(&self.prepare);
            let prepare = move |batch| prepare(Selected::Stored(batch));
            self.processor.sort(&shuffled, prepare, &mut |prepared| writer.write(prepared))?;
        }
        if let Some(sorter) = self.sorter.take() {
            written += self.write_sorted(sorter, writer)?;
        }
        Ok(written)
    }

    fn write_sorted(&mut self, sorter: RecordSorter, writer: &mut W) -> io::Result<Written> {
        let mut written = Written::default();
        let mut sorted = sorter.finish()?;
        while let Some(batch) = sorted.next_batch()? {
            written.positions += batch.positions();
            let prepare = Arc::clone(&self.prepare);
            self.tasks.push(move || Ok(Ready::Prepared(prepare(Selected::Stored(batch)))))?;
            while let Some(ready) = self.tasks.next_ready() {
                self.take(ready?, writer)?;
            }
        }
        self.flush(writer)?;
        Ok(written)
    }

    /// Writes the records that are chosen from the groups, in their random order.
    fn write_groups(
        &self,
        groups: &Partitions,
        all_differ: bool,
        writer: &mut W,
    ) -> io::Result<Written> {
        let (seed, prepare) = (self.seed, Arc::clone(&self.prepare));
        let rank = move |group: &Group| random_rank(seed, group.key.stable_hash());
        let prepare = move |Survivors { bytes, items, .. }: Survivors| {
            Ok(prepare(Selected::Stored(Batch::sorted(bytes, items))))
        };
        let mut write = |prepared| writer.write(prepared);
        self.processor.choose(groups, all_differ, rank, prepare, &mut write)
    }

    /// Selects among the records that are chosen from the groups, in the order of the input.
    fn select_groups(&mut self, groups: &Partitions, writer: &mut W) -> io::Result<Written> {
        let processor = self.processor.clone();
        // Numbers are sorted like other ranks, of which the highest bits count.
        let scale = self.start.records.leading_zeros();
        let rank = move |group: &Group| group.number.unbounded_shl(scale);
        if self.sorter.is_some() && self.sample.is_none() && self.numbers.are_all() {
            // They may be sorted in any order.
            let batch = |Survivors { bytes, items, .. }: Survivors| Ok(Batch::sorted(bytes, items));
            let mut pass = |batch| self.pass_on(batch, writer).map(drop);
            let chosen = processor.choose(groups, false, rank, batch, &mut pass)?;
            return Ok(Written { positions: 0, ..chosen });
        }
        let numbered = Arc::new(Partitions::new(processor.memory / 2, &processor.folder));
        let by_number = Arc::clone(&numbered);
        let store = move |Survivors { bytes, items, .. }: Survivors| {
            let ranks: Vec<u64> = items.iter().map(|(rank, _)| *rank).collect();
            let record = |index: usize| &bytes[items[index].1.clone()];
            by_number.push_all(&ranks, |index, out| out.extend_from_slice(record(index)))
        };
        let chosen = processor.choose(groups, false, rank, store, &mut Ok)?;
        let mut written = Written { positions: 0, ..chosen };
        processor.sort(&numbered, |batch| batch, &mut |batch| {
            written += self.select_stored(batch, writer)?;
            Ok(())
        })?;
        Ok(written)
    }

    /// Selects among stored records, in the order of the input.
    fn select_stored(&mut self, mut batch: Batch, writer: &mut W) -> io::Result<Written> {
        let Some(sample) = &self.sample else {
            batch.retain(|_| self.numbers.selects_next());
            return self.pass_on(batch, writer);
        };
        let mut sample = lock(sample);
        for record in batch.stored() {
            if self.numbers.selects_next()
                && let Some(rank) = sample.most().rank(self.numbers.count())
            {
                sample.offer(rank, record.to_vec());
            }
        }
        Ok(Written::default())
    }

    /// Writes stored records that are selected, or puts them in another order.
    fn pass_on(&mut self, batch: Batch, writer: &mut W) -> io::Result<Written> {
        if let Some(sorter) = &mut self.sorter {
            batch.stored().try_for_each(|stored| sorter.push(stored))?;
            return Ok(Written::default());
        }
        let written = Written { positions: batch.positions(), duplicates: 0 };
        let Some(shuffled) = &self.shuffled else {
            writer.write((self.prepare)(Selected::Stored(batch)))?;
            return Ok(written);
        };
        for stored in batch.stored() {
            let (place, _) = Place::read(stored);
            shuffled.push(random_rank(self.seed, place.number), stored)?;
        }
        Ok(written)
    }

    fn take(&mut self, ready: Ready<W::Chunk, W::Prepared>, writer: &mut W) -> io::Result<Written> {
        match ready {
            Ready::Prepared(prepared) => writer.write(prepared).map(|()| Written::default()),
            Ready::Stored(chunk, duplicates) => {
                writer.reuse(chunk);
                Ok(Written { positions: 0, duplicates })
            }
            Ready::Batch(chunk, batch) => {
                writer.reuse(chunk);
                match &mut self.games {
                    Some(games) => games.store(batch).map(|()| Written::default()),
                    None => self.pass_on(batch, writer),
                }
            }
        }
    }
}

impl<C: Chunk, P> Target<C, P> {
    fn store(self, mut selected: SelectedRecords<C>, seed: u64) -> io::Result<Ready<C, P>> {
        let count = selected.indexes.len();
        match self {
            Target::Writer(prepare) => {
                return Ok(Ready::Prepared(prepare(Selected::OfChunk(selected))));
            }
            Target::Shuffled(shuffled) => {
                let rank = |index| random_rank(seed, selected.number(index));
                selected.store_all(&shuffled, rank, |index, out| selected.store(index, out))?;
            }
            Target::Batch => {
                let mut batch = Batch::default();
                for index in &selected.indexes {
                    batch.push(|out| selected.store(*index as usize, out));
                }
                return Ok(Ready::Batch(selected.chunk, batch));
            }
            Target::Groups(groups, known) => {
                if let Some(known) = known {
                    let records = selected.chunk.records();
                    selected
                        .indexes
                        .retain(|index| !known.contains(&records.keys[*index as usize]));
                }
                let records = selected.chunk.records();
                let rank = |index: usize| random_rank(seed, records.keys[index].stable_hash());
                selected.store_all(&groups, rank, |index, out| {
                    Group::of(records, index, selected.number(index)).write(out);
                    selected.store(index, out);
                })?;
            }
            Target::Sample(sample, first) => {
                let most = lock(&sample).most();
                let record = |(number, index): (u64, &u32)| {
                    let mut record = Vec::new();
                    let rank = most.rank(number)?;
                    selected.store(*index as usize, &mut record);
                    Some((rank, record))
                };
                let records: Vec<_> = (first..).zip(&selected.indexes).filter_map(record).collect();
                let mut sample = lock(&sample);
                records.into_iter().for_each(|(rank, record)| sample.offer(rank, record));
            }
        }
        let omitted = count - selected.indexes.len();
        Ok(Ready::Stored(selected.chunk, omitted as u64))
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
