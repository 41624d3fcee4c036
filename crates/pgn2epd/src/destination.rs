//! An output, compressed or not.

use std::io::{self, Write};

use stream::compress::Compression;
use stream::compress::encoder::EncodedFrames;
use stream::compress::file::CompressedFile;
use stream::ordered::Threads;

/// Passes bytes on, or writes them as a compressed file.
#[derive(Debug)]
pub(crate) struct Destination<W> {
    output: W,
    compression: Option<Compression>,
    threads: Threads,
    /// The file, from the first byte on.
    file: Option<CompressedFile>,
}

impl<W: Write> Destination<W> {
    pub(crate) fn new(output: W, compression: Option<Compression>, threads: Threads) -> Self {
        Destination { output, compression, threads, file: None }
    }

    /// Begins the compressed file, if it is one.
    fn begin(&mut self) -> io::Result<()> {
        if let (Some(compression), None) = (self.compression, &self.file) {
            self.file = Some(CompressedFile::new(compression, self.threads.clone())?);
        }
        Ok(())
    }

    pub(crate) fn write_frames(&mut self, frames: &EncodedFrames) -> io::Result<()> {
        self.begin()?;
        let Some(file) = &mut self.file else { return Ok(()) };
        file.write_frames(frames, &mut self.output)
    }

    /// Writes the end of a compressed file, once. Nothing may be written after it.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.begin()?;
        self.compression = None;
        match self.file.take() {
            Some(file) => file.finish(&mut self.output),
            None => Ok(()),
        }
    }
}

impl<W: Write> Write for Destination<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begin()?;
        match &mut self.file {
            Some(file) => file.write(bytes, &mut self.output).map(|()| bytes.len()),
            None => self.output.write(bytes),
        }
    }

    /// Frames are written when they are full.
    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
