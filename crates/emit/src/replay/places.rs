//! Offsets in a chunk as places in the file.

use pgn::{Chunk, Place};

/// Converts ascending offsets in a chunk to places, so that lines are counted only once.
#[derive(Debug)]
pub(super) struct Places<'c> {
    chunk: Chunk<'c>,
    at: usize,
    place: Place,
}

impl<'c> Places<'c> {
    pub(super) fn new(chunk: Chunk<'c>) -> Self {
        Places { chunk, at: 0, place: chunk.place(0) }
    }

    pub(super) fn at(&mut self, at: usize) -> Place {
        self.place = match self.chunk.bytes().get(self.at..at) {
            Some(bytes) => self.place.after(bytes),
            None => self.chunk.place(at),
        };
        self.at = at;
        self.place
    }
}
