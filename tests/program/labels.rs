//! Positions labelled with game results, for tuning. The expected values were computed by hand.

use crate::support::program;

/// After 1. e4 Black is better by 0.3, after 1... f5 White mates in 2. White wins.
const GAME: &str = "[Result \"1-0\"]\n\n1. e4 {[%eval -0.3]} f5 {[%eval #2]} 2. exf5 g5 {[%eval #1]} 3. Qh5# {[%eval #0]} 1-0\n";

/// Games in which something is missing or wrong, with options, and the tails of their lines in
/// `bullet`.
const ODD: [(&str, &str, &[&str]); 10] = [
    // A move without a comment.
    ("", "1. e4 {+0.10/12 1s} e5 2. Nf3 {+0.20/12 1s} Nc6 1-0", &["10 | 1.0", "20 | 1.0"]),
    // Odd comments, and one in another encoding.
    (
        "",
        "1. e4 {+0.10/12 oops]]} e5 {-0.x1/9 1s} 2. Nf3 {[%eval 0.} Nc6 {+0.30/9 1s} 1-0",
        &["-30 | 1.0"],
    ),
    ("", "1. e4 {+0.10/12 1s, g\u{fc}nstig} e5 {-0.20/9 1s} 1-0", &["10 | 1.0", "20 | 1.0"]),
    // A null move, and one that is not allowed.
    (
        "--null-moves",
        "1. e4 {+0.10/12 1s} -- {-0.20/9 1s} 2. Nf3 {+0.30/12 1s} Nc6 {+0.40/9 1s} 1/2-1/2",
        &["10 | 0.5", "30 | 0.5", "-40 | 0.5"],
    ),
    ("", "1. e4 {+0.10/12 1s} -- {-0.20/9 1s} 2. Nf3 {+0.30/12 1s} Nc6 1/2-1/2", &["10 | 0.5"]),
    // An illegal move.
    (
        "",
        "1. e4 {+0.10/12 1s} e5 {-0.20/9 1s} 2. Ke3 {+0.30/12 1s} Nc6 0-1",
        &["10 | 0.0", "20 | 0.0"],
    ),
    (
        "",
        "[Variant \"Crazyhouse\"]\n\n1. e4 {+0.10/12 1s} d5 {-0.20/9 1s} 2. exd5 {+0.30/12 1s} 1-0",
        &["10 | 1.0", "20 | 1.0", "30 | 1.0"],
    ),
    (
        "",
        "1. e4 {+0.10/12 1s} (1. d4 {+9.90/12 1s} d5) e5 {-0.20/9 1s} 1-0",
        &["10 | 1.0", "20 | 1.0"],
    ),
    // Castling in Chess960.
    (
        "",
        "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"nqbbrkrn/pppppppp/8/8/8/8/PPPPPPPP/NQBBRKRN w KQkq - 0 1\"]\n\n\
         1. O-O {+0.10/12 1s} O-O {-0.20/9 1s} 1-0",
        &["10 | 1.0", "20 | 1.0"],
    ),
    // No result in the tag.
    (
        "",
        "[Result \"*\"]\n\n1. e4 {+0.10/12 1s} e5 {-0.20/9 1s, Black resigns} 1-0",
        &["10 | 1.0", "20 | 1.0"],
    ),
];

#[test]
fn an_odd_game_has_the_labels_that_are_known_and_costs_no_other_game() {
    let run = |args: &[&str], pgn: &str| program().args(args).stdin(pgn).run();
    for (option, game, expected) in ODD {
        for format in ["c9", "bracket", "bullet", "c-chess-cli", "plain"] {
            let args = ["--format", format, option];
            let args = &args[..if option.is_empty() { 2 } else { 3 }];
            let good = run(args, GAME).text().to_owned();
            let both = run(args, &format!("[White \"A\"]\n{game}\n\n{GAME}"));
            assert!(both.text().ends_with(&good), "{game}, {format}: {}", both.text());
            let own = &both.text()[..both.text().len() - good.len()];
            assert!(!own.is_empty(), "{game}, {format}");
            if format == "bullet" {
                let tails: Vec<&str> =
                    own.lines().map(|line| line.split_once(" | ").unwrap().1).collect();
                assert_eq!(tails, expected, "{game}");
            }
        }
    }
    // King takes rook, as UCI engines of Chess960 expect it.
    let (_, castling, _) = ODD[8];
    let plain = run(&["--format", "plain"], castling).text().to_owned();
    assert!(plain.contains("\nmove f1g1\nscore 10\n"), "{plain}");
    assert!(plain.contains("\nmove f8g8\nscore -20\n"), "{plain}");
}
