//! The steps of a data set, what they do, and what is done with equal records.

use std::fmt;
use std::ops::AddAssign;
use std::path::PathBuf;
use std::sync::Arc;

use san::{PositionKey, keywords};

use crate::record::Label;

/// Returns a uniformly distributed number for item `number`. The items with the smallest numbers
/// are a uniform sample. The generator is splitmix64, so results are the same in every version and
/// on every machine.
///
/// ```
/// assert_eq!(dataset::random_rank(1, 2), dataset::random_rank(1, 2));
/// assert_ne!(dataset::random_rank(1, 2), dataset::random_rank(2, 2));
/// ```
pub fn random_rank(seed: u64, number: u64) -> u64 {
    mix(mix(seed).wrapping_add(number))
}

/// Returns a uniformly distributed number for a text, which depends on its bytes and the seed.
///
/// ```
/// assert_eq!(dataset::random_rank_of(1, b"1. e4"), dataset::random_rank_of(1, b"1. e4"));
/// assert_ne!(dataset::random_rank_of(1, b"1. e4"), dataset::random_rank_of(1, b"1. e4 "));
/// ```
pub fn random_rank_of(seed: u64, text: &[u8]) -> u64 {
    let (words, rest) = text.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().chain([&last]);
    let rank = random_rank(seed, text.len() as u64);
    words.fold(rank, |rank, word| mix(rank ^ u64::from_le_bytes(*word)))
}

fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Selects the records after the first ones, up to a limit.
#[derive(Debug)]
pub(crate) struct SkipAndLimit {
    skip: u64,
    /// The number of records after which none is selected.
    end: u64,
    pub(crate) count: u64,
}

impl SkipAndLimit {
    /// Omits `skip` records, and selects `limit` of the others at most.
    pub(crate) fn new(skip: u64, limit: Option<u64>) -> Self {
        SkipAndLimit { skip, end: skip.saturating_add(limit.unwrap_or(u64::MAX)), count: 0 }
    }

    pub(crate) fn selects_next(&mut self) -> bool {
        self.count += 1;
        self.skip < self.count && self.count <= self.end
    }

    pub(crate) fn are_over(&self) -> bool {
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
pub(crate) struct Sample<R> {
    /// Number of records; all if there are fewer.
    count: u64,
    seed: u64,
    /// The highest rank that a record of the sample may have.
    most: SampleRank,
    /// The records with the lowest ranks, and at most as many others.
    kept: Vec<(SampleRank, R)>,
}

/// A random number, and the number of the record, which makes it unique.
type SampleRank = (u64, u64);

impl<R> Sample<R> {
    pub(crate) fn new(count: u64, seed: u64) -> Self {
        Sample { count, seed, most: (u64::MAX, u64::MAX), kept: Vec::new() }
    }

    /// Adds the record with a number, which `record` returns, if it may be in the sample.
    pub(crate) fn offer(&mut self, number: u64, record: impl FnOnce() -> R) {
        let rank = (random_rank(self.seed, number), number);
        if rank > self.most {
            return;
        }
        self.kept.push((rank, record()));
        if self.kept.len() as u64 >= self.count.saturating_mul(2) {
            self.drop_others();
        }
    }

    /// Drops the records that are not part of the sample. Doing so rarely is faster than a heap.
    fn drop_others(&mut self) {
        let count = usize::try_from(self.count).unwrap_or(usize::MAX);
        if count > 0 && self.kept.len() > count {
            let (_, last, _) = self.kept.select_nth_unstable_by_key(count - 1, |(rank, _)| *rank);
            self.most = last.0;
        }
        self.kept.truncate(count);
    }

    /// Returns the records of the sample, in their order.
    pub(crate) fn into_records(mut self) -> impl Iterator<Item = R> {
        self.drop_others();
        self.kept.sort_unstable_by_key(|((_, number), _)| *number);
        self.kept.into_iter().map(|(_, record)| record)
    }
}

/// The order of the records that are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// That of the input.
    #[default]
    Input,
    /// A random one.
    Random,
    /// By their [sort keys](crate::Record::start); `skip` and `limit` count in this order.
    SortKey,
}

/// What a data set does.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    /// Whether one of equal records is selected at most.
    pub unique: bool,
    /// Which of them.
    pub keep: Preference,
    /// What is done if their labels differ. Unless that is [`Conflicts::Keep`], one of equal
    /// records is selected at most.
    pub conflicts: Conflicts,
    /// Writes means, with [`Conflicts::Mean`]; without it, conflicting records are dropped.
    pub append_mean: Option<AppendMean>,
    /// Whether one of equal games is selected. Records are not compared then.
    pub unique_games: bool,
    /// The number of records omitted first.
    pub skip: u64,
    /// The maximum number of the others.
    pub limit: Option<u64>,
    /// The size of a sample of these.
    pub sample: Option<u64>,
    /// The order.
    pub order: Order,
    /// Decides everything that is random.
    pub seed: u64,
    /// The memory for keys and records, in bytes.
    pub memory: usize,
    /// The folder for temporary files.
    pub folder: PathBuf,
}

impl Steps {
    pub(crate) fn compares(&self) -> bool {
        self.unique || self.conflicts != Conflicts::Keep
    }

    /// Returns whether the first of equal records is selected, whatever follows.
    pub fn keeps_first(&self) -> bool {
        self.compares() && self.conflicts == Conflicts::Keep && self.keep == Preference::First
    }
}

/// Appends the mean of labels to a record with this key, which was stored without its label.
#[derive(Clone)]
pub struct AppendMean(pub(crate) Arc<AppendNumber>);

type AppendNumber = dyn Fn(PositionKey, Label, &mut Vec<u8>) + Send + Sync;

impl AppendMean {
    /// Uses this function.
    pub fn new(append: impl Fn(PositionKey, Label, &mut Vec<u8>) + Send + Sync + 'static) -> Self {
        AppendMean(Arc::new(append))
    }
}

impl fmt::Debug for AppendMean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AppendMean").finish_non_exhaustive()
    }
}

/// The number of records selected, and of those omitted because of equal ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct SelectedCounts {
    /// Positions in selected records.
    pub positions: u64,
    /// Records that have the key of another one, or games that are equal to another one.
    pub duplicates: u64,
}

impl AddAssign for SelectedCounts {
    fn add_assign(&mut self, other: SelectedCounts) {
        self.positions += other.positions;
        self.duplicates += other.duplicates;
    }
}

keywords! {
    /// What to do with equal positions whose games have different results. Positions are equal if
    /// they have the same placement, side to move, castling rights and legal en passant square.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Conflicts {
        /// Write each with the result of its game.
        #[default]
        Keep = "keep",
        /// Write none if their results differ, otherwise one.
        Drop = "drop",
        /// Write one, with the mean of results and evaluations; not for c9 and plain.
        Mean = "mean",
    }
}

keywords! {
    /// Which of equal positions is written, where only one is; of equally good ones the first.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Preference {
        /// The first.
        #[default]
        First = "first",
        /// The last.
        Last = "last",
        /// The one whose evaluation is the deepest, those without last.
        Deepest = "deepest",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn random_ranks_are_those_of_splitmix64() {
        // The first output of splitmix64 for the seeds 0 and 1.
        let (zero, one) = (0xe220_a839_7b1d_cdaf_u64, 0x910a_2dec_8902_5cc1);
        let seed = |output: u64| 0_u64.wrapping_sub(output);
        assert_eq!(random_rank(0, seed(zero)), zero);
        assert_eq!(random_rank(0, seed(zero).wrapping_add(1)), one);
        assert_eq!(random_rank(1, seed(one)), zero);
    }

    #[test]
    fn numbers_are_those_of_a_range() {
        for (skip, limit, expected) in [
            (0, None, vec![1, 2, 3, 4]),
            (1, None, vec![2, 3, 4]),
            (1, Some(2), vec![2, 3]),
            (0, Some(0), vec![]),
            (u64::MAX, Some(1), vec![]),
        ] {
            let mut numbers = SkipAndLimit::new(skip, limit);
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
                sample.offer(*number, || *number);
            }
            let mut expected = numbers;
            expected.sort_by_key(|number| random_rank(seed, *number));
            expected.truncate(count as usize);
            expected.sort();
            prop_assert_eq!(sample.into_records().collect::<Vec<_>>(), expected);
        }
    }
}
