//! A position of a game, as passed to a sink.

use crate::known::Known;
use pgn::Outcome;
use san::{AnyPosition, MoveText, Position, VariantPosition};

/// A position of a game, and the move that was played from it.
#[derive(Debug)]
pub struct Ply<'a, P: AnyPosition = Position> {
    /// The position.
    pub position: &'a P,
    /// The move that was played from it; `None` at the end of the game or variation.
    pub next: Option<P::Move>,
    /// Ply index; 0 is the starting position.
    pub number: u32,
    /// The comments on the position, without their braces: those after the move that led to it.
    /// Empty unless the plan needs comments.
    pub comments: &'a [&'a [u8]],
    /// The NAGs of the move that led here (PGN standard 10). Empty unless the plan needs them.
    pub nags: &'a [u8],
    /// The branching points that lead to the variation of this position, outermost first; empty in
    /// the main line.
    pub branches: &'a [Branch],
    /// Data that follows the position; only set if the plan needs it.
    pub ahead: Option<&'a Ahead<'a>>,
}

/// A position of a variant, which a [`Position`] cannot represent, and the move that was played
/// from it.
pub type VariantPly<'a> = Ply<'a, VariantPosition>;

// Not derived, because a derive would require `P: Copy` and `P: Clone`.
impl<P: AnyPosition> Copy for Ply<'_, P> {}
impl<P: AnyPosition> Clone for Ply<'_, P> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

/// A point where a variation leaves its parent line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Number of plies played before.
    pub ply: u32,
    /// First move of the variation, in SAN.
    pub first: MoveText,
}

/// Data that follows this position in the game, or that its record has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ahead<'a> {
    /// The comments on the move that was played from the position.
    pub comments: &'a [&'a [u8]],
    /// Number of plies that follow in the line; only counted by a sink that [looks
    /// ahead](crate::LookAhead).
    pub plies: Option<u32>,
    /// Result according to the movetext. Without a sink that looks ahead, only set if the tags have
    /// no result and the plan needs it.
    pub outcome: Option<Outcome>,
    /// What the record of the position says of it, if it is not from a game.
    pub known: Option<&'a Known<'a>>,
}

impl<'a, P: AnyPosition> Ply<'a, P> {
    /// Returns what the record of the position says of it, if it is not from a game.
    #[inline(always)]
    pub fn known(&self) -> Option<&'a Known<'a>> {
        self.ahead?.known
    }

    /// Makes a ply of the main line, without comments.
    #[inline(always)]
    pub fn new(position: &'a P, next: Option<P::Move>, number: u32) -> Self {
        Ply { position, next, number, comments: &[], nags: &[], branches: &[], ahead: None }
    }
}
