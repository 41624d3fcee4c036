//! Chooses among the records of equal positions in bounded memory.

use std::collections::HashSet;
use std::io;
use std::iter;
use std::mem;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use san::{PositionKey, PositionSet};
use stream::ordered::{OrderedTasks, Threads};
use stream::spill::partitions::{PARTITIONS, Partition, Partitions, RankedPlace};
use stream::spill::temporary::SpillError;

use super::first_positions::{FirstPositions, PositionSets, bytes_of_positions};
use super::groups::{Group, GroupMap, GroupPolicy, Survivors, rank_of_position};
use super::marks::sets_for;
use crate::equal_positions::Conflicts;
use crate::options::{Format, Options};

/// Chooses one record, or none, of each group of equal positions.
///
/// If the first record is chosen whatever follows, it is known as long as all positions fit in memory, and written at once if the order stays.
/// Otherwise, and from then on, records are stored in [groups](StoredGroups).
#[derive(Debug)]
pub(super) struct EqualPositions {
    memory: usize,
    folder: PathBuf,
    /// The positions so far, if several threads decide which records are the first.
    ahead: Option<FirstPositions>,
    /// The positions of the records written, if one thread decides.
    written: Option<PositionSet>,
    groups: Arc<StoredGroups>,
    duplicates: u64,
}

/// Records of which one at most is written for each position. Several threads can add records.
///
/// They are divided among sets by the random rank of their position. Those of a set that does not fit in memory are divided among partitions of
/// a temporary file, each of which is processed on its own.
#[derive(Debug)]
pub(super) struct StoredGroups {
    policy: GroupPolicy,
    /// Selects the ranks of positions.
    seed: u64,
    /// The memory of a set, in bytes.
    set_memory: usize,
    sets: Vec<GroupSet>,
    parts: Partitions,
    /// Positions of which the first record was chosen before. Most games have some of them, whose records need not be stored.
    decided: OnceLock<PositionSets>,
    /// Number of records omitted because of such a position.
    omitted: AtomicU64,
}

#[derive(Debug)]
struct GroupSet {
    groups: Mutex<GroupMap>,
    /// Whether further records go to the partitions.
    is_on_disk: AtomicBool,
}

/// Groups that are processed together.
enum Part {
    InMemory(GroupMap),
    OnDisk(Partition),
}

/// What became of some groups.
enum Processed<T> {
    /// The records to be written as they were prepared, their number, and that of the records omitted.
    Prepared(T, u64, u64),
    /// The parts of a partition whose groups do not fit in memory.
    Divided(Vec<Partition>),
}

/// Processes stored groups on any thread.
struct Processor<T> {
    policy: GroupPolicy,
    /// Whether the positions of all stored records differ.
    all_differ: bool,
    /// The memory for the groups of a part, in bytes.
    room: usize,
    folder: PathBuf,
    rank: Box<dyn Fn(&Group) -> u64 + Send + Sync>,
    prepare: Box<dyn Fn(Survivors) -> Result<T, SpillError> + Send + Sync>,
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
    /// `threads` if `is_ahead`. All chosen records are stored if they are `sorted`.
    pub(super) fn new(
        options: &Options,
        memory: usize,
        threads: &Threads,
        is_ahead: bool,
        sorted: bool,
    ) -> Option<Self> {
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
        let folder = options.temp_folder();
        // Records and the positions of all are in memory at the same time.
        let memory_ahead = if sorted { memory / 2 } else { memory };
        let parts = match is_ahead && sorted {
            true => Partitions::new(memory / 2, &folder),
            false => Partitions::on_disk(memory, &folder),
        };
        // The positions of a partition are in one set.
        let sets = sets_for(threads.count()).min(PARTITIONS);
        let groups = StoredGroups {
            policy,
            seed: options.seed,
            set_memory: memory / sets,
            sets: (0..sets).map(|_| GroupSet::new(policy, is_ahead)).collect(),
            parts,
            decided: OnceLock::new(),
            omitted: AtomicU64::new(0),
        };
        Some(EqualPositions {
            memory,
            folder,
            ahead: is_ahead.then(|| FirstPositions::new(threads, memory_ahead)),
            written: (options.keeps_first() && !is_ahead && !sorted).then(HashSet::default),
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
    pub(super) fn end_ahead(&mut self) -> io::Result<()> {
        let Some(ahead) = self.ahead.take() else { return Ok(()) };
        self.groups.omit(ahead.into_sets()?);
        Ok(())
    }

    /// Counts records that are omitted.
    pub(super) fn count_duplicates(&mut self, count: u64) {
        self.duplicates += count;
    }

    /// Returns the groups.
    pub(super) fn groups(&self) -> &Arc<StoredGroups> {
        &self.groups
    }

    /// Whether all further records are stored in the groups.
    pub(super) fn are_all_stored(&self) -> bool {
        self.ahead.is_none() && self.written.is_none()
    }

    /// Returns whether a record is to be written at once; `None` if it must be stored.
    #[inline]
    pub(super) fn is_written_now(&mut self, key: PositionKey) -> Option<bool> {
        let written = self.written.as_mut()?;
        let is_full =
            written.len() == written.capacity() && bytes_of_positions(written.len()) > self.memory;
        if is_full && !written.contains(&key) {
            self.groups.omit(PositionSets::new(self.written.take().into_iter().collect()));
            return None;
        }
        let is_new = written.insert(key);
        self.duplicates += u64::from(!is_new);
        Some(is_new)
    }

    /// Any thread gives the stored records that are chosen these ranks, and prepares some of them together; `write` receives the results
    /// ordered by the ranks of positions. Returns the number of records, and that of those omitted since the
    /// [last question](Self::take_duplicates). No other thread may add records.
    pub(super) fn finish<T: Send + 'static>(
        self,
        threads: &Threads,
        rank: impl Fn(&Group) -> u64 + Send + Sync + 'static,
        prepare: impl Fn(Survivors) -> Result<T, SpillError> + Send + Sync + 'static,
        mut write: impl FnMut(T) -> io::Result<()>,
    ) -> io::Result<(u64, u64)> {
        let EqualPositions { memory, folder, ahead, groups, duplicates, .. } = self;
        // Each thread has a part and one is being written, also while the parts of a partition are processed.
        let room = memory / (2 * (threads.count() + 1));
        let (policy, rank, prepare) = (groups.policy, Box::new(rank), Box::new(prepare));
        let all_differ = ahead.is_some();
        let processor = Arc::new(Processor { policy, all_differ, room, folder, rank, prepare });
        let parts = groups.take_parts();
        let mut counts = (0, duplicates + groups.omitted.load(Ordering::Relaxed));
        // Frees the positions, which are not needed any more.
        drop((ahead, groups));
        processor.run(parts, threads, &mut write, &mut counts)?;
        Ok(counts)
    }
}

impl<T: Send + 'static> Processor<T> {
    /// Processes groups on all threads, and writes the results in order. Adds the number of records and of those omitted.
    fn run(
        self: &Arc<Self>,
        parts: Vec<Part>,
        threads: &Threads,
        write: &mut impl FnMut(T) -> io::Result<()>,
        counts: &mut (u64, u64),
    ) -> io::Result<()> {
        let mut parts = parts.into_iter();
        let mut tasks = OrderedTasks::new(threads.clone());
        loop {
            let next = match tasks.next_ready() {
                Some(next) => next,
                None => match parts.next() {
                    Some(part) => {
                        let processor = Arc::clone(self);
                        tasks.push(move || processor.process(part))?;
                        continue;
                    }
                    None => match tasks.wait() {
                        Some(next) => next,
                        None => return Ok(()),
                    },
                },
            };
            match next.map_err(io::Error::other)? {
                Processed::Prepared(prepared, written, omitted) => {
                    write(prepared)?;
                    counts.0 += written;
                    counts.1 += omitted;
                }
                Processed::Divided(partitions) => {
                    let parts = partitions.into_iter().map(Part::OnDisk).collect();
                    self.run(parts, threads, write, counts)?;
                }
            }
        }
    }

    /// Chooses among the records of groups, or divides a partition whose groups do not fit in memory.
    fn process(&self, part: Part) -> Result<Processed<T>, SpillError> {
        let survivors = match part {
            Part::InMemory(groups) => groups.into_survivors(&self.rank),
            Part::OnDisk(partition) => match self.survivors_of(partition)? {
                Ok(survivors) => survivors,
                Err(partition) => {
                    return Ok(Processed::Divided(partition.divide(self.room, &self.folder)?));
                }
            },
        };
        let (written, omitted) = (survivors.items.len() as u64, survivors.duplicates);
        Ok(Processed::Prepared((self.prepare)(survivors)?, written, omitted))
    }

    /// Chooses among the records of a partition; returns the partition if its groups do not fit in memory, but parts of them may.
    fn survivors_of(
        &self,
        partition: Partition,
    ) -> Result<Result<Survivors, Partition>, SpillError> {
        if self.all_differ {
            let used = partition.bytes() + partition.records() * size_of::<RankedPlace>() as u64;
            if used > self.room as u64 && partition.is_divisible() {
                return Ok(Err(partition));
            }
            let (bytes, places) = partition.read()?;
            return Ok(Ok(Survivors::of_different(bytes, places, &self.rank)));
        }
        let groups = self.read(&partition)?;
        Ok(groups.map(|groups| groups.into_survivors(&self.rank)).ok_or(partition))
    }

    /// Reads the groups of a partition; `None` if they do not fit in memory, but parts of them may.
    fn read(&self, partition: &Partition) -> Result<Option<GroupMap>, SpillError> {
        enum Stop {
            TooLarge,
            Failed(SpillError),
        }
        impl From<SpillError> for Stop {
            fn from(error: SpillError) -> Self {
                Stop::Failed(error)
            }
        }
        let mut groups = GroupMap::new(self.policy);
        // Most positions differ.
        groups.reserve(partition.records(), partition.bytes(), self.room);
        let read = partition.for_each(|_, bytes| {
            groups.add_stored(bytes).expect("partitions hold groups");
            match groups.used() > self.room && partition.is_divisible() {
                true => Err(Stop::TooLarge),
                false => Ok(()),
            }
        });
        match read {
            Ok(()) => Ok(Some(groups)),
            Err(Stop::TooLarge) => Ok(None),
            Err(Stop::Failed(error)) => Err(error),
        }
    }
}

impl GroupSet {
    fn new(policy: GroupPolicy, is_on_disk: bool) -> Self {
        let groups = Mutex::new(GroupMap::new(policy));
        GroupSet { groups, is_on_disk: AtomicBool::new(is_on_disk) }
    }

    fn groups(&self) -> MutexGuard<'_, GroupMap> {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_on_disk(&self) -> bool {
        self.is_on_disk.load(Ordering::Relaxed)
    }
}

impl StoredGroups {
    fn rank(&self, key: PositionKey) -> u64 {
        rank_of_position(self.seed, key)
    }

    /// Returns the index of the set for positions of a rank.
    fn set_of(&self, rank: u64) -> usize {
        // Their number is a power of two.
        rank.unbounded_shr(u64::BITS - self.sets.len().ilog2()) as usize
    }

    /// Removes all groups, and returns them in the order of their ranks.
    fn take_parts(&self) -> Vec<Part> {
        let mut partitions = self.parts.finish().into_iter().peekable();
        let mut parts = Vec::new();
        for (index, set) in self.sets.iter().enumerate() {
            let groups = mem::replace(&mut *set.groups(), GroupMap::new(self.policy));
            parts.push(Part::InMemory(groups));
            let is_of_set = |partition: &Partition| self.set_of(partition.least_rank()) == index;
            parts.extend(iter::from_fn(|| partitions.next_if(is_of_set)).map(Part::OnDisk));
        }
        parts
    }

    /// Omits all further records with these positions, and stores the others in the partitions.
    fn omit(&self, positions: PositionSets) {
        for set in &self.sets {
            set.is_on_disk.store(true, Ordering::Relaxed);
        }
        self.decided.get_or_init(|| positions);
    }

    /// Stores the records with these indexes. `are_first` says that none has the position of an earlier one.
    pub(super) fn store(
        &self,
        indexes: impl Iterator<Item = usize>,
        records: &impl GroupRecords,
        are_first: bool,
    ) -> Result<(), SpillError> {
        let (mut on_disk, mut ranks, mut omitted) = (Vec::new(), Vec::new(), 0);
        let decided = self.decided.get().filter(|_| !are_first);
        for index in indexes {
            let group = records.group(index);
            if decided.is_some_and(|decided| decided.contains(&group.key)) {
                omitted += 1;
                continue;
            }
            let rank = self.rank(group.key);
            let set = &self.sets[self.set_of(rank)];
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
            ranks.push(rank);
        }
        self.omitted.fetch_add(omitted, Ordering::Relaxed);
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
            self.parts.push(self.rank(group.key), &bytes)
        })
    }
}
