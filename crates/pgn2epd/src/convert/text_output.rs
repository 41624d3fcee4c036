//! The outputs of a conversion to text or training data.

use std::io::{self, Write};
use std::path::PathBuf;

use stream::ordered::Threads;

use crate::choose::Chooser;
use crate::choose::text::{ChunkText, TextFiles};
use crate::convert::deliver::{Deliver, DeliverToOutputs, Delivered};
use crate::convert::worker::Done;
use crate::summary::OutputCounts;

/// Writes text, or training data.
#[derive(Debug)]
pub(super) struct TextOutput<W> {
    files: TextFiles<W>,
    /// Decides about records, if that depends on other ones.
    chooser: Option<Chooser>,
    threads: Threads,
}

impl<W: Write> TextOutput<W> {
    pub(super) fn new(files: TextFiles<W>, chooser: Option<Chooser>, threads: &Threads) -> Self {
        TextOutput { files, chooser, threads: threads.clone() }
    }

    /// Ends a chunk, unless more of its last game follows.
    fn end_chunk(&mut self, done: &Done) {
        if !done.is_part {
            self.files.end_chunk();
        }
    }
}

impl<W: Write> Deliver for TextOutput<W> {
    fn take(&mut self, done: &mut Done, _: u64) -> io::Result<Delivered> {
        let positions = done.text.positions;
        if let Some(compressed) = done.compressed() {
            let bytes = compressed.text_bytes;
            let output = self.files.output_of_chunk(OutputCounts { positions, bytes })?;
            output.write_frames(&compressed.frames)?;
            self.end_chunk(done);
            return Ok(Delivered { positions, bytes, duplicates: 0 });
        }
        let (text, ends) = match &done.encoder {
            Some(encoder) => (encoder.bytes(), encoder.ends()),
            None => (done.text.bytes.as_bytes(), &[][..]),
        };
        let Some(chooser) = &mut self.chooser else {
            let bytes = self.files.write_chunk(text, ends, positions)?;
            self.end_chunk(done);
            return Ok(Delivered { positions, bytes, duplicates: 0 });
        };
        let before = self.files.bytes();
        self.files.routes.resolve(&mut done.marks);
        let mut chunk = ChunkText { text, marks: &done.marks, files: &mut self.files };
        let positions = chooser.take(&done.marks, &mut chunk)?;
        self.files.flush()?;
        let bytes = self.files.bytes() - before;
        Ok(Delivered { positions, bytes, duplicates: chooser.take_duplicates() })
    }

    fn take_rest(&mut self) -> io::Result<Delivered> {
        let before = self.files.bytes();
        let (positions, duplicates) = match self.chooser.take() {
            Some(chooser) => chooser.finish(&self.threads, &mut self.files)?,
            None => (0, 0),
        };
        self.files.finish()?;
        Ok(Delivered { positions, bytes: self.files.bytes() - before, duplicates })
    }

    fn is_full(&self) -> bool {
        self.chooser.as_ref().is_some_and(Chooser::is_full)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.files.flush_outputs()
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
