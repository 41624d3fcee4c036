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
    assert_eq!(outcome.stderr, "11 records, 3 bad lines, 10 errors, 5 warnings, 2 notes\n");
}

#[test]
fn good_records_give_no_message() {
    let good = format!("{POSITION} bm e4;\n\n# a comment\n{POSITION} c0; id \"x\";\n");
    assert_quiet(&program().arg("check").stdin(good).run());
}

#[test]
fn faults_are_json_lines_on_request() {
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
                "file": "-", "line": 1, "column": 33, "level": "note", "kind": "not-ascii", "text": "ü",
                "reason": "a character outside of ASCII, the character set of EPD"
            }),
            json!({
                "file": "-", "line": 1, "column": 37, "level": "warning", "kind": "order", "text": "bm",
                "reason": "bm follows c0: operations are in the ASCII order of their opcodes"
            }),
            json!({
                "file": "-", "line": 1, "column": 40, "level": "error", "kind": "illegal-move",
                "text": "e5", "reason": "e5: illegal: no white pawn can reach e5"
            }),
        ]
    );
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
    let fixed = String::from_utf8(outcome.file("b.epd").unwrap()).unwrap();
    insta::assert_snapshot!(fixed);
    let again = program().args(["check"]).stdin(fixed.clone()).run();
    let is_error = |line: &&&str| !line.contains(" warning: ") && !line.contains(" note: ");
    assert_eq!(again.lines().iter().filter(is_error).count(), 0);
    let twice = program().args(["check", "--fix"]).stdin(fixed.clone()).run();
    assert_eq!(twice.text(), fixed);
}

#[test]
fn a_book_goes_from_epd_to_six_fields_and_back() {
    let epd = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 fmvn 2; hmvc 0;\n\
               4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; fmvn 39; hmvc 5; id \"x\";\n";
    let fen = program().args(["--format", "fen", "--ops", "keep"]).stdin(epd).run();
    assert_eq!(
        fen.lines(),
        [
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 5 39 bm e4; id \"x\";",
        ]
    );
    assert_eq!(fen.stderr, "");
    let back = program().args(["check", "--dialect", "fen", "--fix"]).stdin(fen.stdout).run();
    assert_quiet(&back);
    assert_eq!(back.text(), epd);
    let legal = program().args(["--ep", "legal", "--ops", "none"]).stdin(epd).run();
    assert_eq!(
        legal.lines(),
        ["rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -", "4k3/8/8/8/8/8/4P3/4K3 w - -"]
    );
    let crafty = program().args(["--format", "crafty", "--ops", "keep"]).stdin(epd).run();
    assert_eq!(
        crafty.lines(),
        [
            "rnbqkbnr/pppp1ppp/8/4p/4P/8/PPPP1PPP/RNBQKBNR/ w KQkq - fmvn 2; hmvc 0;",
            "4k/8/8/8/8/8/4P/4K/ w - bm e4; fmvn 39; hmvc 5; id \"x\";",
        ]
    );
}

#[test]
fn castling_rights_are_written_in_the_requested_style() {
    let line = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\n";
    let castling = |style: &str| {
        let run = program().args(["--castling", style]).stdin(line).run();
        run.text().split(' ').nth(2).unwrap().to_owned()
    };
    assert_eq!(castling("xfen"), "KQkq");
    assert_eq!(castling("shredder"), "HFhf");
    assert_eq!(castling("standard"), "KQkq");
}

#[test]
fn the_statistics_have_the_lines_of_the_stockfish_books() {
    let lines = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1\n4k3/8/8/8/4P3/8/8/4K3 b - - 0 7\n4k3/8/8/8/4P3/8/8/4K3 w - - 0 7\n";
    let outcome = program().args(["check", "--stats", "--dialect", "fen"]).stdin(lines).run();
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
    let json =
        program().args(["check", "--stats", "--json", "--dialect", "fen"]).stdin(lines).run();
    let json: Value = serde_json::from_str(json.text()).unwrap();
    assert_eq!((&json["positions"], &json["unique_board"]), (&json!(3), &json!(1)));
}

#[test]
fn statistics_of_the_stockfish_books_are_correct() {
    let Some(shared) = shared() else { return };
    let superfluous = |book: &str| {
        let path = shared.join("corpus/epd").join(book);
        let outcome = program().args(["check", "--stats", "--dialect", "fen"]).arg(path).run();
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

#[test]
fn incompatible_arguments_are_refused() {
    let outcome = program().args(["check", "-o", "x.epd"]).stdin("").run();
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.contains("-o is for records"), "{}", outcome.stderr);
    let outcome = program().args(["check", "--fix", "-o", "x.fen"]).stdin("").run();
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.contains(".fen"), "{}", outcome.stderr);
    let outcome = program().args(["check", "absent.epd"]).run();
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.contains("absent.epd"), "{}", outcome.stderr);
}

#[test]
fn lines_may_end_with_a_bare_carriage_return() {
    let lines = format!("{POSITION} bm e4;\r{POSITION} bm e5;\r\n\r{POSITION} id x;\r");
    let outcome = program().args(["check", "--fix"]).stdin(lines).run();
    // The second line has an illegal move.
    let fixed =
        ["bm e4;", "c0 \"bm e5\";", "c0; id \"x\";"].map(|text| format!("{POSITION} {text}"));
    assert_eq!(outcome.lines(), fixed);
    assert!(outcome.stderr.contains("-:2:32: e5: illegal"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("-:4:32: warning: the string of id"), "{}", outcome.stderr);
    // More than one block.
    let many = format!("{POSITION} bm e4;\r").repeat(20_000) + POSITION + " bm e5;";
    let outcome = program().arg("check").stdin(many).run();
    assert_eq!(outcome.lines(), ["-:20001:32: e5: illegal: no white pawn can reach e5"]);
}

#[test]
fn records_of_crazyhouse_and_three_check_are_checked_and_kept() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for (variant, fields) in [
        ("Crazyhouse", format!("{start}[] w KQkq -")),
        ("Three-check", format!("{start} w KQkq - 3+3")),
    ] {
        let pgn = format!("[Variant \"{variant}\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Bb5+ *");
        let converted = program().args(["--registers", "off"]).stdin(pgn).run();
        assert!(converted.text().starts_with(&fields), "{}", converted.text());
        let checked = program().args(["check", "--fix"]).stdin(converted.stdout.clone()).run();
        assert_quiet(&checked);
        assert_eq!(checked.stdout, converted.stdout, "{variant}");
        let broken = format!("{}\n", fields.replacen("KBNR", "1BNR", 1));
        assert_eq!(program().arg("check").stdin(broken).run().status, 1, "{variant}");
        let operation = program().arg("check").stdin(format!("{fields} ce 40000;\n")).run();
        assert!(operation.text().contains("ce takes an integer"), "{}", operation.text());
    }
}

#[test]
fn the_normal_form_is_ascii_on_request() {
    let text = "4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"Réti  “x”\"; bm e4;\n";
    let fixed = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; c0 \"Reti  'x'\";\n";
    assert_eq!(program().args(["--ascii"]).stdin(text).run().text(), fixed);
    assert!(program().args(["check"]).stdin(fixed).run().status == 0);
}

#[test]
fn castling_rights_by_files_in_the_crafty_format_are_read_again() {
    let record = "4r1kr/8/8/8/8/8/8/4R1KR w HEhe - bm Kf1;\n";
    let crafty = program()
        .args(["--format", "crafty", "--ops", "keep", "--castling", "shredder"])
        .stdin(record)
        .run();
    assert_eq!(crafty.text(), "4r1kr/8/8/8/8/8/8/4R1KR/ w HEhe - bm Kf1;\n");
    let again = program().args(["--castling", "shredder"]).stdin(crafty.text()).run();
    assert_eq!((again.status, again.text()), (0, record));
}

#[test]
fn a_backslash_in_a_string_is_kept() {
    let record = "4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"a\\b\"; id \"c:\\\\x\";\n";
    let once = program().args(["check", "--fix"]).stdin(record).run();
    let twice = program().args(["check", "--fix"]).stdin(once.text()).run();
    assert_eq!((once.status, once.text()), (0, record));
    assert_eq!((twice.status, twice.text()), (0, record));
}
