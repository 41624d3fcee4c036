//! Chooses among the records of equal positions in bounded memory.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use san::{PositionKey, PositionSet};
use stream::ordered::{OrderedTasks, Threads};
use stream::spill::partitions::{Partition, Partitions};
use stream::spill::temporary::SpillError;

use super::first_positions::{FirstPositions, bytes_of_positions};
use super::groups::{Group, GroupMap, GroupPolicy, Survivors};
use super::marks::sets_for;
use crate::equal_positions::{Conflicts, Preference};
use crate::options::{Format, Options};

/// Chooses one record, or none, of each group of equal positions.
///
/// If the first record is chosen whatever follows, records are written at once as long as all positions fit in memory. Otherwise,
/// and from then on, records are stored in [groups](StoredGroups).
#[derive(Debug)]
pub(super) struct EqualPositions {
    memory: usize,
    folder: PathBuf,
    /// The positions of the records written, if these are decided on by several threads. Then `written` is empty.
    ahead: Option<FirstPositions>,
    /// The positions of the records written, while the first one of each is.
    written: Option<PositionSet>,
    groups: Arc<StoredGroups>,
    duplicates: u64,
}

/// Records of which one at most is written for each position. Several threads can add records.
///
/// They are divided by position among sets. Those of a set that does not fit in memory are divided among partitions of a temporary
/// file, each of which is processed on its own.
#[derive(Debug)]
pub(super) struct StoredGroups {
    policy: GroupPolicy,
    /// The memory of a set, in bytes.
    set_memory: usize,
    sets: Vec<GroupSet>,
    parts: Partitions,
}

#[derive(Debug)]
struct GroupSet {
    groups: Mutex<GroupMap>,
    /// Whether further records go to the partitions.
    is_on_disk: AtomicBool,
}

/// Receives the records to be written.
pub(super) type TakeSurvivors = dyn Fn(&Survivors) -> Result<(), SpillError> + Send + Sync;

/// What became of some groups.
enum Processed {
    /// The number of records passed on, and of those omitted.
    Done(u64, u64),
    /// The parts of a partition whose groups do not fit in memory.
    Divided(Vec<Partition>),
}

/// A record that is stored.
pub(super) trait GroupRecords {
    /// Returns the group of a record.
    fn group(&self, index: usize) -> Group;

    /// Appends a record.
    fn write(&self, index: usize, out: &mut Vec<u8>);
}

impl EqualPositions {
    /// Creates a chooser that uses about `memory` bytes, if the options omit any equal positions. Chunks are decided on ahead by
    /// `threads`, if this is possible.
    pub(super) fn new(options: &Options, memory: usize, threads: &Threads) -> Option<Self> {
        let form = match options.format {
            Format::Label(form) if options.conflicts != Conflicts::Keep => Some(form),
            _ => None,
        };
        if form.is_none() && !options.unique {
            return None;
        }
        let conflicts = form.map_or(Conflicts::Keep, |_| options.conflicts);
        let means = form.filter(|form| conflicts == Conflicts::Mean && form.has_means());
        let policy = GroupPolicy { conflicts, means };
        let is_first = form.is_none() && options.keep == Preference::First;
        let folder = options.temp_folder();
        let sets = sets_for(threads.count());
        let groups = StoredGroups {
            policy,
            set_memory: memory / sets,
            sets: (0..sets).map(|_| GroupSet::new(policy)).collect(),
            parts: Partitions::on_disk(memory, &folder, 0),
        };
        Some(EqualPositions {
            memory,
            folder,
            ahead: options.decides_ahead().then(|| FirstPositions::new(threads, memory)),
            written: is_first.then(HashSet::default),
            groups: Arc::new(groups),
            duplicates: 0,
        })
    }

    /// Whether only the fields of records are stored, because the label of the group follows them.
    pub(super) fn stores_fields(&self) -> bool {
        self.groups.policy.means.is_some()
    }

    /// Returns the number of records omitted since the last call.
    pub(super) fn take_duplicates(&mut self) -> u64 {
        std::mem::take(&mut self.duplicates)
    }

    /// Whether records are decided on by several threads, as long as they fit in memory.
    pub(super) fn ahead(&mut self) -> Option<&mut FirstPositions> {
        self.ahead.as_mut()
    }

    /// Decides on further records later. All decisions by others must be known.
    pub(super) fn end_ahead(&mut self) -> Result<(), SpillError> {
        let Some(ahead) = self.ahead.take() else { return Ok(()) };
        self.written = None;
        let groups = Arc::clone(&self.groups);
        ahead
            .finish(move |positions| groups.store_written(&positions))
            .unwrap_or_else(|error| Err(SpillError::within(&self.folder)(error)))
    }

    /// Counts records that are omitted.
    pub(super) fn count_duplicates(&mut self, count: u64) {
        self.duplicates += count;
    }

    /// Returns the groups, if all further records are stored there.
    pub(super) fn stored(&self) -> Option<&Arc<StoredGroups>> {
        (self.ahead.is_none() && self.written.is_none()).then_some(&self.groups)
    }

    /// Returns whether a record is to be written at once; `None` if it must be stored.
    #[inline]
    pub(super) fn is_written_now(&mut self, key: PositionKey) -> Result<Option<bool>, SpillError> {
        let Some(written) = &mut self.written else { return Ok(None) };
        let is_full =
            written.len() == written.capacity() && bytes_of_positions(written.len()) > self.memory;
        if is_full && !written.contains(&key) {
            let written = self.written.take();
            written.iter().try_for_each(|positions| self.groups.store_written(positions))?;
            return Ok(None);
        }
        let is_new = written.insert(key);
        self.duplicates += u64::from(!is_new);
        Ok(Some(is_new))
    }

    /// Passes on the stored records that are chosen, in no particular order, from any thread; returns their number, and that of the records
    /// omitted since the [last question](Self::take_duplicates). No other thread may add records.
    pub(super) fn finish(
        self,
        threads: &Threads,
        take: &Arc<TakeSurvivors>,
    ) -> Result<(u64, u64), SpillError> {
        let EqualPositions { memory, folder, groups, .. } = self;
        let (mut written, mut duplicates) = (0, self.duplicates);
        let mut tasks: OrderedTasks<Result<Processed, SpillError>> =
            OrderedTasks::new(threads.clone());
        let failed = SpillError::within(&folder);
        let mut sets = groups.sets.iter();
        let mut left = groups.parts.finish();
        let room = memory / (threads.count() + 1);
        loop {
            let next = match tasks.next_ready() {
                Some(next) => next,
                None => {
                    let take = Arc::clone(take);
                    if let Some(set) = sets.next() {
                        let groups = GroupMap::new(groups.policy);
                        let groups = std::mem::replace(&mut *set.groups(), groups);
                        tasks.push(move || pass_on(groups, &*take)).map_err(&failed)?;
                        continue;
                    }
                    if let Some(partition) = left.pop() {
                        let policy = groups.policy;
                        let folder = folder.clone();
                        let task = move || process(partition, policy, room, &folder, &*take);
                        tasks.push(task).map_err(&failed)?;
                        continue;
                    }
                    match tasks.wait() {
                        Some(next) => next,
                        None => return Ok((written, duplicates)),
                    }
                }
            };
            match next? {
                Processed::Done(passed_on, omitted) => {
                    written += passed_on;
                    duplicates += omitted;
                }
                Processed::Divided(partitions) => left.extend(partitions),
            }
        }
    }
}

impl GroupSet {
    fn new(policy: GroupPolicy) -> Self {
        let is_on_disk = AtomicBool::new(false);
        GroupSet { groups: Mutex::new(GroupMap::new(policy)), is_on_disk }
    }

    fn groups(&self) -> MutexGuard<'_, GroupMap> {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_on_disk(&self) -> bool {
        self.is_on_disk.load(Ordering::Relaxed)
    }
}

impl StoredGroups {
    /// Stores the records with these indexes.
    pub(super) fn store(
        &self,
        indexes: impl Iterator<Item = usize>,
        records: &impl GroupRecords,
    ) -> Result<(), SpillError> {
        let (mut on_disk, mut ranks) = (Vec::new(), Vec::new());
        for index in indexes {
            let group = records.group(index);
            let hash = group.key.stable_hash();
            let set = &self.sets[hash as usize % self.sets.len()];
            if !set.is_on_disk() {
                let mut groups = set.groups();
                // Another thread may have moved its groups just now.
                if !set.is_on_disk() {
                    groups.add(group, |out| records.write(index, out));
                    if groups.used() > self.set_memory {
                        self.move_to_disk(set, &mut groups)?;
                    }
                    continue;
                }
            }
            on_disk.push((index, group));
            ranks.push(hash);
        }
        self.parts.push_all(&ranks, |index, out| {
            let (index, group) = &on_disk[index];
            group.write(out);
            records.write(*index, out);
        })
    }

    #[cold]
    fn move_to_disk(&self, set: &GroupSet, groups: &mut GroupMap) -> Result<(), SpillError> {
        set.is_on_disk.store(true, Ordering::Relaxed);
        let mut bytes = Vec::new();
        groups.drain(|group, record| {
            bytes.clear();
            group.write(&mut bytes);
            bytes.extend_from_slice(record);
            self.parts.push(group.key.stable_hash(), &bytes)
        })
    }

    /// Stores positions of which a record was written, and all further records on disk.
    fn store_written(&self, positions: &PositionSet) -> Result<(), SpillError> {
        for set in &self.sets {
            set.is_on_disk.store(true, Ordering::Relaxed);
        }
        let positions: Vec<PositionKey> = positions.iter().copied().collect();
        for positions in positions.chunks(1 << 12) {
            let ranks: Vec<u64> = positions.iter().map(|key| key.stable_hash()).collect();
            self.parts.push_all(&ranks, |index, out| {
                let (key, rank, number, label) = (positions[index], u32::MAX, 0, None);
                let (is_contradicted, is_written) = (false, true);
                Group { key, rank, number, label, is_contradicted, is_written }.write(out);
            })?;
        }
        Ok(())
    }
}

fn pass_on(groups: GroupMap, take: &TakeSurvivors) -> Result<Processed, SpillError> {
    let survivors = groups.into_survivors();
    take(&survivors)?;
    Ok(Processed::Done(survivors.numbers.len() as u64, survivors.duplicates))
}

/// Chooses among the records of a partition, or divides it if they do not fit in `room` bytes.
fn process(
    partition: Partition,
    policy: GroupPolicy,
    room: usize,
    folder: &Path,
    take: &TakeSurvivors,
) -> Result<Processed, SpillError> {
    enum Stop {
        TooLarge,
        Failed(SpillError),
    }
    impl From<SpillError> for Stop {
        fn from(error: SpillError) -> Self {
            Stop::Failed(error)
        }
    }
    let mut groups = GroupMap::new(policy);
    // Most positions differ.
    groups.reserve(partition.records(), partition.bytes(), room);
    let read = partition.for_each(|_, bytes| {
        groups.add_stored(bytes).expect("partitions hold groups");
        match groups.used() > room && partition.is_divisible() {
            true => Err(Stop::TooLarge),
            false => Ok(()),
        }
    });
    match read {
        Err(Stop::TooLarge) => {
            drop(groups);
            Ok(Processed::Divided(partition.divide(room, folder)?))
        }
        Err(Stop::Failed(error)) => Err(error),
        Ok(()) => pass_on(groups, take),
    }
}
