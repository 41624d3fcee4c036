//! Selects records by their number among those that are not omitted before: a range, a sample.

use crate::random::random_rank;

/// Selects the records after the first ones, up to a limit.
#[derive(Debug)]
pub struct Numbers {
    skip: u64,
    /// The number of records after which none is selected.
    end: u64,
    count: u64,
}

impl Numbers {
    /// Omits `skip` records, and selects `limit` of the others at most.
    pub fn new(skip: u64, limit: Option<u64>) -> Self {
        Numbers { skip, end: skip.saturating_add(limit.unwrap_or(u64::MAX)), count: 0 }
    }

    /// Returns whether the next record is selected.
    pub fn selects_next(&mut self) -> bool {
        self.count += 1;
        self.skip < self.count && self.count <= self.end
    }

    /// Returns the number of records so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns whether no further record will be selected.
    pub fn are_over(&self) -> bool {
        self.count >= self.end
    }

    pub(crate) fn have_end(&self) -> bool {
        self.end < u64::MAX
    }

    pub(crate) fn are_all(&self) -> bool {
        self.skip == 0 && !self.have_end()
    }
}

/// A random sample: the records with the lowest ranks. The same seed and input give the same
/// sample, in whatever order records are offered.
#[derive(Debug)]
pub struct Sample<R> {
    /// Number of records; all if there are fewer.
    count: u64,
    most: MostRank,
    /// The records with the lowest ranks, and at most as many others.
    kept: Vec<(SampleRank, R)>,
}

/// A random number, and the number of the record, which makes it unique.
pub type SampleRank = (u64, u64);

/// The highest rank that a record of the sample may have.
#[derive(Clone, Copy, Debug)]
pub struct MostRank {
    seed: u64,
    rank: SampleRank,
}

impl MostRank {
    /// Returns the rank of the record with a number, if it may be in the sample.
    pub fn rank(&self, number: u64) -> Option<SampleRank> {
        Some((random_rank(self.seed, number), number)).filter(|rank| *rank <= self.rank)
    }
}

impl<R> Sample<R> {
    /// Makes a sample of this number of records.
    pub fn new(count: u64, seed: u64) -> Self {
        let most = MostRank { seed, rank: (u64::MAX, u64::MAX) };
        Sample { count, most, kept: Vec::new() }
    }

    /// Returns the highest rank that further records of the sample may have.
    pub fn most(&self) -> MostRank {
        self.most
    }

    /// Adds a record with this rank.
    pub fn offer(&mut self, rank: SampleRank, record: R) {
        self.kept.push((rank, record));
        if self.kept.len() as u64 >= self.count.saturating_mul(2) {
            self.drop_others();
        }
    }

    /// Drops the records that are not part of the sample. Doing so rarely is faster than a heap.
    fn drop_others(&mut self) {
        let count = usize::try_from(self.count).unwrap_or(usize::MAX);
        if count > 0 && self.kept.len() > count {
            let (_, last, _) = self.kept.select_nth_unstable_by_key(count - 1, |(rank, _)| *rank);
            self.most.rank = last.0;
        }
        self.kept.truncate(count);
    }

    /// Returns the records of the sample, in their order.
    pub fn into_records(mut self) -> impl Iterator<Item = R> {
        self.drop_others();
        self.kept.sort_unstable_by_key(|((_, number), _)| *number);
        self.kept.into_iter().map(|(_, record)| record)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_those_of_a_range() {
        for (skip, limit, expected) in [
            (0, None, vec![1, 2, 3, 4]),
            (1, None, vec![2, 3, 4]),
            (1, Some(2), vec![2, 3]),
            (0, Some(0), vec![]),
            (u64::MAX, Some(1), vec![]),
        ] {
            let mut numbers = Numbers::new(skip, limit);
            let found: Vec<u64> = (1..=4).filter(|_| numbers.selects_next()).collect();
            assert_eq!(found, expected, "{skip} {limit:?}");
        }
    }

    proptest! {
        #[test]
        fn a_sample_has_the_records_with_the_lowest_ranks(
            numbers in Just((1..200_u64).collect::<Vec<_>>()).prop_shuffle(),
            count in 0..60_u64,
            seed in any::<u64>(),
        ) {
            let mut sample = Sample::new(count, seed);
            for number in &numbers {
                if let Some(rank) = sample.most().rank(*number) {
                    sample.offer(rank, *number);
                }
            }
            let mut expected = numbers;
            expected.sort_by_key(|number| random_rank(seed, *number));
            expected.truncate(count as usize);
            expected.sort();
            prop_assert_eq!(sample.into_records().collect::<Vec<_>>(), expected);
        }
    }
}
