//! Positions as rows of columns, for tabular formats.
//!
//! A [`Column`] is a [`Fact`] (`ply`, `fen`, `uci`) or the name of a tag. [`Rows`] holds the values
//! column by column; a [`RowSink`] fills it alongside the sink that writes the records, with a row for each position or
//! for each game.
//!
//! * `column`, `column_list`: the columns and their names;
//! * `values`, `dictionary`: the values of a column; `cell_text`: as text;
//! * `sink`: receives plies; `position_rows` and `game_rows` decide what a row is;
//! * `position_cells`, `game_cells`: the columns that depend on the position, and those that depend on the game;
//! * `cell`, `tag_text`: a single value; `row_bytes`: rows that are stored.

mod cell;
mod cell_text;
mod column;
mod column_list;
mod dictionary;
mod game_cells;
mod game_rows;
mod position_cells;
mod position_rows;
mod row_bytes;
mod sink;
mod tag_text;
mod values;

pub use column::Column;
pub use column_list::{ColumnList, ColumnListError};
pub use dictionary::Dictionary;
pub use game_rows::GameRows;
pub use position_rows::PositionRows;
pub use sink::{RecordText, RowSink};
pub use values::{ColumnValues, Values};

use crate::facts::Fact;

/// A batch of rows, stored by column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// The columns, in the requested order.
    pub columns: Vec<ColumnValues>,
    len: usize,
}

impl Rows {
    /// Makes an empty batch with these columns and room for as many rows as `like` has.
    pub fn new(columns: &[Column], like: &Rows) -> Self {
        let mut rows = Rows { columns: Vec::with_capacity(columns.len()), len: 0 };
        for (index, column) in columns.iter().enumerate() {
            let old = like.columns.get(index);
            rows.columns.push(ColumnValues::new(column, like.len, old));
        }
        rows
    }

    /// Returns an empty batch with the same columns.
    #[must_use]
    pub fn without_rows(&self) -> Rows {
        let columns = self.columns.iter().map(ColumnValues::without_rows).collect();
        Rows { columns, len: 0 }
    }

    /// Makes the next rows after these, in the memory of `next`, which has the same columns.
    #[must_use]
    pub fn next_rows(&mut self, mut next: Rows) -> Rows {
        next.clear();
        for (column, next) in self.columns.iter_mut().zip(&mut next.columns) {
            if let (Values::Repeated { texts, .. }, Values::Repeated { texts: next, .. }) =
                (&mut column.values, &mut next.values)
            {
                texts.hand_on_moves(next);
            }
        }
        next
    }

    /// Removes the values of a column and their memory, and returns them; the rows must then be [cleared](Rows::clear).
    ///
    /// # Panics
    ///
    /// If the rows do not have the column.
    #[must_use]
    pub fn take_column(&mut self, index: usize) -> ColumnValues {
        let empty = self.columns[index].without_rows();
        std::mem::replace(&mut self.columns[index], empty)
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Adds `before`, the number of games before these rows, to each game number in them.
    pub fn add_games(&mut self, columns: &[Column], before: u64) {
        for (column, values) in columns.iter().zip(&mut self.columns) {
            if let (Column::Fact(Fact::Game), Values::U64(numbers)) = (column, &mut values.values) {
                numbers.iter_mut().for_each(|number| *number += before);
            }
        }
    }

    /// Appends a row of a batch with the same columns.
    pub fn push(&mut self, from: &Rows, row: usize) {
        for (column, other) in self.columns.iter_mut().zip(&from.columns) {
            column.push(other, row);
        }
        self.len += 1;
    }

    /// Returns the number of rows, or of values in the column with the most values if that is greater.
    pub fn values(&self) -> usize {
        let values = |column: &ColumnValues| match &column.values {
            Values::List { values, .. } => values.len(),
            _ => 0,
        };
        self.columns.iter().map(values).max().unwrap_or_default().max(self.len)
    }

    /// Removes all rows from `len` on.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
        for column in &mut self.columns {
            column.truncate(len);
        }
    }
}

#[cfg(test)]
mod tests {
    use openings::NameSource;
    use pgn::Chunk;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::facts::FactSet;
    use crate::records::plan::{OnError, Plan};
    use crate::records::text::Text;
    use crate::replay::Replay;

    const COLUMNS: [Column; 6] = [
        Column::Fact(Fact::Game),
        Column::Fact(Fact::Ply),
        Column::Fact(Fact::Eval),
        Column::Fact(Fact::Clock),
        Column::Fact(Fact::San),
        Column::Fact(Fact::Check),
    ];

    type Cells = (u64, u32, Option<i32>, Option<u16>, Option<String>, bool);

    /// Makes rows with these values, some of them missing.
    fn rows(cells: &[Cells]) -> Rows {
        let mut rows = Rows::new(&COLUMNS, &Rows::default());
        for (game, ply, eval, clock, san, check) in cells {
            let there = [true, true, eval.is_some(), clock.is_some(), san.is_some(), true];
            for (column, is_there) in rows.columns.iter_mut().zip(there) {
                match &mut column.values {
                    Values::Bool(values) => values.push(*check),
                    Values::U64(values) | Values::Key(values) => values.push(*game),
                    Values::U32(values) => values.push(*ply),
                    Values::I32(values) => values.push(eval.unwrap_or_default()),
                    Values::F64(values) => values.push(clock.unwrap_or_default().into()),
                    Values::Packed(values) => values.push([0; 32]),
                    Values::Repeated { .. } => {
                        column.push_text(san.as_deref().map(str::as_bytes));
                        continue;
                    }
                    _ => unreachable!("not among the columns"),
                }
                column.note(is_there);
            }
            rows.len += 1;
        }
        rows
    }

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
        let new = || Rows::new(list.columns(), &Rows::default());
        let (mut rows, mut spent) = (new(), new());
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
            let next = rows.next_rows(spent);
            spent = std::mem::replace(&mut rows, next);
        }
    }

    proptest! {
        #[test]
        fn rows_are_appended_with_their_missing_values_and_truncated(
            cells in vec(any::<Cells>(), 0..9),
            kept in 0..9_usize,
        ) {
            let all = rows(&cells);
            let mut copy = Rows::new(&COLUMNS, &all);
            (0..all.len()).for_each(|row| copy.push(&all, row));
            prop_assert_eq!(&copy, &all);
            copy.truncate(kept);
            let kept = rows(&cells[..kept.min(cells.len())]);
            for (column, expected) in copy.columns.iter().zip(&kept.columns) {
                prop_assert_eq!(column.len(), expected.len());
                for row in 0..kept.len() {
                    prop_assert_eq!(column.cell_text(row), expected.cell_text(row));
                }
            }
        }
    }
}
