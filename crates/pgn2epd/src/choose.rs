//! Decides which records are written, in which order and to which output, where that depends on other records.
//!
//! * `marks`: where the records of a chunk are in its text, noted by the sinks of `marked` in the workers;
//! * `selection`: omitted and sampled records, by their number;
//! * `groups`, `stored_groups` and `equal`: one record of equal positions; `first_positions`: the same while records are written at once;
//! * `stored`: records that are decided on later, as bytes; `storing`: how all threads store those of a chunk;
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
mod stored_groups;
pub(crate) mod storing;
pub(crate) mod text;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use emit::draw;
use stream::ordered::Threads;
use stream::spill::rank_sorter::{Batch, RankSorter};
use stream::spill::temporary::SpillError;

use self::equal::EqualPositions;
use self::groups::{Group, Survivors, rank_of_position};
use self::marks::Marks;
use self::selection::Selection;
use self::storing::{ChunkStart, RecordPlacer, StoreRecords, Stored, Storing, Target};
use crate::options::Options;

pub(crate) use self::first_positions::Deciding;
pub(crate) use self::stored::{RecordPlace, StoredRecord};

/// The records of a chunk, which are stored or written.
pub(crate) trait ChunkRecords: StoreRecords {
    /// Writes a record.
    fn write(&mut self, index: usize, place: RecordPlace) -> io::Result<()>;
}

/// Writes stored records.
pub(crate) trait StoredRecords {
    /// Records that any thread has prepared for writing.
    type Prepared: Send + 'static;

    /// Returns what prepares records.
    fn preparation(&self) -> impl Fn(Batch) -> Self::Prepared + Send + Sync + 'static;

    /// Writes prepared records.
    fn write_prepared(&mut self, records: Self::Prepared) -> io::Result<()>;

    /// Writes a record.
    fn write(&mut self, record: StoredRecord<'_>) -> io::Result<()>;

    /// Writes the records of a batch one by one.
    fn write_batch(&mut self, batch: &Batch) -> io::Result<()> {
        batch.records().try_for_each(|stored| self.write_stored(stored))
    }

    /// Writes a record from its bytes.
    fn write_stored(&mut self, stored: &[u8]) -> io::Result<()> {
        match StoredRecord::read(stored) {
            Some(record) => self.write(record),
            None => Err(io::ErrorKind::InvalidData.into()),
        }
    }
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

/// The order of the chosen records.
#[derive(Debug)]
enum Order {
    /// That of the inputs.
    Input,
    /// A random one, by the numbers of the records.
    Random(Arc<RankSorter>),
    /// A random one, by the positions of the records, which all differ: the records of equal positions are sorted where one of them is chosen,
    /// so that all are stored only once.
    OfPositions,
}

/// Decides about each record.
#[derive(Debug)]
pub(crate) struct Chooser {
    equal: Option<EqualPositions>,
    selection: Selection<Vec<u8>>,
    order: Order,
    placer: RecordPlacer,
    /// The memory of each part, in bytes.
    memory: usize,
    folder: PathBuf,
    /// The number of records and games so far.
    start: ChunkStart,
    scratch: Vec<u8>,
}

impl Chooser {
    /// Creates a chooser if the options omit or divide records, or change their order. If the options allow it, it must be asked for
    /// decisions [ahead](Self::decide_ahead).
    pub(crate) fn new(options: &Options, threads: &Threads) -> Option<Self> {
        Self::with(options, threads, options.decides_ahead())
    }

    /// The same for rows, about which no decisions are made ahead.
    pub(crate) fn of_rows(options: &Options, threads: &Threads) -> Option<Self> {
        Self::with(options, threads, false)
    }

    fn with(options: &Options, threads: &Threads, is_ahead: bool) -> Option<Self> {
        if !options.chooses() {
            return None;
        }
        let (folder, selection) = (options.temp_folder(), Selection::by_number(options));
        // A sorter takes half of the memory.
        let half = options.memory / 2;
        let sorts_positions = options.shuffle && selection.admits_all();
        let memory = if options.shuffle && !sorts_positions { half } else { options.memory };
        let equal = EqualPositions::new(options, memory, threads, is_ahead, sorts_positions);
        let order = match &equal {
            _ if !options.shuffle => Order::Input,
            Some(_) if sorts_positions => Order::OfPositions,
            equal => {
                let memory = if equal.is_some() { half } else { options.memory };
                Order::Random(Arc::new(RankSorter::new(memory, &folder)))
            }
        };
        Some(Chooser {
            equal,
            selection,
            order,
            placer: RecordPlacer::new(options),
            memory,
            folder,
            start: ChunkStart::default(),
            scratch: Vec::new(),
        })
    }

    /// Whether no further record will be selected.
    pub(crate) fn is_full(&self) -> bool {
        self.selection.is_full()
    }

    /// Returns the number of duplicates omitted since the last call.
    pub(crate) fn take_duplicates(&mut self) -> u64 {
        self.equal.as_mut().map_or(0, EqualPositions::take_duplicates)
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
        equal.end_ahead()?;
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

    /// Takes the records of a chunk if none of them is written now, and returns how any thread stores them. `is_duplicate` has the decisions
    /// made ahead; `joined` is the number of outputs if joined texts can be written.
    pub(crate) fn storing(
        &mut self,
        marks: &Marks,
        is_duplicate: Option<&[bool]>,
        joined: Option<usize>,
    ) -> Option<Storing> {
        if self.is_full() {
            return None;
        }
        let omitted = is_duplicate.into_iter().flatten().filter(|is| **is).count() as u64;
        let target = match (&mut self.equal, is_duplicate) {
            (Some(equal), None) if !equal.are_all_stored() => return None,
            (Some(equal), _)
                if is_duplicate.is_none() || matches!(self.order, Order::OfPositions) =>
            {
                equal.count_duplicates(omitted);
                let groups = Arc::clone(equal.groups());
                Target::Groups { groups, has_fields_only: equal.stores_fields() }
            }
            (None, None) if !self.selection.admits_all() => {
                Target::Sampled(self.selection.candidates(marks.records.len() as u64)?)
            }
            (equal, _) => {
                let target = match &self.order {
                    _ if !self.selection.admits_all() => return None,
                    Order::Random(sorter) => Target::Shuffled(Arc::clone(sorter)),
                    Order::Input | Order::OfPositions => Target::Joined(joined?),
                };
                equal.iter_mut().for_each(|equal| equal.count_duplicates(omitted));
                target
            }
        };
        let is_duplicate = is_duplicate.map(<[bool]>::to_vec);
        let (placer, start) = (self.placer.clone(), self.start);
        self.start.add(marks);
        Some(Storing { target, placer, start, is_duplicate })
    }

    /// Offers the records of a chunk that was stored to the sample. Chunks must be in input order.
    pub(crate) fn offer(&mut self, stored: &mut Stored) {
        stored.candidates.drain(..).for_each(|drawn| self.selection.offer(drawn));
    }

    /// Writes the chosen records of a chunk, or stores them for later; returns the number of positions written. `is_duplicate` has the
    /// decisions made ahead.
    pub(crate) fn take(
        &mut self,
        is_duplicate: Option<&[bool]>,
        records: &mut impl ChunkRecords,
    ) -> io::Result<u64> {
        let mut written = 0;
        let (start, count) = (self.start, records.marks().records.len());
        self.start.add(records.marks());
        for index in 0..count {
            // First, so that the number of duplicates does not depend on where chunks end.
            if self.is_full() {
                break;
            }
            if is_duplicate.is_some_and(|is_duplicate| is_duplicate[index]) {
                self.equal.iter_mut().for_each(|equal| equal.count_duplicates(1));
                continue;
            }
            if let (Some(equal), None) = (&mut self.equal, is_duplicate) {
                match equal.is_written_now(records.marks().keys[index]) {
                    Some(true) => {}
                    Some(false) => continue,
                    None => {
                        // So are all that follow.
                        let has_fields_only = equal.stores_fields();
                        let stored = self.placer.in_groups(start, has_fields_only, records);
                        equal.groups().store(index..count, &stored, false).map_err(failed)?;
                        break;
                    }
                }
            }
            let placed = self.placer.of(start, records);
            let is_chosen = self.selection.admits(|| {
                let mut record = Vec::new();
                placed.write(index, None, &mut record);
                record
            });
            if !is_chosen {
                continue;
            }
            let place = placed.place(index);
            written += place.positions;
            match &self.order {
                Order::Random(sorter) => {
                    self.scratch.clear();
                    placed.write(index, None, &mut self.scratch);
                    let rank = draw(self.placer.seed(), place.number);
                    sorter.push(rank, &self.scratch).map_err(failed)?;
                }
                Order::Input | Order::OfPositions => records.write(index, place)?,
            }
        }
        Ok(written)
    }

    /// Writes the stored records that are chosen; returns the number of positions not [counted](Chooser::take) before, and
    /// that of duplicates. No other thread may store records.
    pub(crate) fn finish(
        self,
        threads: &Threads,
        records: &mut impl StoredRecords,
    ) -> io::Result<(u64, u64)> {
        let Chooser { equal, mut selection, order, placer, memory, folder, .. } = self;
        let seed = placer.seed();
        let (mut written, mut duplicates) = (0, 0);
        let mut pass = |stored: &[u8]| match &order {
            Order::Random(sorter) => {
                let rank = draw(seed, StoredRecord::number_of(stored));
                sorter.push(rank, stored).map_err(failed)
            }
            Order::Input | Order::OfPositions => records.write_stored(stored),
        };
        match (equal, &order) {
            (Some(equal), Order::OfPositions) => {
                let preparation = records.preparation();
                let rank = move |group: &Group| rank_of_position(seed, group.key);
                let prepare = move |Survivors { bytes, items, .. }: Survivors| {
                    Ok(preparation(Batch::sorted(bytes, items)))
                };
                let write = |prepared| records.write_prepared(prepared);
                return equal.finish(threads, rank, prepare, write);
            }
            (Some(equal), _) => {
                // Records are selected by their number.
                let scale = self.start.records.leading_zeros();
                let sorter = Arc::new(RankSorter::new(memory / 2, &folder));
                let sorted = Arc::clone(&sorter);
                let rank = move |group: &Group| group.number.unbounded_shl(scale);
                let add = move |Survivors { bytes, items, .. }: Survivors| {
                    let ranks: Vec<u64> = items.iter().map(|(rank, _)| *rank).collect();
                    let record = |index: usize| &bytes[items[index].1.clone()];
                    sorted.push_all(&ranks, |index, out| out.extend_from_slice(record(index)))
                };
                (_, duplicates) = equal.finish(threads, rank, add, Ok)?;
                let mut sorted = sorter.finish(threads.clone(), |batch| batch);
                while let Some(batch) = sorted.next().map_err(failed)? {
                    for record in batch.records() {
                        if selection.is_full() {
                            break;
                        }
                        if selection.admits(|| record.to_vec()) {
                            written += 1;
                            pass(record)?;
                        }
                    }
                }
            }
            (None, _) => {}
        }
        for record in selection.take_sample() {
            written += StoredRecord::read(&record).map_or(0, |record| record.place.positions);
            pass(&record)?;
        }
        if let Order::Random(sorter) = order {
            let mut sorted = sorter.finish(threads.clone(), records.preparation());
            while let Some(batch) = sorted.next().map_err(failed)? {
                records.write_prepared(batch)?;
            }
        }
        Ok((written, duplicates))
    }
}

fn failed(error: SpillError) -> io::Error {
    io::Error::other(error)
}
