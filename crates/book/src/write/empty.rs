//! Reasons for an empty book.

use std::fmt;

use crate::select::{Choice, Stages};

/// Why a book is empty: the first step after which no position was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyBook {
    /// No position was counted.
    NothingCounted,
    /// No position was reached by this number of games.
    MinGames(u64),
    /// No position has a score and a share of draws within the bounds.
    Score,
    /// Balance or sample removed all positions.
    Drawn,
    /// Polyglot: the positions have no moves, for example because they come from an EPD file.
    NoMoves,
    /// Polyglot: no move has a point for the side that plays it.
    NoPoints,
}

impl EmptyBook {
    pub(super) fn of(choice: &Choice, stages: Stages, has_moves: bool) -> Self {
        match stages {
            // Positions with too few games may have been dropped earlier.
            Stages { with_games: 0, .. } if choice.min_games > 1 => {
                EmptyBook::MinGames(choice.min_games)
            }
            Stages { with_games: 0, .. } => EmptyBook::NothingCounted,
            Stages { with_score: 0, .. } => EmptyBook::Score,
            Stages { chosen: 0, .. } => EmptyBook::Drawn,
            _ if has_moves => EmptyBook::NoPoints,
            _ => EmptyBook::NoMoves,
        }
    }
}

impl fmt::Display for EmptyBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EmptyBook::NothingCounted => f.write_str("no position was counted"),
            EmptyBook::MinGames(games) => write!(f, "no position was reached by {games} games"),
            EmptyBook::Score => f.write_str(
                "no position has a result, and a score and a share of draws within the bounds",
            ),
            EmptyBook::Drawn => f.write_str("balance or sample left no position"),
            EmptyBook::NoMoves => {
                f.write_str("no position has a move, which a Polyglot book needs")
            }
            EmptyBook::NoPoints => f.write_str(
                "no move has a point: all games were lost or have no result that counts",
            ),
        }
    }
}
