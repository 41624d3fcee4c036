//! Whatever stands in a partial result: it becomes a book, or it is refused.
#![no_main]

use std::io::Write;

use libfuzzer_sys::fuzz_target;
use pgn2epd::book::{Choice, EpdOps, Form, Part, Source, Style, write_book};

fuzz_target!(|bytes: &[u8]| {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
    let header = b"pgn2epd book, partial result 1\n{\"files\":[\"a\"],\"counted\":\"\",\"moves\":true}\n";
    file.write_all(header).and_then(|()| file.write_all(bytes)).expect("it can be written");
    let Ok(part) = Part::open(file.path()) else { return };
    let style = Style { form: Form::Pgn, ops: EpdOps::None, names: None };
    let folder = std::env::temp_dir();
    let source = Source::Parts(vec![part]);
    let _ = write_book(source, &Choice::default(), &style, 1 << 20, &folder, &mut std::io::sink());
});
