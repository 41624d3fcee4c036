//! Counting and selection: results, evaluations, one position per game, and the messages about
//! them.

use crate::support::program;

/// A game without a result, and a game lost by White.
const UNKNOWN: &str = "[Result \"*\"]\n\n1. e4 e5 *\n\n[Result \"0-1\"]\n\n1. d4 d5 0-1\n";

fn polyglot(games: &str, args: &[&str]) -> Vec<u8> {
    let outcome =
        program().file("in.pgn", games).args(["book", "-o", "x.bin", "in.pgn"]).args(args).run();
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    outcome.file("x.bin").unwrap()
}

#[test]
fn games_without_a_result_are_draws_in_a_polyglot_book_unless_they_are_skipped() {
    // Entries of 16 bytes, their weight in bytes 10 and 11: e4 and e5 as draws, d5 as a win.
    let book = polyglot(UNKNOWN, &[]);
    let mut weights: Vec<u16> =
        book.chunks(16).map(|entry| u16::from_be_bytes([entry[10], entry[11]])).collect();
    weights.sort();
    assert_eq!(weights, [1, 1, 2]);
    assert_eq!(polyglot(UNKNOWN, &["--unknown-result", "draw"]), book);
    assert_eq!(polyglot(UNKNOWN, &["--unknown-result", "skip"]).len(), 16);
}

#[test]
fn equal_weights_are_those_of_all_moves_also_of_lost_ones() {
    // Keys, moves and weights: e4 once, both answers, and both moves after them.
    let games =
        "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Result \"0-1\"]\n\n1. e4 c5 2. d4 0-1\n";
    let weights = |args: &[&str]| {
        let book = polyglot(games, args);
        let weight = |entry: &[u8]| u16::from_be_bytes([entry[10], entry[11]]);
        book.chunks(16).map(weight).collect::<Vec<_>>()
    };
    assert_eq!(weights(&["--weights", "uniform"]), [1, 1, 1, 1, 1]);
    assert_eq!(weights(&[]).len(), 3);
    let unknown = "1. e4 e5 2. Nf3 *\n";
    let skipped = ["--weights", "uniform", "--unknown-result", "skip"];
    assert_eq!(polyglot(unknown, &skipped).len(), 3 * 16);
}
