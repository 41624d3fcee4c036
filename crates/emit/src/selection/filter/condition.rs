//! The one condition on games and positions during a replay: the filter of a plan, and what its
//! other options leave out, as further terms.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use openings::OpeningTracker;
use san::{AnyPosition, Buffer, Color, FieldStyle};

use super::eval::{At, Known, PositionFacts, SequenceTracker, TagValue};
use super::{ConditionValues, Filter, Verdict};
use crate::facts::{self, Fact, FactSet, Found, Value};
use crate::game::GameContext;
use crate::ply::{Ply, Repetition};
use crate::records::plan::Plan;
use crate::selection::Omission;

#[derive(Debug)]
pub(crate) struct Condition<'p> {
    terms: Vec<Term<'p>>,
    /// The facts of all terms.
    facts: FactSet,
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
    /// The word that is counted if it does not hold.
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

    pub(crate) fn needs_comments(&self) -> bool {
        self.facts.needs_comments()
    }

    pub(crate) fn asks_for(&self, facts: &[Fact]) -> bool {
        facts.iter().any(|fact| self.facts.has(*fact))
    }

    pub(crate) fn begin(&mut self, game: &GameContext<'_>) -> Verdict {
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

    pub(crate) fn needs_outcome(&self, game: &GameContext<'_>) -> bool {
        self.facts.needs_result() && game.result().is_none()
    }

    /// Evaluates the terms with what is known before the positions.
    pub(crate) fn verdict(&mut self, game: &GameContext<'_>) -> Verdict {
        let (tags, texts) = (&*self.tags, &self.texts);
        let known = Known { game, tags, side: Color::White, at: None, texts };
        let mut all = Verdict::Yes;
        for term in &mut self.terms {
            let verdict = term.filter.verdict(&known);
            term.is_open = verdict != Verdict::Yes;
            match verdict {
                Verdict::No => return Verdict::No,
                Verdict::Depends => all = Verdict::Depends,
                Verdict::Yes => {}
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

    /// Returns the word that excludes a position. Must be called for every position of a game of
    /// chess, to follow the opening; `is_alternative`: for one before a variation once more, with
    /// the variation's first move.
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

    /// Evaluates the terms at a position without following the opening.
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
            Known { game, tags, side: Color::White, at: Some(at), texts }
        };
        let holding = match terms[0].filter.sequences.is_empty() {
            true => 0,
            false => sequences.follow(&terms[0].filter, ply, is_alternative, known),
        };
        let known = known(holding);
        let excludes =
            |term: &&Term<'_>| term.is_open && term.filter.verdict(&known) != Verdict::Yes;
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
