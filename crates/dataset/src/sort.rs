//! Sorts the selected records by their sort keys.

use std::io;

use stream::ordered::Threads;
use stream::spill::{SortedPairs, Sorter};

use crate::chunk::Batch;
use crate::record::{Place, read_stored};
use crate::select::Numbers;
use crate::steps::Steps;

/// The approximate size of a batch of sorted records, in bytes.
const BATCH: usize = 256 << 10;

#[derive(Debug)]
pub(crate) struct RecordSorter {
    sorter: Sorter,
    numbers: Numbers,
    /// The record that is added.
    record: Vec<u8>,
}

impl RecordSorter {
    /// Sorts in about `memory` bytes.
    pub(crate) fn new(steps: &Steps, memory: usize, threads: &Threads) -> Self {
        // Buffers grow to twice their size.
        let sorter = Sorter::new(memory / 2, &steps.folder).with_threads(threads.clone());
        let numbers = Numbers::new(steps.skip, steps.limit);
        RecordSorter { sorter, numbers, record: Vec::new() }
    }

    /// Adds a record that was stored with its sort key.
    pub(crate) fn push(&mut self, stored: &[u8]) -> io::Result<()> {
        let (place, mut rest) = Place::read(stored);
        let len = read_stored(&mut rest) as usize;
        let (key, contents) = rest.split_at(len);
        self.record.clear();
        // Records with equal keys stay in the order of the input.
        self.record.extend(place.number.to_be_bytes());
        place.write(&mut self.record);
        self.record.extend_from_slice(contents);
        self.sorter.push(key, &self.record)
    }

    pub(crate) fn finish(self) -> io::Result<SortedRecords> {
        Ok(SortedRecords { pairs: self.sorter.finish()?, numbers: self.numbers })
    }
}

#[derive(Debug)]
pub(crate) struct SortedRecords {
    pairs: SortedPairs,
    numbers: Numbers,
}

impl SortedRecords {
    /// Returns the next records, stored without their keys.
    pub(crate) fn next_batch(&mut self) -> io::Result<Option<Batch>> {
        let mut batch = Batch::default();
        while batch.size() < BATCH
            && !self.numbers.are_over()
            && let Some((_, record)) = self.pairs.next()?
        {
            if self.numbers.selects_next() {
                batch.push(|out| out.extend_from_slice(&record[size_of::<u64>()..]));
            }
        }
        Ok((batch.size() > 0).then_some(batch))
    }
}
