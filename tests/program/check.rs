//! `pgn2epd check` as a user runs it.

use serde_json::Value;
use testkit::shared::shared;

use crate::repair::epd_files;
use crate::support::{fixture, program};

#[test]
fn faults_have_file_line_column_level_and_reason() {
    let outcome =
        program().file("faults.epd", fixture("epd/faults.epd")).args(["check", "faults.epd"]).run();
    assert_eq!(outcome.status, 1);
    insta::assert_snapshot!(outcome.text());
    assert_eq!(outcome.stderr, "11 records, 3 bad lines, 10 errors, 5 warnings, 2 notes\n");
}

#[test]
fn the_normal_form_replaces_a_file_and_has_no_errors() {
    let outcome = program()
        .file("a.epd", fixture("epd/faults.epd"))
        .file("b.epd", "old\n")
        .args(["check", "--fix", "a.epd", "-o", "b.epd", "-q"])
        .run();
    assert_eq!((outcome.status, outcome.text()), (1, ""));
    insta::assert_snapshot!("rejected-lines", outcome.stderr);
    let fixed = outcome.string("b.epd");
    insta::assert_snapshot!(fixed);
    let again = program().args(["check"]).stdin(fixed.clone()).run();
    let is_error = |line: &&&str| !line.contains(" warning: ") && !line.contains(" note: ");
    assert_eq!(again.lines().iter().filter(is_error).count(), 0);
    let twice = program().args(["check", "--fix"]).stdin(fixed.clone()).run();
    assert_eq!(twice.text(), fixed);
}

#[test]
fn statistics_of_the_stockfish_books_are_correct() {
    let Some(shared) = shared() else { return };
    let superfluous = |book: &str| {
        let path = shared.join("corpus/epd").join(book);
        let outcome =
            program().args(["check", "--stats", "--dialect", "fen"]).arg(path).run_quietly();
        outcome.lines().last().unwrap().to_string()
    };
    assert_eq!(superfluous("UHO_4060_v3-1000.epd"), "Positions with superfluous ep square: 81");
    assert_eq!(superfluous("UHO_4060_v4-1000.epd"), "Positions with superfluous ep square: 0");
}

#[test]
fn every_file_of_the_corpus_is_read() {
    if shared().is_none() {
        return;
    }
    let files = epd_files(&[""]);
    assert_eq!(files.len(), 14);
    let outcome = program().args(["check", "--json"]).args(&files).run();
    // Contradictions between pm and pv, duplicate opcodes, a missing semicolon between acn and acd,
    // dm 0: in two files of suites.
    let errors: Vec<Value> = outcome
        .lines()
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|fault: &Value| fault["level"] == "error")
        .collect();
    for fault in &errors {
        let file = fault["file"].as_str().unwrap();
        let kind = fault["kind"].as_str().unwrap();
        assert!(file.contains("GetMated") || file.contains("endgame-dm"), "{fault}");
        let known = ["predicted-move", "repeated", "run-together", "operand"];
        assert!(known.contains(&kind), "{fault}");
    }
}
