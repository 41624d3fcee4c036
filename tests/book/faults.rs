//! Errors of `book`.

use super::GAMES;
use crate::support::program;

#[track_caller]
fn fails(outcome: &testkit::program::Outcome, message: &str) {
    assert_eq!(outcome.status, 2, "{}", outcome.stderr);
    assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
    assert_eq!(outcome.text(), "");
}

#[test]
fn games_with_errors_are_reported_and_counted_up_to_the_error() {
    let outcome = program().args(["book", "--ply", "..1"]).stdin("1. e4 e5 2. e5 *").run();
    // Moves after the window are not played.
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
    let outcome = program().args(["book", "--ply", "..3"]).stdin("1. e4 e5 2. e5 *").run();
    assert_eq!((outcome.status, outcome.lines().len()), (1, 3));
    let outcome = program()
        .args(["book", "--ply", "..3", "--on-error", "skip"])
        .stdin("1. e4 e5 2. e5 *")
        .run();
    assert_eq!((outcome.status, outcome.lines().len()), (1, 0));
}

#[test]
fn other_files_are_not_partial_results() {
    let outcome = program().file("x.part", "hello").args(["book", "merge", "x.part"]).run();
    fails(
        &outcome,
        "cannot read x.part as a partial result: it is neither an explorer file nor a partial result",
    );
    let outcome = program().args(["book", "merge", "nowhere.part"]).run();
    fails(&outcome, "cannot read nowhere.part as a partial result");
}

/// A partial result.
fn partial(args: &[&str]) -> Vec<u8> {
    let outcome = program()
        .file("games.pgn", GAMES)
        .args(["book", "--partial", "-o", "x.part"])
        .args(args)
        .arg("games.pgn")
        .run();
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
    outcome.file("x.part").unwrap()
}

#[test]
fn truncated_and_damaged_partial_results_are_refused() {
    let part = partial(&[]);
    for len in (20..part.len()).step_by(7) {
        let outcome =
            program().file("x.part", &part[..len]).args(["book", "merge", "x.part"]).run();
        assert_eq!(outcome.status, 2, "{len}");
        assert!(outcome.stderr.contains("x.part"), "{len}: {}", outcome.stderr);
    }
}

#[test]
fn results_that_were_counted_differently_are_not_mixed() {
    let outcome = program()
        .file("a.part", partial(&["--ply", "..4"]))
        .file("b.part", partial(&["--ply", "..5"]))
        .args(["book", "merge", "a.part", "b.part"])
        .run();
    fails(&outcome, "b.part was counted differently from the others: ply 0..5, not ply 0..4");
}

#[test]
fn selected_positions_are_not_merged() {
    let book = |args: &[&str]| {
        let args = [&["book", "-q", "-o", "x.explorer", "games.pgn"], args].concat();
        program().file("games.pgn", GAMES).args(args).run().file("x.explorer").unwrap()
    };
    let merge =
        |file| program().file("a.explorer", file).args(["book", "merge", "a.explorer"]).run();
    for args in
        [["--min-games", "2"], ["--max-draws", "0.9"], ["--sample", "3"], ["--min-score", "0.01"]]
    {
        fails(&merge(book(&args)), "a.explorer has selected positions only");
    }
    fails(&merge(book(&["--best-rated"])), "a.explorer has selected positions only");
    assert_eq!(merge(book(&[])).status, 0);
}

#[test]
fn a_book_in_pgn_needs_moves() {
    let outcome = program()
        .file("a.part", partial(&[]))
        .args(["book", "merge", "--format", "pgn", "a.part"])
        .run();
    fails(&outcome, "has no moves, which PGN needs");
    let outcome = program()
        .file("a.part", partial(&["--keep-moves"]))
        .args(["book", "merge", "--format", "pgn", "a.part"])
        .run();
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
}

#[test]
fn a_partial_result_takes_no_selection_options() {
    for (args, message) in [
        (["--min-games", "3", "-o", "x"], "--partial keeps all counts"),
        (["--format", "csv", "-o", "x"], "--format is for books: a partial result has one format"),
    ] {
        let outcome = program().args(["book", "--partial"]).args(args).run();
        fails(&outcome, message);
        assert!(outcome.names().is_empty());
    }
}

#[test]
fn a_missing_folder_for_temporary_files_is_named() {
    let games = testkit::generate::Generator::text(testkit::generate::Style::Plain, 1, 400_000);
    let outcome = program()
        .file("games.pgn", games)
        .args(["book", "--temp-dir", "nowhere", "--memory", "1M", "-o", "x.epd", "games.pgn"])
        .run();
    fails(&outcome, "the temporary files in nowhere cannot be written or read");
    assert_eq!(outcome.names(), ["games.pgn"]);
}

#[cfg(not(feature = "arrow"))]
#[test]
fn formats_that_are_not_built_explain_how_to_build_them() {
    let message = "built without Arrow and Parquet: install it with `cargo install --locked --path . --features arrow`";
    for args in [&["--format", "arrow"][..], &["-o", "x.parquet"]] {
        let outcome = program().file("games.pgn", GAMES).arg("book").args(args).arg("games.pgn");
        let outcome = outcome.run();
        fails(&outcome, message);
        assert_eq!(outcome.names(), ["games.pgn"]);
    }
}
