//! Stored records in order.

use crate::partitions::RankedPlace;
use crate::record::Place;

/// Stored records, each a [`Place`] and the bytes of its contents.
#[derive(Debug, Default)]
pub struct Batch {
    bytes: Vec<u8>,
    /// The rank of each record and its place in `bytes`.
    items: Vec<RankedPlace>,
}

impl Batch {
    /// Sorts records by rank, and by their bytes if ranks are equal. `items` has the rank of each
    /// and its place in `bytes`.
    pub(crate) fn sorted(bytes: Vec<u8>, mut items: Vec<RankedPlace>) -> Self {
        let order = |(rank, place): &RankedPlace| (*rank, &bytes[place.clone()]);
        items.sort_unstable_by(|a, b| order(a).cmp(&order(b)));
        Batch { bytes, items }
    }

    /// Adds a record, which `write` appends.
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

    /// Returns the number of positions in all records.
    pub(crate) fn positions(&self) -> u64 {
        self.stored().map(|stored| Place::read(stored).0.positions).sum()
    }

    /// Keeps the records for whose bytes `keeps` returns `true`.
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
