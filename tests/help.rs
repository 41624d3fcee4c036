//! The complete help texts, so that changes are visible in review.

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
fn the_long_help_explains_each_value() {
    insta::assert_snapshot!("help-long", help("--help"));
}

#[test]
fn the_help_of_show_explains_each_value() {
    let outcome = program().env("COLUMNS", "100").args(["show", "--help"]).run();
    insta::assert_snapshot!("help-show", outcome.text());
}

#[test]
fn the_help_of_book_explains_each_value() {
    let outcome = program().env("COLUMNS", "100").args(["book", "--help"]).run();
    insta::assert_snapshot!("help-book", outcome.text());
}

#[test]
fn the_help_of_splits_explains_ranges() {
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
fn the_help_of_check_explains_the_command() {
    let outcome = program().env("COLUMNS", "100").args(["check", "--help"]).run();
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
    insta::assert_snapshot!("help-check", outcome.text());
}

#[test]
fn the_help_of_name_explains_the_output() {
    let outcome = program().env("COLUMNS", "100").args(["name", "--help"]).run();
    insta::assert_snapshot!("help-name", outcome.text());
}

#[test]
fn the_command_help_prints_the_help_of_a_command() {
    for (args, same) in [
        (&["help"][..], &["--help"][..]),
        (&["help", "book"], &["book", "--help"]),
        (&["help", "book", "merge"], &["book", "merge", "--help"]),
        (&["help", "check"], &["check", "--help"]),
        (&["help", "show"], &["show", "--help"]),
    ] {
        let [help, expected] = [args, same].map(|args| program().args(args).run());
        assert_eq!((help.status, &*help.stderr), (0, ""), "{args:?}");
        assert_eq!(help.text(), expected.text(), "{args:?}");
    }
    let unknown = program().args(["help", "bok"]).run();
    assert_eq!(unknown.status, 2);
    assert!(unknown.stderr.contains("unrecognized subcommand 'bok'"), "{}", unknown.stderr);
}
