//! The dialects of the specifications and of files in circulation.

use epd::{
    Dialect, EpdDiagnostic, EpdDiagnosticKind, Line, Opcode, Operand, ReadOptions, Record,
    Severity, crafty_description, read_line,
};
use san::FieldStyle;

fn options(dialect: Option<Dialect>) -> ReadOptions {
    ReadOptions { dialect, ..ReadOptions::default() }
}

/// Returns the record of a line and its faults.
#[track_caller]
fn read(line: &str, dialect: Option<Dialect>) -> (Record, Vec<EpdDiagnostic>) {
    let mut faults = Vec::new();
    let read = read_line(line, &options(dialect), &mut |fault| faults.push(fault));
    let Line::Record(record) = read else { panic!("{line}: {faults:?}") };
    (record.to_record(), faults)
}

/// Returns the record in the standard's form, with the dialect detected from the line.
#[track_caller]
fn standard(line: &str) -> String {
    let (record, faults) = read(line, None);
    let error = faults.iter().find(|fault| fault.kind.severity() == Severity::Error);
    assert_eq!(error, None, "{line}");
    record.to_string()
}

fn crafty(record: &Record) -> String {
    crafty_description(record.position(), FieldStyle::default())
}

#[test]
fn seed_000_the_line_of_crafty_reads_as_its_diagram() {
    let line = "k2r/ppp5/8/8/8/Q/5PPP/7K/ b -";
    let (record, _) = read(line, Some(Dialect::Crafty));
    let diagram = [
        "k**r****", "ppp*****", "********", "********", "********", "Q*******", "*****PPP",
        "*******K",
    ];
    let letter = |file, rank| record.position().letter(san::Square::from_coords(file, rank));
    let rank = |rank| san::File::ALL.map(|file| letter(file, rank).unwrap_or('*'));
    let board = san::Rank::ALL.map(|number| String::from_iter(rank(number)));
    assert!(board.iter().rev().eq(&diagram), "{board:?}");
    assert_eq!(record.position().turn(), san::Color::Black);
    // Without the trailing empty squares that this one of its ranks has.
    assert_eq!(crafty(&record), "k2r/ppp/8/8/8/Q/5PPP/7K/ b -");
    assert_eq!(standard(line), "k2r4/ppp5/8/8/8/Q7/5PPP/7K b - -");
}

#[test]
fn seed_000_a_fault_of_fields_that_are_left_out_lies_in_the_line() {
    // Adjacent kings, no king, and multi-byte text where the fields might be.
    for line in
        ["8/8/8/Kk/8/8/8/8/ w", "8/8/8/8/8/8/8/8/ b", "8/8/8/Kk/8/8/8/8/ w é", "///Kk///// w\u{e}"]
    {
        let mut faults = Vec::new();
        let _ = read_line(line, &options(Some(Dialect::Crafty)), &mut |fault| faults.push(fault));
        assert!(!faults.is_empty(), "{line}");
        for fault in faults {
            assert!(line.get(fault.at.clone()).is_some(), "{line}: {fault:?}");
        }
    }
}

#[test]
fn seed_000_the_en_passant_field_is_the_square_of_the_pawn_that_can_be_captured() {
    let line = "r3k2r/ppp2ppp/8/8/3pP/8/PPPP1PPP/R3K2R/ b KQkq e4 -";
    assert_eq!(standard(line), "r3k2r/ppp2ppp/8/8/3pP3/8/PPPP1PPP/R3K2R b KQkq e3");
    let (record, faults) = read(line, Some(Dialect::Crafty));
    assert_eq!(faults, []);
    assert_eq!(crafty(&record), line);
    // Castling without en passant, en passant without castling, White to move.
    for line in [
        "r3k2r/8/8/8/8/8/8/R3K2R/ w Kq -",
        "4k/8/8/3pP/8/8/8/4K/ w d5 -",
        "4k/8/8/8/8/8/4P/4K/ w -",
    ] {
        let (record, _) = read(line, Some(Dialect::Crafty));
        assert_eq!(crafty(&record), line);
    }
}

#[test]
fn seed_001_the_grammar_is_that_of_the_standard() {
    let (record, faults) = read(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 bm c5 e5; ce -35; id \"BNF\";",
        Some(Dialect::Standard),
    );
    assert_eq!(faults, []);
    assert!(testkit::grammar::is_record(&record.to_string()), "{record}");
}

#[test]
fn seed_002_the_line_of_fritz_has_six_fields_and_either_case_for_the_side() {
    let fields = "1k1r3r/pb1q4/1p1p2pp/n1p1p3/2P1pPBP/PPP1B1P1/2Q1N3/2KR3R";
    let line = format!("{fields} b - - 0 19");
    let (record, faults) = read(&line, Some(Dialect::Fen));
    assert_eq!(faults, []);
    assert_eq!(record.to_string(), format!("{fields} b - - fmvn 19; hmvc 0;"));
    assert_eq!(standard(&format!("{fields} B - - 0 19")), record.to_string());
    let expected = format!("{fields} b - - bm Nxb3+; fmvn 19; hmvc 0;");
    assert_eq!(standard(&format!("{fields} B - - 0 19 bm Nxb3+")), expected);
}

#[test]
fn seed_003_every_opcode_of_the_standard_is_read_and_written_as_it_is() {
    let position = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    let operations = "acn 9000000000; acs 17; am e3; bm Kd2 e4; c0 \"a;b\"; c1; c2 \"x\"; c3; c4; \
        c5; c6; c7; c8; c9 \"1-0\"; ce 32758; dm 5; draw_accept; draw_claim; draw_offer; \
        draw_reject; eco \"B90\"; fmvn 39; hmvc 5; id \"WAC.001\"; nic \"SI 14.9\"; \
        noop 1 \"x\" e4 -2.5; pm e4; pv e4 Kd7 e5; rc 2; resign; sm e4; tcgs 1; \
        tcri \"a@b.c\" \"A B\"; tcsi \"d@e.f\" \"\"; v0 \"King's Pawn\"; v1; v2; v3; \
        v4; v5; v6; v7; v8; v9;";
    // All opcodes: 45 with `acd`, which is not in the standard.
    assert_eq!(operations.matches("; ").count() + 2, Opcode::COUNT);
    let line = format!("{position} acd 12; {operations}");
    let (record, faults) = read(&line, Some(Dialect::Standard));
    // No record of a game has both of these.
    let kinds: Vec<_> = faults.iter().map(|fault| &fault.kind).collect();
    assert_eq!(kinds, [&EpdDiagnosticKind::AcceptedAndRejected]);
    assert_eq!(record.to_string(), line);
    assert!(record.operations().iter().all(|op| op.opcode().is_some()));
}

#[test]
fn other_forms_become_the_standard() {
    let position = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    let cases = [
        // Perft suites.
        (" 0 1 ;D1 20 ;D2 400", " D1 20; D2 400; fmvn 1; hmvc 0;"),
        (" 0 1; D1 20; D2 400", " D1 20; D2 400; fmvn 1; hmvc 0;"),
        (" 0 1 ;D1 20 ;", " D1 20; fmvn 1; hmvc 0;"),
        // Labels, from White's point of view.
        (" [0.5]", " c9 \"1/2-1/2\";"),
        (" 0 1 [1.0] 12", " c9 \"1-0\"; ce 12; fmvn 1; hmvc 0;"),
        (" 0 1 [1.0] 32765", " c9 \"1-0\"; ce 32766; fmvn 1; hmvc 0;"),
        (" 0 1 | 35 | 0.0", " c9 \"0-1\"; ce 35; fmvn 1; hmvc 0;"),
        // The clocks of FEN, followed by operations.
        (" 5 39", " fmvn 39; hmvc 5;"),
        (" 5 39;", " fmvn 39; hmvc 5;"),
        (" 0 39 c9 \"1-0\";", " c9 \"1-0\"; fmvn 39; hmvc 0;"),
        // pgn-extract.
        (" c0 Barnes, D.-Horton, M; c1 1/2-1/2;", " c0 \"Barnes, D.-Horton, M\"; c1 \"1/2-1/2\";"),
        // ERET, PET, matetrack, Scid, python-chess.
        (" - bm e4;", " bm e4;"),
        ("   bm   e4   Kd2 ;", " bm Kd2 e4;"),
        (" bm #2;", " dm 2;"),
        (" bm #2; dm 2;", " dm 2;"),
        (" c0 \"a\\sb\";", " c0 \"a\\sb\";"),
        (" c0 \"say \\\"hi\\\"\";", " c0 \"say 'hi'\";"),
        (" bm e4", " bm e4;"),
        (" id WAC.001; bm e2-e4", " bm e4; id \"WAC.001\";"),
        (";bm e4;acd 3;", " acd 3; bm e4;"),
        ("\tbm e4;\r", " bm e4;"),
    ];
    for (line, expected) in cases {
        let found = standard(&format!("{position}{line}"));
        assert_eq!(found, format!("{position}{expected}"), "{line}");
    }
    assert_eq!(standard(&format!("\u{feff}{position} bm e4;")), format!("{position} bm e4;"));
}

#[test]
fn a_mate_count_stands_beside_best_moves() {
    let position = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    let cases = [
        (" bm #2; bm #3;", " dm 3;"),
        (" bm e4; bm #2;", " bm e4; dm 2;"),
        (" bm #2; dm 3; bm #3;", " dm 3;"),
        (" bm #2; bm e4;", " bm e4; dm 2;"),
        (" bm #2; bm #0;", " bm #0; dm 2;"),
    ];
    for (operations, expected) in cases {
        let (record, _) = read(&format!("{position}{operations}"), None);
        assert_eq!(record.to_string(), format!("{position}{expected}"), "{operations}");
    }
}

#[test]
fn evaluations_of_labels_are_turned_to_the_player_to_move() {
    let fields = "4k3/8/8/8/8/8/4P3/4K3 b - -";
    let expected = format!("{fields} c9 \"1/2-1/2\"; ce -35; fmvn 1; hmvc 0;");
    assert_eq!(standard(&format!("{fields} 0 1 | 35 | 0.5")), expected);
}

#[test]
fn a_dialect_can_be_forced() {
    let position = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    let text = |line: &str, dialect| {
        let (record, _) = read(&format!("{position} {line}"), Some(dialect));
        match record.get(Opcode::C0) {
            Some(Operand::Text(text)) => text.clone(),
            other => panic!("{other:?}"),
        }
    };
    // A path is kept as is, unless the writer is known to use escapes.
    assert_eq!(text(r#"c0 "C:\sub\new\";"#, Dialect::Standard), r"C:\sub\new\");
    assert_eq!(text(r#"c0 "C:\sub\new";"#, Dialect::Scid), r"C:;ub\new");
    assert_eq!(text(r#"c0 "a\\b \"c\" \t";"#, Dialect::PythonChess), r"a\b 'c'  ");
    let error = |line: &str, dialect| {
        let mut kinds = Vec::new();
        let line = format!("{position}{line}");
        read_line(&line, &options(Some(dialect)), &mut |fault| kinds.push(fault.kind.name()));
        kinds
    };
    assert_eq!(error(" 0 1", Dialect::Standard), ["opcode"]);
    assert_eq!(error("", Dialect::Fen), ["dialect"]);
    assert_eq!(error("", Dialect::Crafty), ["dialect"]);
    assert_eq!(error(" bm e4;", Dialect::Perl), ["dialect"]);
    assert_eq!(error(" bm e4;", Dialect::Label), ["dialect"]);
    assert_eq!(error(" bm e4;", Dialect::Perft), ["dialect"]);
    assert_eq!(error("", Dialect::Perl), [""; 0]);
}
