//! Every known quirk has an example with the expected result. `docs/quirks.md` is the report.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;
use testkit::program::Outcome;

use super::fixture::{FILES, Quirk, Says, folder, quirks};
use crate::support::{assert_up_to_date, program};

/// The result of another program for a text.
#[derive(Debug, Deserialize)]
struct Answer {
    games: Vec<String>,
    said: bool,
}

const PEERS: [&str; 3] = ["pgn-extract", "python-chess", "pgn-reader"];

/// Our result for a text.
struct Ours {
    games: Vec<String>,
    says: Says,
    /// The level and the reason, without its details, of the worst message, or of a departure from
    /// the standard which only `--strict` reports; empty for a text that follows the standard.
    message: String,
}

impl Ours {
    fn of(quirk: &Quirk) -> Self {
        let run = |args: &[&str]| {
            program()
                .file("a.pgn", quirk.bytes())
                .args(["--ops", "sm,fmvn", "--registers", "off", "--blank-line", "a.pgn"])
                .args(["--report", "problems.jsonl"])
                .args(quirk.args.split_whitespace())
                .args(args)
                .run()
        };
        let outcome = run(&[]);
        let is_said = outcome
            .stderr
            .lines()
            .any(|line| line.starts_with("a.pgn:") && !line.starts_with("a.pgn: note:"));
        let says = match outcome.status {
            0 if !is_said => Says::Nothing,
            0 => Says::Warning,
            1 => Says::Error,
            _ => panic!("{}: {}", quirk.name, outcome.stderr),
        };
        let strict = run(&["--strict"]);
        assert!(says == Says::Nothing || strict.status == 1, "{}", quirk.name);
        let message = match says {
            Says::Error => format!("error: {}", reason(&outcome, "error")),
            Says::Warning => format!("warning: {}", reason(&outcome, "warning")),
            Says::Nothing if strict.status == 1 => format!("note: {}", reason(&strict, "error")),
            Says::Nothing => String::new(),
        };
        let games = outcome.text().split_terminator("\n\n").map(moves).collect();
        Ours { games, says, message }
    }
}

/// The reason of the first problem of this severity in the report of a run.
fn reason(outcome: &Outcome, severity: &str) -> String {
    let report = fs::read_to_string(outcome.folder().join("problems.jsonl")).unwrap();
    let mut problems = report.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let first = problems.find(|problem| problem["severity"] == severity);
    let reason = first.as_ref().and_then(|problem| problem["reason"].as_str()).unwrap_or_default();
    reason.split([':', ',', '(']).next().unwrap().trim().to_owned()
}

/// The moves of a game's records. A record without a move that is not the last comes before a null
/// move.
fn moves(records: &str) -> String {
    let lines: Vec<&str> = records.lines().filter(|line| !line.is_empty()).collect();
    let played = &lines[..lines.len().saturating_sub(1)];
    let of = |line: &&str| match line.split_once(" sm ") {
        Some((_, san)) => san.trim_end_matches(';').to_owned(),
        None => "--".to_owned(),
    };
    played.iter().map(of).collect::<Vec<_>>().join(" ")
}

fn peers() -> HashMap<String, HashMap<String, Answer>> {
    let text = fs::read_to_string(folder().join("peers.json")).unwrap();
    let mut all: HashMap<String, Value> = serde_json::from_str(&text).unwrap();
    all.remove("versions");
    all.into_iter().map(|(name, of)| (name, serde_json::from_value(of).unwrap())).collect()
}

/// Check marks are ignored in the comparison.
fn without_marks(games: &[String]) -> Vec<String> {
    games.iter().map(|game| game.replace(['+', '#'], "")).collect()
}

/// How the result of another program differs, if it does.
fn difference(quirk: &Quirk, answer: &Answer) -> Option<&'static str> {
    let is_same = without_marks(&answer.games) == without_marks(&quirk.games);
    match (is_same, answer.said, quirk.says) {
        (true, false, Says::Error) => Some("no error"),
        (true, ..) => None,
        (false, true, _) => Some("reported"),
        (false, false, _) => Some(""),
    }
}

/// A message for a table cell, with Markdown and HTML escaped.
fn as_text(message: &str) -> String {
    message.replace('|', "\\|").replace('<', "\\<").replace('*', "\\*").replace('[', "\\[")
}

/// A text as code in a table cell, with `|` and backquotes escaped.
fn code(text: &str) -> String {
    let text = text.replace('|', "\\|");
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

/// The quirks of each file with our results, which take seconds.
static RESULTS: LazyLock<Vec<Vec<(Quirk, Ours)>>> = LazyLock::new(|| {
    let result = |quirk: Quirk| {
        let ours = Ours::of(&quirk);
        (quirk, ours)
    };
    FILES.iter().map(|(file, _)| quirks(file).into_iter().map(result).collect()).collect()
});

/// The programs with another result.
fn differences(quirk: &Quirk, answers: Option<&HashMap<String, Answer>>) -> String {
    let Some(answers) = answers else { return "not compared".to_owned() };
    let with = |how: &&str| {
        let differs = |peer: &&&str| difference(quirk, &answers[**peer]) == Some(how);
        let names: Vec<&str> = PEERS.iter().filter(differs).copied().collect();
        let names = if names.len() == PEERS.len() { "all".to_owned() } else { names.join(", ") };
        (!names.is_empty()).then(|| [&*names, how].join(if how.is_empty() { "" } else { ": " }))
    };
    let different: Vec<String> = ["", "reported", "no error"].iter().filter_map(with).collect();
    different.join("; ")
}

/// The text without what most examples have, and without the end of a long one.
fn example(pgn: &str) -> String {
    let text = pgn.strip_prefix("[Event \"A\"]⏎⏎").unwrap_or(pgn);
    cut(text.strip_suffix('⏎').unwrap_or(text), 40)
}

/// The text, or its beginning if it is longer than `most` characters.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The line of a quirk.
fn row(quirk: &Quirk, ours: &Ours, others: &str) -> String {
    let moves = |game: &String| match &**game {
        "" => "–".to_owned(),
        moves => code(&cut(moves, 24)),
    };
    let games: Vec<String> = quirk.games.iter().map(moves).collect();
    let mut cell = games.join(" / ");
    if !ours.message.is_empty() {
        write!(cell, "; {}", as_text(&ours.message)).unwrap();
    }
    let (name, text) = (as_text(&quirk.name), code(&example(&quirk.pgn)));
    format!("| {} {name}: {text} | {cell} | {others} |\n", quirk.row)
}

fn report() -> String {
    let peers = peers();
    let mut report = fs::read_to_string(folder().join("report-head.md")).unwrap();
    for ((_, title), results) in FILES.iter().zip(&*RESULTS) {
        let row = |(quirk, ours): &(Quirk, Ours)| {
            let others = differences(quirk, peers.get(&quirk.name));
            (!ours.message.is_empty() || !others.is_empty()).then(|| row(quirk, ours, &others))
        };
        let rows: Vec<Option<String>> = results.iter().map(row).collect();
        let name = |(quirk, _): &(Quirk, Ours)| format!("{} {}", quirk.row, as_text(&quirk.name));
        let alike = results.iter().zip(&rows).filter(|(_, row)| row.is_none());
        let alike: Vec<String> = alike.map(|(result, _)| name(result)).collect();
        // The class is that of docs/narrow.css, which makes a block of each row in a narrow window.
        write!(
            report,
            "\n## {title}\n\nAll programs read alike: {}.\n\n<div class=\"rows\">\n\n",
            alike.join("; ")
        )
        .unwrap();
        report += "| text | pgn2epd | others |\n| --- | --- | --- |\n";
        rows.into_iter().flatten().for_each(|row| report += &row);
        report += "\n</div>\n";
    }
    report
}

#[test]
fn every_quirk_has_its_expected_result() {
    let mut wrong = String::new();
    let mut names = Vec::new();
    for (quirk, ours) in RESULTS.iter().flatten() {
        if ours.games != quirk.games || ours.says != quirk.says {
            let Ours { games, says, message } = ours;
            writeln!(
                wrong,
                "{} {}: {games:?}, {says:?}, not {:?}, {:?}: {message}",
                quirk.row, quirk.name, quirk.games, quirk.says
            )
            .unwrap();
        }
        assert!(!names.contains(&&quirk.name), "{} occurs twice", quirk.name);
        names.push(&quirk.name);
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn rows_are_numbered_in_their_order() {
    let mut last = 0;
    for quirk in FILES.iter().flat_map(|(file, _)| quirks(file)) {
        assert!(quirk.row == last || quirk.row == last + 1, "{}: {}", quirk.row, quirk.name);
        last = quirk.row;
    }
}

#[test]
fn every_text_has_results_of_other_programs() {
    let peers = peers();
    let quirks = FILES.iter().flat_map(|(file, _)| quirks(file));
    for quirk in quirks.filter(|quirk| quirk.args.is_empty()) {
        assert!(peers.contains_key(&quirk.name), "{}: run benches/peers/quirks", quirk.name);
    }
}

#[test]
fn the_report_in_docs_is_up_to_date() {
    assert_up_to_date("docs/quirks.md", &report());
}
