//! Rows in a temporary file: each spill writes one extent per partition, sorted in run order.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use crate::extent::ExtentReader;
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
    /// Data not written yet; its file offset is `end`.
    buffer: Vec<u8>,
    written: u64,
}

/// A part of the file.
#[derive(Clone, Copy, Debug)]
struct Extent {
    start: u64,
    end: u64,
}

/// Number of rows whose game information is prefetched together.
const PREFETCHED: usize = 32;

/// Write size, in bytes.
const WRITTEN: usize = 1 << 20;

/// Read size per merged extent, in bytes.
const READ: usize = 64 << 10;

/// Maximum number of extents merged at once; more are merged in several passes.
const MOST_MERGED: usize = 64;

impl Disk {
    /// Uses an empty file.
    pub(crate) fn new(file: File) -> Self {
        let extents = (0..PARTITIONS).map(|_| Vec::new()).collect();
        Disk { file, extents, buffer: Vec::new(), written: 0 }
    }

    /// Writes the rows of a partition; the last part is buffered until [`Disk::flush`].
    pub(crate) fn write(
        &mut self,
        partition: usize,
        sorted: &mut Sorted,
        blocks: &[Block],
        games: &Games,
    ) -> io::Result<()> {
        let start = self.end();
        let mut rows = Vec::with_capacity(PREFETCHED);
        loop {
            rows.clear();
            while rows.len() < PREFETCHED
                && let Some(found) = sorted.next(blocks, games)
            {
                rows.push(found.row(games).ok_or_else(damaged)?);
            }
            if rows.is_empty() {
                break;
            }
            row::prefetch_infos(&rows);
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

    /// Writes buffered data.
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

    /// Returns the size of the rows of a partition, in bytes.
    pub(crate) fn len(&self, partition: usize) -> u64 {
        self.extents[partition].iter().map(|extent| extent.end - extent.start).sum()
    }

    /// Reads all rows of a partition into `blocks`, reusing its allocations.
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

    /// Returns the counts of a partition that is too large for memory.
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
            let file = Arc::new(self.file.try_clone()?);
            let reader = ExtentReader::new(file, extent.start, extent.end);
            let mut reader = BufReader::with_capacity(READ, reader);
            let mut bytes = Vec::new();
            Ok(Box::new(std::iter::from_fn(move || read_row(&mut reader, &mut bytes).transpose())))
        };
        Merge::new(extents.iter().map(run).collect::<io::Result<_>>()?)
    }
}

/// Reads the next row, using `bytes` as a buffer.
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
