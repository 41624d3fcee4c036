//! Sinks that mark the records that they write.

use emit::{
    GameRows, GameValues, Plan, Ply, Problem, RecordText, RowSink, Sink, TextSink, TrainingSink,
    VariantPly, mean_elo,
};
use pgn::{Outcome, Place, TagPair};
use san::PositionKey;

use super::marks::{MarkPlan, Marks};
use crate::equal_positions::Preference;

/// A text sink that marks its records.
pub(crate) struct Marked<'t> {
    text: TextSink<'t>,
    marks: &'t mut Marks,
    plan: &'t MarkPlan,
    /// The mean rating of the players, times two.
    elo: u32,
    values: Option<GameValues<'t>>,
    /// Number of records before the current game.
    before: usize,
}

impl<'t> Marked<'t> {
    pub(crate) fn new(
        text: TextSink<'t>,
        marks: &'t mut Marks,
        mark_plan: &'t MarkPlan,
        plan: &'t Plan,
    ) -> Self {
        let values = mark_plan.game_values(plan);
        Marked { text, marks, plan: mark_plan, elo: 0, values, before: 0 }
    }

    /// Marks the last record.
    fn mark(&mut self, start: usize) {
        self.marks.push(start..self.text.written(), 1, self.text.register_places());
    }
}

impl RecordText for Marked<'_> {
    fn text(&self) -> &[u8] {
        self.text.text()
    }

    fn count(&self) -> u64 {
        self.text.count()
    }
}

impl Sink for Marked<'_> {
    fn number(&mut self, game: u64, place: Place) {
        self.text.number(game, place);
    }

    fn length(&mut self, plies: u32) {
        self.text.length(plies);
    }

    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.before = self.marks.records.len();
        self.marks.begin();
        if self.plan.preference == Preference::BestRated {
            self.elo = mean_elo(tags).map_or(0, |elo| (2.0 * elo) as u32);
        }
        if let Some(values) = &mut self.values {
            values.begin(tags);
        }
        self.text.begin(tags);
    }

    fn ply(&mut self, ply: Ply<'_>) {
        let (start, count) = (self.text.written(), self.text.count());
        self.text.ply(ply);
        // Not every position has a record.
        if self.text.count() == count {
            return;
        }
        if self.plan.keys {
            self.marks.keys.push(PositionKey::of(ply.position));
            self.marks.labels.extend(self.text.labelled().filter(|_| self.plan.labels));
            match self.plan.preference {
                Preference::First => {}
                Preference::BestRated => self.marks.ranks.push(self.elo),
                Preference::Deepest => self.marks.ranks.push(emit::depth(&ply).unwrap_or(0)),
            }
        }
        self.mark(start);
    }

    fn skipped_ply(&mut self, ply: Ply<'_>) {
        self.text.skipped_ply(ply);
    }

    fn takes_variants(&self) -> bool {
        // Equal positions cannot be recognised here.
        !self.plan.keys && self.text.takes_variants()
    }

    fn variant(&mut self, ply: VariantPly<'_>) {
        let (start, count) = (self.text.written(), self.text.count());
        self.text.variant(ply);
        if self.text.count() > count {
            self.mark(start);
        }
    }

    fn skipped_variant(&mut self, ply: VariantPly<'_>) {
        self.text.skipped_variant(ply);
    }

    fn text_of_game(&mut self, text: &[u8]) {
        self.marks.set_output(text, self.plan);
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        self.marks.set_partition(&mut self.values, self.plan, outcome);
        self.text.end(outcome);
    }

    fn discard_game(&mut self) {
        self.marks.truncate(self.before);
        self.text.discard_game();
    }

    fn problem(&mut self, problem: Problem) {
        self.text.problem(problem);
    }
}

/// A sink of training data that marks its units: games, chains or positions, which can be written in any order.
pub(crate) struct MarkedTraining<'t> {
    sink: TrainingSink<'t>,
    marks: &'t mut Marks,
    plan: &'t MarkPlan,
    values: Option<GameValues<'t>>,
}

impl<'t> MarkedTraining<'t> {
    pub(crate) fn new(
        sink: TrainingSink<'t>,
        marks: &'t mut Marks,
        mark_plan: &'t MarkPlan,
        plan: &'t Plan,
    ) -> Self {
        MarkedTraining { sink, marks, plan: mark_plan, values: mark_plan.game_values(plan) }
    }
}

impl Sink for MarkedTraining<'_> {
    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.marks.begin();
        if let Some(values) = &mut self.values {
            values.begin(tags);
        }
        self.sink.begin(tags);
    }

    fn ply(&mut self, ply: Ply<'_>) {
        self.sink.ply(ply);
    }

    fn skipped_ply(&mut self, ply: Ply<'_>) {
        self.sink.skipped_ply(ply);
    }

    fn text_of_game(&mut self, text: &[u8]) {
        self.marks.set_output(text, self.plan);
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        self.marks.set_partition(&mut self.values, self.plan, outcome);
        self.sink.end(outcome);
        for unit in self.sink.units() {
            self.marks.push(unit.bytes, unit.positions, &[]);
        }
    }

    fn discard_game(&mut self) {
        self.sink.discard_game();
    }

    fn problem(&mut self, problem: Problem) {
        self.sink.problem(problem);
    }
}

/// A sink that makes a row for each game, and marks it.
pub(crate) struct MarkedGames<'t> {
    sink: RowSink<'t, TextSink<'t>, GameRows<'t>>,
    marks: &'t mut Marks,
    plan: &'t MarkPlan,
    values: Option<GameValues<'t>>,
    /// Number of positions before the current game.
    before: u64,
}

impl<'t> MarkedGames<'t> {
    pub(crate) fn new(
        sink: RowSink<'t, TextSink<'t>, GameRows<'t>>,
        marks: &'t mut Marks,
        mark_plan: &'t MarkPlan,
        plan: &'t Plan,
    ) -> Self {
        MarkedGames { sink, marks, plan: mark_plan, values: mark_plan.game_values(plan), before: 0 }
    }
}

impl Sink for MarkedGames<'_> {
    fn number(&mut self, game: u64, place: Place) {
        self.sink.number(game, place);
    }

    fn length(&mut self, plies: u32) {
        self.sink.length(plies);
    }

    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.before = self.sink.records().count();
        self.marks.begin();
        if let Some(values) = &mut self.values {
            values.begin(tags);
        }
        self.sink.begin(tags);
    }

    fn game_filtered_out(&mut self) {
        self.sink.game_filtered_out();
    }

    fn ply(&mut self, ply: Ply<'_>) {
        self.sink.ply(ply);
    }

    fn skipped_ply(&mut self, ply: Ply<'_>) {
        self.sink.skipped_ply(ply);
    }

    fn takes_variants(&self) -> bool {
        self.sink.takes_variants()
    }

    fn variant(&mut self, ply: VariantPly<'_>) {
        self.sink.variant(ply);
    }

    fn skipped_variant(&mut self, ply: VariantPly<'_>) {
        self.sink.skipped_variant(ply);
    }

    fn text_of_game(&mut self, text: &[u8]) {
        self.marks.set_output(text, self.plan);
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        let rows = self.sink.rows();
        self.marks.set_partition(&mut self.values, self.plan, outcome);
        self.sink.end(outcome);
        if self.sink.rows() > rows {
            self.marks.push(0..0, self.sink.records().count() - self.before, &[]);
        }
    }

    fn discard_game(&mut self) {
        self.sink.discard_game();
    }

    fn problem(&mut self, problem: Problem) {
        self.sink.problem(problem);
    }
}
