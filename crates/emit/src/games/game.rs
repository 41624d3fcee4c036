//! A game as a value.

use pgn::Place;
use san::MoveText;

use crate::games::game_tags::GameTags;
use crate::games::played_position::PlayedPosition;
use crate::problem::Problem;

/// A game with its positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Game {
    /// The game number, counted from 1.
    pub number: u64,
    /// The place where the game begins.
    pub place: Place,
    /// The tag pairs.
    pub tags: GameTags,
    /// The text of a record, if it was asked for; otherwise empty.
    pub text: String,
    /// The selected positions: by default the starting position, and one after each ply.
    pub positions: Vec<PlayedPosition>,
    /// Errors in the game, and corrections.
    pub problems: Vec<Problem>,
}

impl Game {
    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name)
    }

    /// Returns the moves played from the selected positions, in canonical SAN.
    pub fn moves(&self) -> impl Iterator<Item = MoveText> + '_ {
        self.positions.iter().filter_map(PlayedPosition::san)
    }

    /// Returns the game if it has no error. Warnings and notes stay in [`Game::problems`].
    ///
    /// # Errors
    ///
    /// Returns the first problem of the severity [`Severity::Error`](epd::Severity).
    pub fn into_result(mut self) -> Result<Game, Box<Problem>> {
        match self.problems.iter().position(Problem::is_error) {
            Some(error) => Err(Box::new(self.problems.swap_remove(error))),
            None => Ok(self),
        }
    }

    /// Sets the number of the game, in its positions and problems too.
    pub fn renumber(&mut self, number: u64) {
        self.number = number;
        self.positions.iter_mut().for_each(|position| position.game = number);
        for problem in self.problems.iter_mut().filter(|problem| problem.game > 0) {
            problem.game = number;
        }
    }
}
