//! What of a line can be read: fields and operations are kept whatever stands beside them.

use epd::{EpdDiagnostic, EpdDiagnosticKind, Line, ReadOptions, Rules, Severity, read_line};

const POSITION: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

/// Returns the operations of a line in normal form, and the text that cannot be read.
fn readable(line: &str) -> (String, Vec<String>) {
    let mut faults: Vec<EpdDiagnostic> = Vec::new();
    let read = read_line(line, &ReadOptions::default(), &mut |fault| faults.push(fault));
    let readable = read.readable(&faults).unwrap_or_else(|| panic!("{line}: {faults:?}"));
    let text = readable.record.to_string();
    let operations = text.splitn(5, ' ').nth(4).unwrap_or_default().to_owned();
    (operations, readable.unread)
}

/// Text after the fields, the operations that are read, and the text that cannot be read.
const LINES: &[(&str, &str, &[&str])] = &[
    ("", "", &[]),
    // Published suites.
    ("0 4; v=-328", "ce -328; fmvn 4; hmvc 0;", &[]),
    ("0 4 ; v=-328", "ce -328; fmvn 4; hmvc 0;", &[]),
    ("bm #12; ep; 00:00;", "dm 12; ep;", &["00:00"]),
    ("bm #12; PV: e2e4;", "dm 12; pv e4;", &[]),
    ("; cdb eval: 95; PV length: 46", "ce 95;", &["PV length: 46"]),
    ("cdb eval: 12, ply: 0;", "ce 12;", &["ply: 0"]),
    ("cdb eval: -7", "ce -7;", &[]),
    ("; cdb eval: M13, ply: 4;", "ce 32754;", &["ply: 4"]),
    ("cdb eval: -M12;", "ce -32755;", &[]),
    ("cdb eval: 29987;", "ce 32754;", &[]),
    ("cdb eval: mated;", "", &["cdb eval: mated"]),
    ("cdb eval: M12;", "", &["cdb eval: M12"]),
    ("cdb 5;", "cdb 5;", &[]),
    ("; v=-328", "ce -328;", &[]),
    ("v=x;", "", &["v=x"]),
    ("bm #4; PV: e2e4 e8d8;", "dm 4; pv e4 Kd8;", &[]),
    // Comments and free text.
    ("// note", "", &["// note"]),
    ("# note; with semicolon", "", &["# note; with semicolon"]),
    ("bm e4; // best; bm d4;", "bm e4;", &["// best; bm d4;"]),
    ("white to win", "", &["white to win"]),
    ("white to win;", "", &["white to win"]),
    ("mate; in three moves", "mate;", &["in three moves"]),
    ("ep", "", &["ep"]),
    ("theme pin;", "", &["theme pin"]),
    ("white to play bm e4;", "bm e4;", &["white to play"]),
    ("0 1 1 bm e4; dm 3", "bm e4; dm 3; fmvn 1; hmvc 0;", &["1"]),
    ("mate in 3 bm #3; id \"x\";", "dm 3; id \"x\";", &["mate in 3"]),
    ("x \"bm e4;", "", &["x \"bm e4;"]),
    ("{best bm e4};", "", &["{best bm e4}"]),
    ("see (bm e4);", "", &["see (bm e4)"]),
    // A table: the comma ends the field.
    ("5 39,0.35", "fmvn 39; hmvc 5;", &[",0.35"]),
    ("5 39,-10,1/2-1/2", "fmvn 39; hmvc 5;", &[",-10,1/2-1/2"]),
    // Labels.
    ("[%eval 0.35]; bm e4;", "bm e4;", &["[%eval 0.35]"]),
    ("[2.0]; bm e4;", "bm e4;", &["[2.0]"]),
    ("[0.5] 12; bm e4;", "bm e4; c9 \"1/2-1/2\"; ce 12;", &[]),
    ("[0.5] 12; ce 5; c9 \"x\";", "c9 \"x\"; ce 5;", &["[0.5] 12"]),
    ("| 35 | 0.5; bm e4", "bm e4; c9 \"1/2-1/2\"; ce 35;", &[]),
    (";d1 20 ;d2 400", "d1 20; d2 400;", &[]),
    ("x1 5 -2.5 e4 \"free text\"; bm e4;", "bm e4; x1 5 -2.5 e4 \"free text\";", &[]),
    // Operations with errors, beside others.
    ("bm e5; id \"x\";", "id \"x\";", &["bm e5"]),
    ("7up 3; dm 4; acs x;", "dm 4;", &["7up 3", "acs x"]),
    ("draw_offer; id \"x\";", "id \"x\";", &["draw_offer"]),
    // Both are legal.
    ("pm e3; pv e4 Kd7;", "pm e3; pv e4 Kd7;", &[]),
    ("99999999999 7 bm e4;", "bm e4; fmvn 7;", &["99999999999"]),
    ("[2.0] x", "", &["[2.0] x"]),
    // Being mated: 32767 - 2 * 4.
    ("bm #4;", "dm 4;", &[]),
    ("bm #-4;", "ce -32759;", &[]),
    ("dm -4;", "ce -32759;", &[]),
    ("bm #+4;", "dm 4;", &[]),
    ("dm #4;", "dm 4;", &[]),
    ("ce #-4;", "ce -32759;", &[]),
    ("bm #0;", "", &["bm #0"]),
    ("dm 0;", "", &["dm 0"]),
    ("bm #-4; ce -32759;", "ce -32759;", &[]),
    ("bm #-4; ce 10;", "ce 10;", &["bm #-4"]),
    ("bm #2; dm 2;", "dm 2;", &[]),
    ("bm #2; dm 3;", "dm 3;", &["bm #2"]),
    // One reading.
    ("bm e4, e3;", "bm e3 e4;", &[]),
    ("bm e4,e3 , Kd1;", "bm Kd1 e3 e4;", &[]),
    ("pv 1. e4 Kd7 2. e5;", "pv e4 Kd7 e5;", &[]),
    ("pv 1.e4 Kd7 2.e5 Kd8 3...;", "pv e4 Kd7 e5 Kd8;", &[]),
    ("bm \"e4\";", "bm e4;", &[]),
    ("bm \"e4 e3\"", "bm e3 e4;", &[]),
    ("bm e4 +-; am e3 -+; pm Kd1 =;", "am e3; bm e4; pm Kd1;", &[]),
    ("bm e4 --;", "", &["bm e4 --"]),
    ("bm e4 $1 Kd1 $14;", "bm Kd1 e4;", &[]),
    ("bm “e4”, ‘Kd1’;", "bm Kd1 e4;", &[]),
    ("id “x”; c0 «y»;", "c0 \"y\"; id \"x\";", &[]),
    ("c0 the “best” one;", "c0 \"the “best” one\";", &[]),
    ("bm e4;id\"33\";", "bm e4; id \"33\";", &[]),
    ("id=\"33\"; bm=e4; ce: 5; acd = 7;", "acd 7; bm e4; ce 5; id \"33\";", &[]),
    // Never lost silently.
    ("bm e4; bm e3;", "bm e3;", &["bm e4"]),
    ("bm e4; bm e2e4;", "bm e4;", &[]),
    ("x1 5; x1 6; x1 6;", "x1 6;", &["x1 5"]),
    ("c9 \"x\"; c0 \"y\";", "c0 \"y\";", &["c9 \"x\""]),
    ("c1; c0 \"y\";", "c0 \"y\";", &[]),
    ("c1 \"plain \\s\";", "c1 \"plain \\s\";", &[]),
    // An operation is not part of a string.
    ("id x ce 10;", "", &["id x ce 10"]),
    ("id \"x ce 10;", "", &["id \"x ce 10;"]),
    ("c3 -\" ce 32000; tcgs 1;", "tcgs 1;", &["c3 -\" ce 32000"]),
    ("eco 10\";", "", &["eco 10\""]),
    ("id the best bm of all;", "id \"the best bm of all\";", &[]),
    ("c0 \"unclosed;", "c0 \"unclosed\";", &[]),
];

#[test]
fn fields_and_operations_are_kept_and_other_text_is_returned() {
    for (text, operations, unread) in LINES {
        let (read, other) = readable(&format!("{POSITION} {text}"));
        assert_eq!((&*read, &*other.join("|")), (*operations, &*unread.join("|")), "{text}");
    }
}

/// Returns the level and the kind of each finding.
fn found(line: &str, rules: Rules, strict: bool) -> String {
    let mut found = Vec::new();
    let options = ReadOptions { rules, strict, ..ReadOptions::default() };
    let read = read_line(line, &options, &mut |fault| {
        found.push(format!("{} {}", fault.kind.severity().as_str(), fault.kind.name()));
    });
    if matches!(read, Line::Bad) {
        found.push("bad".to_owned());
    }
    found.join(", ")
}

#[test]
fn damaged_castling_fields_are_errors() {
    for field in
        ["KQQ -", "kQkq -", "Kkkq -", "KQkQ -", "K-Qkq - D1 1;", "KQk-q id \"sp\";", "Kk -2"]
    {
        let line = format!("r3k2r/8/8/8/8/8/8/R3K2R w {field}");
        let found = found(&line, Rules::Detected, false);
        assert!(found.contains("error position") && found.ends_with("bad"), "{line}: {found}");
    }
}

#[test]
fn more_than_two_rights_of_a_side_are_an_error_whatever_is_on_the_board() {
    for line in [
        "4k3/8/8/8/8/8/4P3/4K3 w KHQkq -",
        "r3k1rr/8/8/8/8/8/8/R3K1RR w KGQkq -",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkqH -",
        "r3k2r/8/8/8/8/8/8/R3K2R w KDQkq -",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkqa -",
    ] {
        assert_eq!(found(line, Rules::Detected, false), "error position, bad", "{line}");
    }
}

#[test]
fn a_right_without_king_and_rook_is_reported_once() {
    let found = found("4k3/8/8/8/8/8/4P3/4K3 w KHq -", Rules::Detected, false);
    assert_eq!(found, "error castling-right, error castling-right");
}

#[test]
fn what_cannot_be_part_of_the_fourth_field_ends_it() {
    for (text, operations, unread) in [
        (",0.35", "", &[",0.35"][..]),
        (";v=3", "ce 3;", &[]),
        ("[0.5] 12", "c9 \"1/2-1/2\"; ce 12;", &[]),
        ("| 35 | 0.5", "c9 \"1/2-1/2\"; ce 35;", &[]),
        ("{note} bm e4;", "bm e4;", &["{note}"]),
        ("// note", "", &["// note"]),
        ("\"title\" bm e4;", "bm e4;", &["\"title\""]),
    ] {
        let (read, other) = readable(&format!("{POSITION}{text}"));
        assert_eq!((&*read, &*other.join("|")), (operations, &*unread.join("|")), "{text}");
    }
    // A letter may be part of a damaged field.
    let glued = format!("{POSITION}note");
    assert_eq!(found(&glued, Rules::Detected, false), "error position, bad");
}

#[test]
fn castling_that_only_chess960_has_is_reported_unless_the_rules_are_given() {
    let told = "warning chess960";
    let cases = [
        ("4k3/8/8/8/8/8/8/1R2K3 w Q -", told, "error castling-right", ""),
        ("r3k2r/8/8/8/8/8/8/R3K1R1 w KQkq -", told, "error castling-right", ""),
        ("r3k1r1/8/8/8/8/8/8/4K3 w kq -", told, "error castling-right", ""),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "", "", ""),
        // The file of the rook says that it is Chess960, and so does the king.
        ("4k3/8/8/8/8/8/8/1R2K3 w B -", "", "error castling-right", ""),
        ("5k1r/8/8/8/8/8/8/5K1R w Kk -", "", "error castling-right, error castling-right", ""),
    ];
    for (line, detected, chess, chess960) in cases {
        assert_eq!(found(line, Rules::Detected, false), detected, "{line}");
        assert_eq!(found(line, Rules::Chess, false), chess, "{line}");
        assert_eq!(found(line, Rules::Chess960, false), chess960, "{line}");
    }
}

#[test]
fn positions_that_no_game_leads_to_are_read_unless_strict() {
    for line in
        ["nr1kqrbn/pbpppppp/1p6/8/8/BP6/P1PPPPPP/NR1KQRBN b - -", "4k3/8/8/8/8/3N1N2/8/4K3 b - -"]
    {
        let expected = if line.starts_with("nr") { "warning unreachable" } else { "" };
        assert_eq!(found(line, Rules::Detected, false), expected, "{line}");
    }
    let line = "4k3/8/3N1N2/8/8/8/8/4K3 b - -";
    assert_eq!(found(line, Rules::Detected, false), "warning unreachable");
    assert_eq!(found(line, Rules::Detected, true), "error position, bad");
}

#[test]
fn an_en_passant_field_that_names_the_pawn_is_that_of_the_square_behind_it() {
    for (fields, expected) in [
        ("4k3/8/8/8/4P3/8/8/4K3 b - e4", "4k3/8/8/8/4P3/8/8/4K3 b - e3"),
        ("4k3/8/8/4p3/8/8/8/4K3 w - e5", "4k3/8/8/4p3/8/8/8/4K3 w - e6"),
    ] {
        assert_eq!(found(fields, Rules::Detected, false), "warning pawn-square");
        let read = read_line(fields, &ReadOptions::default(), &mut |_| {});
        assert_eq!(read.readable(&[]).unwrap().record.to_string(), expected);
    }
    assert_eq!(found("4k3/8/8/8/4P3/8/8/4K3 w - e4", Rules::Detected, false), "error en-passant");
}

#[test]
fn a_slash_after_the_pieces_of_a_fen_is_reported() {
    let expected = "warning final-slash, warning dialect";
    assert_eq!(found("4k3/8/8/8/8/8/4P3/4K3/ w - - 0 1", Rules::Detected, false), expected);
}

#[test]
fn records_of_variants_are_read_by_their_rules() {
    // Line, rules, the findings, and the record in normal form.
    let horde = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - bm e5;";
    let forced = "8/8/8/8/8/8/2k5/1n5B b - - sm Kb3;";
    let no_king = "8/8/8/8/8/8/8/1n5B b - - bm Nc3;";
    for (line, rules, told, expected) in [
        (horde, Rules::Detected, "warning variant", horde),
        (horde, Rules::Horde, "", horde),
        // In Atomic the capture on f7 ends the game; in Antichess a capture is forced.
        (
            "rnbqkbnr/pppppppp/8/6N1/8/8/PPPPPPPP/RNBQKB1R w KQkq - sm Nxf7;",
            Rules::Atomic,
            "warning not-canonical",
            "rnbqkbnr/pppppppp/8/6N1/8/8/PPPPPPPP/RNBQKB1R w KQkq - sm Nxf7#;",
        ),
        (forced, Rules::Antichess, "", forced),
        (no_king, Rules::Detected, "warning variant", no_king),
        (
            "4k3/8/8/8/8/8/4P3/4K3[N] w - - bm N@d6;",
            Rules::Detected,
            "warning not-canonical",
            "4k3/8/8/8/8/8/4P3/4K3[N] w - - bm N@d6+;",
        ),
    ] {
        assert_eq!(found(line, rules, false), told, "{line}");
        let mut faults = Vec::new();
        let options = ReadOptions { rules, ..ReadOptions::default() };
        let read = read_line(line, &options, &mut |fault| faults.push(fault));
        let mut buffer = san::Buffer::default();
        read.readable(&faults).unwrap().write(&mut buffer);
        assert_eq!(std::str::from_utf8(buffer.as_bytes()), Ok(expected));
    }
    // More pawns than a game can lead to.
    let line = "rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR w KQkq - bm e4;";
    assert_eq!(found(line, Rules::Atomic, false), "warning unreachable");
    assert_eq!(found(line, Rules::Atomic, true), "error position, bad");
    // Illegal by the rules of the variant.
    let line = "4k3/8/8/8/8/8/4P3/4K3[N] w - - bm Q@d6;";
    assert_eq!(found(line, Rules::Detected, false), "error illegal-move");
    let other = "8/8/8/8/8/8/8/8 w - -";
    assert_eq!(found(other, Rules::Detected, false), "error position, bad");
}

#[test]
fn a_line_that_begins_with_a_sign_of_a_comment_is_one() {
    for line in ["# x", "; x", "% x", "// x", "  % x"] {
        let read = read_line(line, &ReadOptions::default(), &mut |fault| panic!("{fault}"));
        assert!(matches!(read, Line::Comment), "{line}");
    }
}

#[test]
fn findings_in_a_line_and_its_length_are_bounded() {
    let mut kinds = Vec::new();
    let line = format!("{POSITION} {}", ";".repeat(5000));
    read_line(&line, &ReadOptions::default(), &mut |fault| kinds.push(fault.kind));
    assert_eq!(kinds.last(), Some(&EpdDiagnosticKind::TooMany));
    // The long line, the other diagnostics, and that there are more.
    assert_eq!(kinds.len(), 1 + 1000);
    kinds.clear();
    let line = format!("{POSITION} {}", ";".repeat(epd::LONGEST_RECORD));
    let read = read_line(&line, &ReadOptions::default(), &mut |fault| kinds.push(fault.kind));
    assert!(matches!(read, Line::Bad));
    assert_eq!(kinds, [EpdDiagnosticKind::LongRecord(line.len())]);
    assert_eq!(kinds[0].severity(), Severity::Error);
    let message = format!("the line has {} bytes: a record has at most 1048576", line.len());
    assert_eq!(kinds[0].to_string(), message);
}

#[test]
fn a_halfmove_clock_alone_says_nothing_about_the_move() {
    assert_eq!(found(&format!("{POSITION} hmvc 30;"), Rules::Detected, false), "");
    let line = format!("{POSITION} fmvn 1; hmvc 1;");
    let mut said = Vec::new();
    read_line(&line, &ReadOptions::default(), &mut |fault| said.push(fault.to_string()));
    assert_eq!(said, ["no game is at move 1 with 1 ply since the last capture or pawn move"]);
}
