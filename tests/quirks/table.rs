//! Every known quirk has an example with the expected result. `docs/quirks.md` is the report.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

use super::fixture::{FILES, Quirk, Says, folder, quirks};
use crate::support::program;

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
    first_message: String,
    strict: bool,
}

impl Ours {
    fn of(quirk: &Quirk) -> Self {
        let run = |args: &[&str]| {
            program()
                .file("a.pgn", quirk.bytes())
                .args(["--ops", "sm,fmvn", "--registers", "off", "--blank-line", "a.pgn"])
                .args(quirk.args.split_whitespace())
                .args(args)
                .run()
        };
        let outcome = run(&[]);
        let said = || {
            outcome
                .stderr
                .lines()
                .filter(|line| line.starts_with("a.pgn:") && !line.starts_with("a.pgn: note:"))
        };
        let says = match outcome.status {
            0 if said().next().is_none() => Says::Nothing,
            0 => Says::Warning,
            1 => Says::Error,
            _ => panic!("{}: {}", quirk.name, outcome.stderr),
        };
        let is_worst = |line: &&str| (says == Says::Warning) == line.contains("warning: ");
        let first = said().find(is_worst).map(|line| &line["a.pgn:".len()..]);
        Ours {
            games: outcome.text().split_terminator("\n\n").map(moves).collect(),
            says,
            first_message: first.unwrap_or_default().to_owned(),
            strict: run(&["--strict"]).status == 1,
        }
    }
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

/// The difference in the result of another program.
fn difference(quirk: &Quirk, answer: &Answer) -> String {
    let said = if answer.said { ", reported" } else { ", silently" };
    if without_marks(&answer.games) == without_marks(&quirk.games) {
        return match (answer.said, quirk.says) {
            (false, Says::Error) => "the same, silently".to_owned(),
            _ => "the same".to_owned(),
        };
    }
    match &answer.games[..] {
        [] => format!("nothing{said}"),
        games => {
            let games: Vec<String> = games
                .iter()
                .map(|game| if game.is_empty() { "–".into() } else { code(game) })
                .collect();
            format!("{}{said}", games.join(" / "))
        }
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

/// The programs with another result, each with that result.
fn differences(quirk: &Quirk, answers: Option<&HashMap<String, Answer>>) -> String {
    let Some(answers) = answers else { return "not compared".to_owned() };
    let of = |peer: &&str| match difference(quirk, &answers[*peer]) {
        same if same == "the same" => None,
        other => Some(format!("{peer}: {other}")),
    };
    let different: Vec<String> = PEERS.iter().filter_map(of).collect();
    if different.is_empty() { "the same".to_owned() } else { different.join("; ") }
}

fn report() -> String {
    let peers = peers();
    let mut report = fs::read_to_string(folder().join("report-head.md")).unwrap();
    for ((_, title), results) in FILES.iter().zip(&*RESULTS) {
        // The class is that of docs/narrow.css, which makes a block of each row in a narrow window.
        write!(report, "\n## {title}\n\n<div class=\"rows\">\n\n").unwrap();
        report += "| text | pgn2epd | `--strict` | other programs |\n";
        report += "| --- | --- | --- | --- |\n";
        for (quirk, ours) in results {
            let games: Vec<String> = quirk
                .games
                .iter()
                .map(|game| if game.is_empty() { "–".into() } else { code(game) })
                .collect();
            let mut cell = games.join(" / ");
            if !ours.first_message.is_empty() {
                write!(cell, "; {}", as_text(&ours.first_message)).unwrap();
            }
            if !quirk.why.is_empty() {
                write!(cell, " ({})", quirk.why.trim_end_matches('.')).unwrap();
            }
            writeln!(
                report,
                "| {} {}: {} | {cell} | {} | {} |",
                quirk.row,
                as_text(&quirk.name),
                code(&quirk.pgn.replace("⏎", " ⏎ ")),
                if ours.strict { "error" } else { "accepted" },
                differences(quirk, peers.get(&quirk.name)),
            )
            .unwrap();
        }
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
            let Ours { games, says, first_message, .. } = ours;
            writeln!(
                wrong,
                "{} {}: {games:?}, {says:?}, not {:?}, {:?}: {first_message}",
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

/// `UPDATE_DOCS=1 cargo test` updates the report.
#[test]
fn the_report_in_docs_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/quirks.md");
    let report = report();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &report).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    for (ours, theirs) in report.lines().zip(written.lines()) {
        assert_eq!(ours, theirs, "UPDATE_DOCS=1 writes it anew");
    }
    assert_eq!(report.lines().count(), written.lines().count());
}
