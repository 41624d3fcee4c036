//! `pgn2epd check` as a user runs it.

use serde_json::{Value, json};
use testkit::shared::shared;

use super::assert_quiet;
use crate::support::{fixture, program};

const POSITION: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

#[test]
fn faults_have_file_line_column_level_and_reason() {
    let outcome =
        program().file("faults.epd", fixture("epd/faults.epd")).args(["check", "faults.epd"]).run();
    assert_eq!(outcome.status, 1);
    insta::assert_snapshot!(outcome.text());
    assert_eq!(outcome.stderr, "11 records, 3 bad lines, 10 errors, 5 warnings\n");
}

#[test]
fn nothing_is_said_of_good_records() {
    let good = format!("{POSITION} bm e4;\n\n# a comment\n{POSITION} c0; id \"x\";\n");
    assert_quiet(&program().arg("check").stdin(good).run());
}

#[test]
fn faults_are_lines_of_json_where_asked_for() {
    let outcome = program()
        .args(["check", "--json", "-"])
        .stdin(format!("{POSITION} c0 \"ü\"; bm e5;\n"))
        .run();
    assert_eq!((outcome.status, &*outcome.stderr), (1, ""));
    let faults: Vec<Value> =
        outcome.lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        faults,
        [
            json!({
                "file": "-", "line": 1, "column": 37, "level": "warning", "kind": "order", "text": "bm",
                "reason": "bm stands behind c0: operations are in the ASCII order of their opcodes"
            }),
            json!({
                "file": "-", "line": 1, "column": 40, "level": "error", "kind": "illegal-move",
                "text": "e5", "reason": "e5: illegal: no pawn of White's can reach e5"
            }),
        ]
    );
}

#[test]
fn the_normal_form_replaces_the_file_and_is_without_fault() {
    let outcome = program()
        .file("a.epd", fixture("epd/faults.epd"))
        .args(["check", "--fix", "a.epd", "-o", "a.epd", "-q"])
        .run();
    assert_eq!((outcome.status, outcome.text(), &*outcome.stderr), (1, "", ""));
    let fixed = String::from_utf8(outcome.file("a.epd").unwrap()).unwrap();
    insta::assert_snapshot!(fixed);
    // What is no operand of its opcode stays as it stands, and is told again.
    let again = program().args(["check"]).stdin(fixed.clone()).run();
    assert_eq!(again.lines().iter().filter(|line| !line.contains("warning: ")).count(), 5);
    let twice = program().args(["check", "--fix"]).stdin(fixed.clone()).run();
    assert_eq!(twice.text(), fixed);
}

#[test]
fn a_book_goes_from_epd_to_six_fields_and_back() {
    let epd = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 fmvn 2; hmvc 0;\n\
               4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; fmvn 39; hmvc 5; id \"x\";\n";
    let fen = program().args(["check", "--fix", "--format", "fen"]).stdin(epd).run();
    assert_eq!(
        fen.lines(),
        [
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 5 39 bm e4; id \"x\";",
        ]
    );
    assert_eq!(fen.stderr, "");
    let back = program().args(["check", "--from", "fen", "--fix"]).stdin(fen.stdout).run();
    assert_quiet(&back);
    assert_eq!(back.text(), epd);
    let legal =
        program().args(["check", "--fix", "--ep", "legal", "--format", "perl"]).stdin(epd).run();
    assert_eq!(
        legal.lines(),
        ["rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -", "4k3/8/8/8/8/8/4P3/4K3 w - -"]
    );
    let crafty = program().args(["check", "--fix", "--format", "crafty"]).stdin(epd).run();
    assert_eq!(
        crafty.lines(),
        [
            "rnbqkbnr/pppp1ppp/8/4p/4P/8/PPPP1PPP/RNBQKBNR/ w KQkq - fmvn 2; hmvc 0;",
            "4k/8/8/8/8/8/4P/4K/ w - bm e4; fmvn 39; hmvc 5; id \"x\";",
        ]
    );
}

#[test]
fn castling_rights_are_written_in_the_style_that_is_asked_for() {
    let line = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\n";
    let castling = |style: &str| {
        let run = program()
            .args(["check", "--fix", "--castling", style, "--from", "fen"])
            .stdin(line)
            .run();
        run.text().split(' ').nth(2).unwrap().to_owned()
    };
    assert_eq!(castling("xfen"), "KQkq");
    assert_eq!(castling("shredder"), "HFhf");
    assert_eq!(castling("standard"), "KQkq");
}

#[test]
fn equal_positions_are_written_once() {
    let lines =
        "4k3/8/8/8/4P3/8/8/4K3 b - e3 fmvn 1;\n# kept\n4k3/8/8/8/4P3/8/8/4K3 b - - fmvn 7;\n";
    let outcome = program().args(["check", "--unique"]).stdin(lines).run();
    assert_eq!(outcome.status, 0);
    assert_eq!(outcome.text(), "4k3/8/8/8/4P3/8/8/4K3 b - e3 fmvn 1;\n# kept\n");
    assert_eq!(outcome.stderr, "2 records, 1 duplicate\n");
}

#[test]
fn programs_are_named_with_what_they_would_lose() {
    let lines = format!(
        "# comment\n\
         {POSITION} 5 39\n\
         {POSITION} 5 39 c0 \"a;b\";\n\
         {POSITION} hmvc 0; fmvn 8\n\
         4k3/8/8/8/8/8/4P3/4K3  w - - hmvc 0; fmvn 8;\n\
         {POSITION} id x; tcri \"a\" \"b\"; c0 \"x\\y\"; c1 1-0; Ae #;\n\
         r3k2r/8/8/8/8/8/8/R3K2R w HAha - c0 \"hmvc 5\";\n\
         4k3/8/8/8/8/8/8/1K5R w K - sm O-O;\n"
    );
    let mut said = String::new();
    for program_name in ["cutechess", "fastchess", "python-chess"] {
        let outcome = program().args(["check", "--for", program_name]).stdin(lines.clone()).run();
        for line in outcome.lines().into_iter().filter(|line| line.contains(program_name)) {
            said += line;
            said.push('\n');
        }
    }
    insta::assert_snapshot!(said);
}

#[test]
fn the_statistics_are_the_lines_known_from_the_books_of_stockfish() {
    let lines = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1\n4k3/8/8/8/4P3/8/8/4K3 b - - 0 7\n4k3/8/8/8/4P3/8/8/4K3 w - - 0 7\n";
    let outcome = program().args(["check", "--stats", "--from", "fen"]).stdin(lines).run();
    assert_quiet(&outcome);
    assert_eq!(
        outcome.text(),
        "Total number of positions: 3 (w/b = 33.3/66.7).\n\
         Unique positions w/  move counters : 3\n\
         Unique positions w/o move counters : 3\n\
         Unique positions w/o move counters and superfluous ep : 2\n\
         Unique positions (board + stm + cr): 2\n\
         Unique positions (board + stm)     : 2\n\
         Unique positions (board only)      : 1\n\
         Positions with superfluous ep square: 1\n"
    );
    let json = program().args(["check", "--stats", "--json", "--from", "fen"]).stdin(lines).run();
    let json: Value = serde_json::from_str(json.text()).unwrap();
    assert_eq!((&json["positions"], &json["unique_board"]), (&json!(3), &json!(1)));
}

#[test]
fn the_books_of_stockfish_tell_their_story() {
    let Some(shared) = shared() else { return };
    let superfluous = |book: &str| {
        let path = shared.join("corpus/epd").join(book);
        let outcome = program().args(["check", "--stats", "--from", "fen"]).arg(path).run();
        assert_quiet(&outcome);
        outcome.lines().last().unwrap().to_string()
    };
    assert_eq!(superfluous("UHO_4060_v3-1000.epd"), "Positions with superfluous ep square: 81");
    assert_eq!(superfluous("UHO_4060_v4-1000.epd"), "Positions with superfluous ep square: 0");
}

#[test]
fn every_file_of_the_corpus_is_read() {
    let Some(shared) = shared() else { return };
    let mut files: Vec<_> = std::fs::read_dir(shared.join("corpus/epd"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "epd"))
        .collect();
    files.sort();
    assert_eq!(files.len(), 14);
    let outcome = program().args(["check", "--json"]).args(&files).run();
    // Moves in pm and pv that differ, opcodes twice, acn with another opcode, dm 0: of two files of suites.
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
        assert!(["predicted-move", "repeated", "operand"].contains(&kind), "{fault}");
    }
}

#[test]
fn arguments_that_do_not_go_together_are_refused() {
    let outcome = program().args(["check", "-o", "x.epd"]).stdin("").run();
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.contains("-o is for records"), "{}", outcome.stderr);
    let outcome = program().args(["check", "--format", "fen"]).stdin("").run();
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.contains("--fix"), "{}", outcome.stderr);
    let outcome = program().args(["check", "absent.epd"]).run();
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.contains("absent.epd"), "{}", outcome.stderr);
}
