//! The outputs of a conversion to text or training data.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::mem;
use std::path::PathBuf;

use stream::ordered::Threads;

use crate::choose::marks::Marks;
use crate::choose::storing::{JoinedTexts, StoreRecords, StoredChunks};
use crate::choose::text::{ChunkText, TextFiles};
use crate::choose::{Ahead, Chooser, Deciding};
use crate::convert::deliver::{Deliver, DeliverToOutputs, Delivered};
use crate::convert::worker::Done;
use crate::options::Options;
use crate::summary::OutputCounts;

/// Writes text, or training data.
#[derive(Debug)]
pub(super) struct TextOutput<W> {
    files: TextFiles<W>,
    /// Decides about records, if that depends on other ones.
    chooser: Option<Chooser>,
    /// The chunks of which the decision is awaited, in input order.
    waiting: VecDeque<(Done, Deciding)>,
    /// The chunks whose records are being stored.
    stored: StoredChunks<Done>,
    /// Chunks that are written, for later ones.
    spare: Vec<Done>,
    /// Memory for texts of later chunks.
    spare_texts: Vec<JoinedTexts>,
    threads: Threads,
}

impl<W: Write> TextOutput<W> {
    pub(super) fn new(files: TextFiles<W>, options: &Options, threads: &Threads) -> Self {
        let chooser = Chooser::new(options, threads);
        let (waiting, stored) = (VecDeque::new(), StoredChunks::new(threads));
        let (spare, spare_texts) = (Vec::new(), Vec::new());
        TextOutput { files, chooser, waiting, stored, spare, spare_texts, threads: threads.clone() }
    }

    /// Ends a chunk, unless more of its last game follows.
    fn end_chunk(&mut self, done: &Done) {
        if !done.is_part {
            self.files.end_chunk();
        }
    }

    /// Writes the chosen records of a chunk, or begins to store them.
    fn write_chosen(&mut self, done: Done, is_duplicate: Option<&[bool]>) -> io::Result<Delivered> {
        let joined = self.files.joined_outputs();
        let Some(chooser) = &mut self.chooser else { return Ok(Delivered::default()) };
        if let Some(storing) = chooser.storing(&done.marks, is_duplicate, joined) {
            let duplicates = chooser.take_duplicates();
            self.stored.push(storing, done, self.spare_texts.pop().unwrap_or_default())?;
            let mut delivered = self.end_stored(false)?;
            delivered.duplicates += duplicates;
            return Ok(delivered);
        }
        // Records may be written now.
        let mut delivered = self.end_stored(true)?;
        let Some(chooser) = &mut self.chooser else { return Ok(delivered) };
        let before = self.files.bytes();
        let mut chunk =
            ChunkText { text: done.output().0, marks: &done.marks, files: &mut self.files };
        delivered.positions += chooser.take(is_duplicate, &mut chunk)?;
        delivered.duplicates += chooser.take_duplicates();
        self.files.flush()?;
        delivered.bytes += self.files.bytes() - before;
        self.spare.push(done);
        Ok(delivered)
    }

    /// Writes the texts of chunks whose records are stored, of all if `must_wait`.
    fn end_stored(&mut self, must_wait: bool) -> io::Result<Delivered> {
        let (before, mut positions) = (self.files.bytes(), 0);
        while let Some(stored) = self.stored.next(must_wait) {
            let (done, mut stored) = stored?;
            positions += stored.positions;
            self.files.write_joined(&mut stored.texts)?;
            self.files.flush()?;
            self.chooser.iter_mut().for_each(|chooser| chooser.offer(&mut stored));
            self.spare.push(done);
            self.spare_texts.push(stored.texts);
        }
        Ok(Delivered { positions, bytes: self.files.bytes() - before, duplicates: 0 })
    }

    /// Writes the waiting chunks that are decided on, and waits until at most `most` remain.
    fn write_waiting(&mut self, most: usize) -> io::Result<Delivered> {
        let mut delivered = Delivered::default();
        while let (Some(chooser), Some((done, mut deciding))) =
            (&mut self.chooser, self.waiting.pop_front())
        {
            let must_wait = self.waiting.len() >= most;
            let Some(is_duplicate) = chooser.decided(&mut deciding, must_wait) else {
                self.waiting.push_front((done, deciding));
                break;
            };
            delivered += self.write_chosen(done, Some(&is_duplicate))?;
        }
        Ok(delivered)
    }

    /// Writes the chosen records of a chunk, or lets it wait for a decision.
    fn choose(&mut self, done: &mut Done) -> io::Result<Delivered> {
        self.files.routes.resolve(&mut done.marks);
        let mut done = mem::replace(done, self.spare.pop().unwrap_or_default());
        let mut delivered = Delivered::default();
        while let Some(chooser) = &mut self.chooser {
            match chooser.decide_ahead(&mut done.marks, self.waiting.is_empty())? {
                Ahead::Not => break,
                Ahead::AwaitOthers => delivered += self.write_waiting(0)?,
                Ahead::Begun(deciding) => {
                    self.waiting.push_back((done, deciding));
                    // Other threads decide meanwhile.
                    let most = if self.threads.count() > 1 { self.threads.count() } else { 0 };
                    delivered += self.write_waiting(most)?;
                    return Ok(delivered);
                }
            }
        }
        delivered += self.write_chosen(done, None)?;
        Ok(delivered)
    }
}

impl StoreRecords for Done {
    fn marks(&self) -> &Marks {
        &self.marks
    }

    fn text(&self) -> &[u8] {
        self.output().0
    }
}

impl<W: Write> Deliver for TextOutput<W> {
    fn take(&mut self, done: &mut Done, _: u64) -> io::Result<Delivered> {
        if self.chooser.is_some() {
            return self.choose(done);
        }
        let positions = done.text.positions;
        let bytes = if let Some(compressed) = done.compressed() {
            let bytes = compressed.text_bytes;
            let output = self.files.output_of_chunk(OutputCounts { positions, bytes })?;
            output.write_frames(&compressed.frames)?;
            bytes
        } else {
            let (text, ends) = done.output();
            self.files.write_chunk(text, ends, positions)?
        };
        self.end_chunk(done);
        Ok(Delivered { positions, bytes, duplicates: 0 })
    }

    fn end_input(&mut self) -> io::Result<Delivered> {
        let mut delivered = self.write_waiting(0)?;
        delivered += self.end_stored(true)?;
        self.files.flush_outputs()?;
        Ok(delivered)
    }

    fn take_rest(&mut self) -> io::Result<Delivered> {
        // After an error, chunks may still be stored.
        let mut delivered = self.end_stored(true)?;
        let before = self.files.bytes();
        if let Some(chooser) = self.chooser.take() {
            let (positions, duplicates) = chooser.finish(&self.threads, &mut self.files)?;
            delivered += Delivered { positions, bytes: 0, duplicates };
        }
        self.files.finish()?;
        self.files.flush_outputs()?;
        delivered.bytes += self.files.bytes() - before;
        Ok(delivered)
    }

    fn is_full(&self) -> bool {
        self.chooser.as_ref().is_some_and(Chooser::is_full)
    }
}

impl<W: Write> DeliverToOutputs for TextOutput<W> {
    fn counts(&self) -> Vec<OutputCounts> {
        self.files.counts()
    }

    fn names(&self) -> &[PathBuf] {
        self.files.routes.names()
    }
}
