//! Receives the records of chunks, in order.

use std::io;
use std::ops::AddAssign;
use std::path::PathBuf;

use crate::convert::worker::ConvertedChunk;
use crate::summary::OutputCounts;

/// Receives the records of chunks, in order.
pub(crate) trait Deliver {
    /// Accepts the records of a chunk, given the number of games before it in the text.
    fn take(&mut self, done: &mut ConvertedChunk, games_before: u64) -> io::Result<Delivered>;

    /// Writes the records of an input that wait for a decision, and passes everything on.
    fn end_input(&mut self) -> io::Result<Delivered> {
        Ok(Delivered::default())
    }

    /// Writes the records that were stored until the end.
    fn take_rest(&mut self) -> io::Result<Delivered> {
        Ok(Delivered::default())
    }

    /// Whether a record, a row or a game was written.
    fn has_output(&mut self) -> bool;

    /// Whether no further record will be selected.
    fn is_full(&self) -> bool {
        false
    }

    fn counts(&mut self) -> Vec<(PathBuf, OutputCounts)> {
        Vec::new()
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Delivered {
    pub(crate) positions: u64,
    /// Number of bytes, before compression.
    pub(crate) bytes: u64,
    /// Number of positions, or of games, that were not written because of an equal one.
    pub(crate) duplicates: u64,
}

impl AddAssign for Delivered {
    fn add_assign(&mut self, Delivered { positions, bytes, duplicates }: Delivered) {
        self.positions += positions;
        self.bytes += bytes;
        self.duplicates += duplicates;
    }
}

impl AddAssign<Delivered> for crate::Summary {
    fn add_assign(&mut self, Delivered { positions, bytes, duplicates }: Delivered) {
        self.positions += positions;
        self.bytes_written += bytes;
        self.duplicates += duplicates;
    }
}
