//! The records of chunks on their way to the outputs; the crate `dataset` has the steps that depend
//! on other records.
//!
//! The workers note where the records of a chunk are and what their selection depends on (`index`).

pub(crate) mod index;

use std::fmt;
use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dataset::{DataSet, Place, Preparation, Selected, Writer, Written};
use emit::{Column, Fact, Plan, add_games, empty_rows};
use epd::RegisterClearer;
use stream::compress::{Compression, Compressor};
use stream::ordered::Threads;
use table::Rows;
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

pub(crate) trait RecordWriter: Writer<Chunk = ConvertedChunk> {
    type File: OutputFile;

    /// Receives the plan of the next input.
    fn begin_input(&mut self, plan: &Plan);

    /// Prepares the records of a chunk, given the number of games before it in the text.
    fn begin(&mut self, _done: &mut ConvertedChunk, _games_before: u64) {}

    /// Writes all records of a chunk as they are; returns the number of positions.
    fn write_all(&mut self, done: &mut ConvertedChunk) -> io::Result<u64>;

    /// Returns memory for a chunk.
    fn spare(&mut self) -> ConvertedChunk;

    /// Whether anything was written but the beginnings and ends of files.
    fn has_output(&mut self) -> bool {
        self.files().bytes() > 0
    }

    fn files(&mut self) -> &mut FileSet<Self::File>;
}

#[derive(Debug)]
pub(crate) struct RecordOutput<W: Writer> {
    writer: W,
    /// Selects, orders and divides records, if the options do so.
    data_set: Option<DataSet<W>>,
}

impl<W: RecordWriter> RecordOutput<W> {
    pub(crate) fn new(writer: W, options: &Options, threads: &Threads) -> Self {
        let data_set = options.chooses().then(|| DataSet::new(&options.steps(), threads, &writer));
        RecordOutput { writer, data_set }
    }

    fn delivered(
        &mut self,
        write: impl FnOnce(&mut W, &mut Option<DataSet<W>>) -> io::Result<Written>,
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
        self.writer.begin(done, games_before);
        self.delivered(|writer, data_set| match data_set {
            Some(data_set) => data_set.push(mem::replace(done, writer.spare()), writer),
            None => {
                let positions = writer.write_all(done)?;
                Ok(Written { positions, duplicates: 0 })
            }
        })
    }

    fn end_input(&mut self) -> io::Result<Delivered> {
        self.delivered(|writer, data_set| {
            let written = data_set.as_mut().map(|data_set| data_set.flush(writer)).transpose()?;
            writer.files().flush()?;
            Ok(written.unwrap_or_default())
        })
    }

    fn take_rest(&mut self) -> io::Result<Delivered> {
        self.delivered(|writer, data_set| {
            let finish = |data_set: DataSet<W>| data_set.finish(writer);
            let written = data_set.take().map(finish).transpose()?;
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
    /// Whether the records of a part can be written as one text.
    joins: bool,
    /// Chunks that are written, for later ones.
    spare: Vec<ConvertedChunk>,
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

/// Records that are written together.
#[derive(Debug)]
pub(crate) enum PreparedText {
    /// The text of each part and the number of positions in it, and the chunk whose memory can be
    /// used again.
    Joined(Vec<(Vec<u8>, u64)>, Option<ConvertedChunk>),
    /// Records whose text or file depends on those before them.
    Separate(Selected<ConvertedChunk>),
}

impl<W: Write> TextFiles<W> {
    pub(crate) fn new(
        outputs: Outputs<W>,
        options: &Options,
        plan: &Plan,
        threads: &Threads,
    ) -> Self {
        let (clearer, blank_line) = (options.register_clearer(plan), plan.blank_line);
        let is_binpack = options.training() == Some(TrainingFormat::Binpack);
        let is_simple = clearer.is_none() && !is_binpack && !blank_line;
        let file = move |output| TextFile {
            output,
            clearer: clearer.clone(),
            blocks: is_binpack.then(Blocks::default),
            blank_line,
            last_game: None,
            text: Vec::new(),
            written: OutputCounts::default(),
        };
        let files = FileSet::new(outputs, options, threads, file);
        let joins = is_simple && options.rows_per_file.is_none();
        TextFiles { files, of_games: None, joins, spare: Vec::new() }
    }

    fn write_record(&mut self, place: Place, record: &[u8]) -> io::Result<()> {
        let file = self.files.next(place.part, place.positions)?;
        file.written.positions += place.positions;
        if let Some(blocks) = &mut file.blocks {
            file.written.bytes += blocks.add(record, &[record.len()], &mut file.output)?;
            return Ok(());
        }
        if file.blank_line && file.last_game.is_some_and(|last| last != place.game) {
            file.text.push(b'\n');
        }
        file.last_game = Some(place.game);
        match &mut file.clearer {
            Some(clearer) if let Ok(record) = std::str::from_utf8(record) => {
                if self.of_games == Some(false) {
                    clearer.begin_cleared();
                }
                clearer.write(record.trim_end_matches('\n'), &mut file.text);
                file.text.push(b'\n');
            }
            _ => file.text.extend_from_slice(record),
        }
        file.flush_piece()
    }
}

impl<W: Write> Writer for TextFiles<W> {
    type Chunk = ConvertedChunk;
    type Prepared = PreparedText;

    fn preparation(&self) -> Arc<Preparation<ConvertedChunk, PreparedText>> {
        match self.joins {
            true => Arc::new(joined),
            false => Arc::new(PreparedText::Separate),
        }
    }

    fn write(&mut self, prepared: PreparedText) -> io::Result<()> {
        match prepared {
            PreparedText::Joined(texts, chunk) => {
                for (part, (text, positions)) in texts.into_iter().enumerate() {
                    if !text.is_empty() {
                        let file = self.files.next(part, positions)?;
                        file.written.positions += positions;
                        file.append(&text)?;
                    }
                }
                self.spare.extend(chunk);
            }
            PreparedText::Separate(Selected::OfChunk(selected)) => {
                let done = &selected.chunk;
                for (index, place) in selected.places() {
                    let record = &done.output().0[done.index.range(index)];
                    self.write_record(place, record)?;
                }
                self.spare.push(selected.chunk);
            }
            PreparedText::Separate(Selected::Stored(batch)) => {
                for (place, record) in batch.records() {
                    self.write_record(place, record)?;
                }
            }
        }
        // Several outputs are written in larger pieces.
        self.files.only().map_or(Ok(()), TextFile::write_text)
    }

    fn reuse(&mut self, chunk: ConvertedChunk) {
        self.spare.push(chunk);
    }
}

fn joined(selected: Selected<ConvertedChunk>) -> PreparedText {
    let mut texts: Vec<(Vec<u8>, u64)> = Vec::new();
    let mut add = |Place { part, positions, .. }: Place, record: &[u8], all: usize| {
        while texts.len() <= part {
            texts.push((Vec::with_capacity(all), 0));
        }
        let (text, count) = &mut texts[part];
        text.extend_from_slice(record);
        *count += positions;
    };
    let chunk = match selected {
        Selected::OfChunk(selected) => {
            let (text, _) = selected.chunk.output();
            for (index, place) in selected.places() {
                add(place, &text[selected.chunk.index.range(index)], text.len());
            }
            Some(selected.chunk)
        }
        Selected::Stored(batch) => {
            for (place, contents) in batch.records() {
                add(place, contents, 0);
            }
            None
        }
    };
    PreparedText::Joined(texts, chunk)
}

impl<W: Write> RecordWriter for TextFiles<W> {
    type File = TextFile<W>;

    fn begin_input(&mut self, plan: &Plan) {
        self.of_games.get_or_insert_with(|| plan.register_clearer().is_some());
    }

    fn write_all(&mut self, done: &mut ConvertedChunk) -> io::Result<u64> {
        let positions = done.text.positions;
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

    fn spare(&mut self) -> ConvertedChunk {
        self.spare.pop().unwrap_or_default()
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
    fn append(&mut self, text: &[u8]) -> io::Result<()> {
        if text.len() < PIECE {
            self.text.extend_from_slice(text);
            return self.flush_piece();
        }
        self.write_text()?;
        self.output.write_all(text)?;
        self.written.bytes += text.len() as u64;
        Ok(())
    }

    /// Writes the text so far if it is large enough.
    fn flush_piece(&mut self) -> io::Result<()> {
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
        RowWriter { files, columns, has_games, has_rows: false, of_games: None, spare: Vec::new() }
    }

    fn add(
        &mut self,
        place: Place,
        push: impl FnOnce(&mut Rows) -> io::Result<()>,
    ) -> io::Result<()> {
        self.has_rows = true;
        let file = self.files.next(place.part, place.positions)?;
        push(&mut file.rows)?;
        file.positions += place.positions;
        if let Some(clearer) = &mut file.clearer
            && self.of_games == Some(false)
        {
            clearer.begin_cleared();
        }
        file.clear_registers();
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
                let from = &selected.chunk.rows;
                for (row, place) in selected.places() {
                    self.add(place, |rows| {
                        rows.push(from, row);
                        Ok(())
                    })?;
                }
                self.spare.push(selected.chunk);
            }
            Selected::Stored(batch) => {
                for (place, row) in batch.records() {
                    self.add(place, |rows| rows.read_row(row))?;
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

    fn begin_input(&mut self, plan: &Plan) {
        self.of_games.get_or_insert_with(|| plan.register_clearer().is_some());
    }

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
    pub(crate) fn new(file: F, columns: Arc<[Column]>, clearer: Option<RegisterClearer>) -> Self {
        let rows = empty_rows(&columns, &Rows::default());
        SelectedRows { file, columns, rows, positions: 0, clearer }
    }

    /// Clears registers in the record of the last row.
    fn clear_registers(&mut self) {
        let Some(clearer) = &mut self.clearer else { return };
        let mut completed: Option<Vec<u8>> = None;
        for (column, values) in self.columns.iter().zip(&mut self.rows.columns) {
            if *column == Column::Fact(Fact::Record) {
                values.rewrite_last(|record, text| match &completed {
                    Some(completed) => text.extend_from_slice(completed),
                    None => {
                        let start = text.len();
                        clearer.write(record, text);
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
