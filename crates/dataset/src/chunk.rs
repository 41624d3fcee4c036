//! The records of chunks, those that are selected, and those that are stored.

use std::io;
use std::sync::Arc;

use stream::spill::write_number;

use crate::partitions::{Partitions, RankedPlace};
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

/// Stored records, each a [`Place`] and the bytes of its contents.
#[derive(Debug, Default)]
pub struct Batch {
    bytes: Vec<u8>,
    items: Vec<RankedPlace>,
}

impl Batch {
    /// Records with equal ranks are sorted by their bytes.
    pub(crate) fn sorted(bytes: Vec<u8>, mut items: Vec<RankedPlace>) -> Self {
        let order = |(rank, place): &RankedPlace| (*rank, &bytes[place.clone()]);
        items.sort_unstable_by(|a, b| order(a).cmp(&order(b)));
        Batch { bytes, items }
    }

    pub(crate) fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len();
        write(&mut self.bytes);
        self.items.push((0, start..self.bytes.len()));
    }

    /// Returns the size of all records in bytes.
    pub(crate) fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the memory used, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.bytes.capacity() + self.items.capacity() * size_of::<RankedPlace>()
    }

    /// Returns the bytes of each record with its place.
    pub(crate) fn stored(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.items.iter().map(|(_, place)| &self.bytes[place.clone()])
    }

    /// Returns the place and the contents of each record.
    pub fn records(&self) -> impl Iterator<Item = (Place, &[u8])> {
        self.stored().map(Place::read)
    }

    pub(crate) fn positions(&self) -> u64 {
        self.stored().map(|stored| Place::read(stored).0.positions).sum()
    }

    pub(crate) fn retain(&mut self, mut keeps: impl FnMut(&[u8]) -> bool) {
        self.items.retain(|(_, place)| keeps(&self.bytes[place.clone()]));
    }
}

/// Records in this order, each with its place.
impl<'b> FromIterator<&'b [u8]> for Batch {
    fn from_iter<I: IntoIterator<Item = &'b [u8]>>(records: I) -> Self {
        let mut batch = Batch::default();
        records.into_iter().for_each(|record| batch.push(|out| out.extend_from_slice(record)));
        batch
    }
}
