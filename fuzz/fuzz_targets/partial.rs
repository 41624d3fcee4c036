//! Any partial result becomes a book or is refused, and any Polyglot book is read or refused.
#![no_main]

use std::io::Write;

use libfuzzer_sys::fuzz_target;
use pgn2epd::Position;
use pgn2epd::book::{BookOptions, Form, Part, Source, Threads, polyglot_entries, write_book};
use pgn2epd_fuzz::count_file;

fuzz_target!(|bytes: &[u8]| {
    read_polyglot(bytes);
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
    let Some((kind, data)) = bytes.split_first() else { return };
    let part = count_file(*kind, data);
    file.write_all(&part).expect("it can be written");
    let Ok(part) = Part::open(file.path()) else { return };
    let options = BookOptions::default().format(Some(Form::Pgn)).memory(1 << 20);
    let source = Source::Parts(vec![part], Threads::new(2));
    let _ = write_book(source, &options, &mut std::io::sink());
});

/// Reads the bytes as a Polyglot book: as they are, and with the key of the starting position in
/// every entry.
fn read_polyglot(bytes: &[u8]) {
    let start = Position::default();
    let mut with_key = bytes.to_vec();
    for entry in with_key.chunks_mut(16) {
        entry.iter_mut().zip(start.key().to_be_bytes()).for_each(|(byte, key)| *byte = key);
    }
    for book in [bytes, &with_key] {
        let Ok(entries) = polyglot_entries(book, &start) else { continue };
        assert!(book.len().is_multiple_of(16));
        for entry in entries {
            let at = entry.number as usize * 16;
            assert_eq!(book[at - 8..at - 6], entry.code.to_be_bytes());
            entry.played(&start);
        }
    }
}
