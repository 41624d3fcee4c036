//! Keys divided among sets, which are looked up side by side.

use san::PositionKey;

use crate::buckets::Buckets;

/// The keys of records, divided by their hash.
#[derive(Debug, Default)]
pub(crate) struct DividedKeys {
    records: Buckets,
    /// The number of the record and the key of each, set by set. Numbers and keys apart take twice the time to look up.
    keys: Vec<(u32, PositionKey)>,
}

/// Returns the number of sets for this number of threads: a power of two.
pub(crate) fn sets_for(threads: usize) -> usize {
    threads.next_power_of_two()
}

/// Returns which of these sets has a key.
pub(crate) fn set_of(key: &PositionKey, sets: usize) -> usize {
    key.stable_hash() as usize % sets
}

impl DividedKeys {
    pub(crate) fn new(keys: &[PositionKey], threads: usize) -> Self {
        let sets = sets_for(threads);
        let records = Buckets::new(sets, keys.iter().map(|key| set_of(key, sets)));
        let with_key = |record: &u32| (*record, keys[*record as usize]);
        let keys = records.indexes().iter().map(with_key).collect();
        DividedKeys { records, keys }
    }

    /// Returns the keys of a set, in the order of their records.
    pub(crate) fn of_set(&self, set: usize) -> &[(u32, PositionKey)] {
        &self.keys[self.records.range(set)]
    }
}
