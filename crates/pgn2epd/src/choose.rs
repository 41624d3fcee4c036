//! Decides which records are written, in which order and to which output, where that depends on other records.
//!
//! * `marks`: where the records of a chunk are in its text, noted by the sinks of `marked` in the workers;
//! * `selection`: omitted and sampled records, by their number;
//! * `groups` and `equal`: one record of equal positions; `first_positions`: the same on several threads, if it is the first one;
//! * `stored`: records that are decided on later, as bytes;
//! * `routes`: the file for each record;
//! * `text` and `rows`: the records of a chunk as text and as rows, and how they are written.
//!
//! [`Chooser`] decides as the chunks arrive, in input order, so that threads and chunks do not affect the result; what cannot be
//! decided then is stored, in temporary files if memory does not suffice.

mod equal;
mod first_positions;
mod groups;
pub(crate) mod marked;
pub(crate) mod marks;
pub(crate) mod routes;
pub(crate) mod rows;
pub(crate) mod selection;
mod stored;
pub(crate) mod text;

use std::io;
use std::path::PathBuf;

use emit::{draw, draw_text};
use stream::ordered::Threads;
use stream::spill::rank_sorter::RankSorter;
use stream::spill::temporary::SpillError;

use self::equal::EqualPositions;
use self::groups::Group;
use self::marks::Marks;
use self::selection::Selection;
use self::stored::write_head;
use crate::data_split::{DataSplit, SplitBy};
use crate::options::Options;

pub(crate) use self::first_positions::Deciding;
pub(crate) use self::stored::{RecordPlace, StoredRecord};

/// The records of a chunk, which are stored or written.
pub(crate) trait ChunkRecords {
    /// Appends a record as bytes: all of it, or only the first `len` bytes of its text.
    fn store(&self, index: usize, len: Option<usize>, out: &mut Vec<u8>);

    /// Writes a record.
    fn write(&mut self, index: usize, place: RecordPlace) -> io::Result<()>;

    /// Writes all records but those omitted, if that is possible without the place of each. Returns the number of positions
    /// written.
    fn write_all_but(&mut self, is_omitted: Option<&[bool]>) -> io::Result<Option<u64>>;
}

/// Writes stored records.
pub(crate) trait StoredRecords {
    /// Writes a record.
    fn write(&mut self, record: StoredRecord<'_>) -> io::Result<()>;
}

/// Whether the records of a chunk are decided on ahead.
#[derive(Debug)]
pub(crate) enum Ahead {
    /// They will be.
    Begun(Deciding),
    /// That is known when all earlier decisions are.
    AwaitOthers,
    /// They are decided on when they are written.
    Not,
}

/// Decides about each record.
#[derive(Debug)]
pub(crate) struct Chooser {
    equal: Option<EqualPositions>,
    selection: Selection<Vec<u8>>,
    /// Puts the chosen records in random order.
    shuffled: Option<RankSorter>,
    /// How records are divided by position.
    split: Option<DataSplit>,
    seed: u64,
    /// The memory of each part, in bytes.
    memory: usize,
    folder: PathBuf,
    /// Number of records so far.
    records: u64,
    /// Number of games so far.
    games: u64,
    scratch: Vec<u8>,
}

impl Chooser {
    /// Creates a chooser if the options omit or divide records, or change their order.
    pub(crate) fn new(options: &Options, threads: Option<&Threads>) -> Option<Self> {
        let memory = options.memory / (1 + usize::from(options.shuffle));
        let folder = options.temp_folder();
        let by_position = options.split_by == SplitBy::Position;
        options.chooses().then(|| Chooser {
            equal: EqualPositions::new(options, memory, threads),
            selection: Selection::by_number(options),
            shuffled: options.shuffle.then(|| RankSorter::new(memory, &folder)),
            split: options.split.clone().filter(|_| by_position),
            seed: options.seed,
            memory,
            folder,
            records: 0,
            games: 0,
            scratch: Vec::new(),
        })
    }

    /// Whether all records are written in their order, except for duplicates.
    fn takes_all(&self) -> bool {
        self.selection.admits_all() && self.shuffled.is_none() && self.split.is_none()
    }

    /// Whether no further record will be selected.
    pub(crate) fn is_full(&self) -> bool {
        self.selection.is_full()
    }

    /// Returns the number of duplicates omitted since the last call.
    pub(crate) fn take_duplicates(&mut self) -> u64 {
        self.equal.as_mut().map_or(0, EqualPositions::take_duplicates)
    }

    /// Returns the output of a record.
    fn output(&self, marks: &Marks, index: usize) -> usize {
        let part_of_position = self
            .split
            .as_ref()
            .map_or(0, |split| split.part_of(draw_text(self.seed, &marks.keys[index].to_bytes())));
        marks.outputs[marks.records[index].game] + part_of_position
    }

    /// Begins to decide about the records of a chunk before earlier ones are written, on all threads. `all_known` says that no
    /// other decision is awaited.
    pub(crate) fn decide_ahead(&mut self, marks: &mut Marks, all_known: bool) -> io::Result<Ahead> {
        let Some(equal) = &mut self.equal else { return Ok(Ahead::Not) };
        let Some(first) = equal.ahead() else { return Ok(Ahead::Not) };
        if first.has_room(marks) {
            return first.decide(marks).map(Ahead::Begun);
        }
        if !all_known {
            return Ok(Ahead::AwaitOthers);
        }
        equal.end_ahead().map_err(failed)?;
        Ok(Ahead::Not)
    }

    /// Returns whether each record of a chunk has the position of an earlier one; nothing if that is not known yet and `must_wait`
    /// is not set.
    pub(crate) fn decided(
        &mut self,
        deciding: &mut Deciding,
        must_wait: bool,
    ) -> Option<Vec<bool>> {
        self.equal.as_mut()?.ahead()?.decided(deciding, must_wait)
    }

    /// Writes the chosen records of a chunk, or stores them for later; returns the number of positions written. `is_duplicate` has the
    /// decisions made ahead.
    pub(crate) fn take(
        &mut self,
        marks: &Marks,
        is_duplicate: Option<&[bool]>,
        records: &mut impl ChunkRecords,
    ) -> io::Result<u64> {
        let mut written = 0;
        let before = self.records;
        self.records += marks.records.len() as u64;
        let is_known = self.equal.is_none() || is_duplicate.is_some();
        if is_known
            && self.takes_all()
            && let Some(positions) = records.write_all_but(is_duplicate)?
        {
            self.games += marks.outputs.len() as u64;
            if let (Some(equal), Some(is_duplicate)) = (&mut self.equal, is_duplicate) {
                equal.count_duplicates(is_duplicate.iter().map(|is| u64::from(*is)).sum());
            }
            return Ok(positions);
        }
        for (index, mark) in marks.records.iter().enumerate() {
            // First, so that the number of duplicates does not depend on where chunks end.
            if self.is_full() {
                break;
            }
            if is_duplicate.is_some_and(|is_duplicate| is_duplicate[index]) {
                self.equal.iter_mut().for_each(|equal| equal.count_duplicates(1));
                continue;
            }
            let place = RecordPlace {
                number: before + index as u64,
                game: self.games + mark.game as u64,
                output: self.output(marks, index),
                positions: mark.positions,
            };
            let store = |len: Option<usize>, out: &mut Vec<u8>| {
                out.clear();
                write_head(place, marks.register_places(index), out);
                records.store(index, len, out);
            };
            if let (Some(equal), None) = (&mut self.equal, is_duplicate) {
                let key = marks.keys[index];
                match equal.is_written_now(key).map_err(failed)? {
                    Some(true) => {}
                    Some(false) => continue,
                    None => {
                        let label = marks.labels.get(index);
                        let len = label.filter(|_| equal.stores_fields()).map(|label| label.fields);
                        store(len, &mut self.scratch);
                        let group = Group {
                            key,
                            rank: marks.ranks.get(index).copied().unwrap_or_default(),
                            number: place.number,
                            label: label.map(|labelled| labelled.label),
                            is_contradicted: false,
                            is_written: false,
                            record: self.scratch.as_slice().into(),
                        };
                        equal.store(group).map_err(failed)?;
                        continue;
                    }
                }
            }
            let is_chosen = self.selection.admits(|freed| {
                let mut record = freed.unwrap_or_default();
                store(None, &mut record);
                record
            });
            if !is_chosen {
                continue;
            }
            written += place.positions;
            match &mut self.shuffled {
                Some(shuffled) => {
                    store(None, &mut self.scratch);
                    let rank = draw(self.seed, place.number);
                    shuffled.push(rank, &self.scratch).map_err(failed)?;
                }
                None => records.write(index, place)?,
            }
        }
        self.games += marks.outputs.len() as u64;
        Ok(written)
    }

    /// Writes the stored records that are chosen; returns the number of positions not [counted](Chooser::take) before, and
    /// that of duplicates.
    pub(crate) fn finish(
        self,
        threads: &Threads,
        records: &mut impl StoredRecords,
    ) -> io::Result<(u64, u64)> {
        let Chooser { equal, mut selection, mut shuffled, seed, memory, folder, .. } = self;
        let (mut written, mut duplicates) = (0, 0);
        let mut write = |stored: &[u8]| match StoredRecord::read(stored) {
            Some(record) => records.write(record),
            None => Err(io::ErrorKind::InvalidData.into()),
        };
        let mut pass = |stored: &[u8]| match &mut shuffled {
            Some(shuffled) => {
                let rank = draw(seed, StoredRecord::number_of(stored));
                shuffled.push(rank, stored).map_err(failed)
            }
            None => write(stored),
        };
        if let Some(equal) = equal {
            // Records are selected by their number.
            let scale = self.records.leading_zeros();
            let mut ordered = RankSorter::new(memory / 2, &folder);
            let mut take = |number: u64, record: &[u8]| ordered.push(number << scale, record);
            duplicates = equal.finish(threads.clone(), &mut take).map_err(failed)?;
            let mut ordered = ordered.finish(threads.clone()).map_err(failed)?;
            while let Some(batch) = ordered.next().map_err(failed)? {
                for record in batch.records() {
                    if selection.is_full() {
                        break;
                    }
                    let keep = |freed: Option<Vec<u8>>| {
                        let mut kept = freed.unwrap_or_default();
                        kept.clear();
                        kept.extend_from_slice(record);
                        kept
                    };
                    if selection.admits(keep) {
                        written += 1;
                        pass(record)?;
                    }
                }
            }
        }
        for record in selection.take_sample() {
            written += StoredRecord::read(&record).map_or(0, |record| record.place.positions);
            pass(&record)?;
        }
        if let Some(shuffled) = shuffled {
            let mut sorted = shuffled.finish(threads.clone()).map_err(failed)?;
            while let Some(batch) = sorted.next().map_err(failed)? {
                batch.records().try_for_each(&mut write)?;
            }
        }
        Ok((written, duplicates))
    }
}

fn failed(error: SpillError) -> io::Error {
    io::Error::other(error)
}
