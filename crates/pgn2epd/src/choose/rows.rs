//! Chosen records as rows, each with the registers that its record needs.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use emit::{Column, Fact, Plan, Rows};
use epd::{RegisterKeeper, RegisterPlace};
use stream::ordered::Threads;
use stream::spill::rank_sorter::Batch;

use super::marks::Marks;
use super::routes::FileRoutes;
use super::storing::{StoreRecords, StoredChunks};
use super::text::no_output;
use super::{Chooser, ChunkRecords, RecordPlace, StoredRecord, StoredRecords};
use crate::options::{Options, RowKind};

/// Numbers the games of rows, and selects rows.
#[derive(Debug)]
pub(crate) struct RowChooser {
    columns: Arc<[Column]>,
    chooser: Option<Chooser>,
    /// The chunks whose rows are being stored.
    stored: StoredChunks<RowsToStore>,
    /// The chosen rows of each file that were not handed on yet; nothing for a file that is complete.
    chosen: Vec<Option<ChosenRows>>,
    /// The number of files of which rows were handed on.
    handed: usize,
    routes: FileRoutes,
    keeper: Option<RegisterKeeper>,
    /// Number of chunks passed on as they are.
    chunks: usize,
    /// Memory for rows.
    spent: Vec<Rows>,
    /// Whether a row is a game.
    has_games: bool,
    threads: Threads,
}

/// Rows for a file.
pub(crate) struct HandedRows<'n> {
    pub(crate) file: usize,
    /// The name of the file, if it is in a folder.
    pub(crate) name: Option<&'n Path>,
    pub(crate) rows: Rows,
    /// The number of positions in them, which is that of rows unless these are games.
    pub(crate) positions: u64,
    /// Whether the file is complete.
    pub(crate) is_last: bool,
}

/// Receives rows.
pub(crate) type HandOn<'h> = dyn FnMut(HandedRows<'_>) -> io::Result<()> + 'h;

/// The rows chosen for a file.
#[derive(Debug)]
struct ChosenRows {
    rows: Rows,
    positions: u64,
    is_last: bool,
    /// Adds the register operations of omitted records to those selected.
    keeper: Option<RegisterKeeper>,
}

impl RowChooser {
    pub(crate) fn new(
        columns: &[Column],
        options: &Options,
        plan: &Plan,
        outputs: usize,
        threads: Threads,
    ) -> Self {
        let mut rows = RowChooser {
            columns: columns.into(),
            chooser: Chooser::of_rows(options, &threads),
            stored: StoredChunks::new(&threads),
            chosen: Vec::new(),
            handed: 0,
            routes: FileRoutes::new(options),
            keeper: options.register_keeper(plan),
            chunks: 0,
            spent: Vec::new(),
            has_games: options.rows == RowKind::Games,
            threads,
        };
        (0..outputs).for_each(|_| rows.add_file());
        rows
    }

    fn add_file(&mut self) {
        let rows = Rows::new(&self.columns, &Rows::default());
        let keeper = self.keeper.clone();
        self.chosen.push(Some(ChosenRows { rows, positions: 0, is_last: false, keeper }));
    }

    /// Returns the chosen rows of the file for the next record, and whether another file became complete.
    fn route(&mut self, place: RecordPlace) -> io::Result<(&mut ChosenRows, bool)> {
        let routed = self.routes.file(place);
        if self.routes.names().len() > self.chosen.len() {
            self.add_file();
        }
        if let Some(ended) = routed.ended.and_then(|ended| self.chosen[ended].as_mut()) {
            ended.is_last = true;
        }
        let chosen = self.chosen.get_mut(routed.file).and_then(Option::as_mut);
        let chosen = chosen.ok_or_else(no_output)?;
        chosen.positions += place.positions;
        Ok((chosen, routed.ended.is_some()))
    }

    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Passes the chosen rows of a chunk on, given the number of games before it and the number of positions read for them.
    /// Returns the number of positions in them.
    pub(crate) fn take(
        &mut self,
        rows: &mut Rows,
        marks: &mut Marks,
        (games_before, positions): (u64, u64),
        hand_on: &mut HandOn<'_>,
    ) -> io::Result<u64> {
        rows.add_games(&self.columns, games_before);
        let Some(mut chooser) = self.chooser.take() else {
            // Memory of earlier rows saves the kernel the work of clearing new pages. Without it, these rows indicate the capacity
            // for the next ones.
            let next = self.spent.pop().unwrap_or_else(|| Rows::new(&self.columns, rows));
            let next = rows.next_rows(next);
            let rows = std::mem::replace(rows, next);
            // Games are not selected later, so all of their positions are in rows.
            let count = if self.has_games { positions } else { rows.len() as u64 };
            let file = self.chunks % self.chosen.len().max(1);
            self.chunks += 1;
            return hand_on(HandedRows {
                file,
                name: None,
                rows,
                positions: count,
                is_last: false,
            })
            .map(|()| count);
        };
        self.routes.resolve(marks);
        let count = match chooser.storing(marks, None, None) {
            Some(storing) => {
                let next = self.spent.pop().unwrap_or_else(|| Rows::new(&self.columns, rows));
                let chunk = RowsToStore {
                    rows: std::mem::replace(rows, next),
                    marks: std::mem::take(marks),
                };
                self.stored
                    .push(storing, chunk, Vec::new())
                    .and_then(|()| self.end_stored(&mut chooser, false))
            }
            None => chooser.take(None, &mut ChunkRows { rows, marks, chosen: self }),
        };
        self.chooser = Some(chooser);
        self.hand_on_all(1, hand_on)?;
        count
    }

    /// Returns the number of positions in chunks that are stored, of all if `must_wait`.
    fn end_stored(&mut self, chooser: &mut Chooser, must_wait: bool) -> io::Result<u64> {
        let mut count = 0;
        while let Some(stored) = self.stored.next(must_wait) {
            let (RowsToStore { mut rows, .. }, mut stored) = stored?;
            chooser.offer(&mut stored);
            rows.clear();
            self.spent.push(rows);
            count += stored.positions;
        }
        Ok(count)
    }

    /// Keeps the memory of rows for the next ones.
    pub(crate) fn reuse(&mut self, spent: &mut Vec<Rows>) {
        match self.chooser {
            None => self.spent.append(spent),
            // The rows of chunks remain with their workers.
            Some(_) => spent.clear(),
        }
    }

    /// Passes the chosen rows among those stored on, once; returns the number of positions and of duplicates.
    pub(crate) fn take_rest(&mut self, hand_on: &mut HandOn<'_>) -> io::Result<(u64, u64)> {
        let Some(mut chooser) = self.chooser.take() else { return Ok((0, 0)) };
        let stored = self.end_stored(&mut chooser, true)?;
        self.spent.clear();
        let threads = self.threads.clone();
        let mut rows = StoredRows { chosen: self, hand_on };
        let (written, duplicates) = chooser.finish(&threads, &mut rows)?;
        self.hand_on_all(1, hand_on)?;
        Ok((stored + written, duplicates))
    }

    /// Passes on the chosen rows of the files that have at least `least` or are complete, and those of new files, which are opened
    /// in this order.
    fn hand_on_all(&mut self, least: usize, hand_on: &mut HandOn<'_>) -> io::Result<()> {
        for (file, chosen) in self.chosen.iter_mut().enumerate() {
            let Some(ChosenRows { rows, positions, is_last, .. }) = chosen else { continue };
            let is_last = *is_last;
            if rows.len() >= least || is_last || file >= self.handed {
                self.handed = self.handed.max(file + 1);
                let empty = Rows::new(&self.columns, &Rows::default());
                let rows = std::mem::replace(rows, empty);
                let name = self.routes.names().get(file).map(|name| &**name);
                let positions = std::mem::take(positions);
                hand_on(HandedRows { file, name, rows, positions, is_last })?;
            }
            if is_last {
                *chosen = None;
            }
        }
        Ok(())
    }

    /// Returns the names of the files in the folder.
    pub(crate) fn names(&self) -> &[PathBuf] {
        self.routes.names()
    }

    /// Whether no further row will be selected.
    pub(crate) fn is_full(&self) -> bool {
        self.chooser.as_ref().is_some_and(Chooser::is_full)
    }

    /// Returns the number of duplicates dropped since the last call.
    pub(crate) fn take_duplicates(&mut self) -> u64 {
        self.chooser.as_mut().map_or(0, Chooser::take_duplicates)
    }
}

impl ChosenRows {
    /// Completes the record in the last row with the registers that it needs among those chosen.
    fn complete(&mut self, columns: &[Column], registers: &[RegisterPlace]) {
        let Some(keeper) = &mut self.keeper else { return };
        keeper.begin();
        let mut completed: Option<Vec<u8>> = None;
        for (column, values) in columns.iter().zip(&mut self.rows.columns) {
            if *column == Column::Fact(Fact::Record) {
                values.rewrite_last(|record, text| match &completed {
                    Some(completed) => text.extend_from_slice(completed),
                    None => {
                        let start = text.len();
                        keeper.write_placed(record, registers, text);
                        completed = Some(text[start..].to_vec());
                    }
                });
            }
        }
    }
}

/// The rows of a chunk.
struct ChunkRows<'c> {
    rows: &'c Rows,
    marks: &'c Marks,
    chosen: &'c mut RowChooser,
}

impl StoreRecords for ChunkRows<'_> {
    fn marks(&self) -> &Marks {
        self.marks
    }

    fn store(&self, index: usize, _: Option<usize>, out: &mut Vec<u8>) {
        self.rows.write_row(index, out);
    }
}

/// The rows of a chunk, which any thread stores.
#[derive(Debug)]
struct RowsToStore {
    rows: Rows,
    marks: Marks,
}

impl StoreRecords for RowsToStore {
    fn marks(&self) -> &Marks {
        &self.marks
    }

    fn store(&self, index: usize, _: Option<usize>, out: &mut Vec<u8>) {
        self.rows.write_row(index, out);
    }
}

impl ChunkRecords for ChunkRows<'_> {
    fn write(&mut self, index: usize, place: RecordPlace) -> io::Result<()> {
        let columns = Arc::clone(&self.chosen.columns);
        let (chosen, _) = self.chosen.route(place)?;
        chosen.rows.push(self.rows, index);
        chosen.complete(&columns, self.marks.register_places(index));
        Ok(())
    }
}

/// The stored rows, when all inputs have been read.
struct StoredRows<'c, 'h> {
    chosen: &'c mut RowChooser,
    hand_on: &'c mut HandOn<'h>,
}

/// The number of stored rows that are passed on together.
const BATCH: usize = 1 << 13;

impl StoredRecords for StoredRows<'_, '_> {
    type Prepared = Batch;

    fn preparation(&self) -> impl Fn(Batch) -> Batch + Send + Sync + 'static {
        |batch| batch
    }

    fn write_prepared(&mut self, batch: Batch) -> io::Result<()> {
        self.write_batch(&batch)
    }

    fn write(&mut self, record: StoredRecord<'_>) -> io::Result<()> {
        let columns = Arc::clone(&self.chosen.columns);
        let (chosen, has_ended) = self.chosen.route(record.place)?;
        chosen.rows.read_row(record.payload)?;
        chosen.complete(&columns, &record.registers);
        if chosen.rows.len() >= BATCH || has_ended {
            self.chosen.hand_on_all(BATCH, self.hand_on)
        } else {
            Ok(())
        }
    }
}
