//! Where the records of a chunk are in its text, and what their selection depends on.

use std::borrow::Cow;
use std::ops::Range;

use emit::{GameValues, Labelled, Plan};
use epd::RegisterPlace;
use pgn::Outcome;
use san::PositionKey;
use stream::spill::buckets::Buckets;

use crate::data_split::DataSplit;
use crate::equal_positions::Preference;
use crate::partition_by::PartitionBy;

/// What is noted of each record.
#[derive(Clone, Debug, Default)]
pub(crate) struct MarkPlan {
    /// Whether records are marked at all.
    pub(crate) is_needed: bool,
    /// Whether equal positions are recognised.
    pub(crate) keys: bool,
    /// Whether the labels of equal positions decide which of them are written.
    pub(crate) labels: bool,
    /// The number of sets among which their keys are divided; zero if they are not.
    pub(crate) sets: usize,
    /// Whether the places of registers are needed.
    pub(crate) register_places: bool,
    /// Which of equal positions is preferred.
    pub(crate) preference: Preference,
    /// How games are divided, with the seed, if they are.
    pub(crate) split: Option<(DataSplit, u64)>,
    /// How games are divided among folders, if they are.
    pub(crate) partition_by: Option<PartitionBy>,
}

/// Returns the number of sets for this number of threads: a power of two.
pub(crate) fn sets_for(threads: usize) -> usize {
    threads.next_power_of_two()
}

/// Returns which of these sets has a position.
pub(super) fn set_of(key: &PositionKey, sets: usize) -> usize {
    key.stable_hash() as usize % sets
}

impl MarkPlan {
    /// Makes what collects the values of a game that decide on its folder, if any do.
    pub(super) fn game_values<'p>(&'p self, plan: &'p Plan) -> Option<GameValues<'p>> {
        let by = self.partition_by.as_ref()?;
        Some(GameValues::new(by.columns().columns(), plan))
    }
}

/// The records of a chunk.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    pub(super) records: Vec<Mark>,
    /// The position of each record, if needed.
    pub(super) keys: Vec<PositionKey>,
    /// The keys once more, if they are divided.
    divided_keys: DividedKeys,
    /// The label of each record, if conflicts between equal positions are resolved.
    pub(super) labels: Vec<Labelled>,
    /// What equal positions are preferred by, if not by their order.
    pub(super) ranks: Vec<u32>,
    /// The output of each game begun.
    pub(super) outputs: Vec<usize>,
    /// The partition of each game begun, if there are any.
    partitions: Vec<usize>,
    /// The folders of the partitions.
    folders: Vec<String>,
    /// The places of the registers of all records, if needed.
    places: Vec<RegisterPlace>,
}

/// The keys of records, divided by their hash.
#[derive(Debug, Default)]
pub(super) struct DividedKeys {
    records: Buckets,
    /// The number of the record and the key of each, set by set. Numbers and keys apart take twice the time to look up.
    keys: Vec<(u32, PositionKey)>,
}

/// The location of a record in the text of the chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    start: usize,
    end: usize,
    /// Index of its game among those begun.
    pub(super) game: usize,
    pub(super) positions: u64,
    /// End of its places among those of all records.
    places_end: usize,
}

impl DividedKeys {
    /// Divides the keys among `sets` sets, a power of two.
    fn new(keys: &[PositionKey], sets: usize) -> Self {
        let records = Buckets::new(sets, keys.iter().map(|key| set_of(key, sets)));
        let with_key = |record: &u32| (*record, keys[*record as usize]);
        let keys = records.indexes().iter().map(with_key).collect();
        DividedKeys { records, keys }
    }

    /// Returns the keys of a set, in the order of their records.
    pub(super) fn of_set(&self, set: usize) -> &[(u32, PositionKey)] {
        &self.keys[self.records.range(set)]
    }
}

impl Marks {
    /// Divides the keys of all records among sets, if there are several.
    pub(crate) fn divide_keys(&mut self, plan: &MarkPlan) {
        if plan.sets > 0 {
            self.divided_keys = DividedKeys::new(&self.keys, plan.sets);
        }
    }

    pub(super) fn divided_keys(&self) -> &DividedKeys {
        &self.divided_keys
    }

    pub(super) fn take_divided_keys(&mut self) -> DividedKeys {
        std::mem::take(&mut self.divided_keys)
    }

    /// Returns the location of a record in the text.
    pub(crate) fn range(&self, index: usize) -> Range<usize> {
        let Mark { start, end, .. } = self.records[index];
        start..end
    }

    /// Returns the places of the registers of a record, if they are noted.
    pub(crate) fn register_places(&self, index: usize) -> &[RegisterPlace] {
        let start = index.checked_sub(1).map_or(0, |before| self.records[before].places_end);
        &self.places[start..self.records[index].places_end]
    }

    /// Removes all records from `len` on.
    pub(super) fn truncate(&mut self, len: usize) {
        self.records.truncate(len);
        self.keys.truncate(len);
        self.labels.truncate(len);
        self.ranks.truncate(len);
        self.places.truncate(self.records.last().map_or(0, |last| last.places_end));
    }

    pub(crate) fn clear(&mut self) {
        self.truncate(0);
        self.outputs.clear();
        self.partitions.clear();
        self.folders.clear();
        self.divided_keys = DividedKeys::default();
    }

    /// Begins a game.
    pub(super) fn begin(&mut self) {
        self.outputs.push(0);
    }

    /// Notes the output of the game.
    pub(super) fn set_output(&mut self, text: &[u8], plan: &MarkPlan) {
        if let (Some((split, seed)), Some(output)) = (&plan.split, self.outputs.last_mut()) {
            *output = split.part_of(emit::draw_text(*seed, &with_line_feeds(text)));
        }
    }

    /// Notes the partition of the game.
    pub(super) fn set_partition(
        &mut self,
        values: &mut Option<GameValues<'_>>,
        plan: &MarkPlan,
        outcome: Option<Outcome>,
    ) {
        let (Some(by), Some(values)) = (&plan.partition_by, values) else { return };
        let folder = by.folder(values.end(outcome));
        let known = self.folders.iter().rposition(|known| *known == folder);
        // Games that were discarded are in any.
        self.partitions.resize(self.outputs.len(), 0);
        self.partitions[self.outputs.len() - 1] = known.unwrap_or(self.folders.len());
        if known.is_none() {
            self.folders.push(folder);
        }
    }

    /// Returns the folders of the partitions.
    pub(super) fn folders(&self) -> impl Iterator<Item = &str> {
        self.folders.iter().map(String::as_str)
    }

    /// Adds to the output of each game the first output of its partition.
    pub(super) fn divide(&mut self, first_output: impl Fn(usize) -> usize) {
        for (output, partition) in self.outputs.iter_mut().zip(self.partitions.drain(..)) {
            *output += first_output(partition);
        }
    }

    /// Adds a record of the game.
    pub(super) fn push(&mut self, range: Range<usize>, positions: u64, places: &[RegisterPlace]) {
        self.places.extend_from_slice(places);
        self.records.push(Mark {
            start: range.start,
            end: range.end,
            game: self.outputs.len() - 1,
            positions,
            places_end: self.places.len(),
        });
    }
}

/// Replaces the other ends of lines, a carriage return alone or before a line feed.
fn with_line_feeds(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\r', text).is_none() {
        return text.into();
    }
    let mut lines = Vec::with_capacity(text.len());
    for (index, byte) in text.iter().enumerate() {
        match byte {
            b'\r' if text.get(index + 1) == Some(&b'\n') => {}
            b'\r' => lines.push(b'\n'),
            _ => lines.push(*byte),
        }
    }
    lines.into()
}
