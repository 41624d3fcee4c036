//! Batches of rows: the names and types of columns, their values, and rows as bytes, to be stored.

use std::borrow::Borrow;
use std::io;

use crate::dictionary::Dictionary;

/// The columns of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    /// The columns, in order.
    pub fields: Vec<Field>,
    /// Whether texts and lists have offsets of 32 bits in Arrow, as Spark requires; a batch then
    /// has at most 2 GiB of text.
    pub has_small_offsets: bool,
}

/// A column, or a part of a list or a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name: letters, digits and underscores.
    pub name: String,
    /// The type of the values.
    pub column_type: ColumnType,
    /// Whether values may be missing.
    pub may_be_missing: bool,
}

/// The type of the values of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// Booleans.
    Bool,
    /// Integers of 32 bits. All integers are signed, so that differences are right: query engines
    /// compute them in the type of the columns.
    I32,
    /// Integers of 64 bits.
    I64,
    /// 64 bits that identify something, in hexadecimal digits as text.
    U64,
    /// Decimal numbers, as short as possible as text.
    F64,
    /// Decimal numbers, always with a decimal point as text.
    Decimal,
    /// Dates.
    Date,
    /// Texts of which nearly all are different.
    Text,
    /// Texts that repeat.
    Repeated,
    /// 32 bytes of which nearly all are different, in hexadecimal digits as text.
    Bytes32,
    /// Lists of 64 small numbers.
    U8x64,
    /// Lists of 12 numbers of 64 bits.
    U64x12,
    /// Lists of the values of a field.
    List(Box<Field>, ListText),
    /// Structures with these fields.
    Struct(Vec<Field>),
}

/// How CSV writes a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListText {
    /// Its values with a space between them.
    Words,
    /// As in JSON: its values may have spaces.
    Json,
}

impl Schema {
    /// Makes a schema of columns.
    pub fn new(fields: impl IntoIterator<Item = Field>) -> Self {
        Schema { fields: fields.into_iter().collect(), ..Schema::default() }
    }

    /// Returns the types of the columns.
    pub fn types(&self) -> impl Iterator<Item = &ColumnType> {
        self.fields.iter().map(|field| &field.column_type)
    }
}

impl Field {
    /// Makes a column whose values may be missing.
    pub fn new(name: &str, column_type: ColumnType) -> Self {
        Field { name: name.to_owned(), column_type, may_be_missing: true }
    }

    /// Makes a column that has all values.
    pub fn required(name: &str, column_type: ColumnType) -> Self {
        Field { may_be_missing: false, ..Field::new(name, column_type) }
    }
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Values {
    /// Booleans.
    Bool(Vec<bool>),
    /// Integers of 32 bits.
    I32(Vec<i32>),
    /// Integers of 64 bits.
    I64(Vec<i64>),
    /// 64 bits that identify something.
    U64(Vec<u64>),
    /// Decimal numbers.
    F64(Vec<f64>),
    /// Dates, in days since 1 January 1970.
    Date(Vec<i32>),
    /// 32 bytes.
    Bytes32(Vec<[u8; 32]>),
    /// 64 small numbers.
    U8x64(Vec<[u8; 64]>),
    /// Twelve numbers.
    U64x12(Vec<[u64; 12]>),
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
        /// How CSV writes them.
        text: ListText,
    },
    /// Structures: the values of each field.
    Struct(Vec<ColumnValues>),
}

/// The values of a column and which of them are present.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnValues {
    /// A value for each row; zero or an empty text if it is missing.
    pub values: Values,
    /// Whether each row has a value; empty if all have one.
    pub validity: Vec<bool>,
}

/// A value for a column of this kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'c> {
    /// None.
    Missing,
    /// An integer.
    Integer(i64),
    /// A decimal number.
    Decimal(f64),
    /// A text in UTF-8.
    Text(&'c [u8]),
    /// 32 bytes.
    Bytes32(&'c [u8; 32]),
}

impl<'c> Cell<'c> {
    /// Returns an integer, or a missing value.
    pub fn integer(number: Option<impl Into<i64>>) -> Self {
        number.map_or(Cell::Missing, |number| Cell::Integer(number.into()))
    }

    /// Returns a text, or a missing value.
    pub fn text(text: Option<&'c str>) -> Self {
        text.map_or(Cell::Missing, |text| Cell::Text(text.as_bytes()))
    }
}

/// Evaluates an expression for a vector of values of a fixed size, or one of the others.
macro_rules! for_vector {
    ($values:expr, $vector:ident => $each:expr, $($other:pat => $otherwise:expr,)+) => {
        match $values {
            Values::Bool($vector) => $each,
            Values::I32($vector) | Values::Date($vector) => $each,
            Values::I64($vector) => $each,
            Values::U64($vector) => $each,
            Values::F64($vector) => $each,
            Values::Bytes32($vector) => $each,
            Values::U8x64($vector) => $each,
            Values::U64x12($vector) => $each,
            $($other => $otherwise,)+
        }
    };
}

trait Missing {
    const MISSING: Self;
}

macro_rules! missing {
    ($($kind:ty = $value:expr),+) => { $(impl Missing for $kind { const MISSING: Self = $value; })+ };
}

missing!(bool = false, u64 = 0, i64 = 0, u32 = 0, i32 = 0, f64 = 0.0, [u8; 32] = [0; 32]);

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
    pub fn new(column_type: &ColumnType, rows: usize, old: Option<&ColumnValues>) -> Self {
        let offsets = || {
            let mut offsets = Vec::with_capacity(rows + 1);
            offsets.push(0);
            offsets
        };
        let bytes = Vec::with_capacity(match old.map(|old| &old.values) {
            Some(Values::Text { bytes, .. }) => bytes.len(),
            _ => 0,
        });
        let values = match column_type {
            ColumnType::Bool => Values::Bool(Vec::with_capacity(rows)),
            ColumnType::I32 => Values::I32(Vec::with_capacity(rows)),
            ColumnType::I64 => Values::I64(Vec::with_capacity(rows)),
            ColumnType::U64 => Values::U64(Vec::with_capacity(rows)),
            ColumnType::F64 | ColumnType::Decimal => Values::F64(Vec::with_capacity(rows)),
            ColumnType::Date => Values::Date(Vec::with_capacity(rows)),
            ColumnType::Bytes32 => Values::Bytes32(Vec::with_capacity(rows)),
            ColumnType::U8x64 => Values::U8x64(Vec::with_capacity(rows)),
            ColumnType::U64x12 => Values::U64x12(Vec::with_capacity(rows)),
            ColumnType::Text => Values::Text { bytes, offsets: offsets() },
            ColumnType::Repeated => {
                Values::Repeated { keys: Vec::with_capacity(rows), texts: Dictionary::default() }
            }
            ColumnType::List(item, text) => {
                let values = Box::new(ColumnValues::new(&item.column_type, 0, None));
                Values::List { values, offsets: offsets(), text: *text }
            }
            ColumnType::Struct(fields) => Values::Struct(
                fields
                    .iter()
                    .map(|field| ColumnValues::new(&field.column_type, rows, None))
                    .collect(),
            ),
        };
        ColumnValues { values, validity: Vec::new() }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        for_vector!(&self.values, values => values.len(),
            Values::Repeated { keys, .. } => keys.len(),
            Values::Text { offsets, .. } => offsets.len() - 1,
            Values::List { offsets, .. } => offsets.len() - 1,
            Values::Struct(fields) => fields.first().map_or(0, ColumnValues::len),
        )
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Size in bytes, without the texts of dictionaries, which depend also on earlier rows.
    pub(crate) fn bytes(&self) -> usize {
        let of_values = for_vector!(&self.values, values => size_of_val(&values[..]),
            Values::Repeated { keys, .. } => size_of_val(&keys[..]),
            Values::Text { bytes, offsets } => {
                bytes.len() + size_of_val(&offsets[..])
            },
            Values::List { values, offsets, .. } => values.bytes() + size_of_val(&offsets[..]),
            Values::Struct(fields) => fields.iter().map(ColumnValues::bytes).sum(),
        );
        of_values + self.validity.len()
    }

    pub(crate) fn shrink(&mut self) {
        self.validity.shrink_to_fit();
        for_vector!(&mut self.values, values => values.shrink_to_fit(),
            Values::Repeated { keys, .. } => keys.shrink_to_fit(),
            Values::Text { bytes, offsets } => {
                bytes.shrink_to_fit();
                offsets.shrink_to_fit();
            },
            Values::List { values, offsets, .. } => {
                values.shrink();
                offsets.shrink_to_fit();
            },
            Values::Struct(fields) => fields.iter_mut().for_each(ColumnValues::shrink),
        );
    }

    /// Appends a value of the column's type.
    pub fn push_cell(&mut self, cell: Cell<'_>) {
        match (&mut self.values, cell) {
            (Values::I32(values), Cell::Integer(number)) => {
                values.push(number.clamp(i32::MIN.into(), i32::MAX.into()) as i32);
            }
            (Values::I64(values), Cell::Integer(number)) => values.push(number),
            (Values::F64(values), Cell::Decimal(number)) => values.push(number),
            (Values::Bytes32(values), Cell::Bytes32(bytes)) => values.push(*bytes),
            (_, Cell::Text(text)) => return self.push_text(Some(text)),
            _ => return self.push_missing(),
        }
        self.note(true);
    }

    /// Appends a structure, given the values of its fields. Does nothing for other columns.
    pub fn push_struct<'c>(&mut self, cells: impl IntoIterator<Item = Cell<'c>>) {
        if let Values::Struct(fields) = &mut self.values {
            fields.iter_mut().zip(cells).for_each(|(field, cell)| field.push_cell(cell));
            self.note(true);
        }
    }

    /// Returns the values of all lists: those after the last list are of the next one, which
    /// [ends](ColumnValues::end_list) later. For other columns, this is the column.
    pub fn list_items(&mut self) -> &mut ColumnValues {
        match self {
            ColumnValues { values: Values::List { values, .. }, .. } => values,
            column => column,
        }
    }

    /// Appends a text, or a missing value. Does nothing for other columns.
    #[inline]
    pub fn push_text(&mut self, text: Option<&[u8]>) {
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

    /// Appends the text with a number, or a missing one. Does nothing for other columns.
    pub fn push_key(&mut self, key: Option<u32>) {
        if let Values::Repeated { keys, .. } = &mut self.values {
            keys.push(key.unwrap_or_default());
            self.note(key.is_some());
        }
    }

    /// Returns the number of the last text in the dictionary, if it is not missing.
    pub fn last_key(&self) -> Option<u32> {
        match &self.values {
            Values::Repeated { keys, .. } if self.validity.last() != Some(&false) => {
                keys.last().copied()
            }
            _ => None,
        }
    }

    /// Appends a missing value.
    pub fn push_missing(&mut self) {
        match &mut self.values {
            // Nearly all missing values have these types.
            Values::I32(values) => values.push(0),
            Values::F64(values) => values.push(0.0),
            Values::Repeated { keys, .. } => keys.push(0),
            _ => return self.pad(self.len() + 1),
        }
        self.note(false);
    }

    /// Appends missing values until there is this number of rows.
    #[inline]
    pub fn pad(&mut self, rows: usize) {
        let len = self.len();
        if len >= rows {
            return;
        }
        if self.validity.is_empty() {
            self.validity.resize(len, true);
        }
        self.validity.resize(rows, false);
        for_vector!(&mut self.values, values => resize(values, rows),
            Values::Repeated { keys, .. } => resize(keys, rows),
            Values::Text { offsets, .. } => repeat(offsets, rows + 1),
            Values::List { offsets, .. } => repeat(offsets, rows + 1),
            Values::Struct(fields) => fields.iter_mut().for_each(|field| field.pad(rows)),
        );
    }

    /// Repeats the last value until there is this number of rows.
    pub fn repeat_last(&mut self, rows: usize) {
        if self.len() >= rows {
            return;
        }
        repeat(&mut self.validity, rows);
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
            Values::List { .. } | Values::Struct(_) => {},
        );
    }

    /// Ends a list. Does nothing for other columns.
    pub fn end_list(&mut self) {
        if let Values::List { values, offsets, .. } = &mut self.values {
            offsets.push(values.len() as i64);
            self.note(true);
        }
    }

    /// Removes the last value of a list that has not ended. Does nothing for other columns.
    pub fn shorten_list(&mut self) {
        if let Values::List { values, .. } = &mut self.values {
            let len = values.len();
            values.truncate(len.saturating_sub(1));
        }
    }

    /// Removes all rows from `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.validity.truncate(len);
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
            Values::Struct(fields) => fields.iter_mut().for_each(|field| field.truncate(len)),
        );
    }

    /// Returns whether a row has a value.
    #[inline]
    pub fn is_valid(&self, row: usize) -> bool {
        self.validity.get(row).copied().unwrap_or(true)
    }

    /// Returns the text in a row; `None` if it is missing or the column does not hold texts.
    pub fn text(&self, row: usize) -> Option<&str> {
        std::str::from_utf8(self.text_bytes(row)?).ok()
    }

    /// Returns the text in a row, like [`text`](ColumnValues::text), as UTF-8, or the bytes.
    #[inline]
    pub fn text_bytes(&self, row: usize) -> Option<&[u8]> {
        match &self.values {
            _ if !self.is_valid(row) => None,
            Values::Text { bytes, offsets } => {
                bytes.get(*offsets.get(row)? as usize..*offsets.get(row + 1)? as usize)
            }
            Values::Repeated { keys, texts } => Some(texts.text(*keys.get(row)?)),
            _ => None,
        }
    }

    /// Replaces the last text by that which `rewrite` appends. Does nothing for other columns.
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
    pub fn set_last(&mut self, text: &[u8]) {
        if let Some(is_valid) = self.validity.last_mut() {
            *is_valid = true;
        }
        self.rewrite_last(|_, bytes| bytes.extend_from_slice(text));
    }

    /// Records whether the row just appended has a value.
    #[inline(always)]
    pub fn note(&mut self, is_valid: bool) {
        if !is_valid && self.validity.is_empty() {
            self.validity.resize(self.len() - 1, true);
            self.validity.push(false);
        } else if !self.validity.is_empty() {
            self.validity.push(is_valid);
        }
    }
}

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

    /// Appends a row as bytes.
    ///
    /// ```
    /// use table::{Cell, ColumnType, Rows};
    ///
    /// let types = [ColumnType::I32, ColumnType::Text];
    /// let mut rows = Rows::new(&types, 0);
    /// rows.push_row([Cell::Integer(1), Cell::Text(b"e2e4")]);
    /// rows.push_row([Cell::Integer(2), Cell::Missing]);
    ///
    /// let mut copies = Rows::like(&types, &rows);
    /// for row in 0..rows.len() {
    ///     let mut bytes = Vec::new();
    ///     rows.write_row(row, &mut bytes);
    ///     copies.read_row(&bytes)?;
    /// }
    /// assert_eq!(copies, rows);
    /// # Ok::<_, std::io::Error>(())
    /// ```
    pub fn write_row(&self, row: usize, out: &mut Vec<u8>) {
        self.columns.iter().for_each(|column| column.write_value(row, out));
    }

    /// Appends a row with the same columns that was [written as bytes](Rows::write_row). Fails if
    /// the bytes are not those of such a row; the row is partly there then.
    pub fn read_row(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        for column in &mut self.columns {
            column.read_value(&mut bytes).ok_or(io::ErrorKind::InvalidData)?;
        }
        self.end_row();
        Ok(())
    }
}

impl ColumnValues {
    fn write_value(&self, row: usize, out: &mut Vec<u8>) {
        out.push(u8::from(self.is_valid(row)));
        match &self.values {
            Values::Bool(values) => out.push(u8::from(values[row])),
            Values::I32(values) | Values::Date(values) => {
                out.extend_from_slice(&values[row].to_le_bytes());
            }
            Values::I64(values) => out.extend_from_slice(&values[row].to_le_bytes()),
            Values::U64(values) => out.extend_from_slice(&values[row].to_le_bytes()),
            Values::F64(values) => out.extend_from_slice(&values[row].to_le_bytes()),
            Values::Bytes32(values) => out.extend_from_slice(&values[row]),
            Values::U8x64(values) => out.extend_from_slice(&values[row]),
            Values::U64x12(values) => out.extend(values[row].map(u64::to_le_bytes).as_flattened()),
            Values::Text { .. } | Values::Repeated { .. } => {
                let text = self.text_bytes(row).unwrap_or_default();
                out.extend_from_slice(&(text.len() as u32).to_le_bytes());
                out.extend_from_slice(text);
            }
            Values::List { values, offsets, .. } => {
                let places = offsets[row] as usize..offsets[row + 1] as usize;
                out.extend_from_slice(&(places.len() as u32).to_le_bytes());
                places.for_each(|place| values.write_value(place, out));
            }
            Values::Struct(fields) => fields.iter().for_each(|field| field.write_value(row, out)),
        }
    }

    fn read_value(&mut self, bytes: &mut &[u8]) -> Option<()> {
        let is_valid = read::<1>(bytes)? != [0];
        match &mut self.values {
            Values::Bool(values) => values.push(read::<1>(bytes)? != [0]),
            Values::I32(values) | Values::Date(values) => {
                values.push(i32::from_le_bytes(read(bytes)?));
            }
            Values::I64(values) => values.push(i64::from_le_bytes(read(bytes)?)),
            Values::U64(values) => values.push(u64::from_le_bytes(read(bytes)?)),
            Values::F64(values) => values.push(f64::from_le_bytes(read(bytes)?)),
            Values::Bytes32(values) => values.push(read(bytes)?),
            Values::U8x64(values) => values.push(read(bytes)?),
            Values::U64x12(values) => {
                let (words, _) = bytes.split_at_checked(96)?;
                let (words, _) = words.as_chunks();
                values.push(std::array::from_fn(|index| u64::from_le_bytes(words[index])));
                *bytes = &bytes[96..];
            }
            Values::Text { .. } | Values::Repeated { .. } => {
                let size = u32::from_le_bytes(read(bytes)?) as usize;
                let (value, rest) = bytes.split_at_checked(size)?;
                *bytes = rest;
                self.push_text(is_valid.then_some(value));
                return Some(());
            }
            Values::List { values, offsets, .. } => {
                for _ in 0..u32::from_le_bytes(read(bytes)?) {
                    values.read_value(bytes)?;
                }
                offsets.push(values.len() as i64);
            }
            Values::Struct(fields) => {
                fields.iter_mut().try_for_each(|field| field.read_value(bytes))?;
            }
        }
        self.note(is_valid);
        Some(())
    }
}

fn read<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}
