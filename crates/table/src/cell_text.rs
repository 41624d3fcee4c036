//! Cells as text.

use std::io::Write;

use crate::column::{ColumnValues, Values};
use crate::schema::ListText;

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
            Values::U8x64(values) => write_numbers(values[row].map(u64::from), text),
            Values::U64x12(values) => write_numbers(values[row], text),
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

/// Returns the date of a number of days since 1 January 1970: year, month, day.
pub fn date_of(days: i32) -> (i32, i32, i32) {
    let days = days.saturating_add(EPOCH);
    let (cycle, day) = (days.div_euclid(CYCLE), days.rem_euclid(CYCLE));
    let year = (day - day / 1460 + day / 36524 - day / (CYCLE - 1)) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let year = year + 400 * cycle;
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

/// Appends a date as `1851-06-21`.
pub fn write_date(days: i32, text: &mut Vec<u8>) {
    let (year, month, day) = date_of(days);
    text.extend_from_slice(format!("{year:04}-{month:02}-{day:02}").as_bytes());
}

/// Writes numbers with spaces between them.
fn write_numbers(numbers: impl IntoIterator<Item = u64>, text: &mut Vec<u8>) {
    for (index, number) in numbers.into_iter().enumerate() {
        if index > 0 {
            text.push(b' ');
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
}
