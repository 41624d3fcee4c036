//! To pass over games is to take all their tokens.

use pgn::{Fault, Scanner};
use proptest::prelude::*;
use testkit::generate::{Generator, Style};
use testkit::hostile::hostile;
use testkit::shared::corpus_pgn;

/// Where each game begins and ends, and what is odd about it; passing over what is behind the first `taken` tokens.
fn games(bytes: &[u8], taken: Option<usize>) -> Vec<(usize, usize, Vec<Fault>)> {
    let mut scanner = Scanner::new(bytes);
    let mut games = Vec::new();
    while scanner.next_game() {
        let mut tokens = 0;
        while taken != Some(tokens) && scanner.next_token().is_some() {
            tokens += 1;
        }
        if taken.is_some() {
            scanner.pass_over_game();
        }
        games.push((scanner.game_start(), scanner.position(), scanner.faults().collect()));
    }
    games
}

#[track_caller]
fn assert_passing_is_reading(name: &str, bytes: &[u8]) {
    let read = games(bytes, None);
    for taken in [0, 1, 5] {
        assert!(games(bytes, Some(taken)) == read, "{name}, behind {taken} tokens");
    }
}

#[test]
fn hostile_texts_are_passed_over_as_they_are_read() {
    for (name, bytes) in hostile() {
        assert_passing_is_reading(name, &bytes);
    }
}

#[test]
fn games_of_every_style_are_passed_over_as_they_are_read() {
    for style in Style::ALL {
        assert_passing_is_reading(style.name(), &Generator::text(style, 3, 300_000));
    }
}

#[test]
fn the_corpus_is_passed_over_as_it_is_read() {
    for file in corpus_pgn() {
        assert_passing_is_reading(&file.name, &file.read().unwrap());
    }
}

/// What matters where games begin and end, glued in all ways.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "1. ",
        "1.",
        "12...",
        "e4 ",
        "e5",
        "Nf3",
        "O-O",
        "O-O-O ",
        "0-0",
        "0-1",
        "1-0 ",
        "1/2-1/2\n",
        "*",
        " ",
        "\n",
        "\n\n",
        "\r\n",
        "\t",
        "{",
        "}",
        "(",
        ")",
        ";",
        "%",
        "[A \"\"]",
        "\n[A \"x\"]\n",
        "-",
        "/",
        "N",
        "--",
        "x",
        "=",
        "+-",
        "½",
        "\u{a0}",
        "…",
        "$1",
        "<",
        ">",
        "e.p.",
        "1",
        "0",
        "[",
        "\"",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_pieces_are_passed_over_as_they_are_read(
        pieces in prop::collection::vec(piece(), 0..40),
        taken in 0..4_usize,
    ) {
        let text = pieces.concat();
        prop_assert_eq!(games(text.as_bytes(), Some(taken)), games(text.as_bytes(), None), "{:?}", text);
    }
}
