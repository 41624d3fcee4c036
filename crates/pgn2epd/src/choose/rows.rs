//! Chosen records as rows, each with the registers that its record needs.

use std::io;

use emit::{Column, Fact, Plan, Rows};
use epd::{RegisterKeeper, RegisterPlace};
use stream::ordered::Threads;

use super::marks::Marks;
use super::shards::Shards;
use super::text::no_output;
use super::{Chooser, ChunkRecords, RecordPlace, StoredRecord, StoredRecords};
use crate::options::{Options, RowKind};

/// Numbers the games of rows, and selects rows.
#[derive(Debug)]
pub(crate) struct RowChooser {
    columns: Vec<Column>,
    chooser: Option<Chooser>,
    /// The chosen rows that were not taken yet, and the keeper of registers of each output.
    chosen: Vec<ChosenRows>,
    shards: Shards,
    /// Number of chunks passed on as they are.
    chunks: usize,
    /// Whether a row is a game.
    has_games: bool,
    threads: Threads,
}

/// The rows chosen for an output.
#[derive(Debug)]
struct ChosenRows {
    rows: Rows,
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
        let chosen = || ChosenRows {
            rows: Rows::new(columns, &Rows::default()),
            keeper: options.register_keeper(plan),
        };
        RowChooser {
            columns: columns.to_vec(),
            chooser: Chooser::new(options),
            chosen: std::iter::repeat_with(chosen).take(outputs).collect(),
            shards: Shards::new(options, outputs),
            chunks: 0,
            has_games: options.rows == RowKind::Games,
            threads,
        }
    }

    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Passes the chosen rows of a chunk on, given the number of games before it and the number of positions read for them: the
    /// index of their output, and the rows. Returns the number of positions in them.
    pub(crate) fn take(
        &mut self,
        rows: &mut Rows,
        marks: &Marks,
        (games_before, positions): (u64, u64),
        hand_on: &mut dyn FnMut(usize, Rows) -> io::Result<()>,
    ) -> io::Result<u64> {
        // The remaining rows indicate the capacity for the next ones.
        let like = Rows::new(&self.columns, rows);
        let mut rows = std::mem::replace(rows, like);
        rows.add_games(&self.columns, games_before);
        let Some(chooser) = &mut self.chooser else {
            // Games are not selected later, so all of their positions are in rows.
            let count = if self.has_games { positions } else { rows.len() as u64 };
            let output = self.chunks % self.chosen.len().max(1);
            self.chunks += 1;
            return hand_on(output, rows).map(|()| count);
        };
        let RowChooser { columns, chosen, shards, .. } = self;
        let mut chunk = ChunkRows { rows: &rows, marks, columns, chosen, shards };
        let count = chooser.take(marks, &mut chunk)?;
        self.hand_on_all(1, hand_on)?;
        Ok(count)
    }

    /// Passes the chosen rows among those stored on, once; returns the number of positions and of duplicates.
    pub(crate) fn take_rest(
        &mut self,
        hand_on: &mut dyn FnMut(usize, Rows) -> io::Result<()>,
    ) -> io::Result<(u64, u64)> {
        let Some(chooser) = self.chooser.take() else { return Ok((0, 0)) };
        let threads = self.threads.clone();
        let mut stored = StoredRows { chooser: self, hand_on };
        let counts = chooser.finish(&threads, &mut stored)?;
        self.hand_on_all(1, hand_on)?;
        Ok(counts)
    }

    /// Passes on the chosen rows of the outputs that have at least `least`.
    fn hand_on_all(
        &mut self,
        least: usize,
        hand_on: &mut dyn FnMut(usize, Rows) -> io::Result<()>,
    ) -> io::Result<()> {
        for (output, chosen) in self.chosen.iter_mut().enumerate() {
            if chosen.rows.len() >= least {
                let empty = Rows::new(&self.columns, &Rows::default());
                hand_on(output, std::mem::replace(&mut chosen.rows, empty))?;
            }
        }
        Ok(())
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
    columns: &'c [Column],
    chosen: &'c mut [ChosenRows],
    shards: &'c mut Shards,
}

impl ChunkRecords for ChunkRows<'_> {
    fn store(&self, index: usize, _: Option<usize>, out: &mut Vec<u8>) {
        self.rows.write_row(index, out);
    }

    fn write(&mut self, index: usize, place: RecordPlace) -> io::Result<()> {
        let output = self.shards.output(place).ok_or_else(no_output)?;
        let chosen = &mut self.chosen[output];
        chosen.rows.push(self.rows, index);
        chosen.complete(self.columns, self.marks.register_places(index));
        Ok(())
    }
}

/// The stored rows, when all inputs have been read.
struct StoredRows<'c> {
    chooser: &'c mut RowChooser,
    hand_on: &'c mut dyn FnMut(usize, Rows) -> io::Result<()>,
}

/// The number of stored rows that are passed on together.
const BATCH: usize = 1 << 13;

impl StoredRecords for StoredRows<'_> {
    fn write(&mut self, record: StoredRecord<'_>) -> io::Result<()> {
        let RowChooser { columns, chosen, shards, .. } = &mut *self.chooser;
        let output = shards.output(record.place).ok_or_else(no_output)?;
        let chosen = &mut chosen[output];
        chosen.rows.read_row(record.payload)?;
        chosen.complete(columns, &record.registers);
        if chosen.rows.len() >= BATCH {
            self.chooser.hand_on_all(BATCH, self.hand_on)
        } else {
            Ok(())
        }
    }
}
