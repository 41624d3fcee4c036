//! Chosen records as text, or as bytes of training data, each with the registers that a reader of its output needs.

use std::io::{self, Write};

use emit::Plan;
use epd::{RegisterKeeper, RegisterPlace};
use stream::spill::rank_sorter::Batch;
use training::{Blocks, TrainingFormat};

use super::marks::Marks;
use super::routes::FileRoutes;
use super::storing::{JoinedTexts, StoreRecords};
use super::{ChunkRecords, RecordPlace, StoredRecord, StoredRecords};
use crate::destination::{Destination, FileOpener, Outputs};
use crate::options::Options;
use crate::summary::OutputCounts;

/// The outputs of records.
#[derive(Debug)]
pub(crate) struct TextFiles<W> {
    files: Vec<TextFile<W>>,
    folder: Option<FileOpener<W>>,
    pub(crate) routes: FileRoutes,
    keeper: Option<RegisterKeeper>,
    is_binpack: bool,
    /// Number of chunks written as they are.
    chunks: usize,
    blank_line: bool,
}

/// An output.
#[derive(Debug)]
struct TextFile<W> {
    output: Destination<W>,
    /// Adds the register operations of omitted records to those written.
    keeper: Option<RegisterKeeper>,
    /// The blocks of a binpack.
    blocks: Option<Blocks>,
    /// The game of the last record written.
    last_game: Option<u64>,
    /// The records to be written next.
    text: Vec<u8>,
    written: OutputCounts,
}

/// Text is written in pieces of this size, in bytes, if there are several outputs.
const PIECE: usize = 1 << 16;

impl<W: Write> TextFiles<W> {
    /// Uses these outputs.
    pub(crate) fn new(outputs: Outputs<W>, options: &Options, plan: &Plan) -> Self {
        let mut files = TextFiles {
            files: Vec::new(),
            folder: outputs.folder,
            routes: FileRoutes::new(options),
            keeper: options.register_keeper(plan),
            is_binpack: options.training() == Some(TrainingFormat::Binpack),
            chunks: 0,
            blank_line: plan.blank_line,
        };
        outputs.given.into_iter().for_each(|output| files.add(output));
        files
    }

    fn add(&mut self, output: Destination<W>) {
        self.files.push(TextFile {
            output,
            keeper: self.keeper.clone(),
            blocks: self.is_binpack.then(Blocks::default),
            last_game: None,
            text: Vec::new(),
            written: OutputCounts::default(),
        });
    }

    /// Writes all records of a chunk to an output, which is the same for all chunks unless there are shards. `ends` are the ends
    /// of the chains of a binpack. Returns the number of bytes.
    pub(crate) fn write_chunk(
        &mut self,
        bytes: &[u8],
        ends: &[usize],
        positions: u64,
    ) -> io::Result<u64> {
        let file = self.file_of_chunk().ok_or_else(no_output)?;
        let written = match &mut file.blocks {
            Some(blocks) => blocks.add(bytes, ends, &mut file.output)?,
            None => {
                file.output.write_all(bytes)?;
                bytes.len() as u64
            }
        };
        file.written.positions += positions;
        file.written.bytes += written;
        Ok(written)
    }

    /// Returns the output of a chunk, which is about to receive this much.
    pub(crate) fn output_of_chunk(
        &mut self,
        more: OutputCounts,
    ) -> io::Result<&mut Destination<W>> {
        let file = self.file_of_chunk().ok_or_else(no_output)?;
        file.written.positions += more.positions;
        file.written.bytes += more.bytes;
        Ok(&mut file.output)
    }

    fn file_of_chunk(&mut self) -> Option<&mut TextFile<W>> {
        let count = self.files.len().max(1);
        self.files.get_mut(self.chunks % count)
    }

    /// Ends a chunk: the games that follow may go to another output.
    pub(crate) fn end_chunk(&mut self) {
        self.chunks += 1;
    }

    /// Writes a record.
    fn write(
        &mut self,
        record: &[u8],
        registers: &[RegisterPlace],
        place: RecordPlace,
    ) -> io::Result<()> {
        let routed = self.routes.file(place);
        if let Some(folder) = &mut self.folder {
            if let Some(ended) = routed.ended {
                let file = &mut self.files[ended];
                file.end(self.blank_line)?;
                folder.close(&mut file.output, &self.routes.names()[ended])?;
            }
            if let Some(name) = self.routes.names().get(self.files.len()) {
                let output = folder.open(name)?;
                self.add(output);
            }
        }
        let file = self.files.get_mut(routed.file).ok_or_else(no_output)?;
        file.written.positions += place.positions;
        if let Some(blocks) = &mut file.blocks {
            file.written.bytes += blocks.add(record, &[record.len()], &mut file.output)?;
            return Ok(());
        }
        if self.blank_line && file.last_game.is_some_and(|last| last != place.game) {
            file.text.push(b'\n');
        }
        file.last_game = Some(place.game);
        match &mut file.keeper {
            Some(keeper) if let Ok(record) = std::str::from_utf8(record) => {
                let record = record.trim_end_matches('\n');
                keeper.begin();
                keeper.write_placed(record, registers, &mut file.text);
                file.text.push(b'\n');
            }
            _ => file.text.extend_from_slice(record),
        }
        file.flush_piece()
    }

    /// Returns the number of outputs if records are written as they are, each to the file with the number of its output.
    pub(crate) fn joined_outputs(&self) -> Option<usize> {
        let is_separate = self.keeper.is_some() || self.is_binpack || self.blank_line;
        (self.routes.has_one_file_each() && !is_separate).then_some(self.files.len())
    }

    /// Writes the texts of all outputs, and removes them.
    pub(crate) fn write_joined(&mut self, texts: &mut JoinedTexts) -> io::Result<()> {
        for (file, (text, positions)) in self.files.iter_mut().zip(texts) {
            file.written.positions += std::mem::take(positions);
            file.append(text)?;
            text.clear();
        }
        Ok(())
    }

    /// Writes the text of the records so far, unless there are several outputs, which are written in larger pieces.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        match &mut self.files[..] {
            [file] => file.flush(),
            _ => Ok(()),
        }
    }

    /// Writes the ends of the outputs.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        for file in &mut self.files {
            file.end(self.blank_line)?;
            file.output.finish()?;
        }
        Ok(())
    }

    /// Returns what was written to each output.
    pub(crate) fn counts(&self) -> Vec<OutputCounts> {
        self.files.iter().map(|file| file.written).collect()
    }

    /// Flushes the outputs.
    pub(crate) fn flush_outputs(&mut self) -> io::Result<()> {
        self.files.iter_mut().try_for_each(|file| file.output.flush())
    }

    /// Returns the number of bytes written.
    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.written.bytes).sum()
    }
}

impl<W: Write> TextFile<W> {
    /// Writes what follows the last record, once.
    fn end(&mut self, blank_line: bool) -> io::Result<()> {
        if blank_line && self.last_game.take().is_some() {
            self.text.push(b'\n');
        }
        self.flush()?;
        if let Some(mut blocks) = self.blocks.take() {
            self.written.bytes += blocks.finish(&mut self.output)?;
        }
        Ok(())
    }

    fn append(&mut self, text: &[u8]) -> io::Result<()> {
        if text.len() < PIECE {
            self.text.extend_from_slice(text);
            return self.flush_piece();
        }
        self.flush()?;
        self.output.write_all(text)?;
        self.written.bytes += text.len() as u64;
        Ok(())
    }

    /// Writes the text so far if it is large enough.
    fn flush_piece(&mut self) -> io::Result<()> {
        if self.text.len() >= PIECE { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.write_all(&self.text)?;
        self.written.bytes += self.text.len() as u64;
        self.text.clear();
        Ok(())
    }
}

/// Returns the error for a number of outputs that does not fit the options.
pub(crate) fn no_output() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidInput,
        "split and shards need an output for each part and shard, rows_per_file and partition_by a folder",
    )
}

/// The records of a chunk.
pub(crate) struct ChunkText<'c, W> {
    pub(crate) text: &'c [u8],
    pub(crate) marks: &'c Marks,
    pub(crate) files: &'c mut TextFiles<W>,
}

impl<W> StoreRecords for ChunkText<'_, W> {
    fn marks(&self) -> &Marks {
        self.marks
    }

    fn text(&self) -> &[u8] {
        self.text
    }
}

impl<W: Write> ChunkRecords for ChunkText<'_, W> {
    fn write(&mut self, index: usize, place: RecordPlace) -> io::Result<()> {
        let record = &self.text[self.marks.range(index)];
        self.files.write(record, self.marks.register_places(index), place)
    }
}

/// Stored records that are written together.
pub(crate) enum PreparedText {
    Joined(JoinedTexts),
    /// Records whose text or file depends on those before them.
    Separate(Batch),
}

impl<W: Write> StoredRecords for TextFiles<W> {
    type Prepared = PreparedText;

    fn preparation(&self) -> impl Fn(Batch) -> PreparedText + Send + Sync + 'static {
        let outputs = self.joined_outputs();
        move |batch| {
            outputs.and_then(|count| joined(&batch, count)).unwrap_or(PreparedText::Separate(batch))
        }
    }

    fn write_prepared(&mut self, records: PreparedText) -> io::Result<()> {
        match records {
            PreparedText::Separate(batch) => self.write_batch(&batch),
            PreparedText::Joined(mut texts) => self.write_joined(&mut texts),
        }
    }

    fn write(&mut self, record: StoredRecord<'_>) -> io::Result<()> {
        TextFiles::write(self, record.payload, &record.registers, record.place)
    }
}

/// Joins the records of each output; `None` if there are others.
fn joined(batch: &Batch, outputs: usize) -> Option<PreparedText> {
    let mut texts = vec![(Vec::new(), 0); outputs];
    for stored in batch.records() {
        let StoredRecord { place, payload, .. } = StoredRecord::read(stored)?;
        let (text, positions) = texts.get_mut(place.output)?;
        text.extend_from_slice(payload);
        *positions += place.positions;
    }
    Some(PreparedText::Joined(texts))
}
