//! Positions that are left out for what they are: those that no evaluation of a still position can be tuned with.

use crate::Ply;
use crate::analysis::Analysis;

/// Which positions are left out, of those that are selected.
///
/// ```
/// use emit::{Ply, Skip};
/// use san::Position;
///
/// let position = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
/// let capture = san::resolve(&position, b"exd5").ok();
/// let skip = Skip { captures: true, ..Skip::default() };
/// assert!(skip.leaves_out(&Ply::new(&position, capture, 0)));
/// // The game ends here: nothing is captured.
/// assert!(!skip.leaves_out(&Ply::new(&position, None, 0)));
/// # Ok::<_, san::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skip {
    /// Those in which the side to move is in check.
    pub in_check: bool,
    /// Those from which the move played captures, promotes or gives check. Where no move is played, none does.
    pub captures: bool,
    /// Those with an evaluation further from 0 than so many centipawns. A mate is further than all; without an evaluation a
    /// position stays.
    pub beyond: Option<u32>,
    /// Those whose evaluation by an engine is not from so many to so many centipawns, in the view of the side to move, or that
    /// have none. A mate is 32767 less its plies.
    pub outside: Option<(i32, i32)>,
}

impl Skip {
    /// Whether the position is left out.
    pub fn leaves_out(&self, ply: &Ply<'_>) -> bool {
        self.in_check && ply.position.is_check()
            || self.captures && is_tactical(ply)
            || self.beyond.is_some_and(|limit| is_beyond(ply, limit))
            || self.outside.is_some_and(|range| !is_within(ply, range))
    }
}

fn is_tactical(ply: &Ply<'_>) -> bool {
    let Some(next) = ply.next else { return false };
    if next.is_capture() || next.promotion().is_some() {
        return true;
    }
    let mut after = ply.position.clone();
    after.play_unchecked(next);
    after.is_check()
}

fn is_beyond(ply: &Ply<'_>, limit: u32) -> bool {
    Analysis::evaluation(ply).is_some_and(|evaluation| {
        evaluation.mate().is_some() || evaluation.get().unsigned_abs() > limit
    })
}

fn is_within(ply: &Ply<'_>, (least, most): (i32, i32)) -> bool {
    Analysis::evaluation(ply).is_some_and(|evaluation| (least..=most).contains(&evaluation.get()))
}

#[cfg(test)]
mod tests {
    use san::Position;

    use super::*;
    use crate::Ahead;

    #[track_caller]
    fn leaves_out(skip: Skip, fen: &str, next: &str) -> bool {
        let position = Position::from_fen(fen).unwrap();
        let next = san::resolve(&position, next.as_bytes()).unwrap();
        skip.leaves_out(&Ply::new(&position, Some(next), 0))
    }

    #[test]
    fn captures_promotions_and_checks_are_not_quiet() {
        let skip = Skip { captures: true, ..Skip::default() };
        let cases = [
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", true),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e5", false),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", true),
            ("8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a8=N", true),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8+", true),
            ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O+", true),
            ("2k5/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", false),
            // Discovered.
            ("4k3/8/8/8/8/8/4B3/K3R3 w - - 0 1", "Bd3", true),
        ];
        for (fen, next, expected) in cases {
            assert_eq!(leaves_out(skip, fen, next), expected, "{fen} {next}");
            assert!(!leaves_out(Skip::default(), fen, next));
        }
    }

    #[test]
    fn a_check_is_that_of_the_position() {
        let skip = Skip { in_check: true, ..Skip::default() };
        assert!(leaves_out(skip, "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", "Kd7"));
        assert!(!leaves_out(skip, "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", "Re2"));
    }

    #[test]
    fn an_evaluation_is_far_or_near_whoever_is_to_move() {
        let beyond = |comment: &str, limit| {
            let position = Position::default();
            let comments = [comment.as_bytes()];
            let ahead = Ahead { comments: &[], plies: 0, outcome: None };
            let ply =
                Ply { comments: &comments, ahead: Some(&ahead), ..Ply::new(&position, None, 0) };
            Skip { beyond: Some(limit), ..Skip::default() }.leaves_out(&ply)
        };
        assert!(!beyond("[%eval 1.5]", 150));
        assert!(beyond("[%eval 1.51]", 150));
        assert!(beyond("[%eval -1.51]", 150));
        assert!(beyond("[%eval #-3]", 1_000_000));
        assert!(!beyond("nothing is known", 0));
    }

    #[test]
    fn an_evaluation_is_within_a_range_in_the_view_of_the_side_to_move() {
        let outside = |fen: &str, comment: &str, range| {
            let position = Position::from_fen(fen).unwrap();
            let comments = [comment.as_bytes()];
            let ply = Ply { comments: &comments, ..Ply::new(&position, None, 0) };
            Skip { outside: Some(range), ..Skip::default() }.leaves_out(&ply)
        };
        let white = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let black = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
        assert!(!outside(white, "[%eval 0.9]", (90, 119)));
        assert!(outside(white, "[%eval 0.89]", (90, 119)));
        assert!(outside(black, "[%eval 0.9]", (90, 119)));
        assert!(!outside(black, "[%eval 0.9]", (-119, -90)));
        assert!(outside(white, "[%eval #3]", (-1000, 1000)));
        assert!(!outside(white, "[%eval #3]", (0, i32::MAX)));
        assert!(outside(white, "nothing is known", (i32::MIN, i32::MAX)));
    }
}
