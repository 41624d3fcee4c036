//! Selects records where that depends on previous ones: unique positions, a limit, a sample.
//!
//! Selection happens on delivery, in input order, so that threads and chunks do not affect the
//! result.

use emit::draw;
use san::{PositionKey, PositionSet};

use crate::options::Options;

/// Selects records of type `R`: text or values.
#[derive(Debug)]
pub(crate) struct Selection<R> {
    seen: Option<PositionSet>,
    skip: u64,
    limit: u64,
    /// Number of records so far.
    count: u64,
    /// Number of records dropped because of an earlier equal position, since it was last asked for.
    duplicates: u64,
    sample: Option<Sample<R>>,
}

/// A random sample: the same seed and input give the same sample.
#[derive(Debug)]
struct Sample<R> {
    /// Number of records; all if there are fewer.
    count: u64,
    seed: u64,
    /// The records with the lowest ranks, and at most as many others.
    kept: Vec<Drawn<R>>,
    /// The highest rank that a record of the sample may have.
    last: (u64, u64),
}

/// A record that may be part of a sample, which has those with the lowest ranks.
#[derive(Debug)]
pub(super) struct Drawn<R> {
    drawn: u64,
    number: u64,
    record: R,
}

impl<R> Drawn<R> {
    /// Unique, since the numbers of records are.
    fn rank(&self) -> (u64, u64) {
        (self.drawn, self.number)
    }
}

impl<R> Sample<R> {
    fn offer(&mut self, drawn: Drawn<R>) {
        if drawn.rank() > self.last {
            return;
        }
        self.kept.push(drawn);
        if self.kept.len() as u64 >= self.count.saturating_mul(2) {
            self.drop_others();
        }
    }

    /// Drops the records that are not part of the sample. Doing so rarely is faster than a heap.
    fn drop_others(&mut self) {
        let count = usize::try_from(self.count).unwrap_or(usize::MAX);
        if count > 0 && self.kept.len() > count {
            let (_, last, _) = self.kept.select_nth_unstable_by_key(count - 1, Drawn::rank);
            self.last = last.rank();
        }
        self.kept.truncate(count);
    }
}

/// Says which of the next records may be part of a sample, from any thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidates {
    seed: u64,
    /// Number of records before them.
    before: u64,
    /// The highest number that may be drawn, since the sample has enough records with lower ones.
    last: u64,
}

impl Candidates {
    /// Returns a record if it may be part of the sample; `index` is its number among the next ones, from zero.
    pub(super) fn drawn<R>(&self, index: u64, record: impl FnOnce() -> R) -> Option<Drawn<R>> {
        let number = self.before + index + 1;
        let drawn = draw(self.seed, number);
        (drawn <= self.last).then(|| Drawn { drawn, number, record: record() })
    }
}

impl<R> Selection<R> {
    pub(crate) fn new(options: &Options) -> Self {
        let Options { unique, skip, limit, sample, seed, .. } = *options;
        Selection {
            seen: unique.then(PositionSet::default),
            skip,
            limit: limit.unwrap_or(u64::MAX),
            count: 0,
            duplicates: 0,
            sample: sample.map(|count| Sample {
                count,
                seed,
                kept: Vec::new(),
                last: (u64::MAX, u64::MAX),
            }),
        }
    }

    /// Selects by number only: all records are different.
    pub(crate) fn by_number(options: &Options) -> Self {
        Selection { seen: None, ..Selection::new(options) }
    }

    /// Whether every record that is not a duplicate is selected now.
    pub(crate) fn admits_all(&self) -> bool {
        self.skip == 0 && self.limit == u64::MAX && self.sample.is_none()
    }

    /// Whether no further record will be selected.
    pub(crate) fn is_full(&self) -> bool {
        self.count >= self.skip.saturating_add(self.limit)
            || self.sample.as_ref().is_some_and(|sample| sample.count == 0)
    }

    /// Returns the number of duplicates dropped since the last call.
    pub(crate) fn take_duplicates(&mut self) -> u64 {
        std::mem::take(&mut self.duplicates)
    }

    /// Whether a position is selected, because it is the first of equal ones or all are.
    pub(crate) fn is_new(&mut self, key: impl FnOnce() -> PositionKey) -> bool {
        let is_new = self.seen.as_mut().is_none_or(|seen| seen.insert(key()));
        self.duplicates += u64::from(!is_new);
        is_new
    }

    /// Whether the next record is selected now. `record` makes a copy of it if it may be part of a
    /// sample, which is [known](Selection::take_sample) at the end.
    pub(crate) fn admits(&mut self, record: impl FnOnce() -> R) -> bool {
        self.count += 1;
        if self.count <= self.skip {
            return false;
        }
        let Some(sample) = &mut self.sample else { return true };
        let number = self.count;
        let drawn = draw(sample.seed, number);
        if (drawn, number) <= sample.last {
            sample.offer(Drawn { drawn, number, record: record() });
        }
        false
    }

    /// Takes the next records, of which only a sample may be selected, and returns which of them may be part of it.
    pub(super) fn candidates(&mut self, count: u64) -> Option<Candidates> {
        let sample = self.sample.as_ref()?;
        // All of these are in the range of `skip` and `limit`.
        if self.count < self.skip || self.limit < u64::MAX {
            return None;
        }
        let candidates = Candidates { seed: sample.seed, before: self.count, last: sample.last.0 };
        self.count += count;
        Some(candidates)
    }

    /// Adds a record to the sample unless that has better ones.
    pub(super) fn offer(&mut self, drawn: Drawn<R>) {
        if let Some(sample) = &mut self.sample {
            sample.offer(drawn);
        }
    }

    /// Returns the sample, in input order.
    pub(crate) fn take_sample(&mut self) -> impl Iterator<Item = R> + use<R> {
        let kept = self.sample.take().map(|mut sample| {
            sample.drop_others();
            sample.kept
        });
        let mut kept = kept.unwrap_or_default();
        kept.sort_unstable_by_key(|drawn| drawn.number);
        kept.into_iter().map(|Drawn { record, .. }| record)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_sample_has_the_records_with_the_lowest_drawn_numbers(
            chunks in prop::collection::vec((any::<bool>(), 0..40_u64), 0..9),
            count in 0..60_u64,
            seed in any::<u64>(),
        ) {
            let options = Options::default().sample(Some(count)).seed(seed);
            let mut selection = Selection::by_number(&options);
            let mut number = 0;
            for (is_ahead, len) in chunks {
                if is_ahead && let Some(candidates) = selection.candidates(len) {
                    let drawn = (0..len).filter_map(|index| {
                        candidates.drawn(index, || number + index + 1)
                    });
                    drawn.collect::<Vec<_>>().into_iter().for_each(|drawn| selection.offer(drawn));
                } else {
                    (1..=len).for_each(|index| assert!(!selection.admits(|| number + index)));
                }
                number += len;
            }
            let mut expected: Vec<u64> = (1..=number).collect();
            expected.sort_by_key(|number| draw(seed, *number));
            expected.truncate(count as usize);
            expected.sort();
            prop_assert_eq!(selection.take_sample().collect::<Vec<_>>(), expected);
        }
    }
}
