//! The sink that makes rows alongside the records.

use pgn::{Outcome, Place, TagPair};
use san::AnyPosition;
use table::Rows;

use super::game_cells::GameCells;
use super::{Column, GameRows, PositionRows};
use crate::ply::{Ply, VariantPly};
use crate::problem::Problem;
use crate::records::plan::Plan;
use crate::records::text_sink::TextSink;
use crate::sink::{GameAhead, Movetext, Sink};

/// A sink that writes the records of positions, except those that cannot be written.
pub trait RecordText: Sink {
    /// Returns all records written.
    fn text(&self) -> &[u8];

    /// Returns the number of positions written.
    fn count(&self) -> u64;

    /// Whether the current game is written as one record, at its end; `None` if positions are.
    fn has_game(&self) -> Option<bool> {
        None
    }
}

impl RecordText for TextSink<'_> {
    fn text(&self) -> &[u8] {
        self.written_text()
    }

    fn count(&self) -> u64 {
        self.positions()
    }
}

pub(super) trait MakeRows {
    fn begin(&mut self, tags: &[TagPair<'_>]);

    fn position<P: AnyPosition>(
        &mut self,
        game: &mut GameCells<'_>,
        ply: &Ply<'_, P>,
        record: &[u8],
    );

    fn skipped<P: AnyPosition>(&mut self, ply: &Ply<'_, P>);

    /// Ends the game, which may be [written as one record](RecordText::has_game).
    fn end(&mut self, game: &mut GameCells<'_>, has_game: Option<bool>);

    fn discard_game(&mut self);

    fn len(&self) -> usize;

    /// Receives a problem; `game` is the number of the game just ended.
    fn problem(&mut self, game: u64, problem: &Problem);
}

/// Forwards everything to a sink of records, and makes rows of what is written.
///
/// Game numbers are relative to the chunk; [`add_games`](super::add_games) makes them relative to
/// the file.
#[derive(Debug)]
pub struct RowSink<'t, S, R> {
    records: S,
    game: GameCells<'t>,
    rows: R,
}

impl<'t, S: RecordText> RowSink<'t, S, PositionRows<'t>> {
    /// Makes a sink that appends to `rows`, which must have the same `columns`, a row for each
    /// record that is written.
    pub fn new(records: S, columns: &'t [Column], plan: &'t Plan, rows: &'t mut Rows) -> Self {
        let game = GameCells::new(columns, plan);
        RowSink { records, game, rows: PositionRows::new(columns, plan, rows) }
    }
}

impl<'t, S: RecordText> RowSink<'t, S, GameRows<'t>> {
    /// Makes a sink that appends to `rows`, which must have the same `columns`, those [of
    /// games](Column::of_games), a row for each game: lists of the facts at those of its positions
    /// whose records are written, and the facts of the game. A game all of whose positions are left
    /// out has no row, but one without positions, such as one whose FEN is wrong, has.
    pub fn of_games(records: S, columns: &'t [Column], plan: &'t Plan, rows: &'t mut Rows) -> Self {
        let game = GameCells::new(columns, plan);
        RowSink { records, game, rows: GameRows::new(columns, plan, rows) }
    }
}

#[expect(private_bounds, reason = "only these two make rows")]
impl<S: RecordText, R: MakeRows> RowSink<'_, S, R> {
    /// Returns the sink of records.
    pub fn records(&self) -> &S {
        &self.records
    }

    /// Returns the number of rows so far.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The record begins at offset `start` of the text; with still `count` records, there is none.
    #[inline(always)]
    fn add<P: AnyPosition>(&mut self, (start, count): (usize, u64), ply: &Ply<'_, P>) {
        if self.records.count() == count {
            return self.rows.skipped(ply);
        }
        let text = self.records.text();
        let record = text[start..].strip_suffix(b"\n").unwrap_or(&text[start..]);
        self.rows.position(&mut self.game, ply, record);
    }
}

impl<S: RecordText, R: MakeRows> Sink for RowSink<'_, S, R> {
    fn number(&mut self, game: u64, place: Place) {
        self.game.number(place);
        self.records.number(game, place);
    }

    fn ahead(&mut self, game: GameAhead) {
        (self.game.facts.plies, self.game.facts.termination) = (game.plies, game.termination);
        self.records.ahead(game);
    }

    fn game_start(&mut self, at: usize, is_wanted: bool) {
        self.records.game_start(at, is_wanted);
    }

    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.game.begin(tags);
        self.rows.begin(tags);
        self.records.begin(tags);
    }

    fn game_filtered_out(&mut self) {
        self.game.skip_game();
        self.records.game_filtered_out();
    }

    // Builds for tests have one copy, see `Replay::next_game`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ply(&mut self, ply: Ply<'_>) {
        self.game.follow(&ply);
        let before = (self.records.text().len(), self.records.count());
        self.records.ply(ply);
        self.add(before, &ply);
    }

    fn skipped_ply(&mut self, ply: Ply<'_>) {
        self.game.follow(&ply);
        self.rows.skipped(&ply);
        self.records.skipped_ply(ply);
    }

    fn takes_variants(&self) -> bool {
        self.records.takes_variants()
    }

    fn variant(&mut self, ply: VariantPly<'_>) {
        let before = (self.records.text().len(), self.records.count());
        self.records.variant(ply);
        self.add(before, &ply);
    }

    fn skipped_variant(&mut self, ply: VariantPly<'_>) {
        self.rows.skipped(&ply);
        self.records.skipped_variant(ply);
    }

    fn movetext(&mut self, part: Movetext<'_>) {
        self.records.movetext(part);
    }

    fn text_of_game(&mut self, text: &[u8]) {
        self.records.text_of_game(text);
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        self.game.end(outcome);
        self.rows.end(&mut self.game, self.records.has_game());
        self.records.end(outcome);
    }

    fn discard_game(&mut self) {
        self.rows.discard_game();
        self.game.forget_texts();
        self.records.discard_game();
    }

    fn problem(&mut self, problem: Problem) {
        self.rows.problem(self.game.facts.number, &problem);
        self.records.problem(problem);
    }
}
