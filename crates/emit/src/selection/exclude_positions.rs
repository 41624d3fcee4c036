//! Filters on properties of the position, to exclude those that are unsuitable for tuning the
//! evaluation of quiet positions.

use san::AnyPosition;

use crate::annotations::analysis::Analysis;
use crate::ply::Ply;

/// The positions to exclude from those that are selected.
///
/// ```
/// use emit::{Ply, ExcludePositions};
/// use san::Position;
///
/// let position = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
/// let capture = san::resolve(&position, b"exd5").ok();
/// let exclude = ExcludePositions { captures: true, ..ExcludePositions::default() };
/// assert!(exclude.excludes(&Ply::new(&position, capture, 0)));
/// // The game ends here, so nothing is captured.
/// assert!(!exclude.excludes(&Ply::new(&position, None, 0)));
/// # Ok::<_, san::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExcludePositions {
    /// Positions in which the side to move is in check.
    pub in_check: bool,
    /// Positions from which the move played is a capture, a promotion or a check. A position
    /// without a move is kept.
    pub captures: bool,
    /// Positions with an evaluation further from 0 than this, in centipawns. A mate is beyond any
    /// limit; a position without an evaluation is kept.
    pub beyond: Option<u32>,
}

impl ExcludePositions {
    /// Returns whether the position is excluded.
    pub fn excludes<P: AnyPosition>(&self, ply: &Ply<'_, P>) -> bool {
        self.in_check && ply.position.is_check()
            || self.captures && is_tactical(ply)
            || self.beyond.is_some_and(|limit| is_beyond(ply, limit))
    }
}

fn is_tactical<P: AnyPosition>(ply: &Ply<'_, P>) -> bool {
    let Some(mv) = ply.next else { return false };
    if ply.position.captures_or_promotes(mv) {
        return true;
    }
    let mut after = ply.position.clone();
    after.play_unchecked(mv);
    after.is_check()
}

fn is_beyond<P: AnyPosition>(ply: &Ply<'_, P>, limit: u32) -> bool {
    Analysis::evaluation(ply).is_some_and(|evaluation| {
        evaluation.mate().is_some() || evaluation.get().unsigned_abs() > limit
    })
}

#[cfg(test)]
mod tests {
    use san::Position;

    use super::*;
    use crate::ply::Ahead;

    #[track_caller]
    fn excludes(exclude: ExcludePositions, fen: &str, next: &str) -> bool {
        let position = Position::from_fen(fen).unwrap();
        let next = san::resolve(&position, next.as_bytes()).unwrap();
        exclude.excludes(&Ply::new(&position, Some(next), 0))
    }

    #[test]
    fn captures_promotions_and_checks_are_not_quiet() {
        let exclude = ExcludePositions { captures: true, ..ExcludePositions::default() };
        let cases = [
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", true),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e5", false),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", true),
            ("8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a8=N", true),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8+", true),
            ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O+", true),
            ("2k5/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", false),
            // Discovered check.
            ("4k3/8/8/8/8/8/4B3/K3R3 w - - 0 1", "Bd3", true),
        ];
        for (fen, next, expected) in cases {
            assert_eq!(excludes(exclude, fen, next), expected, "{fen} {next}");
            assert!(!excludes(ExcludePositions::default(), fen, next));
        }
    }

    #[test]
    fn a_check_is_that_of_the_position() {
        let exclude = ExcludePositions { in_check: true, ..ExcludePositions::default() };
        assert!(excludes(exclude, "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", "Kd7"));
        assert!(!excludes(exclude, "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", "Re2"));
    }

    #[test]
    fn an_evaluation_is_far_or_near_whoever_is_to_move() {
        let beyond = |comment: &str, limit| {
            let position = Position::default();
            let comments = [comment.as_bytes()];
            let ahead = Ahead { comments: &[], plies: 0, outcome: None };
            let ply =
                Ply { comments: &comments, ahead: Some(&ahead), ..Ply::new(&position, None, 0) };
            ExcludePositions { beyond: Some(limit), ..ExcludePositions::default() }.excludes(&ply)
        };
        assert!(!beyond("[%eval 1.5]", 150));
        assert!(beyond("[%eval 1.51]", 150));
        assert!(beyond("[%eval -1.51]", 150));
        assert!(beyond("[%eval #-3]", 1_000_000));
        assert!(!beyond("nothing is known", 0));
    }
}
