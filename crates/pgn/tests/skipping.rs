//! Skipping games is equivalent to reading all their tokens.

use pgn::{Outcome, PgnDiagnostic, Scanner, Token};
use proptest::prelude::*;
use testkit::generate::{Generator, Style};
use testkit::hostile::hostile;
use testkit::shared::corpus_pgn;

/// What is found of a game: its start, its end, the result that ends its movetext, unless it has
/// been read before the rest, and its faults.
type Found = (usize, usize, Option<Outcome>, Vec<PgnDiagnostic>);

/// Returns the games, skipping or reading the rest of each after `taken` tokens.
fn games(bytes: &[u8], taken: usize, skips: bool) -> Vec<Found> {
    let mut scanner = Scanner::new(bytes);
    let mut games = Vec::new();
    while scanner.next_game() {
        let mut tokens = (0..taken).map_while(|_| scanner.next_token());
        // Within variations a result ends nothing.
        let depth = tokens.try_fold(0_u32, |depth, token| Some(depth_after(depth, token)));
        let outcome = match skips {
            true => scanner.skip_game(),
            false => result_of_rest(&mut scanner, depth.unwrap_or_default()),
        };
        let faults = scanner.diagnostics().collect();
        games.push((scanner.game_start(), scanner.position(), outcome, faults));
    }
    games
}

fn depth_after(depth: u32, token: Token<'_>) -> u32 {
    match token {
        Token::Open => depth + 1,
        Token::Close => depth.saturating_sub(1),
        _ => depth,
    }
}

/// Reads the rest of the tokens, and returns the result outside of variations.
fn result_of_rest(scanner: &mut Scanner<'_>, mut depth: u32) -> Option<Outcome> {
    let mut outcome = None;
    while let Some(token) = scanner.next_token() {
        depth = depth_after(depth, token);
        if let (Token::Result(result), 0) = (token, depth) {
            outcome = Some(result);
        }
    }
    outcome
}

#[track_caller]
fn assert_skipping_equals_reading(name: &str, bytes: &[u8]) {
    for taken in [0, 1, 5] {
        let [read, skipped] = [false, true].map(|skips| games(bytes, taken, skips));
        assert!(skipped == read, "{name}, after {taken} tokens");
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

/// Results as files have them, by what they say.
const RESULTS: [(Outcome, &[&str]); 4] = [
    (Outcome::WhiteWins, &["1-0", "1–0", "1 - 0", "1 : 0", "1:0", "1.0-0.0", "1-0FF", "+:-"]),
    (Outcome::BlackWins, &["0-1", "0—1", "0 - 1", "0- 1", "0,0-1,0", "0-1ff", "-:+"]),
    (
        Outcome::Draw,
        &["1/2-1/2", "1/2 - 1/2", "1/2", "½-½", "½", "½ – ½", "0.5-0.5", ".5 - .5", "=:="],
    ),
    (Outcome::Unknown, &["*", "-:-"]),
];

/// What ends before a result.
const BEFORE: [&str; 6] = ["", "\n", "{a 0-1} ", "(2. d4 1-0) ", "$1 ", "; 1-0\n"];

#[test]
fn a_result_in_any_spelling_is_returned_whatever_was_skipped_before_it() {
    for (outcome, spellings) in RESULTS {
        for result in spellings {
            for (before, moves) in BEFORE.iter().flat_map(|text| [(text, 1), (text, 2000)]) {
                let moves = "1. e4 e5 ".repeat(moves);
                let pgn = format!("{moves}2. Nf3 {before}{result}\n\n[White \"B\"]\n\n1. d4 *\n");
                for (taken, skips) in [(0, true), (1, true), (3, true), (0, false)] {
                    let found = games(pgn.as_bytes(), taken, skips);
                    assert_eq!(
                        (found[0].2, found.len()),
                        (Some(outcome), 2),
                        "{before:?} {result} after {taken} tokens, {} bytes",
                        moves.len()
                    );
                }
            }
        }
    }
}

/// Text fragments that affect where games begin and end, to be concatenated in any order.
fn piece() -> impl Strategy<Value = &'static str> {
    let pieces = [
        "1. ", "1.", "12...", "e4 ", "e5", "Nf3", "O-O", "O-O-O ", "0-0", "0-1", "1-0 ",
        "1/2-1/2\n", "1/2", "*", ":", "+", " ", "\n", "\n\n", "\r\n", "\t", "{", "}", "(", ")",
        ";", "%", "[A \"\"]", "\n[A \"x\"]\n", "-", "/", "N", "--", "x", "=", "+-", "½", "\u{a0}",
        "…", "$1", "<", ">", "e.p.", "1", "0", "[", "\"", "[FEN \"8/8\"]",
    ];
    let of_fens = [" 4k3/8/8/8/8/8/4P3/4K3 w ", "1K6/8/8/8/8/8/8/1k6"];
    prop::sample::select([&pieces[..], &of_fens].concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: testkit::shared::cases(20_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn skipping_any_fragments_equals_reading(
        pieces in prop::collection::vec(piece(), 0..40),
        taken in 0..4_usize,
    ) {
        let text = pieces.concat();
        let [read, skipped] = [false, true].map(|skips| games(text.as_bytes(), taken, skips));
        prop_assert_eq!(skipped, read, "{:?}", text);
    }
}
