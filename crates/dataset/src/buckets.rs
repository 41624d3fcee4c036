//! The indexes of items, divided among buckets.

use std::ops::Range;

/// Indexes of items by bucket; those of a bucket stay in order.
#[derive(Debug, Default)]
pub(crate) struct Buckets {
    indexes: Vec<u32>,
    /// The end of each bucket.
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

    /// Returns the indexes of the items in a bucket.
    pub(crate) fn of(&self, bucket: usize) -> &[u32] {
        &self.indexes[self.range(bucket)]
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
