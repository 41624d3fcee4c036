//! Rows as bytes, for rows that are stored.

use std::io;

use crate::column::{ColumnValues, Values};
use crate::rows::Rows;

impl Rows {
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

    /// Appends a row with the same columns that was [written as bytes](Rows::write_row).
    ///
    /// # Errors
    ///
    /// If the bytes are not those of such a row; the row is partly there then.
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
            Values::I32(values) | Values::Date(values) => out.extend(values[row].to_le_bytes()),
            Values::I64(values) => out.extend(values[row].to_le_bytes()),
            Values::U64(values) => out.extend(values[row].to_le_bytes()),
            Values::F64(values) => out.extend(values[row].to_le_bytes()),
            Values::Bytes32(values) => out.extend(values[row]),
            Values::U8x64(values) => out.extend(values[row]),
            Values::U64x12(values) => out.extend(values[row].map(u64::to_le_bytes).as_flattened()),
            Values::Text { .. } | Values::Repeated { .. } => {
                let text = self.text_bytes(row).unwrap_or_default();
                out.extend((text.len() as u32).to_le_bytes());
                out.extend(text);
            }
            Values::List { values, offsets, .. } => {
                let places = offsets[row] as usize..offsets[row + 1] as usize;
                out.extend((places.len() as u32).to_le_bytes());
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
