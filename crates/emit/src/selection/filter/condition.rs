//! The one condition on games and positions during a replay: the filter of a plan, and what its
//! other options leave out, as further terms.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use openings::OpeningTracker;
use san::{AnyPosition, Buffer, Color, FieldStyle};

use super::eval::{At, KnownGame, PositionFacts, SequenceTracker, TagValue};
use super::{ConditionValues, Filter};
use crate::facts::value::{FoundValue, Value, number, value_of_game, value_of_ply};
use crate::facts::{Fact, FactSet};
use crate::game::GameContext;
use crate::ply::{Ply, Repetition};
use crate::records::plan::Plan;
use crate::selection::Omission;

#[derive(Debug)]
pub(crate) struct Condition<'p> {
    terms: Vec<Term<'p>>,
    pub(crate) facts: FactSet,
    fields: FieldStyle,
    /// The opening up to the current position, if the filter uses it.
    naming: Option<OpeningTracker<'p>>,
    /// The positions of the game, if the filter uses repetitions; and the count of the last one.
    repetition: Option<(Repetition, u32)>,
    variations: bool,
    sequences: SequenceTracker,
    tags: Vec<TagValue>,
    texts: RefCell<[Buffer; 2]>,
    values: Cell<ConditionValues>,
}

#[derive(Debug)]
struct Term<'p> {
    word: Omission,
    filter: Cow<'p, Filter>,
    /// Whether it does not hold in the whole of the current game.
    is_open: bool,
}

impl<'p> Condition<'p> {
    pub(crate) fn of(plan: &'p Plan) -> Option<Self> {
        let terms = plan.terms().into_iter();
        let terms: Vec<_> =
            terms.map(|(word, filter)| Term { word, filter, is_open: true }).collect();
        let facts =
            terms.iter().map(|term| term.filter.facts).fold(FactSet::default(), FactSet::union);
        (!terms.is_empty()).then(|| Condition {
            terms,
            facts,
            fields: plan.fields,
            naming: facts.needs_names().then(|| OpeningTracker::of(&plan.names, plan.variations)),
            repetition: facts.has(Fact::Repetition).then(Default::default),
            variations: plan.variations,
            sequences: SequenceTracker::default(),
            tags: Vec::new(),
            texts: RefCell::default(),
            values: Cell::default(),
        })
    }

    pub(crate) fn begin(&mut self, game: &GameContext<'_>) -> Option<bool> {
        // The filter alone has tags and sequences.
        TagValue::read_all(&mut self.tags, &self.terms[0].filter, &game.tags);
        if let Some(naming) = &mut self.naming {
            naming.begin(&game.tags);
        }
        if let Some((repetition, _)) = &mut self.repetition {
            repetition.begin();
        }
        self.sequences.begin();
        self.verdict(game)
    }

    pub(crate) fn verdict(&mut self, game: &GameContext<'_>) -> Option<bool> {
        let (tags, texts) = (&*self.tags, &self.texts);
        let known = KnownGame { game, tags, side: Color::White, at: None, texts };
        let mut all = Some(true);
        for term in &mut self.terms {
            let verdict = term.filter.verdict(&known);
            term.is_open = verdict != Some(true);
            match verdict {
                Some(true) => {}
                Some(false) => return verdict,
                None => all = None,
            }
        }
        all
    }

    pub(crate) fn values(&self) -> ConditionValues {
        self.values.get()
    }

    pub(crate) fn is_of_chess(&self) -> bool {
        self.terms.iter().any(|term| term.filter.is_of_chess())
    }

    /// Returns which of the filter's tags the game has, as bits; the first tag is the lowest bit.
    pub(crate) fn tags(&self) -> u64 {
        TagValue::present(&self.tags)
    }

    /// Must see all positions of chess, to follow the opening; `is_alternative`: for one before a
    /// variation once more, with the variation's first move.
    pub(crate) fn follow(
        &mut self,
        ply: &Ply<'_>,
        game: &GameContext<'_>,
        is_alternative: bool,
    ) -> Option<Omission> {
        if let Some(naming) = &mut self.naming {
            naming.follow(ply.position, ply.next, ply.number);
        }
        self.excludes(ply, game, is_alternative)
    }

    pub(crate) fn excludes<P: AnyPosition>(
        &mut self,
        ply: &Ply<'_, P>,
        game: &GameContext<'_>,
        is_alternative: bool,
    ) -> Option<Omission> {
        let Condition { terms, naming, repetition, sequences, variations, .. } = self;
        if let Some((repetition, count)) = repetition {
            *count = repetition.follow(ply, *variations);
        }
        let count = repetition.as_ref().map(|(_, count)| *count);
        let (naming, fields, values) = (naming.as_ref(), self.fields, &self.values);
        let facts = FactsOfPly { ply, game, fields, naming, count, values };
        let (tags, texts) = (&*self.tags, &self.texts);
        let chess = ply.position.as_chess();
        let known = |sequences| {
            let at = At { facts: &facts, chess, sequences };
            KnownGame { game, tags, side: Color::White, at: Some(at), texts }
        };
        let holding = match terms[0].filter.sequences.is_empty() {
            true => 0,
            false => sequences.follow(&terms[0].filter, ply, is_alternative, known),
        };
        let known = known(holding);
        let excludes = |term: &&Term<'_>| term.is_open && term.filter.verdict(&known) != Some(true);
        terms.iter().find(excludes).map(|term| term.word)
    }
}

struct FactsOfPly<'a, P: AnyPosition> {
    ply: &'a Ply<'a, P>,
    game: &'a GameContext<'a>,
    fields: FieldStyle,
    naming: Option<&'a OpeningTracker<'a>>,
    count: Option<u32>,
    values: &'a Cell<ConditionValues>,
}

impl<P: AnyPosition> FactsOfPly<'_, P> {
    fn repetition(&self) -> Option<u32> {
        self.count.filter(|_| self.ply.known().is_none())
    }
}

impl<P: AnyPosition> PositionFacts for FactsOfPly<'_, P> {
    fn value<'v>(&'v self, fact: Fact, side: Color, out: &'v mut Buffer) -> FoundValue<'v> {
        if fact == Fact::Repetition {
            return Ok(self.repetition().map(|count| Value::Integer(count.into())));
        }
        if fact.is_of_game() {
            let opening = self.naming.map(OpeningTracker::opening);
            return value_of_game(fact, self.game, opening.as_ref(), side);
        }
        let value = value_of_ply(fact, self.ply, self.game, self.fields, out);
        if fact.needs_comments() {
            let mut values = self.values.get();
            if value.is_some() { &mut values.found } else { &mut values.missing }.insert(fact);
            self.values.set(values);
        }
        Ok(value)
    }

    fn number(&self, fact: Fact, most: u32) -> Option<u32> {
        match fact {
            Fact::Repetition => self.repetition(),
            fact => number(fact, self.ply, most),
        }
    }
}

#[cfg(test)]
mod tests {
    use san::{Keyword, Position};

    use super::*;
    use crate::ply::Ahead;

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
