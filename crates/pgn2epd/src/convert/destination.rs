//! The output of a conversion, compressed or not.

use std::io::{self, Write};

use stream::compress::Compression;
use stream::compress::encoder::EncodedFrames;
use stream::compress::file::CompressedFile;

/// Passes bytes on, or writes them as a compressed file.
#[derive(Debug)]
pub(super) struct Destination<W> {
    output: W,
    compression: Option<Compression>,
    /// The file, from the first byte on.
    file: Option<CompressedFile>,
}

impl<W: Write> Destination<W> {
    pub(super) fn new(output: W, compression: Option<Compression>) -> Self {
        Destination { output, compression, file: None }
    }

    /// Returns the file; `None` if bytes are passed on.
    fn file(&mut self) -> io::Result<Option<(&mut CompressedFile, &mut W)>> {
        let Destination { output, compression, file } = self;
        let Some(compression) = *compression else { return Ok(None) };
        let file = match file {
            Some(file) => file,
            none => none.insert(CompressedFile::new(compression)?),
        };
        Ok(Some((file, output)))
    }

    /// Writes what a worker has compressed.
    pub(super) fn write_frames(&mut self, frames: &EncodedFrames) -> io::Result<()> {
        match self.file()? {
            Some((file, output)) => file.write_frames(frames, output),
            None => Ok(()),
        }
    }

    /// Writes the end of a compressed file.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.file()?;
        match self.file.take() {
            Some(file) => file.finish(&mut self.output),
            None => Ok(()),
        }
    }
}

impl<W: Write> Write for Destination<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.file()? {
            Some((file, output)) => file.write(bytes, output).map(|()| bytes.len()),
            None => self.output.write(bytes),
        }
    }

    /// Frames are written when they are full.
    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
