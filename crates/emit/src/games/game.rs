//! A game as a value, with its tags and its positions.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use epd::Record;
use pgn::{Place, TagPair, text_of};
use san::{Move, MoveText, Position, san_of};

use crate::ply::Branch;
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

/// A tag pair.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tag {
    /// The name, such as `White`.
    pub name: String,
    /// The value, without quotes and escapes.
    pub value: String,
}

/// The tag pairs of a game, shared by its positions. A clone costs no copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameTags(Arc<[Tag]>);

impl GameTags {
    pub(crate) fn of(tags: &[TagPair<'_>]) -> Self {
        let tag = |pair: &TagPair<'_>| Tag {
            name: text_of(pair.name()).into_owned(),
            value: pair.text().into_owned(),
        };
        GameTags(tags.iter().map(tag).collect())
    }

    /// Returns the value of a tag: that of the first with this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|tag| tag.name == name).map(|tag| &*tag.value)
    }
}

impl Default for GameTags {
    fn default() -> Self {
        GameTags(Arc::new([]))
    }
}

impl Deref for GameTags {
    type Target = [Tag];

    fn deref(&self) -> &[Tag] {
        &self.0
    }
}

/// A position of a game with its EPD record, the move played from it, and its game.
///
/// Its `Display` is that of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlayedPosition {
    /// The number of its game, counted from 1.
    pub game: u64,
    /// The place where its game begins.
    pub place: Place,
    /// The tag pairs of its game.
    pub tags: GameTags,
    /// Ply index; 0 is the starting position of the game.
    pub ply: u32,
    /// The position, with the clocks of the game.
    pub position: Position,
    /// The move that led to it and its SAN; `None` for the first position of the game or of a
    /// variation, and for that after a variation.
    pub last: Option<(Move, MoveText)>,
    /// The move played; `None` at the end of the game or variation.
    pub next: Option<Move>,
    /// The comments on the position, which are after the move that led to it, unchanged from
    /// between their braces.
    pub comments: Vec<String>,
    /// The branching points that lead to the variation of this position, outermost first; empty in
    /// the main line.
    pub branches: Vec<Branch>,
    /// The record, with the operations that the options select.
    pub record: Record,
}

impl PlayedPosition {
    /// Returns the move played, in canonical SAN.
    pub fn san(&self) -> Option<MoveText> {
        Some(san_of(&self.position, self.next?))
    }
}

impl fmt::Display for PlayedPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.record.fmt(f)
    }
}
