//! How games are read: languages, null moves, and departures from the standard.

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
fn the_language_is_detected_for_each_game() {
    let cases = [
        // German, Danish, Norwegian and Swedish use the same letters, so the text is unambiguous.
        ("1. e4 e5 2. Sf3 Sc6 3. Lb5 *", "e4 e5 Nf3 Nc6 Bb5"),
        ("1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. O-O Re7 *", "e4 e5 Nf3 Nc6 Bb5 a6 O-O Ke7"),
        ("1. e4 e5 2. Кf3 Кc6 3. Сb5 Крe7 *", "e4 e5 Nf3 Nc6 Bb5 Ke7"),
        ("1. e4 e5 2. Nf3 Nc6 *", "e4 e5 Nf3 Nc6"),
        // English takes precedence: R is a rook, although it is the king in French.
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
fn two_languages_with_different_moves_are_ambiguous() {
    // In German S is a knight, in Czech a bishop, and both can go to e2.
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
fn an_unknown_language_gets_the_known_ones() {
    let outcome = program().args(["--language", "xx"]).run();
    assert_failed(&outcome);
    assert!(outcome.stderr.contains(r#"unknown language "xx"; choose from auto, en, cs, da"#));
}

#[test]
fn null_moves_are_played_on_request() {
    let outcome = run("1. e4 -- 2. d4 Z0 3. Nf3 *", &["--null-moves", "--format", "fen"]);
    assert_eq!((outcome.status, &*moves(&outcome)), (0, "e4 d4 Nf3"));
    assert_eq!(
        outcome.lines()[2],
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2 sm d4;"
    );
    assert_eq!(outcome.lines().len(), 6);
    // A side in check cannot pass.
    let outcome = run("1. e4 f6 2. Qh5+ -- *", &["--null-moves"]);
    assert_eq!((outcome.status, &*moves(&outcome)), (1, "e4 f6 Qh5+"));
    let outcome = run("1. e4 e5 (1... c5 2. -- d6) *", &["--null-moves", "--variations"]);
    assert_eq!((outcome.status, &*moves(&outcome)), (0, "e4 e5 d6"));
}

#[test]
fn strict_accepts_only_the_standard() {
    let standard = "[Event \"A\"]\n[Result \"*\"]\n\n1. e4! $1 e5 {good} (1... c5) 2. Nf3!? *\n";
    let run = |pgn: &str| program().args(["--strict", "--ops", "sm"]).stdin(pgn).run();
    assert_eq!(run(standard).status, 0, "{}", run(standard).stderr);
    let deviations = [
        ("e4!", "e2e4", "1. e2e4: in SAN it is e4"),
        ("e4!", "e4+", "1. e4+: in SAN it is e4"),
        ("e4!", "e4!!!", "1. e4!!!: in SAN it is e4"),
        ("$1", "$256", "1... $256: the number of a NAG is from 0 to 255"),
        ("$1", "+=", "1... +=: an annotation sign that is not in the standard"),
        ("!? *", "", "the game has no result"),
        ("\"*\"", "\"1-0\"", "1-0: the movetext ends with *"),
        ("[Result", "[Event \"B\"]\n[Result", "B: the tag occurs twice: the first counts"),
        ("(1... c5)", ")", "): a closing parenthesis without an opening one: skipped"),
    ];
    for (standard_text, text, message) in deviations {
        let outcome = run(&standard.replace(standard_text, text));
        assert_eq!(outcome.status, 1, "{text}");
        assert!(outcome.stderr.contains(message), "{text}: {}", outcome.stderr);
        // Unambiguous moves are still played.
        assert_eq!(moves(&outcome), "e4 e5 Nf3", "{text}");
    }
}

#[test]
fn notes_only_change_messages() {
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

#[test]
fn castling_rights_of_a_moved_king_are_removed_in_standard_chess() {
    let castling = |variant: &str| {
        let pgn =
            format!("[Variant \"{variant}\"]\n[FEN \"r5k1/8/8/8/8/8/8/R3K2R w KQq - 0 1\"]\n\n*");
        let outcome = program().stdin(pgn).run();
        (outcome.text().split(' ').nth(2).unwrap().to_owned(), outcome.stderr)
    };
    let (rights, message) = castling("Standard");
    assert_eq!(rights, "KQ");
    assert!(message.contains("Black cannot have the right to castle queenside"), "{message}");
    assert_eq!(castling("Chess960"), ("KQq".to_owned(), String::new()));
}

#[test]
fn conditions_see_the_text_of_tags_in_iso_8859_1() {
    let pgn = b"[White \"M\xfcller\"]\n[Black \"B\"]\n\n1. e4 {sch\xf6n} *\n";
    let utf_8 = "[White \"Müller\"]\n[Black \"B\"]\n\n1. e4 {schön} *\n";
    for (condition, expected) in [
        ("White = \"Müller\"", 2),
        ("White != \"Müller\"", 0),
        ("White ~ \"MÜLL\"", 2),
        ("White >= \"Mü\" and White < \"Mý\"", 2),
        ("comment ~ \"SCHÖN\"", 1),
    ] {
        for input in [&pgn[..], utf_8.as_bytes()] {
            let outcome = program().args(["-q", "--where", condition]).stdin(input).run();
            assert_eq!(outcome.text().lines().count(), expected, "{condition}");
            if !condition.contains("comment") {
                let book = program().args(["book", "-q", "--where", condition]).stdin(input).run();
                assert_eq!(book.text().lines().count(), expected, "{condition}");
            }
        }
    }
}
