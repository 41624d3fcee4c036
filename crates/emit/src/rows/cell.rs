//! Writes the cells of a row.

use std::borrow::Cow;

use openings::Opening;
use pgn::{TagPair, known_value, text_of};
use san::{AnyPosition, Buffer};

use super::{Column, ColumnValues, Values};
use crate::facts::{self, Fact, FactValue, GameFacts};
use crate::ply::Ply;
use crate::records::op::Ops;
use crate::records::plan::{Format, Plan};

/// A cell of the next row.
pub(super) struct Cell<'r> {
    pub(super) values: &'r mut ColumnValues,
    pub(super) row: usize,
}

/// What the facts at a position depend on besides the position.
#[derive(Clone, Copy)]
pub(super) struct Source<'s, 'g> {
    pub(super) game: &'s GameFacts<'g>,
    pub(super) opening: &'s Opening<'g>,
    pub(super) plan: &'s Plan,
}

impl Cell<'_> {
    /// Writes a fact at a position, which `record` was written for.
    #[inline(always)]
    pub(super) fn fact<P: AnyPosition>(
        &mut self,
        fact: Fact,
        ply: &Ply<'_, P>,
        record: &[u8],
        Source { game, opening, plan }: Source<'_, '_>,
        scratch: &mut Buffer,
    ) {
        if is_record(fact, plan) {
            return self.text(Some(record));
        }
        match facts::value(fact, ply, game, opening) {
            Some(
                value @ (FactValue::Epd
                | FactValue::Fen
                | FactValue::Nags
                | FactValue::Comment
                | FactValue::Material),
            ) => {
                scratch.clear();
                let has_text = facts::write_text(value, ply, plan.fields, scratch);
                self.text(has_text.then_some(scratch.as_bytes()));
            }
            Some(FactValue::LegalMoves) => {
                if let (Values::List { values, .. }, Some(position)) =
                    (&mut self.values.values, ply.position.as_chess())
                {
                    let mut row = values.len();
                    facts::legal_moves(position, |text| {
                        Cell { values, row }.text(Some(text));
                        row += 1;
                    });
                }
                self.list();
            }
            Some(value) => self.value(value),
            None => self.nothing(),
        }
    }

    #[inline(always)]
    pub(super) fn text(&mut self, text: Option<&[u8]>) {
        if let Values::Text { bytes, offsets } = &mut self.values.values {
            bytes.extend_from_slice(text.unwrap_or_default());
            offsets.push(bytes.len() as i64);
            self.values.note(self.row, text.is_some());
        }
    }

    /// Writes a value. Its type matches that of the column, because both are those of the fact.
    #[inline(always)]
    pub(super) fn value(&mut self, value: FactValue<'_>) {
        match (&mut self.values.values, value) {
            (Values::Bool(values), FactValue::Truth(truth)) => values.push(truth),
            (Values::U64(values), FactValue::Number(number))
            | (Values::Key(values), FactValue::Key(number)) => values.push(number),
            (Values::U32(values), FactValue::Number(number)) => values.push(number as u32),
            (Values::I32(values), FactValue::Signed(number))
            | (Values::Date(values), FactValue::Date(number)) => values.push(number),
            (Values::F64(values), FactValue::Decimal(number)) => values.push(number),
            (Values::F64(values), FactValue::Seconds(time)) => values.push(facts::seconds(time)),
            (Values::Packed(values), FactValue::Packed(position)) => values.push(position),
            (Values::Board(values), FactValue::Board(board)) => values.push(board),
            (Values::Bitboards(values), FactValue::Bitboards(squares)) => values.push(squares),
            (_, FactValue::Text(text)) => return self.text(Some(text.as_bytes())),
            (_, FactValue::Move(text)) => return self.text(Some(text.as_bytes())),
            _ => return self.nothing(),
        }
        self.values.note(self.row, true);
    }

    /// Removes the last value of a list that has one and has not ended.
    pub(super) fn shorten_list(&mut self) {
        if let Values::List { values, .. } = &mut self.values.values {
            let len = values.len();
            values.truncate(len.saturating_sub(1));
        }
    }

    /// Ends a list.
    pub(super) fn list(&mut self) {
        if let Values::List { values, offsets, .. } = &mut self.values.values {
            offsets.push(values.len() as i64);
            self.values.note(self.row, true);
        }
    }

    /// Writes a missing value.
    pub(super) fn nothing(&mut self) {
        match &mut self.values.values {
            Values::Bool(values) => values.push(false),
            Values::U64(values) | Values::Key(values) => values.push(0),
            Values::U32(values) => values.push(0),
            Values::I32(values) | Values::Date(values) => values.push(0),
            Values::F64(values) => values.push(0.0),
            Values::Packed(values) => values.push([0; 32]),
            Values::Board(values) => values.push([0; 64]),
            Values::Bitboards(values) => values.push([0; 12]),
            Values::Text { bytes, offsets } => offsets.push(bytes.len() as i64),
            Values::List { values, offsets, .. } => offsets.push(values.len() as i64),
        }
        self.values.note(self.row, false);
    }
}

/// Returns whether the record is written exactly as the column requires.
#[inline(always)]
fn is_record(fact: Fact, plan: &Plan) -> bool {
    let is_bare = plan.ops == Ops::NONE && plan.templates.is_empty() && !plan.variations;
    match fact {
        Fact::Record => true,
        Fact::Fen => is_bare && plan.format == Format::Fen,
        Fact::Epd => is_bare && plan.format == Format::Epd,
        _ => false,
    }
}

/// Returns the text of a column that is made from tags.
pub(super) fn tag_text(column: &Column, tags: &[TagPair<'_>]) -> Option<String> {
    match column {
        Column::Tag(name) => known_value(tags, name.as_bytes()).map(Cow::into_owned),
        Column::Tags => Some(all(tags)),
        Column::Fact(_) | Column::List(_) => None,
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
