//! The format of records, and the selection of records.

use crate::support::{fixture, program};

#[track_caller]
fn text(args: &[&str], pgn: impl Into<Vec<u8>>) -> String {
    let outcome = program().args(args).stdin(pgn).run();
    let is_empty = outcome.text().is_empty();
    assert_eq!((outcome.status, outcome.stderr.is_empty()), (i32::from(is_empty), !is_empty));
    outcome.text().to_owned()
}

#[test]
fn comments_are_registers() {
    for registers in ["delta", "full"] {
        let args = ["-q", "--ops", "c,sm", "--registers", registers];
        insta::assert_snapshot!(
            format!("comments-{registers}"),
            text(&args, fixture("annotated.pgn"))
        );
    }
}

#[test]
fn variations_follow_the_position_that_they_leave() {
    let outcome = program().args(["--variations", "-"]).stdin(fixture("annotated.pgn")).run();
    assert_eq!(outcome.status, 1);
    insta::assert_snapshot!(
        "variations",
        format!("{}{}", outcome.text(), outcome.stderr.lines().next().unwrap())
    );
}

#[test]
fn variations_are_played_down_to_a_hundred_levels() {
    let run = |levels: usize| {
        let (open, close) = ("(1... e5 ".repeat(levels), ")".repeat(levels));
        program().arg("--variations").stdin(format!("1. e4 e5 {open} {close} *")).run()
    };
    let outcome = run(100);
    // For the deepest variations the operation Rav cannot contain all levels.
    assert_eq!((outcome.status, &*outcome.stderr), (0, "-: note: 49 strings shortened\n"));
    assert_eq!(outcome.lines().len(), 103);
    let outcome = run(101);
    assert_eq!((outcome.status, outcome.lines().len()), (1, 103));
    assert!(outcome.stderr.contains("variations nested more than 100 levels deep: omitted"));
}

#[test]
fn a_string_that_grows_by_ascii_is_cut_and_counted() {
    let game = format!("1. e4 {{{}}} e5 *\n", "щ".repeat(120));
    let outcome = program()
        .args(["--ascii", "--registers", "full", "--ops", "c", "--ply", "1", "--summary=json"])
        .stdin(game)
        .run();
    let string = outcome.text().split('"').nth(1).unwrap().len();
    assert_eq!(string, 255);
    assert!(outcome.stderr.contains("\"shortened\":1"), "{}", outcome.stderr);
}
