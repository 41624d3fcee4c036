//! Selects records where that depends on previous ones: unique positions, a limit, a sample.
//!
//! Selection happens on delivery, in input order, so that threads and chunks do not affect the
//! result.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

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
    sample: Option<(Sample, BinaryHeap<Drawn<R>>)>,
}

/// A random sample: the same seed and input give the same sample.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// Number of records; all if there are fewer.
    count: u64,
    seed: u64,
}

/// A sampled record; when the sample overflows, those with the highest rank are dropped.
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

impl<R> PartialEq for Drawn<R> {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl<R> Eq for Drawn<R> {}

impl<R> PartialOrd for Drawn<R> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<R> Ord for Drawn<R> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
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
            sample: sample.map(|count| (Sample { count, seed }, BinaryHeap::new())),
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
            || self.sample.as_ref().is_some_and(|(sample, _)| sample.count == 0)
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
    /// sample, which is [known](Selection::take_sample) at the end; it receives the record that is
    /// no longer part of it.
    pub(crate) fn admits(&mut self, record: impl FnOnce(Option<R>) -> R) -> bool {
        self.count += 1;
        if self.count <= self.skip {
            return false;
        }
        let Some((sample, kept)) = &mut self.sample else { return true };
        let number = self.count;
        let drawn = draw(sample.seed, number);
        let mut freed = None;
        if kept.len() as u64 >= sample.count {
            match kept.peek() {
                Some(last) if (drawn, number) < last.rank() => freed = kept.pop(),
                _ => return false,
            };
        }
        let record = record(freed.map(|freed| freed.record));
        kept.push(Drawn { drawn, number, record });
        false
    }

    /// Takes the next records, of which only a sample may be selected, and returns which of them may be part of it.
    pub(super) fn candidates(&mut self, count: u64) -> Option<Candidates> {
        let (sample, kept) = self.sample.as_ref()?;
        // All of these are in the range of `skip` and `limit`.
        if self.count < self.skip || self.limit < u64::MAX {
            return None;
        }
        let is_full = kept.len() as u64 >= sample.count;
        let last = kept.peek().filter(|_| is_full).map_or(u64::MAX, |last| last.drawn);
        let candidates = Candidates { seed: sample.seed, before: self.count, last };
        self.count += count;
        Some(candidates)
    }

    /// Adds a record to the sample unless that has better ones.
    pub(super) fn offer(&mut self, drawn: Drawn<R>) {
        let Some((sample, kept)) = &mut self.sample else { return };
        if (kept.len() as u64) < sample.count {
            kept.push(drawn);
        } else if let Some(mut last) = kept.peek_mut().filter(|last| drawn < **last) {
            *last = drawn;
        }
    }

    /// Returns the sample, in input order.
    pub(crate) fn take_sample(&mut self) -> impl Iterator<Item = R> + use<R> {
        let drawn = self.sample.take().map(|(_, drawn)| drawn.into_vec());
        let mut drawn = drawn.unwrap_or_default();
        drawn.sort_unstable_by_key(|drawn| drawn.number);
        drawn.into_iter().map(|Drawn { record, .. }| record)
    }
}
