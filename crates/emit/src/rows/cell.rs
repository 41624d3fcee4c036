//! Writes the values of facts into columns: those of a game, and those of each position.

use std::borrow::Cow;

use openings::{Name, Opening, OpeningTracker};
use pgn::{TagPair, known_value, text_of};
use san::{AnyPosition, Buffer, Color};
use table::{ColumnValues, Rows, Values};

use super::Column;
use crate::facts::{self, CommentFacts, Fact, FactSet, Value};
use crate::game::GameContext;
use crate::ply::Ply;
use crate::records::op::Ops;
use crate::records::plan::{Format, Plan};

/// The fact is not of the whole game or of comments; the usual ones make no [`Value`].
#[inline(always)]
pub(super) fn push_fact<P: AnyPosition>(
    column: &mut ColumnValues,
    fact: Fact,
    ply: &Ply<'_, P>,
    plan: &Plan,
    scratch: &mut Buffer,
) {
    match (fact, &mut column.values) {
        (Fact::Ply, Values::I32(values)) => values.push(small(ply.number.into())),
        (Fact::San, Values::Repeated { keys, texts }) => {
            let Some(next) = ply.next else { return column.push_missing() };
            let text = ply.position.san_of(next);
            keys.push(texts.key_of_word(text.to_word(), text.as_bytes()));
            column.note(true);
        }
        (Fact::Uci, Values::Repeated { keys, texts }) => {
            let Some(next) = ply.next else { return column.push_missing() };
            let text = ply.position.uci_of(next);
            keys.push(texts.key_of_word(text.to_word(), text.as_bytes()));
            column.note(true);
        }
        (Fact::Turn, Values::Repeated { keys, texts }) => {
            let turn = ply.position.turn();
            let text = facts::turn(turn).as_bytes();
            // The numbers of the texts, unless rows of other batches were appended before.
            if texts.is_empty() {
                for turn in Color::ALL {
                    texts.key(facts::turn(turn).as_bytes());
                }
            }
            let key = u32::from(turn.is_black());
            keys.push(if texts.get(key) == Some(text) { key } else { texts.key(text) });
            column.note(true);
        }
        _ => push_other_fact(column, fact, ply, plan, scratch),
    }
}

#[inline(never)]
fn push_other_fact<P: AnyPosition>(
    column: &mut ColumnValues,
    fact: Fact,
    ply: &Ply<'_, P>,
    plan: &Plan,
    scratch: &mut Buffer,
) {
    // Points, which are the only ones to depend on the game, are known at its end.
    let value = facts::value_of_ply(fact, ply, &GameContext::default(), plan.fields, scratch);
    push_value(column, value);
}

/// Appends a value. Its type matches that of the column, because both are those of the fact.
#[inline(always)]
pub(super) fn push_value(column: &mut ColumnValues, value: Option<Value<'_>>) {
    let Some(value) = value else { return column.push_missing() };
    match (&mut column.values, value) {
        (Values::Bool(values), Value::Truth(truth)) => values.push(truth),
        (Values::U64(values), Value::Key(number)) => values.push(number),
        (Values::I64(values), Value::Integer(number)) => values.push(number),
        (Values::I32(values), Value::Integer(number)) => values.push(small(number)),
        (Values::F64(values), Value::Decimal(number)) => values.push(number),
        (Values::Date(values), Value::Date(date)) => values.push(facts::days(date)),
        (Values::Bytes32(values), Value::Written(bytes)) => {
            values.extend(bytes.as_array::<32>());
        }
        (Values::U8x64(values), Value::Written(bytes)) => values.extend(bytes.as_array::<64>()),
        (Values::U64x12(values), Value::Written(bytes)) => {
            let mut squares = [0; 12];
            let numbers = bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
            squares.iter_mut().zip(numbers).for_each(|(squares, number)| *squares = number);
            values.push(squares);
        }
        (Values::List { values, .. }, Value::Written(words)) => {
            let words = words.split(|byte| *byte == b' ').filter(|word| !word.is_empty());
            words.for_each(|word| values.push_text(Some(word)));
            return column.end_list();
        }
        (_, Value::Text(text)) => return column.push_text(Some(text.as_bytes())),
        (_, Value::Move(text)) => return column.push_text(Some(text.as_bytes())),
        (_, Value::Written(text)) => return column.push_text(Some(text)),
        _ => return column.push_missing(),
    }
    column.note(true);
}

#[inline(always)]
fn small(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

// Writes what is known of a game into columns.

/// The number of nodes whose texts are known.
const NODES: usize = 1 << 10;

/// The columns with one value in all rows of a game, and the opening, which changes in few rows.
#[derive(Debug)]
pub(super) struct GameCells<'t> {
    naming: Option<OpeningTracker<'t>>,
    /// Whether an earlier opening may return, as after a variation.
    has_variations: bool,
    is_named_anew: bool,
    of_opening: Vec<(usize, Fact)>,
    /// Nodes of the move tree, and the numbers of their texts in the first two of these columns.
    nodes: Vec<(u32, [Option<u32>; 2])>,
    of_game: Vec<(usize, Fact)>,
    of_tags: Vec<(usize, &'t Column)>,
}

impl<'t> GameCells<'t> {
    pub(super) fn new(columns: &'t [Column], plan: &'t Plan) -> Self {
        let mut cells = GameCells {
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
                Column::Tag(_) | Column::Tags => cells.of_tags.push((index, column)),
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

    pub(super) fn begin(&mut self, tags: &[TagPair<'_>]) {
        if let Some(naming) = &mut self.naming {
            naming.begin(tags);
        }
        self.is_named_anew = true;
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
            push_value(
                values,
                match fact {
                    Fact::Eco => opening.eco().map(Value::Text),
                    _ => opening.name().and_then(Name::opening).map(Value::Text),
                },
            );
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

    /// Completes the columns of a game with the rows from `first` to `len`.
    pub(super) fn write(&self, game: &GameContext<'_>, rows: &mut Rows, first: usize) {
        let len = rows.len();
        if first == len {
            return;
        }
        for (index, fact) in &self.of_game {
            let values = &mut rows.columns[*index];
            let value = facts::value_of_game(*fact, game, None, Color::White);
            push_value(values, value.unwrap_or_default());
            values.repeat_last(len);
        }
        for (index, column) in &self.of_tags {
            let text = tag_text(column, &game.tags);
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

/// The columns with a value for each position, grouped by what they depend on: most positions
/// have no comments, and the missing values of those columns are appended later, all at once.
#[derive(Debug)]
pub(super) struct PositionCells<'t> {
    plan: &'t Plan,
    of_record: Vec<usize>,
    of_position: Vec<(usize, Fact)>,
    /// Those that are read from machine-written parts of comments, and their facts.
    of_comments: Vec<(usize, Fact)>,
    comment_facts: FactSet,
    /// The text of comments, and NAGs.
    of_annotations: Vec<(usize, Fact)>,
    count: usize,
    scratch: Buffer,
}

impl<'t> PositionCells<'t> {
    /// Groups the columns that `fact` returns a fact for.
    pub(super) fn new(
        columns: &[Column],
        fact: impl Fn(&Column) -> Option<Fact>,
        plan: &'t Plan,
    ) -> Self {
        let mut cells = PositionCells {
            plan,
            of_record: Vec::new(),
            of_position: Vec::new(),
            of_comments: Vec::new(),
            comment_facts: FactSet::default(),
            of_annotations: Vec::new(),
            count: 0,
            scratch: Buffer::default(),
        };
        for (index, column) in columns.iter().enumerate() {
            let Some(fact) = fact(column) else { continue };
            if is_record(fact, plan) {
                cells.of_record.push(index);
            } else if fact.needs_comments() {
                cells.of_comments.push((index, fact));
                cells.comment_facts.insert(fact);
            } else if matches!(fact, Fact::Comment | Fact::Nags) {
                cells.of_annotations.push((index, fact));
            } else {
                cells.of_position.push((index, fact));
            }
        }
        cells
    }

    pub(super) fn begin(&mut self) {
        self.count = 0;
    }

    /// `record` was written for the position; `values_of` also returns the number before the game.
    #[inline(always)]
    pub(super) fn write<P: AnyPosition>(
        &mut self,
        rows: &mut Rows,
        values_of: impl Fn(&mut ColumnValues) -> (&mut ColumnValues, usize),
        ply: &Ply<'_, P>,
        record: &[u8],
    ) {
        let columns = &mut rows.columns[..];
        for index in &self.of_record {
            values_of(&mut columns[*index]).0.push_text(Some(record));
        }
        for (index, fact) in &self.of_position {
            let (values, _) = values_of(&mut columns[*index]);
            push_fact(values, *fact, ply, self.plan, &mut self.scratch);
        }
        let has_comments = !ply.comments.is_empty()
            || ply.ahead.is_some_and(|ahead| !ahead.comments.is_empty() || ahead.known.is_some());
        if has_comments && !self.of_comments.is_empty() {
            let facts = CommentFacts::of(ply, self.comment_facts);
            for (index, fact) in &self.of_comments {
                if let Some(value) = facts.value(*fact) {
                    let (values, before) = values_of(&mut columns[*index]);
                    values.pad(before + self.count);
                    push_value(values, Some(value));
                }
            }
        }
        if !ply.comments.is_empty() || !ply.nags.is_empty() {
            for (index, fact) in &self.of_annotations {
                let (values, before) = values_of(&mut columns[*index]);
                values.pad(before + self.count);
                push_fact(values, *fact, ply, self.plan, &mut self.scratch);
            }
        }
        self.count += 1;
    }

    pub(super) fn end(
        &self,
        rows: &mut Rows,
        values_of: impl Fn(&mut ColumnValues) -> (&mut ColumnValues, usize),
    ) {
        for (index, _) in self.of_comments.iter().chain(&self.of_annotations) {
            let (values, before) = values_of(&mut rows.columns[*index]);
            values.pad(before + self.count);
        }
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
