//! The selection among positions of files, which are passed to a sink like those of games.

use pgn::{Outcome, Place, TagPair};
use san::{AnyPosition, Position, VariantPosition};

use crate::game::{GameContext, GameEnd};
use crate::ply::Ply;
use crate::records::plan::Plan;
use crate::replay::Counts;
use crate::selection::filter::condition::Condition;
use crate::selection::{Omission, Select};
use crate::sink::Sink;

#[derive(Debug)]
pub(crate) struct ShownPositions<'p> {
    plan: &'p Plan,
    condition: Option<Condition<'p>>,
    by_number: bool,
    verdict: Option<bool>,
    pub(crate) counts: Counts,
}

impl<'p> ShownPositions<'p> {
    pub(crate) fn new(plan: &'p Plan) -> Self {
        let (condition, counts) = (Condition::of(plan), Counts::default());
        let by_number = plan.select != Select::default() || plan.omit.has(Omission::Start);
        ShownPositions { plan, condition, by_number, verdict: Some(true), counts }
    }

    pub(crate) fn context<'g>(
        &mut self,
        tags: Vec<TagPair<'g>>,
        place: Place,
        outcome: Option<Outcome>,
    ) -> GameContext<'g>
    where
        'p: 'g,
    {
        self.counts.games += 1;
        GameContext {
            file: &self.plan.file,
            start: self.plan.start,
            tags,
            number: self.counts.games,
            place,
            outcome: Some(outcome),
            end: Some(GameEnd::default()),
            ..GameContext::default()
        }
    }

    pub(crate) fn begin(&mut self, game: &GameContext<'_>, sink: &mut dyn Sink) -> bool {
        if !self.plan.named.is_empty() {
            self.counts.named |= self.plan.names_in(&game.tags);
        }
        if let Some(condition) = &mut self.condition {
            self.verdict = condition.begin(game);
            self.counts.condition_tags |= condition.tags();
        }
        if self.verdict == Some(false) {
            self.counts.left_out += 1;
            sink.game_filtered_out();
            return false;
        }
        sink.begin(game);
        true
    }

    /// Passes a position on. `is_numbered` says whether the number of its move is known.
    pub(crate) fn ply<P: ShowPly>(
        &mut self,
        ply: Ply<'_, P>,
        game: &GameContext<'_>,
        is_numbered: impl FnOnce() -> bool,
        sink: &mut dyn Sink,
    ) {
        let excluded = match (&mut self.condition, self.verdict) {
            (Some(condition), None) => {
                let excluded = condition.excludes(&ply, game, false);
                self.counts.condition_values = condition.values();
                let is_undecided = ply.position.as_chess().is_none() && condition.is_of_chess();
                self.counts.undecided_variants += u64::from(is_undecided);
                excluded
            }
            _ => None,
        };
        let outside = if self.by_number { self.outside(&ply, is_numbered()) } else { None };
        P::show(sink, ply, game, outside.or(excluded));
    }

    pub(crate) fn pass<P: ShowPly>(
        &mut self,
        ply: Ply<'_, P>,
        game: &GameContext<'_>,
        is_numbered: impl FnOnce() -> bool,
        sink: &mut dyn Sink,
    ) -> bool {
        let is_passed = self.begin(game, sink);
        if is_passed {
            self.ply(ply, game, is_numbered, sink);
            sink.end(game);
        }
        is_passed
    }

    /// Whether a position is outside of the plies and moves, as one without a number always is.
    fn outside<P: AnyPosition>(&self, ply: &Ply<'_, P>, is_numbered: bool) -> Option<Omission> {
        let Select { first, last, moves: (from, to), .. } = self.plan.select;
        if is_numbered && ply.number == 0 && self.plan.omit.has(Omission::Start) {
            return Some(Omission::Start);
        }
        let is_whole = (first, last, from, to) == (0, u32::MAX, 0, u32::MAX);
        let is_within =
            (first..=last).contains(&ply.number) && (from..=to).contains(&ply.position.fullmoves());
        (!(is_whole || is_numbered && is_within)).then_some(Omission::Ply)
    }
}

pub(crate) trait ShowPly: AnyPosition {
    fn show(
        sink: &mut dyn Sink,
        ply: Ply<'_, Self>,
        game: &GameContext<'_>,
        omitted: Option<Omission>,
    );
}

impl ShowPly for Position {
    fn show(sink: &mut dyn Sink, ply: Ply<'_>, game: &GameContext<'_>, omitted: Option<Omission>) {
        match omitted {
            None => sink.ply(ply, game),
            Some(why) => sink.skipped_ply(ply, why),
        }
    }
}

impl ShowPly for VariantPosition {
    fn show(
        sink: &mut dyn Sink,
        ply: Ply<'_, Self>,
        game: &GameContext<'_>,
        omitted: Option<Omission>,
    ) {
        sink.variant(ply, game, omitted);
    }
}
