//! Where the records of a chunk are in its text, and what their selection depends on.

use std::ops::Range;

use emit::{
    GameRows, GameValues, Labelled, Plan, Ply, Problem, RecordText, RowSink, Sink, TextSink,
    TrainingSink, VariantPly, mean_elo,
};
use epd::RegisterPlace;
use pgn::{Outcome, Place, TagPair};
use san::PositionKey;

use crate::data_split::DataSplit;
use crate::equal_positions::Preference;
use crate::partition_by::PartitionBy;

/// What is noted of each record.
#[derive(Clone, Debug, Default)]
pub(crate) struct MarkPlan {
    /// Whether records are marked at all.
    pub(crate) is_needed: bool,
    /// Whether equal positions are recognised.
    pub(crate) keys: bool,
    /// Whether the places of registers are needed.
    pub(crate) register_places: bool,
    /// Which of equal positions is preferred.
    pub(crate) preference: Preference,
    /// How games are divided, with the seed, if they are.
    pub(crate) split: Option<(DataSplit, u64)>,
    /// How games are divided among folders, if they are.
    pub(crate) partition_by: Option<PartitionBy>,
}

impl MarkPlan {
    /// Makes what collects the values of a game that decide on its folder, if any do.
    fn game_values<'p>(&'p self, plan: &'p Plan) -> Option<GameValues<'p>> {
        let by = self.partition_by.as_ref()?;
        Some(GameValues::new(by.columns().columns(), plan))
    }
}

/// The records of a chunk.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    pub(super) records: Vec<Mark>,
    /// The position of each record, if needed.
    pub(super) keys: Vec<PositionKey>,
    /// The label of each record, if conflicts between equal positions are resolved.
    pub(super) labels: Vec<Labelled>,
    /// What equal positions are preferred by, if not by their order.
    pub(super) ranks: Vec<u32>,
    /// The output of each game begun.
    pub(super) outputs: Vec<usize>,
    /// The partition of each game begun, if there are any.
    partitions: Vec<usize>,
    /// The folders of the partitions.
    folders: Vec<String>,
    /// The places of the registers of all records, if needed.
    places: Vec<RegisterPlace>,
}

/// The location of a record in the text of the chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    start: usize,
    end: usize,
    /// Index of its game among those begun.
    pub(super) game: usize,
    pub(super) positions: u64,
    /// End of its places among those of all records.
    places_end: usize,
}

impl Marks {
    /// Returns the location of a record in the text.
    pub(crate) fn range(&self, index: usize) -> Range<usize> {
        let Mark { start, end, .. } = self.records[index];
        start..end
    }

    /// Returns the places of the registers of a record, if they are noted.
    pub(crate) fn register_places(&self, index: usize) -> &[RegisterPlace] {
        let start = index.checked_sub(1).map_or(0, |before| self.records[before].places_end);
        &self.places[start..self.records[index].places_end]
    }

    /// Removes all records from `len` on.
    fn truncate(&mut self, len: usize) {
        self.records.truncate(len);
        self.keys.truncate(len);
        self.labels.truncate(len);
        self.ranks.truncate(len);
        self.places.truncate(self.records.last().map_or(0, |last| last.places_end));
    }

    pub(crate) fn clear(&mut self) {
        self.truncate(0);
        self.outputs.clear();
        self.partitions.clear();
        self.folders.clear();
    }

    /// Begins a game.
    fn begin(&mut self) {
        self.outputs.push(0);
    }

    /// Notes the output of the game.
    fn set_output(&mut self, text: &[u8], plan: &MarkPlan) {
        if let (Some((split, seed)), Some(output)) = (&plan.split, self.outputs.last_mut()) {
            *output = split.part_of(emit::draw_text(*seed, text));
        }
    }

    /// Notes the partition of the game.
    fn set_partition(
        &mut self,
        values: &mut Option<GameValues<'_>>,
        plan: &MarkPlan,
        outcome: Option<Outcome>,
    ) {
        let (Some(by), Some(values)) = (&plan.partition_by, values) else { return };
        let folder = by.folder(values.end(outcome));
        let known = self.folders.iter().rposition(|known| *known == folder);
        // Games that were discarded are in any.
        self.partitions.resize(self.outputs.len(), 0);
        self.partitions[self.outputs.len() - 1] = known.unwrap_or(self.folders.len());
        if known.is_none() {
            self.folders.push(folder);
        }
    }

    /// Returns the folders of the partitions.
    pub(super) fn folders(&self) -> impl Iterator<Item = &str> {
        self.folders.iter().map(String::as_str)
    }

    /// Adds to the output of each game the first output of its partition.
    pub(super) fn divide(&mut self, first_output: impl Fn(usize) -> usize) {
        for (output, partition) in self.outputs.iter_mut().zip(self.partitions.drain(..)) {
            *output += first_output(partition);
        }
    }

    /// Adds a record of the game.
    fn push(&mut self, range: Range<usize>, positions: u64, places: &[RegisterPlace]) {
        self.places.extend_from_slice(places);
        self.records.push(Mark {
            start: range.start,
            end: range.end,
            game: self.outputs.len() - 1,
            positions,
            places_end: self.places.len(),
        });
    }
}

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
            self.marks.labels.extend(self.text.labelled());
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
