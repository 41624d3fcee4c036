//! Merges sorted runs and adds up records with the same key.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::fmt;
use std::io;

use crate::spill::Record;

/// A source of records in sort order.
pub type Run<'r, T> = Box<dyn Iterator<Item = io::Result<T>> + 'r>;

/// Merges several runs. Ends after an error.
pub struct Merge<'r, T> {
    runs: Vec<Run<'r, T>>,
    heads: BinaryHeap<Head<T>>,
    failed: bool,
}

/// The next record of a run.
struct Head<T> {
    rank: u64,
    record: T,
    run: usize,
}

impl<T: Record> Ord for Head<T> {
    /// Reversed, because the heap returns its maximum.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_rank = other.rank.cmp(&self.rank);
        by_rank
            .then_with(|| other.record.compare(&self.record))
            .then_with(|| other.run.cmp(&self.run))
    }
}

impl<T: Record> PartialOrd for Head<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Record> PartialEq for Head<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T: Record> Eq for Head<T> {}

impl<'r, T: Record> Merge<'r, T> {
    /// Merges these runs.
    ///
    /// # Errors
    ///
    /// If the first record of a run cannot be read.
    pub fn new(runs: Vec<Run<'r, T>>) -> io::Result<Self> {
        let mut merge = Merge { runs, heads: BinaryHeap::new(), failed: false };
        for run in 0..merge.runs.len() {
            if let Some(head) = merge.head(run)? {
                merge.heads.push(head);
            }
        }
        Ok(merge)
    }

    fn head(&mut self, run: usize) -> io::Result<Option<Head<T>>> {
        let record = self.runs[run].next().transpose()?;
        Ok(record.map(|record| Head { rank: record.rank(), record, run }))
    }

    /// Removes the first record and advances its run.
    fn pop(&mut self) -> io::Result<Option<T>> {
        let Some(run) = self.heads.peek().map(|head| head.run) else { return Ok(None) };
        Ok(match self.head(run)? {
            Some(next) => {
                let mut first = self.heads.peek_mut().expect("it was just looked at");
                Some(std::mem::replace(&mut *first, next).record)
            }
            None => self.heads.pop().map(|head| head.record),
        })
    }

    fn next_record(&mut self) -> io::Result<Option<T>> {
        let Some(mut record) = self.pop()? else { return Ok(None) };
        while self.heads.peek().is_some_and(|head| record.has_same_key(&head.record)) {
            if let Some(more) = self.pop()? {
                record.add(more);
            }
        }
        Ok(Some(record))
    }
}

impl<T: Record> Iterator for Merge<'_, T> {
    type Item = io::Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.next_record().transpose();
        self.failed = matches!(next, Some(Err(_)));
        next
    }
}

impl<T> fmt::Debug for Merge<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Merge").field("runs", &self.runs.len()).finish_non_exhaustive()
    }
}
