//! A temporary file of runs: sorted records, or any bytes.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::read_at::ReaderAt;
use crate::spill::Record;
use crate::spill::merge::{Merge, Run};
use crate::spill::temporary::{self, within};

/// A temporary file of runs, which is created when it is first written. Errors are
/// [`SpillError`](temporary::SpillError)s.
#[derive(Debug)]
pub struct RunFile {
    folder: PathBuf,
    file: Option<Arc<File>>,
    /// Data not written yet; its file offset is `written`.
    buffer: Vec<u8>,
    written: u64,
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
    /// Creates no file yet in `folder`.
    pub fn new(folder: &Path) -> Self {
        let folder = folder.to_owned();
        RunFile { folder, file: None, buffer: Vec::new(), written: 0, start: 0 }
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

    /// Ends the current run, the last part of which is buffered until [`RunFile::flush`]. `None` if
    /// it is empty.
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
        if self.buffer.is_empty() {
            return Ok(());
        }
        let mut file = match &self.file {
            Some(file) => &**file,
            None => self.file.insert(Arc::new(temporary::file(&self.folder)?)),
        };
        let seek = file.seek(SeekFrom::Start(self.written));
        seek.and_then(|_| file.write_all(&self.buffer)).map_err(within(&self.folder))?;
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Appends all bytes of a run to `bytes`, after [`RunFile::flush`].
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is shorter.
    pub fn read(&self, run: Extent, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.reserve_exact(run.len() as usize);
        let read = match self.reader(run)?.read_to_end(bytes) {
            Ok(read) if read as u64 == run.len() => Ok(()),
            Ok(_) => Err(io::ErrorKind::UnexpectedEof.into()),
            Err(error) => Err(error),
        };
        read.map_err(within(&self.folder))
    }

    /// Returns the error for bytes that are not as they were written.
    pub fn damaged(&self) -> io::Error {
        within(&self.folder)(io::Error::new(io::ErrorKind::InvalidData, "it is damaged"))
    }

    /// Reads a run; the offset of the file is shared with other threads that read it.
    fn reader(&self, run: Extent) -> io::Result<impl Read + use<>> {
        // There is no file if it could not be created.
        let file = Arc::clone(self.file.as_ref().ok_or_else(|| self.damaged())?);
        Ok(ReaderAt { file, offset: run.start }.take(run.len()))
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
        self.flush()?;
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
        let run = |extent: Extent| -> io::Result<Run<'static, T>> {
            let mut reader = BufReader::with_capacity(READ, self.reader(extent)?);
            let folder = self.folder.clone();
            let next = move || T::read(&mut reader).map_err(within(&folder)).transpose();
            Ok(Box::new(std::iter::from_fn(next)))
        };
        Merge::new(runs.into_iter().map(run).collect::<io::Result<_>>()?)
    }
}
