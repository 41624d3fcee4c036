//! The order of rows by the values in columns.

use std::fmt;
use std::str::FromStr;

use table::{ColumnValues, Values};

use super::column::Column;
use super::column_list::ColumnListError;
use crate::facts::{FactPlace, Variable, date, decimal};

/// The variables that records are sorted by, as in `--sort`: names of columns, separated by commas,
/// each with `-` before it if high values come first.
///
/// Numbers and dates compare as such, text by its bytes; false is less than true. The value of a
/// tag, or of an operation of records, is a number if it is written as one, or as a date in a tag
/// such as `Date`, and text otherwise; numbers are less than text. Missing values, and those of
/// tags that [are unknown](pgn::is_unknown), come last in either direction.
///
/// ```
/// use emit::{Column, Fact, SortOrder};
///
/// let order: SortOrder = "-WhiteElo,ply".parse()?;
/// assert_eq!(order.columns(), [Column::Tag("WhiteElo".to_owned()), Column::Fact(Fact::Ply)]);
/// assert_eq!(order.to_string(), "-WhiteElo,ply");
///
/// let error = "board".parse::<SortOrder>().unwrap_err();
/// assert_eq!(error.to_string(), "board is not available in sort keys, only in columns");
/// # Ok::<_, emit::ColumnListError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortOrder {
    columns: Vec<Column>,
    is_reversed: Vec<bool>,
}

impl SortOrder {
    /// Returns the columns with the values that decide.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Appends the sort key of a row, given the values of the [columns](SortOrder::columns). The
    /// order of rows is that of the bytes of their keys.
    pub fn write_key(&self, values: &[ColumnValues], row: usize, key: &mut Vec<u8>) {
        for ((column, values), is_reversed) in
            self.columns.iter().zip(values).zip(&self.is_reversed)
        {
            key.push(u8::from(!values.is_valid(row)));
            let start = key.len();
            if values.is_valid(row) {
                write_value(column, values, row, key);
            }
            if *is_reversed {
                key[start..].iter_mut().for_each(|byte| *byte = !*byte);
            }
        }
    }
}

/// Appends a value as bytes whose order is that of the values; none begins with another's.
fn write_value(column: &Column, values: &ColumnValues, row: usize, key: &mut Vec<u8>) {
    match &values.values {
        Values::Bool(values) => key.push(values[row].into()),
        Values::I32(values) | Values::Date(values) => write_integer(values[row].into(), key),
        Values::I64(values) => write_integer(values[row], key),
        Values::U64(values) => key.extend(values[row].to_be_bytes()),
        Values::F64(values) => write_decimal(values[row], key),
        _ => {
            let text = values.text_bytes(row).unwrap_or_default();
            if let Column::Tag(name) = column {
                let number = number_of_tag(name, text);
                key.push(u8::from(number.is_none()));
                if let Some(number) = number {
                    return write_decimal(number, key);
                }
            }
            write_text(text, key);
        }
    }
}

/// Returns the value of a tag as a number, if it is one or a date.
fn number_of_tag(name: &str, text: &[u8]) -> Option<f64> {
    match date(text) {
        [year, month, day] if name.ends_with("Date") && year > 0 => {
            Some((10_000 * year + 100 * month + day).into())
        }
        _ => decimal(text),
    }
}

fn write_integer(number: i64, key: &mut Vec<u8>) {
    key.extend((number ^ i64::MIN).to_be_bytes());
}

fn write_decimal(number: f64, key: &mut Vec<u8>) {
    // -0 is 0.
    let bits = (number + 0.0).to_bits().cast_signed();
    // The bits of a negative number rise with its amount.
    write_integer(if bits < 0 { bits ^ i64::MAX } else { bits }, key);
}

/// Appends a text and its end, which is less than every other text.
fn write_text(text: &[u8], key: &mut Vec<u8>) {
    for byte in text {
        key.push(*byte);
        if *byte == 0 {
            key.push(1);
        }
    }
    key.extend([0, 0]);
}

impl FromStr for SortOrder {
    type Err = ColumnListError;

    fn from_str(text: &str) -> Result<Self, ColumnListError> {
        let mut order = SortOrder { columns: Vec::new(), is_reversed: Vec::new() };
        for text in text.split(',').map(str::trim) {
            let (name, is_reversed) =
                text.strip_prefix('-').map_or((text, false), |name| (name, true));
            let column = Column::from(Variable::named(name, FactPlace::SortKey)?);
            column.check_tag(name)?;
            if order.columns.contains(&column) {
                return Err(ColumnListError::Twice(name.to_owned()));
            }
            order.columns.push(column);
            order.is_reversed.push(is_reversed);
        }
        Ok(order)
    }
}

impl fmt::Display for SortOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (column, is_reversed)) in self.columns.iter().zip(&self.is_reversed).enumerate()
        {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{}{column}", if *is_reversed { "-" } else { "" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use table::{Cell, ColumnType};

    use super::*;

    /// The keys of values in a column, in their order and reversed.
    fn keys(name: &str, column_type: &ColumnType, cells: &[Cell<'_>]) -> [Vec<Vec<u8>>; 2] {
        let mut values = ColumnValues::new(column_type, 0, None);
        cells.iter().for_each(|cell| values.push_cell(*cell));
        [name.to_owned(), format!("-{name}")].map(|order| {
            let order: SortOrder = order.parse().unwrap();
            let key = |row| {
                let mut key = Vec::new();
                order.write_key(std::slice::from_ref(&values), row, &mut key);
                key
            };
            (0..cells.len()).map(key).collect()
        })
    }

    #[test]
    fn the_order_of_keys_is_that_of_the_values() {
        let text = |texts: &[&'static str]| -> Vec<Cell<'static>> {
            texts.iter().map(|text| Cell::Text(text.as_bytes())).collect()
        };
        let tags = [
            "-1e300", "-2.5", "-1", "-0.5", "0", "0.5", "2", "10", "10.5", "1999", "100000",
            "1e300", "", "\0", "\0\0", "\0a", "1-0", "A", "A\0", "A\0\0", "A\0a", "AA", "a",
            "\u{e9}",
        ];
        // Not dates: the parts of the last ones are out of range.
        let dates = [
            "7",
            "1999",
            "1999.12",
            "1999.12.31",
            "20000101",
            "2000.02.??",
            "2000.2.3",
            "31.12.1999",
            "x",
        ];
        let decimals =
            [f64::NEG_INFINITY, -1.5, -f64::MIN_POSITIVE, 0.0, 1e-300, 1.0, 1.5, f64::INFINITY];
        let integers = [i64::MIN, -256, -1, 0, 1, 255, 256, i64::MAX];
        let cases = [
            ("Round", ColumnType::Repeated, text(&tags)),
            ("EventDate", ColumnType::Repeated, text(&dates)),
            ("comment", ColumnType::Text, text(&["", "\0", "10", "2", "A", "a"])),
            ("elo", ColumnType::F64, decimals.map(Cell::Decimal).to_vec()),
            ("nodes", ColumnType::I64, integers.map(Cell::Integer).to_vec()),
            ("eval", ColumnType::I32, [-32767, -1, 0, 1, 32767].map(Cell::Integer).to_vec()),
        ];
        for (name, column_type, mut cells) in cases {
            cells.push(Cell::Missing);
            let [keys, reversed] = keys(name, &column_type, &cells);
            assert!(keys.is_sorted_by(|a, b| a < b), "{name}: {keys:?}");
            let (missing, others) = reversed.split_last().unwrap();
            assert!(others.is_sorted_by(|a, b| a > b) && others[0] < *missing, "{name}");
        }
        for equal in [["0", "-0"], ["10", "010.0"]] {
            let [keys, _] = keys("Round", &ColumnType::Repeated, &text(&equal));
            assert_eq!(keys[0], keys[1], "{equal:?}");
        }
    }
}
