//! Names games.

use san::{Position, SanError};

use crate::game::GameName;
use crate::table::Openings;

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
        let mut game = GameName::default();
        game.see(self, &position, 0);
        for (token, ply) in moves.into_iter().zip(1..) {
            let next = san::resolve(&position, token.as_ref())?;
            position.play_unchecked(next);
            game.see(self, &position, ply);
        }
        Ok(game)
    }
}
