//! Sorting in bounded memory: sorted runs of records in a temporary file, merged while they are read.
//!
//! * `run_file`: the runs of a temporary file;
//! * `merge`: merges runs of any source;
//! * `sorter`: sorts pairs of key and value, with runs if memory does not suffice.
//!
//! Spilled counts ([`crate::disk`]), selected positions, Polyglot books and partial results in columns are sorted here, and partial
//! results of any format are merged.

pub(crate) mod merge;
pub(crate) mod run_file;
pub(crate) mod sorter;

use std::cmp::Ordering;
use std::io::{self, BufRead};

/// A record of a sorted run.
pub(crate) trait Record: Sized {
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
    fn read(input: &mut impl BufRead) -> io::Result<Option<Self>>;
}
