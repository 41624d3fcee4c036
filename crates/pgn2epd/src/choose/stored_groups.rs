//! Groups of records with equal positions, in memory or in a temporary file, to which several threads add records.

use std::iter;
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use san::PositionKey;
use stream::ordered::Threads;
use stream::spill::partitions::{PARTITIONS, Partition, Partitions};
use stream::spill::temporary::SpillError;

use super::first_positions::PositionSets;
use super::groups::{Group, GroupMap, GroupPolicy, rank_of_position};
use super::marks::sets_for;

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
pub(super) enum Part {
    InMemory(GroupMap),
    OnDisk(Partition),
}

/// A record that is stored.
pub(super) trait GroupRecords {
    /// Returns the group of a record.
    fn group(&self, index: usize) -> Group;

    /// Appends a record.
    fn write(&self, index: usize, out: &mut Vec<u8>);
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
    /// Creates sets that use about `memory` bytes together, for several `threads`. All records go to the partitions if they are
    /// stored `on_disk`.
    pub(super) fn new(
        policy: GroupPolicy,
        seed: u64,
        memory: usize,
        threads: &Threads,
        on_disk: bool,
        parts: Partitions,
    ) -> Self {
        // The positions of a partition are in one set.
        let sets = sets_for(threads.count()).min(PARTITIONS);
        StoredGroups {
            policy,
            seed,
            set_memory: memory / sets,
            sets: (0..sets).map(|_| GroupSet::new(policy, on_disk)).collect(),
            parts,
            decided: OnceLock::new(),
            omitted: AtomicU64::new(0),
        }
    }

    pub(super) fn policy(&self) -> GroupPolicy {
        self.policy
    }

    /// Returns the number of records omitted because of positions that were [decided before](Self::omit).
    pub(super) fn omitted(&self) -> u64 {
        self.omitted.load(Ordering::Relaxed)
    }

    fn rank(&self, key: PositionKey) -> u64 {
        rank_of_position(self.seed, key)
    }

    /// Returns the index of the set for positions of a rank.
    fn set_of(&self, rank: u64) -> usize {
        // Their number is a power of two.
        rank.unbounded_shr(u64::BITS - self.sets.len().ilog2()) as usize
    }

    /// Removes all groups, and returns them in the order of their ranks.
    pub(super) fn take_parts(&self) -> Vec<Part> {
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
    pub(super) fn omit(&self, positions: PositionSets) {
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

#[cfg(test)]
mod tests {
    use san::Position;

    use super::*;
    use crate::equal_positions::Conflicts;

    const POLICY: GroupPolicy = GroupPolicy { conflicts: Conflicts::Keep, means: None };

    /// Records of 50 bytes; the number of each stands for its placement.
    struct Records;

    impl GroupRecords for Records {
        fn group(&self, index: usize) -> Group {
            let key = key(index);
            Group { key, rank: 0, number: index as u64, label: None, is_contradicted: false }
        }

        fn write(&self, _: usize, out: &mut Vec<u8>) {
            out.extend_from_slice(&[b'-'; 50]);
        }
    }

    fn key(number: usize) -> PositionKey {
        let mut key = PositionKey::of(&Position::default()).to_bytes();
        key[..8].copy_from_slice(&number.to_le_bytes());
        PositionKey::from_bytes(key)
    }

    /// Groups for four threads with this memory in bytes, of which all go to the partitions if they are stored `on_disk`.
    fn stored_groups(memory: usize, on_disk: bool) -> StoredGroups {
        let parts = Partitions::new(1 << 20, &std::env::temp_dir());
        StoredGroups::new(POLICY, 1, memory, &Threads::new(4), on_disk, parts)
    }

    /// The number of records in each set, and that in each partition.
    fn counts(groups: &StoredGroups) -> (Vec<u64>, Vec<u64>) {
        let (mut in_memory, mut on_disk) = (Vec::new(), Vec::new());
        for part in groups.take_parts() {
            match part {
                Part::InMemory(groups) => {
                    in_memory.push(groups.into_survivors(|_| 0).items.len() as u64)
                }
                Part::OnDisk(partition) => on_disk.push(partition.records()),
            }
        }
        (in_memory, on_disk)
    }

    #[test]
    fn records_that_fit_in_memory_are_not_in_partitions() {
        let groups = stored_groups(1 << 20, false);
        groups.store(0..1000, &Records, false).unwrap();
        let (in_memory, on_disk) = counts(&groups);
        assert_eq!((in_memory.len(), in_memory.iter().sum()), (4, 1000));
        assert!(on_disk.is_empty());
    }

    #[test]
    fn a_set_goes_to_the_partitions_when_its_share_of_the_memory_is_used() {
        let groups = stored_groups(100_000, false);
        groups.store(0..1000, &Records, false).unwrap();
        let (in_memory, on_disk) = counts(&groups);
        assert_eq!((in_memory, on_disk.iter().sum()), (vec![0; 4], 1000_u64));
    }

    #[test]
    fn all_records_are_in_partitions_if_they_are_stored_on_disk() {
        let groups = stored_groups(1 << 20, true);
        groups.store(0..10, &Records, false).unwrap();
        let (in_memory, on_disk) = counts(&groups);
        assert_eq!((in_memory, on_disk.iter().sum()), (vec![0; 4], 10_u64));
    }

    #[test]
    fn parts_are_in_the_order_of_their_ranks() {
        let groups = stored_groups(1 << 20, false);
        groups.sets[2].is_on_disk.store(true, Ordering::Relaxed);
        groups.store(0..1000, &Records, false).unwrap();
        let sets = groups.take_parts().into_iter().map(|part| match part {
            Part::InMemory(_) => None,
            Part::OnDisk(partition) => Some(groups.set_of(partition.least_rank())),
        });
        let mut sets: Vec<_> = sets.collect();
        sets.dedup();
        assert_eq!(sets, [None, Some(2), None]);
    }

    #[test]
    fn records_of_decided_positions_are_omitted_unless_they_are_the_first() {
        let groups = stored_groups(1 << 20, false);
        let decided = (0..10).map(key).collect();
        groups.omit(PositionSets::new(vec![decided]));
        groups.store(5..15, &Records, false).unwrap();
        assert_eq!(groups.omitted(), 5);
        groups.store(0..5, &Records, true).unwrap();
        assert_eq!(groups.omitted(), 5);
        let (in_memory, on_disk) = counts(&groups);
        assert_eq!((in_memory, on_disk.iter().sum()), (vec![0; 4], 10_u64));
    }
}
