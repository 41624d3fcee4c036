//! Rows as bytes, for rows that are stored.

use std::io;

use super::{ColumnValues, Rows, Values};

impl Rows {
    /// Appends a row as bytes.
    ///
    /// ```
    /// use emit::{Column, Fact, Plan, Replay, RowSink, Rows, Text};
    ///
    /// let columns = [Column::Fact(Fact::Ply), Column::Fact(Fact::Uci)];
    /// let plan = Plan { facts: columns.iter().filter_map(Column::fact).collect(), ..Plan::default() };
    /// let (mut rows, mut text) = (Rows::new(&columns, &Rows::default()), Text::default());
    /// let mut sink = RowSink::new(text.sink(&plan), &columns, &plan, &mut rows);
    /// Replay::new(pgn::Chunk::whole(b"1. e4 e5 *"), &plan).run(&mut sink);
    ///
    /// let mut copies = rows.without_rows();
    /// for row in 0..rows.len() {
    ///     let mut bytes = Vec::new();
    ///     rows.write_row(row, &mut bytes);
    ///     copies.read_row(&bytes)?;
    /// }
    /// assert_eq!(copies.columns[1].text(1), Some("e7e5"));
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
        self.len += 1;
        Ok(())
    }
}

impl ColumnValues {
    fn write_value(&self, row: usize, out: &mut Vec<u8>) {
        out.push(u8::from(self.has(row)));
        match &self.values {
            Values::Bool(values) => out.push(u8::from(values[row])),
            Values::U64(values) | Values::Key(values) => out.extend(values[row].to_le_bytes()),
            Values::U32(values) => out.extend(values[row].to_le_bytes()),
            Values::I32(values) | Values::Date(values) => out.extend(values[row].to_le_bytes()),
            Values::F64(values) => out.extend(values[row].to_le_bytes()),
            Values::Packed(values) => out.extend(values[row]),
            Values::Board(values) => out.extend(values[row]),
            Values::Bitboards(values) => {
                out.extend(values[row].map(u64::to_le_bytes).as_flattened())
            }
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
        }
    }

    /// Reads the value of the next row.
    fn read_value(&mut self, bytes: &mut &[u8]) -> Option<()> {
        let is_there = read::<1>(bytes)? != [0];
        match &mut self.values {
            Values::Bool(values) => values.push(read::<1>(bytes)? != [0]),
            Values::U64(values) | Values::Key(values) => {
                values.push(u64::from_le_bytes(read(bytes)?));
            }
            Values::U32(values) => values.push(u32::from_le_bytes(read(bytes)?)),
            Values::I32(values) | Values::Date(values) => {
                values.push(i32::from_le_bytes(read(bytes)?));
            }
            Values::F64(values) => values.push(f64::from_le_bytes(read(bytes)?)),
            Values::Packed(values) => values.push(read(bytes)?),
            Values::Board(values) => values.push(read(bytes)?),
            Values::Bitboards(values) => {
                let (words, _) = bytes.split_at_checked(96)?;
                let (words, _) = words.as_chunks();
                values.push(std::array::from_fn(|index| u64::from_le_bytes(words[index])));
                *bytes = &bytes[96..];
            }
            Values::Text { .. } | Values::Repeated { .. } => {
                let size = u32::from_le_bytes(read(bytes)?) as usize;
                let (value, rest) = bytes.split_at_checked(size)?;
                *bytes = rest;
                self.push_text(is_there.then_some(value));
                return Some(());
            }
            Values::List { values, offsets, .. } => {
                for _ in 0..u32::from_le_bytes(read(bytes)?) {
                    values.read_value(bytes)?;
                }
                offsets.push(values.len() as i64);
            }
        }
        self.note(is_there);
        Some(())
    }
}

/// Removes the first bytes and returns them.
fn read<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}
