//! Positions as rows of columns, for tabular formats.
//!
//! A [`Column`] is a [`Fact`] (`ply`, `fen`, `uci`) or the name of a tag. [`Rows`] holds the values
//! column by column; a [`RowSink`] fills it alongside the sink that writes the records, with a row for each position, and a
//! [`GameRowSink`] with a row for each game.

mod cell;
mod cell_text;
mod column;
mod column_list;
mod game_sink;
mod row_bytes;
mod sink;

pub use column::Column;
pub use column_list::{ColumnList, ColumnListError};
pub use game_sink::GameRowSink;
pub use sink::{RecordText, RowSink};

use crate::facts::{Fact, FactKind};

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Booleans.
    Bool(Vec<bool>),
    /// Numbers that may exceed 32 bits: games, lines, nodes.
    U64(Vec<u64>),
    /// Keys of positions.
    Key(Vec<u64>),
    /// Plies and move numbers.
    U32(Vec<u32>),
    /// Evaluations.
    I32(Vec<i32>),
    /// Seconds.
    F64(Vec<f64>),
    /// Positions in 32 bytes.
    Packed(Vec<[u8; 32]>),
    /// Dates, in days since 1 January 1970.
    Date(Vec<i32>),
    /// A number for each square.
    Board(Vec<[u8; 64]>),
    /// Twelve sets of squares.
    Bitboards(Vec<[u64; 12]>),
    /// Text.
    Text {
        /// The concatenated texts, in UTF-8.
        bytes: Vec<u8>,
        /// Start of each text, followed by the end of the last one.
        offsets: Vec<i64>,
    },
    /// Lists of values.
    List {
        /// The values of all lists.
        values: Box<ColumnValues>,
        /// Start of each list, followed by the end of the last one.
        offsets: Vec<i64>,
        /// The character between values in text.
        separator: u8,
    },
}

/// The values of a column and which of them are present.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnValues {
    /// A value for each row; zero or an empty text if it is missing.
    pub values: Values,
    /// Whether each row has a value; empty if all have one.
    pub is_there: Vec<bool>,
}

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
            column.push(self.len, other, row);
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

impl ColumnValues {
    fn new(column: &Column, rows: usize, old: Option<&ColumnValues>) -> Self {
        let list = |fact: &Fact| {
            let (separator, offsets) = (if fact.has_spaces() { b'\n' } else { b' ' }, vec![0]);
            let values = Box::new(ColumnValues::of_kind(fact.kind(), 0, 0));
            ColumnValues {
                values: Values::List { values, offsets, separator },
                is_there: Vec::new(),
            }
        };
        let room = match old.map(|old| &old.values) {
            Some(Values::Text { bytes, .. }) => bytes.len(),
            _ => 0,
        };
        match column {
            Column::Fact(fact) => ColumnValues::of_kind(fact.kind(), rows, room),
            Column::List(fact) => list(fact),
            Column::Tag(_) | Column::Tags => ColumnValues::of_kind(FactKind::Text, rows, room),
        }
    }

    /// Makes an empty column with room for this number of rows and bytes of text.
    fn of_kind(kind: FactKind, rows: usize, bytes: usize) -> Self {
        let values = match kind {
            FactKind::Truth => Values::Bool(Vec::with_capacity(rows)),
            FactKind::Number => Values::U64(Vec::with_capacity(rows)),
            FactKind::Key => Values::Key(Vec::with_capacity(rows)),
            FactKind::SmallNumber => Values::U32(Vec::with_capacity(rows)),
            FactKind::Signed => Values::I32(Vec::with_capacity(rows)),
            FactKind::Decimal => Values::F64(Vec::with_capacity(rows)),
            FactKind::Packed => Values::Packed(Vec::with_capacity(rows)),
            FactKind::Date => Values::Date(Vec::with_capacity(rows)),
            FactKind::Board => Values::Board(Vec::with_capacity(rows)),
            FactKind::Bitboards => Values::Bitboards(Vec::with_capacity(rows)),
            FactKind::Texts => Values::List {
                values: Box::new(ColumnValues::of_kind(FactKind::Text, 0, 0)),
                offsets: vec![0],
                separator: b' ',
            },
            FactKind::Text => {
                let mut offsets = Vec::with_capacity(rows + 1);
                offsets.push(0);
                Values::Text { bytes: Vec::with_capacity(bytes), offsets }
            }
        };
        ColumnValues { values, is_there: Vec::new() }
    }

    fn without_rows(&self) -> Self {
        let values = match &self.values {
            Values::Bool(_) => Values::Bool(Vec::new()),
            Values::U64(_) => Values::U64(Vec::new()),
            Values::Key(_) => Values::Key(Vec::new()),
            Values::U32(_) => Values::U32(Vec::new()),
            Values::I32(_) => Values::I32(Vec::new()),
            Values::F64(_) => Values::F64(Vec::new()),
            Values::Packed(_) => Values::Packed(Vec::new()),
            Values::Date(_) => Values::Date(Vec::new()),
            Values::Board(_) => Values::Board(Vec::new()),
            Values::Bitboards(_) => Values::Bitboards(Vec::new()),
            Values::Text { .. } => Values::Text { bytes: Vec::new(), offsets: vec![0] },
            Values::List { values, separator, .. } => Values::List {
                values: Box::new(values.without_rows()),
                offsets: vec![0],
                separator: *separator,
            },
        };
        ColumnValues { values, is_there: Vec::new() }
    }

    /// Returns the number of rows.
    fn len(&self) -> usize {
        match &self.values {
            Values::Bool(values) => values.len(),
            Values::U64(values) | Values::Key(values) => values.len(),
            Values::U32(values) => values.len(),
            Values::I32(values) | Values::Date(values) => values.len(),
            Values::F64(values) => values.len(),
            Values::Packed(values) => values.len(),
            Values::Board(values) => values.len(),
            Values::Bitboards(values) => values.len(),
            Values::Text { offsets, .. } | Values::List { offsets, .. } => offsets.len() - 1,
        }
    }

    /// Appends a row of a column with the same type; `len` is the number of rows before.
    fn push(&mut self, len: usize, from: &ColumnValues, row: usize) {
        self.note(len, from.has(row));
        match (&mut self.values, &from.values) {
            (Values::Bool(values), Values::Bool(other)) => values.push(other[row]),
            (Values::U64(values), Values::U64(other))
            | (Values::Key(values), Values::Key(other)) => values.push(other[row]),
            (Values::U32(values), Values::U32(other)) => values.push(other[row]),
            (Values::I32(values), Values::I32(other))
            | (Values::Date(values), Values::Date(other)) => values.push(other[row]),
            (Values::F64(values), Values::F64(other)) => values.push(other[row]),
            (Values::Packed(values), Values::Packed(other)) => values.push(other[row]),
            (Values::Board(values), Values::Board(other)) => values.push(other[row]),
            (Values::Bitboards(values), Values::Bitboards(other)) => values.push(other[row]),
            (Values::Text { bytes, offsets }, Values::Text { bytes: other, offsets: places }) => {
                bytes.extend_from_slice(&other[places[row] as usize..places[row + 1] as usize]);
                offsets.push(bytes.len() as i64);
            }
            (
                Values::List { values, offsets, .. },
                Values::List { values: other, offsets: places, .. },
            ) => {
                for place in places[row]..places[row + 1] {
                    values.push(values.len(), other, place as usize);
                }
                offsets.push(values.len() as i64);
            }
            // Columns of the same type.
            _ => {}
        }
    }

    /// Removes all rows from `len` on.
    fn truncate(&mut self, len: usize) {
        self.is_there.truncate(len);
        match &mut self.values {
            Values::Bool(values) => values.truncate(len),
            Values::U64(values) | Values::Key(values) => values.truncate(len),
            Values::U32(values) => values.truncate(len),
            Values::I32(values) | Values::Date(values) => values.truncate(len),
            Values::F64(values) => values.truncate(len),
            Values::Packed(values) => values.truncate(len),
            Values::Board(values) => values.truncate(len),
            Values::Bitboards(values) => values.truncate(len),
            Values::Text { bytes, offsets } => {
                offsets.truncate(len + 1);
                bytes.truncate(offsets.last().map_or(0, |end| *end as usize));
            }
            Values::List { values, offsets, .. } => {
                offsets.truncate(len + 1);
                values.truncate(offsets.last().map_or(0, |end| *end as usize));
            }
        }
    }

    /// Returns whether a row has a value.
    pub fn has(&self, row: usize) -> bool {
        self.is_there.get(row).copied().unwrap_or(true)
    }

    /// Returns the text in a row; `None` if it is missing or the column does not hold texts.
    pub fn text(&self, row: usize) -> Option<&str> {
        match &self.values {
            Values::Text { bytes, offsets } if self.has(row) => {
                let text =
                    bytes.get(*offsets.get(row)? as usize..*offsets.get(row + 1)? as usize)?;
                std::str::from_utf8(text).ok()
            }
            _ => None,
        }
    }

    /// Replaces the text in the last row by the text that `rewrite` appends for it. Does nothing for
    /// other columns.
    pub fn rewrite_last(&mut self, rewrite: impl FnOnce(&str, &mut Vec<u8>)) {
        let Values::Text { bytes, offsets } = &mut self.values else { return };
        let [.., start, end] = &mut offsets[..] else { return };
        let text = bytes.split_off(*start as usize);
        if let Ok(text) = std::str::from_utf8(&text) {
            rewrite(text, bytes);
        }
        *end = bytes.len() as i64;
    }

    /// Sets the number in a row. Does nothing for other columns.
    fn set_decimal(&mut self, row: usize, value: f64) {
        if let Values::F64(values) = &mut self.values {
            values[row] = value;
            if let Some(is_there) = self.is_there.get_mut(row) {
                *is_there = true;
            }
        }
    }

    /// Sets the text in the last row, which is missing. Does nothing for other columns.
    fn set_last(&mut self, text: &[u8]) {
        if let Some(is_there) = self.is_there.last_mut() {
            *is_there = true;
        }
        self.rewrite_last(|_, bytes| bytes.extend_from_slice(text));
    }

    /// Replaces the texts in the rows from `first` on by the same text; `rows` is the number of all
    /// rows. Does nothing for other columns.
    fn replace_texts_from(&mut self, first: usize, rows: usize, text: &[u8]) {
        let Values::Text { bytes, offsets } = &mut self.values else { return };
        bytes.truncate(offsets.get(first).map_or(bytes.len(), |start| *start as usize));
        offsets.truncate(first + 1);
        for _ in first..rows {
            bytes.extend_from_slice(text);
            offsets.push(bytes.len() as i64);
        }
        self.is_there.iter_mut().skip(first).for_each(|is_there| *is_there = true);
    }

    /// Records whether the next row has a value.
    #[inline(always)]
    fn note(&mut self, row: usize, is_there: bool) {
        if !is_there && self.is_there.is_empty() {
            self.is_there.resize(row, true);
            self.is_there.push(false);
        } else if !is_there || !self.is_there.is_empty() {
            self.is_there.push(is_there);
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
                column.note(rows.len, is_there);
                match &mut column.values {
                    Values::Bool(values) => values.push(*check),
                    Values::U64(values) | Values::Key(values) => values.push(*game),
                    Values::U32(values) => values.push(*ply),
                    Values::I32(values) => values.push(eval.unwrap_or_default()),
                    Values::F64(values) => values.push(clock.unwrap_or_default().into()),
                    Values::Packed(values) => values.push([0; 32]),
                    Values::Text { bytes, offsets } => {
                        bytes.extend_from_slice(san.as_deref().unwrap_or_default().as_bytes());
                        offsets.push(bytes.len() as i64);
                    }
                    _ => unreachable!("not among the columns"),
                }
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
                prop_assert_eq!(&column.values, &expected.values);
                (0..kept.len()).for_each(|row| assert_eq!(column.has(row), expected.has(row)));
            }
        }
    }
}
