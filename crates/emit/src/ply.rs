//! One step of a game, as a sink sees it.

use san::{Move, Position};

/// A position of a game, and the move that was played from it.
#[derive(Clone, Copy, Debug)]
pub struct Ply<'a> {
    /// The position.
    pub position: &'a Position,
    /// The move that was played from it; `None` at the end of the game.
    pub next: Option<Move>,
    /// How many plies were played before: 0 at the start of the game.
    pub number: u32,
}
