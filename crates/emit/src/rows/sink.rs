//! The sink that makes rows alongside the records.

use std::borrow::Cow;

use openings::{Opening, OpeningTracker};
use pgn::{Outcome, Place, TagPair, known_value, text_of};
use san::{AnyPosition, Buffer};

use super::{Column, ColumnValues, Rows, Values};
use crate::facts::{self, Fact, FactValue, GameFacts, Ratings};
use crate::games::game_result::GameResult;
use crate::ply::{Ply, VariantPly};
use crate::problem::Problem;
use crate::records::op::Ops;
use crate::records::plan::{Format, Plan};
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
    /// The column with the result, if there is one.
    result: Option<usize>,
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
            result: columns.iter().position(|column| *column == Column::Fact(Fact::Result)),
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
                _ if is_record(column, self.plan) => cell.text(Some(record)),
                Column::Fact(fact) => {
                    match facts::value(*fact, ply, &self.game, &opening) {
                        Some(
                            value @ (FactValue::Epd
                            | FactValue::Fen
                            | FactValue::Nags
                            | FactValue::Comment
                            | FactValue::Material),
                        ) => {
                            self.scratch.clear();
                            let fields = self.plan.fields;
                            let has_text = facts::write_text(value, ply, fields, &mut self.scratch);
                            cell.text(has_text.then_some(self.scratch.as_bytes()));
                        }
                        Some(value) => cell.value(value),
                        None => cell.nothing(),
                    };
                }
            }
        }
        self.rows.len += 1;
    }
}

/// Returns whether the record is written exactly as the column requires.
#[inline(always)]
fn is_record(column: &Column, plan: &Plan) -> bool {
    let is_bare = plan.ops == Ops::NONE && plan.templates.is_empty() && !plan.variations;
    match column {
        Column::Fact(Fact::Record) => true,
        Column::Fact(Fact::Fen) => is_bare && plan.format == Format::Fen,
        Column::Fact(Fact::Epd) => is_bare && plan.format == Format::Epd,
        _ => false,
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
        if self.result.is_some() {
            self.game.result = GameResult::of(tags).result(None).map(Outcome::as_str);
        }
        for (column, text) in self.columns.iter().zip(&mut self.of_game) {
            *text = match column {
                Column::Tag(name) => known_value(tags, name.as_bytes()).map(Cow::into_owned),
                Column::Tags => Some(all(tags)),
                _ => None,
            };
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

    fn end(&mut self, outcome: Option<Outcome>) {
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

fn all(tags: &[TagPair<'_>]) -> String {
    let mut text = String::new();
    for tag in tags {
        for part in [text_of(tag.name()), tag.text()] {
            text.extend(
                part.chars().map(|c| if c == '\0' { char::REPLACEMENT_CHARACTER } else { c }),
            );
            text.push('\0');
        }
    }
    text
}

/// A cell of the next row.
struct Cell<'r> {
    values: &'r mut ColumnValues,
    row: usize,
}

impl Cell<'_> {
    #[inline(always)]
    fn text(&mut self, text: Option<&[u8]>) {
        if let Values::Text { bytes, offsets } = &mut self.values.values {
            bytes.extend_from_slice(text.unwrap_or_default());
            offsets.push(bytes.len() as i64);
            self.values.note(self.row, text.is_some());
        }
    }

    /// Writes a value. Its type matches that of the column, because both are those of the fact.
    #[inline(always)]
    fn value(&mut self, value: FactValue<'_>) {
        match (&mut self.values.values, value) {
            (Values::Bool(values), FactValue::Truth(truth)) => values.push(truth),
            (Values::U64(values), FactValue::Number(number))
            | (Values::Key(values), FactValue::Key(number)) => values.push(number),
            (Values::U32(values), FactValue::Number(number)) => values.push(number as u32),
            (Values::I32(values), FactValue::Signed(number)) => values.push(number),
            (Values::F64(values), FactValue::Decimal(number)) => values.push(number),
            (Values::F64(values), FactValue::Seconds(time)) => values.push(facts::seconds(time)),
            (Values::Packed(values), FactValue::Packed(position)) => values.push(position),
            (_, FactValue::Text(text)) => return self.text(Some(text.as_bytes())),
            (_, FactValue::Move(text)) => return self.text(Some(text.as_bytes())),
            _ => return self.nothing(),
        }
        self.values.note(self.row, true);
    }

    /// Writes a missing value.
    fn nothing(&mut self) {
        match &mut self.values.values {
            Values::Bool(values) => values.push(false),
            Values::U64(values) | Values::Key(values) => values.push(0),
            Values::U32(values) => values.push(0),
            Values::I32(values) => values.push(0),
            Values::F64(values) => values.push(0.0),
            Values::Packed(values) => values.push([0; 32]),
            Values::Text { bytes, offsets } => offsets.push(bytes.len() as i64),
        }
        self.values.note(self.row, false);
    }
}
