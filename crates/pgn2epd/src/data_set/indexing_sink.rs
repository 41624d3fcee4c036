//! A sink that indexes the records that another one writes.

use dataset::Preference;
use emit::{
    GameAhead, GameRows, Movetext, Ply, Problem, RecordText, RowSink, Sink, TextSink, TrainingSink,
    VariantPly,
};
use epd::Severity;
use pgn::{Outcome, Place, TagPair};
use san::{AnyPosition, PositionKey, VariantPosition};

use super::game_key::GameKey;
use super::index::{IndexPlan, RecordIndex};

pub(crate) trait IndexedSink: Sink {
    fn written(&self) -> Written;

    /// Adds the record of a ply to the index, if it was written.
    fn index_ply(&self, _: Written, _: &Ply<'_>, _: &mut RecordIndex, _: &IndexPlan) {}

    /// Adds the record of a position of a variant to the index, if it was written.
    fn index_variant(&self, _: Written, _: &VariantPly<'_>, _: &mut RecordIndex, _: &IndexPlan) {}

    /// Adds the game that has ended to the index, given what was written before it.
    fn index_game(&mut self, _: Written, _: &mut RecordIndex) {}
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Written {
    bytes: usize,
    positions: u64,
    rows: usize,
}

impl IndexedSink for TextSink<'_> {
    #[inline]
    fn written(&self) -> Written {
        Written { bytes: TextSink::written(self), positions: self.count(), rows: 0 }
    }

    #[inline]
    fn index_ply(&self, before: Written, ply: &Ply<'_>, index: &mut RecordIndex, plan: &IndexPlan) {
        index_record(self, before, PositionKey::of, ply, index, plan);
    }

    fn index_variant(
        &self,
        before: Written,
        ply: &VariantPly<'_>,
        index: &mut RecordIndex,
        plan: &IndexPlan,
    ) {
        index_record(self, before, VariantPosition::key, ply, index, plan);
    }
}

#[inline]
fn index_record<P: AnyPosition>(
    sink: &TextSink<'_>,
    before: Written,
    key: impl FnOnce(&P) -> PositionKey,
    ply: &Ply<'_, P>,
    index: &mut RecordIndex,
    plan: &IndexPlan,
) {
    // Not every position has a record.
    if sink.count() == before.positions {
        return;
    }
    index.push(before.bytes..TextSink::written(sink), 1, sink.register_places());
    if plan.keys {
        let rank = match plan.preference {
            Preference::First | Preference::Last => None,
            Preference::Deepest => Some(emit::depth(ply).unwrap_or(0)),
        };
        index.set_position(key(ply.position), sink.labelled(), rank, plan);
    }
}

/// Games, chains or positions, which can be written in any order.
impl IndexedSink for TrainingSink<'_> {
    fn written(&self) -> Written {
        Written::default()
    }

    fn index_game(&mut self, _: Written, index: &mut RecordIndex) {
        self.units().for_each(|unit| index.push(unit.bytes, unit.positions, &[]));
    }
}

/// A row for each game, or its text.
impl<'t, S: RecordText> IndexedSink for RowSink<'t, S, GameRows<'t>> {
    fn written(&self) -> Written {
        let records = self.records();
        Written { bytes: records.text().len(), positions: records.count(), rows: self.rows() }
    }

    fn index_game(&mut self, before: Written, index: &mut RecordIndex) {
        let Written { bytes, positions, rows } = self.written();
        if rows > before.rows {
            index.push(before.bytes..bytes, positions - before.positions, &[]);
        }
    }
}

pub(crate) struct IndexingSink<'t, S> {
    sink: S,
    index: &'t mut RecordIndex,
    plan: &'t IndexPlan,
    /// What was written before the current game.
    before: Written,
    /// The game, if games are compared.
    game: Option<GameKey>,
}

impl<'t, S: IndexedSink> IndexingSink<'t, S> {
    pub(crate) fn new(sink: S, index: &'t mut RecordIndex, plan: &'t IndexPlan) -> Self {
        let game = plan.unique_games.map(GameKey::new);
        IndexingSink { sink, index, plan, before: Written::default(), game }
    }
}

impl RecordText for IndexingSink<'_, TextSink<'_>> {
    fn text(&self) -> &[u8] {
        self.sink.text()
    }

    fn count(&self) -> u64 {
        self.sink.count()
    }
}

impl<S: IndexedSink> Sink for IndexingSink<'_, S> {
    fn number(&mut self, game: u64, place: Place) {
        if let Some(key) = &mut self.game {
            key.number(game);
        }
        self.sink.number(game, place);
    }

    fn ahead(&mut self, game: GameAhead) {
        self.sink.ahead(game);
    }

    fn game_start(&mut self, at: usize, is_wanted: bool) {
        self.sink.game_start(at, is_wanted);
    }

    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.before = self.sink.written();
        self.index.begin();
        if let Some(key) = &mut self.game {
            key.begin(tags);
        }
        self.sink.begin(tags);
    }

    fn game_filtered_out(&mut self) {
        self.sink.game_filtered_out();
    }

    fn ply(&mut self, ply: Ply<'_>) {
        let before = self.sink.written();
        if let Some(key) = &mut self.game {
            key.ply(&ply);
        }
        self.sink.ply(ply);
        self.sink.index_ply(before, &ply, self.index, self.plan);
    }

    fn skipped_ply(&mut self, ply: Ply<'_>) {
        if let Some(key) = &mut self.game {
            key.ply(&ply);
        }
        self.sink.skipped_ply(ply);
    }

    fn takes_variants(&self) -> bool {
        // Labels are merged by the side to move, which the key of a position of chess has.
        !self.plan.labels && self.sink.takes_variants()
    }

    fn variant(&mut self, ply: VariantPly<'_>) {
        let before = self.sink.written();
        if let Some(key) = &mut self.game {
            key.variant(&ply);
        }
        self.sink.variant(ply);
        self.sink.index_variant(before, &ply, self.index, self.plan);
    }

    fn skipped_variant(&mut self, ply: VariantPly<'_>) {
        if let Some(key) = &mut self.game {
            key.variant(&ply);
        }
        self.sink.skipped_variant(ply);
    }

    fn movetext(&mut self, part: Movetext<'_>) {
        self.sink.movetext(part);
    }

    fn text_of_game(&mut self, text: &[u8]) {
        self.index.set_text(text, self.plan);
        self.sink.text_of_game(text);
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        self.sink.end(outcome);
        self.sink.index_game(self.before, self.index);
        if let (Some(key), Some(game)) = (&self.game, self.index.records.compared.last_mut()) {
            *game = key.end();
        }
    }

    fn discard_game(&mut self) {
        self.index.discard_game();
        if let Some(key) = &mut self.game {
            key.discard();
        }
        self.sink.discard_game();
    }

    fn problem(&mut self, problem: Problem) {
        let is_error = problem.severity() == Severity::Error && !problem.in_variation;
        // The problems of a game follow it.
        if is_error
            && let Some(key) = &self.game
            && key.is_of(problem.game)
            && let Some(compared) = self.index.records.compared.last_mut()
            && let Some(game) = compared
        {
            game.is_damaged = true;
            *compared = compared.take().filter(|_| key.has_moves());
        }
        self.sink.problem(problem);
    }
}
