//! Sorted runs in a temporary file.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use crate::read_at::ExtentReader;
use crate::spill::Record;
use crate::spill::merge::{Merge, Run};

/// A temporary file of runs.
#[derive(Debug)]
pub struct RunFile {
    file: Arc<File>,
    /// Data not written yet; its file offset is `written`.
    buffer: Vec<u8>,
    written: u64,
    /// The offset where the current run begins.
    start: u64,
}

/// The place of a run in its file.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    start: u64,
    end: u64,
}

impl Extent {
    /// Returns the size in bytes.
    pub fn len(&self) -> u64 {
        self.end - self.start
    }

    /// Returns whether the run is empty.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

/// Write size, in bytes.
const WRITTEN: usize = 1 << 20;

/// Read size per merged run, in bytes.
const READ: usize = 64 << 10;

/// Maximum number of runs merged at once; more are merged in several passes.
const MOST_MERGED: usize = 64;

impl RunFile {
    /// Uses an empty file.
    pub fn new(file: File) -> Self {
        RunFile { file: Arc::new(file), buffer: Vec::new(), written: 0, start: 0 }
    }

    /// Appends a record, which `write` encodes, to the current run.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    #[inline]
    pub fn append(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        write(&mut self.buffer);
        if self.buffer.len() >= WRITTEN { self.flush() } else { Ok(()) }
    }

    /// Ends the current run, the last part of which is buffered until [`RunFile::flush`]. `None` if it is empty.
    pub fn end_run(&mut self) -> Option<Extent> {
        let end = self.written + self.buffer.len() as u64;
        let run = Extent { start: self.start, end };
        self.start = end;
        (!run.is_empty()).then_some(run)
    }

    /// Writes buffered data.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(self.written))?;
        file.write_all(&self.buffer)?;
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Reads all bytes of a run into `bytes`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is shorter.
    pub fn read(&self, run: Extent, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.clear();
        bytes.reserve_exact(run.len() as usize);
        // The offset of the file is shared with other threads that read it.
        let mut reader = ExtentReader::new(self.file.clone(), run.start, run.end);
        if reader.read_to_end(bytes)? as u64 != run.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }

    /// Returns the records of runs, merged.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written.
    pub fn merge<T: Record + 'static>(
        &mut self,
        mut runs: Vec<Extent>,
    ) -> io::Result<Merge<'static, T>> {
        while runs.len() > MOST_MERGED {
            for record in self.merged::<T>(runs.drain(..MOST_MERGED))? {
                let record = record?;
                self.append(|out| record.write(out))?;
            }
            runs.extend(self.end_run());
            self.flush()?;
        }
        self.merged(runs)
    }

    fn merged<T: Record + 'static>(
        &self,
        runs: impl IntoIterator<Item = Extent>,
    ) -> io::Result<Merge<'static, T>> {
        let run = |extent: Extent| -> Run<'static, T> {
            let reader = ExtentReader::new(self.file.clone(), extent.start, extent.end);
            let mut reader = BufReader::with_capacity(READ, reader);
            Box::new(std::iter::from_fn(move || T::read(&mut reader).transpose()))
        };
        Merge::new(runs.into_iter().map(run).collect())
    }
}
