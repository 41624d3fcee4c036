//! The sink that makes rows alongside the records.

use openings::{Opening, OpeningTracker};
use pgn::{Outcome, Place, TagPair};
use san::{AnyPosition, Buffer, Color};

use super::cell::{Cell, Source, tag_text};
use super::{Column, Rows};
use crate::facts::{self, Fact, GameFacts, Ratings, TimeTags};
use crate::games::game_result::GameResult;
use crate::ply::{Ply, VariantPly};
use crate::problem::Problem;
use crate::records::plan::Plan;
use crate::records::text::TextSink;
use crate::sink::Sink;

/// A sink that writes the records of positions, except those that cannot be written.
pub trait RecordText: Sink {
    /// Returns all records written.
    fn text(&self) -> &[u8];

    /// Returns the number of records written.
    fn count(&self) -> u64;
}

impl RecordText for TextSink<'_> {
    fn text(&self) -> &[u8] {
        self.written_text()
    }

    fn count(&self) -> u64 {
        self.positions()
    }
}

/// Forwards everything to a sink of records, and makes a row for each record that is written.
///
/// Game numbers are relative to the chunk; [`Rows::add_games`] makes them relative to the file.
#[derive(Debug)]
pub struct RowSink<'t, S> {
    records: S,
    columns: &'t [Column],
    plan: &'t Plan,
    rows: &'t mut Rows,
    /// Number of rows before the current game.
    mark: usize,
    game: GameFacts<'t>,
    needs_ratings: bool,
    needs_time_tags: bool,
    /// The column with the result, if there is one.
    result: Option<usize>,
    /// The column with the points, if there is one.
    points: Option<usize>,
    /// The side to move in each row of the game, if there are points.
    turns: Vec<Color>,
    naming: Option<OpeningTracker<'t>>,
    /// For each column, its text if that is the same for the whole game.
    of_game: Vec<Option<String>>,
    scratch: Buffer,
}

impl<'t, S: RecordText> RowSink<'t, S> {
    /// Makes a sink that appends to `rows`, which must have the same `columns`.
    pub fn new(records: S, columns: &'t [Column], plan: &'t Plan, rows: &'t mut Rows) -> Self {
        let is_named = |column: &Column| matches!(column, Column::Fact(Fact::Eco | Fact::Opening));
        RowSink {
            records,
            columns,
            plan,
            mark: rows.len,
            rows,
            game: GameFacts { file: &plan.file, ..GameFacts::default() },
            needs_ratings: plan.facts_of_sink().needs_ratings(),
            needs_time_tags: plan.facts_of_sink().needs_time_tags(),
            result: columns.iter().position(|column| *column == Column::Fact(Fact::Result)),
            points: columns.iter().position(|column| *column == Column::Fact(Fact::Points)),
            turns: Vec::new(),
            naming: columns
                .iter()
                .any(is_named)
                .then(|| OpeningTracker::of(&plan.names, plan.variations)),
            of_game: vec![None; columns.len()],
            scratch: Buffer::default(),
        }
    }

    /// Makes the row of the record that begins at offset `start` of the text, unless the number of
    /// records is still `count`.
    #[inline(always)]
    fn row<P: AnyPosition>(&mut self, (start, count): (usize, u64), ply: &Ply<'_, P>) {
        if self.records.count() == count {
            return;
        }
        let text = self.records.text();
        let record = text[start..].strip_suffix(b"\n").unwrap_or(&text[start..]);
        let row = self.rows.len;
        let opening = self.naming.as_ref().map_or_else(Opening::default, OpeningTracker::opening);
        for (index, column) in self.columns.iter().enumerate() {
            let values = &mut self.rows.columns[index];
            let mut cell = Cell { values, row };
            match column {
                Column::Tag(_) | Column::Tags => {
                    cell.text(self.of_game[index].as_deref().map(str::as_bytes));
                }
                Column::Fact(fact) | Column::List(fact) => {
                    let source = Source { game: &self.game, opening: &opening, plan: self.plan };
                    cell.fact(*fact, ply, record, source, &mut self.scratch);
                }
            }
        }
        if self.points.is_some() {
            self.turns.push(ply.position.turn());
        }
        self.rows.len += 1;
    }
}

impl<S: RecordText> Sink for RowSink<'_, S> {
    fn number(&mut self, game: u64, place: Place) {
        self.game.line = place.line;
        self.records.number(game, place);
    }

    fn length(&mut self, plies: u32) {
        self.game.plies = plies;
        self.records.length(plies);
    }

    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.mark = self.rows.len;
        self.game.number += 1;
        if self.needs_ratings {
            self.game.ratings = Ratings::of(tags);
        }
        if self.needs_time_tags {
            self.game.times = TimeTags::of(tags);
        }
        self.turns.clear();
        if self.result.is_some() || self.points.is_some() {
            self.game.result = GameResult::of(tags).result(None).map(Outcome::as_str);
        }
        for (column, text) in self.columns.iter().zip(&mut self.of_game) {
            *text = tag_text(column, tags);
        }
        if let Some(naming) = &mut self.naming {
            naming.begin(tags);
        }
        self.records.begin(tags);
    }

    fn game_filtered_out(&mut self) {
        self.game.number += 1;
        self.records.game_filtered_out();
    }

    #[inline(always)]
    fn ply(&mut self, ply: Ply<'_>) {
        if let Some(naming) = &mut self.naming {
            naming.follow(ply.position, ply.next, ply.number);
        }
        let before = (self.records.text().len(), self.records.count());
        self.records.ply(ply);
        self.row(before, &ply);
    }

    fn skipped_ply(&mut self, ply: Ply<'_>) {
        if let Some(naming) = &mut self.naming {
            naming.follow(ply.position, ply.next, ply.number);
        }
        self.records.skipped_ply(ply);
    }

    fn takes_variants(&self) -> bool {
        self.records.takes_variants()
    }

    fn variant(&mut self, ply: VariantPly<'_>) {
        let before = (self.records.text().len(), self.records.count());
        self.records.variant(ply);
        self.row(before, &ply);
    }

    fn skipped_variant(&mut self, ply: VariantPly<'_>) {
        self.records.skipped_variant(ply);
    }

    fn text_of_game(&mut self, text: &[u8]) {
        self.records.text_of_game(text);
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        if let (Some(column), None, Some(outcome)) = (self.points, self.game.result, outcome) {
            for (row, turn) in (self.mark..).zip(&self.turns) {
                if let Some(points) = facts::points(outcome.as_str(), *turn) {
                    self.rows.columns[column].set_decimal(row, points);
                }
            }
        }
        if let (Some(column), None) = (self.result, self.game.result)
            && let Some(outcome) = outcome.filter(|outcome| *outcome != Outcome::Unknown)
        {
            let text = outcome.as_str().as_bytes();
            self.rows.columns[column].replace_texts_from(self.mark, self.rows.len, text);
        }
        self.records.end(outcome);
    }

    fn discard_game(&mut self) {
        self.rows.truncate(self.mark);
        self.records.discard_game();
    }

    fn problem(&mut self, problem: Problem) {
        self.records.problem(problem);
    }
}
