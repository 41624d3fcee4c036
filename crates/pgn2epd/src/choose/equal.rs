//! Chooses among the records of equal positions in bounded memory.

use std::collections::HashSet;
use std::path::PathBuf;

use san::{PositionKey, PositionSet};
use stream::ordered::{OrderedTasks, Threads};
use stream::spill::partitions::{Partition, Partitions};
use stream::spill::temporary::SpillError;

use super::first_positions::{FirstPositions, bytes_of_positions};
use super::groups::{Group, GroupMap, GroupPolicy, Survivor};
use crate::equal_positions::{Conflicts, Preference};
use crate::options::{Format, Options};

/// Chooses one record, or none, of each group of equal positions.
///
/// If the first record is chosen whatever follows, records are written at once as long as all positions fit in memory. Otherwise,
/// and from then on, records are stored. Those that do not fit are divided by position among partitions of a temporary file,
/// each of which is processed on its own.
#[derive(Debug)]
pub(super) struct EqualPositions {
    memory: usize,
    folder: PathBuf,
    /// The positions of the records written, if these are decided on by several threads. Then `written` is empty.
    ahead: Option<FirstPositions>,
    /// The positions of the records written, while the first one of each is.
    written: Option<PositionSet>,
    stored: GroupMap,
    policy: GroupPolicy,
    parts: Option<Partitions>,
    scratch: Vec<u8>,
}

/// Receives the number and the bytes of a record.
type TakeRecord<'t> = dyn FnMut(u64, &[u8]) -> Result<(), SpillError> + 't;

/// The result of a partition.
enum Processed {
    Survivors(Vec<Survivor>, u64),
    /// Its groups do not fit in memory.
    TooLarge(Partition),
}

impl EqualPositions {
    /// Creates a chooser that uses about `memory` bytes, if the options omit any equal positions. Chunks are decided on ahead by
    /// `threads`.
    pub(super) fn new(options: &Options, memory: usize, threads: Option<&Threads>) -> Option<Self> {
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
        Some(EqualPositions {
            memory,
            folder: options.temp_folder(),
            ahead: threads.map(|threads| FirstPositions::new(threads, memory)),
            written: is_first.then(HashSet::default),
            stored: GroupMap::new(policy),
            policy,
            parts: None,
            scratch: Vec::new(),
        })
    }

    /// Whether only the fields of records are stored, because the label of the group follows them.
    pub(super) fn stores_fields(&self) -> bool {
        self.policy.means.is_some()
    }

    /// Returns the number of records omitted since the last call.
    pub(super) fn take_duplicates(&mut self) -> u64 {
        std::mem::take(&mut self.stored.duplicates)
    }

    /// Whether records are decided on by several threads, as long as they fit in memory.
    pub(super) fn ahead(&mut self) -> Option<&mut FirstPositions> {
        self.ahead.as_mut()
    }

    /// Decides on further records on this thread. All decisions by others must be known.
    pub(super) fn end_ahead(&mut self) -> Result<(), SpillError> {
        let Some(ahead) = self.ahead.take() else { return Ok(()) };
        self.written = None;
        let positions = ahead.into_positions().map_err(SpillError::within(&self.folder))?;
        self.store_positions(positions)
    }

    /// Counts records that are omitted.
    pub(super) fn count_duplicates(&mut self, count: u64) {
        self.stored.duplicates += count;
    }

    /// Returns whether a record is to be written at once; `None` if it must be stored.
    #[inline]
    pub(super) fn is_written_now(&mut self, key: PositionKey) -> Result<Option<bool>, SpillError> {
        let Some(written) = &mut self.written else { return Ok(None) };
        let is_full =
            written.len() == written.capacity() && bytes_of_positions(written.len()) > self.memory;
        if is_full && !written.contains(&key) {
            self.store_written()?;
            return Ok(None);
        }
        let is_new = written.insert(key);
        self.stored.duplicates += u64::from(!is_new);
        Ok(Some(is_new))
    }

    /// Stores the positions written so far, to recognise them later.
    #[cold]
    fn store_written(&mut self) -> Result<(), SpillError> {
        let written = self.written.take();
        self.store_positions(written.into_iter().flatten())
    }

    /// Stores positions of which a record was written.
    fn store_positions(
        &mut self,
        positions: impl Iterator<Item = PositionKey>,
    ) -> Result<(), SpillError> {
        let mut parts = Partitions::new(self.memory, &self.folder, 0)?;
        for key in positions {
            let (rank, number, record) = (u32::MAX, 0, Box::default());
            let (label, is_contradicted, is_written) = (None, false, true);
            let group = Group { key, rank, number, label, is_contradicted, is_written, record };
            push(&mut parts, &group, &mut self.scratch)?;
        }
        self.parts = Some(parts);
        Ok(())
    }

    /// Stores a record.
    pub(super) fn store(&mut self, group: Group) -> Result<(), SpillError> {
        if self.parts.is_none() && self.stored.used() + group.record.len() > self.memory {
            let mut parts = Partitions::new(self.memory, &self.folder, 0)?;
            let duplicates = self.stored.duplicates;
            let stored = std::mem::replace(&mut self.stored, GroupMap::new(self.policy));
            self.stored.duplicates = duplicates;
            for group in stored.into_groups() {
                push(&mut parts, &group, &mut self.scratch)?;
            }
            self.parts = Some(parts);
        }
        match &mut self.parts {
            Some(parts) => push(parts, &group, &mut self.scratch)?,
            None => self.stored.add(group),
        }
        Ok(())
    }

    /// Passes on each stored record that is chosen with its number, in no particular order; returns the number of records
    /// omitted since the [last question](Self::take_duplicates).
    pub(super) fn finish(
        self,
        threads: Threads,
        take: &mut TakeRecord<'_>,
    ) -> Result<u64, SpillError> {
        let EqualPositions { memory, folder, stored, policy, parts, .. } = self;
        let (survivors, mut duplicates) = stored.into_survivors();
        survivors.iter().try_for_each(|(number, record)| take(*number, record))?;
        let mut left = parts.map(Partitions::finish).transpose()?.unwrap_or_default();
        let room = memory / (threads.count() + 1);
        let mut tasks: OrderedTasks<Result<Processed, SpillError>> = OrderedTasks::new(threads);
        loop {
            let next = match (tasks.next_ready(), left.pop()) {
                (None, Some(partition)) => {
                    let task = move || process(partition, policy, room);
                    tasks.push(task).map_err(SpillError::within(&folder))?;
                    continue;
                }
                (Some(next), partition) => {
                    left.extend(partition);
                    next
                }
                (None, None) => match tasks.wait() {
                    Some(next) => next,
                    None => return Ok(duplicates),
                },
            };
            match next? {
                Processed::Survivors(survivors, more) => {
                    survivors.iter().try_for_each(|(number, record)| take(*number, record))?;
                    duplicates += more;
                }
                Processed::TooLarge(partition) => left.extend(partition.divide(memory, &folder)?),
            }
        }
    }
}

/// Adds a group to its partition.
fn push(parts: &mut Partitions, group: &Group, scratch: &mut Vec<u8>) -> Result<(), SpillError> {
    scratch.clear();
    group.write(scratch);
    parts.push(group.key.stable_hash(), scratch)
}

/// Chooses among the records of a partition, if they fit in `room` bytes.
fn process(
    partition: Partition,
    policy: GroupPolicy,
    room: usize,
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
    let read = partition.for_each(|_, bytes| {
        groups.add(Group::read(bytes).expect("partitions hold groups"));
        match groups.used() > room && partition.is_divisible() {
            true => Err(Stop::TooLarge),
            false => Ok(()),
        }
    });
    match read {
        Err(Stop::TooLarge) => Ok(Processed::TooLarge(partition)),
        Err(Stop::Failed(error)) => Err(error),
        Ok(()) => {
            let (survivors, duplicates) = groups.into_survivors();
            Ok(Processed::Survivors(survivors, duplicates))
        }
    }
}
