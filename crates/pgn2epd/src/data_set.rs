//! The records of chunks on their way to the outputs; the crate `dataset` has the steps that depend
//! on other records.
//!
//! The workers note what the selection of each record depends on, and gather its bytes (`index`).
//! One writer for text and encoded positions, and one for rows, write selected records, with the
//! registers that they must clear.

pub(crate) mod index;

use std::fmt;
use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dataset::{Batch, DataSet, Written};
use emit::{Column, Fact, Plan, add_games, empty_rows};
use epd::RegisterClearer;
use stream::compress::{Compression, Compressor};
use stream::ordered::Threads;
use table::{Rows, Values};
use training::{Blocks, TrainingFormat};

use crate::convert::worker::{ConvertedChunk, Deliver, Delivered};
use crate::options::Options;
use crate::summary::OutputCounts;

// The outputs of a run: one, or the files of a folder, which are opened when their first
// records arrive.

pub(crate) enum Outputs<W> {
    One(W),
    /// Files of a folder, which the first function opens by their names; the second one receives
    /// the name of a file to which nothing follows.
    Folder(Box<OnFile<W>>, Box<OnFile<()>>),
}

type OnFile<T> = dyn FnMut(&Path) -> io::Result<T> + Send;

pub(crate) trait OutputFile {
    type Output: io::Write;

    /// Writes what follows the last record, once.
    fn finish(&mut self) -> io::Result<()>;

    fn flush(&mut self) -> io::Result<()>;

    fn counts(&self) -> OutputCounts;
}

pub(crate) enum FileSet<F: OutputFile> {
    One(F),
    Folder(Box<Folder<F>>),
}

pub(crate) struct Folder<F: OutputFile> {
    parts: Vec<Part<F>>,
    /// The files to which nothing follows.
    complete: Vec<(PathBuf, OutputCounts)>,
    suffix: String,
    rows_per_file: u64,
    /// Whether a row is a game.
    has_games: bool,
    open: Box<OnFile<F::Output>>,
    on_complete: Box<OnFile<()>>,
    make: Box<dyn Fn(Compressor<F::Output>) -> F + Send>,
    compression: Option<Compression>,
    threads: Threads,
}

/// A part of a data set, with a folder of its own if it has a name.
struct Part<F> {
    name: String,
    /// The file that is written now, its name and the number of its rows.
    last: Option<(F, PathBuf, u64)>,
    files: u64,
}

impl<F: OutputFile> FileSet<F> {
    /// Uses these outputs; `make` makes a file of each.
    pub(crate) fn new(
        outputs: Outputs<F::Output>,
        options: &Options,
        threads: &Threads,
        make: impl Fn(Compressor<F::Output>) -> F + Send + 'static,
    ) -> Self {
        let (compression, threads) = (options.compress_outputs(), threads.clone());
        match outputs {
            Outputs::One(output) => {
                FileSet::One(make(Compressor::new(output, compression, threads)))
            }
            Outputs::Folder(open, on_complete) => {
                let part = |name: &str| Part { name: name.to_owned(), last: None, files: 0 };
                let folder = Folder {
                    parts: match &options.split {
                        Some(split) => split.names().map(part).collect(),
                        None => vec![part("")],
                    },
                    complete: Vec::new(),
                    suffix: options.suffix(),
                    rows_per_file: options.rows_per_file.map_or(u64::MAX, u64::from),
                    has_games: options.has_games(),
                    open,
                    on_complete,
                    make: Box::new(make),
                    compression,
                    threads,
                };
                FileSet::Folder(Box::new(folder))
            }
        }
    }

    /// Returns the file for the next record of a part, which has this number of positions.
    pub(crate) fn next(&mut self, part: usize, positions: u64) -> io::Result<&mut F> {
        match self {
            FileSet::One(file) => Ok(file),
            FileSet::Folder(folder) => folder.next(part, positions),
        }
    }

    /// Returns the only output, unless there is a folder.
    pub(crate) fn only(&mut self) -> Option<&mut F> {
        if let FileSet::One(file) = self { Some(file) } else { None }
    }

    /// Returns the outputs to which something may follow.
    fn written_now(&mut self) -> impl Iterator<Item = &mut F> {
        let (one, parts) = match self {
            FileSet::One(file) => (Some(file), &mut [][..]),
            FileSet::Folder(folder) => (None, &mut folder.parts[..]),
        };
        let last = parts.iter_mut().flat_map(|part| &mut part.last);
        one.into_iter().chain(last.map(|(file, ..)| file))
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.written_now().try_for_each(F::flush)
    }

    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.written_now().try_for_each(F::finish)?;
        self.flush()
    }

    /// Returns the number of bytes written, before compression.
    pub(crate) fn bytes(&mut self) -> u64 {
        let complete = match self {
            FileSet::One(_) => 0,
            FileSet::Folder(folder) => folder.complete.iter().map(|(_, counts)| counts.bytes).sum(),
        };
        complete + self.written_now().map(|file| file.counts().bytes).sum::<u64>()
    }

    /// Returns the files in the folder, part by part in their order, with what was written to each.
    pub(crate) fn counts(&self) -> Vec<(PathBuf, OutputCounts)> {
        let FileSet::Folder(folder) = self else { return Vec::new() };
        let last = folder.parts.iter().flat_map(|part| &part.last);
        let last = last.map(|(file, name, _)| (name.clone(), file.counts()));
        let mut counts: Vec<_> = folder.complete.iter().cloned().chain(last).collect();
        counts.sort_by(|(one, _), (other, _)| one.parent().cmp(&other.parent()));
        counts
    }
}

impl<F: OutputFile> Folder<F> {
    fn next(&mut self, part: usize, positions: u64) -> io::Result<&mut F> {
        let rows = if self.has_games { 1 } else { positions };
        let part = &mut self.parts[part];
        if let Some((mut file, name, _)) = part.last.take_if(|last| last.2 >= self.rows_per_file) {
            file.finish()?;
            file.flush()?;
            self.complete.push((name.clone(), file.counts()));
            drop(file);
            (self.on_complete)(&name)?;
        }
        let (file, _, before) = match &mut part.last {
            Some(last) => last,
            none => {
                let name = format!("part-{:05}.{}", part.files, self.suffix);
                part.files += 1;
                // With slashes on every system, as in the list of files.
                let name: PathBuf = match &*part.name {
                    "" => name.into(),
                    folder => format!("{folder}/{name}").into(),
                };
                let output = (self.open)(&name)?;
                let output = Compressor::new(output, self.compression, self.threads.clone());
                none.insert(((self.make)(output), name, 0))
            }
        };
        *before += rows;
        Ok(file)
    }
}

impl<F: OutputFile> fmt::Debug for FileSet<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileSet").finish_non_exhaustive()
    }
}

pub(crate) trait RecordWriter {
    type File: OutputFile;

    /// Receives the plan of the next input.
    fn begin_input(&mut self, plan: &Plan);

    /// Writes selected records.
    fn write(&mut self, batch: &Batch) -> io::Result<()>;

    /// Writes all records of a chunk as they are, given the number of games before it in the text;
    /// returns the number of positions.
    fn write_all(&mut self, done: &mut ConvertedChunk, games_before: u64) -> io::Result<u64>;

    /// Whether anything was written but the beginnings and ends of files.
    fn has_output(&mut self) -> bool {
        self.files().bytes() > 0
    }

    fn files(&mut self) -> &mut FileSet<Self::File>;
}

#[derive(Debug)]
pub(crate) struct RecordOutput<W> {
    writer: W,
    /// Selects, orders and divides records, if the options do so.
    data_set: Option<DataSet>,
    /// Batches that are written, whose memory is used again: it need not be cleared by the system.
    spare: Vec<Batch>,
}

impl<W: RecordWriter> RecordOutput<W> {
    pub(crate) fn new(writer: W, options: &Options, threads: &Threads) -> Self {
        let data_set = options.chooses().then(|| DataSet::new(&options.steps(), threads));
        RecordOutput { writer, data_set, spare: Vec::new() }
    }

    fn delivered(
        &mut self,
        write: impl FnOnce(&mut W, &mut Option<DataSet>) -> io::Result<Written>,
    ) -> io::Result<Delivered> {
        let before = self.writer.files().bytes();
        let Written { positions, duplicates } = write(&mut self.writer, &mut self.data_set)?;
        Ok(Delivered { positions, bytes: self.writer.files().bytes() - before, duplicates })
    }
}

impl<W: RecordWriter> Deliver for RecordOutput<W> {
    fn begin_input(&mut self, plan: &Plan) {
        self.writer.begin_input(plan);
    }

    fn take(&mut self, done: &mut ConvertedChunk, games_before: u64) -> io::Result<Delivered> {
        let mut spare = mem::take(&mut self.spare);
        let delivered = self.delivered(|writer, data_set| match data_set {
            Some(data_set) => {
                let mut chunk = mem::take(&mut done.index.chunk);
                chunk.games_before = games_before;
                done.index.chunk.batch = spare.pop().unwrap_or_default();
                data_set.push(chunk, &mut |batch| {
                    writer.write(&batch)?;
                    spare.push(batch);
                    Ok(())
                })
            }
            None => {
                let positions = writer.write_all(done, games_before)?;
                Ok(Written { positions, duplicates: 0 })
            }
        });
        self.spare = spare;
        delivered
    }

    fn end_input(&mut self) -> io::Result<Delivered> {
        self.delivered(|writer, data_set| {
            let mut write = |batch: Batch| writer.write(&batch);
            let written =
                data_set.as_mut().map(|data_set| data_set.flush(&mut write)).transpose()?;
            writer.files().flush()?;
            Ok(written.unwrap_or_default())
        })
    }

    fn take_rest(&mut self) -> io::Result<Delivered> {
        self.delivered(|writer, data_set| {
            let mut write = |batch: Batch| writer.write(&batch);
            let written =
                data_set.take().map(|data_set| data_set.finish(&mut write)).transpose()?;
            writer.files().finish()?;
            Ok(written.unwrap_or_default())
        })
    }

    fn has_output(&mut self) -> bool {
        self.writer.has_output()
    }

    fn is_full(&self) -> bool {
        self.data_set.as_ref().is_some_and(DataSet::is_full)
    }

    fn counts(&mut self) -> Vec<(PathBuf, OutputCounts)> {
        self.writer.files().counts()
    }
}

// Selected records as text, or as bytes of training data, each with the registers that a reader
// of its output needs.

#[derive(Debug)]
pub(crate) struct TextFiles<W: Write> {
    files: FileSet<TextFile<W>>,
    /// Whether the first input has games: records of files clear what is before them.
    of_games: Option<bool>,
}

#[derive(Debug)]
pub(crate) struct TextFile<W> {
    output: Compressor<W>,
    /// Clears the registers of the record before.
    clearer: Option<RegisterClearer>,
    blocks: Option<Blocks>,
    blank_line: bool,
    last_game: Option<u64>,
    /// The records to be written next.
    text: Vec<u8>,
    written: OutputCounts,
}

/// Text is written in pieces of this size, in bytes, if there are several outputs.
const PIECE: usize = 1 << 16;

impl<W: Write> TextFiles<W> {
    pub(crate) fn new(
        outputs: Outputs<W>,
        options: &Options,
        plan: &Plan,
        threads: &Threads,
    ) -> Self {
        let (clearer, blank_line) = (options.register_clearer(plan), plan.blank_line);
        let is_binpack = options.training() == Some(TrainingFormat::Binpack);
        let file = move |output| TextFile {
            output,
            clearer: clearer.clone(),
            blocks: is_binpack.then(Blocks::default),
            blank_line,
            last_game: None,
            text: Vec::new(),
            written: OutputCounts::default(),
        };
        TextFiles { files: FileSet::new(outputs, options, threads, file), of_games: None }
    }
}

impl<W: Write> RecordWriter for TextFiles<W> {
    type File = TextFile<W>;

    fn begin_input(&mut self, plan: &Plan) {
        self.of_games.get_or_insert_with(|| plan.register_clearer().is_some());
    }

    fn write(&mut self, batch: &Batch) -> io::Result<()> {
        for record in &batch.records {
            let positions = record.positions.into();
            let file = self.files.next(record.part as usize, positions)?;
            file.written.positions += positions;
            if self.of_games == Some(false) {
                file.clearer.iter_mut().for_each(RegisterClearer::begin_cleared);
            }
            file.push(record.game, batch.contents(record))?;
        }
        // Several outputs are written in larger pieces.
        self.files.only().map_or(Ok(()), TextFile::write_text)
    }

    fn write_all(&mut self, done: &mut ConvertedChunk, _: u64) -> io::Result<u64> {
        let positions = done.text.counts.positions;
        let Some(file) = self.files.only() else { return Ok(0) };
        file.written.positions += positions;
        let (bytes, ends) = done.output();
        file.written.bytes += match &mut file.blocks {
            Some(blocks) => blocks.add(bytes, ends, &mut file.output)?,
            None => {
                file.output.write_all(bytes)?;
                bytes.len() as u64
            }
        };
        Ok(positions)
    }

    fn files(&mut self) -> &mut FileSet<Self::File> {
        &mut self.files
    }
}

impl<W: Write> OutputFile for TextFile<W> {
    type Output = W;

    fn finish(&mut self) -> io::Result<()> {
        if self.blank_line && self.last_game.take().is_some() {
            self.text.push(b'\n');
        }
        self.write_text()?;
        if let Some(mut blocks) = self.blocks.take() {
            self.written.bytes += blocks.finish(&mut self.output)?;
        }
        self.output.finish()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    fn counts(&self) -> OutputCounts {
        self.written
    }
}

impl<W: Write> TextFile<W> {
    /// Adds a record of this game.
    fn push(&mut self, game: u64, record: &[u8]) -> io::Result<()> {
        if let Some(blocks) = &mut self.blocks {
            self.written.bytes += blocks.add(record, &[record.len()], &mut self.output)?;
            return Ok(());
        }
        if self.blank_line && self.last_game.is_some_and(|last| last != game) {
            self.text.push(b'\n');
        }
        self.last_game = Some(game);
        match &mut self.clearer {
            Some(clearer) if let Ok(record) = std::str::from_utf8(record) => {
                clearer.write(record.trim_end_matches('\n'), &mut self.text);
                self.text.push(b'\n');
            }
            _ => self.text.extend_from_slice(record),
        }
        if self.text.len() >= PIECE { self.write_text() } else { Ok(()) }
    }

    fn write_text(&mut self) -> io::Result<()> {
        self.output.write_all(&self.text)?;
        self.written.bytes += self.text.len() as u64;
        self.text.clear();
        Ok(())
    }
}

// Rows, of which some are selected, each with the registers that its record needs.

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
    /// Whether the first input has games: records of files clear what is before them.
    of_games: Option<bool>,
}

/// A file and the selected rows that it has not received yet.
#[derive(Debug)]
pub(crate) struct SelectedRows<F> {
    file: F,
    columns: Arc<[Column]>,
    rows: Rows,
    positions: u64,
    /// Clears the registers of the record before.
    clearer: Option<RegisterClearer>,
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
        RowWriter { files, columns, has_games, has_rows: false, of_games: None }
    }
}

impl<F: RowFile> RecordWriter for RowWriter<F> {
    type File = SelectedRows<F>;

    fn begin_input(&mut self, plan: &Plan) {
        self.of_games.get_or_insert_with(|| plan.register_clearer().is_some());
    }

    fn write(&mut self, batch: &Batch) -> io::Result<()> {
        for record in &batch.records {
            self.has_rows = true;
            let positions = record.positions.into();
            let file = self.files.next(record.part as usize, positions)?;
            file.rows.read_row(batch.contents(record))?;
            file.positions += positions;
            if self.of_games == Some(false) {
                file.clearer.iter_mut().for_each(RegisterClearer::begin_cleared);
            }
            file.complete(record.games_before);
            if file.positions >= BATCH {
                file.pass_on()?;
            }
        }
        Ok(())
    }

    fn write_all(&mut self, done: &mut ConvertedChunk, games_before: u64) -> io::Result<u64> {
        let Some(SelectedRows { file, .. }) = self.files.only() else { return Ok(0) };
        add_games(&mut done.rows, &self.columns, games_before);
        let next = file.next_rows(&self.columns, &mut done.rows);
        let rows = mem::replace(&mut done.rows, next);
        self.has_rows |= !rows.is_empty();
        // Games are not selected later, so all of their positions are in rows.
        let positions = if self.has_games { done.text.counts.positions } else { rows.len() as u64 };
        file.push(rows, positions)?;
        Ok(positions)
    }

    fn has_output(&mut self) -> bool {
        self.has_rows
    }

    fn files(&mut self) -> &mut FileSet<Self::File> {
        &mut self.files
    }
}

impl<F: RowFile> SelectedRows<F> {
    pub(crate) fn new(file: F, columns: Arc<[Column]>, clearer: Option<RegisterClearer>) -> Self {
        let rows = empty_rows(&columns, &Rows::default());
        SelectedRows { file, columns, rows, positions: 0, clearer }
    }

    /// Completes the last row: adds the number of games before its chunk to that of its game, and
    /// clears registers in its record.
    fn complete(&mut self, games_before: u64) {
        let mut cleared: Option<Vec<u8>> = None;
        for (column, values) in self.columns.iter().zip(&mut self.rows.columns) {
            match (column, &mut self.clearer) {
                (Column::Fact(Fact::Game), _) => {
                    if let Values::I64(numbers) = &mut values.values
                        && let Some(number) = numbers.last_mut()
                    {
                        *number += games_before as i64;
                    }
                }
                (Column::Fact(Fact::Record), Some(clearer)) => {
                    values.rewrite_last(|record, text| match &cleared {
                        Some(cleared) => text.extend_from_slice(cleared),
                        None => {
                            let start = text.len();
                            clearer.write(record, text);
                            cleared = Some(text[start..].to_vec());
                        }
                    });
                }
                _ => {}
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
