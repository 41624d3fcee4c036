//! Rows in a temporary file: whenever memory was full, an extent for each kind, its rows in the order of runs.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};

use crate::games::Games;
use crate::merge::{Counted, Merge, Run};
use crate::row::{self, Row, write_row};
use crate::run::damaged;
use crate::sorted::{Block, Sorted};
use crate::store::PARTITIONS;

/// A temporary file of rows.
#[derive(Debug)]
pub(crate) struct Disk {
    file: File,
    extents: Vec<Vec<Extent>>,
    /// What is to be written, and where.
    buffer: Vec<u8>,
    written: u64,
}

/// A part of the file.
#[derive(Clone, Copy, Debug)]
struct Extent {
    start: u64,
    end: u64,
}

/// So many rows have their stories looked up at once.
const TOLD: usize = 32;

/// What is written at once, in bytes.
const WRITTEN: usize = 1 << 20;

/// What is read at once of each of the extents that are merged, in bytes.
const READ: usize = 64 << 10;

/// So many extents are merged at once; more are merged in steps.
const MOST_MERGED: usize = 64;

impl Disk {
    /// In an empty file.
    pub(crate) fn new(file: File) -> Self {
        let extents = (0..PARTITIONS).map(|_| Vec::new()).collect();
        Disk { file, extents, buffer: Vec::new(), written: 0 }
    }

    /// Writes the rows of a kind; some are kept back until [`Disk::flush`].
    pub(crate) fn write(
        &mut self,
        partition: usize,
        sorted: &mut Sorted,
        blocks: &[Block],
        games: &Games,
    ) -> io::Result<()> {
        let start = self.end();
        let mut rows = Vec::with_capacity(TOLD);
        loop {
            rows.clear();
            while rows.len() < TOLD
                && let Some(found) = sorted.next(blocks, games)
            {
                rows.push(found.row(games).ok_or_else(damaged)?);
            }
            if rows.is_empty() {
                break;
            }
            row::fetch_stories(&rows);
            for row in &rows {
                row.write(&mut self.buffer);
                self.flush_if_full()?;
            }
        }
        if self.end() > start {
            let extent = Extent { start, end: self.end() };
            self.extents[partition].push(extent);
        }
        Ok(())
    }

    /// Writes what was kept back.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.written))?;
        self.file.write_all(&self.buffer)?;
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    fn flush_if_full(&mut self) -> io::Result<()> {
        if self.buffer.len() >= WRITTEN { self.flush() } else { Ok(()) }
    }

    fn end(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    /// How many bytes the rows of a kind have.
    pub(crate) fn len(&self, partition: usize) -> u64 {
        self.extents[partition].iter().map(|extent| extent.end - extent.start).sum()
    }

    /// Reads all rows of a kind into `blocks`, whose memory is used again.
    pub(crate) fn read(&mut self, partition: usize, blocks: &mut Vec<Block>) -> io::Result<()> {
        let extents = &self.extents[partition];
        blocks.truncate(extents.len());
        blocks.resize_with(extents.len(), Block::new);
        for (extent, block) in extents.iter().zip(blocks) {
            block.clear();
            let len = extent.end - extent.start;
            block.reserve_exact(len as usize);
            self.file.seek(SeekFrom::Start(extent.start))?;
            if (&mut self.file).take(len).read_to_end(block)? as u64 != len {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(())
    }

    /// The counts of a kind whose rows are too many for memory.
    pub(crate) fn merge(&mut self, partition: usize) -> io::Result<Merge<'static>> {
        while self.extents[partition].len() > MOST_MERGED {
            let first = self.extents[partition].drain(..MOST_MERGED).collect::<Vec<_>>();
            let start = self.end();
            for counted in self.merged(&first)? {
                let (key, next, tally) = counted?;
                write_row(key, next, &tally, &mut self.buffer);
                self.flush_if_full()?;
            }
            let extent = Extent { start, end: self.end() };
            self.extents[partition].push(extent);
            self.flush()?;
        }
        let extents = std::mem::take(&mut self.extents[partition]);
        self.merged(&extents)
    }

    fn merged(&self, extents: &[Extent]) -> io::Result<Merge<'static>> {
        let run = |extent: &Extent| -> io::Result<Run<'static>> {
            let reader = ExtentReader { file: self.file.try_clone()?, extent: *extent };
            let mut reader = BufReader::with_capacity(READ, reader);
            let mut bytes = Vec::new();
            Ok(Box::new(std::iter::from_fn(move || read_row(&mut reader, &mut bytes).transpose())))
        };
        Merge::new(extents.iter().map(run).collect::<io::Result<_>>()?)
    }
}

/// The next row, read by way of `bytes`.
fn read_row(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<Option<Counted>> {
    if input.fill_buf()?.is_empty() {
        return Ok(None);
    }
    bytes.resize(row::HEAD, 0);
    input.read_exact(bytes)?;
    bytes.resize(row::len(bytes), 0);
    input.read_exact(&mut bytes[row::HEAD..])?;
    let games = Games::default();
    let row = Row::read(bytes, &games).ok_or_else(damaged)?;
    let tally = row.tally().ok_or_else(damaged)?;
    Ok(Some((row.key, row.next, tally)))
}

/// Reads a part of a file that others read as well.
struct ExtentReader {
    file: File,
    extent: Extent,
}

impl Read for ExtentReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = (self.extent.end - self.extent.start).min(buffer.len() as u64);
        self.file.seek(SeekFrom::Start(self.extent.start))?;
        let read = self.file.read(&mut buffer[..left as usize])?;
        self.extent.start += read as u64;
        Ok(read)
    }
}
