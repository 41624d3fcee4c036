//! Skipping games is equivalent to reading all their tokens.

use pgn::{PgnDiagnostic, Scanner};
use proptest::prelude::*;
use testkit::generate::{Generator, Style};
use testkit::hostile::hostile;
use testkit::shared::corpus_pgn;

/// Returns the start, the end and the faults of each game, skipping it after the first `taken`
/// tokens.
fn games(bytes: &[u8], taken: Option<usize>) -> Vec<(usize, usize, Vec<PgnDiagnostic>)> {
    let mut scanner = Scanner::new(bytes);
    let mut games = Vec::new();
    while scanner.next_game() {
        let mut tokens = 0;
        while taken != Some(tokens) && scanner.next_token().is_some() {
            tokens += 1;
        }
        if taken.is_some() {
            scanner.skip_game();
        }
        games.push((scanner.game_start(), scanner.position(), scanner.diagnostics().collect()));
    }
    games
}

#[track_caller]
fn assert_skipping_equals_reading(name: &str, bytes: &[u8]) {
    let read = games(bytes, None);
    for taken in [0, 1, 5] {
        assert!(games(bytes, Some(taken)) == read, "{name}, after {taken} tokens");
    }
}

#[test]
fn skipping_hostile_texts_equals_reading() {
    for (name, bytes) in hostile() {
        assert_skipping_equals_reading(name, &bytes);
    }
}

#[test]
fn skipping_games_of_every_style_equals_reading() {
    for style in Style::ALL {
        assert_skipping_equals_reading(style.name(), &Generator::text(style, 3, 300_000));
    }
}

#[test]
fn skipping_the_corpus_equals_reading() {
    for file in corpus_pgn() {
        assert_skipping_equals_reading(&file.name, &file.read().unwrap());
    }
}

/// Text fragments that affect where games begin and end, to be concatenated in any order.
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
    #![proptest_config(ProptestConfig { cases: testkit::shared::cases(20_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn skipping_any_fragments_equals_reading(
        pieces in prop::collection::vec(piece(), 0..40),
        taken in 0..4_usize,
    ) {
        let text = pieces.concat();
        prop_assert_eq!(games(text.as_bytes(), Some(taken)), games(text.as_bytes(), None), "{:?}", text);
    }
}
