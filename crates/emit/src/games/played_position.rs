//! A position of a game as a value.

use std::fmt;

use epd::Record;
use pgn::Place;
use san::{Move, MoveText, Position, san_of};

use crate::games::game_tags::GameTags;
use crate::ply::Branch;

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
