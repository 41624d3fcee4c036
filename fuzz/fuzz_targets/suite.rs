//! Any text as a test suite: each record is an exercise or is not, and one has a task and a name.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgn2epd::analyse::Suite;
use pgn2epd::epd::Rules;
use pgn2epd::{Options, convert};

fuzz_target!(|text: &[u8]| {
    let options = Options::from_names([("input", "epd"), ("registers", "full")]);
    let mut records = Vec::new();
    if convert(text, &mut records, &options.expect("they exist")).is_err() {
        return;
    }
    let records = String::from_utf8(records).expect("records are UTF-8");
    let suite = Suite::read(&records, Rules::Detected);
    let (exercises, lines) = (suite.exercises.len() as u64, records.lines().count() as u64);
    assert_eq!(exercises + suite.others, lines, "{records}");
    for exercise in &suite.exercises {
        assert!(!exercise.task.is_empty() && !exercise.name.is_empty(), "{records}");
    }
    assert!(suite.problems.iter().all(|problem| !problem.is_empty()));
});
