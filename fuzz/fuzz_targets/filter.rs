//! Any text is a condition that can be evaluated, or an error with a place inside the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgn2epd::options::Filter;
use pgn2epd::{ConvertError, Options};

fuzz_target!(|text: &str| {
    match text.parse::<Filter>() {
        Ok(filter) => {
            let games = b"[WhiteElo \"2400\"]\n[Date \"2015.??.??\"]\n\n1. e4 e5 *\n";
            let options = Options::default().filter(Some(filter));
            match pgn2epd::convert(&games[..], std::io::sink(), &options) {
                // Games do not have the operations of records.
                Ok(_) | Err(ConvertError::Source { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
        Err(error) => {
            assert!(text.get(error.start..error.end).is_some());
            assert!(!error.to_string().is_empty());
        }
    }
});
