//! The indexes of items, divided among buckets, and keys divided among sets, which are looked up
//! side by side.

use std::ops::Range;

use san::PositionKey;

/// Indexes of items by bucket; those of a bucket stay in order.
#[derive(Debug, Default)]
pub(crate) struct Buckets {
    indexes: Vec<u32>,
    ends: Vec<u32>,
}

impl Buckets {
    /// Divides the items with these buckets, each below `count`.
    pub(crate) fn new(count: usize, items: impl ExactSizeIterator<Item = usize> + Clone) -> Self {
        let mut ends = vec![0; count];
        for bucket in items.clone() {
            ends[bucket] += 1;
        }
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        let mut indexes = vec![0; items.len()];
        for (index, bucket) in (0..).zip(items) {
            let end = &mut ends[bucket];
            indexes[*end as usize] = index;
            *end += 1;
        }
        Buckets { indexes, ends }
    }

    /// Returns the indexes of all items, bucket by bucket.
    pub(crate) fn indexes(&self) -> &[u32] {
        &self.indexes
    }

    /// Returns where the [indexes](Buckets::indexes) of a bucket are.
    pub(crate) fn range(&self, bucket: usize) -> Range<usize> {
        let Some(end) = self.ends.get(bucket) else { return 0..0 };
        let start = bucket.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..*end as usize
    }

    pub(crate) fn of(&self, bucket: usize) -> &[u32] {
        &self.indexes[self.range(bucket)]
    }
}

/// The keys of records, divided by their hash.
#[derive(Debug, Default)]
pub(crate) struct DividedKeys {
    records: Buckets,
    /// Numbers and keys of records, set by set: apart they take twice the time to look up.
    keys: Vec<(u32, PositionKey)>,
}

/// Returns the number of sets for this number of threads: a power of two.
pub(crate) fn sets_for(threads: usize) -> usize {
    threads.next_power_of_two()
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_are_divided_in_their_order() {
        let buckets = Buckets::new(3, [4, 7, 1, 6].iter().map(|number| number % 2));
        assert_eq!([0, 1, 2].map(|bucket| buckets.of(bucket)), [&[0, 3][..], &[1, 2], &[]]);
    }
}
