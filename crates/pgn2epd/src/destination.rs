//! The outputs of a conversion, compressed or not.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use stream::compress::Compression;
use stream::compress::encoder::EncodedFrames;
use stream::compress::file::CompressedFile;
use stream::ordered::Threads;

/// Passes bytes on, or writes them as a compressed file.
#[derive(Debug)]
pub(crate) struct Destination<W> {
    /// Nothing after the end.
    output: Option<W>,
    compression: Option<Compression>,
    threads: Threads,
    /// The file, from the first byte on.
    file: Option<CompressedFile>,
}

impl<W: Write> Destination<W> {
    pub(crate) fn new(output: W, compression: Option<Compression>, threads: Threads) -> Self {
        Destination { output: Some(output), compression, threads, file: None }
    }

    fn output(&mut self) -> io::Result<&mut W> {
        self.output.as_mut().ok_or_else(|| io::ErrorKind::BrokenPipe.into())
    }

    /// Begins the compressed file, if it is one.
    fn begin(&mut self) -> io::Result<()> {
        if let (Some(compression), None) = (self.compression, &self.file) {
            self.file = Some(CompressedFile::new(compression, self.threads.clone())?);
        }
        Ok(())
    }

    /// Writes what a worker has compressed.
    pub(crate) fn write_frames(&mut self, frames: &EncodedFrames) -> io::Result<()> {
        self.begin()?;
        let Some(mut file) = self.file.take() else { return Ok(()) };
        let written = file.write_frames(frames, self.output()?);
        self.file = Some(file);
        written
    }

    /// Writes the end of a compressed file, once. Nothing may be written after it.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.begin()?;
        self.compression = None;
        match self.file.take() {
            Some(file) => file.finish(self.output()?),
            None => Ok(()),
        }
    }

    /// Writes the end, and closes the output.
    pub(crate) fn close(&mut self) -> io::Result<()> {
        self.finish()?;
        self.flush()?;
        self.output = None;
        Ok(())
    }
}

impl<W: Write> Write for Destination<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begin()?;
        let Destination { output: Some(output), file, .. } = self else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        match file {
            Some(file) => file.write(bytes, output).map(|()| bytes.len()),
            None => output.write(bytes),
        }
    }

    /// Frames are written when they are full.
    fn flush(&mut self) -> io::Result<()> {
        self.output.as_mut().map_or(Ok(()), Write::flush)
    }
}

/// The outputs of a conversion: given at the beginning, or files of a folder that are opened when their first records arrive.
#[derive(Debug)]
pub(crate) struct Outputs<W> {
    pub(crate) given: Vec<Destination<W>>,
    pub(crate) folder: Option<FileOpener<W>>,
}

type OnFile<T> = dyn FnMut(&Path) -> io::Result<T> + Send;

/// Opens the files of a folder.
pub(crate) struct FileOpener<W> {
    open: Box<OnFile<W>>,
    /// Receives the name of a file that is closed.
    complete: Box<OnFile<()>>,
    compression: Option<Compression>,
    threads: Threads,
    /// The number of files that are open.
    count: usize,
}

/// Systems limit the number of open files, often to 1,024.
const MOST_OPEN: usize = 512;

impl<W: Write> FileOpener<W> {
    pub(crate) fn new(
        open: impl FnMut(&Path) -> io::Result<W> + Send + 'static,
        complete: impl FnMut(&Path) -> io::Result<()> + Send + 'static,
        compression: Option<Compression>,
        threads: Threads,
    ) -> Self {
        let (open, complete) = (Box::new(open), Box::new(complete));
        FileOpener { open, complete, compression, threads, count: 0 }
    }

    /// Opens a file.
    pub(crate) fn open(&mut self, name: &Path) -> io::Result<Destination<W>> {
        if self.count == MOST_OPEN {
            let reason = format!(
                "more than {MOST_OPEN} folders are needed: partition by columns with fewer values, such as year or result"
            );
            return Err(io::Error::other(reason));
        }
        self.count += 1;
        let destination = |output| Destination::new(output, self.compression, self.threads.clone());
        (self.open)(name).map(destination)
    }

    /// Closes the file with this name, to which nothing follows.
    pub(crate) fn close(&mut self, file: &mut Destination<W>, name: &Path) -> io::Result<()> {
        self.count -= 1;
        file.close()?;
        (self.complete)(name)
    }
}

impl<W> fmt::Debug for FileOpener<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileOpener").field("count", &self.count).finish_non_exhaustive()
    }
}
