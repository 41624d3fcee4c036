//! A row for each game.

use pgn::TagPair;
use san::AnyPosition;
use table::{ColumnValues, Rows, Values};

use super::Column;
use super::game_cells::GameCells;
use super::position_cells::PositionCells;
use super::sink::MakeRows;
use crate::facts::Fact;
use crate::ply::Ply;
use crate::problem::Problem;
use crate::records::plan::Plan;
use crate::selection::ending::{Ending, ending_on_board};

/// Makes a row for each game, with lists of the facts at its positions.
#[derive(Debug)]
pub struct GameRows<'t> {
    columns: &'t [Column],
    rows: &'t mut Rows,
    positions: PositionCells<'t>,
    ending: Option<&'static str>,
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
    pub(super) fn new(columns: &'t [Column], plan: &'t Plan, rows: &'t mut Rows) -> Self {
        let of_list = |column: &Column| match column {
            Column::List(fact) => Some(*fact),
            _ => None,
        };
        GameRows {
            columns,
            positions: PositionCells::new(columns, of_list, plan),
            rows,
            ending: None,
            state: State::default(),
            has_move: false,
        }
    }

    #[inline(always)]
    fn note_ending<P: AnyPosition>(&mut self, ply: &Ply<'_, P>) {
        self.ending = ending_on_board(ply).or(self.ending);
    }

    fn end_row(&mut self, game: &mut GameCells<'_>) {
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
        game.write_new_opening(self.rows);
        self.rows.end_row();
        game.write(self.rows, row, self.rows.len());
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
    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.state = State::Begun;
        self.positions.begin();
        self.ending = Ending::of_tags(tags).map(Ending::as_str);
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

    fn end(&mut self, game: &mut GameCells<'_>, has_game: Option<bool>) {
        if has_game.unwrap_or(matches!(self.state, State::Begun | State::Selected)) {
            self.end_row(game);
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

    fn problem(&mut self, game: u64, problem: &Problem) {
        if self.state == State::HasRow && problem.game == game {
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
