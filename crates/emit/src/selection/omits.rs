//! Which of the selected positions and games a plan omits, such as those that are unsuitable for
//! tuning the evaluation of quiet positions.

use std::ops::AddAssign;

use pgn::TagPair;
use san::{AnyPosition, Keyword};

use super::{EvaluationRange, Omission, Omissions, Select};
use crate::annotations::{Analysis, is_book};
use crate::game::Ending;
use crate::ply::Ply;
use crate::records::plan::Plan;

const OF_GAMES: Omissions = Omissions::NONE
    .with(Omission::TimeForfeits)
    .with(Omission::Abandoned)
    .with(Omission::Adjudicated);

impl Plan {
    pub(crate) fn omits_positions(&self) -> bool {
        self.eval.is_some()
            || self.omit.iter().any(|one| one != Omission::Start && !OF_GAMES.has(one))
    }

    /// Whether all positions of a game are selected that meets the condition.
    pub(crate) fn selects_all_positions(&self) -> bool {
        self.select == Select::default()
            && !self.omit.has(Omission::Start)
            && !self.omits_positions()
    }

    /// Whether no game is left out, except for an error.
    pub(crate) fn keeps_all_games(&self) -> bool {
        self.filter.is_none()
            && self.selects_all_positions()
            && !OF_GAMES.iter().any(|one| self.omit.has(one))
    }

    pub(crate) fn omission<P: AnyPosition>(&self, ply: &Ply<'_, P>) -> Option<Omission> {
        self.omit.of_position(ply, self.eval)
    }

    #[inline]
    pub(crate) fn omission_of_game(&self, tags: &[TagPair<'_>]) -> Option<Omission> {
        if !OF_GAMES.iter().any(|one| self.omit.has(one)) {
            return None;
        }
        let omission = match Ending::of_tags(tags)? {
            Ending::TimeForfeit => Omission::TimeForfeits,
            Ending::Abandoned => Omission::Abandoned,
            Ending::Adjudicated => Omission::Adjudicated,
        };
        self.omit.has(omission).then_some(omission)
    }

    /// Whether comments are read to omit positions.
    pub fn omits_by_comments(&self) -> bool {
        self.omit.has(Omission::BookMoves) || self.omit.needs_evaluation() || self.eval.is_some()
    }
}

impl Omissions {
    /// Returns the first reason to omit a position; one that has no evaluation in the range, if one
    /// is given, is omitted too.
    ///
    /// ```
    /// use emit::{Omission, Omissions, Ply};
    /// use san::Position;
    ///
    /// let position = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
    /// let capture = san::resolve(&position, b"exd5").ok();
    /// let omit: Omissions = "captures".parse()?;
    /// let ply = Ply::new(&position, capture, 0);
    /// assert_eq!(omit.of_position(&ply, None), Some(Omission::Captures));
    /// // The game ends here, so nothing is captured.
    /// assert_eq!(omit.of_position(&Ply::new(&position, None, 0), None), None);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_position<P: AnyPosition>(
        self,
        ply: &Ply<'_, P>,
        eval: Option<EvaluationRange>,
    ) -> Option<Omission> {
        let position = ply.position;
        if self.has(Omission::Check) && position.is_check() {
            return Some(Omission::Check);
        }
        if let Some(mv) = ply.next {
            if self.has(Omission::Captures) && position.is_capture(mv) {
                return Some(Omission::Captures);
            }
            if self.has(Omission::Promotions) && position.is_promotion(mv) {
                return Some(Omission::Promotions);
            }
            if self.has(Omission::CheckingMoves) && gives_check(position, mv) {
                return Some(Omission::CheckingMoves);
            }
        }
        // Whoever has a move to play has one that is legal.
        let may_be_over = ply.next.is_none() || position.is_insufficient_material();
        if self.has(Omission::Finished) && may_be_over && position.is_finished() {
            return Some(Omission::Finished);
        }
        let is_of_book =
            || ply.ahead.is_some_and(|ahead| ahead.comments.iter().any(|text| is_book(text)));
        if self.has(Omission::BookMoves) && is_of_book() {
            return Some(Omission::BookMoves);
        }
        let is_checkmate = || {
            let may_be_mate = ply.next.is_none() && !position.is_insufficient_material();
            may_be_mate && position.is_check() && position.is_finished()
        };
        if self.has(Omission::Mates) && is_checkmate() {
            return Some(Omission::Mates);
        }
        if !self.needs_evaluation() && eval.is_none() {
            return None;
        }
        let Some(evaluation) = Analysis::evaluation(ply) else {
            let needs_one = self.has(Omission::Unevaluated) || eval.is_some();
            return needs_one.then_some(Omission::Unevaluated);
        };
        if self.has(Omission::Mates) && evaluation.mate().is_some() {
            return Some(Omission::Mates);
        }
        let range = eval?;
        (!range.contains(evaluation.get(), position.turn())).then_some(Omission::Eval)
    }

    fn needs_evaluation(self) -> bool {
        self.has(Omission::Unevaluated) || self.has(Omission::Mates)
    }
}

fn gives_check<P: AnyPosition>(position: &P, mv: P::Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after.is_check()
}

/// Numbers of positions and games that were not written, each for the first reason that applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Omitted([u64; Omission::COUNT]);

impl Omitted {
    pub(crate) fn add(&mut self, omission: Omission) {
        self.0[omission as usize] += 1;
    }

    /// Counts a position that the start, the window of plies or the condition excludes.
    #[inline(always)]
    pub(crate) fn add_skipped(&mut self, number: u32, fullmoves: u32, plan: &Plan) {
        self.add(match number {
            0 if plan.omit.has(Omission::Start) => Omission::Start,
            _ if plan.select.excludes(number, fullmoves) => Omission::Ply,
            _ => Omission::Where,
        });
    }

    /// Returns the number of positions or games that were omitted for a reason.
    pub fn count(&self, omission: Omission) -> u64 {
        self.0[omission as usize]
    }

    /// Returns each count with its reason.
    pub fn all(&self) -> impl Iterator<Item = (Omission, u64)> {
        Omission::ALL.iter().copied().zip(self.0)
    }
}

impl AddAssign for Omitted {
    fn add_assign(&mut self, other: Omitted) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Omitted {
    /// Serializes a map from words to counts.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.all().map(|(omission, count)| (omission.word(), count)))
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Omitted {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let counts = <std::collections::BTreeMap<String, u64> as serde::Deserialize>::deserialize(
            deserializer,
        )?;
        let mut omitted = Omitted::default();
        for (word, count) in counts {
            let omission = Omission::from_word(&word).map_err(serde::de::Error::custom)?;
            omitted.0[omission as usize] = count;
        }
        Ok(omitted)
    }
}

#[cfg(test)]
mod tests {
    use san::{Keyword, Position};

    use super::*;
    use crate::ply::Ahead;

    #[track_caller]
    fn omission(omit: &str, fen: &str, next: Option<&str>) -> Option<Omission> {
        let position = Position::from_fen(fen).unwrap();
        let next = next.map(|next| san::resolve(&position, next.as_bytes()).unwrap());
        let plan = Plan { omit: omit.parse().unwrap(), ..Plan::default() };
        plan.omission(&Ply::new(&position, next, 0))
    }

    #[test]
    fn a_move_is_a_capture_a_promotion_or_a_check() {
        use Omission::{Captures, CheckingMoves, Promotions};
        let cases = [
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", Some(Captures)),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e5", None),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", Some(Captures)),
            ("8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a8=N", Some(Promotions)),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8+", Some(CheckingMoves)),
            ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O+", Some(CheckingMoves)),
            ("2k5/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", None),
            // Discovered check.
            ("4k3/8/8/8/8/8/4B3/K3R3 w - - 0 1", "Bd3", Some(CheckingMoves)),
        ];
        for (fen, next, expected) in cases {
            let all = "captures,promotions,checking-moves";
            assert_eq!(omission(all, fen, Some(next)), expected, "{fen} {next}");
            for one in [Captures, Promotions, CheckingMoves] {
                let expected = expected.filter(|expected| *expected == one);
                assert_eq!(omission(one.word(), fen, Some(next)), expected, "{one} {fen} {next}");
            }
            assert_eq!(omission("none", fen, Some(next)), None);
        }
    }

    #[test]
    fn a_check_is_that_of_the_position() {
        let check = Some(Omission::Check);
        assert_eq!(omission("check", "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", Some("Kd7")), check);
        assert_eq!(omission("check", "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", Some("Re2")), None);
    }

    #[test]
    fn a_game_is_over_without_a_legal_move_or_without_pieces_to_win() {
        let cases = [
            ("7k/6Q1/7K/8/8/8/8/8 b - - 0 1", true, true),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", true, false),
            ("7k/8/6K1/8/8/8/8/8 b - - 0 1", true, false),
            ("7k/8/6K1/8/8/8/8/6N1 b - - 0 1", true, false),
            // A check without a mate.
            ("7k/8/5NK1/8/8/8/8/8 b - - 0 1", true, false),
            ("8/6N1/8/4k3/8/2B5/8/K7 b - - 0 1", false, false),
            ("7k/8/6K1/8/8/3B4/8/N7 b - - 0 1", false, false),
            ("7k/8/6K1/8/8/8/8/6R1 b - - 0 1", false, false),
            ("7k/p7/6K1/8/8/8/8/6N1 b - - 0 1", false, false),
        ];
        for (fen, is_over, is_mate) in cases {
            assert_eq!(omission("finished", fen, None).is_some(), is_over, "{fen}");
            assert_eq!(omission("mates", fen, None).is_some(), is_mate, "{fen}");
        }
    }

    /// Returns the reason to omit the starting position with this comment on the move played.
    fn of_comment(comment: &str, plan: &Plan) -> Option<Omission> {
        let (position, comments) = (Position::default(), [comment.as_bytes()]);
        let ahead = Ahead { comments: &comments, ..Ahead::default() };
        plan.omission(&Ply { ahead: Some(&ahead), ..Ply::new(&position, None, 0) })
    }

    #[test]
    fn an_evaluation_is_in_the_range_or_not() {
        let cases = [
            ("-150..150", "+1.50/12 1s", None),
            ("-150..150", "+1.51/12 1s", Some(Omission::Eval)),
            ("-150..150", "-1.51/12 1s", Some(Omission::Eval)),
            ("-150..150", "-M6/12 1s", Some(Omission::Eval)),
            ("-150..", "+M5/12 1s", None),
            ("..", "", Some(Omission::Unevaluated)),
        ];
        for (range, comment, expected) in cases {
            let plan = Plan { eval: Some(range.parse().unwrap()), ..Plan::default() };
            let omitted = of_comment(comment, &plan);
            assert_eq!(omitted, expected, "{range} {comment}");
        }
    }

    #[test]
    fn the_reason_is_that_of_the_evaluation_or_the_move() {
        use Omission::{BookMoves, Eval, Mates, Unevaluated};
        let omit = "book-moves,unevaluated,mates".parse().unwrap();
        let plan = Plan { omit, eval: Some("-100..100".parse().unwrap()), ..Plan::default() };
        let cases = [
            ("book", Some(BookMoves)),
            ("book, mb=+0+0+0+0+0,", Some(BookMoves)),
            ("a book move", Some(Unevaluated)),
            ("", Some(Unevaluated)),
            ("+M5/12 1s", Some(Mates)),
            ("-M6/12 1s", Some(Mates)),
            ("-1.01/12 1s", Some(Eval)),
            ("-1.00/12 1s", None),
        ];
        for (comment, expected) in cases {
            assert_eq!(of_comment(comment, &plan), expected, "{comment}");
            assert_eq!(of_comment(comment, &Plan::default()), None, "{comment}");
        }
    }
}
