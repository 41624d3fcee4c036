//! A row for each position.

use pgn::TagPair;
use san::{AnyPosition, Color};
use table::Rows;

use super::Column;
use super::cell::push_value;
use super::game_cells::GameCells;
use super::position_cells::PositionCells;
use super::sink::MakeRows;
use crate::facts::{self, Fact, FactValue};
use crate::ply::Ply;
use crate::problem::Problem;
use crate::records::plan::Plan;

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
    pub(super) fn new(columns: &'t [Column], plan: &'t Plan, rows: &'t mut Rows) -> Self {
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
    fn begin(&mut self, _: &[TagPair<'_>]) {
        self.mark = self.rows.len();
        self.turns.clear();
        self.positions.begin();
    }

    #[inline(always)]
    fn position<P: AnyPosition>(
        &mut self,
        game: &mut GameCells<'_>,
        ply: &Ply<'_, P>,
        record: &[u8],
    ) {
        game.write_opening(self.rows);
        self.positions.write(self.rows, |column| (column, self.mark), ply, record);
        if !self.points.is_empty() {
            self.turns.push(ply.position.turn());
        }
        self.rows.end_row();
    }

    fn skipped<P: AnyPosition>(&mut self, _: &Ply<'_, P>) {}

    fn end(&mut self, game: &mut GameCells<'_>, _: Option<bool>) {
        self.positions.end(self.rows, |column| (column, self.mark));
        for index in &self.points {
            for turn in &self.turns {
                let points = game.facts.result.and_then(|result| facts::points(result, *turn));
                let column = &mut self.rows.columns[*index];
                push_value(column, points.map(FactValue::Decimal));
            }
        }
        game.write(self.rows, self.mark, self.rows.len());
    }

    fn discard_game(&mut self) {
        self.rows.truncate(self.mark);
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn problem(&mut self, _: u64, _: &Problem) {}
}
