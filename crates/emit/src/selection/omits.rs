//! Which of the selected positions and games a plan omits, such as those that are unsuitable for
//! tuning the evaluation of quiet positions: as terms of the condition, and the counts of what they
//! exclude.

use std::borrow::Cow;
use std::ops::AddAssign;

use pgn::TagPair;
use san::Keyword;

use super::filter::Filter;
use super::{EvaluationRange, Omission, Omissions, Select};
use crate::facts::Fact;
use crate::game::Ending;
use crate::records::plan::Plan;

const OF_GAMES: Omissions = Omissions::NONE
    .with(Omission::TimeForfeits)
    .with(Omission::Abandoned)
    .with(Omission::Adjudicated);

/// The facts that the words for positions are about, and whether one must be so. Each position is
/// counted for the first that applies.
const WORDS: [(Omission, Fact, bool); 9] = [
    (Omission::Check, Fact::Check, false),
    (Omission::Captures, Fact::Capture, false),
    (Omission::Promotions, Fact::Promotion, false),
    (Omission::CheckingMoves, Fact::GivesCheck, false),
    (Omission::Finished, Fact::Finished, false),
    (Omission::BookMoves, Fact::BookMove, false),
    (Omission::Mates, Fact::Mated, false),
    (Omission::Unevaluated, Fact::Eval, true),
    (Omission::Mates, Fact::Mate, false),
];

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

    /// Returns the terms of the condition on games and positions, each with the word that is
    /// counted if it does not hold.
    pub(crate) fn terms(&self) -> Vec<(Omission, Cow<'_, Filter>)> {
        let words = WORDS.iter().filter(|(word, ..)| self.omit.has(*word));
        let words = words.map(|(word, fact, is_so)| (*word, Filter::of_fact(*fact, *is_so)));
        let of_eval = self.eval.map(|EvaluationRange { least, most, is_white }| {
            let fact = if is_white { Fact::WhiteEval } else { Fact::Eval };
            let is_known = (Omission::Unevaluated, Filter::of_fact(Fact::Eval, true));
            [is_known, (Omission::Eval, Filter::of_range(fact, least, most))]
        });
        let of_options = words.chain(of_eval.into_iter().flatten());
        let own = of_options.map(|(word, filter)| (word, Cow::Owned(filter)));
        self.filter.iter().map(|of| (Omission::Where, Cow::Borrowed(of))).chain(own).collect()
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
        let of_comments = [Omission::BookMoves, Omission::Unevaluated, Omission::Mates];
        of_comments.iter().any(|word| self.omit.has(*word)) || self.eval.is_some()
    }
}

/// Numbers of positions and games that were not written, each for the first reason that applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Omitted([u64; Omission::COUNT]);

impl Omitted {
    pub(crate) fn add(&mut self, omission: Omission) {
        self.0[omission as usize] += 1;
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

    use super::super::filter::condition::Condition;
    use super::*;
    use crate::game::GameContext;
    use crate::ply::{Ahead, Ply};

    fn excluded(plan: &Plan, ply: &Ply<'_>) -> Option<Omission> {
        let game = GameContext::default();
        let mut condition = Condition::of(plan)?;
        condition.begin(&game);
        condition.excludes(ply, &game, false)
    }

    #[track_caller]
    fn omission(omit: &str, fen: &str, next: Option<&str>) -> Option<Omission> {
        let position = Position::from_fen(fen).unwrap();
        let next = next.map(|next| san::resolve(&position, next.as_bytes()).unwrap());
        let plan = Plan { omit: omit.parse().unwrap(), ..Plan::default() };
        excluded(&plan, &Ply::new(&position, next, 0))
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
        excluded(plan, &Ply { ahead: Some(&ahead), ..Ply::new(&position, None, 0) })
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
    fn a_range_for_white_is_turned_when_black_is_to_move() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1").unwrap();
        // A report of an engine is from the view of the side to move.
        for (comment, for_white) in [("-1.00/12 1s", 100), ("+M5/12 1s", -32762)] {
            let comments = [comment.as_bytes()];
            let ahead = Ahead { comments: &comments, ..Ahead::default() };
            let ply = Ply { ahead: Some(&ahead), ..Ply::new(&position, None, 0) };
            for (range, expected) in [
                (format!("white:{for_white}..{for_white}"), None),
                (format!("white:{}..", for_white + 1), Some(Omission::Eval)),
                (format!("white:..{}", for_white - 1), Some(Omission::Eval)),
                (format!("{0}..{0}", -for_white), None),
                (format!("{0}..{0}", for_white), Some(Omission::Eval)),
            ] {
                let plan = Plan { eval: Some(range.parse().unwrap()), ..Plan::default() };
                assert_eq!(excluded(&plan, &ply), expected, "{range} {comment}");
            }
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
