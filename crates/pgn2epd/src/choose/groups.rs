//! Groups of equal positions, of each of which one record is written at most.

use std::cmp::Reverse;
use std::ops::Range;

use emit::{Label, LabelForm, draw};
use san::{PositionKey, PositionMap};
use stream::spill::number::{read_number, write_number};
use stream::spill::partitions::RankedPlace;

use super::stored::StoredRecord;
use crate::equal_positions::Conflicts;

/// What is known of the records of equal positions, besides the preferred record itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) key: PositionKey,
    /// What records are preferred by; the highest is best.
    pub(super) rank: u32,
    /// The number of the preferred record.
    pub(super) number: u64,
    /// The sum of the labels, if they decide what is written.
    pub(super) label: Option<Label>,
    /// Whether results differ.
    pub(super) is_contradicted: bool,
}

/// How groups are formed, and what is written of each.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupPolicy {
    pub(super) conflicts: Conflicts,
    /// The format, if means are written.
    pub(super) means: Option<LabelForm>,
}

/// The records to be written, in any order.
#[derive(Debug, Default)]
pub(super) struct Survivors {
    /// The rank of each record, and its place in `bytes`.
    pub(super) items: Vec<RankedPlace>,
    pub(super) bytes: Vec<u8>,
    /// The number of records that are not written because of an equal position.
    pub(super) duplicates: u64,
}

impl Survivors {
    /// Returns records of different positions, which were stored as groups at these places.
    pub(super) fn of_different(
        bytes: Vec<u8>,
        mut places: Vec<RankedPlace>,
        rank: impl Fn(&Group) -> u64,
    ) -> Self {
        for (record_rank, place) in &mut places {
            let (group, record) =
                Group::read(&bytes[place.clone()]).expect("partitions hold groups");
            (*record_rank, place.start) = (rank(&group), place.end - record.len());
        }
        Survivors { items: places, bytes, duplicates: 0 }
    }
}

/// Groups by position. The order in which records are added does not matter.
#[derive(Debug)]
pub(super) struct GroupMap {
    policy: GroupPolicy,
    /// The index of each group by its position, and by the result with [`Conflicts::Majority`].
    indexes: PositionMap<usize, (PositionKey, u64)>,
    /// Each group and the place of its record.
    groups: Vec<(Group, Range<usize>)>,
    /// The records, and those that are no longer preferred.
    bytes: Vec<u8>,
    /// Number of records that will not be written because of an equal position.
    duplicates: u64,
    /// Number of groups for which there is memory.
    reserved: usize,
}

/// The memory of a group and of its entry in the map in bytes, besides its record.
const GROUP: usize = size_of::<(Group, Range<usize>)>();
const ENTRY: usize = size_of::<(PositionKey, u64, usize)>() + 1;

/// Returns a random number for a position.
pub(super) fn rank_of_position(seed: u64, key: PositionKey) -> u64 {
    draw(seed, key.stable_hash())
}

impl Group {
    /// Adds another record of the position; returns whether it is preferred.
    fn add(&mut self, other: &Group) -> bool {
        if let (Some(label), Some(more)) = (&mut self.label, other.label) {
            self.is_contradicted |= other.is_contradicted || label.contradicts(more);
            *label += more;
        }
        let order = |group: &Group| (Reverse(group.rank), group.number);
        let is_preferred = order(other) < order(self);
        if is_preferred {
            (self.rank, self.number) = (other.rank, other.number);
        }
        is_preferred
    }

    /// Appends the group as bytes, which its record follows.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.key.to_bytes());
        let flags = [self.is_contradicted, self.label.is_some()];
        out.push(flags.into_iter().fold(0, |bits, flag| 2 * bits + u8::from(flag)));
        write_number(self.rank.into(), out);
        if let Some(label) = self.label {
            out.extend_from_slice(&label.to_bytes());
        }
    }

    /// Reads a group that was [written](Group::write), and returns the bytes that follow; `None` if the bytes are not those of one.
    fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (key, bytes) = bytes.split_first_chunk()?;
        let (flags, mut bytes) = bytes.split_first()?;
        let rank = read_number(&mut bytes).ok()? as u32;
        let mut label = None;
        if flags & 1 != 0 {
            let (first, rest) = bytes.split_first_chunk()?;
            (label, bytes) = (Some(Label::from_bytes(first)), rest);
        }
        let group = Group {
            key: PositionKey::from_bytes(*key),
            rank,
            number: StoredRecord::number_of(bytes),
            label,
            is_contradicted: flags & 2 != 0,
        };
        Some((group, bytes))
    }
}

impl GroupMap {
    pub(super) fn new(policy: GroupPolicy) -> Self {
        GroupMap {
            policy,
            indexes: PositionMap::default(),
            groups: Vec::new(),
            bytes: Vec::new(),
            duplicates: 0,
            reserved: 0,
        }
    }

    /// Prepares memory for this number of groups with records of this size together, if it is at most `memory` bytes.
    pub(super) fn reserve(&mut self, groups: u64, bytes: u64, memory: usize) {
        let groups = groups as usize;
        if groups * ENTRY < memory / 2 {
            self.indexes.reserve(groups);
            self.groups.reserve_exact(groups);
            self.bytes.reserve_exact((bytes as usize).min(memory));
            self.reserved = groups;
        }
    }

    /// Returns an upper bound on the memory used, in bytes.
    pub(super) fn used(&self) -> usize {
        let groups = self.groups.len();
        if groups <= self.reserved {
            // The map is used everywhere, and the others up to their ends.
            return self.indexes.capacity() * 8 / 7 * ENTRY + groups * GROUP + self.bytes.len();
        }
        // The map and the vectors may have grown just now.
        2 * (groups * (GROUP + ENTRY) + self.bytes.len())
    }

    /// Adds a record that was stored as bytes; `None` if they are not those of a group.
    pub(super) fn add_stored(&mut self, bytes: &[u8]) -> Option<()> {
        let (group, record) = Group::read(bytes)?;
        self.add(group, |out| out.extend_from_slice(record));
        Some(())
    }

    /// Adds a record, which `write` appends.
    pub(super) fn add(&mut self, group: Group, write: impl FnOnce(&mut Vec<u8>)) {
        let by_result = self.policy.conflicts == Conflicts::Majority;
        // A group from the disk has the sum of several games, which have the same result.
        let result_of = |label: Label| label.halves() / label.games();
        let result = group.label.filter(|_| by_result).map_or(0, result_of);
        let index = *self.indexes.entry((group.key, result)).or_insert(self.groups.len());
        let start = self.bytes.len();
        match self.groups.get_mut(index) {
            Some((known, place)) => {
                self.duplicates += 1;
                if known.add(&group) {
                    write(&mut self.bytes);
                    *place = start..self.bytes.len();
                }
            }
            None => {
                write(&mut self.bytes);
                self.groups.push((group, start..self.bytes.len()));
            }
        }
    }

    /// Removes all groups, and passes each on with its record.
    pub(super) fn drain<E>(
        &mut self,
        mut take: impl FnMut(&Group, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let emptied = GroupMap { duplicates: self.duplicates, ..GroupMap::new(self.policy) };
        let GroupMap { groups, bytes, .. } = std::mem::replace(self, emptied);
        groups.into_iter().try_for_each(|(group, place)| take(&group, &bytes[place]))
    }

    /// Returns the records to be written, with these ranks.
    pub(super) fn into_survivors(mut self, rank: impl Fn(&Group) -> u64) -> Survivors {
        let GroupPolicy { conflicts, means } = self.policy;
        if conflicts == Conflicts::Majority {
            self.keep_majorities();
        }
        let GroupMap { indexes, groups, bytes, duplicates, .. } = self;
        drop(indexes);
        let items = Vec::with_capacity(groups.len());
        let mut found = Survivors { items, bytes, duplicates };
        for (group, mut place) in groups {
            if means.is_none() && group.is_contradicted {
                found.duplicates += 1;
                continue;
            }
            // Only the fields were stored.
            if let (Some(form), Some(label)) = (means, group.label) {
                let start = found.bytes.len();
                found.bytes.extend_from_within(place);
                label.write(form, &mut found.bytes);
                place = start..found.bytes.len();
            }
            found.items.push((rank(&group), place));
        }
        found
    }

    /// Of the groups of each position, marks all but the one with the most games as contradicted.
    fn keep_majorities(&mut self) {
        let mut best: PositionMap<(usize, u64, bool)> = PositionMap::default();
        for (index, (group, _)) in self.groups.iter_mut().enumerate() {
            group.is_contradicted = true;
            let games = group.label.map_or(0, Label::games);
            let best = best.entry(group.key).or_insert((index, 0, false));
            if games > best.1 {
                *best = (index, games, true);
            } else if games == best.1 {
                best.2 = false;
            }
        }
        for (index, _, is_alone) in best.into_values() {
            self.groups[index].0.is_contradicted = !is_alone;
        }
    }
}

#[cfg(test)]
mod tests {
    use san::Position;

    use super::*;

    fn policy() -> GroupPolicy {
        GroupPolicy { conflicts: Conflicts::Keep, means: None }
    }

    /// Adds groups with these numbers in place of placements.
    fn add(groups: &mut GroupMap, numbers: std::ops::Range<u64>) {
        let mut key = PositionKey::of(&Position::default()).to_bytes();
        for number in numbers {
            key[..8].copy_from_slice(&number.to_le_bytes());
            let key = PositionKey::from_bytes(key);
            let group = Group { key, rank: 0, number, label: None, is_contradicted: false };
            groups.add(group, |out| out.extend_from_slice(&[b'-'; 50]));
        }
    }

    #[test]
    fn reserved_groups_use_their_memory_and_others_may_have_grown() {
        let (mut reserved, mut others) = (GroupMap::new(policy()), GroupMap::new(policy()));
        reserved.reserve(1000, 50_000, 1 << 20);
        let capacities =
            |map: &GroupMap| (map.indexes.capacity(), map.groups.capacity(), map.bytes.capacity());
        let before = capacities(&reserved);
        add(&mut reserved, 0..1000);
        add(&mut others, 0..1000);
        assert_eq!(capacities(&reserved), before);
        let least = 1000 * (GROUP + ENTRY + 50);
        assert!(reserved.used() >= least && reserved.used() < 3 * least / 2, "{}", reserved.used());
        assert_eq!(others.used(), 2 * least);
        add(&mut reserved, 1000..1001);
        add(&mut others, 1000..1001);
        assert_eq!(reserved.used(), others.used());
    }

    #[test]
    fn the_map_is_not_reserved_if_it_takes_most_of_the_memory() {
        let mut groups = GroupMap::new(policy());
        groups.reserve(1000, 50_000, 2 * 1000 * ENTRY);
        assert_eq!((groups.indexes.capacity(), groups.used()), (0, 0));
    }
}
