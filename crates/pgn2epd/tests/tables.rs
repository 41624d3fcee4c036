//! A table has the same cells in every format: Parquet and Arrow, as the libraries of the formats
//! read them, CSV and JSON lines.

use std::io::Cursor;
use std::sync::LazyLock;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Float64Type, Int32Type, Int64Type, UInt8Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::StreamReader;
use arrow_schema::DataType;
use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use pgn2epd::Conversion;
use pgn2epd::table::{Fact, FactPlace};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;
use testkit::generate::{Generator, Style};
use testkit::grammar::is_record;

use crate::support::{converted, jobs, named};

/// More rows than a batch has, so that a column has several.
const ROWS_OF_BATCH: usize = 1 << 13;
/// More rows than a row group of Parquet has.
const ROWS_OF_GROUP: usize = 1 << 17;

/// A row as text: nothing where a value is missing. Numbers are written as JSON writes them.
type Row = Vec<Option<String>>;

fn write(pgn: &[u8], format: &str, rows: &str, columns: &str) -> Vec<u8> {
    converted(pgn, &named(&[("format", format), ("rows", rows), ("columns", columns)]))
}

/// A value of JSON as text; items of a list are divided by spaces.
fn json_text(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => return None,
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items = items.iter().map(|item| json_text(item).unwrap_or("?".to_owned()));
            items.collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    })
}

fn json_rows(table: &[u8], columns: &[&str]) -> Vec<Row> {
    let lines = table.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let row = |line| {
        let object: Value = serde_json::from_slice(line).unwrap();
        columns.iter().map(|name| json_text(&object[name])).collect()
    };
    lines.map(row).collect()
}

fn csv_rows(table: &[u8], columns: &[&str]) -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(table);
    assert!(reader.headers().unwrap().iter().eq(columns.iter().copied()));
    // Lists whose items may have spaces are arrays of JSON.
    let cell = |cell: &str| match serde_json::from_str(cell) {
        Ok(list @ Value::Array(_)) => json_text(&list),
        _ => (!cell.is_empty()).then(|| cell.to_owned()),
    };
    reader.records().map(|record| record.unwrap().iter().map(cell).collect()).collect()
}

fn arrow_rows(batches: impl Iterator<Item = RecordBatch>, columns: &[&str]) -> Vec<Row> {
    let mut rows = Vec::new();
    for batch in batches {
        let names: Vec<_> = batch.schema().fields().iter().map(|f| f.name().clone()).collect();
        assert_eq!(names, columns);
        for row in 0..batch.num_rows() {
            let cells = names.iter().zip(batch.columns());
            rows.push(cells.map(|(name, array)| arrow_text(name, array, row)).collect());
        }
    }
    rows
}

/// A cell as JSON has it: bits as hexadecimal digits, dates as in ISO 8601.
fn arrow_text(name: &str, array: &dyn Array, row: usize) -> Option<String> {
    if array.is_null(row) {
        return None;
    }
    let items = |list: &dyn Array| {
        let text = |item| arrow_text(name, list, item).unwrap_or("?".to_owned());
        (0..list.len()).map(text).collect::<Vec<_>>().join(" ")
    };
    Some(match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::UInt64 if name == "key" => {
            format!("{:016x}", array.as_primitive::<UInt64Type>().value(row))
        }
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).to_string(),
        DataType::UInt32 => array.as_primitive::<UInt32Type>().value(row).to_string(),
        DataType::UInt8 => array.as_primitive::<UInt8Type>().value(row).to_string(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).to_string(),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).to_string(),
        DataType::Date32 => date(array.as_primitive::<Date32Type>().value(row)),
        DataType::FixedSizeBinary(_) => {
            let bytes = array.as_fixed_size_binary().value(row);
            bytes.iter().map(|byte| format!("{byte:02x}")).collect()
        }
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).to_owned(),
        DataType::LargeList(_) => items(&array.as_list::<i64>().value(row)),
        DataType::FixedSizeList(..) => items(&array.as_fixed_size_list().value(row)),
        other => panic!("{name} is {other}"),
    })
}

/// Counts the days from 1970-01-01 on, one year and month at a time.
fn date(mut days: i32) -> String {
    let is_leap = |year: i32| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let mut year = 1970;
    while days < 0 {
        year -= 1;
        days += 365 + i32::from(is_leap(year));
    }
    while days >= 365 + i32::from(is_leap(year)) {
        days -= 365 + i32::from(is_leap(year));
        year += 1;
    }
    let february = 28 + i32::from(is_leap(year));
    let mut month = 1;
    for len in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < len {
            break;
        }
        days -= len;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", days + 1)
}

/// Words in an order that does not depend on what divides the items of a list.
fn words(cell: &Option<String>) -> Option<Vec<&str>> {
    cell.as_ref().map(|cell| cell.split_whitespace().collect())
}

#[track_caller]
fn assert_equal(what: &str, columns: &[&str], ours: &[Row], expected: &[Row]) {
    assert_eq!(ours.len(), expected.len(), "{what}");
    for (number, (row, expected)) in ours.iter().zip(expected).enumerate() {
        for ((name, cell), expected) in columns.iter().zip(row).zip(expected) {
            // In CSV an empty text is not distinguished from a missing one.
            let is_empty = |cell: &Option<String>| cell.as_deref().unwrap_or_default().is_empty();
            let is_equal = match what {
                "CSV" => words(cell) == words(expected) || is_empty(cell) && is_empty(expected),
                _ => cell == expected,
            };
            assert!(is_equal, "{what}, row {number}, {name}: {cell:?}, not {expected:?}");
        }
    }
}

#[track_caller]
fn assert_same_cells_in_every_format(pgn: &[u8], rows: &str, columns: &[&str], least_rows: usize) {
    let list = columns.join(",");
    let table = |format| write(pgn, format, rows, &list);
    let expected = json_rows(&table("jsonl"), columns);
    assert!(expected.len() >= least_rows, "{} rows", expected.len());
    let arrow = StreamReader::try_new(Cursor::new(table("arrow")), None).unwrap();
    let arrow = arrow_rows(arrow.map(Result::unwrap), columns);
    assert_equal("Arrow", columns, &arrow, &expected);
    let parquet = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(table("parquet"))).unwrap();
    let parquet = arrow_rows(parquet.build().unwrap().map(Result::unwrap), columns);
    assert_equal("Parquet", columns, &parquet, &expected);
    assert_equal("CSV", columns, &csv_rows(&table("csv"), columns), &expected);
}

/// Games of some styles, one after the other, twice: in some batches values are missing that others
/// have.
fn games(styles: &[Style], bytes: u64) -> Vec<u8> {
    let mut pgn = Vec::new();
    for (seed, style) in (0..).zip(styles.iter().chain(styles)) {
        pgn.extend(Generator::text(*style, seed, bytes));
        pgn.extend_from_slice(b"\n\n");
    }
    pgn
}

fn columns_in(place: FactPlace) -> Vec<&'static str> {
    let facts = Fact::all().filter(|fact| fact.is_available_in(place));
    facts.map(Fact::name).chain(["White", "Event", "WhiteElo", "Absent"]).collect()
}

#[test]
fn every_column_of_positions_is_equal_in_every_format() {
    let columns = columns_in(FactPlace::Column);
    let pgn = games(&Style::ALL, 40_000);
    assert_same_cells_in_every_format(&pgn, "positions", &columns, ROWS_OF_BATCH + 1000);
}

#[test]
fn every_column_of_games_is_equal_in_every_format() {
    let columns = columns_in(FactPlace::GameColumn);
    assert_same_cells_in_every_format(&games(&Style::ALL, 20_000), "games", &columns, 100);
}

#[test]
fn columns_of_each_type_are_equal_in_every_format_beyond_a_row_group() {
    let columns = ["game", "san", "eval_cp", "check", "elo", "White"];
    let pgn = games(&[Style::Plain, Style::Cutechess], 600_000);
    assert_same_cells_in_every_format(&pgn, "positions", &columns, ROWS_OF_GROUP + 1000);
}

/// The records of a file of Arrow or Parquet, and the error.
fn records_of(table: &[u8], threads: usize) -> (String, Option<String>) {
    let options = named(&[("registers", "full")]).jobs(jobs(threads));
    let mut output = Vec::new();
    let mut conversion = Conversion::new(&mut output, &options);
    let error = conversion.input(table, &mut ()).err().map(|error| error.to_string());
    conversion.finish().unwrap();
    (String::from_utf8(output).unwrap(), error)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testkit::shared::cases(200)))]

    /// Changed bytes at random places, most of them in the last part, which describes the columns.
    #[test]
    fn damaged_tables_give_records_or_an_error_whatever_the_threads(
        format in prop::sample::select(&["arrow", "parquet"][..]),
        bytes in prop::collection::vec((any::<bool>(), any::<Index>(), 1..=u8::MAX), 1..4),
        kept in prop::option::of(any::<Index>()),
    ) {
        static TABLES: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
            let pgn = Generator::text(Style::Cutechess, 7, 3000);
            ["arrow", "parquet"].map(|format| write(&pgn, format, "positions", "epd,eval_cp,elo,ply,san"))
        });
        let mut table = TABLES[usize::from(format == "parquet")].clone();
        let (whole, error) = records_of(&table, 2);
        prop_assert_eq!((whole.lines().count() > 20, error), (true, None));
        for (is_of_footer, place, flipped) in bytes {
            let from = if is_of_footer { table.len() * 3 / 4 } else { 0 };
            let place = from + place.index(table.len() - from);
            table[place] ^= flipped;
        }
        if let Some(kept) = kept {
            table.truncate(kept.index(table.len()));
        }
        let (records, error) = records_of(&table, 1);
        prop_assert_eq!((&records, &error), (&records_of(&table, 3).0, &records_of(&table, 3).1));
        for line in records.lines() {
            prop_assert!(is_record(line), "{}", line);
        }
        // An end that is missing may be that of an empty table, but is never silent.
        prop_assert!(!records.is_empty() || error.is_some_and(|error| !error.is_empty()));
    }
}
