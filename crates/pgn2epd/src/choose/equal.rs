//! Chooses among the records of equal positions in bounded memory.

use std::collections::HashSet;
use std::io;
use std::mem;
use std::path::PathBuf;
use std::sync::Arc;

use san::{PositionKey, PositionSet};
use stream::ordered::{OrderedTasks, Threads};
use stream::spill::partitions::{Partition, Partitions, RankedPlace};
use stream::spill::temporary::SpillError;

use super::first_positions::{FirstPositions, PositionSets, bytes_of_positions};
use super::groups::{Group, GroupMap, GroupPolicy, Survivors};
use super::stored_groups::{Part, StoredGroups};
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
        let groups = StoredGroups::new(policy, options.seed, memory, threads, is_ahead, parts);
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
        self.groups.policy().means.is_some()
    }

    /// Returns the number of records omitted since the last call.
    pub(super) fn take_duplicates(&mut self) -> u64 {
        mem::take(&mut self.duplicates)
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
        let (policy, rank, prepare) = (groups.policy(), Box::new(rank), Box::new(prepare));
        let all_differ = ahead.is_some();
        let processor = Arc::new(Processor { policy, all_differ, room, folder, rank, prepare });
        let parts = groups.take_parts();
        let mut counts = (0, duplicates + groups.omitted());
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
