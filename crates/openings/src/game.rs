//! The opening name of a game.

use std::fmt;

use crate::name::Name;
use crate::opening::Opening;
use crate::tracker::OpeningTracker;

/// The opening of a game: ECO code, NIC code and name, each from the deepest position that has one.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameName<'o> {
    opening: Opening<'o>,
    ply: Option<u32>,
}

impl<'o> GameName<'o> {
    /// Returns the name of the game that a tracker has followed.
    pub fn of(tracker: &OpeningTracker<'o>) -> Self {
        GameName { opening: tracker.named(), ply: tracker.named_ply() }
    }

    /// Returns the ECO code.
    pub fn eco(&self) -> Option<&'o str> {
        self.opening.eco()
    }

    /// Returns the NIC code.
    pub fn nic(&self) -> Option<&'o str> {
        self.opening.nic()
    }

    /// Returns the name of the opening.
    pub fn opening(&self) -> Option<&'o str> {
        self.opening.name().and_then(Name::opening)
    }

    /// Iterates over the parts of the opening's name.
    pub fn parts(&self) -> impl Iterator<Item = &'o str> {
        self.opening.name().into_iter().flat_map(Name::parts)
    }

    /// Returns the number of plies before the deepest named position.
    ///
    /// ```
    /// let game = openings::Openings::embedded().classify_game(["e4", "e5", "a3", "a6"])?;
    /// assert_eq!((game.opening(), game.ply()), (Some("King's Pawn Game: Mengarini's Opening"), Some(3)));
    /// # Ok::<_, san::SanError>(())
    /// ```
    pub fn ply(&self) -> Option<u32> {
        self.ply
    }
}

impl fmt::Display for GameName<'_> {
    /// Writes codes and name, as far as known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = [self.eco(), self.nic(), self.opening()].into_iter().flatten();
        f.write_str(&known.collect::<Vec<_>>().join(" "))
    }
}
