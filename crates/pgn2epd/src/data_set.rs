//! The records of chunks on their way to the outputs; the crate `dataset` has the steps that depend
//! on other records. Files write selected records with the registers that they must clear.

pub(crate) mod index;

use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dataset::{Batch, DataSet, Next, Record, SelectedCounts};
use emit::{Column, Fact, Plan, add_games, empty_rows};
use epd::RegisterClearer;
use stream::compress::Compressor;
use stream::ordered::Threads;
use table::{Rows, Values};
use training::{Blocks, TrainingFormat};

use crate::convert::worker::{ConvertedChunk, Deliver, Delivered};
use crate::options::Options;
use crate::summary::OutputCounts;

/// The outputs of a run: one, or the files of a folder, opened when their first records arrive.
pub(crate) enum Outputs<W> {
    One(W),
    /// What opens a file by its name, and what receives that of a file to which nothing follows.
    Folder(Box<OnFile<W>>, Box<OnFile<()>>),
}

type OnFile<T> = dyn FnMut(&Path) -> io::Result<T> + Send;

pub(crate) trait OutputFile {
    type Output: io::Write;

    /// Writes a selected record, before which no registers are set if `is_cleared`.
    fn write(&mut self, record: &Record, contents: &[u8], is_cleared: bool) -> io::Result<()>;

    /// Writes what was gathered of the records of a batch.
    fn end_batch(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Writes the records of a chunk as they are, and returns the number of positions.
    fn write_all(&mut self, done: &mut ConvertedChunk, games_before: u64) -> io::Result<u64>;

    fn finish(&mut self) -> io::Result<()>;

    fn flush(&mut self) -> io::Result<()>;

    fn counts(&self) -> OutputCounts;
}

pub(crate) struct FileSet<F: OutputFile> {
    parts: Vec<DataSetPart<F>>,
    complete: Vec<(PathBuf, OutputCounts)>,
    folder: Option<Folder<F>>,
}

struct Folder<F: OutputFile> {
    suffix: String,
    rows_per_file: u64,
    has_games: bool,
    open: Box<OnFile<F::Output>>,
    on_complete: Box<OnFile<()>>,
    make: Box<dyn Fn(F::Output) -> F + Send>,
}

struct DataSetPart<F> {
    name: String,
    /// The file that is written now, its name and the number of its rows.
    last: Option<(F, PathBuf, u64)>,
    files: u64,
}

impl<F: OutputFile> FileSet<F> {
    pub(crate) fn new(
        outputs: Outputs<F::Output>,
        options: &Options,
        threads: &Threads,
        make: impl Fn(Compressor<F::Output>) -> F + Send + 'static,
    ) -> Self {
        let (compression, threads) = (options.compress_outputs(), threads.clone());
        let make = move |output| make(Compressor::new(output, compression, threads.clone()));
        let part = |name: &str| DataSetPart { name: name.to_owned(), last: None, files: 0 };
        let (open, on_complete) = match outputs {
            Outputs::One(output) => return FileSet::one(make(output)),
            Outputs::Folder(open, on_complete) => (open, on_complete),
        };
        FileSet {
            parts: match &options.split {
                Some(split) => split.names().map(part).collect(),
                None => vec![part("")],
            },
            complete: Vec::new(),
            folder: Some(Folder {
                suffix: options.suffix(),
                rows_per_file: options.rows_per_file.map_or(u64::MAX, u64::from),
                has_games: options.has_games(),
                open,
                on_complete,
                make: Box::new(make),
            }),
        }
    }

    pub(crate) fn one(file: F) -> Self {
        let last = Some((file, PathBuf::new(), 0));
        let parts = vec![DataSetPart { name: String::new(), last, files: 1 }];
        FileSet { parts, complete: Vec::new(), folder: None }
    }

    fn next(&mut self, part: usize, positions: u64) -> io::Result<&mut F> {
        let part = &mut self.parts[part];
        if let Some(folder) = &mut self.folder
            && let Some((mut file, name, _)) =
                part.last.take_if(|last| last.2 >= folder.rows_per_file)
        {
            file.finish()?;
            file.flush()?;
            self.complete.push((name.clone(), file.counts()));
            drop(file);
            (folder.on_complete)(&name)?;
        }
        let (file, _, before) = match (&mut part.last, &mut self.folder) {
            (Some(last), _) => last,
            (none, folder) => {
                let folder = folder.as_mut().expect("one file is open from the beginning");
                let name = format!("part-{:05}.{}", part.files, folder.suffix);
                part.files += 1;
                // With slashes on every system, as in the list of files.
                let name: PathBuf = match &*part.name {
                    "" => name.into(),
                    part => format!("{part}/{name}").into(),
                };
                let file = (folder.make)((folder.open)(&name)?);
                none.insert((file, name, 0))
            }
        };
        let has_games = self.folder.as_ref().is_some_and(|folder| folder.has_games);
        *before += if has_games { 1 } else { positions };
        Ok(file)
    }

    fn only(&mut self) -> Option<&mut F> {
        if self.folder.is_none() { self.written_now().next() } else { None }
    }

    fn written_now(&mut self) -> impl Iterator<Item = &mut F> {
        self.parts.iter_mut().flat_map(|part| &mut part.last).map(|(file, ..)| file)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.written_now().try_for_each(F::flush)
    }

    fn bytes(&mut self) -> u64 {
        let complete: u64 = self.complete.iter().map(|(_, counts)| counts.bytes).sum();
        complete + self.written_now().map(|file| file.counts().bytes).sum::<u64>()
    }

    /// Returns the files in the folder, part by part in their order, with what was written to each.
    fn counts(&self) -> Vec<(PathBuf, OutputCounts)> {
        if self.folder.is_none() {
            return Vec::new();
        }
        let last = self.parts.iter().flat_map(|part| &part.last);
        let last = last.map(|(file, name, _)| (name.clone(), file.counts()));
        let mut counts: Vec<_> = self.complete.iter().cloned().chain(last).collect();
        counts.sort_by(|(one, _), (other, _)| one.parent().cmp(&other.parent()));
        counts
    }
}

pub(crate) struct RecordOutput<F: OutputFile> {
    files: FileSet<F>,
    data_set: Option<DataSet>,
    /// Batches that are written, whose memory is used again: it need not be cleared by the system.
    spare: Vec<Batch>,
    /// Whether the first input has games: records of files clear what is before them.
    of_games: Option<bool>,
    /// Whether anything was written but the beginnings and ends of files.
    has_output: bool,
}

const MOST_SPARE: usize = 8;

impl<F: OutputFile> RecordOutput<F> {
    pub(crate) fn new(files: FileSet<F>, options: &Options, threads: &Threads) -> Self {
        let data_set = options.chooses().then(|| DataSet::new(&options.steps(), threads));
        RecordOutput { files, data_set, spare: Vec::new(), of_games: None, has_output: false }
    }

    fn delivered(
        &mut self,
        write: impl FnOnce(&mut Self) -> io::Result<SelectedCounts>,
    ) -> io::Result<Delivered> {
        let before = self.files.bytes();
        let SelectedCounts { positions, duplicates } = write(self)?;
        Ok(Delivered { positions, bytes: self.files.bytes() - before, duplicates })
    }

    fn select(
        &mut self,
        pass: impl FnOnce(&mut DataSet, Next<'_>) -> io::Result<SelectedCounts>,
    ) -> io::Result<SelectedCounts> {
        let Some(mut data_set) = self.data_set.take() else { return Ok(SelectedCounts::default()) };
        let written = pass(&mut data_set, &mut |batch| self.write(batch));
        self.data_set = Some(data_set);
        written
    }

    fn write(&mut self, batch: Batch) -> io::Result<()> {
        for record in &batch.records {
            let file = self.files.next(record.part as usize, record.positions.into())?;
            file.write(record, batch.contents(record), self.of_games == Some(false))?;
            self.has_output = true;
        }
        // Several outputs are written in larger pieces.
        self.files.only().map_or(Ok(()), F::end_batch)?;
        if self.spare.len() < MOST_SPARE {
            self.spare.push(batch);
        }
        Ok(())
    }
}

impl<F: OutputFile> Deliver for RecordOutput<F> {
    fn begin_input(&mut self, plan: &Plan) {
        self.of_games.get_or_insert_with(|| plan.register_clearer().is_some());
    }

    fn take(&mut self, done: &mut ConvertedChunk, games_before: u64) -> io::Result<Delivered> {
        self.delivered(|output| {
            if output.data_set.is_none() {
                let Some(file) = output.files.only() else { return Ok(SelectedCounts::default()) };
                output.has_output |= done.has_output();
                let positions = file.write_all(done, games_before)?;
                return Ok(SelectedCounts { positions, duplicates: 0 });
            }
            let mut chunk = mem::take(&mut done.index.chunk);
            chunk.games_before = games_before;
            done.index.chunk.batch = output.spare.pop().unwrap_or_default();
            output.select(|data_set, next| data_set.push(chunk, next))
        })
    }

    fn end_input(&mut self) -> io::Result<Delivered> {
        self.delivered(|output| {
            let written = output.select(DataSet::flush)?;
            output.files.flush()?;
            Ok(written)
        })
    }

    fn take_rest(&mut self) -> io::Result<Delivered> {
        self.delivered(|output| {
            let written = match output.data_set.take() {
                Some(data_set) => data_set.finish(&mut |batch| output.write(batch))?,
                None => SelectedCounts::default(),
            };
            output.files.written_now().try_for_each(F::finish)?;
            output.files.flush()?;
            Ok(written)
        })
    }

    fn has_output(&self) -> bool {
        self.has_output
    }

    fn is_full(&self) -> bool {
        self.data_set.as_ref().is_some_and(DataSet::is_full)
    }

    fn counts(&self) -> Vec<(PathBuf, OutputCounts)> {
        self.files.counts()
    }
}

pub(crate) struct TextFile<W> {
    output: Compressor<W>,
    clearer: Option<RegisterClearer>,
    blocks: Option<Blocks>,
    blank_line: bool,
    last_game: Option<u64>,
    text: Vec<u8>,
    written: OutputCounts,
}

/// Text is written in pieces of this size, in bytes, if there are several outputs.
const PIECE: usize = 1 << 16;

pub(crate) fn text_files<W: Write>(
    outputs: Outputs<W>,
    options: &Options,
    plan: &Plan,
    threads: &Threads,
) -> FileSet<TextFile<W>> {
    let (clearer, blank_line) = (options.register_clearer(plan), plan.blank_line);
    let is_binpack = options.training() == Some(TrainingFormat::Binpack);
    FileSet::new(outputs, options, threads, move |output| TextFile {
        output,
        clearer: clearer.clone(),
        blocks: is_binpack.then(Blocks::default),
        blank_line,
        last_game: None,
        text: Vec::new(),
        written: OutputCounts::default(),
    })
}

impl<W: Write> OutputFile for TextFile<W> {
    type Output = W;

    fn write(&mut self, record: &Record, contents: &[u8], is_cleared: bool) -> io::Result<()> {
        self.written.positions += u64::from(record.positions);
        if let Some(blocks) = &mut self.blocks {
            self.written.bytes += blocks.add(contents, &[contents.len()], &mut self.output)?;
            return Ok(());
        }
        if self.blank_line && self.last_game.is_some_and(|last| last != record.game) {
            self.text.push(b'\n');
        }
        self.last_game = Some(record.game);
        match &mut self.clearer {
            Some(clearer) if let Ok(line) = std::str::from_utf8(contents) => {
                if is_cleared {
                    clearer.begin_cleared();
                }
                clearer.write(line.trim_end_matches('\n'), &mut self.text);
                self.text.push(b'\n');
            }
            _ => self.text.extend_from_slice(contents),
        }
        if self.text.len() >= PIECE { self.end_batch() } else { Ok(()) }
    }

    fn end_batch(&mut self) -> io::Result<()> {
        self.output.write_all(&self.text)?;
        self.written.bytes += self.text.len() as u64;
        self.text.clear();
        Ok(())
    }

    fn write_all(&mut self, done: &mut ConvertedChunk, _: u64) -> io::Result<u64> {
        let positions = done.text.counts.positions;
        self.written.positions += positions;
        let (bytes, ends) = done.output();
        self.written.bytes += match &mut self.blocks {
            Some(blocks) => blocks.add(bytes, ends, &mut self.output)?,
            None => {
                self.output.write_all(bytes)?;
                bytes.len() as u64
            }
        };
        Ok(positions)
    }

    fn finish(&mut self) -> io::Result<()> {
        if self.blank_line && self.last_game.take().is_some() {
            self.text.push(b'\n');
        }
        self.end_batch()?;
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

pub(crate) trait RowFile {
    type Output: io::Write;

    fn push(&mut self, rows: Rows, positions: u64) -> io::Result<()>;

    fn spare(&mut self) -> Option<Rows> {
        None
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn counts(&self) -> OutputCounts {
        OutputCounts::default()
    }

    /// Reuses memory of earlier rows, to save clearing pages; else `rows` indicate the capacity.
    fn next_rows(&mut self, columns: &[Column], rows: &mut Rows) -> Rows {
        let next = self.spare().unwrap_or_else(|| empty_rows(columns, rows));
        rows.next_rows(next)
    }
}

pub(crate) struct SelectedRows<F> {
    file: F,
    columns: Arc<[Column]>,
    has_games: bool,
    rows: Rows,
    positions: u64,
    clearer: Option<RegisterClearer>,
}

/// Positions passed on together: groups of rows in a file must not depend on chunks.
const BATCH: u64 = 1 << 13;

impl<F: RowFile> SelectedRows<F> {
    pub(crate) fn new(
        file: F,
        columns: Arc<[Column]>,
        has_games: bool,
        clearer: Option<RegisterClearer>,
    ) -> Self {
        let rows = empty_rows(&columns, &Rows::default());
        SelectedRows { file, columns, has_games, rows, positions: 0, clearer }
    }

    /// Adds the number of games before the chunk, and clears registers in the record.
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
}

impl<F: RowFile> OutputFile for SelectedRows<F> {
    type Output = F::Output;

    fn write(&mut self, record: &Record, contents: &[u8], is_cleared: bool) -> io::Result<()> {
        self.rows.read_row(contents)?;
        self.positions += u64::from(record.positions);
        if is_cleared {
            self.clearer.iter_mut().for_each(RegisterClearer::begin_cleared);
        }
        self.complete(record.games_before);
        if self.positions >= BATCH { self.pass_on() } else { Ok(()) }
    }

    fn write_all(&mut self, done: &mut ConvertedChunk, games_before: u64) -> io::Result<u64> {
        add_games(&mut done.rows, &self.columns, games_before);
        let next = self.file.next_rows(&self.columns, &mut done.rows);
        let rows = mem::replace(&mut done.rows, next);
        // Games are not selected later, so all of their positions are in rows.
        let positions = if self.has_games { done.text.counts.positions } else { rows.len() as u64 };
        self.file.push(rows, positions)?;
        Ok(positions)
    }

    fn finish(&mut self) -> io::Result<()> {
        if !self.rows.is_empty() {
            self.pass_on()?;
        }
        self.file.finish()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    fn counts(&self) -> OutputCounts {
        self.file.counts()
    }
}
