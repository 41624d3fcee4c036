//! Where games begin and end: small cases.

use pgn::Token;

/// A text, and for each of its games the number of tags and the moves of the main line.
const CASES: &[(&str, &[&str])] = &[
    // Empty.
    ("", &[]),
    (" \t\r\n\n", &[]),
    ("\u{feff}", &[]),
    ("{ a comment }\n; and another\n% and a line for programs\n", &[]),
    // The standard layout.
    ("[A \"\"]\n\n1. e4 e5 *\n\n[A \"\"]\n\n1. d4 *\n", &["1: e4 e5", "1: d4"]),
    ("[A \"\"]\n[B \"\"]\n\n*\n", &["2:"]),
    // Without blank lines, line ends, or results.
    ("[A \"\"]\n1. e4 *\n[A \"\"]\n1. d4 *", &["1: e4", "1: d4"]),
    ("[A \"\"] 1. e4 * [A \"\"] 1. d4 *", &["1: e4", "1: d4"]),
    ("[A \"\"]\n\n1. e4\n\n[A \"\"]\n\n1. d4", &["1: e4", "1: d4"]),
    ("[A \"\"]\n1. e4\n[A \"\"]\n1. d4", &["1: e4", "1: d4"]),
    ("1. e4 e5 1-0[A \"\"]\n1. d4", &["0: e4 e5", "1: d4"]),
    // Bare move lists.
    (
        "1. e4 e5 1-0\n1. d4 0-1\n1. c4 1/2-1/2\n*\n1. b4 *\n",
        &["0: e4 e5", "0: d4", "0: c4", "0: b4"],
    ),
    ("1. e4 e5 1-0 1. d4 * 1. c4", &["0: e4 e5", "0: d4", "0: c4"]),
    ("1. e4 e5\n\n1. d4 d5\n", &["0: e4 e5", "0: d4 d5"]),
    ("1. e4 e5\n1. d4 d5\n", &["0: e4 e5 d4 d5"]),
    ("e4 e5 *\nd4 *\n", &["0: e4 e5", "0: d4"]),
    // Empty lines inside movetext do not end a game.
    ("1. e4\n\n\ne5\n\n2. Nf3\n\n*", &["0: e4 e5 Nf3"]),
    ("[A \"\"]\n\n\n\n{c}\n\n1. e4\n\n{c}\n\n1... e5 *", &["1: e4 e5"]),
    // Games without moves.
    ("[Event \"\"]\n[A \"\"]\n\n[Event \"\"]\n\n1. e4", &["2:", "1: e4"]),
    ("[A \"\"]\n\n[A \"\"]\n\n[A \"\"]\n", &["1:", "1:", "1:"]),
    ("[A \"\"]\n\n[B \"\"]\n\n1. e4", &["2: e4"]),
    ("[A \"\"]\n[A \"\"]\n\n1. e4", &["2: e4"]),
    // Line ends.
    ("[A \"\"]\r\n\r\n1. e4\r\n\r\ne5 *\r\n\r\n[A \"\"]\r\n\r\n*\r\n", &["1: e4 e5", "1:"]),
    ("[A \"\"]\r\r1. e4\re5 *\r\r[A \"\"]\r\r*\r", &["1: e4 e5", "1:"]),
    // A byte order mark, at the beginning and in a file that was appended to another.
    ("\u{feff}[A \"\"]\n\n1. e4 *\n", &["1: e4"]),
    ("[A \"\"]\n\n1. e4 *\n\u{feff}[A \"\"]\n\n1. d4 *", &["1: e4", "1: d4"]),
    // Escaped lines: only in the first column, and not in braces.
    ("% x\n[A \"\"]\n%[A \"\"]\n\n1. e4\n%e5 *\n1... c5 *", &["1: e4 c5"]),
    ("1. e4 {\n%} c5 } 2. Nf3 *", &["0: e4 c5 Nf3"]),
    // Comments hide everything.
    ("1. e4 {[A \"\"]\n\n1. d4 *\n[A \"\"]} e5 *", &["0: e4 e5"]),
    ("1. e4 ; {\n1... e5 ; } *\n2. Nf3 *", &["0: e4 e5 Nf3"]),
    ("1. e4 {a {b} c5 *", &["0: e4 c5"]),
    // Variations: a result inside does not end them, and they end with their game.
    ("1. e4 (1. d4 1-0) e5 *", &["0: e4 e5"]),
    ("1. e4 (1. d4 (1. c4) d5) (1. b4) e5 *", &["0: e4 e5"]),
    ("1. e4 (1. d4\n\n[A \"\"]\n\n1. c4 *", &["0: e4", "1: c4"]),
    ("1. e4 ) e5 *", &["0: e4 e5"]),
    // Unterminated constructs.
    ("1. e4 {", &["0: e4"]),
    ("1. e4 (1. d4", &["0: e4"]),
    ("1. e4 ;", &["0: e4"]),
    ("1. e4 $", &["0: e4"]),
    ("[A \"\"]\n\n1. e4\n\n[A \"", &["1: e4", "0:"]),
    ("[A \"\"]\n[B \"", &["1:"]),
    ("[A \"\"]", &["1:"]),
    ("1.", &["0:"]),
    ("[A \"\"]\n{ c }\n% an escaped line\n[B \"\"]\n\n1. e4 *", &["2: e4"]),
    // Text outside games.
    ("Dear reader!\n\n[A \"\"]\n\n1. e4 *", &["1: e4"]),
    ("1. e4 * the end\n\n[A \"\"]\n\n*", &["0: e4", "1:"]),
];

fn shown(game: &pgn::Game<'_>) -> String {
    let mut text = format!("{}:", game.tags().len());
    let mut movetext = game.movetext();
    while let Some(token) = movetext.next() {
        if let (Token::Move(word), 0) = (token, movetext.depth()) {
            text = format!("{text} {}", String::from_utf8_lossy(word));
        }
    }
    text
}

#[test]
fn games_begin_and_end_at_the_expected_places() {
    let mut wrong = String::new();
    for (text, expected) in CASES {
        let games: Vec<String> = pgn::games(text.as_bytes()).map(|game| shown(&game)).collect();
        if games != *expected {
            wrong += &format!("{text:?}\n  is  {games:?}\n  not {expected:?}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
