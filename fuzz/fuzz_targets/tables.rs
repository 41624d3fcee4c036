//! Generated batches are read back from Parquet and Arrow as they were, and have a line for each
//! row as text.
#![no_main]

use std::io::Write;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use pgn2epd::table::TableFormat;
use stream::ordered::Threads;
use table::{Cell, ColumnType, Field, ListText, Rows, Schema, Settings, TableWriter};

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Kind {
    Integer,
    Decimal,
    Text,
    Repeated,
    Words,
}

#[derive(Arbitrary, Debug)]
struct Input {
    columns: Vec<Kind>,
    /// What the values of each row are made from, and which are missing.
    batches: Vec<Vec<(i64, u8)>>,
    group_bytes: u16,
    threads: bool,
}

/// A value as text; nothing if it is missing.
type Value = Option<String>;

const TEXTS: [&str; 5] = ["", "e4", "Nf3", "\"a\",\nb", "Zoë"];

fn text(seed: i64) -> String {
    format!("{}{}", TEXTS[seed.rem_euclid(5) as usize], seed.rem_euclid(50))
}

fn words(seed: i64) -> Vec<String> {
    (0..seed.rem_euclid(4)).map(|word| text(seed.wrapping_add(word))).collect()
}

impl Kind {
    fn field(self, number: usize) -> Field {
        let item = || Box::new(Field::required("item", ColumnType::Repeated));
        let name = format!("column_{number}");
        match self {
            Kind::Integer => Field::new(&name, ColumnType::I64),
            Kind::Decimal => Field::new(&name, ColumnType::F64),
            Kind::Text => Field::new(&name, ColumnType::Text),
            Kind::Repeated => Field::new(&name, ColumnType::Repeated),
            Kind::Words => Field::required(&name, ColumnType::List(item(), ListText::Words)),
        }
    }

    /// Returns the value that is made from a seed; lists are not missing.
    fn value(self, seed: i64, is_missing: bool) -> Value {
        match self {
            Kind::Words => Some(words(seed).join(" ")),
            _ if is_missing => None,
            Kind::Integer => Some(seed.to_string()),
            Kind::Decimal => Some((seed as f64 / 4.0).to_string()),
            Kind::Text | Kind::Repeated => Some(text(seed)),
        }
    }
}

fn rows(columns: &[Kind], schema: &Schema, seeds: &[(i64, u8)]) -> Rows {
    let mut rows = Rows::new(schema.types(), 0);
    for (seed, missing) in seeds {
        for (number, (kind, column)) in columns.iter().zip(&mut rows.columns).enumerate() {
            let is_missing = missing >> (number % 8) & 1 == 1;
            match kind {
                Kind::Words => {
                    for word in words(*seed) {
                        column.list_items().push_text(Some(word.as_bytes()));
                    }
                    column.end_list();
                }
                _ if is_missing => column.push_missing(),
                Kind::Integer => column.push_cell(Cell::Integer(*seed)),
                Kind::Decimal => column.push_cell(Cell::Decimal(*seed as f64 / 4.0)),
                Kind::Text | Kind::Repeated => column.push_cell(Cell::Text(text(*seed).as_bytes())),
            }
        }
        rows.end_row();
    }
    rows
}

fn written(input: &Input, schema: &Schema, format: TableFormat) -> Vec<u8> {
    let mut file = Vec::new();
    let mut output = |bytes: &[u8]| file.write_all(bytes);
    let threads = Threads::new(if input.threads { 2 } else { 1 });
    let settings = Settings { group_bytes: input.group_bytes.into(), ..Settings::new(format) };
    let mut writer = TableWriter::new(schema.clone(), settings, threads);
    for seeds in &input.batches {
        let rows = rows(&input.columns, schema, seeds);
        writer.write(rows, &mut output).expect("memory can be written");
    }
    writer.finish(&mut output).expect("memory can be written");
    file
}

#[cfg(feature = "arrow")]
fn read(kinds: &[Kind], file: &[u8]) -> Vec<Vec<Value>> {
    use std::io::{Seek, Write};

    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float64Type, Int64Type};

    let value = |kind: Kind, array: &dyn Array, row: usize| match kind {
        _ if array.is_null(row) => None,
        Kind::Integer => Some(array.as_primitive::<Int64Type>().value(row).to_string()),
        Kind::Decimal => Some(array.as_primitive::<Float64Type>().value(row).to_string()),
        Kind::Text | Kind::Repeated => Some(array.as_string::<i64>().value(row).to_owned()),
        Kind::Words => {
            let words = array.as_list::<i64>().value(row);
            Some(words.as_string::<i64>().iter().flatten().collect::<Vec<_>>().join(" "))
        }
    };
    let mut on_disk = tempfile::tempfile().expect("a temporary file can be made");
    on_disk.write_all(file).and_then(|()| on_disk.rewind()).expect("it can be written");
    let mut found = Vec::new();
    for batch in table::Batches::open(on_disk).expect("it is a table") {
        let batch = batch.expect("it is not damaged");
        for row in 0..batch.num_rows() {
            let columns = kinds.iter().zip(batch.columns());
            found.push(columns.map(|(kind, array)| value(*kind, array, row)).collect());
        }
    }
    found
}

fuzz_target!(|input: Input| {
    // A table without columns has no rows in most formats.
    if input.columns.is_empty() || input.columns.len() > 8 {
        return;
    }
    let fields = input.columns.iter().enumerate().map(|(number, kind)| kind.field(number));
    let schema = Schema::new(fields);
    let seeds = input.batches.iter().flatten();
    let expected: Vec<Vec<Value>> = seeds
        .map(|(seed, missing)| {
            let value = |(number, kind): (usize, &Kind)| {
                kind.value(*seed, missing >> (number % 8) & 1 == 1)
            };
            input.columns.iter().enumerate().map(value).collect()
        })
        .collect();
    let lines = written(&input, &schema, TableFormat::JsonLines);
    assert_eq!(lines.iter().filter(|byte| **byte == b'\n').count(), expected.len());
    written(&input, &schema, TableFormat::Csv);
    #[cfg(feature = "arrow")]
    for format in [TableFormat::Arrow, TableFormat::Parquet] {
        let found = read(&input.columns, &written(&input, &schema, format));
        assert_eq!(found, expected, "{format:?}");
    }
});
