//! Reasons for an empty book.

use crate::select::{Selection, Stages, Weights};

/// Returns why a book is empty: the first step after which no position was left.
pub(super) fn reason(
    selection: &Selection,
    stages: Stages,
    is_evaluated: bool,
    has_moves: bool,
) -> String {
    let moves = &selection.moves;
    match stages {
        // Positions with too few games may have been dropped earlier.
        Stages { with_games: 0, .. } if selection.min_games > 1 => {
            format!("no position was reached by {} games (--min-games)", selection.min_games)
        }
        Stages { with_games: 0, .. } => "no position was counted".to_owned(),
        Stages { with_score: 0, .. } => {
            let options = given([
                ("--min-score", selection.min_score.is_some()),
                ("--max-score", selection.max_score.is_some()),
                ("--max-draws", selection.max_draws.is_some()),
            ]);
            format!("no position has a result that meets {options}")
        }
        Stages { sides: [0, 0], .. } => {
            "the game is over in all positions (--omit finished)".to_owned()
        }
        Stages { with_evaluation: 0, .. }
            if is_evaluated && selection.wants_more([0, 0], san::Color::White) =>
        {
            "no position has an evaluation of the engine that meets --eval and --draws".to_owned()
        }
        Stages { sides: [0, left] | [left, 0], .. } if selection.equal_turns => {
            let turn = if stages.sides[0] == 0 { "White" } else { "Black" };
            match left {
                1 => format!("the only position has {turn} to move (--equal-turns)"),
                _ => format!("all {left} positions have {turn} to move (--equal-turns)"),
            }
        }
        Stages { selected: 0, .. } => {
            format!("--sample {} leaves no position", selection.sample.unwrap_or_default())
        }
        // The others are reasons of Polyglot books.
        _ if !has_moves => "no position has a move, which a Polyglot book needs".to_owned(),
        _ => match &*given([
            ("--min-move-games", moves.min_games > 1),
            ("--min-move-score", moves.min_score.is_some()),
        ]) {
            "" => {
                "no move has a point: all games were lost or have no result that counts".to_owned()
            }
            options if moves.weights == Weights::Uniform => format!("no move meets {options}"),
            options => format!("no move with a point meets {options}"),
        },
    }
}

fn given<const N: usize>(options: [(&str, bool); N]) -> String {
    let given = options.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name);
    given.collect::<Vec<_>>().join(", ")
}
