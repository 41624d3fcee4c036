//! The exact messages about bad games.

use pgn2epd::Options;

use crate::support::{convert, fixture, jobs, program};

#[test]
fn the_bad_games_of_the_fixture_are_explained() {
    let outcome = program().file("bad.pgn", fixture("bad.pgn")).arg("bad.pgn").run();
    assert_eq!(outcome.status, 1);
    let (messages, summary) = outcome.stderr.trim_end().rsplit_once('\n').unwrap();
    insta::assert_snapshot!("errors-of-bad.pgn", messages);
    assert!(summary.starts_with("11 games, 33 positions, 10 errors in 10 games, 8 warnings"));
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
    let options = Options::default().jobs(jobs(1));
    let messages = convert(pgn.as_bytes(), &options).messages();
    assert_eq!(messages.len(), 102);
    assert_eq!(
        messages[100],
        "1:207: game 1, ): warning: more faults in the same game, not listed"
    );
    assert!(messages[101].starts_with("2:7: game 2, ): warning: a closing parenthesis"));
}
