//! How games are read: languages, null moves, and what is said of the standard.

use serde_json::Value;
use testkit::program::Outcome;

use super::{RECORDS, assert_failed};
use crate::support::program;

fn run(pgn: &str, args: &[&str]) -> Outcome {
    program().args(["--ops", "sm", "-q"]).args(args).stdin(pgn).run()
}

/// The moves of all records.
fn moves(outcome: &Outcome) -> String {
    let moves = outcome.lines().into_iter().filter_map(|line| line.split_once(" sm "));
    moves.map(|(_, san)| san.trim_end_matches(';')).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_language_is_found_out_game_by_game() {
    let cases = [
        // German, Danish, Norwegian and Swedish are spelled alike: there is one reading.
        ("1. e4 e5 2. Sf3 Sc6 3. Lb5 *", "e4 e5 Nf3 Nc6 Bb5"),
        ("1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. O-O Re7 *", "e4 e5 Nf3 Nc6 Bb5 a6 O-O Ke7"),
        ("1. e4 e5 2. Кf3 Кc6 3. Сb5 Крe7 *", "e4 e5 Nf3 Nc6 Bb5 Ke7"),
        ("1. e4 e5 2. Nf3 Nc6 *", "e4 e5 Nf3 Nc6"),
        // English goes before all: R is a rook, though French has it for the king.
        ("1. Nf3 Nf6 2. Rg1 Rg8 *", "Nf3 Nf6 Rg1 Rg8"),
        ("1. e4 {Sf3} e5 (1... Sc6) 2. Sf3 *", "e4 e5 Nf3"),
    ];
    for (pgn, expected) in cases {
        let outcome = run(pgn, &["--language", "auto"]);
        assert_eq!((outcome.status, &*moves(&outcome)), (0, expected), "{pgn}");
    }
    let both = cases.map(|(pgn, _)| pgn).join("\n");
    let expected = cases.map(|(_, moves)| moves).join(" ");
    for jobs in ["1", "3"] {
        let outcome = run(&both, &["--language", "auto", "-j", jobs, "--chunk-bytes", "64"]);
        assert_eq!(moves(&outcome), expected);
    }
}

#[test]
fn two_languages_that_play_different_moves_are_no_answer() {
    // The S of German is a knight, that of Czech a bishop, and both may go to e2.
    let outcome =
        program().args(["--language", "auto", "--ops", "sm"]).stdin("1. e4 e5 2. Se2 *").run();
    assert_eq!((outcome.status, &*moves(&outcome)), (1, "e4 e5"));
    let message = outcome.stderr.lines().next().unwrap();
    assert_eq!(
        message,
        "-:1:1: game 1, the letters of the pieces can be read as Czech and as Danish: name the language"
    );
}

#[test]
fn an_unknown_language_is_told_which_there_are() {
    let outcome = program().args(["--language", "xx"]).run();
    assert_failed(&outcome);
    assert!(outcome.stderr.contains(r#"there is no language "xx"; choose of auto, en, cs, da"#));
}

#[test]
fn null_moves_are_played_where_they_are_asked_for() {
    let outcome = run("1. e4 -- 2. d4 Z0 3. Nf3 *", &["--null-moves", "--format", "fen"]);
    assert_eq!((outcome.status, &*moves(&outcome)), (0, "e4 d4 Nf3"));
    assert_eq!(
        outcome.lines()[2],
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2 sm d4;"
    );
    assert_eq!(outcome.lines().len(), 6);
    // No side may pass in check.
    let outcome = run("1. e4 f6 2. Qh5+ -- *", &["--null-moves"]);
    assert_eq!((outcome.status, &*moves(&outcome)), (1, "e4 f6 Qh5+"));
    let outcome = run("1. e4 e5 (1... c5 2. -- d6) *", &["--null-moves", "--variations"]);
    assert_eq!((outcome.status, &*moves(&outcome)), (0, "e4 e5 d6"));
}

#[test]
fn strict_is_content_with_the_standard_and_with_nothing_else() {
    let standard = "[Event \"A\"]\n[Result \"*\"]\n\n1. e4! $1 e5 {good} (1... c5) 2. Nf3!? *\n";
    let run = |pgn: &str| program().args(["--strict", "--ops", "sm"]).stdin(pgn).run();
    assert_eq!(run(standard).status, 0, "{}", run(standard).stderr);
    let deviations = [
        ("e4!", "e2e4", "1. e2e4: in SAN it is e4"),
        ("e4!", "e4+", "1. e4+: in SAN it is e4"),
        ("e4!", "e4!!!", "1. e4!!!: in SAN it is e4"),
        ("$1", "$256", "1... $256: a glyph's number is one from 0 to 255"),
        ("$1", "+=", "1... +=: a sign that the standard does not know"),
        ("!? *", "", "the game has no result"),
        ("\"*\"", "\"1-0\"", "1-0: the movetext ends with *"),
        ("[Result", "[Event \"B\"]\n[Result", "B: the tag is there twice: the first counts"),
        ("(1... c5)", ")", "): a closing parenthesis without an opening one: passed over"),
    ];
    for (standard_text, text, message) in deviations {
        let outcome = run(&standard.replace(standard_text, text));
        assert_eq!(outcome.status, 1, "{text}");
        assert!(outcome.stderr.contains(message), "{text}: {}", outcome.stderr);
        // What has one reading is played all the same.
        assert_eq!(moves(&outcome), "e4 e5 Nf3", "{text}");
    }
}

#[test]
fn notes_change_nothing_but_what_is_said() {
    let pgn = "1. e2e4 e5";
    let quiet = program().stdin(pgn).run();
    assert_eq!((quiet.status, &*quiet.stderr), (0, ""));
    let outcome = program().args(["--notes", "--report", "r.jsonl"]).stdin(pgn).run();
    assert_eq!((outcome.status, outcome.text()), (0, quiet.text()));
    assert_eq!(outcome.text(), RECORDS);
    insta::assert_snapshot!(outcome.stderr.trim_end(), @r"
    -:1:4: game 1, 1. e2e4: note: in SAN it is e4
    -:1:11: game 1, note: the game has no result
    ");
    let report = String::from_utf8(outcome.file("r.jsonl").unwrap()).unwrap();
    let kinds = report.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        format!("{} {}", line["severity"], line["kind"])
    });
    assert_eq!(kinds.collect::<Vec<_>>(), [r#""note" "spelling""#, r#""note" "no-result""#]);
}
