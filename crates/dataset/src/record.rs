//! What is known of the records of a chunk besides their contents, and records as bytes.

use std::io;
use std::ops::AddAssign;
use std::sync::Arc;

use san::PositionKey;
use stream::spill::{read_number, write_number};

use crate::partitions::{DividedKeys, Partitions, RankedPlace};

/// A record of a chunk.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// The number of its game in the chunk.
    pub game: u32,
    /// The part of the data set that has it.
    pub part: u32,
    /// The number of positions in it, which is 1 unless several stay together.
    pub positions: u32,
}

/// The records of a chunk. What their selection does not depend on may be left out.
#[derive(Debug, Default)]
pub struct Records {
    /// Each record.
    pub list: Vec<Record>,
    /// The number of games begun.
    pub games: u32,
    /// What records are equal by.
    pub keys: Vec<PositionKey>,
    /// Each game begun; `None` if it is not compared with others.
    pub compared: Vec<Option<ComparedGame>>,
    /// What records are preferred by among equal ones; the highest is best.
    pub ranks: Vec<u32>,
    /// What equal records may differ in.
    pub labels: Vec<Label>,
    /// What records are sorted by.
    pub sort_keys: SortKeys,
    /// The keys once more, if they are divided.
    pub(crate) divided_keys: DividedKeys,
}

impl Records {
    /// Removes the records from `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
        self.sort_keys.truncate(len);
        self.keys.truncate(len);
        self.ranks.truncate(len);
        self.labels.truncate(len);
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        self.truncate(0);
        self.games = 0;
        self.compared.clear();
        self.divided_keys = DividedKeys::default();
    }

    /// Divides the keys, so that they can be looked up on several `threads`.
    pub fn divide_keys(&mut self, threads: usize) {
        self.divided_keys = DividedKeys::new(&self.keys, threads);
    }
}

/// A game that is compared with others. Of equal ones, the first of those with the highest rank is
/// selected, and one without errors before others.
#[derive(Clone, Debug)]
pub struct ComparedGame {
    /// Games are equal if the key of one is the beginning of that of another.
    pub key: Vec<u8>,
    /// Whether it has an error.
    pub is_damaged: bool,
    /// What it is preferred by.
    pub rank: u32,
}

/// The sort keys of records, which are compared by their bytes.
#[derive(Debug, Default)]
pub struct SortKeys {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl SortKeys {
    /// Adds the key of the next record, which `write` appends.
    pub fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.ends.push(self.bytes.len());
    }

    fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        self.bytes.truncate(self.ends.last().copied().unwrap_or_default());
    }

    /// Removes all keys.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Returns the key of a record, if it has one.
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.bytes[start..end])
    }
}

/// The sums of what is known of equal records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The number of records.
    pub count: u64,
    /// The sum of their results.
    pub results: u64,
    /// The sum of their scores.
    pub scores: i64,
}

impl Label {
    /// Returns whether mean results differ.
    pub(crate) fn contradicts(self, other: Label) -> bool {
        u128::from(self.results) * u128::from(other.count)
            != u128::from(other.results) * u128::from(self.count)
    }
}

impl AddAssign for Label {
    fn add_assign(&mut self, other: Label) {
        self.count += other.count;
        self.results += other.results;
        self.scores += other.scores;
    }
}

/// The number of records and games before a chunk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Start {
    pub(crate) records: u64,
    pub(crate) games: u64,
}

impl Start {
    pub(crate) fn add(&mut self, records: &Records) {
        self.records += records.list.len() as u64;
        self.games += u64::from(records.games);
    }

    pub(crate) fn place(&self, index: usize, record: Record) -> Place {
        Place {
            number: self.records + index as u64,
            game: self.games + u64::from(record.game),
            part: record.part as usize,
            positions: record.positions.into(),
        }
    }
}

/// Where a record comes from, and where it goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Its number among all records, before any is omitted.
    pub number: u64,
    /// Its game among those of all inputs.
    pub game: u64,
    /// The part of the data set.
    pub part: usize,
    /// The number of positions in it.
    pub positions: u64,
}

impl Place {
    /// Appends the place as bytes. The number comes first, so that the bytes of records differ.
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        let Place { number, game, part, positions } = self;
        let numbers = [number, game, part as u64, positions];
        numbers.into_iter().for_each(|number| write_number(number, out));
    }

    /// Reads a place, and returns what follows.
    ///
    /// # Panics
    ///
    /// If the bytes do not begin with a place: what was stored always does.
    pub(crate) fn read(mut stored: &[u8]) -> (Self, &[u8]) {
        let mut number = || read_stored(&mut stored);
        let place = Place {
            number: number(),
            game: number(),
            part: number() as usize,
            positions: number(),
        };
        (place, stored)
    }
}

pub(crate) fn read_stored(stored: &mut &[u8]) -> u64 {
    read_number(stored).expect("stored records are whole")
}

// The records of chunks, those that are selected, and those that are stored.

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_other_results_contradict() {
        let of = |results, scores| Label { count: 1, results, scores };
        let mut draws = of(1, 3);
        draws += of(1, 99);
        assert!(!draws.contradicts(of(1, 0)));
        assert!(draws.contradicts(of(2, 3)));
    }

    proptest! {
        #[test]
        fn a_place_is_read_as_it_was_written(
            (number, game, part, positions) in any::<(u64, u64, u16, u64)>(),
            payload in prop::collection::vec(any::<u8>(), 0..50),
        ) {
            let place = Place { number, game, part: part.into(), positions };
            let mut stored = Vec::new();
            place.write(&mut stored);
            stored.extend_from_slice(&payload);
            prop_assert_eq!(Place::read(&stored), (place, &payload[..]));
        }
    }
}
