//! What does not fit in memory: runs of records in a temporary file. Sorted ones are merged while
//! they are read.
//!
//! * [`run_file`]: the runs of a temporary file;
//! * [`merge`]: merges runs of any source;
//! * [`sorter`]: sorts pairs of key and value, with runs if memory does not suffice;
//! * [`number`]: numbers as few bytes;
//! * [`temporary`]: unnamed files.
//!
//! Books sort counts, selected positions and partial results here, and data sets store their
//! partitions.

pub mod merge;
pub mod number;
pub mod run_file;
pub mod sorter;
pub mod temporary;

use std::cmp::Ordering;
use std::io::{self, BufRead};

/// A record of a sorted run.
pub trait Record: Sized {
    /// Returns the first criterion of the order, which is computed once.
    fn rank(&self) -> u64 {
        0
    }

    /// Compares records of the same rank.
    fn compare(&self, other: &Self) -> Ordering;

    /// Whether another record is to be added to this one; by default records stay separate.
    fn has_same_key(&self, _other: &Self) -> bool {
        false
    }

    /// Adds a record with the same key.
    fn add(&mut self, _other: Self) {}

    /// Appends the encoded record to `out`.
    fn write(&self, out: &mut Vec<u8>);

    /// Reads the next record, or `None` at the end of the run.
    ///
    /// # Errors
    ///
    /// If the run cannot be read, or ends within a record.
    fn read(input: &mut impl BufRead) -> io::Result<Option<Self>>;
}
