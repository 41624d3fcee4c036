//! The values of a column.

use super::{Column, Dictionary};
use crate::facts::{Fact, FactKind};

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Booleans.
    Bool(Vec<bool>),
    /// Numbers that may exceed 32 bits: games, lines, nodes. None exceeds `i64::MAX`.
    U64(Vec<u64>),
    /// Keys of positions.
    Key(Vec<u64>),
    /// Plies and move numbers. None exceeds `i32::MAX`.
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
    /// Texts of which nearly all are different.
    Text {
        /// The concatenated texts, in UTF-8.
        bytes: Vec<u8>,
        /// Start of each text, followed by the end of the last one.
        offsets: Vec<i64>,
    },
    /// Texts that repeat, such as moves, and tags, which are the same in all rows of a game.
    Repeated {
        /// The number of each text in the dictionary; any number if it is missing.
        keys: Vec<u32>,
        /// The texts. Some may not be in use.
        texts: Dictionary,
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

/// Evaluates an expression for the vector of a column whose values have a fixed size, or one of the others.
macro_rules! for_vector {
    ($values:expr, $vector:ident => $each:expr, $($other:pat => $otherwise:expr,)+) => {
        match $values {
            Values::Bool($vector) => $each,
            Values::U64($vector) | Values::Key($vector) => $each,
            Values::U32($vector) => $each,
            Values::I32($vector) | Values::Date($vector) => $each,
            Values::F64($vector) => $each,
            Values::Packed($vector) => $each,
            Values::Board($vector) => $each,
            Values::Bitboards($vector) => $each,
            $($other => $otherwise,)+
        }
    };
}

/// A missing value.
trait Missing {
    const MISSING: Self;
}

macro_rules! missing {
    ($($kind:ty = $value:expr),+) => { $(impl Missing for $kind { const MISSING: Self = $value; })+ };
}

missing!(bool = false, u64 = 0, u32 = 0, i32 = 0, f64 = 0.0, [u8; 32] = [0; 32]);
missing!([u8; 64] = [0; 64], [u64; 12] = [0; 12]);

fn resize<T: Missing + Clone>(values: &mut Vec<T>, rows: usize) {
    values.resize(rows, T::MISSING);
}

fn repeat<T: Clone>(values: &mut Vec<T>, rows: usize) {
    if let Some(last) = values.last().cloned() {
        values.resize(rows, last);
    }
}

impl ColumnValues {
    /// Makes an empty column with room for as many rows and as much text as an `old` one has.
    pub(super) fn new(column: &Column, rows: usize, old: Option<&ColumnValues>) -> Self {
        let room = match old.map(|old| &old.values) {
            Some(Values::Text { bytes, .. }) => bytes.len(),
            _ => 0,
        };
        match column {
            Column::Fact(fact) => ColumnValues::of(*fact, rows, room),
            Column::List(fact) => {
                let separator = if fact.has_spaces() { b'\n' } else { b' ' };
                let values = Box::new(ColumnValues::of(*fact, 0, 0));
                ColumnValues::all(Values::List { values, offsets: vec![0], separator })
            }
            Column::Tag(_) | Column::Tags => ColumnValues::repeated(rows),
        }
    }

    /// Makes an empty column with room for this number of rows and bytes of text.
    fn of(fact: Fact, rows: usize, bytes: usize) -> Self {
        let text = |rows, bytes| {
            let mut offsets = Vec::with_capacity(rows + 1);
            offsets.push(0);
            Values::Text { bytes: Vec::with_capacity(bytes), offsets }
        };
        ColumnValues::all(match fact.kind() {
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
                values: Box::new(ColumnValues::all(text(0, 0))),
                offsets: vec![0],
                separator: b' ',
            },
            FactKind::Text if fact.repeats() => return ColumnValues::repeated(rows),
            FactKind::Text => text(rows, bytes),
        })
    }

    fn repeated(rows: usize) -> Self {
        let keys = Vec::with_capacity(rows);
        ColumnValues::all(Values::Repeated { keys, texts: Dictionary::default() })
    }

    fn all(values: Values) -> Self {
        ColumnValues { values, is_there: Vec::new() }
    }

    pub(super) fn without_rows(&self) -> Self {
        ColumnValues::all(match &self.values {
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
            Values::Repeated { .. } => return ColumnValues::repeated(0),
            Values::List { values, separator, .. } => Values::List {
                values: Box::new(values.without_rows()),
                offsets: vec![0],
                separator: *separator,
            },
        })
    }

    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        for_vector!(&self.values, values => values.len(),
            Values::Repeated { keys, .. } => keys.len(),
            Values::Text { offsets, .. } | Values::List { offsets, .. } => offsets.len() - 1,
        )
    }

    /// Appends a row of a column with the same type.
    pub(super) fn push(&mut self, from: &ColumnValues, row: usize) {
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
            (
                Values::List { values, offsets, .. },
                Values::List { values: other, offsets: places, .. },
            ) => {
                for place in places[row]..places[row + 1] {
                    values.push(other, place as usize);
                }
                offsets.push(values.len() as i64);
            }
            (Values::Text { .. } | Values::Repeated { .. }, _) => {
                return self.push_text(from.text_bytes(row));
            }
            // Columns of the same type.
            _ => {}
        }
        self.note(from.has(row));
    }

    /// Appends a text, or a missing one. Does nothing for other columns.
    #[inline]
    pub(super) fn push_text(&mut self, text: Option<&[u8]>) {
        match &mut self.values {
            Values::Text { bytes, offsets } => {
                bytes.extend_from_slice(text.unwrap_or_default());
                offsets.push(bytes.len() as i64);
            }
            Values::Repeated { keys, texts } => {
                let last = keys.last().filter(|last| texts.get(**last) == text).copied();
                keys.push(match text {
                    Some(text) => last.unwrap_or_else(|| texts.key(text)),
                    None => 0,
                });
            }
            _ => return,
        }
        self.note(text.is_some());
    }

    /// Appends the text with a number in the dictionary, or a missing one. Does nothing for other columns.
    pub(super) fn push_key(&mut self, key: Option<u32>) {
        if let Values::Repeated { keys, .. } = &mut self.values {
            keys.push(key.unwrap_or_default());
            self.note(key.is_some());
        }
    }

    /// Returns the number of the last text in the dictionary, if it is not missing.
    pub(super) fn last_key(&self) -> Option<u32> {
        match &self.values {
            Values::Repeated { keys, .. } if self.is_there.last() != Some(&false) => {
                keys.last().copied()
            }
            _ => None,
        }
    }

    /// Appends a missing value.
    pub(super) fn push_nothing(&mut self) {
        self.pad(self.len() + 1);
    }

    /// Appends missing values until there is this number of rows.
    #[inline]
    pub(super) fn pad(&mut self, rows: usize) {
        let len = self.len();
        if len >= rows {
            return;
        }
        if self.is_there.is_empty() {
            self.is_there.resize(len, true);
        }
        self.is_there.resize(rows, false);
        for_vector!(&mut self.values, values => resize(values, rows),
            Values::Repeated { keys, .. } => resize(keys, rows),
            Values::Text { offsets, .. } | Values::List { offsets, .. } => repeat(offsets, rows + 1),
        );
    }

    /// Repeats the last value until there is this number of rows.
    pub(super) fn repeat_last(&mut self, rows: usize) {
        if self.len() >= rows {
            return;
        }
        repeat(&mut self.is_there, rows);
        let len = self.len();
        for_vector!(&mut self.values, values => repeat(values, rows),
            Values::Repeated { keys, .. } => repeat(keys, rows),
            Values::Text { bytes, offsets } => {
                let [.., start, end] = offsets[..] else { return };
                for _ in len..rows {
                    bytes.extend_from_within(start as usize..end as usize);
                    offsets.push(bytes.len() as i64);
                }
            },
            // A list belongs to a row.
            Values::List { .. } => {},
        );
    }

    /// Ends a list. Does nothing for other columns.
    pub(super) fn end_list(&mut self) {
        if let Values::List { values, offsets, .. } = &mut self.values {
            offsets.push(values.len() as i64);
            self.note(true);
        }
    }

    /// Removes the last value of a list that has one and has not ended. Does nothing for other columns.
    pub(super) fn shorten_list(&mut self) {
        if let Values::List { values, .. } = &mut self.values {
            let len = values.len();
            values.truncate(len.saturating_sub(1));
        }
    }

    /// Removes all rows from `len` on.
    pub(super) fn truncate(&mut self, len: usize) {
        self.is_there.truncate(len);
        for_vector!(&mut self.values, values => values.truncate(len),
            Values::Repeated { keys, texts } => {
                keys.truncate(len);
                if len == 0 {
                    texts.clear();
                }
            },
            Values::Text { bytes, offsets } => {
                offsets.truncate(len + 1);
                bytes.truncate(offsets.last().map_or(0, |end| *end as usize));
            },
            Values::List { values, offsets, .. } => {
                offsets.truncate(len + 1);
                values.truncate(offsets.last().map_or(0, |end| *end as usize));
            },
        );
    }

    /// Returns whether a row has a value.
    #[inline]
    pub fn has(&self, row: usize) -> bool {
        self.is_there.get(row).copied().unwrap_or(true)
    }

    /// Returns the text in a row; `None` if it is missing or the column does not hold texts.
    pub fn text(&self, row: usize) -> Option<&str> {
        std::str::from_utf8(self.text_bytes(row)?).ok()
    }

    /// Returns the text in a row, like [`text`](ColumnValues::text), as UTF-8.
    #[inline]
    pub fn text_bytes(&self, row: usize) -> Option<&[u8]> {
        match &self.values {
            _ if !self.has(row) => None,
            Values::Text { bytes, offsets } => {
                bytes.get(*offsets.get(row)? as usize..*offsets.get(row + 1)? as usize)
            }
            Values::Repeated { keys, texts } => Some(texts.text(*keys.get(row)?)),
            _ => None,
        }
    }

    /// Replaces the text in the last row by the text that `rewrite` appends for it. Does nothing for
    /// other columns.
    pub fn rewrite_last(&mut self, rewrite: impl FnOnce(&str, &mut Vec<u8>)) {
        match &mut self.values {
            Values::Text { bytes, offsets } => {
                let [.., start, end] = &mut offsets[..] else { return };
                let text = bytes.split_off(*start as usize);
                if let Ok(text) = std::str::from_utf8(&text) {
                    rewrite(text, bytes);
                }
                *end = bytes.len() as i64;
            }
            Values::Repeated { keys, texts } => {
                let Some(key) = keys.last_mut() else { return };
                let old = if texts.is_empty() { &[][..] } else { texts.text(*key) };
                let mut new = Vec::new();
                if let Ok(old) = std::str::from_utf8(old) {
                    rewrite(old, &mut new);
                }
                *key = texts.key(&new);
            }
            _ => {}
        }
    }

    /// Sets the text in the last row, which is missing. Does nothing for other columns.
    pub(super) fn set_last(&mut self, text: &[u8]) {
        if let Some(is_there) = self.is_there.last_mut() {
            *is_there = true;
        }
        self.rewrite_last(|_, bytes| bytes.extend_from_slice(text));
    }

    /// Records whether the row just appended has a value.
    #[inline(always)]
    pub(super) fn note(&mut self, is_there: bool) {
        if !is_there && self.is_there.is_empty() {
            self.is_there.resize(self.len() - 1, true);
            self.is_there.push(false);
        } else if !self.is_there.is_empty() {
            self.is_there.push(is_there);
        }
    }
}
