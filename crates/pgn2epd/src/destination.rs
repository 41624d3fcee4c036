//! An output, compressed or not.

use std::io::{self, Write};

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
