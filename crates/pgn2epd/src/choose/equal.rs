//! Chooses among the records of equal positions in bounded memory.

use std::collections::HashSet;
use std::io;
use std::iter;
use std::mem;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use san::{PositionKey, PositionSet};
use stream::ordered::{OrderedTasks, Threads};
use stream::spill::partitions::{PARTITIONS, Partition, Partitions};
use stream::spill::temporary::SpillError;

use super::first_positions::{FirstPositions, bytes_of_positions};
use super::groups::{Group, GroupMap, GroupPolicy, KnownPositions, Survivors, rank_of_position};
use super::marks::sets_for;
use crate::equal_positions::Conflicts;
use crate::options::{Format, Options};

/// Chooses one record, or none, of each group of equal positions.
///
/// If the first record is chosen whatever follows, and the order stays, records are written at once as long as all positions fit in memory.
/// Otherwise, and from then on, records are stored in [groups](StoredGroups).
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
}

#[derive(Debug)]
struct GroupSet {
    groups: Mutex<GroupMap>,
    /// The positions of the groups that did not fit in memory, once further records go to the partitions. Most games have some of these
    /// positions, whose records need not be written there.
    known: OnceLock<KnownPositions>,
    /// Number of records omitted because of a known position.
    omitted: AtomicU64,
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
        let folder = options.temp_folder();
        // The positions of a partition are in one set.
        let sets = sets_for(threads.count()).min(PARTITIONS);
        let groups = StoredGroups {
            policy,
            seed: options.seed,
            set_memory: memory / sets,
            sets: (0..sets).map(|_| GroupSet::new(policy)).collect(),
            parts: Partitions::on_disk(memory, &folder),
        };
        Some(EqualPositions {
            memory,
            folder,
            ahead: options.decides_ahead().then(|| FirstPositions::new(threads, memory)),
            written: options.writes_first().then(HashSet::default),
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
        let EqualPositions { memory, folder, groups, duplicates, .. } = self;
        // Each thread has a part and one is being written, also while the parts of a partition are processed.
        let room = memory / (2 * (threads.count() + 1));
        let (policy, rank, prepare) = (groups.policy, Box::new(rank), Box::new(prepare));
        let processor = Arc::new(Processor { policy, room, folder, rank, prepare });
        let omitted: u64 = groups.sets.iter().map(|set| set.omitted.load(Ordering::Relaxed)).sum();
        let parts = groups.take_parts();
        // The known positions are not needed any more.
        drop(groups);
        let mut counts = (0, duplicates + omitted);
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
        let groups = match part {
            Part::InMemory(groups) => groups,
            Part::OnDisk(partition) => match self.read(&partition)? {
                Some(groups) => groups,
                None => return Ok(Processed::Divided(partition.divide(self.room, &self.folder)?)),
            },
        };
        let survivors = groups.into_survivors(&self.rank);
        let (written, omitted) = (survivors.items.len() as u64, survivors.duplicates);
        Ok(Processed::Prepared((self.prepare)(survivors)?, written, omitted))
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
    fn new(policy: GroupPolicy) -> Self {
        let groups = Mutex::new(GroupMap::new(policy));
        GroupSet { groups, known: OnceLock::new(), omitted: AtomicU64::new(0) }
    }

    fn groups(&self) -> MutexGuard<'_, GroupMap> {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Stores the records with these indexes.
    pub(super) fn store(
        &self,
        indexes: impl Iterator<Item = usize>,
        records: &impl GroupRecords,
    ) -> Result<(), SpillError> {
        let (mut on_disk, mut ranks) = (Vec::new(), Vec::new());
        for index in indexes {
            let group = records.group(index);
            let rank = self.rank(group.key);
            let set = &self.sets[self.set_of(rank)];
            if set.known.get().is_none() {
                let mut groups = set.groups();
                // Another thread may have moved its groups just now.
                if set.known.get().is_none() {
                    groups.add(group, |out| records.write(index, out));
                    if groups.used() > self.set_memory {
                        set.known.get_or_init(|| groups.known_positions());
                        self.move_to_disk(&mut groups)?;
                    }
                    continue;
                }
            }
            if set.known.get().is_some_and(|known| known.is_preferred_to(&group)) {
                set.omitted.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            on_disk.push((index, group));
            ranks.push(rank);
        }
        self.parts.push_all(&ranks, |index, out| {
            let (index, group) = &on_disk[index];
            group.write(out);
            records.write(*index, out);
        })
    }

    #[cold]
    fn move_to_disk(&self, groups: &mut GroupMap) -> Result<(), SpillError> {
        let mut bytes = Vec::new();
        groups.drain(|group, record| {
            bytes.clear();
            group.write(&mut bytes);
            bytes.extend_from_slice(record);
            self.parts.push(self.rank(group.key), &bytes)
        })
    }

    /// Stores positions of which a record was written, and all further records on disk.
    fn store_written(&self, positions: &PositionSet) -> Result<(), SpillError> {
        for set in &self.sets {
            set.known.get_or_init(KnownPositions::default);
        }
        let positions: Vec<PositionKey> = positions.iter().copied().collect();
        for positions in positions.chunks(1 << 12) {
            let ranks: Vec<u64> = positions.iter().map(|key| self.rank(*key)).collect();
            self.parts.push_all(&ranks, |index, out| {
                let (key, rank, number, label) = (positions[index], u32::MAX, 0, None);
                let (is_contradicted, is_written) = (false, true);
                Group { key, rank, number, label, is_contradicted, is_written }.write(out);
            })?;
        }
        Ok(())
    }
}
