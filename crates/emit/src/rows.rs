//! Positions and games as rows of columns: a [`Column`] is a [`Fact`] or a tag, [`Rows`]
//! holds the values by column; [`TableRows`] fills it as records are written, with a row for each
//! record or for each game.

mod column;

pub use column::{Column, ColumnList, ColumnListError, SortOrder};

use std::borrow::Cow;

use openings::{Name, Opening, OpeningTracker};
use pgn::{TagPair, known_value, text_of};
use san::{AnyPosition, Buffer, Color};
use table::{ColumnValues, Rows, Values};

use crate::facts::value::{CommentFacts, Value, days, turn, value_of_game, value_of_ply};
use crate::facts::{Fact, FactSet};
use crate::game::{Ending, GameContext, ending_on_board};
use crate::ply::{Ply, VariantPly};
use crate::problem::Problem;
use crate::records::op::Ops;
use crate::records::plan::{Format, Plan};
use crate::sink::{RecordNotes, RecordSink, Written};

/// Makes an empty batch with these columns and room for as many rows as `like` has.
pub fn empty_rows(columns: &[Column], like: &Rows) -> Rows {
    Rows::like(columns.iter().map(Column::column_type), like)
}

/// Adds `before`, the number of games before these rows, to each game number in them.
pub fn add_games(rows: &mut Rows, columns: &[Column], before: u64) {
    for (column, values) in columns.iter().zip(&mut rows.columns) {
        if let (Column::Fact(Fact::Game), Values::I64(numbers)) = (column, &mut values.values) {
            numbers.iter_mut().for_each(|number| *number += before as i64);
        }
    }
}

/// Makes rows of the records that a [sink](RecordSink) writes.
///
/// Game numbers are relative to the chunk; [`add_games`] makes them relative to the file.
#[derive(Debug)]
pub struct TableRows<'t> {
    columns: &'t [Column],
    plan: &'t Plan,
    rows: &'t mut Rows,
    are_of_games: bool,
    /// The columns with a value for each position: of games those with lists.
    of_positions: Vec<(usize, CellSource)>,
    /// The facts among them that are read from machine-written parts of comments.
    comment_facts: FactSet,
    /// Columns with one value in all rows of a game, except for the opening.
    of_game: Vec<usize>,
    opening: OpeningCells<'t>,
    scratch: Buffer,
    mark: usize,
    number: u64,
    state: GameState,
    ending: Option<&'static str>,
    /// Whether a move was played from the last position that was written; null moves may precede.
    has_move: bool,
}

#[derive(Clone, Copy, Debug)]
enum CellSource {
    Record,
    Comment(Fact),
    Other(Fact),
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum GameState {
    #[default]
    None,
    Begun,
    Omitted,
    Selected,
    HasRow,
}

impl<'t> TableRows<'t> {
    /// Appends to `rows`, which must have the same `columns`, a row for each record that is written.
    pub fn new(columns: &'t [Column], plan: &'t Plan, rows: &'t mut Rows) -> Self {
        let mut table = TableRows {
            columns,
            plan,
            are_of_games: false,
            of_positions: Vec::new(),
            comment_facts: FactSet::default(),
            of_game: Vec::new(),
            opening: OpeningCells::new(plan),
            scratch: Buffer::default(),
            mark: rows.len(),
            rows,
            number: 0,
            state: GameState::default(),
            ending: None,
            has_move: false,
        };
        for (index, column) in columns.iter().enumerate() {
            match column {
                Column::Fact(fact @ (Fact::Eco | Fact::Opening)) => {
                    table.opening.columns.push((index, *fact));
                }
                Column::Fact(fact) | Column::List(fact) if !fact.is_of_game() => {
                    let cell = match *fact {
                        fact if is_record(fact, plan) => CellSource::Record,
                        fact if fact.needs_comments() => CellSource::Comment(fact),
                        fact => CellSource::Other(fact),
                    };
                    table.of_positions.push((index, cell));
                    if let CellSource::Comment(fact) = cell {
                        table.comment_facts.insert(fact);
                    }
                }
                _ => table.of_game.push(index),
            }
        }
        if !table.opening.columns.is_empty() {
            table.opening.naming = Some(OpeningTracker::of(&plan.names, plan.variations));
        }
        table
    }

    /// Appends to `rows`, which must have the same `columns`, those [of games](Column::of_games), a
    /// row for each game: lists of the facts at those of its positions whose records are written,
    /// and the facts of the game. A game all of whose positions are left out has no row, but one
    /// without positions, such as one whose FEN is wrong, has.
    pub fn of_games(columns: &'t [Column], plan: &'t Plan, rows: &'t mut Rows) -> Self {
        TableRows { are_of_games: true, ..TableRows::new(columns, plan, rows) }
    }

    #[inline(always)]
    fn position<P: AnyPosition>(&mut self, ply: &Ply<'_, P>, written: Option<Written<'_>>) {
        if self.are_of_games {
            self.ending = ending_on_board(ply).or(self.ending);
        }
        let Some(Written { record, game, .. }) = written else {
            if self.state == GameState::Begun {
                self.state = GameState::Omitted;
            }
            return;
        };
        (self.state, self.has_move) = (GameState::Selected, ply.next.is_some());
        let has_comments = !ply.comments.is_empty()
            || ply.ahead.is_some_and(|ahead| !ahead.comments.is_empty() || ahead.known.is_some());
        let comments = (has_comments && self.comment_facts != FactSet::default())
            .then(|| CommentFacts::of(ply, self.comment_facts));
        let row = self.rows.len();
        for (index, cell) in &self.of_positions {
            let column = &mut self.rows.columns[*index];
            let column = if self.are_of_games { column.list_items() } else { column };
            match (cell, &comments) {
                (CellSource::Record, _) => column.push_text(Some(record)),
                (CellSource::Comment(fact), facts) => {
                    let value = facts.as_ref().and_then(|facts| facts.value(*fact));
                    if self.are_of_games {
                        push_value(column, value);
                    } else if value.is_some() {
                        // Rows without a value are completed together.
                        column.pad(row);
                        push_value(column, value);
                    }
                }
                (CellSource::Other(fact), _) => {
                    push_fact(column, *fact, ply, game, self.plan, &mut self.scratch);
                }
            }
        }
        if !self.are_of_games {
            self.opening.write(self.rows);
            self.rows.end_row();
        }
    }

    fn end_game(&mut self, game: &GameContext<'_>) {
        let len = self.rows.len();
        if self.mark == len {
            return;
        }
        for index in &self.of_game {
            let values = &mut self.rows.columns[*index];
            match &self.columns[*index] {
                Column::Fact(Fact::Termination) if self.are_of_games => {
                    push_value(values, self.ending.map(Value::Text));
                }
                Column::Fact(fact) | Column::List(fact) => {
                    let value = value_of_game(*fact, game, None, Color::White);
                    push_value(values, value.unwrap_or_default());
                }
                Column::Tag(name) => {
                    let text = known_value(&game.tags, name.as_bytes()).map(Cow::into_owned);
                    values.push_text(text.as_deref().map(str::as_bytes));
                }
                Column::Tags => values.push_text(Some(all(&game.tags).as_bytes())),
            }
            values.repeat_last(len);
        }
        for (index, _) in &self.opening.columns {
            self.rows.columns[*index].repeat_last(len);
        }
        for (index, cell) in &self.of_positions {
            if let (CellSource::Comment(_), false) = (cell, self.are_of_games) {
                self.rows.columns[*index].pad(len);
            }
        }
    }
}

impl RecordNotes for TableRows<'_> {
    fn begin(&mut self, game: &GameContext<'_>, _: &impl RecordSink) {
        (self.mark, self.number, self.state) = (self.rows.len(), game.number, GameState::Begun);
        self.opening.begin(&game.tags);
        if self.are_of_games {
            self.ending = Ending::of_tags(&game.tags).map(Ending::as_str);
        }
    }

    #[inline(always)]
    fn ply(&mut self, ply: &Ply<'_>, written: Option<Written<'_>>) {
        self.opening.follow(ply);
        self.position(ply, written);
    }

    fn variant(&mut self, ply: &VariantPly<'_>, written: Option<Written<'_>>) {
        self.position(ply, written);
    }

    fn end(&mut self, game: &GameContext<'_>, sink: &impl RecordSink) {
        let has_game = || matches!(self.state, GameState::Begun | GameState::Selected);
        if self.are_of_games && sink.has_game().unwrap_or_else(has_game) {
            for (column, values) in self.columns.iter().zip(&mut self.rows.columns) {
                if let Column::List(fact) = column {
                    if fact.is_of_move() && self.state == GameState::Selected && !self.has_move {
                        values.shorten_list();
                    }
                    values.end_list();
                }
            }
            self.opening.write_new(self.rows);
            self.rows.end_row();
            self.state = GameState::HasRow;
        }
        self.end_game(game);
    }

    fn discard_game(&mut self) {
        self.state = GameState::None;
        self.rows.truncate(self.mark);
        self.opening.nodes.clear();
    }

    fn problem(&mut self, problem: &Problem) {
        let is_first = self.are_of_games && self.state == GameState::HasRow;
        if is_first && problem.game == self.number {
            for (column, values) in self.columns.iter().zip(&mut self.rows.columns) {
                if *column == Column::Fact(Fact::Problem) {
                    values.set_last(problem.without_place().as_bytes());
                }
            }
            self.state = GameState::None;
        }
    }

    fn games(&self) -> Option<u64> {
        self.are_of_games.then_some(self.rows.len() as u64)
    }
}

// The values of positions.

/// The fact is not of the whole game or of comments; the usual ones make no [`Value`].
#[inline(always)]
fn push_fact<P: AnyPosition>(
    column: &mut ColumnValues,
    fact: Fact,
    ply: &Ply<'_, P>,
    game: &GameContext<'_>,
    plan: &Plan,
    scratch: &mut Buffer,
) {
    match (fact, &mut column.values) {
        (Fact::Ply, Values::I32(values)) => values.push(small(ply.number.into())),
        (Fact::San | Fact::Uci, Values::Repeated { keys, texts }) => {
            let (position, Some(next)) = (ply.position, ply.next) else {
                return column.push_missing();
            };
            let is_san = fact == Fact::San;
            let text = if is_san { position.san_of(next) } else { position.uci_of(next) };
            keys.push(texts.key_of_word(text.to_word(), text.as_bytes()));
            column.note(true);
        }
        (Fact::Turn, Values::Repeated { keys, texts }) => {
            let side = ply.position.turn();
            let text = turn(side).as_bytes();
            // The numbers of the texts, unless rows of other batches were appended before.
            if texts.is_empty() {
                for side in Color::ALL {
                    texts.key(turn(side).as_bytes());
                }
            }
            let key = u32::from(side.is_black());
            keys.push(if texts.get(key) == Some(text) { key } else { texts.key(text) });
            column.note(true);
        }
        _ => push_value(column, value_of_ply(fact, ply, game, plan.fields, scratch)),
    }
}

/// Appends a value. Its type matches that of the column, because both are those of the fact.
#[inline(always)]
fn push_value(column: &mut ColumnValues, value: Option<Value<'_>>) {
    let Some(value) = value else { return column.push_missing() };
    match (&mut column.values, value) {
        (Values::Bool(values), Value::Truth(truth)) => values.push(truth),
        (Values::U64(values), Value::Key(number)) => values.push(number),
        (Values::I64(values), Value::Integer(number)) => values.push(number),
        (Values::I32(values), Value::Integer(number)) => values.push(small(number)),
        (Values::F64(values), Value::Decimal(number)) => values.push(number),
        (Values::Date(values), Value::Date(date)) => values.push(days(date)),
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

fn all(tags: &[TagPair<'_>]) -> String {
    let parts = tags.iter().flat_map(|tag| [text_of(tag.name()), tag.text()]);
    parts.map(|part| part.replace('\0', "\u{fffd}") + "\0").collect()
}

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

// The opening, which changes in few rows.

const NODES: usize = 1 << 10;

#[derive(Debug)]
struct OpeningCells<'t> {
    naming: Option<OpeningTracker<'t>>,
    /// Whether an earlier opening may return, as after a variation.
    has_variations: bool,
    is_named_anew: bool,
    columns: Vec<(usize, Fact)>,
    /// Nodes of the move tree, and the numbers of their texts in the first two of these columns.
    nodes: Vec<(u32, [Option<u32>; 2])>,
}

impl OpeningCells<'_> {
    fn new(plan: &Plan) -> Self {
        let has_variations = plan.variations;
        let (columns, nodes) = Default::default();
        OpeningCells { naming: None, has_variations, is_named_anew: true, columns, nodes }
    }

    fn begin(&mut self, tags: &[TagPair<'_>]) {
        if let Some(naming) = &mut self.naming {
            naming.begin(tags);
        }
        self.is_named_anew = true;
    }

    #[inline(always)]
    fn follow(&mut self, ply: &Ply<'_>) {
        if let Some(naming) = &mut self.naming {
            let is_named = naming.follow(ply.position, ply.next, ply.number);
            self.is_named_anew |= is_named || self.has_variations;
        }
    }

    /// Writes the opening at the next row, if it may differ from that of the row before.
    #[inline(always)]
    fn write(&mut self, rows: &mut Rows) {
        if self.is_named_anew {
            self.write_new(rows);
        }
    }

    fn write_new(&mut self, rows: &mut Rows) {
        self.is_named_anew = false;
        let node = self.naming.as_ref().and_then(OpeningTracker::node);
        // Games of a chunk have few nodes in common, but those have most of the names.
        let node = node.filter(|_| self.columns.len() <= 2);
        let place = node.unwrap_or_default() as usize % NODES;
        if let (Some(node), Some((known, keys))) = (node, self.nodes.get(place))
            && *known == node
        {
            for ((index, _), key) in self.columns.iter().zip(keys) {
                let len = rows.len();
                let values = &mut rows.columns[*index];
                values.repeat_last(len);
                values.push_key(*key);
            }
            return;
        }
        let opening = self.naming.as_ref().map_or_else(Opening::default, OpeningTracker::opening);
        for (index, fact) in &self.columns {
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
            for ((index, _), key) in self.columns.iter().zip(&mut keys) {
                *key = rows.columns[*index].last_key();
            }
            self.nodes[place] = (node, keys);
        }
    }
}

#[cfg(test)]
mod tests {
    use openings::NameSource;
    use pgn::Chunk;

    use super::*;
    use crate::records::Text;
    use crate::records::plan::OnError;
    use crate::replay::Replay;
    use crate::sink::NotedSink;

    /// Appends rows of games.
    fn append(pgn: &str, columns: &[Column], rows: &mut Rows) {
        let facts: FactSet = columns.iter().filter_map(Column::fact).collect();
        let names = NameSource::Embedded;
        let plan = Plan { facts, names, on_error: OnError::Skip, ..Plan::default() };
        let mut text = Text::default();
        let rows = TableRows::new(columns, &plan, rows);
        let mut sink = NotedSink::new(text.sink(&plan), rows);
        Replay::new(Chunk::whole(pgn.as_bytes()), &plan).run(&mut sink);
    }

    #[test]
    fn rows_in_the_memory_of_others_have_the_same_values() {
        let list: ColumnList = "fen,san,uci,turn,eco,opening,White,clock,game".parse().unwrap();
        let games = [
            "[White \"A\"]\n\n1. e4 {[%clk 0:01:00]} e5 2. Nf3 1-0",
            "[White \"B\"]\n\n1. d4 d5 2. c4 e6 *",
            // A game with an error has no rows, and its texts are forgotten.
            "1. c4 c5 2. Ke5 *\n\n1. c4 e5 2. g3 *",
            "1. f4 Nf6 2. Nf3 d5 3. g3 1/2-1/2",
            "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 0-1",
        ];
        let new = || empty_rows(list.columns(), &Rows::default());
        let (mut rows, mut used) = (new(), new());
        for pgn in games.iter().cycle().take(12) {
            append(pgn, list.columns(), &mut rows);
            let mut expected = new();
            append(pgn, list.columns(), &mut expected);
            assert_eq!(rows.len(), expected.len());
            for (column, expected) in rows.columns.iter().zip(&expected.columns) {
                for row in 0..rows.len() {
                    assert_eq!(column.cell_text(row), expected.cell_text(row), "{pgn}");
                }
            }
            let next = rows.next_rows(used);
            used = std::mem::replace(&mut rows, next);
        }
    }
}
