//! Rows as text: cells, CSV and JSON Lines. A text that repeats is written once for all its rows.

use std::io::Write;

use crate::dictionary::Dictionary;
use crate::rows::{ColumnType, ColumnValues, Field, ListText, Rows, Schema, Values};

impl ColumnValues {
    /// Returns the value in a row as text, as a template writes it; `None` if it is missing.
    ///
    /// ```
    /// use table::{ColumnValues, Values};
    ///
    /// let column = ColumnValues { values: Values::F64(vec![62.5, 0.0]), validity: vec![true, false] };
    /// assert_eq!((column.cell_text(0), column.cell_text(1)), (Some("62.5".to_owned()), None));
    /// ```
    pub fn cell_text(&self, row: usize) -> Option<String> {
        let mut text = Vec::new();
        let has_text = self.write_cell(row, &mut text);
        has_text.then(|| String::from_utf8_lossy(&text).into_owned())
    }

    /// Like [`cell_text`](ColumnValues::cell_text); returns whether there is a value.
    #[inline]
    pub(crate) fn write_cell(&self, row: usize, text: &mut Vec<u8>) -> bool {
        if !self.is_valid(row) {
            return false;
        }
        let mut digits = itoa::Buffer::new();
        match &self.values {
            Values::Bool(values) => {
                text.extend_from_slice(if values[row] { b"true" } else { b"false" });
            }
            Values::I32(values) => text.extend_from_slice(digits.format(values[row]).as_bytes()),
            Values::I64(values) => text.extend_from_slice(digits.format(values[row]).as_bytes()),
            Values::U64(values) => write_hexadecimal(&values[row].to_be_bytes(), text),
            Values::F64(values) => write_decimal(values[row], text),
            Values::Date(values) => write_date(values[row], text),
            Values::Bytes32(values) => write_hexadecimal(&values[row], text),
            Values::U8x64(values) => write_numbers(values[row].map(u64::from), b" ", text),
            Values::U64x12(values) => write_numbers(values[row], b" ", text),
            Values::Text { .. } | Values::Repeated { .. } => {
                text.extend_from_slice(self.text_bytes(row).unwrap_or_default());
            }
            Values::List { values, offsets, text: list_text } => {
                for place in offsets[row]..offsets[row + 1] {
                    if place > offsets[row] {
                        text.push(if *list_text == ListText::Words { b' ' } else { b'\n' });
                    }
                    // As in PGN.
                    if !values.write_cell(place as usize, text) {
                        text.push(b'?');
                    }
                }
            }
            Values::Struct(fields) => {
                for (index, field) in fields.iter().enumerate() {
                    if index > 0 {
                        text.push(b' ');
                    }
                    field.write_cell(row, text);
                }
            }
        }
        true
    }
}

/// Writes the shortest decimal number that is read as the same value.
fn write_decimal(value: f64, text: &mut Vec<u8>) {
    // Times and ratings have up to three decimals. Up to 15 digits identify a number.
    let thousandths = (value * 1000.0).round();
    let is_read_back = thousandths / 1000.0 == value && !value.is_sign_negative();
    if !is_read_back || thousandths >= 1e15 {
        // Writing to memory does not fail.
        let _ = write!(text, "{value}");
        return;
    }
    let thousandths = thousandths as u64;
    text.extend_from_slice(itoa::Buffer::new().format(thousandths / 1000).as_bytes());
    let rest = thousandths % 1000;
    if rest > 0 {
        let digits = [
            b'.',
            b'0' + (rest / 100) as u8,
            b'0' + (rest / 10 % 10) as u8,
            b'0' + (rest % 10) as u8,
        ];
        let len = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
        text.extend_from_slice(&digits[..len]);
    }
}

/// Days from 1 March of year 0 to 1 January 1970.
const EPOCH: i32 = 719_468;

/// Days in 400 years.
const CYCLE: i32 = 146_097;

/// Appends a date, given as days since 1 January 1970, as `1851-06-21`.
pub fn write_date(days: i32, text: &mut Vec<u8>) {
    let days = days.saturating_add(EPOCH);
    let (cycle, day) = (days.div_euclid(CYCLE), days.rem_euclid(CYCLE));
    let year = (day - day / 1460 + day / 36524 - day / (CYCLE - 1)) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let year = year + 400 * cycle;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    text.extend_from_slice(format!("{year:04}-{month:02}-{day:02}").as_bytes());
}

fn write_numbers(numbers: impl IntoIterator<Item = u64>, between: &[u8], text: &mut Vec<u8>) {
    for (index, number) in numbers.into_iter().enumerate() {
        if index > 0 {
            text.extend_from_slice(between);
        }
        text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
    }
}

fn write_hexadecimal(bytes: &[u8], text: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for byte in bytes {
        text.push(DIGITS[usize::from(byte >> 4)]);
        text.push(DIGITS[usize::from(byte & 15)]);
    }
}

/// The fields of texts, each of which is written once for all its rows.
#[derive(Debug)]
pub(crate) struct FieldTexts<'t> {
    texts: &'t Dictionary,
    bytes: Vec<u8>,
    /// The start and the end of the field of each text, which are equal if it was not written yet.
    places: Vec<(usize, usize)>,
}

impl<'t> FieldTexts<'t> {
    /// Makes the fields of a column, if its texts repeat.
    pub(crate) fn of(column: &'t ColumnValues) -> Option<Self> {
        let Values::Repeated { texts, .. } = &column.values else { return None };
        let places = vec![(0, 0); texts.len()];
        Some(FieldTexts { texts, bytes: Vec::new(), places })
    }

    /// Appends the field of a text, which `write` writes; it is never empty.
    #[inline]
    pub(crate) fn append(
        &mut self,
        key: u32,
        write: impl FnOnce(&[u8], &mut Vec<u8>),
        text: &mut Vec<u8>,
    ) {
        let place = &mut self.places[key as usize];
        if place.0 == place.1 {
            place.0 = self.bytes.len();
            write(self.texts.text(key), &mut self.bytes);
            place.1 = self.bytes.len();
        }
        text.extend_from_slice(&self.bytes[place.0..place.1]);
    }
}

pub(crate) fn write_objects(rows: &Rows, fields: &[Field], text: &mut Vec<u8>) {
    let mut columns = Vec::new();
    for (index, (column, field)) in rows.columns.iter().zip(fields).enumerate() {
        let start = if index == 0 { '{' } else { ',' };
        // The names need no escapes.
        let key = format!("{start}\"{}\":", field.name).into_bytes();
        columns.push((key, column, field, FieldTexts::of(column)));
    }
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

#[inline]
fn value(column: &ColumnValues, field: &Field, row: usize, text: &mut Vec<u8>) {
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
        Values::U8x64(values) => {
            text.push(b'[');
            write_numbers(values[row].map(u64::from), b",", text);
            text.push(b']');
        }
        // 64 bits are text, as those of `key`.
        Values::U64x12(values) => {
            text.extend_from_slice(b"[\"");
            write_numbers(values[row], b"\",\"", text);
            text.extend_from_slice(b"\"]");
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

fn decimal(value: f64, text: &mut Vec<u8>) {
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

/// Writes the line with the names of the columns, which need no quotes.
pub(crate) fn header(schema: &Schema) -> Vec<u8> {
    let names: Vec<&str> = schema.fields.iter().map(|field| &*field.name).collect();
    let mut line = names.join(",").into_bytes();
    line.push(b'\n');
    line
}

/// Writes rows; with `is_safe`, texts that spreadsheets take for formulas get an apostrophe.
pub(crate) fn write_lines(rows: &Rows, fields: &[Field], is_safe: bool, text: &mut Vec<u8>) {
    let field = |value: &[u8], text: &mut Vec<u8>| field(value, is_safe, text);
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
                        texts.append(keys[row], field, text);
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
                        _ => value(column, of, row, &mut scratch),
                    }
                    field(&scratch, text);
                }
                Values::F64(values) if matches!(of.column_type, ColumnType::Decimal) => {
                    decimal(values[row], text);
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
fn field(value: &[u8], is_safe: bool, text: &mut Vec<u8>) {
    if is_safe && matches!(value, [b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r', ..]) {
        return field(&[b"'", value].concat(), false, text);
    }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_number_is_written_as_briefly_as_possible(
            thousandths in 0..10_000_000_u32, other in any::<f64>(),
        ) {
            for value in [f64::from(thousandths) / 1000.0, f64::from(thousandths), other] {
                let mut text = Vec::new();
                write_decimal(value, &mut text);
                prop_assert_eq!(String::from_utf8(text).unwrap(), value.to_string());
            }
        }
    }

    #[test]
    fn keys_and_positions_are_hexadecimal() {
        let key = ColumnValues { values: Values::U64(vec![0x0123_abcd]), validity: Vec::new() };
        assert_eq!(key.cell_text(0).as_deref(), Some("000000000123abcd"));
        let mut position = [0; 32];
        position[0] = 0xff;
        let packed = ColumnValues { values: Values::Bytes32(vec![position]), validity: Vec::new() };
        assert_eq!(packed.cell_text(0), Some(format!("ff{}", "0".repeat(62))));
    }

    proptest! {
        #[test]
        fn strings_are_read_back(value in any::<String>()) {
            let mut text = Vec::new();
            string(value.as_bytes(), &mut text);
            prop_assert_eq!(serde_json::from_slice::<String>(&text).unwrap(), value);
        }
    }

    proptest! {
        #[test]
        fn fields_are_read_back(fields in proptest::collection::vec("[a\"',;\r\n é]{0,4}", 1..4)) {
            let mut text = Vec::new();
            for (index, value) in fields.iter().enumerate() {
                if index > 0 {
                    text.push(b',');
                }
                field(value.as_bytes(), false, &mut text);
            }
            text.push(b'\n');
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&*text);
            let read: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
            prop_assert_eq!(read.len(), 1);
            prop_assert!(read[0].iter().eq(fields.iter().map(String::as_str)), "{:?}", read);
        }
    }
}
