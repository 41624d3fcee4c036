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
//! * `cell`, `tag_text`: a single value; `game_values`: those of a game alone; `row_bytes`: rows that are stored.

mod cell;
mod cell_text;
mod column;
mod column_list;
mod dictionary;
mod game_cells;
mod game_rows;
mod game_values;
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
pub use game_values::GameValues;
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

    /// Removes the values of a column and their memory, and returns them; the rows must then be [cleared](Rows::clear).
    ///
    /// # Panics
    ///
    /// If there is no such column.
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
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

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
