//! Any text as the value of an option is refused, or has a form that is read as the same value, and
//! a conversion with it does not fail but for what it says.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgn2epd::{Options, convert};

/// The options whose values have a form of their own, each with what it needs.
const OPTIONS: [(&str, &[(&str, &str)]); 16] = [
    ("sort", &[]),
    ("columns", &[("format", "csv")]),
    ("columns", &[("format", "jsonl"), ("rows", "games")]),
    ("eval", &[]),
    ("ply", &[]),
    ("move", &[]),
    ("add", &[]),
    ("ops", &[]),
    ("omit", &[]),
    ("where", &[]),
    ("split", &[]),
    ("games", &[("format", "pgn")]),
    ("unique-games", &[("format", "pgn")]),
    ("sample", &[]),
    ("language", &[]),
    ("format", &[]),
];

const GAMES: &[u8] = b"[White \"A\"]\n[WhiteElo \"2400\"]\n[Date \"2015.??.??\"]\n\n\
    1. e4 {[%eval 0.3] [%clk 0:01:00]} e5 (1... c5 $1) 2. Nf3 1-0\n\n1. d4 {+0.25/12 1s} d5 *\n";

fuzz_target!(|input: &[u8]| {
    let Some((&choice, text)) = input.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let (name, others) = OPTIONS[usize::from(choice) % OPTIONS.len()];
    let names = [others, &[(name, text)]].concat();
    let options = match Options::from_names(names) {
        Ok(options) => options,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    if let Ok(written) = options.to_names() {
        let named = || written.iter().map(|(name, value)| (*name, &**value));
        let again = Options::from_names(named()).expect("what is written is read");
        assert_eq!(again.to_names().expect("they have names"), written);
    }
    if let Err(error) = convert(GAMES, std::io::sink(), &options) {
        assert!(!error.to_string().is_empty());
    }
});
