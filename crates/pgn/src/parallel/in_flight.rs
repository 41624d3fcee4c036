//! Reorder buffer: chunks complete in any order and leave in input order.

use std::collections::VecDeque;

use super::ChunkEnd;
use crate::chunk::OwnedChunk;

/// A processed chunk.
pub(super) struct Done<T> {
    pub(super) number: usize,
    pub(super) chunk: OwnedChunk,
    pub(super) output: T,
    pub(super) worked: ChunkEnd,
}

/// Chunks being processed, or waiting for their predecessors.
pub(super) struct InFlight<T> {
    /// The number of the first chunk.
    first: usize,
    chunks: VecDeque<Option<Done<T>>>,
}

impl<T> InFlight<T> {
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

    pub(super) fn put(&mut self, done: Done<T>) {
        let index = done.number - self.first;
        self.chunks[index] = Some(done);
    }

    /// Removes and returns the first chunk, if it is done.
    pub(super) fn pop(&mut self) -> Option<Done<T>> {
        let done = self.chunks.front_mut()?.take()?;
        self.chunks.pop_front();
        self.first += 1;
        Some(done)
    }
}
