//! Reasons for an empty book.

use std::fmt;

use san::Color;

use crate::select::{MoveChoice, Selection, Stages, Weights};

/// Why a book is empty: the first step after which no position was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyBook {
    /// No position was counted.
    NothingCounted,
    /// No position was reached by this number of games.
    MinGames(u64),
    /// No position has a score and a share of draws within the bounds of this selection.
    Score(Selection),
    /// In all positions the game is over.
    Finished,
    /// No position has an evaluation of the engine in the range.
    Evaluation,
    /// All of this number of positions have the same side to move.
    OneTurn(u64, Color),
    /// The sample is too small.
    Sample(u64),
    /// Polyglot: the positions have no moves, for example because they come from an EPD file.
    NoMoves,
    /// Polyglot: no move has a point for the side that plays it, and is within the bounds of this
    /// selection.
    NoPoints(MoveChoice),
}

impl EmptyBook {
    pub(super) fn of(
        selection: &Selection,
        stages: Stages,
        is_evaluated: bool,
        has_moves: bool,
    ) -> Self {
        let (turn, equal) = (Color::from_white(stages.sides[0] == 0), selection.equal_turns);
        match stages {
            // Positions with too few games may have been dropped earlier.
            Stages { with_games: 0, .. } if selection.min_games > 1 => {
                EmptyBook::MinGames(selection.min_games)
            }
            Stages { with_games: 0, .. } => EmptyBook::NothingCounted,
            Stages { with_score: 0, .. } => EmptyBook::Score(*selection),
            Stages { sides: [0, 0], .. } => EmptyBook::Finished,
            Stages { with_evaluation: 0, .. }
                if is_evaluated && selection.wants_more([0, 0], Color::White) =>
            {
                EmptyBook::Evaluation
            }
            Stages { sides: [0, left] | [left, 0], .. } if equal => EmptyBook::OneTurn(left, turn),
            Stages { selected: 0, .. } => EmptyBook::Sample(selection.sample.unwrap_or_default()),
            _ if has_moves => EmptyBook::NoPoints(selection.moves),
            _ => EmptyBook::NoMoves,
        }
    }
}

/// Joins the names of the options that are given.
fn given<const N: usize>(options: [(&str, bool); N]) -> String {
    let given: Vec<&str> =
        options.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name).collect();
    given.join(", ")
}

impl fmt::Display for EmptyBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EmptyBook::NothingCounted => f.write_str("no position was counted"),
            EmptyBook::MinGames(games) => {
                write!(f, "no position was reached by {games} games (--min-games)")
            }
            EmptyBook::Score(selection) => {
                let options = [
                    ("--min-score", selection.min_score.is_some()),
                    ("--max-score", selection.max_score.is_some()),
                    ("--max-draws", selection.max_draws.is_some()),
                ];
                write!(f, "no position has a result that meets {}", given(options))
            }
            EmptyBook::Finished => {
                f.write_str("the game is over in all positions (--omit finished)")
            }
            EmptyBook::Evaluation => f.write_str(
                "no position has an evaluation of the engine that meets --eval and --draws",
            ),
            EmptyBook::OneTurn(positions, turn) => {
                let turn = turn.fold_wb("White", "Black");
                match positions {
                    1 => write!(f, "the only position has {turn} to move (--equal-turns)"),
                    _ => write!(f, "all {positions} positions have {turn} to move (--equal-turns)"),
                }
            }
            EmptyBook::Sample(number) => write!(f, "--sample {number} leaves no position"),
            EmptyBook::NoMoves => {
                f.write_str("no position has a move, which a Polyglot book needs")
            }
            EmptyBook::NoPoints(selection) => {
                let options = [
                    ("--min-move-games", selection.min_games > 1),
                    ("--min-move-score", selection.min_score.is_some()),
                ];
                match &*given(options) {
                    "" => f.write_str(
                        "no move has a point: all games were lost or have no result that counts",
                    ),
                    options if selection.weights == Weights::Uniform => {
                        write!(f, "no move meets {options}")
                    }
                    options => write!(f, "no move with a point meets {options}"),
                }
            }
        }
    }
}
