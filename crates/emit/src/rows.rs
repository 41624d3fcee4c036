//! Positions as rows of columns, for tabular formats.
//!
//! A [`Column`] is a [`Fact`] (`ply`, `fen`, `uci`) or the name of a tag. [`Rows`] holds the values
//! column by column; a [`RowSink`] fills it alongside the sink that writes the records, with a row
//! for each position or for each game.
//!
//! * `column`, `column_list`: the columns, their names and types;
//! * `sort_order`: the order of rows by the values in columns;
//! * `sink`: receives plies; `position_rows` and `game_rows` decide what a row is;
//! * `position_cells`, `game_cells`: the columns that depend on the position, and those that depend
//!   on the game;
//! * `cell`: a single value.

mod cell;
mod column;
mod column_list;
mod game_cells;
mod game_rows;
mod position_cells;
mod position_rows;
mod sink;
mod sort_order;

pub use column::Column;
pub use column_list::{ColumnList, ColumnListError};
pub use game_rows::GameRows;
pub use position_rows::PositionRows;
pub use sink::{RecordText, RowSink};
pub use sort_order::SortOrder;

use table::{Rows, Values};

use crate::facts::Fact;

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

#[cfg(test)]
mod tests {
    use openings::NameSource;
    use pgn::Chunk;

    use super::*;
    use crate::facts::FactSet;
    use crate::records::plan::{OnError, Plan};
    use crate::records::text::Text;
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
