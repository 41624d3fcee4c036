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
fn the_help_has_few_lines() {
    for (flag, most) in [("-h", 50), ("--help", 280)] {
        let lines = help(flag).lines().count();
        assert!(lines <= most, "{flag}: {lines}");
    }
}

#[test]
fn lists_of_values_have_examples_that_run() {
    let help = help("--help").replace('\n', " ");
    let (_, lists) = help.split_once("Lists of values, with examples: pgn2epd help ").unwrap();
    let (lists, _) = lists.split_once('.').unwrap();
    for topic in [
        "formats", "games", "operations", "omissions", "duplicates", "variables", "conditions",
        "presets",
    ] {
        let outcome = program().env("COLUMNS", "100").args(["help", topic]).run();
        assert_eq!((outcome.status, &*outcome.stderr), (0, ""), "{topic}");
        let text = outcome.text();
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{topic}");
        assert!(lists.split([' ', ',']).any(|word| word == topic), "{topic}");
        insta::assert_snapshot!(format!("help-{topic}"), text);
        let (_, examples) = text.split_once("Examples:\n").unwrap();
        for line in examples.lines().filter(|line| line.contains("pgn2epd")) {
            let line = line.replace(" openings.pgn", " games.pgn");
            let command = line.trim().strip_prefix("pgn2epd ").unwrap();
            let command = match command.rsplit_once(" > ") {
                Some((command, file)) if !file.contains('\'') => command,
                _ => command,
            };
            let words = shlex(command);
            let is_parquet = words.iter().any(|word| word.ends_with(".parquet"));
            if is_parquet && !cfg!(feature = "arrow") {
                continue;
            }
            let games = crate::support::fixture("engines.pgn");
            let outcome = program().file("games.pgn", games).args(&words).run();
            assert_ne!(outcome.status, 2, "{command}: {}", outcome.stderr);
        }
    }
}

/// Divides a command into words, as a shell does with quotes.
fn shlex(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (index, part) in command.split('\'').enumerate() {
        match index % 2 {
            0 => {
                let mut pieces = part.split(' ');
                words.last_mut().unwrap().push_str(pieces.next().unwrap_or_default());
                words.extend(pieces.map(str::to_owned));
            }
            _ => words.last_mut().unwrap().push_str(part),
        }
    }
    words.retain(|word| !word.is_empty());
    words
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
fn the_help_of_two_sources_says_what_is_equal() {
    for name in ["diff", "join"] {
        let outcome = program().env("COLUMNS", "100").args([name, "--help"]).run();
        insta::assert_snapshot!(format!("help-{name}"), outcome.text());
    }
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
