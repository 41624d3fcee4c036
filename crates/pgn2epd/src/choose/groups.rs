//! Groups of equal positions, of each of which one record is written at most.

use emit::{Label, LabelForm};
use san::{PositionKey, PositionMap};
use stream::spill::number::{read_number, write_number};

use crate::equal_positions::Conflicts;

/// What is known of the records of equal positions.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) key: PositionKey,
    /// What records are preferred by; the highest is best.
    pub(super) rank: u32,
    /// The number of the preferred record.
    pub(super) number: u64,
    /// The sum of the labels, if the format has labels.
    pub(super) label: Option<Label>,
    /// Whether results differ.
    pub(super) is_contradicted: bool,
    /// Whether a record was written already.
    pub(super) is_written: bool,
    /// The preferred record.
    pub(super) record: Box<[u8]>,
}

/// How groups are formed, and what is written of each.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupPolicy {
    pub(super) conflicts: Conflicts,
    /// The format, if means are written.
    pub(super) means: Option<LabelForm>,
}

/// A record to be written, and its number.
pub(super) type Survivor = (u64, Box<[u8]>);

/// Groups by position.
#[derive(Debug)]
pub(super) struct GroupMap {
    policy: GroupPolicy,
    /// The index of each group by its position, and by the result with [`Conflicts::Majority`].
    places: PositionMap<usize, (PositionKey, u64)>,
    groups: Vec<Group>,
    /// The size of all records in bytes.
    bytes: usize,
    /// Number of records that will not be written because of an equal position.
    pub(super) duplicates: u64,
}

/// An upper bound on the memory of a group in bytes, besides its record: the map and the vector may have grown just now.
const GROUP: usize = 2 * (size_of::<Group>() + size_of::<(PositionKey, u64, usize)>() + 1) + 16;

impl Group {
    /// Adds another record of the position.
    fn add(&mut self, other: Group) {
        if let (Some(label), Some(more)) = (&mut self.label, other.label) {
            self.is_contradicted |= other.is_contradicted || label.contradicts(more);
            *label += more;
        }
        self.is_written |= other.is_written;
        let order = |group: &Group| (std::cmp::Reverse(group.rank), group.number);
        if order(&other) < order(self) {
            (self.rank, self.number, self.record) = (other.rank, other.number, other.record);
        }
    }

    /// Appends the group as bytes.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.key.to_bytes());
        let flags = [self.is_written, self.is_contradicted, self.label.is_some()];
        out.push(flags.into_iter().fold(0, |bits, flag| 2 * bits + u8::from(flag)));
        write_number(self.rank.into(), out);
        write_number(self.number, out);
        if let Some(label) = self.label {
            out.extend_from_slice(&label.to_bytes());
        }
        out.extend_from_slice(&self.record);
    }

    /// Reads a group that was [written](Group::write); `None` if the bytes are not those of one.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let (key, bytes) = bytes.split_first_chunk()?;
        let (flags, mut bytes) = bytes.split_first()?;
        let rank = read_number(&mut bytes).ok()? as u32;
        let number = read_number(&mut bytes).ok()?;
        let mut label = None;
        if flags & 1 != 0 {
            let (first, rest) = bytes.split_first_chunk()?;
            (label, bytes) = (Some(Label::from_bytes(first)), rest);
        }
        Some(Group {
            key: PositionKey::from_bytes(*key),
            rank,
            number,
            label,
            is_contradicted: flags & 2 != 0,
            is_written: flags & 4 != 0,
            record: bytes.into(),
        })
    }

    /// Returns the record to be written.
    fn into_survivor(self, means: Option<LabelForm>) -> Survivor {
        let Group { number, label, record, .. } = self;
        match (means, label) {
            // Only the fields were stored.
            (Some(form), Some(label)) => {
                let mut record = record.into_vec();
                label.write(form, &mut record);
                (number, record.into())
            }
            _ => (number, record),
        }
    }
}

impl GroupMap {
    pub(super) fn new(policy: GroupPolicy) -> Self {
        GroupMap {
            policy,
            places: PositionMap::default(),
            groups: Vec::new(),
            bytes: 0,
            duplicates: 0,
        }
    }

    /// Returns an upper bound on the memory used, in bytes.
    pub(super) fn used(&self) -> usize {
        self.groups.len() * GROUP + self.bytes
    }

    /// Adds a record.
    pub(super) fn add(&mut self, group: Group) {
        let by_result = self.policy.conflicts == Conflicts::Majority;
        let result = group.label.filter(|_| by_result).map_or(0, Label::halves);
        let place = *self.places.entry((group.key, result)).or_insert(self.groups.len());
        match self.groups.get_mut(place) {
            Some(known) => {
                let before = known.record.len();
                known.add(group);
                self.bytes = self.bytes - before + known.record.len();
                self.duplicates += 1;
            }
            None => {
                self.bytes += group.record.len();
                self.groups.push(group);
            }
        }
    }

    /// Returns all groups.
    pub(super) fn into_groups(self) -> Vec<Group> {
        self.groups
    }

    /// Returns the records to be written, and the number of duplicates.
    pub(super) fn into_survivors(mut self) -> (Vec<Survivor>, u64) {
        let GroupPolicy { conflicts, means } = self.policy;
        if conflicts == Conflicts::Majority {
            self.keep_majorities();
        }
        let mut survivors = Vec::with_capacity(self.groups.len());
        for group in self.groups {
            if !group.is_written && (means.is_some() || !group.is_contradicted) {
                survivors.push(group.into_survivor(means));
            }
        }
        (survivors, self.duplicates)
    }

    /// Of the groups of each position, marks all but the one with the most games as contradicted.
    fn keep_majorities(&mut self) {
        let mut best: PositionMap<(usize, u64, bool)> = PositionMap::default();
        for (index, group) in self.groups.iter_mut().enumerate() {
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
            self.groups[index].is_contradicted = !is_alone;
        }
    }
}
