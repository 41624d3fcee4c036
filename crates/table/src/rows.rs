//! Batches of rows.

use std::borrow::Borrow;

use crate::column::{Cell, ColumnValues, Values};
use crate::schema::ColumnType;

/// A batch of rows, stored by column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// The columns, in the order of the schema.
    pub columns: Vec<ColumnValues>,
    len: usize,
}

impl Rows {
    /// Makes an empty batch of columns with these types, and room for this number of rows.
    pub fn new(types: impl IntoIterator<Item = impl Borrow<ColumnType>>, room: usize) -> Self {
        Rows::like(types, &Rows { columns: Vec::new(), len: room })
    }

    /// Makes an empty batch of columns with these types, and room for as many rows as `like` has.
    pub fn like(types: impl IntoIterator<Item = impl Borrow<ColumnType>>, like: &Rows) -> Self {
        let column = |(index, column_type): (usize, _)| {
            ColumnValues::new(Borrow::borrow(&column_type), like.len, like.columns.get(index))
        };
        Rows { columns: types.into_iter().enumerate().map(column).collect(), len: 0 }
    }

    /// Makes the next rows after these, in the memory of `next`, which has the same columns.
    #[must_use]
    pub fn next_rows(&mut self, mut next: Rows) -> Rows {
        next.clear();
        for (column, next) in self.columns.iter_mut().zip(&mut next.columns) {
            if let (Values::Repeated { texts, .. }, Values::Repeated { texts: next, .. }) =
                (&mut column.values, &mut next.values)
            {
                texts.give_words(next);
            }
        }
        next
    }

    /// Returns the number of rows.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Ends a row, whose values were appended to the columns.
    #[inline]
    pub fn end_row(&mut self) {
        self.len += 1;
    }

    /// Appends a row, given a value for each column.
    pub fn push_row<'c>(&mut self, cells: impl IntoIterator<Item = Cell<'c>>) {
        self.columns.iter_mut().zip(cells).for_each(|(column, cell)| column.push_cell(cell));
        self.end_row();
    }

    /// Appends a row of a batch with the same columns.
    pub fn push(&mut self, from: &Rows, row: usize) {
        for (column, other) in self.columns.iter_mut().zip(&from.columns) {
            column.push(other, row);
        }
        self.end_row();
    }

    /// Returns the size of all values, as in [`ColumnValues::bytes`].
    pub(crate) fn bytes(&self) -> usize {
        self.columns.iter().map(ColumnValues::bytes).sum()
    }

    /// Frees the memory that the rows do not use, if they wait for others.
    pub fn shrink(&mut self) {
        self.columns.iter_mut().for_each(ColumnValues::shrink);
    }

    /// Removes all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Removes all rows from `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
        self.columns.iter_mut().for_each(|column| column.truncate(len));
    }
}
