//! Rows, of which some are selected, each with the registers that its record needs.

use std::io;
use std::mem;
use std::sync::Arc;

use dataset::{Place, Preparation, Selected, Writer};
use emit::{Column, Fact, add_games, empty_rows};
use epd::{RegisterKeeper, RegisterPlace};
use table::Rows;

use super::file_set::{FileSet, OutputFile};
use super::index::read_contents;
use super::record_output::RecordWriter;
use crate::convert::worker::ConvertedChunk;
use crate::options::Options;
use crate::summary::OutputCounts;

pub(crate) trait RowFile: OutputFile {
    /// `positions` is the number of rows, unless these are games.
    fn push(&mut self, rows: Rows, positions: u64) -> io::Result<()>;

    /// Returns the memory of earlier rows.
    fn spare(&mut self) -> Option<Rows> {
        None
    }

    /// Reuses memory of earlier rows, to save clearing pages; else `rows` indicate the capacity.
    fn next_rows(&mut self, columns: &[Column], rows: &mut Rows) -> Rows {
        let next = self.spare().unwrap_or_else(|| empty_rows(columns, rows));
        rows.next_rows(next)
    }
}

#[derive(Debug)]
pub(crate) struct RowWriter<F: RowFile> {
    files: FileSet<SelectedRows<F>>,
    columns: Arc<[Column]>,
    /// Whether a row is a game.
    has_games: bool,
    has_rows: bool,
    /// Chunks that are written, for later ones.
    spare: Vec<ConvertedChunk>,
}

/// A file and the selected rows that it has not received yet.
#[derive(Debug)]
pub(crate) struct SelectedRows<F> {
    file: F,
    columns: Arc<[Column]>,
    rows: Rows,
    positions: u64,
    /// Adds the register operations of omitted records to those selected.
    keeper: Option<RegisterKeeper>,
}

/// Positions passed on together: groups of rows in a file must not depend on chunks.
const BATCH: u64 = 1 << 13;

impl<F: RowFile> RowWriter<F> {
    pub(crate) fn new(
        files: FileSet<SelectedRows<F>>,
        columns: Arc<[Column]>,
        options: &Options,
    ) -> Self {
        let has_games = options.has_games();
        RowWriter { files, columns, has_games, has_rows: false, spare: Vec::new() }
    }

    fn add(
        &mut self,
        place: Place,
        registers: &[RegisterPlace],
        push: impl FnOnce(&mut Rows) -> io::Result<()>,
    ) -> io::Result<()> {
        self.has_rows = true;
        let file = self.files.next(place.part, place.positions)?;
        push(&mut file.rows)?;
        file.positions += place.positions;
        file.complete(registers);
        if file.positions >= BATCH { file.pass_on() } else { Ok(()) }
    }
}

impl<F: RowFile> Writer for RowWriter<F> {
    type Chunk = ConvertedChunk;
    type Prepared = Selected<ConvertedChunk>;

    fn preparation(&self) -> Arc<Preparation<ConvertedChunk, Selected<ConvertedChunk>>> {
        Arc::new(|selected| selected)
    }

    fn write(&mut self, prepared: Selected<ConvertedChunk>) -> io::Result<()> {
        match prepared {
            Selected::OfChunk(selected) => {
                let ConvertedChunk { rows: from, index, .. } = &selected.chunk;
                for (row, place) in selected.places() {
                    self.add(place, index.registers(row), |rows| {
                        rows.push(from, row);
                        Ok(())
                    })?;
                }
                self.spare.push(selected.chunk);
            }
            Selected::Stored(batch) => {
                for (place, contents) in batch.records() {
                    let (registers, row) = read_contents(contents)?;
                    self.add(place, &registers, |rows| rows.read_row(row))?;
                }
            }
        }
        Ok(())
    }

    fn reuse(&mut self, chunk: ConvertedChunk) {
        self.spare.push(chunk);
    }
}

impl<F: RowFile> RecordWriter for RowWriter<F> {
    type File = SelectedRows<F>;

    fn begin(&mut self, done: &mut ConvertedChunk, games_before: u64) {
        add_games(&mut done.rows, &self.columns, games_before);
    }

    fn write_all(&mut self, done: &mut ConvertedChunk) -> io::Result<u64> {
        let Some(SelectedRows { file, .. }) = self.files.only() else { return Ok(0) };
        let next = file.next_rows(&self.columns, &mut done.rows);
        let rows = mem::replace(&mut done.rows, next);
        self.has_rows |= !rows.is_empty();
        // Games are not selected later, so all of their positions are in rows.
        let positions = if self.has_games { done.text.positions } else { rows.len() as u64 };
        file.push(rows, positions)?;
        Ok(positions)
    }

    fn spare(&mut self) -> ConvertedChunk {
        self.spare.pop().unwrap_or_default()
    }

    fn has_output(&mut self) -> bool {
        self.has_rows
    }

    fn files(&mut self) -> &mut FileSet<Self::File> {
        &mut self.files
    }
}

impl<F: RowFile> SelectedRows<F> {
    pub(crate) fn new(file: F, columns: Arc<[Column]>, keeper: Option<RegisterKeeper>) -> Self {
        let rows = empty_rows(&columns, &Rows::default());
        SelectedRows { file, columns, rows, positions: 0, keeper }
    }

    /// Completes the record in the last row with the registers that it needs among those selected.
    fn complete(&mut self, registers: &[RegisterPlace]) {
        let Some(keeper) = &mut self.keeper else { return };
        keeper.begin();
        let mut completed: Option<Vec<u8>> = None;
        for (column, values) in self.columns.iter().zip(&mut self.rows.columns) {
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

    fn pass_on(&mut self) -> io::Result<()> {
        let next = self.file.next_rows(&self.columns, &mut self.rows);
        let rows = mem::replace(&mut self.rows, next);
        self.file.push(rows, mem::take(&mut self.positions))
    }

    fn end(&mut self) -> io::Result<()> {
        if self.rows.is_empty() { Ok(()) } else { self.pass_on() }
    }
}

impl<F: RowFile> OutputFile for SelectedRows<F> {
    type Output = F::Output;

    fn finish(&mut self) -> io::Result<()> {
        self.end()?;
        self.file.finish()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    fn counts(&self) -> OutputCounts {
        self.file.counts()
    }
}
