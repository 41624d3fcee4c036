//! Malformed lines and their findings: `../shared/oracle/epd/malformed.tsv`.

use std::fs;

use epd::{EpdDiagnosticKind, Line, ReadOptions, read_line};
use testkit::shared::shared;

/// Each line of the oracle and our findings: severity, column and kind; empty for a valid line.
const LINES: &[(&str, &str)] = &[
    ("8/8/8/8/8/8/8/8 w - - ", "error 1 position"),
    ("4k3/8/8/8/8/8/8/4K3 w - ", "error 24 missing-field"),
    ("4k3/8/8/8/8/8/8/4K3 x - - ", "error 21 position"),
    ("4k3/8/8/8/8/8/8/4K3 W - - ", "warning 21 capital-side"),
    (
        "4k3/8/8/8/8/8/8/4K3 w KQkq - ",
        "error 23 castling-right, error 23 castling-right, error 23 castling-right, error 23 castling-right",
    ),
    ("4k3/8/8/8/8/8/8/4K2R w kK - ", "warning 24 castling-order, error 24 castling-right"),
    ("4k3/8/8/8/8/8/8/4K3 w - e3 ", "error 25 en-passant"),
    ("4k3/8/8/8/4P3/8/8/4K3 b - e3 ", ""),
    ("4k3/8/8/8/8/8/8/4K3 b - e3 ", "error 25 en-passant"),
    ("4k3/8/8/8/9/8/8/4K3 w - - ", "error 11 position"),
    ("4k3/8/8/8/44p/8/8/4K3 w - - ", "error 11 position"),
    ("4k3/8/8/8/8/8/4K3 w - - ", "error 1 position"),
    ("4k3/8/8/8/8/8/8/8/4K3 w - - ", "error 1 position"),
    ("4k3/8/8/8/8/8/8/4K2Z w - - ", "error 20 position"),
    ("4k3/8/8/8/p7/8/8/P3K3 w - - ", "error 18 position"),
    ("4k2r/8/8/8/8/8/8/4K2R w - - ", ""),
    ("3kr3/8/8/8/8/8/8/4K3 b - - ", "error 1 position"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 5 39", "warning 29 dialect"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 5 39;", "warning 29 dialect, warning 33 empty-operation"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 5 39 bm e4;", "warning 29 dialect"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 5 39 ;D1 6 ;D2 30", "warning 34 dialect"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4", "warning 34 semicolon"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; bm e3;", "error 36 repeated"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - id \"x\"; bm e4;", "warning 37 order"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 e3;", "warning 35 moves-order"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;", "error 32 illegal-move"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - bm e2e4;", "warning 32 not-canonical"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - bm 0-0;", "error 32 illegal-move"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - bm;", ""),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - pm;", "error 31 operand"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - pm e3 e4;", "error 32 operand"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - pv e4 Kd7 e5;", ""),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - pv e4 e5;", "error 35 illegal-move"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - pm e3; pv e4 Kd7;", "error 32 predicted-move"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - ce 99999;", "error 32 operand"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - ce +0;", "warning 32 number-form"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - ce 0.5;", "error 32 operand"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - dm 0;", "error 32 operand"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - dm -3;", "error 32 operand"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - fmvn 0;", "error 34 operand"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc -1;", "error 34 operand"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc;", "error 33 operand"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - rc 0;", "error 32 operand"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - acn 12x;", "error 33 operand"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - acs -1;", "error 33 operand"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - id WAC.001;", "warning 32 unquoted-string"),
    (
        "4k3/8/8/8/8/8/4P3/4K3 w - - c0 Barnes, David J.-Horton, Mark Dover; c1 1/2-1/2;",
        "warning 32 unquoted-string, warning 72 unquoted-string",
    ),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"unclosed;", "error 32 unclosed-string"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"a;b\";", ""),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"say \\\"hi\\\"\";", "warning 33 escape"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"a\\sb\";", "warning 33 escape"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - c0;", ""),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"a\" \"b\";", "error 32 operand"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - c10 \"a\";", ""),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - Ae \"Stockfish\";", ""),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 7up 3;", "error 29 opcode"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - averyveryverylongopcode 3;", "warning 29 long-opcode"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - draw_offer;", "error 29 needs-move"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - draw_claim; sm e4;", ""),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - draw_accept \"x\";", "error 41 operand"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - resign;", ""),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - tcri \"a@b.c\";", "error 34 operand"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - tcri \"a@b.c\" \"A B\";", ""),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - tcgs x;", "error 34 operand"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - noop 1 \"x\" e4 -2.5;", ""),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - bm #2;", "warning 32 mate-count"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - - bm e4;", "warning 29 hyphen"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;; id \"x\";", "warning 35 empty-operation"),
    ("4k3/8/8/8/8/8/4P3/4K3  w  -  -  bm e4;", "warning 22 blanks"),
    ("4k3/8/8/8/8/8/4P3/4K3\tw\t-\t-\tbm e4;", "warning 22 blanks"),
    ("k2r/ppp5/8/8/8/Q/5PPP/7K/ b -", "warning 1 dialect"),
    ("r3k2r/ppp2ppp/8/8/4P/8/PPPP1PPP/R3K2R/ b KQkq e4 -", "warning 1 dialect"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - [0.5]", "warning 29 dialect"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 35 | 0.5", "warning 33 dialect"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - c9 \"1-0\";", ""),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", "warning 63 dialect"),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq -", ""),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - eco \"Z99\";", "warning 33 eco-code"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - v1 \"sub\"; v0 \"top\";", "warning 39 register-order"),
    ("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "error 1 uci"),
    ("# a comment line", "comment"),
];

fn said(line: &str) -> String {
    let mut said = Vec::new();
    let read = read_line(line, &ReadOptions::default(), &mut |fault| {
        // Lines of the oracle's table end with a space before the tab.
        if fault.kind == EpdDiagnosticKind::TrailingBlanks {
            return;
        }
        let level = fault.kind.severity().as_str();
        said.push(format!("{level} {} {}", fault.column(line), fault.kind.name()));
    });
    if matches!(read, Line::Comment) {
        said.push("comment".to_owned());
    }
    said.join(", ")
}

#[test]
fn every_malformed_line_is_told_with_its_level_place_and_reason() {
    let wrong: Vec<String> = LINES
        .iter()
        .filter(|(line, expected)| said(line) != *expected)
        .map(|(line, expected)| format!("{line}\n  says {}\n  not  {expected}", said(line)))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The oracle's verdicts: `error`, `warning`, `good` or a dialect, or that something is kept or
/// ignored.
#[test]
fn our_levels_are_those_of_the_oracle() {
    let Some(shared) = shared() else { return };
    let text = fs::read_to_string(shared.join("oracle/epd/malformed.tsv")).unwrap();
    let mut lines = 0;
    for oracle in text.lines().skip(1) {
        let (line, remark) = oracle.rsplit_once('\t').unwrap();
        let (_, ours) = LINES.iter().find(|(ours, _)| *ours == line).expect(line);
        let (error, warning) = (ours.contains("error"), ours.contains("warning"));
        let agrees = match remark.split([':', ' ', ',']).next().unwrap() {
            "error" => error,
            "warning" => warning && !error,
            "good" if remark.contains("warning") => warning && !error,
            "good" | "unknown" | "private" => ours.is_empty(),
            "dialect" | "perft" | "kept" => warning && !error,
            "Shredder" => warning && !error,
            "the" => ours.is_empty(),
            "skipped" => *ours == "comment",
            other => panic!("{other}: {remark}"),
        };
        assert!(agrees, "{line}: oracle: {remark}; ours: {ours}");
        lines += 1;
    }
    assert_eq!(lines, LINES.len());
}
