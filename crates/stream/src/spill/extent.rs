//! Independent readers of parts of a file.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use crate::read_at::read_file_at;

/// Reads a part of a shared file.
#[derive(Debug)]
pub struct ExtentReader {
    file: Arc<File>,
    start: u64,
    end: u64,
}

impl ExtentReader {
    /// Reads the bytes from `start` to `end`, exclusive.
    pub fn new(file: Arc<File>, start: u64, end: u64) -> Self {
        ExtentReader { file, start, end }
    }
}

impl Read for ExtentReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_sub(self.start).min(buffer.len() as u64);
        let read = read_file_at(&self.file, &mut buffer[..left as usize], self.start)?;
        self.start += read as u64;
        Ok(read)
    }
}
