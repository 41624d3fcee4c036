//! Tables as sources of positions: any bytes as a file of Arrow or Parquet are read or refused,
//! whatever the threads; and rows that are written in these formats give the records of the same
//! rows as text.
#![no_main]

use std::num::NonZeroUsize;

use libfuzzer_sys::fuzz_target;
use pgn2epd::{Conversion, Options};

const FORMATS: [&str; 2] = ["arrow", "parquet"];

const COLUMNS: &str = "epd,ce,acd,bm,id,c0,c9,white_cp,result,ply,clock,depth,eval,foo";

/// The output, and the error.
fn converted(bytes: &[u8], names: &[(&str, &str)], jobs: usize) -> (Vec<u8>, Option<String>) {
    let options = Options::from_names(names.iter().copied()).expect("they exist");
    let mut output = Vec::new();
    let mut conversion = Conversion::new(&mut output, &options.jobs(NonZeroUsize::new(jobs)));
    let read = conversion.input(bytes, &mut ());
    conversion.finish().expect("memory is written");
    (output, read.err().map(|error| error.to_string()))
}

fuzz_target!(
    // Panics of the libraries become errors; a panic that is not caught ends the run.
    init: std::panic::set_hook(Box::new(|_| {})),
    |input: &[u8]| {
        let Some((&choice, bytes)) = input.split_first() else { return };
        if cfg!(not(feature = "arrow")) {
            return;
        }
        if choice < 128 {
            let mark: &[u8] = match choice % 4 {
                0 => b"PAR1",
                1 => b"ARROW1\0\0",
                2 => b"\xff\xff\xff\xff",
                _ => b"",
            };
            let file = [mark, bytes].concat();
            assert_eq!(converted(&file, &[], 1), converted(&file, &[], 3));
            return;
        }
        // The lines are records, rows of CSV or objects of JSON.
        let kind = ["epd", "csv", "jsonl"][usize::from(choice) % 3];
        let format = FORMATS[usize::from(choice) / 3 % 2];
        let (expected, None) = converted(bytes, &[("input", kind), ("registers", "full")], 1) else { return };
        let names = [("input", kind), ("format", format), ("columns", "record"), ("registers", "full")];
        let (table, error) = converted(bytes, &names, 1);
        assert_eq!(error, None);
        let (read, error) = converted(&table, &[("registers", "full")], 2);
        assert_eq!(error, None);
        assert_eq!(String::from_utf8_lossy(&read), String::from_utf8_lossy(&expected));
        // Every other column in this format and as text.
        let table = |format| converted(bytes, &[("input", kind), ("format", format), ("columns", COLUMNS)], 1).0;
        let (binary, text) = (table(format), table("jsonl"));
        let again = |table: &[u8], kind: &[(&str, &str)]| {
            converted(table, &[kind, &[("registers", "full"), ("add", "Foo={foo|}")]].concat(), 1)
        };
        assert_eq!(again(&binary, &[]), again(&text, &[("input", "jsonl")]));
    }
);
