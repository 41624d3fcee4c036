//! What a filter consists of: conditions, and sequences of positions.

use std::sync::Arc;

use san::{AnyPosition, PositionSet, Square};

use super::lex::Compare;
use super::operand::Operand;
use super::pattern::Pattern;
use crate::ply::Ply;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expr {
    All(Vec<Expr>),
    Any(Vec<Expr>),
    Not(Box<Expr>),
    /// A known value, or a boolean that is true.
    Is(Operand),
    Compare(Operand, Compare, Operand),
    Pattern(Pattern),
    /// One of the sequences of the filter, by its index.
    Sequence(usize),
}

impl Expr {
    pub(super) fn names_player(&self) -> bool {
        match self {
            Expr::All(parts) | Expr::Any(parts) => parts.iter().any(Expr::names_player),
            Expr::Not(part) => part.names_player(),
            Expr::Is(operand) => operand.names_player(),
            Expr::Compare(left, _, right) => left.names_player() || right.names_player(),
            Expr::Pattern(_) | Expr::Sequence(_) => false,
        }
    }

    pub(super) fn has_pattern(&self) -> bool {
        match self {
            Expr::All(parts) | Expr::Any(parts) => parts.iter().any(Expr::has_pattern),
            Expr::Not(part) => part.has_pattern(),
            Expr::Pattern(_) => true,
            Expr::Is(_) | Expr::Compare(..) | Expr::Sequence(_) => false,
        }
    }
}

/// The most sequences as written, since each line of a game keeps them; one more may be added.
pub(super) const MOST: usize = 16;

/// The most moves of a sequence: each is a bit.
pub(super) const MOST_MOVES: usize = 63;

pub(super) const ANY_PLIES: u64 = u64::MAX - 1;

/// A condition on the positions up to the current one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Sequence {
    /// Something holds in this number of positions in a row, of which the current one is the last.
    For(Expr, u64),
    /// Something held in an earlier position, at most this number of plies before.
    After(Expr, u64),
    /// The last moves are these.
    Moves(Vec<WrittenMove>),
    /// The first moves of the game are these.
    Line(Vec<WrittenMove>),
    /// One of these positions has occurred.
    Reached(Arc<PositionSet>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct WrittenMove {
    text: Box<str>,
    /// The square it goes to, unless it is castling; most moves differ in it.
    to: Option<Square>,
}

impl WrittenMove {
    pub(super) fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let squares = bytes.windows(2).rev();
        let to = squares.filter_map(|pair| Square::from_ascii(pair).ok()).next();
        WrittenMove { text: text.into(), to }
    }

    pub(super) fn is_played<P: AnyPosition>(&self, ply: &Ply<'_, P>) -> bool {
        let (position, Some(next)) = (ply.position, ply.next) else { return false };
        let is_other = |to| position.squares_of(next).is_some_and(|(_, other)| other != to);
        match self.to {
            Some(to) if is_other(to) => false,
            _ => {
                let is_same = position.resolve(self.text.as_bytes()) == Ok(next);
                // A pawn may capture without the sign: `ed5`.
                let has_sign = self.text.contains('x');
                let may_omit = self.text.starts_with(|c: char| c.is_ascii_lowercase()) && !has_sign;
                is_same && (may_omit || has_sign == position.is_capture(next))
            }
        }
    }
}
