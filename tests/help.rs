//! The complete help texts, so that changes are visible in review.

use crate::support::program;

/// The standard output with a hundred columns.
#[track_caller]
fn help(args: &str) -> String {
    program().env("COLUMNS", "100").args(args.split(' ')).run_quietly().text().to_owned()
}

#[test]
fn help_texts_are_the_reviewed_ones() {
    for (name, args) in [
        ("short", "-h"),
        ("long", "--help"),
        ("show", "show --help"),
        ("book", "book --help"),
        ("diff", "diff --help"),
        ("join", "join --help"),
        ("splits", "splits --help"),
        ("check", "check --help"),
    ] {
        insta::assert_snapshot!(format!("help-{name}"), help(args));
    }
}

#[test]
fn the_help_is_short() {
    for (flag, most) in [("-h", 50), ("--help", 280)] {
        let text = help(flag);
        assert!(text.lines().count() <= most, "{flag}: {}", text.lines().count());
        for line in text.lines() {
            assert!(line.chars().count() <= 100, "{flag}: {line}");
        }
    }
}

#[test]
fn lists_of_values_have_examples_that_run() {
    let text = help("--help").replace('\n', " ");
    let (_, lists) = text.split_once("Lists of values, with examples: pgn2epd help ").unwrap();
    let (lists, _) = lists.split_once('.').unwrap();
    for topic in [
        "formats", "games", "operations", "omissions", "duplicates", "variables", "conditions",
        "presets",
    ] {
        let text = help(&format!("help {topic}"));
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{topic}");
        assert!(lists.split([' ', ',']).any(|word| word == topic), "{topic}");
        insta::assert_snapshot!(format!("help-{topic}"), &text);
        let (_, examples) = text.split_once("Examples:\n").unwrap();
        for line in examples.lines().filter(|line| line.contains("pgn2epd")) {
            let line = line.replace(" openings.pgn", " games.pgn");
            let command = line.trim().strip_prefix("pgn2epd ").unwrap();
            let command = match command.rsplit_once(" > ") {
                Some((command, file)) if !file.contains('\'') => command,
                _ => command,
            };
            let words = testkit::shlex::split(command).unwrap();
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
