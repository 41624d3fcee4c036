//! All users of tags agree on the values that mean unknown.

use pgn2epd::Options;
use pgn2epd::diagram::illustrate;
use pgn2epd::table::Column;

use crate::support::{self, program};
use crate::tabulation::tabulate;

/// The seven standard tags with one value changed or added.
fn game_with(name: &str, value: &str) -> String {
    format!("[{name} \"{value}\"]\n\n1. e4 e5 1-0\n")
}

/// The first line that the program writes.
#[track_caller]
fn first_line(args: &[&str], pgn: &str) -> Option<String> {
    let outcome = program().args(args).stdin(pgn).run();
    let is_empty = outcome.text().is_empty();
    assert_eq!(outcome.status, i32::from(is_empty), "{args:?}: {}", outcome.stderr);
    outcome.lines().first().map(|line| (*line).to_owned())
}

/// Tag, value, whether it is known.
const CASES: [(&str, &str, bool); 22] = [
    ("White", "Carlsen", true),
    ("White", "N.N.", true),
    ("White", "?", false),
    ("White", "-", false),
    ("White", "", false),
    ("White", "*", true),
    ("Date", "2015.06.21", true),
    ("Date", "2015.??.??", true),
    ("Date", "????.??.??", false),
    ("Date", "????", false),
    ("Round", "-", false),
    ("Round", "3", true),
    ("Result", "1-0", true),
    ("Result", "*", false),
    ("Result", "?", false),
    ("ECO", "B90", true),
    ("ECO", "-", false),
    ("ECO", "?", false),
    ("Opening", "?", false),
    ("WhiteElo", "2400", true),
    ("WhiteElo", "0", false),
    ("UTCTime", "??:??:??", false),
];

#[test]
fn templates_conditions_columns_and_pages_agree_on_unknown_values() {
    for (name, value, is_known) in CASES {
        let pgn = game_with(name, value);
        let template = format!("id={{{name}|none}}");
        let record = first_line(&["--ops", "none", "--add", &template], &pgn).unwrap();
        assert_eq!(!record.ends_with(" id \"none\";"), is_known, "{template} {value}: {record}");

        let record = first_line(&["--where", name], &pgn);
        assert_eq!(record.is_some(), is_known, "--where {name} {value}");

        let columns = [Column::Tag(name.to_owned())];
        let cells = tabulate(pgn.as_bytes(), &columns, &Options::default()).remove(0);
        assert_eq!(cells[0], is_known.then(|| value.to_owned()), "column {name} {value}");

        let game = support::games(pgn.as_bytes()).remove(0);
        let page = illustrate::page(&game, illustrate::game(&game));
        let shown = page.facts.iter().any(|(other, _)| other == name) || page.title.contains(value);
        if name != "UTCTime" && name != "White" {
            assert_eq!(shown && !value.is_empty(), is_known, "page {name} {value}");
        }
    }
}

#[test]
fn titles_names_tables_and_books_agree_on_unknown_values() {
    for (name, value, is_known) in CASES {
        let pgn = game_with(name, value);
        match name {
            "White" | "Date" | "Round" | "Result" => {
                let record = first_line(&["--ops", "c"], &pgn).unwrap();
                assert_eq!(!record.contains(" c0;"), is_known, "{name} {value}: {record}");
            }
            "ECO" => {
                let args = ["--ops", "eco", "--names", "tags"];
                let record = first_line(&args, &pgn).unwrap();
                assert_eq!(!record.contains(" eco;"), is_known, "{name} {value}: {record}");
                // Used as an opening table, in which a game without a name is an error.
                let args = ["--ops", "eco", "--openings", "eco.pgn", "--last", "-"];
                let outcome = program().file("eco.pgn", &pgn).args(args).stdin(&*pgn).run();
                assert_eq!(outcome.status == 0, is_known, "{value}: {}", outcome.stderr);
                let code = format!(" eco \"{value}\";");
                assert_eq!(outcome.text().contains(&code), is_known, "{value}: {}", outcome.text());
            }
            _ => {}
        }
        if name == "White" {
            let outcome = program().args(["book", "--format", "jsonl"]).stdin(&*pgn).run();
            let row: serde_json::Value =
                serde_json::from_str(outcome.lines().first().unwrap()).unwrap();
            let white = &row["strongest_white"];
            let expected = if is_known { value } else { "" };
            assert_eq!(white.as_str().unwrap_or_default(), expected, "{row}");
        }
    }
}
