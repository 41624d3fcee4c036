//! Errors of `book`.

use super::GAMES;
use crate::support::program;

#[track_caller]
fn fails(outcome: &testkit::program::Outcome, message: &str) {
    assert_eq!(outcome.status, 2, "{}", outcome.stderr);
    assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
    assert_eq!(outcome.text(), "");
}

/// A partial result.
fn partial(args: &[&str]) -> Vec<u8> {
    let outcome = program()
        .file("games.pgn", GAMES)
        .args(["book", "--partial", "-o", "x.part"])
        .args(args)
        .arg("games.pgn")
        .run_quietly();
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
