//! Independent readers of parts of a file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

/// Reads a part of a shared file.
#[derive(Debug)]
pub(crate) struct ExtentReader {
    file: Arc<File>,
    start: u64,
    end: u64,
}

impl ExtentReader {
    /// Reads the bytes from `start` to `end`, exclusive.
    pub(crate) fn new(file: Arc<File>, start: u64, end: u64) -> Self {
        ExtentReader { file, start, end }
    }
}

impl Read for ExtentReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_sub(self.start).min(buffer.len() as u64);
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(self.start))?;
        let read = file.read(&mut buffer[..left as usize])?;
        self.start += read as u64;
        Ok(read)
    }
}
