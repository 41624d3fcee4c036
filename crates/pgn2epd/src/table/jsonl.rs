//! Rows as JSON objects, one per line.

use emit::{ColumnList, ColumnValues, Rows, Values};

use super::field_texts::FieldTexts;

/// The parts of an object that are the same in each line.
#[derive(Debug)]
pub(crate) struct Keys(Vec<Vec<u8>>);

impl Keys {
    /// Prepares the names of the columns, which need no escapes.
    pub(super) fn new(list: &ColumnList) -> Self {
        let key = |(index, name): (usize, &str)| {
            let start = if index == 0 { '{' } else { ',' };
            format!("{start}\"{name}\":").into_bytes()
        };
        Keys(list.names().enumerate().map(key).collect())
    }

    /// Appends a line for each row.
    pub(super) fn write(&self, rows: &Rows, text: &mut Vec<u8>) {
        let mut fields: Vec<_> = rows.columns.iter().map(FieldTexts::of).collect();
        for row in 0..rows.len() {
            for ((key, column), fields) in self.0.iter().zip(&rows.columns).zip(&mut fields) {
                text.extend_from_slice(key);
                match (&column.values, fields) {
                    (Values::Repeated { keys, .. }, Some(fields)) if column.has(row) => {
                        fields.append(keys[row], string, text);
                    }
                    _ => value(column, row, text),
                }
            }
            text.extend_from_slice(b"}\n");
        }
    }
}

/// Appends the value in a row.
#[inline]
pub(super) fn value(column: &ColumnValues, row: usize, text: &mut Vec<u8>) {
    match &column.values {
        _ if !column.has(row) => text.extend_from_slice(b"null"),
        Values::Text { .. } | Values::Repeated { .. } => {
            string(column.text_bytes(row).unwrap_or_default(), text);
        }
        // 64 bits are more than a JSON number has in most programs.
        Values::Key(_) | Values::Packed(_) | Values::Date(_) => {
            text.push(b'"');
            column.write_cell(row, text);
            text.push(b'"');
        }
        Values::Board(_) | Values::Bitboards(_) => {
            let start = text.len();
            column.write_cell(row, text);
            let is_wide = matches!(column.values, Values::Bitboards(_));
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
            text.push(b'[');
            for place in offsets[row]..offsets[row + 1] {
                if place > offsets[row] {
                    text.push(b',');
                }
                value(values, place as usize, text);
            }
            text.push(b']');
        }
        _ => drop(column.write_cell(row, text)),
    }
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
