//! Messages, their streams, and exit statuses.

use serde_json::{Value, json};

use super::BAD;
use crate::support::{fixture, program};

#[test]
fn shortened_data_is_counted_and_noted_once_per_file() {
    let comment = "word ".repeat(60);
    let pgn =
        format!("1. e4! {{{comment}}} e5 {{a \"quote\"}} (1... c5) 2. Nf3 $1 {{{comment}}} *");
    let run = |args: &[&str]| program().file("a.pgn", &pgn).args(args).arg("a.pgn").run();
    let outcome = run(&["--summary"]);
    assert_eq!(outcome.status, 0);
    let (note, summary) = outcome.stderr.split_once('\n').unwrap();
    assert_eq!(
        note,
        "a.pgn: note: 1 variation not written (see --variations), 2 annotations not written (see {nags} of --add), \
         2 comments cut after 255 bytes (--comments split keeps them), 2 strings shortened"
    );
    assert_eq!(
        summary.split_once("; ").unwrap().0,
        "1 game, 4 positions, 2 comments longer than 255 bytes, 2 strings shortened, \
         1 string with replaced characters, 2 annotations not written, 1 variation not written"
    );
    let split = run(&["--comments", "split"]);
    assert_eq!(
        split.stderr,
        "a.pgn: note: 1 variation not written (see --variations), 2 annotations not written (see {nags} of --add), \
         2 comments longer than 255 bytes in several registers\n"
    );
    let long = format!("1. e4 {{{}}} e5 {{{}}} *", "word ".repeat(250), "more ".repeat(250));
    let outcome = program().file("a.pgn", long).args(["--comments", "split", "a.pgn"]).run();
    assert_eq!(
        outcome.stderr,
        "a.pgn: note: 2 comments longer than 255 bytes in several registers, 2 lines longer than 1024 bytes, which readers \
         of EPD may refuse\n"
    );
    assert!(split.text().contains("; c2 \"word"), "{}", split.text());
    assert!(!run(&["-q", "--comments", "drop"]).text().contains("word"));
    assert_eq!(run(&["-q"]).stderr, "");
}

#[test]
fn a_summary_for_programs_is_one_object() {
    let outcome = program().args(["-q", "--summary=json"]).stdin(BAD).run();
    let mut summary: Value = serde_json::from_str(&outcome.stderr).unwrap();
    let seconds = summary.as_object_mut().unwrap().remove("seconds");
    assert!(seconds.unwrap().as_f64().unwrap() >= 0.0);
    let expected = json!({
        "games": 2, "records": 0, "unread_texts": 0, "lost_texts": 0, "left_out": 0, "bad_games": 1, "positions": 4, "duplicates": 0, "unlabelled": 0, "errors": 1, "warnings": 0, "notes": 0,
        "long_comments": 0, "shortened": 0, "altered": 0, "cut_lines": 0, "annotations": 0, "variations": 0,
        "bytes_read": BAD.len(), "bytes_written": outcome.stdout.len(), "stopped": false,
        "omitted": {
            "start": 0, "check": 0, "captures": 0, "promotions": 0, "checking-moves": 0, "finished": 0, "book-moves": 0, "unevaluated": 0,
            "mates": 0, "time-forfeits": 0, "abandoned": 0, "adjudicated": 0, "ply": 0, "where": 0, "eval": 0,
        },
    });
    assert_eq!(summary, expected);
}

#[test]
fn a_report_has_a_line_of_json_for_each_problem() {
    let outcome = program()
        .file("bad.pgn", fixture("bad.pgn"))
        .args(["-q", "--report", "report.jsonl", "bad.pgn"])
        .run();
    assert_eq!(outcome.status, 1);
    let report = outcome.string("report.jsonl");
    let lines: Vec<Value> =
        report.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 18);
    let byte = String::from_utf8(fixture("bad.pgn")).unwrap().find("Nd4 5.").unwrap();
    let first = json!({
        "file": "bad.pgn", "line": 6, "column": 37, "byte": byte,
        "game": 1, "white": "Pinner", "black": "Pinned", "site": null, "round": null, "move": "4...", "token": "Nd4",
        "severity": "error", "kind": "illegal-move",
        "reason": "illegal: the knight on c6 is pinned to the king on e8 by the bishop on b5",
    });
    assert_eq!(lines[0], first);
    let kinds: Vec<&str> = lines.iter().map(|line| line["kind"].as_str().unwrap()).collect();
    for kind in ["illegal-move", "unknown-token", "fen", "variant", "setup", "fen-repaired", "text"]
    {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
    let errors = lines.iter().filter(|line| line["severity"] == "error").count();
    assert_eq!((errors, lines.len() - errors), (10, 8));
    // This problem has no players and no move.
    let eighth = lines.iter().find(|line| line["game"] == 8).unwrap();
    assert_eq!((&eighth["white"], &eighth["move"]), (&Value::Null, &Value::Null));
}
