//! Rows as comma-separated values (RFC 4180, with LF as line end).

use crate::column::Values;
use crate::field_texts::FieldTexts;
use crate::json;
use crate::rows::Rows;
use crate::schema::{ColumnType, Field, ListText, Schema};

/// Writes the line with the names of the columns, which need no quotes.
pub(crate) fn header(schema: &Schema) -> Vec<u8> {
    let names: Vec<&str> = schema.fields.iter().map(|field| &*field.name).collect();
    let mut line = names.join(",").into_bytes();
    line.push(b'\n');
    line
}

/// With `is_safe`, texts that spreadsheets take for formulas begin with an apostrophe.
pub(crate) fn write(rows: &Rows, fields: &[Field], is_safe: bool, text: &mut Vec<u8>) {
    match is_safe {
        true => write_with(safe_field, rows, fields, text),
        false => write_with(field, rows, fields, text),
    }
}

/// Appends a line for each row, with texts as `field` writes them.
fn write_with(
    field: impl Fn(&[u8], &mut Vec<u8>),
    rows: &Rows,
    fields: &[Field],
    text: &mut Vec<u8>,
) {
    let mut scratch = Vec::new();
    let columns = rows.columns.iter().zip(fields);
    let mut columns: Vec<_> =
        columns.map(|(column, of)| (column, of, FieldTexts::of(column))).collect();
    for row in 0..rows.len() {
        let start = text.len();
        for (index, (column, of, texts)) in columns.iter_mut().enumerate() {
            if index > 0 {
                text.push(b',');
            }
            match &column.values {
                _ if !column.is_valid(row) => {}
                Values::Repeated { keys, .. } => {
                    if let Some(texts) = texts {
                        texts.append(keys[row], &field, text);
                    }
                }
                Values::Text { .. } => field(column.text_bytes(row).unwrap_or_default(), text),
                Values::List { .. } | Values::Struct(_) => {
                    scratch.clear();
                    match of.column_type {
                        ColumnType::List(_, ListText::Words) => {
                            column.write_cell(row, &mut scratch);
                        }
                        // The values may contain any character.
                        _ => json::value(column, of, row, &mut scratch),
                    }
                    field(&scratch, text);
                }
                Values::F64(values) if matches!(of.column_type, ColumnType::Decimal) => {
                    json::decimal(values[row], text);
                }
                _ => drop(column.write_cell(row, text)),
            }
        }
        // Readers skip an empty line.
        if text.len() == start {
            text.extend_from_slice(b"\"\"");
        }
        text.push(b'\n');
    }
}

/// Adds quotes if needed, and to an empty text, so that it differs from a missing one.
#[inline]
fn field(value: &[u8], text: &mut Vec<u8>) {
    let is_special = |byte: &u8| matches!(byte, b'"' | b',' | b'\n' | b'\r');
    // All bytes are looked at, so that several are at once.
    if !value.is_empty() && !value.iter().fold(false, |found, byte| found | is_special(byte)) {
        return text.extend_from_slice(value);
    }
    text.push(b'"');
    for (index, part) in value.split(|byte| *byte == b'"').enumerate() {
        if index > 0 {
            text.extend_from_slice(b"\"\"");
        }
        text.extend_from_slice(part);
    }
    text.push(b'"');
}

/// Like [`field`], but what spreadsheets take for a formula begins with an apostrophe.
fn safe_field(value: &[u8], text: &mut Vec<u8>) {
    match value {
        [b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r', ..] => field(&[b"'", value].concat(), text),
        _ => field(value, text),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn fields_are_read_back(fields in proptest::collection::vec("[a\"',;\r\n é]{0,4}", 1..4)) {
            let mut text = Vec::new();
            for (index, value) in fields.iter().enumerate() {
                if index > 0 {
                    text.push(b',');
                }
                field(value.as_bytes(), &mut text);
            }
            text.push(b'\n');
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&*text);
            let read: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
            prop_assert_eq!(read.len(), 1);
            prop_assert!(read[0].iter().eq(fields.iter().map(String::as_str)), "{:?}", read);
        }
    }
}
