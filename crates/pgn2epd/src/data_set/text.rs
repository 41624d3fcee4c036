//! Selected records as text, or as bytes of training data, each with the registers that a reader of
//! its output needs.

use std::io::{self, Write};
use std::sync::Arc;

use dataset::{Place, Preparation, Selected, Writer};
use emit::Plan;
use epd::{RegisterKeeper, RegisterPlace};
use stream::compress::Compressor;
use stream::ordered::Threads;
use training::{Blocks, TrainingFormat};

use super::file_set::{FileSet, OutputFile, Outputs};
use super::index::read_contents;
use super::record_output::RecordWriter;
use crate::convert::worker::ConvertedChunk;
use crate::options::Options;
use crate::summary::OutputCounts;

#[derive(Debug)]
pub(crate) struct TextFiles<W: Write> {
    files: FileSet<TextFile<W>>,
    /// Whether the records of a part can be written as one text.
    joins: bool,
    /// Chunks that are written, for later ones.
    spare: Vec<ConvertedChunk>,
}

#[derive(Debug)]
pub(crate) struct TextFile<W> {
    output: Compressor<W>,
    /// Adds the register operations of omitted records to those written.
    keeper: Option<RegisterKeeper>,
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
        let (keeper, blank_line) = (options.register_keeper(plan), plan.blank_line);
        let is_binpack = options.training() == Some(TrainingFormat::Binpack);
        let is_simple = keeper.is_none() && !is_binpack && !blank_line;
        let file = move |output| TextFile {
            output,
            keeper: keeper.clone(),
            blocks: is_binpack.then(Blocks::default),
            blank_line,
            last_game: None,
            text: Vec::new(),
            written: OutputCounts::default(),
        };
        let files = FileSet::new(outputs, options, threads, file);
        let joins = is_simple && options.rows_per_file.is_none();
        TextFiles { files, joins, spare: Vec::new() }
    }

    fn write_record(
        &mut self,
        place: Place,
        registers: &[RegisterPlace],
        record: &[u8],
    ) -> io::Result<()> {
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
                    self.write_record(place, done.index.registers(index), record)?;
                }
                self.spare.push(selected.chunk);
            }
            PreparedText::Separate(Selected::Stored(batch)) => {
                for (place, contents) in batch.records() {
                    let (registers, record) = read_contents(contents)?;
                    self.write_record(place, &registers, record)?;
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
                // Without a keeper no registers are stored.
                add(place, &contents[1..], 0);
            }
            None
        }
    };
    PreparedText::Joined(texts, chunk)
}

impl<W: Write> RecordWriter for TextFiles<W> {
    type File = TextFile<W>;

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
