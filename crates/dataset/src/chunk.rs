//! The records of chunks, and those that are selected.

use std::io;
use std::sync::Arc;

use stream::spill::number::write_number;

use crate::batch::Batch;
use crate::partitions::Partitions;
use crate::record::{Place, Records, Start};

/// The records of a chunk and their contents.
pub trait Chunk: Send + 'static {
    /// Returns what is known of each record.
    fn records(&self) -> &Records;

    /// Returns the same, to take what is needed only once.
    fn records_mut(&mut self) -> &mut Records;

    /// Appends the contents of a record as bytes.
    fn write(&self, index: usize, out: &mut Vec<u8>);
}

/// Receives the selected records in their order.
pub trait Writer {
    /// The chunks in which the records arrive.
    type Chunk: Chunk;

    /// Records that any thread has prepared for writing.
    type Prepared: Send + 'static;

    /// Returns what prepares records.
    fn preparation(&self) -> Arc<Preparation<Self::Chunk, Self::Prepared>>;

    /// Writes prepared records.
    ///
    /// # Errors
    ///
    /// If that fails.
    fn write(&mut self, prepared: Self::Prepared) -> io::Result<()>;

    /// Takes back a chunk whose records are stored, for its memory.
    fn reuse(&mut self, chunk: Self::Chunk);
}

/// Prepares records for writing, on any thread.
pub type Preparation<C, P> = dyn Fn(Selected<C>) -> P + Send + Sync;

/// Records that are selected, in their order.
#[derive(Debug)]
pub enum Selected<C> {
    /// Some of a chunk.
    OfChunk(SelectedRecords<C>),
    /// Those that were stored, as their chunk has [written](Chunk::write) them.
    Stored(Batch),
}

/// The selected records of a chunk.
#[derive(Debug)]
pub struct SelectedRecords<C> {
    /// The chunk.
    pub chunk: C,
    pub(crate) indexes: Vec<u32>,
    pub(crate) start: Start,
}

impl<C: Chunk> SelectedRecords<C> {
    /// Returns the index and the place of each record.
    pub fn places(&self) -> impl Iterator<Item = (usize, Place)> {
        self.indexes.iter().map(|index| (*index as usize, self.place(*index as usize)))
    }

    fn place(&self, index: usize) -> Place {
        self.start.place(index, self.chunk.records().list[index])
    }

    /// Appends a record as bytes: its place, its sort key if it has one, and its contents.
    pub(crate) fn store(&self, index: usize, out: &mut Vec<u8>) {
        self.place(index).write(out);
        if let Some(key) = self.chunk.records().sort_keys.get(index) {
            write_number(key.len() as u64, out);
            out.extend_from_slice(key);
        }
        self.chunk.write(index, out);
    }

    pub(crate) fn number(&self, index: usize) -> u64 {
        self.start.records + index as u64
    }

    /// Adds the records to `partitions` by the rank of each.
    pub(crate) fn store_all(
        &self,
        partitions: &Partitions,
        rank: impl Fn(usize) -> u64,
        mut store: impl FnMut(usize, &mut Vec<u8>),
    ) -> io::Result<()> {
        let index = |index: usize| self.indexes[index] as usize;
        let ranks: Vec<u64> = (0..self.indexes.len()).map(|at| rank(index(at))).collect();
        partitions.push_all(&ranks, |at, out| store(index(at), out))
    }
}
