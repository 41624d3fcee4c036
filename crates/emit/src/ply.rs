//! One step of a game, as a sink sees it.

use pgn::Outcome;
use san::{Move, MoveText, Position, VariantPosition};

/// A position of a game, and the move that was played from it.
#[derive(Clone, Copy, Debug)]
pub struct Ply<'a> {
    /// The position.
    pub position: &'a Position,
    /// The move that was played from it; `None` at the end of the game or variation.
    pub next: Option<Move>,
    /// How many plies were played before: 0 at the start of the game.
    pub number: u32,
    /// The comments on the position, as they stand in the text without their braces: those behind the move that led to
    /// it. Only where the plan wants comments.
    pub comments: &'a [&'a [u8]],
    /// Where the variation that the position belongs to left the main line, and where it left that variation, and so on;
    /// of a position of the main line nothing.
    pub branches: &'a [Branch],
    /// What comes behind the position; only from a sink that [looks ahead](crate::LookAhead).
    pub ahead: Option<&'a Ahead<'a>>,
}

/// A position of a game of another kind of chess, which no [`Position`] can hold, and the move that was played from it.
#[derive(Clone, Copy, Debug)]
pub struct VariantPly<'a> {
    /// The position.
    pub position: &'a VariantPosition,
    /// The move that was played from it, in SAN; `None` at the end of the game.
    pub next: Option<&'a str>,
    /// How many plies were played before: 0 at the start of the game.
    pub number: u32,
    /// As those of a [`Ply`].
    pub comments: &'a [&'a [u8]],
}

/// Where a variation leaves the line that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// How many plies were played before.
    pub ply: u32,
    /// Its first move, in SAN.
    pub first: MoveText,
}

/// What comes behind a position.
#[derive(Clone, Copy, Debug)]
pub struct Ahead<'a> {
    /// The comments on the move that was played from the position.
    pub comments: &'a [&'a [u8]],
    /// How many plies of the line follow.
    pub plies: u32,
    /// How the game ended, as its movetext says.
    pub outcome: Option<Outcome>,
}

impl<'a> Ply<'a> {
    /// A position of the main line, without comments.
    #[inline(always)]
    pub fn new(position: &'a Position, next: Option<Move>, number: u32) -> Self {
        Ply { position, next, number, comments: &[], branches: &[], ahead: None }
    }
}
