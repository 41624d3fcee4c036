//! Rows as JSON objects, one per line.

use std::io::Write;

use crate::column::{ColumnValues, Values};
use crate::field_texts::FieldTexts;
use crate::rows::Rows;
use crate::schema::{ColumnType, Field};

/// The parts of an object that are the same in each line.
#[derive(Debug)]
pub(crate) struct Keys(Vec<Vec<u8>>);

impl Keys {
    /// Prepares the names of the columns, which need no escapes.
    pub(crate) fn new(fields: &[Field]) -> Self {
        let key = |(index, field): (usize, &Field)| {
            let start = if index == 0 { '{' } else { ',' };
            format!("{start}\"{}\":", field.name).into_bytes()
        };
        Keys(fields.iter().enumerate().map(key).collect())
    }

    pub(crate) fn write(&self, rows: &Rows, fields: &[Field], text: &mut Vec<u8>) {
        let columns = self.0.iter().zip(&rows.columns).zip(fields);
        let mut columns: Vec<_> = columns
            .map(|((key, column), field)| (key, column, field, FieldTexts::of(column)))
            .collect();
        for row in 0..rows.len() {
            for (key, column, field, texts) in &mut columns {
                text.extend_from_slice(key);
                match (&column.values, texts) {
                    (Values::Repeated { keys, .. }, Some(texts)) if column.is_valid(row) => {
                        texts.append(keys[row], string, text);
                    }
                    _ => value(column, field, row, text),
                }
            }
            text.extend_from_slice(b"}\n");
        }
    }
}

#[inline]
pub(crate) fn value(column: &ColumnValues, field: &Field, row: usize, text: &mut Vec<u8>) {
    match &column.values {
        _ if !column.is_valid(row) => text.extend_from_slice(b"null"),
        Values::Text { .. } | Values::Repeated { .. } => {
            string(column.text_bytes(row).unwrap_or_default(), text);
        }
        // 64 bits are more than a JSON number has in most programs.
        Values::U64(_) | Values::Bytes32(_) | Values::Date(_) => {
            text.push(b'"');
            column.write_cell(row, text);
            text.push(b'"');
        }
        Values::F64(values) if matches!(field.column_type, ColumnType::Decimal) => {
            decimal(values[row], text);
        }
        Values::U8x64(_) | Values::U64x12(_) => {
            let start = text.len();
            column.write_cell(row, text);
            let is_wide = matches!(column.values, Values::U64x12(_));
            // 64 bits are text, as those of `key`.
            let between: &[u8] = if is_wide { b"\",\"" } else { b"," };
            let numbers = text.split_off(start);
            text.extend_from_slice(if is_wide { b"[\"" } else { b"[" });
            for (index, number) in numbers.split(|byte| *byte == b' ').enumerate() {
                if index > 0 {
                    text.extend_from_slice(between);
                }
                text.extend_from_slice(number);
            }
            text.extend_from_slice(if is_wide { b"\"]" } else { b"]" });
        }
        Values::List { values, offsets, .. } => {
            let ColumnType::List(item, _) = &field.column_type else { return };
            text.push(b'[');
            for place in offsets[row]..offsets[row + 1] {
                if place > offsets[row] {
                    text.push(b',');
                }
                value(values, item, place as usize, text);
            }
            text.push(b']');
        }
        Values::Struct(columns) => {
            let ColumnType::Struct(fields) = &field.column_type else { return };
            for (index, (column, field)) in columns.iter().zip(fields).enumerate() {
                text.extend_from_slice(if index == 0 { b"{\"" } else { b",\"" });
                text.extend_from_slice(field.name.as_bytes());
                text.extend_from_slice(b"\":");
                value(column, field, row, text);
            }
            text.push(b'}');
        }
        _ => drop(column.write_cell(row, text)),
    }
}

/// Appends a number with a decimal point.
pub(crate) fn decimal(value: f64, text: &mut Vec<u8>) {
    // Writing to memory does not fail.
    let _ = write!(text, "{value:?}");
}

/// Appends a string with the escapes that JSON requires (RFC 8259, 7).
#[inline]
fn string(value: &[u8], text: &mut Vec<u8>) {
    text.push(b'"');
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
    // All bytes are looked at, so that several are at once.
    if !value.iter().fold(false, |found, byte| found | is_special(byte)) {
        text.extend_from_slice(value);
    } else {
        for byte in value {
            match byte {
                b'"' | b'\\' => text.extend_from_slice(&[b'\\', *byte]),
                0..0x20 => text.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
                _ => text.push(*byte),
            }
        }
    }
    text.push(b'"');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn strings_are_read_back(value in any::<String>()) {
            let mut text = Vec::new();
            string(value.as_bytes(), &mut text);
            prop_assert_eq!(serde_json::from_slice::<String>(&text).unwrap(), value);
        }
    }
}
