//! Reorder buffer: chunks complete in any order and leave in input order.

use std::collections::VecDeque;
use std::io;

use crate::chunk::OwnedChunk;

use super::cutter::ChunkEnd;
use super::worker::{ChunkWorker, Start, State};

/// A processed chunk.
pub(super) struct Processed<W: ChunkWorker> {
    pub(super) number: usize,
    pub(super) chunk: OwnedChunk<Start<W>>,
    pub(super) output: W::Output,
    pub(super) worked: ChunkEnd<State<W>>,
    /// The error that ended the text, if the worker read it.
    pub(super) read: io::Result<()>,
}

/// Chunks being processed, or waiting for their predecessors.
pub(super) struct InFlight<W: ChunkWorker> {
    /// The number of the first chunk.
    first: usize,
    chunks: VecDeque<Option<Processed<W>>>,
}

impl<W: ChunkWorker> InFlight<W> {
    pub(super) fn new() -> Self {
        InFlight { first: 0, chunks: VecDeque::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Registers the next chunk and returns its number.
    pub(super) fn begin(&mut self) -> usize {
        self.chunks.push_back(None);
        self.first + self.chunks.len() - 1
    }

    pub(super) fn put(&mut self, done: Processed<W>) {
        let index = done.number - self.first;
        self.chunks[index] = Some(done);
    }

    /// Removes and returns the first chunk, if it is done.
    pub(super) fn pop(&mut self) -> Option<Processed<W>> {
        let done = self.chunks.front_mut()?.take()?;
        self.chunks.pop_front();
        self.first += 1;
        Some(done)
    }
}
