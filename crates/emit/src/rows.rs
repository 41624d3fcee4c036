//! Positions as rows of columns, for tabular formats.
//!
//! A [`Column`] is a [`Fact`] (`ply`, `fen`, `uci`) or the name of a tag. [`Rows`] holds the values
//! column by column; a [`RowSink`] fills it alongside the sink that writes the records, with a row
//! for each position or for each game.

mod cell;
mod column;

pub use column::{Column, ColumnList, ColumnListError, SortOrder};

use san::{AnyPosition, Color};
use table::{ColumnValues, Rows, Values};

use crate::facts::{self, Fact, Value};
use crate::game::{Ending, GameContext, ending_on_board};
use crate::ply::{Ply, VariantPly};
use crate::problem::Problem;
use crate::records::plan::Plan;
use crate::records::text_sink::TextSink;
use crate::selection::Omission;
use crate::sink::{Movetext, Sink};
use cell::{GameCells, PositionCells, push_value};

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

// The sink that makes rows alongside the records.

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

trait MakeRows {
    fn begin(&mut self, game: &GameContext<'_>);

    fn position<P: AnyPosition>(
        &mut self,
        cells: &mut GameCells<'_>,
        ply: &Ply<'_, P>,
        record: &[u8],
    );

    fn skipped<P: AnyPosition>(&mut self, ply: &Ply<'_, P>);

    /// Ends the game, which may be [written as one record](RecordText::has_game).
    fn end(&mut self, cells: &mut GameCells<'_>, game: &GameContext<'_>, has_game: Option<bool>);

    fn discard_game(&mut self);

    fn len(&self) -> usize;

    /// Receives a problem with the game just ended, or with the text before it.
    fn problem(&mut self, problem: &Problem);
}

/// Forwards everything to a sink of records, and makes rows of what is written.
///
/// Game numbers are relative to the chunk; [`add_games`](add_games) makes them relative to
/// the file.
#[derive(Debug)]
pub struct RowSink<'t, S, R> {
    records: S,
    cells: GameCells<'t>,
    rows: R,
}

impl<'t, S: RecordText> RowSink<'t, S, PositionRows<'t>> {
    /// Makes a sink that appends to `rows`, which must have the same `columns`, a row for each
    /// record that is written.
    pub fn new(records: S, columns: &'t [Column], plan: &'t Plan, rows: &'t mut Rows) -> Self {
        let cells = GameCells::new(columns, plan);
        RowSink { records, cells, rows: PositionRows::new(columns, plan, rows) }
    }
}

impl<'t, S: RecordText> RowSink<'t, S, GameRows<'t>> {
    /// Makes a sink that appends to `rows`, which must have the same `columns`, those [of
    /// games](Column::of_games), a row for each game: lists of the facts at those of its positions
    /// whose records are written, and the facts of the game. A game all of whose positions are left
    /// out has no row, but one without positions, such as one whose FEN is wrong, has.
    pub fn of_games(records: S, columns: &'t [Column], plan: &'t Plan, rows: &'t mut Rows) -> Self {
        let cells = GameCells::new(columns, plan);
        RowSink { records, cells, rows: GameRows::new(columns, plan, rows) }
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
        self.rows.position(&mut self.cells, ply, record);
    }
}

impl<S: RecordText, R: MakeRows> Sink for RowSink<'_, S, R> {
    fn game_start(&mut self, at: usize, is_wanted: bool) {
        self.records.game_start(at, is_wanted);
    }

    fn begin(&mut self, game: &GameContext<'_>) {
        self.cells.begin(&game.tags);
        self.rows.begin(game);
        self.records.begin(game);
    }

    fn game_filtered_out(&mut self) {
        self.records.game_filtered_out();
    }

    // Builds for tests have one copy, see `Replay::next_game`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ply(&mut self, ply: Ply<'_>, game: &GameContext<'_>) {
        self.cells.follow(&ply);
        let before = (self.records.text().len(), self.records.count());
        self.records.ply(ply, game);
        self.add(before, &ply);
    }

    fn skipped_ply(&mut self, ply: Ply<'_>, why: Omission) {
        self.cells.follow(&ply);
        self.rows.skipped(&ply);
        self.records.skipped_ply(ply, why);
    }

    fn takes_variants(&self) -> bool {
        self.records.takes_variants()
    }

    fn variant(&mut self, ply: VariantPly<'_>, game: &GameContext<'_>) {
        let before = (self.records.text().len(), self.records.count());
        self.records.variant(ply, game);
        self.add(before, &ply);
    }

    fn skipped_variant(&mut self, ply: VariantPly<'_>, why: Omission) {
        self.rows.skipped(&ply);
        self.records.skipped_variant(ply, why);
    }

    fn movetext(&mut self, part: Movetext<'_>) {
        self.records.movetext(part);
    }

    fn text_of_game(&mut self, text: &[u8]) {
        self.records.text_of_game(text);
    }

    fn end(&mut self, game: &GameContext<'_>) {
        self.rows.end(&mut self.cells, game, self.records.has_game());
        self.records.end(game);
    }

    fn discard_game(&mut self) {
        self.rows.discard_game();
        self.cells.forget_texts();
        self.records.discard_game();
    }

    fn problem(&mut self, problem: Problem) {
        self.rows.problem(&problem);
        self.records.problem(problem);
    }
}

/// Makes a row for each game, with lists of the facts at its positions.
#[derive(Debug)]
pub struct GameRows<'t> {
    columns: &'t [Column],
    rows: &'t mut Rows,
    positions: PositionCells<'t>,
    ending: Option<&'static str>,
    /// The number of the game.
    number: u64,
    state: State,
    /// Whether a move was played from the last position of the lists; null moves may precede.
    has_move: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum State {
    /// Between games.
    #[default]
    None,
    /// It has begun.
    Begun,
    /// It has positions, and none was selected.
    Omitted,
    /// A position was selected.
    Selected,
    /// It has a row, and no problem so far.
    HasRow,
}

impl<'t> GameRows<'t> {
    fn new(columns: &'t [Column], plan: &'t Plan, rows: &'t mut Rows) -> Self {
        let of_list = |column: &Column| match column {
            Column::List(fact) => Some(*fact),
            _ => None,
        };
        GameRows {
            columns,
            positions: PositionCells::new(columns, of_list, plan),
            rows,
            ending: None,
            number: 0,
            state: State::default(),
            has_move: false,
        }
    }

    #[inline(always)]
    fn note_ending<P: AnyPosition>(&mut self, ply: &Ply<'_, P>) {
        self.ending = ending_on_board(ply).or(self.ending);
    }

    fn end_row(&mut self, cells: &mut GameCells<'_>, game: &GameContext<'_>) {
        self.positions.end(self.rows, values_of_lists);
        let (row, has_positions) = (self.rows.len(), self.state == State::Selected);
        for (column, values) in self.columns.iter().zip(&mut self.rows.columns) {
            if let Column::List(fact) = column {
                if fact.is_of_move() && has_positions && !self.has_move {
                    values.shorten_list();
                }
                values.end_list();
            }
        }
        cells.write_new_opening(self.rows);
        self.rows.end_row();
        cells.write(game, self.rows, row);
        if let Some(ending) = self.ending {
            self.set_last(Fact::Termination, ending);
        }
    }

    fn set_last(&mut self, fact: Fact, text: &str) {
        for (column, values) in self.columns.iter().zip(&mut self.rows.columns) {
            if *column == Column::Fact(fact) {
                values.set_last(text.as_bytes());
            }
        }
    }
}

impl MakeRows for GameRows<'_> {
    fn begin(&mut self, game: &GameContext<'_>) {
        (self.state, self.number) = (State::Begun, game.number);
        self.positions.begin();
        self.ending = Ending::of_tags(&game.tags).map(Ending::as_str);
    }

    #[inline(always)]
    fn position<P: AnyPosition>(&mut self, _: &mut GameCells<'_>, ply: &Ply<'_, P>, record: &[u8]) {
        self.state = State::Selected;
        self.positions.write(self.rows, values_of_lists, ply, record);
        self.has_move = ply.next.is_some();
        self.note_ending(ply);
    }

    fn skipped<P: AnyPosition>(&mut self, ply: &Ply<'_, P>) {
        if self.state == State::Begun {
            self.state = State::Omitted;
        }
        self.note_ending(ply);
    }

    fn end(&mut self, cells: &mut GameCells<'_>, game: &GameContext<'_>, has_game: Option<bool>) {
        if has_game.unwrap_or(matches!(self.state, State::Begun | State::Selected)) {
            self.end_row(cells, game);
            self.state = State::HasRow;
        }
    }

    fn discard_game(&mut self) {
        self.state = State::None;
        let len = self.rows.len();
        self.rows.truncate(len);
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn problem(&mut self, problem: &Problem) {
        if self.state == State::HasRow && problem.game == self.number {
            self.set_last(Fact::Problem, &problem.without_place());
            self.state = State::None;
        }
    }
}

/// Returns the values of all lists, and their number before the list that has not ended.
#[inline(always)]
fn values_of_lists(column: &mut ColumnValues) -> (&mut ColumnValues, usize) {
    match column {
        ColumnValues { values: Values::List { values, offsets, .. }, .. } => {
            (values, offsets.last().map_or(0, |end| *end as usize))
        }
        // Not among the lists.
        column => (column, 0),
    }
}

/// Makes a row for each record that is written.
#[derive(Debug)]
pub struct PositionRows<'t> {
    rows: &'t mut Rows,
    positions: PositionCells<'t>,
    /// Number of rows before the current game.
    mark: usize,
    /// The columns with the points, which depend on the result of the game.
    points: Vec<usize>,
    /// The side to move in each row of the game, if there are points.
    turns: Vec<Color>,
}

impl<'t> PositionRows<'t> {
    fn new(columns: &'t [Column], plan: &'t Plan, rows: &'t mut Rows) -> Self {
        let of_position = |column: &Column| {
            column.fact().filter(|fact| !fact.is_of_game() && *fact != Fact::Points)
        };
        let is_points = |(index, column): (usize, &Column)| {
            (*column == Column::Fact(Fact::Points)).then_some(index)
        };
        PositionRows {
            positions: PositionCells::new(columns, of_position, plan),
            mark: rows.len(),
            rows,
            points: columns.iter().enumerate().filter_map(is_points).collect(),
            turns: Vec::new(),
        }
    }
}

impl MakeRows for PositionRows<'_> {
    fn begin(&mut self, _: &GameContext<'_>) {
        self.mark = self.rows.len();
        self.turns.clear();
        self.positions.begin();
    }

    #[inline(always)]
    fn position<P: AnyPosition>(
        &mut self,
        cells: &mut GameCells<'_>,
        ply: &Ply<'_, P>,
        record: &[u8],
    ) {
        cells.write_opening(self.rows);
        self.positions.write(self.rows, |column| (column, self.mark), ply, record);
        if !self.points.is_empty() {
            self.turns.push(ply.position.turn());
        }
        self.rows.end_row();
    }

    fn skipped<P: AnyPosition>(&mut self, _: &Ply<'_, P>) {}

    fn end(&mut self, cells: &mut GameCells<'_>, game: &GameContext<'_>, _: Option<bool>) {
        self.positions.end(self.rows, |column| (column, self.mark));
        for index in &self.points {
            for turn in &self.turns {
                let points = game.result().and_then(|result| facts::points(result, *turn));
                push_value(&mut self.rows.columns[*index], points.map(Value::Decimal));
            }
        }
        cells.write(game, self.rows, self.mark);
    }

    fn discard_game(&mut self) {
        self.rows.truncate(self.mark);
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn problem(&mut self, _: &Problem) {}
}

#[cfg(test)]
mod tests {
    use openings::NameSource;
    use pgn::Chunk;

    use super::*;
    use crate::facts::FactSet;
    use crate::records::Text;
    use crate::records::plan::{OnError, Plan};
    use crate::replay::Replay;

    /// Appends rows of games.
    fn append(pgn: &str, columns: &[Column], rows: &mut Rows) {
        let facts: FactSet = columns.iter().filter_map(Column::fact).collect();
        let names = NameSource::Embedded;
        let plan = Plan { facts, names, on_error: OnError::Skip, ..Plan::default() };
        let mut text = Text::default();
        let mut sink = RowSink::new(text.sink(&plan), columns, &plan, rows);
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
