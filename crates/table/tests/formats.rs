//! What is written in a format is read back by its library as the values that were given.

use std::io::Write;

use proptest::prelude::*;
use serde_json::Value;
use stream::ordered::Threads;
use table::{
    Cell, ColumnType, ColumnValues, Field, ListText, Rows, Schema, Settings, TableFormat,
    TableWriter, Values,
};

/// What a row is made from: its number, and which of its values are missing.
type Seed = (u32, u16);

/// A cell as text; nothing if it is missing.
type Text = Option<String>;

/// A column: its type, and how a number is appended to it; returns the expected text.
struct Case {
    name: &'static str,
    column_type: ColumnType,
    push: fn(u32, &mut ColumnValues) -> String,
}

/// Days since 1 January 1970, and their dates.
const DATES: [(i32, &str); 4] =
    [(0, "1970-01-01"), (-1, "1969-12-31"), (11_016, "2000-02-29"), (-43_293, "1851-06-21")];

fn texts(number: u32) -> String {
    ["a", "", "b,c", "\"d\"", "e\nf", "Zoë", "g h"][number as usize % 7].to_owned()
}

macro_rules! push {
    ($column:expr, $kind:path, $value:expr) => {{
        let $kind(values) = &mut $column.values else { panic!("another type") };
        values.push($value);
        $column.note(true);
    }};
}

fn cases() -> Vec<Case> {
    let case = |name, column_type, push| Case { name, column_type, push };
    let word = Box::new(Field::required("item", ColumnType::Repeated));
    let number = Box::new(Field::new("item", ColumnType::I32));
    vec![
        case("i32", ColumnType::I32, |n, column| {
            column.push_cell(Cell::Integer(-i64::from(n)));
            format!("-{n}").replace("-0", "0")
        }),
        case("i64", ColumnType::I64, |n, column| {
            column.push_cell(Cell::Integer(i64::from(n) << 30));
            (u64::from(n) << 30).to_string()
        }),
        case("f64", ColumnType::F64, |n, column| {
            column.push_cell(Cell::Decimal(f64::from(n) + 0.25));
            format!("{n}.25")
        }),
        case("decimal", ColumnType::Decimal, |n, column| {
            column.push_cell(Cell::Decimal(f64::from(n)));
            format!("{n}.0")
        }),
        case("bool", ColumnType::Bool, |n, column| {
            push!(column, Values::Bool, n % 3 == 0);
            if n % 3 == 0 { "true".to_owned() } else { "false".to_owned() }
        }),
        case("u64", ColumnType::U64, |n, column| {
            push!(column, Values::U64, u64::from(n) << 32 | 0xf);
            format!("{n:08x}0000000f")
        }),
        case("date", ColumnType::Date, |n, column| {
            let (days, text) = DATES[n as usize % DATES.len()];
            push!(column, Values::Date, days);
            text.to_owned()
        }),
        case("text", ColumnType::Text, |n, column| {
            let text = format!("{}{n}", texts(n));
            column.push_text(Some(text.as_bytes()));
            text
        }),
        case("repeated", ColumnType::Repeated, |n, column| {
            column.push_text(Some(texts(n).as_bytes()));
            texts(n)
        }),
        case("bytes32", ColumnType::Bytes32, |n, column| {
            column.push_cell(Cell::Bytes32(&[n as u8; 32]));
            format!("{:02x}", n as u8).repeat(32)
        }),
        case("u8x64", ColumnType::U8x64, |n, column| {
            push!(column, Values::U8x64, [n as u8; 64]);
            vec![(n as u8).to_string(); 64].join(" ")
        }),
        case("u64x12", ColumnType::U64x12, |n, column| {
            push!(column, Values::U64x12, [u64::from(n) << 33; 12]);
            vec![(u64::from(n) << 33).to_string(); 12].join(" ")
        }),
        case("words", ColumnType::List(word, ListText::Words), |n, column| {
            let words: Vec<String> = (0..n % 4).map(|word| format!("w{}", word + n % 5)).collect();
            words.iter().for_each(|word| column.list_items().push_text(Some(word.as_bytes())));
            column.end_list();
            words.join(" ")
        }),
        case("numbers", ColumnType::List(number, ListText::Json), |n, column| {
            for item in 0..n % 3 {
                column.list_items().push_cell(match item {
                    1 => Cell::Missing,
                    _ => Cell::Integer(n.into()),
                });
            }
            column.end_list();
            [n.to_string(), "?".to_owned()][..n as usize % 3].join(" ")
        }),
        case(
            "struct",
            ColumnType::Struct(vec![
                Field::required("a", ColumnType::I32),
                Field::new("b", ColumnType::Repeated),
            ]),
            |n, column| {
                let b = texts(n / 2);
                let is_there = n % 2 == 0;
                let b_cell = if is_there { Cell::Text(b.as_bytes()) } else { Cell::Missing };
                column.push_struct([Cell::Integer(n.into()), b_cell]);
                format!("{n} {}", if is_there { &b } else { "?" })
            },
        ),
    ]
}

/// As for sorting and samples: rows of two batches, in another order.
#[test]
fn copied_rows_have_the_same_values() {
    let seeds = |first: u32| (first..first + 40).map(|row| (row, (row * 2654) as u16)).collect();
    let (schema, batches, expected) = batches(&[seeds(0), seeds(40)]);
    let mut copies = Rows::new(schema.types(), 0);
    let order: Vec<usize> = (0..80).map(|row| row * 37 % 80).collect();
    for row in &order {
        let mut bytes = Vec::new();
        batches[row / 40].write_row(row % 40, &mut bytes);
        copies.read_row(&bytes).unwrap();
    }
    let file = write(TableFormat::JsonLines, &schema, &[copies], 1);
    let found = json_rows(&file, &schema);
    for (row, found) in order.iter().zip(&found) {
        assert_eq!(*found, expected[*row], "row {row}");
    }
    assert_eq!(found.len(), 80);
}

#[test]
fn the_last_text_of_a_column_is_rewritten() {
    for column_type in [ColumnType::Text, ColumnType::Repeated] {
        let mut column = ColumnValues::new(&column_type, 0, None);
        assert!(column.is_empty());
        column.rewrite_last(|_, _| panic!("no text yet"));
        for text in ["e4", "e5"] {
            column.push_text(Some(text.as_bytes()));
        }
        assert!(!column.is_empty());
        column.rewrite_last(|old, new| new.extend(format!("{old}, and more").bytes()));
        column.push_missing();
        column.set_last(b"Nf3");
        let texts: Vec<_> = (0..column.len()).map(|row| column.text(row)).collect();
        assert_eq!(texts, [Some("e4"), Some("e5, and more"), Some("Nf3")], "{column_type:?}");
    }
}

#[test]
fn binary_formats_need_the_feature() {
    for format in [TableFormat::Csv, TableFormat::JsonLines] {
        assert!(format.is_built() && !format.is_binary());
    }
    for format in [TableFormat::Arrow, TableFormat::Parquet] {
        assert!(format.is_binary());
        assert_eq!(format.is_built(), cfg!(feature = "arrow"));
    }
}

/// Makes rows in batches, and the expected text of each cell. Of the even columns no value is
/// missing in the first batch.
fn batches(seeds: &[Vec<Seed>]) -> (Schema, Vec<Rows>, Vec<Vec<Text>>) {
    let cases = cases();
    let field = |case: &Case| match case.column_type {
        // Lists and structures are not missing.
        ColumnType::List(..) | ColumnType::Struct(_) => {
            Field::required(case.name, case.column_type.clone())
        }
        _ => Field::new(case.name, case.column_type.clone()),
    };
    let schema = Schema::new(cases.iter().map(field));
    let (mut all, mut expected) = (Vec::new(), Vec::new());
    for (batch, seeds) in seeds.iter().enumerate() {
        let mut rows = Rows::new(schema.types(), 0);
        for (number, missing) in seeds {
            let columns = schema.fields.iter().zip(&cases).zip(&mut rows.columns);
            let cell = |(index, ((field, case), column)): (usize, ((&Field, &Case), &mut _))| {
                let column: &mut ColumnValues = column;
                let is_full = batch == 0 && index % 2 == 0 || !field.may_be_missing;
                if !is_full && missing >> index & 1 == 1 {
                    column.push_missing();
                    return None;
                }
                Some((case.push)(*number, column))
            };
            expected.push(columns.enumerate().map(cell).collect());
            rows.end_row();
        }
        all.push(rows);
    }
    (schema, all, expected)
}

fn write(format: TableFormat, schema: &Schema, batches: &[Rows], threads: usize) -> Vec<u8> {
    let mut file = Vec::new();
    let mut output = |bytes: &[u8]| file.write_all(bytes);
    // Several groups, unless a batch is empty.
    let settings = Settings { group_bytes: 1, ..Settings::new(format) };
    let mut writer = TableWriter::new(schema.clone(), settings, Threads::new(threads));
    for rows in batches {
        writer.write(rows.clone(), &mut output).unwrap();
    }
    writer.finish(&mut output).unwrap();
    file
}

/// Values of lists and structures have spaces between them.
fn json_text(value: &Value) -> Text {
    let all = |values: &mut dyn Iterator<Item = &Value>| {
        let texts = values.map(|value| json_text(value).unwrap_or("?".to_owned()));
        texts.collect::<Vec<_>>().join(" ")
    };
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(values) => Some(all(&mut values.iter())),
        Value::Object(fields) => Some(all(&mut fields.values())),
        other => Some(other.to_string()),
    }
}

fn json_rows(file: &[u8], schema: &Schema) -> Vec<Vec<Text>> {
    let lines = std::str::from_utf8(file).unwrap().lines();
    let row = |line| {
        let object: Value = serde_json::from_str(line).unwrap();
        schema.fields.iter().map(|field| json_text(&object[&field.name])).collect()
    };
    lines.map(row).collect()
}

fn csv_rows(file: &[u8], schema: &Schema) -> Vec<Vec<Text>> {
    let mut reader = csv::Reader::from_reader(file);
    assert!(reader.headers().unwrap().iter().eq(schema.fields.iter().map(|field| &*field.name)));
    let cell = |(field, text): (&Field, &str)| match field.column_type {
        ColumnType::List(_, ListText::Json) | ColumnType::Struct(_) => {
            json_text(&serde_json::from_str(text).unwrap())
        }
        _ => Some(text.to_owned()),
    };
    let row = |row: csv::StringRecord| schema.fields.iter().zip(&row).map(cell).collect();
    reader.records().map(|record| row(record.unwrap())).collect()
}

#[cfg(feature = "arrow")]
fn on_disk(file: &[u8]) -> std::fs::File {
    use std::io::{Seek, Write};

    let mut on_disk = tempfile::tempfile().unwrap();
    on_disk.write_all(file).unwrap();
    on_disk.rewind().unwrap();
    on_disk
}

#[cfg(feature = "arrow")]
fn arrow_rows(file: &[u8], schema: &Schema) -> Vec<Vec<Text>> {
    let batches = table::Batches::open(on_disk(file)).unwrap();
    assert_eq!(batches.schema().fields(), table::arrow::schema(schema).fields());
    let mut rows = Vec::new();
    for batch in batches {
        let batch = batch.unwrap();
        for row in 0..batch.num_rows() {
            let columns = schema.fields.iter().zip(batch.columns());
            rows.push(columns.map(|(field, array)| arrow_text(field, array, row)).collect());
        }
    }
    rows
}

#[cfg(feature = "arrow")]
fn arrow_text(field: &Field, array: &dyn arrow_array::Array, row: usize) -> Text {
    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::*;

    if array.is_null(row) {
        return None;
    }
    let all = |field: &Field, values: &dyn Array| {
        let texts = (0..values.len()).map(|row| arrow_text(field, values, row));
        texts.map(|text| text.unwrap_or("?".to_owned())).collect::<Vec<_>>().join(" ")
    };
    let hexadecimal = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(match &field.column_type {
        ColumnType::I32 => array.as_primitive::<Int32Type>().value(row).to_string(),
        ColumnType::I64 => array.as_primitive::<Int64Type>().value(row).to_string(),
        ColumnType::F64 => array.as_primitive::<Float64Type>().value(row).to_string(),
        ColumnType::Decimal => format!("{:?}", array.as_primitive::<Float64Type>().value(row)),
        ColumnType::Bool => array.as_boolean().value(row).to_string(),
        ColumnType::U64 => format!("{:016x}", array.as_primitive::<UInt64Type>().value(row)),
        ColumnType::Date => {
            let days = array.as_primitive::<Date32Type>().value(row);
            DATES.iter().find(|(known, _)| *known == days).unwrap().1.to_owned()
        }
        ColumnType::Text | ColumnType::Repeated => array.as_string::<i64>().value(row).to_owned(),
        ColumnType::Bytes32 => hexadecimal(array.as_fixed_size_binary().value(row)),
        ColumnType::U8x64 => {
            let values = array.as_fixed_size_list().value(row);
            let values = values.as_primitive::<UInt8Type>().values().to_vec();
            values.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
        }
        ColumnType::U64x12 => {
            let values = array.as_fixed_size_list().value(row);
            let values = values.as_primitive::<UInt64Type>().values().to_vec();
            values.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
        }
        ColumnType::List(item, _) => all(item, &array.as_list::<i64>().value(row)),
        ColumnType::Struct(fields) => {
            let columns = fields.iter().zip(array.as_struct().columns());
            let texts = columns.map(|(field, column)| arrow_text(field, column, row));
            texts.map(|text| text.unwrap_or("?".to_owned())).collect::<Vec<_>>().join(" ")
        }
    })
}

/// Reads a table.
type Read = fn(&[u8], &Schema) -> Vec<Vec<Text>>;

#[track_caller]
fn assert_read_back(seeds: &[Vec<Seed>]) {
    let (schema, batches, expected) = batches(seeds);
    let formats: &[(TableFormat, Read)] = &[
        (TableFormat::Csv, csv_rows),
        (TableFormat::JsonLines, json_rows),
        #[cfg(feature = "arrow")]
        (TableFormat::Arrow, arrow_rows),
        #[cfg(feature = "arrow")]
        (TableFormat::Parquet, arrow_rows),
    ];
    for (format, read) in formats {
        let file = write(*format, &schema, &batches, 1);
        assert!(file == write(*format, &schema, &batches, 2), "{format:?} with two threads");
        let found = read(&file, &schema);
        assert_eq!(found.len(), expected.len(), "{format:?}");
        for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
            for ((field, found), expected) in schema.fields.iter().zip(found).zip(expected) {
                // The reader of CSV does not distinguish an empty text from a missing value.
                let expected = match (format, expected) {
                    (TableFormat::Csv, None) => &Some(String::new()),
                    _ => expected,
                };
                assert_eq!(found, expected, "{format:?}, row {number}, {}", field.name);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn batches_are_read_back_from_each_format(
        seeds in proptest::collection::vec(proptest::collection::vec((0..1000_u32, any::<u16>()), 0..20), 0..6),
    ) {
        assert_read_back(&seeds);
    }
}

#[test]
fn groups_of_many_batches_are_read_back_from_each_format() {
    // Two groups of text; what repeats differs from batch to batch, and values are missing in the
    // later ones.
    let batch =
        |batch: u32| (0..700).map(|row| (batch * 31 + row % (batch + 1), row as u16)).collect();
    assert_read_back(&(0..13).map(batch).collect::<Vec<_>>());
}

#[test]
fn a_table_without_rows_has_its_columns() {
    assert_read_back(&[]);
}

#[cfg(feature = "arrow")]
#[test]
fn a_row_group_of_parquet_ends_and_another_one_begins() {
    let schema = Schema::new([
        Field::new("number", ColumnType::I32),
        Field::new("text", ColumnType::Repeated),
    ]);
    let (mut batches, mut expected) = (Vec::new(), Vec::new());
    for batch in 0..20 {
        let mut rows = Rows::new(schema.types(), 0);
        for row in 0..10_000 {
            // In some batches no value is missing.
            let number = (batch % 3 == 0 || row % 7 > 0).then_some(batch * 10_000 + row);
            let text = (batch % 2 == 0 || row % 5 > 0).then(|| format!("{batch} {}", row % 100));
            rows.push_row([Cell::integer(number), Cell::text(text.as_deref())]);
            expected.push(vec![number.map(|number| number.to_string()), text]);
        }
        batches.push(rows);
    }
    let file = write(TableFormat::Parquet, &schema, &batches, 2);
    assert!(arrow_rows(&file, &schema) == expected);
}

/// A file of Arrow, with an alignment of 8 bytes as pyarrow's, or of 64 as that of arrow-rs; this
/// crate writes streams.
#[cfg(feature = "arrow")]
fn arrow_file(rows: &[i32], alignment: usize) -> Vec<u8> {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int32Array, RecordBatch};

    let column: ArrayRef = Arc::new(Int32Array::from(rows.to_vec()));
    let batch = RecordBatch::try_from_iter([("n", column)]).unwrap();
    let version = arrow_ipc::MetadataVersion::V5;
    let options = arrow_ipc::writer::IpcWriteOptions::try_new(alignment, false, version).unwrap();
    let schema = batch.schema();
    let mut writer =
        arrow_ipc::writer::FileWriter::try_new_with_options(Vec::new(), &schema, options).unwrap();
    if !rows.is_empty() {
        writer.write(&batch).unwrap();
    }
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

#[cfg(feature = "arrow")]
fn rows_or_error(file: &[u8]) -> Result<usize, String> {
    let read = |batches: table::Batches| -> std::io::Result<usize> {
        batches.map(|batch| batch.map(|batch| batch.num_rows())).sum()
    };
    table::Batches::open(on_disk(file)).and_then(read).map_err(|error| error.to_string())
}

/// A reader would apply the footer of the last file to the first one.
#[cfg(feature = "arrow")]
#[test]
fn joined_files_and_truncated_streams_are_refused() {
    let schema = Schema::new([Field::required("n", ColumnType::I32)]);
    let ours = |format, numbers: std::ops::Range<i64>| {
        let mut rows = Rows::new(schema.types(), 0);
        numbers.for_each(|number| rows.push_row([Cell::Integer(number)]));
        write(format, &schema, &[rows], 1)
    };
    for (a, b) in [(0, 0), (3, 0), (0, 3), (2, 3), (1000, 5)] {
        let (first, second): (Vec<_>, Vec<_>) = ((0..a).collect(), (0..b).collect());
        for files in [
            [arrow_file(&first, 8), arrow_file(&second, 8)],
            [arrow_file(&first, 64), arrow_file(&second, 64)],
            [ours(TableFormat::Parquet, 0..a.into()), ours(TableFormat::Parquet, 0..b.into())],
        ] {
            assert_eq!(rows_or_error(&files[0]), Ok(a as usize));
            assert_eq!(rows_or_error(&files[1]), Ok(b as usize));
            let error = rows_or_error(&files.concat())
                .expect_err(&format!("{a} and {b} rows, {:?}", &files[0][..4]));
            assert!(error.contains("several files were joined"), "{a} {b}: {error}");
        }
    }
    let stream = ours(TableFormat::Arrow, 0..10);
    assert_eq!(rows_or_error(&stream), Ok(10));
    // The end of a stream is marked by eight bytes.
    assert!(rows_or_error(&stream[..stream.len() - 8]).is_err());
}

/// Texts in other encodings could not be read by Velox and Iceberg's fast reader until 2026.
#[cfg(feature = "arrow")]
#[test]
fn parquet_has_small_pages_in_encodings_that_all_readers_know() {
    use std::io::Write;

    use parquet::basic::Encoding;
    use parquet::file::reader::{FileReader, SerializedFileReader};

    let known =
        [Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY, Encoding::DELTA_BINARY_PACKED];
    let fields = cases().into_iter().map(|case| Field::new(case.name, case.column_type));
    let schema = Schema::new(fields.chain([Field::required("long", ColumnType::Text)]));
    let mut rows = Rows::new(schema.types(), 0);
    for number in 0..20_000 {
        let (long, others) = rows.columns.split_last_mut().unwrap();
        for (case, column) in cases().iter().zip(others) {
            (case.push)(number, column);
        }
        long.push_cell(Cell::Text(format!("{number:060}").as_bytes()));
        rows.end_row();
    }
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&write(TableFormat::Parquet, &schema, &[rows], 1)).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let group = reader.get_row_group(0).unwrap();
    for column in group.metadata().columns() {
        let unknown = column.encodings().find(|encoding| !known.contains(encoding));
        assert_eq!(unknown, None, "{}", column.column_path());
    }
    // 1,280,000 bytes with the lengths, in pages of 262,144.
    let last = group.num_columns() - 1;
    assert_eq!(group.get_column_page_reader(last).unwrap().count(), 5);
}
