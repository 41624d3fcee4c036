//! Filters on properties of the position, to exclude those that are unsuitable for tuning the
//! evaluation of quiet positions.

use san::AnyPosition;

use crate::annotations::analysis::Analysis;
use crate::annotations::reader::is_book;
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
    /// Positions in which the game is over.
    pub finished: bool,
    /// Positions from which the move played comes from a book, according to its comment.
    pub book_moves: bool,
    /// Positions without an evaluation.
    pub unevaluated: bool,
    /// Positions whose evaluation is a mate, for either side.
    pub mates: bool,
    /// Positions with an evaluation further from 0 than this, in centipawns. A mate is beyond any
    /// limit; a position without an evaluation is kept.
    pub beyond: Option<u32>,
}

/// The property because of which a position is excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exclusion {
    /// The side to move is in check.
    InCheck,
    /// The move played is a capture, a promotion or a check.
    Capture,
    /// The game is over.
    Finished,
    /// The move played comes from a book.
    BookMove,
    /// The position has no evaluation.
    Unevaluated,
    /// The evaluation is a mate.
    Mate,
    /// The evaluation is beyond the limit.
    Beyond,
}

impl ExcludePositions {
    /// Returns whether the position is excluded.
    pub fn excludes<P: AnyPosition>(&self, ply: &Ply<'_, P>) -> bool {
        self.exclusion(ply).is_some()
    }

    /// Returns the first property of the position that excludes it, in the order of [`Exclusion`].
    pub fn exclusion<P: AnyPosition>(&self, ply: &Ply<'_, P>) -> Option<Exclusion> {
        if self.in_check && ply.position.is_check() {
            return Some(Exclusion::InCheck);
        }
        if self.captures && is_tactical(ply) {
            return Some(Exclusion::Capture);
        }
        // Whoever has a move to play has one that is legal.
        let may_be_over = ply.next.is_none() || ply.position.is_insufficient_material();
        if self.finished && may_be_over && ply.position.is_finished() {
            return Some(Exclusion::Finished);
        }
        if self.book_moves
            && ply.ahead.is_some_and(|ahead| ahead.comments.iter().any(|c| is_book(c)))
        {
            return Some(Exclusion::BookMove);
        }
        if !self.needs_evaluation() {
            return None;
        }
        let Some(evaluation) = Analysis::evaluation(ply) else {
            return self.unevaluated.then_some(Exclusion::Unevaluated);
        };
        let is_mate = evaluation.mate().is_some();
        if self.mates && is_mate {
            return Some(Exclusion::Mate);
        }
        let limit = self.beyond?;
        (is_mate || evaluation.get().unsigned_abs() > limit).then_some(Exclusion::Beyond)
    }

    /// Returns whether comments are read to exclude positions.
    pub(crate) fn needs_comments(&self) -> bool {
        self.book_moves || self.needs_evaluation()
    }

    fn needs_evaluation(&self) -> bool {
        self.unevaluated || self.mates || self.beyond.is_some()
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
    fn a_game_is_over_without_a_legal_move_or_without_pieces_to_win() {
        let exclude = ExcludePositions { finished: true, ..ExcludePositions::default() };
        let cases = [
            ("7k/6Q1/7K/8/8/8/8/8 b - - 0 1", true),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", true),
            ("7k/8/6K1/8/8/8/8/8 b - - 0 1", true),
            ("7k/8/6K1/8/8/8/8/6N1 b - - 0 1", true),
            ("7k/8/6K1/8/8/8/8/6R1 b - - 0 1", false),
            ("7k/p7/6K1/8/8/8/8/6N1 b - - 0 1", false),
        ];
        for (fen, expected) in cases {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(exclude.excludes(&Ply::new(&position, None, 0)), expected, "{fen}");
        }
    }

    #[test]
    fn an_evaluation_is_far_or_near_whoever_is_to_move() {
        let beyond = |comment: &str, limit| {
            let position = Position::default();
            let comments = [comment.as_bytes()];
            let ahead = Ahead { comments: &[], plies: None, outcome: None };
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

    #[test]
    fn the_reason_is_that_of_the_evaluation_or_the_move() {
        use Exclusion::{Beyond, BookMove, Mate, Unevaluated};
        let all = ExcludePositions {
            book_moves: true,
            unevaluated: true,
            mates: true,
            beyond: Some(100),
            ..ExcludePositions::default()
        };
        let cases = [
            ("book", Some(BookMove)),
            ("book, mb=+0+0+0+0+0,", Some(BookMove)),
            ("a book move", Some(Unevaluated)),
            ("", Some(Unevaluated)),
            ("+M5/12 1s", Some(Mate)),
            ("-M6/12 1s", Some(Mate)),
            ("-1.01/12 1s", Some(Beyond)),
            ("-1.00/12 1s", None),
        ];
        for (comment, expected) in cases {
            let position = Position::default();
            let comments = [comment.as_bytes()];
            let ahead = Ahead { comments: &comments, plies: None, outcome: None };
            let ply = Ply { ahead: Some(&ahead), ..Ply::new(&position, None, 0) };
            assert_eq!(all.exclusion(&ply), expected, "{comment}");
            assert_eq!(ExcludePositions::default().exclusion(&ply), None, "{comment}");
        }
    }
}
