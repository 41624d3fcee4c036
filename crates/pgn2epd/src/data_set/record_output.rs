//! Writes the records of chunks: all of them, or those that the steps of a data set select.

use std::io;
use std::mem;
use std::path::PathBuf;

use dataset::{DataSet, Writer, Written};
use stream::ordered::Threads;

use crate::convert::deliver::{Deliver, Delivered};
use crate::convert::worker::ConvertedChunk;
use crate::data_set::file_set::{FileSet, OutputFile};
use crate::options::Options;
use crate::summary::OutputCounts;

pub(crate) trait RecordWriter: Writer<Chunk = ConvertedChunk> {
    type File: OutputFile;

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
