//! How often a position has been on the board (EPD 5.20).

use std::collections::HashMap;

use san::{Position, SamePosition};

use crate::Ply;

/// The positions of the line being played. A variation leaves from a position that was there before it, so its plies
/// take the place of those behind that.
#[derive(Debug, Default)]
pub(crate) struct Repetition {
    line: Vec<SamePosition>,
    counts: HashMap<SamePosition, u32>,
}

impl Repetition {
    /// A game begins.
    pub(crate) fn begin(&mut self) {
        self.line.clear();
        self.counts.clear();
    }

    /// How often the next position has been there, itself included.
    pub(crate) fn follow(&mut self, ply: &Ply<'_>) -> u32 {
        for gone in self.line.drain(self.line.len().min(ply.number as usize)..) {
            if let Some(count) = self.counts.get_mut(&gone) {
                *count -= 1;
            }
        }
        let same = ply.position.same();
        self.line.push(same.clone());
        let count = self.counts.entry(same).or_default();
        *count += 1;
        *count
    }

    /// How often a position has been there that would be next.
    pub(crate) fn count_with(&self, position: &Position) -> u32 {
        self.counts.get(&position.same()).map_or(1, |count| count + 1)
    }
}
