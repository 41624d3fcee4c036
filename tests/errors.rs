//! The exact messages about bad games.

use std::num::NonZeroUsize;

use pgn2epd::Options;
use pgn2epd::options::{OnError, Ops};

use crate::support::{convert, fixture, program};

#[test]
fn the_bad_games_of_the_fixture_are_explained() {
    let outcome = program().file("bad.pgn", fixture("bad.pgn")).arg("bad.pgn").run();
    assert_eq!(outcome.status, 1);
    let (messages, summary) = outcome.stderr.trim_end().rsplit_once('\n').unwrap();
    insta::assert_snapshot!("errors-of-bad.pgn", messages);
    assert!(summary.starts_with("11 games, 33 positions, 10 errors in 10 games, 8 warnings"));
}

#[test]
fn the_good_game_between_bad_ones_is_complete() {
    let ops = Some(Ops::COUNTERS_AND_MOVE.into());
    let options = Options::default().on_error(OnError::Skip).ops(ops);
    let converted = convert(&fixture("bad.pgn"), &options);
    let moves: Vec<&str> =
        converted.lines().iter().filter_map(|line| line.split_once(" sm ")).map(|x| x.1).collect();
    assert_eq!(moves, ["f3;", "e5;", "g4;", "Qh4#;"]);
}

/// Texts and their messages, one per line.
const CASES: &[(&str, &str)] = &[
    // Moves that cannot be played.
    ("[A \"\"]\n\n1. e5 *", "3:4: game 1, 1. e5: illegal: no white pawn can reach e5"),
    ("1. e4 e4 *", "1:7: game 1, 1... e4: illegal: no black pawn can reach e4"),
    (
        "[White \"Carlsen, M\"]\n[Black \"Nakamura, H\"]\n\n1. e4 e5\n2. Nf3 Nf3 *",
        "5:8: game 1 (Carlsen, M - Nakamura, H), 2... Nf3: illegal: no black knight can reach f3",
    ),
    (
        "[White \"Only, W\"]\n\n1. Nd2 *",
        "3:4: game 1 (Only, W - ?), 1. Nd2: illegal: White's own pawn is on d2",
    ),
    // Columns count characters.
    ("1. e4 {für} Ke6 *", "1:13: game 1, 1... Ke6: illegal: no black king can reach e6"),
    (
        "1. e4 {f\u{fc}r} e5\r\n\r\n2. Ke3 *",
        "3:4: game 1, 2. Ke3: illegal: no white king can reach e3",
    ),
    // Bad games and all lines are counted.
    (
        "1. e4 e4 *\n1. d4 d4 *\n",
        "1:7: game 1, 1... e4: illegal: no black pawn can reach e4\n\
         2:7: game 2, 1... d4: illegal: no black pawn can reach d4",
    ),
    // Text that is not a game.
    (
        "1. e5 *\n1. d4 *\n",
        "1:1: 1. e5 *: text outside every game: skipped, but there are moves in it",
    ),
    // Damaged tags, digits and letters.
    (
        "[FEN 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1]\n\n1. e4 *",
        "1:1: game 1, [FEN 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1]: warning: a damaged tag that decides how the game is played: read without its quotes and brackets",
    ),
    (
        "[FEN \"?\"]\n\n1. e4 *",
        "1:7: game 1, ?: warning: the FEN tag has no position: played from the starting position",
    ),
    (
        "1. e4 e5 2. 63 1-0",
        "1:13: game 1, 2. 63: a number that is not that of the next move: a move is damaged or missing",
    ),
    (
        "1. e4 \u{435}5 *",
        "1:7: game 1, 1... \u{435}5: not a move: '\u{435}' is the character U+0435",
    ),
    // Text that is neither a move nor a comment.
    ("1. e4 foo *", "1:7: game 1, 1... foo: unknown text: neither a move nor a comment"),
    ("1. e4 -- *", "1:7: game 1, 1... --: illegal: a null move, which is not chess"),
    // Variations are not played, so they cannot have errors.
    ("1. e4 (1. Ke5 foo) e5 *", ""),
    // Text that departs from the standard without loss.
    ("1. e4 ) *", "1:7: game 1, ): warning: a closing parenthesis without an opening one: skipped"),
    ("1. e4 } *", "1:7: game 1, }: warning: a closing brace without an opening one: skipped"),
    ("1. e4 (1. d4 *", "1:7: game 1, (: a variation that is not closed before the game ends"),
    (
        "1. e4 <x> *",
        "1:7: game 1, <x>: warning: a token in angle brackets, which the standard reserves: skipped",
    ),
    ("1. e4 * 1-0", "1:9: game 1, 1-0: warning: text after the result of the game: skipped"),
    (
        "[White \"A\"]\n[Event x]\n\n1. e4 *",
        "2:1: game 1 (A - ?), [Event x]: warning: not a tag pair: skipped",
    ),
    (
        "[White \"A \"B\" C\"]\n\n1. e4 *",
        "1:1: game 1 (A \"B\" C - ?), [White \"A \"B\" C\"]: warning: not a tag pair as the standard writes it: read up to the last quote of the line",
    ),
    // Start positions.
    ("[FEN \"x\"]\n\n*", "1:7: game 1, x: FEN tag: 1 ranks, not 8"),
    ("[Variant \"Seirawan\"]\n\n1. e4 *", "1:11: game 1, Seirawan: unknown or unsupported variant"),
    (
        "[White \"A\"]\n\n1. e4 e5 2. Nf3",
        "3:16: game 1 (A - ?), warning: the text ends here, without a result or a line end: the game may be incomplete",
    ),
    // Losses.
    (
        "1. e4 {open",
        "1:7: game 1, {: a comment that is not closed before the end of the file: everything after it is lost",
    ),
];

#[test]
fn problems_have_a_place_a_game_a_move_and_a_reason() {
    let mut wrong = String::new();
    for (pgn, expected) in CASES {
        let messages = convert(pgn.as_bytes(), &Options::default()).messages().join("\n");
        if messages != *expected {
            wrong += &format!("{pgn:?}\n  says {messages}\n  not  {expected}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn a_long_token_is_cut() {
    let pgn = format!("1. e4 {} *", "x".repeat(100));
    let messages = convert(pgn.as_bytes(), &Options::default()).messages();
    let shown = format!(
        "1:7: game 1, 1... {}…: unknown text: neither a move nor a comment",
        "x".repeat(40)
    );
    assert_eq!(messages, [shown]);
}

#[test]
fn the_number_of_warnings_per_game_is_limited() {
    let pgn = format!("1. e4 {}*\n1. d4 ) *", ") ".repeat(1000));
    let options = Options::default().jobs(NonZeroUsize::new(1));
    let messages = convert(pgn.as_bytes(), &options).messages();
    assert_eq!(messages.len(), 102);
    assert_eq!(
        messages[100],
        "1:207: game 1, ): warning: more faults in the same game, not listed"
    );
    assert!(messages[101].starts_with("2:7: game 2, ): warning: a closing parenthesis"));
}

#[test]
fn bytes_that_are_not_utf_8_are_latin_1() {
    let converted = convert(b"[White \"M\xfcller\"]\n\n1. e5 *", &Options::default());
    assert_eq!(
        converted.messages(),
        ["3:4: game 1 (Müller - ?), 1. e5: illegal: no white pawn can reach e5"]
    );
}

#[test]
fn games_in_another_language_are_noted_once_for_a_file() {
    let german =
        "[A \"\"]\n\n1. e4 e5 2. Sf3 Sc6 3. Lb5 *\n\n[A \"\"]\n\n1. Sf3 d5 *\n\n1. d4 d5 *\n";
    let run = program().file("a.pgn", german).arg("a.pgn").run();
    let hints = run.stderr.matches("2 games with moves in another language (see --language auto)");
    assert_eq!((hints.count(), run.status), (1, 1), "{}", run.stderr);
    let run = program().file("a.pgn", german).args(["--language", "auto", "a.pgn"]).run();
    assert_eq!((run.stderr.contains("language"), run.status), (false, 0), "{}", run.stderr);
    // An illegal move is legal in no other language.
    let run = program().file("a.pgn", "[A \"\"]\n\n1. e4 e5 2. Sd7 Xf3 *\n").arg("a.pgn").run();
    assert!(!run.stderr.contains("language"), "{}", run.stderr);
}

#[test]
fn json_of_games_is_refused_with_a_way_to_read_it() {
    for text in [
        r#"{"games":[{"url":"https://example.org/1","pgn":"[Event \"A\"]\n\n1. e4 1-0\n","fen":"8/8"}]}"#,
        "{\n  \"games\": [\n    {\"pgn\": \"1. e4 *\"}\n  ]\n}\n",
        r#"{"id":"q7ZvsdUF","rated":true,"variant":"standard","speed":"blitz","players":{},"moves":"e4 e5"}"#,
        r#"[{"id": "q7ZvsdUF", "rated": true, "moves": "e4 e5"}]"#,
        r#"{"url":"https://example.org/1","pgn":"1. e4 *","time_control":"60","fen":"8/8"}"#,
    ] {
        let run = program().file("a.pgn", text).arg("a.pgn").run();
        assert_eq!(run.status, 2, "{text}: {}", run.stderr);
        assert!(
            run.stderr.contains("this is JSON of games") && run.stderr.contains("jq -r"),
            "{text}"
        );
    }
    let positions = r#"{"fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "moves": 3, "pgn": ""}"#;
    assert_eq!(program().file("a.jsonl", positions).arg("a.jsonl").run().status, 0);
}
