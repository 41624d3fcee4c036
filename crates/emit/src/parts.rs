//! The records of a huge game are handed on before it is over, so that they need not be held.

use std::fmt;

use san::Buffer;

/// The records that were made of a game up to now, which goes on without them.
#[derive(Debug)]
pub struct Part<'t> {
    /// The records, each with its line end. Another buffer may be left in its place: it is cleared.
    pub bytes: &'t mut Buffer,
    /// How many there are.
    pub positions: u64,
}

/// To whom parts of the first game are handed on.
pub(crate) struct Parts<'t> {
    hand_on: &'t mut dyn FnMut(Part<'_>),
    least_bytes: usize,
    games: u32,
    /// Whether records of the current game were handed on.
    pub(crate) has_begun: bool,
}

impl<'t> Parts<'t> {
    pub(crate) fn new(least_bytes: usize, hand_on: &'t mut dyn FnMut(Part<'_>)) -> Self {
        Parts { hand_on, least_bytes, games: 0, has_begun: false }
    }

    pub(crate) fn next_game(&mut self) {
        self.games += 1;
        self.has_begun = false;
    }

    /// Hands records on if they are many, and of the first game. Whether it did.
    pub(crate) fn take(&mut self, bytes: &mut Buffer, positions: u64) -> bool {
        let takes = self.games == 1 && bytes.len() >= self.least_bytes;
        if takes {
            (self.hand_on)(Part { bytes, positions });
            bytes.clear();
            self.has_begun = true;
        }
        takes
    }
}

impl fmt::Debug for Parts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts").field("games", &self.games).finish_non_exhaustive()
    }
}
