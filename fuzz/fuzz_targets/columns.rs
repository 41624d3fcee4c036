//! Any partial result as Arrow or Parquet becomes a book or is refused.
#![no_main]

use std::io::Write;

use libfuzzer_sys::fuzz_target;
use pgn2epd::book::{Choice, EpdOps, Form, Part, Source, Style, Threads, write_book};

fuzz_target!(
    // Panics of the libraries become errors; a panic that is not caught ends the run.
    init: std::panic::set_hook(Box::new(|_| {})),
    |bytes: &[u8]| {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
        file.write_all(bytes).expect("it can be written");
        let Ok(part) = Part::open(file.path()) else { return };
        let style = Style { form: Form::JsonLines, ops: EpdOps::None, names: None };
        let (source, choice) = (Source::Parts(vec![part], Threads::new(2)), Choice::default());
        let folder = std::env::temp_dir();
        let _ = write_book(source, &choice, &style, 1 << 20, &folder, &mut std::io::sink());
    }
);
