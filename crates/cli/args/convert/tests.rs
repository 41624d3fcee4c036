//! The options agree with those that the library accepts by name.

use clap::{CommandFactory, Parser};

use crate::args::Args;
use pgn2epd::Options;

/// What the program does itself, or only says.
const OF_THE_PROGRAM: &[&str] = &[
    "preset", "openings", "range", "output", "report", "summary", "quiet", "progress", "help",
    "version",
];

/// A value or two for each option.
const VALUES: &[(&str, &[&str])] = &[
    (
        "format",
        &["epd", "fen", "perl", "crafty", "c9", "bracket", "bullet", "c-chess-cli", "plain"],
    ),
    ("ops", &["none", "ce,sm"]),
    ("registers", &["delta", "full", "off"]),
    ("names", &["table", "tags", "off"]),
    ("op", &["c9={Result}"]),
    ("variations", &["true"]),
    ("keep-commands", &["true"]),
    ("long-comments", &["cut", "split", "drop"]),
    ("ascii", &["true"]),
    ("ep", &["always", "pseudo", "legal"]),
    ("castling", &["xfen", "shredder", "standard"]),
    ("blank-line", &["true"]),
    ("skip-start", &["true"]),
    ("ply", &["8..24", "16"]),
    ("min-ply", &["9"]),
    ("in-check", &["keep", "skip"]),
    ("captures", &["keep", "skip"]),
    ("max-eval", &["300"]),
    ("last", &["true"]),
    ("language", &["auto", "de"]),
    ("null-moves", &["true"]),
    ("notes", &["true"]),
    ("strict", &["true"]),
    ("where", &["ply > 20"]),
    ("conflicts", &["keep"]),
    ("unique", &["true"]),
    ("skip", &["3"]),
    ("limit", &["4"]),
    ("sample", &["5"]),
    ("seed", &["6"]),
    ("jobs", &["2"]),
    ("on-error", &["keep", "skip", "stop"]),
    ("on-damage", &["stop", "keep"]),
    ("max-game-bytes", &["1M"]),
    ("chunk-bytes", &["64K"]),
];

#[test]
fn the_library_knows_each_option_by_its_name() {
    for arg in Args::command().get_arguments() {
        let name = arg.get_long().or(arg.get_value_names().map(|_| "FILE")).unwrap();
        let is_known = VALUES.iter().any(|(known, _)| *known == name);
        assert!(is_known || OF_THE_PROGRAM.contains(&name) || name == "FILE", "--{name}");
    }
}

#[test]
fn what_is_given_and_what_is_named_is_the_same() {
    for (name, values) in VALUES {
        for value in *values {
            let mut given = vec!["pgn2epd".to_owned()];
            let mut named = vec![(*name, *value)];
            if *name == "seed" {
                given.push("--sample=5".to_owned());
                named.push(("sample", "5"));
            }
            let is_flag = *value == "true";
            given.push(if is_flag { format!("--{name}") } else { format!("--{name}={value}") });
            let given = Args::parse_from(given).convert.options();
            let named = Options::from_names(named).unwrap();
            assert_eq!(format!("{given:?}"), format!("{named:?}"), "{name}={value}");
        }
    }
}
