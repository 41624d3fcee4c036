//! Storing the records of chunks on all threads.

use std::fmt;
use std::io;
use std::sync::Arc;

use emit::{draw, draw_text};
use stream::ordered::{OrderedTasks, Threads};
use stream::spill::rank_sorter::RankSorter;

use super::groups::Group;
use super::marks::Marks;
use super::selection::{Candidates, Drawn};
use super::stored::{RecordPlace, write_head};
use super::stored_groups::{GroupRecords, StoredGroups};
use crate::data_split::{DataSplit, SplitBy};
use crate::options::Options;

/// The records of a chunk, which can be stored.
pub(crate) trait StoreRecords {
    /// Returns where they are.
    fn marks(&self) -> &Marks;

    /// Returns the text of all records; an empty one if they are rows.
    fn text(&self) -> &[u8] {
        &[]
    }

    /// Appends a record as bytes: all of it, or only the first `len` bytes of its text.
    fn store(&self, index: usize, len: Option<usize>, out: &mut Vec<u8>) {
        let record = &self.text()[self.marks().range(index)];
        out.extend_from_slice(&record[..len.unwrap_or(record.len())]);
    }
}

/// The number of records and games before a chunk, in all inputs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ChunkStart {
    pub(super) records: u64,
    games: u64,
}

impl ChunkStart {
    /// Adds a chunk.
    pub(super) fn add(&mut self, marks: &Marks) {
        self.records += marks.records.len() as u64;
        self.games += marks.outputs.len() as u64;
    }
}

/// Finds the place of records.
#[derive(Clone, Debug)]
pub(super) struct RecordPlacer {
    /// How records are divided by position.
    split: Option<DataSplit>,
    seed: u64,
}

impl RecordPlacer {
    pub(super) fn new(options: &Options) -> Self {
        let by_position = options.split_by == SplitBy::Position;
        RecordPlacer { split: options.split.clone().filter(|_| by_position), seed: options.seed }
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the records of a chunk with their places.
    pub(super) fn of<'r, C: StoreRecords>(
        &'r self,
        start: ChunkStart,
        records: &'r C,
    ) -> PlacedRecords<'r, C> {
        PlacedRecords { placer: self, start, records }
    }

    /// Returns the same as groups of equal positions, with all or only the fields of their text.
    pub(super) fn in_groups<'r, C: StoreRecords>(
        &'r self,
        start: ChunkStart,
        has_fields_only: bool,
        records: &'r C,
    ) -> GroupedRecords<'r, C> {
        GroupedRecords { placed: self.of(start, records), has_fields_only }
    }
}

/// The records of a chunk and their places.
pub(super) struct PlacedRecords<'r, C> {
    placer: &'r RecordPlacer,
    start: ChunkStart,
    records: &'r C,
}

impl<C: StoreRecords> PlacedRecords<'_, C> {
    /// Returns the output of a record.
    fn output(&self, index: usize) -> usize {
        let marks = self.records.marks();
        let part_of_position = |split: &DataSplit| {
            split.part_of(draw_text(self.placer.seed, &marks.keys[index].to_bytes()))
        };
        marks.outputs[marks.records[index].game]
            + self.placer.split.as_ref().map_or(0, part_of_position)
    }

    /// Returns the place of a record.
    pub(super) fn place(&self, index: usize) -> RecordPlace {
        let mark = &self.records.marks().records[index];
        RecordPlace {
            number: self.start.records + index as u64,
            game: self.start.games + mark.game as u64,
            output: self.output(index),
            positions: mark.positions,
        }
    }

    /// Appends a record with its place: all of it, or only the first `len` bytes of its text.
    pub(super) fn write(&self, index: usize, len: Option<usize>, out: &mut Vec<u8>) {
        write_head(self.place(index), self.records.marks().register_places(index), out);
        self.records.store(index, len, out);
    }
}

/// The records of a chunk, which are stored in groups.
pub(super) struct GroupedRecords<'r, C> {
    placed: PlacedRecords<'r, C>,
    has_fields_only: bool,
}

impl<C: StoreRecords> GroupRecords for GroupedRecords<'_, C> {
    fn group(&self, index: usize) -> Group {
        let marks = self.placed.records.marks();
        Group {
            key: marks.keys[index],
            rank: marks.ranks.get(index).copied().unwrap_or_default(),
            number: self.placed.start.records + index as u64,
            label: marks.labels.get(index).map(|labelled| labelled.label),
            is_contradicted: false,
        }
    }

    fn write(&self, index: usize, out: &mut Vec<u8>) {
        let label = self.placed.records.marks().labels.get(index);
        let fields = label.filter(|_| self.has_fields_only).map(|label| label.fields);
        self.placed.write(index, fields, out);
    }
}

/// How the records of a chunk are stored, by any thread.
#[derive(Debug)]
pub(crate) struct Storing {
    pub(super) target: Target,
    pub(super) placer: RecordPlacer,
    pub(super) start: ChunkStart,
    /// The records that are omitted, if any are.
    pub(super) is_duplicate: Option<Vec<bool>>,
}

/// Where records are stored.
#[derive(Debug)]
pub(super) enum Target {
    /// In groups of equal positions.
    Groups { groups: Arc<StoredGroups>, has_fields_only: bool },
    /// In random order.
    Shuffled(Arc<RankSorter>),
    /// As joined texts of this number of outputs, which are written next.
    Joined(usize),
    /// In a sample, unless it has better ones.
    Sampled(Candidates),
}

/// The texts of each output, and the number of positions in them.
pub(crate) type JoinedTexts = Vec<(Vec<u8>, u64)>;

/// What became of the records of a chunk.
#[derive(Debug, Default)]
pub(crate) struct Stored {
    /// The number of positions in records that will be written in any case.
    pub(crate) positions: u64,
    /// The texts to be written.
    pub(crate) texts: JoinedTexts,
    /// The records that may be part of a sample.
    pub(super) candidates: Vec<Drawn<Vec<u8>>>,
}

impl Storing {
    /// Stores all records. `texts` is memory for texts.
    fn run(&self, records: &impl StoreRecords, mut texts: JoinedTexts) -> io::Result<Stored> {
        let marks = records.marks();
        let is_omitted = |index: usize| {
            self.is_duplicate.as_ref().is_some_and(|is_duplicate| is_duplicate[index])
        };
        let indexes = (0..marks.records.len()).filter(|index| !is_omitted(*index));
        let placed = self.placer.of(self.start, records);
        match &self.target {
            Target::Groups { groups, has_fields_only } => {
                let stored = self.placer.in_groups(self.start, *has_fields_only, records);
                let are_first = self.is_duplicate.is_some();
                groups.store(indexes, &stored, are_first).map_err(io::Error::other)?;
                Ok(Stored::default())
            }
            Target::Shuffled(shuffled) => {
                let indexes: Vec<usize> = indexes.collect();
                let rank =
                    |index: &usize| draw(self.placer.seed, self.start.records + *index as u64);
                let ranks: Vec<u64> = indexes.iter().map(rank).collect();
                shuffled
                    .push_all(&ranks, |index, out| placed.write(indexes[index], None, out))
                    .map_err(io::Error::other)?;
                let positions = indexes.iter().map(|index| marks.records[*index].positions).sum();
                Ok(Stored { positions, ..Stored::default() })
            }
            Target::Joined(outputs) => {
                texts.resize(*outputs, (Vec::new(), 0));
                let (mut positions, mut number, mut run) = (0, 0, 0..0);
                for index in indexes {
                    let (output, place) = (placed.output(index), marks.range(index));
                    if run.end != place.start || output != number {
                        let (text, _) = texts.get_mut(number).ok_or(io::ErrorKind::InvalidData)?;
                        text.extend_from_slice(&records.text()[run]);
                        (number, run) = (output, place.start..place.start);
                    }
                    run.end = place.end;
                    let (_, count) = texts.get_mut(number).ok_or(io::ErrorKind::InvalidData)?;
                    *count += marks.records[index].positions;
                    positions += marks.records[index].positions;
                }
                let (text, _) = texts.get_mut(number).ok_or(io::ErrorKind::InvalidData)?;
                text.extend_from_slice(&records.text()[run]);
                Ok(Stored { positions, texts, ..Stored::default() })
            }
            Target::Sampled(sampled) => {
                let candidates = indexes.filter_map(|index| {
                    sampled.drawn(index as u64, || {
                        let mut record = Vec::new();
                        placed.write(index, None, &mut record);
                        record
                    })
                });
                Ok(Stored { candidates: candidates.collect(), ..Stored::default() })
            }
        }
    }
}

/// Chunks whose records are being stored.
pub(crate) struct StoredChunks<C>(OrderedTasks<(C, io::Result<Stored>)>);

impl<C: StoreRecords + Send + 'static> StoredChunks<C> {
    pub(crate) fn new(threads: &Threads) -> Self {
        StoredChunks(OrderedTasks::new(threads.clone()))
    }

    /// Stores the records of a chunk. `texts` is memory for texts.
    pub(crate) fn push(
        &mut self,
        storing: Storing,
        chunk: C,
        texts: JoinedTexts,
    ) -> io::Result<()> {
        self.0.push(move || {
            let stored = storing.run(&chunk, texts);
            (chunk, stored)
        })
    }

    /// Returns the next chunk whose records are stored. Waits for it, if any is left, if `must_wait`.
    pub(crate) fn next(&mut self, must_wait: bool) -> Option<io::Result<(C, Stored)>> {
        let next = if must_wait { self.0.wait() } else { self.0.next_ready() };
        next.map(|(chunk, stored)| stored.map(|stored| (chunk, stored)))
    }
}

impl<C> fmt::Debug for StoredChunks<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredChunks").finish_non_exhaustive()
    }
}
