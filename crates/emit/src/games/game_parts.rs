//! Incremental output of a huge game, so that its records need not be held in memory.

use std::fmt;

use san::Buffer;

/// The records of a game up to some position; the game continues.
#[derive(Debug)]
pub struct GamePart<'t> {
    /// The records, each with its line end. The consumer may swap the buffer for another one, which
    /// is then cleared.
    pub bytes: &'t mut Buffer,
    /// Number of records.
    pub positions: u64,
}

/// Consumer of the parts of the first game.
pub(crate) struct GameParts<'t> {
    pass_on: &'t mut dyn FnMut(GamePart<'_>),
    least_bytes: usize,
    games: u32,
    /// Whether a part of the current game was handed on.
    pub(crate) has_begun: bool,
}

impl<'t> GameParts<'t> {
    pub(crate) fn new(least_bytes: usize, pass_on: &'t mut dyn FnMut(GamePart<'_>)) -> Self {
        GameParts { pass_on, least_bytes, games: 0, has_begun: false }
    }

    pub(crate) fn next_game(&mut self) {
        self.games += 1;
        self.has_begun = false;
    }

    /// Hands the records on if they are large enough and of the first game; returns whether it did.
    pub(crate) fn take(&mut self, bytes: &mut Buffer, positions: u64) -> bool {
        let takes = self.games == 1 && bytes.len() >= self.least_bytes;
        if takes {
            (self.pass_on)(GamePart { bytes, positions });
            bytes.clear();
            self.has_begun = true;
        }
        takes
    }
}

impl fmt::Debug for GameParts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameParts").field("games", &self.games).finish_non_exhaustive()
    }
}
