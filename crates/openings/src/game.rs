//! The opening name of a game.

use std::fmt;

use san::{Position, SanError};

use crate::name::Name;
use crate::opening::Opening;
use crate::table::Openings;
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

impl Openings {
    /// Names a game from the starting position by its moves, in any notation.
    ///
    /// # Errors
    ///
    /// If a move cannot be played.
    ///
    /// ```
    /// let openings = openings::Openings::embedded();
    /// let game = openings.classify_game(["c4", "e6", "d4", "d5"])?;
    /// assert_eq!(game.to_string(), "D30 Queen's Gambit Declined");
    /// # Ok::<_, san::SanError>(())
    /// ```
    pub fn classify_game<T: AsRef<[u8]>>(
        &self,
        moves: impl IntoIterator<Item = T>,
    ) -> Result<GameName<'_>, SanError> {
        let mut position = Position::default();
        let mut tracker = OpeningTracker::of_table(Some(self), false);
        let mut ply = 0;
        for token in moves {
            let next = san::resolve(&position, token.as_ref())?;
            tracker.follow(&position, Some(next), ply);
            position.play_unchecked(next);
            ply += 1;
        }
        tracker.follow(&position, None, ply);
        Ok(GameName::of(&tracker))
    }
}
