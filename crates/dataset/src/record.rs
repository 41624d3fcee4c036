//! Records as bytes, and what is known of the records of a chunk besides their contents.

use std::io;
use std::mem;
use std::ops::{AddAssign, Range};

use san::PositionKey;
use stream::spill::{SortedPairs, Sorter, read_number, write_number};

/// Receives records in their order.
pub type Next<'n> = &'n mut dyn FnMut(Batch) -> io::Result<()>;

/// Records, in their order.
#[derive(Debug, Default)]
pub struct Batch {
    /// The bytes of all records, and perhaps of others.
    pub bytes: Vec<u8>,
    /// Each record.
    pub records: Vec<Record>,
}

/// Where a record comes from, where it goes, and where its bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its number among all records, before any is omitted; in a chunk, its index.
    pub number: u64,
    /// Its game among those of all inputs; in a chunk, its game among those of the chunk.
    pub game: u64,
    /// The number of games before its chunk in its input.
    pub games_before: u64,
    /// The part of the data set that has it.
    pub part: u32,
    /// The number of positions in it, which is 1 unless several stay together.
    pub positions: u32,
    /// Offset of what it is sorted by, bytewise, which its contents follow.
    pub start: usize,
    /// Offset of its contents.
    pub contents: usize,
    /// The end of its contents.
    pub end: usize,
}

impl Record {
    /// Reads what [`Batch::store`] wrote from these bytes, which stay where they are.
    pub(crate) fn read(bytes: &[u8], place: Range<usize>) -> Self {
        let mut rest = &bytes[place.clone()];
        let number = stored_number(rest);
        rest = &rest[size_of::<u64>()..];
        let mut read = || read_stored(&mut rest);
        let (game, games_before) = (read(), read());
        let (part, positions, key) = (read() as u32, read() as u32, read() as usize);
        let start = place.end - rest.len();
        let (contents, end) = (start + key, place.end);
        Record { number, game, games_before, part, positions, start, contents, end }
    }
}

pub(crate) fn stored_number(stored: &[u8]) -> u64 {
    u64::from_be_bytes(*stored.first_chunk().expect("stored records are whole"))
}

pub(crate) fn read_stored(stored: &mut &[u8]) -> u64 {
    read_number(stored).expect("stored records are whole")
}

impl Batch {
    /// Returns the contents of a record.
    pub fn contents(&self, record: &Record) -> &[u8] {
        &self.bytes[record.contents..record.end]
    }

    pub(crate) fn sort_key(&self, record: &Record) -> &[u8] {
        &self.bytes[record.start..record.contents]
    }

    /// Appends a record as bytes. The number comes first, so that they are in its order.
    pub(crate) fn store(&self, record: &Record, out: &mut Vec<u8>) {
        let Record { number, game, games_before, part, positions, start, contents, end } = *record;
        out.extend(number.to_be_bytes());
        let numbers =
            [game, games_before, part.into(), positions.into(), (contents - start) as u64];
        numbers.into_iter().for_each(|number| write_number(number, out));
        out.extend_from_slice(&self.bytes[start..end]);
    }

    /// Stores all records, to be sorted by what `key` appends for each, and then by their numbers.
    pub(crate) fn store_all(
        &self,
        sorter: &mut Sorter,
        key: impl Fn(&Record, &mut Vec<u8>),
    ) -> io::Result<()> {
        let (mut by, mut stored) = (Vec::new(), Vec::new());
        self.records.iter().try_for_each(|record| {
            by.clear();
            key(record, &mut by);
            stored.clear();
            self.store(record, &mut stored);
            sorter.push(&by, &stored)
        })
    }

    /// Reads a record that was [stored](Batch::store), and takes its bytes.
    pub(crate) fn read(&mut self, stored: &[u8]) -> Record {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(stored);
        Record::read(&self.bytes, start..self.bytes.len())
    }

    pub(crate) fn positions(&self) -> u64 {
        self.records.iter().map(|record| u64::from(record.positions)).sum()
    }
}

/// The approximate size of a batch of sorted records, in bytes.
pub(crate) const BATCH: usize = 256 << 10;

/// Passes on the records that are the values of a sort, if `keeps` is true, until it is `None`.
pub(crate) fn pass_sorted(
    mut sorted: SortedPairs,
    mut keeps: impl FnMut(&Record) -> io::Result<Option<bool>>,
    next: Next<'_>,
) -> io::Result<()> {
    let mut batch = Batch::default();
    while let Some((_, stored)) = sorted.next()? {
        let record = batch.read(stored);
        match keeps(&record)? {
            Some(true) => batch.records.push(record),
            Some(false) => batch.bytes.truncate(batch.bytes.len() - stored.len()),
            None => break,
        }
        if batch.bytes.len() >= BATCH {
            next(mem::take(&mut batch))?;
        }
    }
    next(batch)
}

/// The records of a chunk. What their selection does not depend on may be left out.
#[derive(Debug, Default)]
pub struct RecordChunk {
    /// The records.
    pub batch: Batch,
    /// The number of games begun.
    pub games: u32,
    /// The number of games before it in its input.
    pub games_before: u64,
    /// The number of its first record.
    pub(crate) first: u64,
    /// What records are equal by.
    pub keys: Vec<PositionKey>,
    /// Each game begun; `None` if it is not compared with others.
    pub compared: Vec<Option<ComparedGame>>,
    /// What records are preferred by among equal ones; the highest is best.
    pub ranks: Vec<u32>,
    /// What equal records may differ in.
    pub labels: Vec<Label>,
    /// The keys with the numbers of their records, divided by hash among sets that are looked up
    /// side by side: apart, keys and numbers take twice the time.
    pub(crate) divided_keys: Vec<Vec<(u32, PositionKey)>>,
}

impl RecordChunk {
    /// Removes the records from `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.batch.records.truncate(len);
        self.keys.truncate(len);
        self.ranks.truncate(len);
        self.labels.truncate(len);
    }

    /// Removes everything, and keeps the memory.
    pub fn clear(&mut self) {
        self.truncate(0);
        self.batch.bytes.clear();
        self.compared.clear();
        self.games = 0;
    }

    /// Returns the index of a record before others were omitted.
    pub(crate) fn index(&self, record: &Record) -> usize {
        (record.number - self.first) as usize
    }

    /// Divides the keys, so that they can be looked up on several `threads`.
    pub fn divide_keys(&mut self, threads: usize) {
        let sets = threads.next_power_of_two();
        let room = self.keys.len() / sets * 5 / 4;
        self.divided_keys = (0..sets).map(|_| Vec::with_capacity(room)).collect();
        for (record, key) in (0..).zip(&self.keys) {
            self.divided_keys[set_of(key, sets)].push((record, *key));
        }
    }
}

pub(crate) fn set_of(key: &PositionKey, sets: usize) -> usize {
    key.stable_hash() as usize % sets
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
        fn a_record_is_read_as_it_was_stored(
            (number, game, games_before, part, positions) in any::<(u64, u64, u64, u32, u32)>(),
            (key, contents) in any::<(Vec<u8>, Vec<u8>)>(),
        ) {
            let bytes = [b"before", &key[..], &contents, b"after"].concat();
            let start = b"before".len();
            let (at, end) = (start + key.len(), start + key.len() + contents.len());
            let record = Record { number, game, games_before, part, positions, start, contents: at, end };
            let batch = Batch { bytes, records: vec![record] };
            let mut stored = Vec::new();
            batch.store(&record, &mut stored);
            let mut read = Batch { bytes: b"other".to_vec(), records: Vec::new() };
            let found = read.read(&stored);
            prop_assert_eq!((read.sort_key(&found), read.contents(&found)), (&key[..], &contents[..]));
            prop_assert_eq!(Record { start, contents: at, end, ..found }, record);
        }
    }
}
