//! Writes what is known of a game into columns.

use std::borrow::Cow;

use openings::{Opening, OpeningTracker};
use pgn::{Outcome, Place, TagPair, known_value, text_of};
use table::Rows;

use super::Column;
use super::cell::push_value;
use crate::facts::{self, Fact, FactSet, GameFacts, Ratings, TimeTags};
use crate::games::game_result::GameResult;
use crate::ply::Ply;
use crate::records::plan::Plan;

/// The number of nodes whose texts are known.
const NODES: usize = 1 << 10;

/// The columns with one value in all rows of a game, and the opening, which changes in few rows.
#[derive(Debug)]
pub(super) struct GameCells<'t> {
    columns: &'t [Column],
    pub(super) facts: GameFacts<'t>,
    /// The byte of the file at which the text begins.
    start: u64,
    wanted: FactSet,
    result: GameResult,
    naming: Option<OpeningTracker<'t>>,
    /// Whether an earlier opening may return, as after a variation.
    has_variations: bool,
    is_named_anew: bool,
    of_opening: Vec<(usize, Fact)>,
    /// Nodes of the move tree, and the numbers of their texts in the first two of these columns.
    nodes: Vec<(u32, [Option<u32>; 2])>,
    of_game: Vec<(usize, Fact)>,
    /// The columns that are made from tags, and their text.
    of_tags: Vec<(usize, Option<String>)>,
}

impl<'t> GameCells<'t> {
    pub(super) fn new(columns: &'t [Column], plan: &'t Plan) -> Self {
        let mut cells = GameCells {
            columns,
            facts: GameFacts { file: &plan.file, ..GameFacts::default() },
            start: plan.start,
            wanted: columns.iter().filter_map(Column::fact).collect(),
            result: GameResult::default(),
            naming: None,
            has_variations: plan.variations,
            is_named_anew: true,
            of_opening: Vec::new(),
            nodes: Vec::new(),
            of_game: Vec::new(),
            of_tags: Vec::new(),
        };
        for (index, column) in columns.iter().enumerate() {
            match column {
                Column::Tag(_) | Column::Tags => cells.of_tags.push((index, None)),
                Column::Fact(fact @ (Fact::Eco | Fact::Opening)) => {
                    cells.of_opening.push((index, *fact));
                }
                Column::Fact(fact) if fact.is_of_game() => cells.of_game.push((index, *fact)),
                Column::Fact(_) | Column::List(_) => {}
            }
        }
        if !cells.of_opening.is_empty() {
            cells.naming = Some(OpeningTracker::of(&plan.names, plan.variations));
        }
        cells
    }

    pub(super) fn number(&mut self, place: Place) {
        (self.facts.line, self.facts.offset) = (place.line, self.start + place.byte);
    }

    pub(super) fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.facts.number += 1;
        if self.wanted.needs_ratings() {
            self.facts.ratings = Ratings::of(tags);
        }
        if self.wanted.needs_time_tags() {
            self.facts.times = TimeTags::of(tags);
        }
        self.result = GameResult::of(tags);
        for (index, text) in &mut self.of_tags {
            *text = tag_text(&self.columns[*index], tags);
        }
        if let Some(naming) = &mut self.naming {
            naming.begin(tags);
        }
        self.is_named_anew = true;
    }

    pub(super) fn skip_game(&mut self) {
        self.facts.number += 1;
    }

    #[inline(always)]
    pub(super) fn follow(&mut self, ply: &Ply<'_>) {
        if let Some(naming) = &mut self.naming {
            let is_named = naming.follow(ply.position, ply.next, ply.number);
            self.is_named_anew |= is_named || self.has_variations;
        }
    }

    /// Writes the opening at the next row, if it may differ from that of the row before.
    #[inline(always)]
    pub(super) fn write_opening(&mut self, rows: &mut Rows) {
        if self.is_named_anew {
            self.write_new_opening(rows);
        }
    }

    /// Forgets the numbers of texts, because rows were removed.
    pub(super) fn forget_texts(&mut self) {
        self.nodes.clear();
    }

    pub(super) fn write_new_opening(&mut self, rows: &mut Rows) {
        self.is_named_anew = false;
        let node = self.naming.as_ref().and_then(OpeningTracker::node);
        // Games of a chunk have few nodes in common, but those have most of the names.
        let node = node.filter(|_| self.of_opening.len() <= 2);
        let place = node.unwrap_or_default() as usize % NODES;
        if let (Some(node), Some((known, keys))) = (node, self.nodes.get(place))
            && *known == node
        {
            for ((index, _), key) in self.of_opening.iter().zip(keys) {
                let len = rows.len();
                let values = &mut rows.columns[*index];
                values.repeat_last(len);
                values.push_key(*key);
            }
            return;
        }
        let opening = self.naming.as_ref().map_or_else(Opening::default, OpeningTracker::opening);
        for (index, fact) in &self.of_opening {
            let len = rows.len();
            let values = &mut rows.columns[*index];
            values.repeat_last(len);
            push_value(values, facts::value_of_game(*fact, &self.facts, &opening));
        }
        if let Some(node) = node {
            self.nodes.resize(NODES, (u32::MAX, [None; 2]));
            let mut keys = [None; 2];
            for ((index, _), key) in self.of_opening.iter().zip(&mut keys) {
                *key = rows.columns[*index].last_key();
            }
            self.nodes[place] = (node, keys);
        }
    }

    pub(super) fn end(&mut self, outcome: Option<Outcome>) {
        self.facts.result = self.result.known(outcome);
    }

    /// Completes the columns of a game with the rows from `first` to `len`.
    pub(super) fn write(&self, rows: &mut Rows, first: usize, len: usize) {
        if first == len {
            return;
        }
        let opening = Opening::default();
        for (index, fact) in &self.of_game {
            let values = &mut rows.columns[*index];
            push_value(values, facts::value_of_game(*fact, &self.facts, &opening));
            values.repeat_last(len);
        }
        for (index, text) in &self.of_tags {
            let values = &mut rows.columns[*index];
            values.push_text(text.as_deref().map(str::as_bytes));
            values.repeat_last(len);
        }
        for (index, _) in &self.of_opening {
            rows.columns[*index].repeat_last(len);
        }
    }
}

fn tag_text(column: &Column, tags: &[TagPair<'_>]) -> Option<String> {
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
