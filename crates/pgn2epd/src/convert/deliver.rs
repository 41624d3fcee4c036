//! What is done with the records of chunks, in order.

use std::io;

use crate::convert::worker::Done;

/// Receives the records of chunks, in order.
pub(crate) trait Deliver {
    /// Accepts the records of a chunk, given the number of games before it in the text; returns the
    /// number of records and bytes written.
    fn take(&mut self, done: &mut Done, games_before: u64) -> io::Result<(u64, u64)>;

    /// Writes the records that were stored until the end.
    fn take_rest(&mut self) -> io::Result<(u64, u64)>;

    /// Whether no further record will be selected.
    fn is_full(&self) -> bool;

    /// Returns the number of duplicates dropped since the last call.
    fn take_duplicates(&mut self) -> u64;

    /// Called when an input ends.
    fn flush(&mut self) -> io::Result<()>;
}
