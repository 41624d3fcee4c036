//! Operations from `--add` templates.

use super::assert_quiet;
use crate::support::program;

const PGN: &str = "[White \"Carlsen\"]\n[Black \"?\"]\n[Result \"1-0\"]\n[Round \"3\"]\n\n\
                   1. e4! {[%eval 0.3] [%clk 0:01:30.5]} e5 1-0\n";

/// The operations of the records, from templates only.
#[track_caller]
fn operations(templates: &[&str], pgn: &str) -> Vec<String> {
    let ops = templates.iter().flat_map(|template| ["--add", template]);
    let outcome = program().args(["--ops", "none"]).args(ops).stdin(pgn).run();
    assert_quiet(&outcome);
    let behind_fields = |line: &str| line.splitn(5, ' ').nth(4).unwrap_or("").to_owned();
    outcome.lines().into_iter().map(behind_fields).collect()
}

#[test]
fn placeholders_are_tags_and_facts() {
    // template, the operations of the start and of the position after each ply
    let cases: [(&str, [&str; 3]); 15] = [
        ("c9={Result}", ["c9 \"1-0\";"; 3]),
        ("id={White}.{ply}", ["id \"Carlsen.0\";", "id \"Carlsen.1\";", "id \"Carlsen.2\";"]),
        ("id={Black}", ["", "", ""]),
        ("id={Black|N. N.}", ["id \"N. N.\";"; 3]),
        ("tcgs={Round}", ["tcgs 3;"; 3]),
        ("fmvn={move}", ["fmvn 1;", "fmvn 1;", "fmvn 2;"]),
        ("pm={san}", ["pm e4;", "pm e5;", ""]),
        ("bm={uci}", ["bm e4;", "bm e5;", ""]),
        ("ce={eval}", ["", "ce -30;", ""]),
        ("Na={nags}", ["", "Na \"$1\";", ""]),
        ("Clock={clock}", ["", "Clock 90.5;", ""]),
        ("Turn={turn}", ["Turn \"w\";", "Turn \"b\";", "Turn \"w\";"]),
        ("Place={game}:{line}:{file}", ["Place \"1:1:-\";"; 3]),
        ("resign=", ["resign;"; 3]),
        ("tcri=a@b.c|{White}", ["tcri \"a@b.c\" \"Carlsen\";"; 3]),
    ];
    for (template, expected) in cases {
        assert_eq!(operations(&[template], PGN), expected, "{template}");
    }
    let fen = &operations(&["Fen={fen}"], PGN)[1];
    assert_eq!(fen, "Fen \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\";");
    // The key of the example in Polyglot's description of its format.
    assert_eq!(operations(&["Key={key}"], PGN)[1], "Key \"823c9b50fd114196\";");
}

#[test]
fn operations_are_sorted_and_a_template_replaces_an_operation() {
    let args = [
        "--ops",
        "fmvn,hmvc,sm",
        "--add",
        "id={ply}",
        "--add",
        "fmvn=7",
        "--add",
        "gs=1",
        "--add",
        "ce=5",
    ];
    let outcome = program().args(args).stdin(PGN).run();
    assert_quiet(&outcome);
    let first = outcome.lines()[0].to_owned();
    assert!(first.ends_with("- ce 5; fmvn 7; gs 1; hmvc 0; id \"0\"; sm e4;"), "{first}");
}

#[test]
fn games_are_numbered_across_chunks_and_files() {
    let pgn = "[White \"A\"]\n\n1. e4 *\n\n".repeat(300);
    let run = |jobs: &str, chunk: &str| {
        let args = ["--ops", "none", "--add", "tcgs={game}", "-j", jobs, "--chunk-bytes", chunk];
        let outcome = program().args(args).stdin(pgn.clone()).run();
        assert_quiet(&outcome);
        outcome.text().to_owned()
    };
    let text = run("1", "1M");
    assert!(text.lines().last().unwrap().ends_with("tcgs 300;"), "{text}");
    assert_eq!(run("7", "64"), text);
}

#[test]
fn invalid_operands_are_reported_once_per_game_and_omitted() {
    let outcome = program().args(["--ops", "none", "--add", "dm={White}"]).stdin(PGN).run();
    assert_eq!(outcome.status, 0);
    assert!(!outcome.text().contains("dm"));
    assert_eq!(
        outcome.stderr,
        "-:1:1: game 1 (Carlsen - ?, round 3), 1. Carlsen: warning: --add dm: expected a positive integer: omitted\n"
    );
}

#[test]
fn an_invalid_template_is_reported_first() {
    let outcome = program().args(["--add", "id={white}"]).stdin(PGN).run();
    assert_eq!((outcome.status, outcome.text()), (2, ""));
    assert!(
        outcome.stderr.contains("--add: white is not known of games; did you mean White?"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn operations_that_need_the_move_played_add_it_or_are_omitted() {
    for opcode in ["draw_offer", "draw_claim"] {
        for ops in ["none", "sm"] {
            let op = format!("{opcode}=");
            let outcome = program()
                .args(["--ops", ops, "--registers", "off", "--add", &op])
                .stdin("1. e4 e5 *")
                .run();
            assert_eq!(outcome.status, 0);
            let operations: Vec<&str> = outcome
                .lines()
                .iter()
                .map(|line| line.splitn(5, ' ').nth(4).unwrap_or(""))
                .collect();
            let with = |san: &str| format!("{opcode}; sm {san};");
            assert_eq!(operations, [&*with("e4"), &*with("e5"), ""], "{ops}");
            assert!(outcome.stderr.contains(&format!("--add {opcode}: no move is played")));
            let checked = program().arg("check").stdin(outcome.stdout).run();
            assert_eq!((checked.status, checked.text()), (0, ""));
        }
    }
}

#[test]
fn a_predicted_move_starts_the_predicted_variation_or_is_omitted() {
    let args = ["--ops", "none", "--registers", "off", "--add", "pm={Best}", "--add", "pv={san}"];
    let outcome =
        program().args(args).stdin("[Best \"e4\"]\n\n1. e4 *\n\n[Best \"d4\"]\n\n1. e4 *").run();
    let operations: Vec<&str> =
        outcome.lines().iter().filter_map(|line| line.splitn(5, ' ').nth(4)).collect();
    assert_eq!(operations, ["pm e4; pv e4;", "pv e4;"]);
    assert!(
        outcome.stderr.contains("--add pm: the move is not the first move of pv"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn two_strings_and_operands_of_any_type_can_be_written() {
    let first = |op: &str| {
        let args = ["--ops", "none", "--registers", "off", "--add", op];
        let outcome = program().args(args).stdin("1. e4 *").run();
        outcome.lines()[0].splitn(5, ' ').nth(4).unwrap_or_default().to_owned()
    };
    for opcode in ["tcri", "tcsi"] {
        let expected = format!("{opcode} \"a@b.c\" \"A B\";");
        assert_eq!(first(&format!("{opcode}=a@b.c|A B")), expected);
        assert_eq!(first(&format!("{opcode}=\"a@b.c\" \"A B\"")), expected);
    }
    assert_eq!(first("noop=1 \"x;y\" e4 -2.5"), "noop 1 \"x;y\" e4 -2.5;");
    assert_eq!(first("noop="), "noop;");
    assert_eq!(first("noop=a; b"), "noop \"a; b\";");
    let args = ["--add", "tcri=\"only one\""];
    assert_eq!(program().args(args).stdin("").run().status, 2);
}
