//! Chunks on their way: in the order of the input, however they are done.

use std::collections::VecDeque;

use super::settler::Done;

/// Chunks that are worked on, or wait for those before them.
pub(super) struct InFlight<T> {
    /// The number of the first.
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

    /// Adds the next chunk; its number.
    pub(super) fn begin(&mut self) -> usize {
        self.chunks.push_back(None);
        self.first + self.chunks.len() - 1
    }

    pub(super) fn put(&mut self, done: Done<T>) {
        let index = done.number - self.first;
        self.chunks[index] = Some(done);
    }

    /// The first, if it is done.
    pub(super) fn pop(&mut self) -> Option<Done<T>> {
        let done = self.chunks.front_mut()?.take()?;
        self.chunks.pop_front();
        self.first += 1;
        Some(done)
    }
}
