//! Options of engines.

use pgn2epd::analyse::{AnalyseOptions, book_has};
#[cfg(feature = "book")]
use pgn2epd::book::{BookOptions, EngineWindow};

#[test]
fn the_positions_of_a_book_are_evaluated_one_by_one_with_one_move() {
    for (name, expected) in [
        ("depth", true),
        ("nodes", true),
        ("engine", true),
        ("multipv", false),
        ("searchmoves", false),
        ("bm", false),
        ("annotate", false),
    ] {
        assert_eq!(book_has(name), expected, "{name}");
    }
}

#[cfg(feature = "book")]
#[test]
fn a_book_needs_one_range_for_the_answers_of_an_engine() {
    let engine = [("engine", "no-such-engine"), ("depth", "1")];
    for (eval, draws) in [(false, false), (true, false), (false, true), (true, true)] {
        let named = eval.then_some(("eval", "0..90"));
        let mut options = BookOptions::from_names(named).unwrap();
        let named = engine.into_iter().chain(draws.then_some(("draws", "0.4..0.6")));
        let engine = AnalyseOptions::from_names(named).unwrap();
        let error = EngineWindow::start(&mut options, &engine).unwrap_err().to_string();
        let lacks_range = error.contains("--eval 90..130 or --draws");
        assert_eq!(lacks_range, !eval && !draws, "{eval} {draws}: {error}");
        assert!(lacks_range || error.contains("no-such-engine"), "{error}");
    }
}
