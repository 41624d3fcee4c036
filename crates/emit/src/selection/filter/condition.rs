//! The filter of a plan during a replay.

use std::borrow::Cow;

use openings::{Opening, OpeningTracker};
use pgn::{Outcome, TagPair};
use san::{AnyPosition, Buffer, Color, FieldStyle};

use super::eval::{At, GameValues, Known, Value};
use super::sequence::SequenceTracker;
use super::{Filter, Verdict};
use crate::facts::{self, Fact, FactValue, GameFacts};
use crate::ply::Ply;
use crate::records::plan::Plan;
use crate::repetition::Repetition;
use crate::sink::GameAhead;

/// The filter of a plan, with the values it needs from the current game.
#[derive(Debug)]
pub(crate) struct Condition<'p> {
    filter: &'p Filter,
    file: &'p str,
    fields: FieldStyle,
    /// The opening up to the current position, if the filter uses it.
    naming: Option<OpeningTracker<'p>>,
    /// The positions of the game, if the filter uses repetitions; and the count of the last one.
    repetition: Option<(Repetition, u32)>,
    variations: bool,
    sequences: SequenceTracker,
    game: GameValues,
}

impl<'p> Condition<'p> {
    /// Returns the filter of the plan, if it has one.
    pub(crate) fn of(plan: &'p Plan) -> Option<Self> {
        let filter = plan.filter.as_ref()?;
        let needs_names = filter.facts.needs_names();
        Some(Condition {
            filter,
            file: &plan.file,
            fields: plan.fields,
            naming: needs_names.then(|| OpeningTracker::of(&plan.names, plan.variations)),
            repetition: filter.facts.has(Fact::Repetition).then(Default::default),
            variations: plan.variations,
            sequences: SequenceTracker::default(),
            game: GameValues::default(),
        })
    }

    /// Returns whether evaluation requires the comments on the next move.
    pub(crate) fn needs_comments(&self) -> bool {
        self.filter.facts.needs_comments()
    }

    /// Returns whether the filter uses a fact.
    pub(crate) fn asks_for(&self, fact: Fact) -> bool {
        self.filter.facts.has(fact)
    }

    /// Evaluates the filter on the tags and line number of the next game.
    pub(crate) fn begin(&mut self, tags: &[TagPair<'_>], line: Option<u64>) -> Verdict {
        self.game.begin(self.filter, tags, line);
        if let Some(naming) = &mut self.naming {
            naming.begin(tags);
        }
        if let Some((repetition, _)) = &mut self.repetition {
            repetition.begin();
        }
        self.sequences.begin();
        self.verdict()
    }

    /// Evaluates the filter on the game again, now that its length and its end are known.
    pub(crate) fn set_ahead(&mut self, game: GameAhead) -> Verdict {
        self.game.ahead = Some(game);
        self.verdict()
    }

    /// Evaluates the filter on the game again, now that the result in its movetext is known.
    pub(crate) fn set_outcome(&mut self, outcome: Option<Outcome>) -> Verdict {
        self.game.set_outcome(outcome);
        self.verdict()
    }

    /// Returns whether the filter needs the result in the movetext.
    pub(crate) fn needs_outcome(&self) -> bool {
        self.filter.facts.needs_result() && self.game.result().is_none()
    }

    fn verdict(&self) -> Verdict {
        let file = Some(self.file);
        self.filter.verdict(&Known { game: &self.game, file, side: Color::White, at: None })
    }

    /// Returns which of the filter's tags the game has, as bits; the first tag is the lowest bit.
    pub(crate) fn tags(&self) -> u64 {
        self.game.tags()
    }

    /// Evaluates the filter at the next position of a game of chess. Must be called for every
    /// position, to follow the opening.
    pub(crate) fn follow(&mut self, ply: &Ply<'_>) -> bool {
        self.follow_line(ply, false)
    }

    /// Evaluates the filter at a position before a variation once more, with the first move of the
    /// variation.
    pub(crate) fn follow_alternative(&mut self, ply: &Ply<'_>) -> bool {
        self.follow_line(ply, true)
    }

    fn follow_line(&mut self, ply: &Ply<'_>, is_alternative: bool) -> bool {
        if let Some(naming) = &mut self.naming {
            naming.follow(ply.position, ply.next, ply.number);
        }
        self.holds_in_line(ply, is_alternative)
    }

    /// Evaluates the filter at the next position of a game.
    pub(crate) fn holds<P: AnyPosition>(&mut self, ply: &Ply<'_, P>) -> bool {
        self.holds_in_line(ply, false)
    }

    fn holds_in_line<P: AnyPosition>(&mut self, ply: &Ply<'_, P>, is_alternative: bool) -> bool {
        let Condition { filter, file, fields, naming, repetition, sequences, game, variations } =
            self;
        if let Some((repetition, count)) = repetition {
            *count = repetition.follow(ply, *variations);
        }
        let opening = naming.as_ref().map_or_else(Opening::default, OpeningTracker::opening);
        let count = repetition.as_ref().map(|(_, count)| *count).filter(|_| ply.known().is_none());
        let fact = |fact| match fact {
            Fact::Repetition => count.map_or(Value::Missing, |count| Value::Number(count.into())),
            fact => value(fact, ply, game, *fields, &opening),
        };
        let known = |sequences| {
            let at = At { fact: &fact, chess: ply.position.as_chess(), sequences };
            Known { game, file: Some(file), side: Color::White, at: Some(at) }
        };
        let holding = match filter.sequences.is_empty() {
            true => 0,
            false => sequences.follow(filter, ply, is_alternative, known),
        };
        filter.verdict(&known(holding)) == Verdict::Yes
    }
}

/// Returns the value of a fact for comparison.
fn value<'v, P: AnyPosition>(
    fact: Fact,
    ply: &Ply<'_, P>,
    game: &GameValues,
    fields: FieldStyle,
    opening: &Opening<'v>,
) -> Value<'v> {
    // Facts of the game are available without the position.
    let game = GameFacts { result: game.result(), ..GameFacts::default() };
    let Some(value) = facts::value(fact, ply, &game, opening) else {
        return Value::Missing;
    };
    let owned = |text: &[u8]| Value::Text(String::from_utf8_lossy(text).into_owned().into());
    match value {
        FactValue::Number(number) => Value::Number(number as f64),
        FactValue::Signed(number) => Value::Number(number.into()),
        FactValue::Decimal(number) => Value::Number(number),
        FactValue::Seconds(time) => Value::Number(facts::seconds(time)),
        FactValue::Truth(truth) => Value::Bool(truth),
        FactValue::Text(text) => Value::Text(Cow::Borrowed(text)),
        FactValue::Key(key) => Value::Text(Cow::Owned(format!("{key:016x}"))),
        FactValue::Move(text) => owned(text.as_bytes()),
        // Only in columns.
        FactValue::Packed(_)
        | FactValue::Date(_)
        | FactValue::Board(_)
        | FactValue::Bitboards(_)
        | FactValue::LegalMoves => Value::Missing,
        FactValue::Epd
        | FactValue::Fen
        | FactValue::Nags
        | FactValue::Comment
        | FactValue::Field(_)
        | FactValue::Material => {
            let mut buffer = Buffer::default();
            match facts::write_text(value, ply, fields, &mut buffer) {
                true => owned(buffer.as_bytes()),
                false => Value::Missing,
            }
        }
    }
}
