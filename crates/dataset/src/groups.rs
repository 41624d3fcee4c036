//! Groups of records with equal keys, of each of which one record is written at most.

use std::io;
use std::ops::Range;
use std::path::Path;

use san::{PositionKey, PositionMap};
use stream::spill::write_number;

use crate::partitions::{Partition, Processed, RankedPlace};
use crate::record::{Label, Place, Records, read_stored};
use crate::steps::{AppendMean, Preference};

/// What is known of the records with a key, besides the preferred record itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) key: PositionKey,
    /// What records are preferred by; the highest is best.
    rank: u32,
    /// The number of the preferred record.
    pub(crate) number: u64,
    /// The sum of the labels, if they decide what is written.
    label: Option<Label>,
    /// Whether results differ.
    is_contradicted: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct GroupPolicy {
    pub(crate) keep: Preference,
    pub(crate) append_mean: Option<AppendMean>,
}

/// The records to be written, in any order.
#[derive(Debug, Default)]
pub(crate) struct Survivors {
    pub(crate) items: Vec<RankedPlace>,
    pub(crate) bytes: Vec<u8>,
    /// The number of records that are not written because of an equal one.
    pub(crate) duplicates: u64,
}

impl Group {
    pub(crate) fn of(records: &Records, index: usize, number: u64) -> Self {
        Group {
            key: records.keys[index],
            rank: records.ranks.get(index).copied().unwrap_or_default(),
            number,
            label: records.labels.get(index).copied(),
            is_contradicted: false,
        }
    }

    /// Adds another record of the key; returns whether it is preferred.
    fn add(&mut self, other: &Group, keep: Preference) -> bool {
        if let (Some(label), Some(more)) = (&mut self.label, other.label) {
            self.is_contradicted |= label.contradicts(more);
            *label += more;
        }
        let is_preferred = match keep {
            Preference::Last => other.number > self.number,
            Preference::Deepest if other.rank != self.rank => other.rank > self.rank,
            _ => other.number < self.number,
        };
        if is_preferred {
            (self.rank, self.number) = (other.rank, other.number);
        }
        is_preferred
    }

    /// Appends the group of a record alone as bytes, which the record follows.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.key.to_bytes());
        write_number(self.rank.into(), out);
        match self.label {
            None => out.push(0),
            Some(Label { count, results, scores }) => {
                // Zigzag, so that small negative scores take few bytes.
                let scores = (scores << 1 ^ scores >> 63).cast_unsigned();
                [count, results, scores].into_iter().for_each(|number| write_number(number, out));
            }
        }
    }

    fn read(stored: &[u8]) -> (Self, &[u8]) {
        let (key, mut stored) = stored.split_first_chunk().expect("stored groups are whole");
        let mut number = || read_stored(&mut stored);
        let (rank, count) = (number() as u32, number());
        let label = (count > 0).then(|| {
            let (results, scores) = (number(), number());
            Label {
                count,
                results,
                scores: (scores >> 1).cast_signed() ^ -((scores & 1).cast_signed()),
            }
        });
        let (Place { number, .. }, _) = Place::read(stored);
        let key = PositionKey::from_bytes(*key);
        (Group { key, rank, number, label, is_contradicted: false }, stored)
    }
}

impl GroupPolicy {
    /// Divides the partition if its groups do not fit in `memory` bytes.
    /// `all_differ`: no two records have the same key. `rank` is of the record chosen from a group.
    pub(crate) fn choose(
        &self,
        partition: Partition,
        all_differ: bool,
        (memory, folder): (usize, &Path),
        rank: impl Fn(&Group) -> u64,
    ) -> io::Result<Processed<Survivors>> {
        if all_differ && (!partition.is_divisible() || partition.memory() <= memory as u64) {
            let (bytes, mut items) = partition.read()?;
            for (record_rank, place) in &mut items {
                let (group, record) = Group::read(&bytes[place.clone()]);
                (*record_rank, place.start) = (rank(&group), place.end - record.len());
            }
            return Ok(Processed::Done(Survivors { items, bytes, duplicates: 0 }));
        }
        let groups = if all_differ { None } else { GroupMap::read(self, &partition, memory)? };
        Ok(match groups {
            Some(groups) => Processed::Done(groups.into_survivors(rank)),
            None => Processed::Divided(partition.divide(memory, folder)?),
        })
    }
}

/// Groups by key. The order in which records are added does not matter.
#[derive(Debug)]
struct GroupMap<'p> {
    policy: &'p GroupPolicy,
    indexes: PositionMap<usize>,
    groups: Vec<(Group, Range<usize>)>,
    /// The records, and those that are no longer preferred.
    bytes: Vec<u8>,
    duplicates: u64,
}

/// Bytes of a group and its entry in the map, without its record. A map is full at 7/8.
const GROUP: usize = size_of::<(Group, Range<usize>)>();
const ENTRY: usize = (size_of::<(PositionKey, usize)>() + 1) * 8 / 7;

impl<'p> GroupMap<'p> {
    fn new(policy: &'p GroupPolicy) -> Self {
        GroupMap {
            policy,
            indexes: PositionMap::default(),
            groups: Vec::new(),
            bytes: Vec::new(),
            duplicates: 0,
        }
    }

    /// Reads the groups of a partition; `None` if they do not fit in memory, but parts of them may.
    fn read(
        policy: &'p GroupPolicy,
        partition: &Partition,
        memory: usize,
    ) -> io::Result<Option<Self>> {
        let mut groups = GroupMap::new(policy);
        // Most keys differ, and what is reserved need not be copied.
        let (count, bytes) = (partition.records() as usize, partition.bytes() as usize);
        if count * (GROUP + ENTRY) + bytes <= memory {
            groups.indexes.reserve(count);
            groups.groups.reserve_exact(count);
            groups.bytes.reserve_exact(bytes);
        }
        let is_whole = partition.for_each(|_, stored| {
            groups.add(stored);
            Ok(groups.memory() <= memory || !partition.is_divisible())
        })?;
        Ok(is_whole.then_some(groups))
    }

    /// Returns the memory used, in bytes.
    fn memory(&self) -> usize {
        self.indexes.capacity() * ENTRY + self.groups.capacity() * GROUP + self.bytes.capacity()
    }

    fn add(&mut self, stored: &[u8]) {
        let (group, record) = Group::read(stored);
        let index = *self.indexes.entry(group.key).or_insert(self.groups.len());
        let Some((known, place)) = self.groups.get_mut(index) else {
            let start = self.bytes.len();
            self.bytes.extend_from_slice(record);
            return self.groups.push((group, start..self.bytes.len()));
        };
        self.duplicates += 1;
        if !known.add(&group, self.policy.keep) {
            return;
        }
        if record.len() > place.len() {
            place.start = self.bytes.len();
            self.bytes.resize(place.start + record.len(), 0);
        }
        place.end = place.start + record.len();
        self.bytes[place.clone()].copy_from_slice(record);
    }

    fn into_survivors(self, rank: impl Fn(&Group) -> u64) -> Survivors {
        let GroupMap { policy, indexes, groups, bytes, duplicates } = self;
        drop(indexes);
        let items = Vec::with_capacity(groups.len());
        let mut found = Survivors { items, bytes, duplicates };
        for (group, mut place) in groups {
            match (&policy.append_mean, group.label) {
                (Some(append_mean), Some(label)) => {
                    let start = found.bytes.len();
                    found.bytes.extend_from_within(place);
                    append_mean.0(group.key, label, &mut found.bytes);
                    place = start..found.bytes.len();
                }
                _ if group.is_contradicted => {
                    found.duplicates += 1;
                    continue;
                }
                _ => {}
            }
            found.items.push((rank(&group), place));
        }
        found
    }
}
