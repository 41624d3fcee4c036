//! Positions as rows of columns, for those who make tables of them.
//!
//! A [`Column`] says what is told of each position, in the words of `--op`: a fact (`ply`, `fen`, `uci`), or the name of a
//! tag. [`Rows`] holds the values column by column; a [`RowSink`] fills it, beside the sink that writes the records.

mod column;
mod sink;

pub use column::{Column, ColumnError};
pub use sink::{RecordText, RowSink};

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers that do not grow beyond a file: games, lines, keys.
    U64(Vec<u64>),
    /// Plies and moves.
    U32(Vec<u32>),
    /// Evaluations.
    I32(Vec<i32>),
    /// Seconds.
    F64(Vec<f64>),
    /// Text.
    Text {
        /// The texts, in UTF-8, one behind the other.
        bytes: Vec<u8>,
        /// Where each begins, and at last where the last one ends.
        offsets: Vec<i64>,
    },
}

/// A column of some rows.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnValues {
    /// A value for each row; where there is none, a zero or an empty text.
    pub values: Values,
    /// Of each row whether there is a value; empty if there is one for all.
    pub is_there: Vec<bool>,
}

/// Some rows, column by column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// The columns, in the order that was asked for.
    pub columns: Vec<ColumnValues>,
    len: usize,
}

impl Rows {
    /// No rows of these columns yet, with room for as many as `like` has.
    pub fn new(columns: &[Column], like: &Rows) -> Self {
        let mut rows = Rows { columns: Vec::with_capacity(columns.len()), len: 0 };
        for (index, column) in columns.iter().enumerate() {
            let old = like.columns.get(index);
            rows.columns.push(ColumnValues::new(column, like.len, old));
        }
        rows
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets the rows, keeps the memory.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Adds the number of games before these rows to each number of a game in them.
    pub fn add_games(&mut self, columns: &[Column], before: u64) {
        for (column, values) in columns.iter().zip(&mut self.columns) {
            if let (Column::Game, Values::U64(numbers)) = (column, &mut values.values) {
                numbers.iter_mut().for_each(|number| *number += before);
            }
        }
    }

    /// Appends a row to `bytes`, so that [`Rows::push_packed`] can read it.
    pub fn pack(&self, row: usize, bytes: &mut Vec<u8>) {
        for column in &self.columns {
            bytes.push(u8::from(column.has(row)));
            match &column.values {
                Values::U64(values) => bytes.extend(values[row].to_le_bytes()),
                Values::U32(values) => bytes.extend(values[row].to_le_bytes()),
                Values::I32(values) => bytes.extend(values[row].to_le_bytes()),
                Values::F64(values) => bytes.extend(values[row].to_le_bytes()),
                Values::Text { bytes: texts, offsets } => {
                    let text = &texts[offsets[row] as usize..offsets[row + 1] as usize];
                    bytes.extend((text.len() as u64).to_le_bytes());
                    bytes.extend_from_slice(text);
                }
            }
        }
    }

    /// Appends the row that `bytes` begins with, one of the same columns; what stands behind it is returned. `None` if it is
    /// no such row: then these rows are not to be used any more.
    pub fn push_packed<'b>(&mut self, mut bytes: &'b [u8]) -> Option<&'b [u8]> {
        for column in &mut self.columns {
            let (has, rest) = bytes.split_first()?;
            bytes = rest;
            column.note(self.len, *has != 0);
            match &mut column.values {
                Values::U64(values) => values.push(u64::from_le_bytes(take(&mut bytes)?)),
                Values::U32(values) => values.push(u32::from_le_bytes(take(&mut bytes)?)),
                Values::I32(values) => values.push(i32::from_le_bytes(take(&mut bytes)?)),
                Values::F64(values) => values.push(f64::from_le_bytes(take(&mut bytes)?)),
                Values::Text { bytes: texts, offsets } => {
                    let len = u64::from_le_bytes(take(&mut bytes)?) as usize;
                    let (text, rest) = bytes.split_at_checked(len)?;
                    bytes = rest;
                    texts.extend_from_slice(text);
                    offsets.push(texts.len() as i64);
                }
            }
        }
        self.len += 1;
        Some(bytes)
    }

    /// All rows from `len` on are void.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
        for column in &mut self.columns {
            column.is_there.truncate(len);
            match &mut column.values {
                Values::U64(values) => values.truncate(len),
                Values::U32(values) => values.truncate(len),
                Values::I32(values) => values.truncate(len),
                Values::F64(values) => values.truncate(len),
                Values::Text { bytes, offsets } => {
                    offsets.truncate(len + 1);
                    bytes.truncate(offsets.last().map_or(0, |end| *end as usize));
                }
            }
        }
    }
}

impl ColumnValues {
    fn new(column: &Column, rows: usize, old: Option<&ColumnValues>) -> Self {
        let values = match column {
            Column::Game | Column::Line | Column::Key => Values::U64(Vec::with_capacity(rows)),
            Column::Ply | Column::Move => Values::U32(Vec::with_capacity(rows)),
            Column::Eval => Values::I32(Vec::with_capacity(rows)),
            Column::Clock => Values::F64(Vec::with_capacity(rows)),
            _ => {
                let room = match old.map(|old| &old.values) {
                    Some(Values::Text { bytes, .. }) => bytes.len(),
                    _ => 0,
                };
                let mut offsets = Vec::with_capacity(rows + 1);
                offsets.push(0);
                Values::Text { bytes: Vec::with_capacity(room), offsets }
            }
        };
        ColumnValues { values, is_there: Vec::new() }
    }

    /// Whether there is a value in a row.
    pub fn has(&self, row: usize) -> bool {
        self.is_there.get(row).copied().unwrap_or(true)
    }

    /// The text in a row; `None` if there is none, or the column has no texts.
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

    /// Says whether the row that comes next has a value.
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

/// The first `N` of the bytes, which are taken away.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    const COLUMNS: [Column; 5] =
        [Column::Game, Column::Ply, Column::Eval, Column::Clock, Column::San];

    type Cells = (u64, u32, Option<i32>, Option<u16>, Option<String>);

    /// Rows with these values, and now and then none.
    fn rows(cells: &[Cells]) -> Rows {
        let mut rows = Rows::new(&COLUMNS, &Rows::default());
        for (game, ply, eval, clock, san) in cells {
            let there = [true, true, eval.is_some(), clock.is_some(), san.is_some()];
            for (column, is_there) in rows.columns.iter_mut().zip(there) {
                column.note(rows.len, is_there);
                match &mut column.values {
                    Values::U64(values) => values.push(*game),
                    Values::U32(values) => values.push(*ply),
                    Values::I32(values) => values.push(eval.unwrap_or_default()),
                    Values::F64(values) => values.push(clock.unwrap_or_default().into()),
                    Values::Text { bytes, offsets } => {
                        bytes.extend_from_slice(san.as_deref().unwrap_or_default().as_bytes());
                        offsets.push(bytes.len() as i64);
                    }
                }
            }
            rows.len += 1;
        }
        rows
    }

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked(
            cells in vec(any::<Cells>(), 0..9),
            kept in 0..9_usize,
        ) {
            let mut packed_rows = rows(&cells);
            let mut packed = Vec::new();
            (0..packed_rows.len()).for_each(|row| packed_rows.pack(row, &mut packed));
            let mut read = Rows::new(&COLUMNS, &packed_rows);
            let mut rest = &packed[..];
            while !rest.is_empty() {
                rest = read.push_packed(rest).unwrap();
            }
            prop_assert_eq!(&read, &packed_rows);
            packed_rows.truncate(kept);
            let kept = rows(&cells[..kept.min(cells.len())]);
            for (column, expected) in packed_rows.columns.iter().zip(&kept.columns) {
                prop_assert_eq!(&column.values, &expected.values);
                (0..kept.len()).for_each(|row| assert_eq!(column.has(row), expected.has(row)));
            }
        }

        #[test]
        fn what_is_no_row_is_refused(bytes in vec(any::<u8>(), 0..200)) {
            let mut read = Rows::new(&COLUMNS, &Rows::default());
            let mut rest = &bytes[..];
            while let Some(behind) = read.push_packed(rest) {
                prop_assert!(behind.len() < rest.len());
                rest = behind;
            }
        }
    }
}
