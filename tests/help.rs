//! The help texts, word by word: a change of them is seen in review.

use crate::support::program;

fn help(flag: &str) -> String {
    let outcome = program().env("COLUMNS", "100").arg(flag).run();
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
    outcome.text().to_owned()
}

#[test]
fn the_short_help_fits_a_screen_of_options() {
    insta::assert_snapshot!("help-short", help("-h"));
}

#[test]
fn the_long_help_says_what_each_value_means() {
    insta::assert_snapshot!("help-long", help("--help"));
}

#[test]
fn the_help_of_show_says_what_each_value_means() {
    let outcome = program().env("COLUMNS", "100").args(["show", "--help"]).run();
    insta::assert_snapshot!("help-show", outcome.text());
}

#[test]
fn the_help_of_book_says_what_each_value_means() {
    let outcome = program().env("COLUMNS", "100").args(["book", "--help"]).run();
    insta::assert_snapshot!("help-book", outcome.text());
}

#[test]
fn the_help_of_splits_says_what_is_cut() {
    let outcome = program().env("COLUMNS", "100").args(["splits", "--help"]).run();
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
    insta::assert_snapshot!("help-splits", outcome.text());
}

#[test]
fn help_fits_a_hundred_columns() {
    for flag in ["-h", "--help"] {
        for line in help(flag).lines() {
            assert!(line.chars().count() <= 100, "{flag}: {line}");
        }
    }
}

#[test]
fn the_help_of_check_says_what_it_does() {
    let outcome = program().env("COLUMNS", "100").args(["check", "--help"]).run();
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
    insta::assert_snapshot!("help-check", outcome.text());
}

#[test]
fn the_help_of_name_says_what_is_printed() {
    let outcome = program().env("COLUMNS", "100").args(["name", "--help"]).run();
    insta::assert_snapshot!("help-name", outcome.text());
}
