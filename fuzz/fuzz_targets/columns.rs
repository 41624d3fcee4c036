//! Any partial result as Arrow or Parquet becomes a book or is refused.
#![no_main]

use std::io::Write;

use libfuzzer_sys::fuzz_target;
use pgn2epd::book::{BookOptions, Form, Part, Source, Threads, write_book};
use pgn2epd::table::TableFormat;

fuzz_target!(
    // Panics of the libraries become errors; a panic that is not caught ends the run.
    init: std::panic::set_hook(Box::new(|_| {})),
    |bytes: &[u8]| {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
        file.write_all(bytes).expect("it can be written");
        let Ok(part) = Part::open(file.path()) else { return };
        let options = BookOptions::default().format(Some(Form::Table(TableFormat::JsonLines))).memory(1 << 20);
        let source = Source::Parts(vec![part], Threads::new(2));
        let _ = write_book(source, &options, &mut std::io::sink());
    }
);
