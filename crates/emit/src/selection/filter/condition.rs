//! The filter of a plan during a replay.

use std::cell::{Cell, RefCell};

use openings::OpeningTracker;
use san::{AnyPosition, Buffer, Color, FieldStyle};

use super::eval::{At, Known, PositionFacts, SequenceTracker, TagValue};
use super::{ConditionValues, Filter, Verdict};
use crate::facts::{self, Fact, Found, Value};
use crate::game::GameContext;
use crate::ply::{Ply, Repetition};
use crate::records::plan::Plan;

#[derive(Debug)]
pub(crate) struct Condition<'p> {
    filter: &'p Filter,
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

impl<'p> Condition<'p> {
    pub(crate) fn of(plan: &'p Plan) -> Option<Self> {
        let filter = plan.filter.as_ref()?;
        let needs_names = filter.facts.needs_names();
        Some(Condition {
            filter,
            fields: plan.fields,
            naming: needs_names.then(|| OpeningTracker::of(&plan.names, plan.variations)),
            repetition: filter.facts.has(Fact::Repetition).then(Default::default),
            variations: plan.variations,
            sequences: SequenceTracker::default(),
            tags: Vec::new(),
            texts: RefCell::default(),
            values: Cell::default(),
        })
    }

    pub(crate) fn needs_comments(&self) -> bool {
        self.filter.facts.needs_comments()
    }

    pub(crate) fn asks_for(&self, facts: &[Fact]) -> bool {
        facts.iter().any(|fact| self.filter.facts.has(*fact))
    }

    pub(crate) fn begin(&mut self, game: &GameContext<'_>) -> Verdict {
        TagValue::read_all(&mut self.tags, self.filter, &game.tags);
        if let Some(naming) = &mut self.naming {
            naming.begin(&game.tags);
        }
        if let Some((repetition, _)) = &mut self.repetition {
            repetition.begin();
        }
        self.sequences.begin();
        self.verdict(game)
    }

    pub(crate) fn needs_outcome(&self, game: &GameContext<'_>) -> bool {
        self.filter.facts.needs_result() && game.result().is_none()
    }

    /// Evaluates the filter with what is known before the positions.
    pub(crate) fn verdict(&self, game: &GameContext<'_>) -> Verdict {
        let (tags, texts) = (&*self.tags, &self.texts);
        self.filter.verdict(&Known { game, tags, side: Color::White, at: None, texts })
    }

    pub(crate) fn values(&self) -> ConditionValues {
        self.values.get()
    }

    pub(crate) fn is_of_chess(&self) -> bool {
        self.filter.is_of_chess()
    }

    /// Returns which of the filter's tags the game has, as bits; the first tag is the lowest bit.
    pub(crate) fn tags(&self) -> u64 {
        TagValue::present(&self.tags)
    }

    /// Must be called for every position of a game of chess, to follow the opening;
    /// `is_alternative`: for one before a variation once more, with the variation's first move.
    pub(crate) fn follow(
        &mut self,
        ply: &Ply<'_>,
        game: &GameContext<'_>,
        is_alternative: bool,
    ) -> bool {
        if let Some(naming) = &mut self.naming {
            naming.follow(ply.position, ply.next, ply.number);
        }
        self.holds(ply, game, is_alternative)
    }

    /// Evaluates the filter at a position without following the opening.
    pub(crate) fn holds<P: AnyPosition>(
        &mut self,
        ply: &Ply<'_, P>,
        game: &GameContext<'_>,
        is_alternative: bool,
    ) -> bool {
        let filter = self.filter;
        let Condition { naming, repetition, sequences, variations, .. } = self;
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
            Known { game, tags, side: Color::White, at: Some(at), texts }
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
    game: &'a GameContext<'a>,
    fields: FieldStyle,
    naming: Option<&'a OpeningTracker<'a>>,
    count: Option<u32>,
    values: &'a Cell<ConditionValues>,
}

impl<P: AnyPosition> FactsOfPly<'_, P> {
    /// Returns how often the position has occurred; records have no history.
    fn repetition(&self) -> Option<u32> {
        self.count.filter(|_| self.ply.known().is_none())
    }
}

impl<P: AnyPosition> PositionFacts for FactsOfPly<'_, P> {
    fn value<'v>(&'v self, fact: Fact, side: Color, out: &'v mut Buffer) -> Found<'v> {
        if fact == Fact::Repetition {
            return Ok(self.repetition().map(|count| Value::Integer(count.into())));
        }
        if fact.is_of_game() {
            let opening = self.naming.map(OpeningTracker::opening);
            return facts::value_of_game(fact, self.game, opening.as_ref(), side);
        }
        let value = facts::value_of_ply(fact, self.ply, self.game, self.fields, out);
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
            fact => facts::number(fact, self.ply, most),
        }
    }
}
