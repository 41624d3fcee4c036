//! The filter of a plan during a replay.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use openings::{Opening, OpeningTracker};
use pgn::{Outcome, TagPair};
use san::{AnyPosition, Buffer, Color, FieldStyle};

use super::eval::{At, GameValues, Known, PositionFacts, SequenceTracker, Value};
use super::{ConditionValues, Filter, Verdict};
use crate::facts::{self, Fact, FactValue, GameFacts, QuickValue, Written};
use crate::ply::{Ply, Repetition};
use crate::records::plan::Plan;
use crate::sink::GameAhead;

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
    text: RefCell<Buffer>,
    values: Cell<ConditionValues>,
}

impl<'p> Condition<'p> {
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
            text: RefCell::default(),
            values: Cell::default(),
        })
    }

    pub(crate) fn needs_comments(&self) -> bool {
        self.filter.facts.needs_comments()
    }

    pub(crate) fn asks_for(&self, fact: Fact) -> bool {
        self.filter.facts.has(fact)
    }

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

    pub(crate) fn set_ahead(&mut self, game: GameAhead) -> Verdict {
        self.game.ahead = Some(game);
        self.verdict()
    }

    pub(crate) fn set_outcome(&mut self, outcome: Option<Outcome>) -> Verdict {
        self.game.set_outcome(outcome);
        self.verdict()
    }

    pub(crate) fn needs_outcome(&self) -> bool {
        self.filter.facts.needs_result() && self.game.result().is_none()
    }

    fn verdict(&self) -> Verdict {
        let file = Some(self.file);
        self.filter.verdict(&Known { game: &self.game, file, side: Color::White, at: None })
    }

    pub(crate) fn values(&self) -> ConditionValues {
        self.values.get()
    }

    pub(crate) fn is_of_chess(&self) -> bool {
        self.filter.is_of_chess()
    }

    /// Returns which of the filter's tags the game has, as bits; the first tag is the lowest bit.
    pub(crate) fn tags(&self) -> u64 {
        self.game.tags()
    }

    /// Must be called for every position of a game of chess, to follow the opening;
    /// `is_alternative`: for one before a variation once more, with the variation's first move.
    pub(crate) fn follow(&mut self, ply: &Ply<'_>, is_alternative: bool) -> bool {
        if let Some(naming) = &mut self.naming {
            naming.follow(ply.position, ply.next, ply.number);
        }
        self.holds(ply, is_alternative)
    }

    /// Evaluates the filter at a position without following the opening.
    pub(crate) fn holds<P: AnyPosition>(&mut self, ply: &Ply<'_, P>, is_alternative: bool) -> bool {
        let Condition { naming, repetition, sequences, game, variations, .. } = self;
        let filter = self.filter;
        if let Some((repetition, count)) = repetition {
            *count = repetition.follow(ply, *variations);
        }
        let count = repetition.as_ref().map(|(_, count)| *count);
        let (naming, fields) = (naming.as_ref(), self.fields);
        let facts =
            FactsOfPly { ply, game, fields, naming, count, text: &self.text, values: &self.values };
        let (file, chess) = (Some(self.file), ply.position.as_chess());
        let known = |sequences| {
            let at = At { facts: &facts, chess, sequences };
            Known { game, file, side: Color::White, at: Some(at) }
        };
        let holding = match filter.sequences.is_empty() {
            true => 0,
            false => sequences.follow(filter, ply, is_alternative, known),
        };
        filter.verdict(&known(holding)) == Verdict::Yes
    }
}

struct FactsOfPly<'a, P: AnyPosition> {
    ply: &'a Ply<'a, P>,
    game: &'a GameValues,
    fields: FieldStyle,
    naming: Option<&'a OpeningTracker<'a>>,
    count: Option<u32>,
    text: &'a RefCell<Buffer>,
    values: &'a Cell<ConditionValues>,
}

impl<P: AnyPosition> FactsOfPly<'_, P> {
    /// Returns how often the position has occurred; records have no history.
    fn repetition(&self) -> Option<u32> {
        self.count.filter(|_| self.ply.known().is_none())
    }

    fn written(&self, text: Written, buffer: &mut Buffer) -> bool {
        buffer.clear();
        facts::write_text(text, self.ply, self.fields, buffer)
    }
}

impl<P: AnyPosition> PositionFacts for FactsOfPly<'_, P> {
    fn value(&self, fact: Fact) -> Value<'_> {
        if fact == Fact::Repetition {
            return self.repetition().map_or(Value::Missing, |count| Value::Number(count.into()));
        }
        // Facts of the game are available without the position.
        let game = GameFacts { result: self.game.result(), ..GameFacts::default() };
        let opening = self.naming.map_or_else(Opening::default, OpeningTracker::opening);
        let value = facts::value(fact, self.ply, &game, &opening);
        if fact.needs_comments() {
            let mut values = self.values.get();
            if value.is_some() { &mut values.found } else { &mut values.missing }.insert(fact);
            self.values.set(values);
        }
        let Some(value) = value else { return Value::Missing };
        match value {
            FactValue::Number(number) => Value::Number(number as f64),
            FactValue::Signed(number) => Value::Number(number.into()),
            FactValue::Decimal(number) => Value::Number(number),
            FactValue::Seconds(time) => Value::Number(facts::seconds(time)),
            FactValue::Truth(truth) => Value::Bool(truth),
            FactValue::Text(text) => Value::Text(Cow::Borrowed(text)),
            FactValue::Key(key) => Value::Text(Cow::Owned(format!("{key:016x}"))),
            FactValue::Move(text) => Value::Text(Cow::Owned(text.as_str().to_owned())),
            // Only in columns.
            FactValue::Packed(_)
            | FactValue::Date(_)
            | FactValue::Board(_)
            | FactValue::Bitboards(_)
            | FactValue::LegalMoves => Value::Missing,
            FactValue::Written(written) => {
                let buffer = &mut *self.text.borrow_mut();
                match self.written(written, buffer) {
                    true => Value::Text(pgn::text_of(buffer.as_bytes()).into_owned().into()),
                    false => Value::Missing,
                }
            }
        }
    }

    fn quick_value(&self, fact: Fact, most: u32) -> Option<QuickValue> {
        match fact {
            Fact::Repetition => self.repetition().map(QuickValue::Number),
            fact => facts::quick_value(fact, self.ply, most),
        }
    }

    fn test_text(&self, fact: Fact, test: &mut dyn FnMut(&[u8]) -> bool) -> Option<bool> {
        let (position, next) = (self.ply.position, self.ply.next);
        let text = match fact {
            Fact::San => return Some(test(position.san_of(next?).as_bytes())),
            Fact::Uci => return Some(test(position.uci_of(next?).as_bytes())),
            Fact::Epd => Written::Epd,
            Fact::Fen => Written::Fen,
            Fact::Castling => Written::Field(2),
            Fact::Ep => Written::Field(3),
            Fact::Material => position.as_chess().map(|_| Written::Material)?,
            _ => return None,
        };
        let buffer = &mut *self.text.borrow_mut();
        self.written(text, buffer).then(|| test(buffer.as_bytes()))
    }
}
