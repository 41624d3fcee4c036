//! A piece of a text, and what follows it.

pub(crate) mod start;

use std::io;
use std::sync::Arc;

use crate::place::{Extent, Place};
use crate::read_at::{ReadAt, ReaderAt, fill};

use start::ChunkStart;

/// What follows the bytes of a chunk. `S` describes the beginning of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextInput<S> {
    /// The text ends.
    End,
    /// What looks like the beginning of an item.
    Item(S),
    /// Anything: the buffer was full, so the cut is arbitrary.
    Anything,
    /// Nothing readable: the stream failed at an arbitrary point.
    Fault,
}

impl<S> NextInput<S> {
    /// Whether the input has ended.
    pub fn is_last(&self) -> bool {
        matches!(self, NextInput::End | NextInput::Fault)
    }
}

/// A piece of text that begins at or between items.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'a, S> {
    bytes: &'a [u8],
    start: &'a ChunkStart,
    next_input: NextInput<S>,
}

impl<'a, S: Copy> Chunk<'a, S> {
    /// Returns a whole text as one chunk.
    pub fn whole(bytes: &'a [u8]) -> Self {
        Chunk { bytes, start: &start::OF_TEXT, next_input: NextInput::End }
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the place of the first byte in the file. Waits until the lines of earlier chunks
    /// have been counted, so not for the hot path.
    pub fn start(&self) -> Place {
        self.start.place()
    }

    /// Returns the number of items before the chunk according to
    /// [`ChunkWorker::count_items`](crate::ordered::ChunkWorker::count_items), which is wrong if an
    /// earlier cut is; `None` if they are not counted. Waits like [`Chunk::start`].
    pub fn items_before(&self) -> Option<u64> {
        self.start.items_before()
    }

    /// Returns the offset of the first byte in the file.
    pub fn start_byte(&self) -> u64 {
        self.start.byte()
    }

    /// Whether the chunk begins within a line.
    pub fn begins_within_line(&self) -> bool {
        self.start.is_within_line()
    }

    /// Returns what follows the bytes.
    pub fn next_input(&self) -> NextInput<S> {
        self.next_input
    }

    /// Returns the place in the file of byte `at` of this chunk. Counts lines, so not for the hot
    /// path.
    pub fn place(&self, at: usize) -> Place {
        self.start().after(&self.bytes[..at])
    }
}

/// A chunk that owns its bytes, so that it can be sent to a worker.
pub(crate) struct OwnedChunk<S> {
    pub(crate) bytes: Vec<u8>,
    pub(crate) start: ChunkStart,
    pub(crate) next_input: NextInput<S>,
    /// The file from which [`OwnedChunk::load`] reads the bytes, if they have not been read.
    pub(crate) file: Option<Arc<dyn ReadAt>>,
}

impl<S: Copy> OwnedChunk<S> {
    /// Reads once and counts lines and items for the next chunk; an error leaves what was read.
    pub(crate) fn load(
        &mut self,
        count_items: impl FnOnce(Chunk<'_, S>) -> Option<u64>,
    ) -> io::Result<()> {
        let loaded = match self.file.take() {
            Some(file) => self.read_from(&*file),
            None => Ok(()),
        };
        self.start.count(|byte| (Extent::of(&self.bytes, byte), count_items(self.borrow())));
        loaded
    }

    fn read_from(&mut self, file: &dyn ReadAt) -> io::Result<()> {
        let mut reader = ReaderAt { file, offset: self.start.byte() };
        let (read, outcome) = fill(&mut reader, &mut self.bytes);
        let outcome = match outcome {
            Ok(()) if read < self.bytes.len() => Err(io::ErrorKind::UnexpectedEof.into()),
            outcome => outcome,
        };
        if outcome.is_err() {
            self.bytes.truncate(read);
            self.next_input = NextInput::Fault;
        }
        outcome
    }

    pub(crate) fn borrow(&self) -> Chunk<'_, S> {
        Chunk { bytes: &self.bytes, start: &self.start, next_input: self.next_input }
    }

    pub(crate) fn split_off(mut self, at: usize) -> Self {
        self.start = ChunkStart::at(self.borrow().place(at));
        self.bytes.drain(..at);
        self
    }
}
