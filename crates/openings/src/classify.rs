//! Names games.

use san::{Position, SanError};

use crate::game::GameName;
use crate::table::Openings;
use crate::tracker::OpeningTracker;

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
