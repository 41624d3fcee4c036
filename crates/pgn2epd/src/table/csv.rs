//! Rows as comma-separated values (RFC 4180, with LF as line end).

use emit::{ColumnList, Rows, Values};

use super::field_texts::FieldTexts;
use super::jsonl;

/// Writes the line with the names of the columns, which need no quotes.
pub(super) fn header(list: &ColumnList) -> Vec<u8> {
    let mut line = list.names().collect::<Vec<_>>().join(",").into_bytes();
    line.push(b'\n');
    line
}

/// Appends a line for each row. With `is_safe`, texts that spreadsheets take for formulas begin with an apostrophe.
pub(super) fn write(rows: &Rows, is_safe: bool, text: &mut Vec<u8>) {
    if is_safe { write_with(safe_field, rows, text) } else { write_with(field, rows, text) }
}

/// Appends a line for each row, with texts as `field` writes them.
fn write_with(field: impl Fn(&[u8], &mut Vec<u8>), rows: &Rows, text: &mut Vec<u8>) {
    let mut scratch = Vec::new();
    let mut fields: Vec<_> = rows.columns.iter().map(FieldTexts::of).collect();
    for row in 0..rows.len() {
        let start = text.len();
        for (index, (column, fields)) in rows.columns.iter().zip(&mut fields).enumerate() {
            if index > 0 {
                text.push(b',');
            }
            match &column.values {
                Values::Repeated { keys, .. } => {
                    if let (true, Some(fields)) = (column.has(row), fields) {
                        fields.append(keys[row], &field, text);
                    }
                }
                Values::Text { .. } => {
                    if let Some(value) = column.text_bytes(row) {
                        field(value, text);
                    }
                }
                Values::List { separator, .. } => {
                    scratch.clear();
                    match separator {
                        b' ' => drop(column.write_cell(row, &mut scratch)),
                        // The values may contain any character.
                        _ => jsonl::value(column, row, &mut scratch),
                    }
                    field(&scratch, text);
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

/// Appends a text that is there, with quotes if it needs them. An empty one has quotes, so that it
/// differs from one that is missing.
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

/// Appends a field like [`field`]; one that begins like a formula, as spreadsheets read it, begins with an apostrophe.
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
