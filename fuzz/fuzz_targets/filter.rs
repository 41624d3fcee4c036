//! Any text is a condition that can be evaluated, or an error with a place inside the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgn2epd::Options;
use pgn2epd::options::Filter;

fuzz_target!(|text: &str| {
    match text.parse::<Filter>() {
        Ok(filter) => {
            let games = b"[WhiteElo \"2400\"]\n[Date \"2015.??.??\"]\n\n1. e4 e5 *\n";
            let options = Options::default().filter(Some(filter));
            pgn2epd::convert(&games[..], std::io::sink(), &options).expect("memory can be read");
        }
        Err(error) => {
            assert!(text.get(error.start..error.end).is_some());
            assert!(!error.to_string().is_empty());
        }
    }
});
