//! Operations that a user describes.

use super::assert_quiet;
use crate::support::program;

const PGN: &str = "[White \"Carlsen\"]\n[Black \"?\"]\n[Result \"1-0\"]\n[Round \"3\"]\n\n\
                   1. e4 {[%eval 0.3] [%clk 0:01:30.5]} e5 1-0\n";

/// The operations of the records, by the templates alone.
#[track_caller]
fn operations(templates: &[&str], pgn: &str) -> Vec<String> {
    let ops = templates.iter().flat_map(|template| ["--op", template]);
    let outcome = program().args(["--ops", "none"]).args(ops).stdin(pgn).run();
    assert_quiet(&outcome);
    let behind_fields = |line: &str| line.splitn(5, ' ').nth(4).unwrap_or("").to_owned();
    outcome.lines().into_iter().map(behind_fields).collect()
}

#[test]
fn placeholders_are_tags_and_facts() {
    // template, the operations of the start and of the positions behind each ply
    let cases: [(&str, [&str; 3]); 14] = [
        ("c9={Result}", ["c9 \"1-0\";"; 3]),
        ("id={White}.{ply}", ["id \"Carlsen.0\";", "id \"Carlsen.1\";", "id \"Carlsen.2\";"]),
        ("id={Black}", ["", "", ""]),
        ("id={Black|N. N.}", ["id \"N. N.\";"; 3]),
        ("tcgs={Round}", ["tcgs 3;"; 3]),
        ("fmvn={move}", ["fmvn 1;", "fmvn 1;", "fmvn 2;"]),
        ("pm={san}", ["pm e4;", "pm e5;", ""]),
        ("bm={uci}", ["bm e4;", "bm e5;", ""]),
        ("ce={eval}", ["", "ce -30;", ""]),
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
fn operations_stay_in_the_order_of_their_opcodes_and_one_takes_the_place_of_another() {
    let args = [
        "--ops",
        "fmvn,hmvc,sm",
        "--op",
        "id={ply}",
        "--op",
        "fmvn=7",
        "--op",
        "gs=1",
        "--op",
        "ce=5",
    ];
    let outcome = program().args(args).stdin(PGN).run();
    assert_quiet(&outcome);
    let first = outcome.lines()[0].to_owned();
    assert!(first.ends_with("- ce 5; fmvn 7; gs 1; hmvc 0; id \"0\"; sm e4;"), "{first}");
}

#[test]
fn games_are_counted_through_all_chunks_and_files_and_jobs_change_nothing() {
    let pgn = "[White \"A\"]\n\n1. e4 *\n\n".repeat(300);
    let run = |jobs: &str, chunk: &str| {
        let args = ["--ops", "none", "--op", "tcgs={game}", "-j", jobs, "--chunk-bytes", chunk];
        let outcome = program().args(args).stdin(pgn.clone()).run();
        assert_quiet(&outcome);
        outcome.text().to_owned()
    };
    let text = run("1", "1M");
    assert!(text.lines().last().unwrap().ends_with("tcgs 300;"), "{text}");
    assert_eq!(run("7", "64"), text);
}

#[test]
fn what_an_opcode_cannot_have_is_said_once_a_game_and_left_out() {
    let outcome = program().args(["--ops", "none", "--op", "dm={White}"]).stdin(PGN).run();
    assert_eq!(outcome.status, 0);
    assert!(!outcome.text().contains("dm"));
    assert_eq!(
        outcome.stderr,
        "-:1:1: game 1 (Carlsen - ?), 1. Carlsen: warning: --op dm: a positive integer is wanted: left out\n"
    );
}

#[test]
fn a_wrong_template_is_told_before_anything_is_done() {
    let outcome = program().args(["--op", "id={white}"]).stdin(PGN).run();
    assert_eq!((outcome.status, outcome.text()), (2, ""));
    assert!(
        outcome.stderr.contains("there is no {white}: choose of clock, eval,"),
        "{}",
        outcome.stderr
    );
}
