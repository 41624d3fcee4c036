//! Clocks: which values a position can have, and which values a program loses.

use epd::{Line, Opcode, ReadOptions, RecordRef, read_line};
use proptest::prelude::*;

#[test]
fn clocks_are_reachable_up_to_two_plies_for_each_move_before() {
    let is_unreachable = |line: &str| {
        let mut is_unreachable = false;
        read_line(line, &ReadOptions::default(), &mut |fault| {
            is_unreachable |= fault.kind.name() == "clocks";
        });
        is_unreachable
    };
    for (side, before_first_move) in [("w", 0), ("b", 1)] {
        for fullmove in [1, 2, 39, 100] {
            let most = 2 * (fullmove - 1) + before_first_move;
            for (clock, expected) in [(0, false), (most, false), (most + 1, true), (most + 2, true)]
            {
                let epd = format!("4k3/8/8/8/8/8/8/4K3 {side} - - fmvn {fullmove}; hmvc {clock};");
                assert_eq!(is_unreachable(&epd), expected, "{epd}");
                let fen = format!("4k3/8/8/8/8/8/8/4K3 {side} - - {clock} {fullmove}");
                assert_eq!(is_unreachable(&fen), expected, "{fen}");
            }
        }
    }
}

#[test]
fn a_record_tells_which_clocks_it_has() {
    for (rest, has) in [
        ("", (false, false)),
        (" hmvc 3;", (true, false)),
        (" fmvn 14;", (false, true)),
        (" 12 30", (true, true)),
    ] {
        let line = format!("4k3/8/8/8/8/8/4P3/4K3 w - -{rest}");
        let Line::Record(record) = read_line(&line, &ReadOptions::default(), &mut |_| {}) else {
            panic!("{line}")
        };
        assert_eq!((record.has_halfmove_clock(), record.has_fullmove_number()), has, "{line}");
    }
}

#[test]
fn clocks_are_read_also_if_operations_are_not_checked() {
    let options = ReadOptions { operations: false, ..ReadOptions::default() };
    for (rest, clocks) in [
        ("", (0, 1)),
        (" fmvn 14; hmvc 3;", (3, 14)),
        (" hmvc 7;", (7, 1)),
        (" c0 \"hmvc 9; fmvn 9\"; bm e5 fmvn 20;", (0, 20)),
        (" hmvc x; fmvn 5;", (0, 5)),
        (" 12 30", (12, 30)),
        (" 12 30 fmvn 31;", (12, 31)),
    ] {
        let line = format!("4k3/8/8/8/8/8/4P3/4K3 w - -{rest}");
        let mut names = Vec::new();
        let read = read_line(&line, &options, &mut |fault| {
            names.extend((!fault.kind.is_of_file()).then(|| fault.kind.name()));
        });
        let differs = rest == " 12 30 fmvn 31;";
        assert_eq!(names, if differs { &["clocks-differ"][..] } else { &[] }, "{line}");
        let Line::Record(record) = read else { panic!("{line}") };
        let position = record.position();
        assert_eq!((position.halfmoves(), position.fullmoves()), clocks, "{line}");
    }
}

/// Reads a line with and without a check of its operations, and compares what is read. Operations
/// of the form that programs write are found without reading the others; the check reads all.
fn is_read_alike(line: &str) {
    let unchecked = ReadOptions { operations: false, ..ReadOptions::default() };
    let read = |options: &ReadOptions| read_line(line, options, &mut |_| {});
    let (with, without) = (read(&ReadOptions::default()), read(&unchecked));
    let (with, without) = match (&with, &without) {
        (Line::Record(with), Line::Record(without)) => (with, without),
        (Line::Variant(with), Line::Variant(without)) => (with.operations(), without.operations()),
        (with, without) => {
            return assert_eq!(format!("{with:?}"), format!("{without:?}"), "{line:?}");
        }
    };
    assert_eq!(with.position(), without.position(), "{line:?}");
    assert_eq!(with.operations_at(), without.operations_at(), "{line:?}");
    for opcode in Opcode::all() {
        let last = |record: &RecordRef<'_>| {
            let found = record.operations().filter(|op| op.opcode() == Some(opcode)).last();
            format!("{:?}", found.map(|operation| record.operands(&operation)))
        };
        assert_eq!(format!("{:?}", without.get(opcode)), last(with), "{opcode} of {line:?}");
    }
}

#[test]
fn tricky_lines_are_read_alike_with_and_without_a_check() {
    const FIELDS: &str = "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3";
    let short = [
        "", " fmvn 3; hmvc 0;", " hmvc 0; fmvn 3;", " fmvn 3;hmvc 2;", " fmvn 3; hmvc 2;\r",
        " fmvn 3; hmvc 2", " fmvn 3 hmvc 2", " fmvn 0; hmvc 007;", " fmvn +3; hmvc x;",
        " fmvn; hmvc;", " fmvn=3; hmvc: 2;", " bm Nf6 hmvc 3;", " bm #-4; hmvc 3;",
        " PV: Nf6; hmvc 3;", " ;D1 20 ;D2 400", " 12 30", " 12 30 hmvc 3;", " 12 30;hmvc 3;",
        " [0.5]; hmvc 3;", " // hmvc 3;", " # hmvc 3;", " - hmvc 3;", " hmvc 3;;", "; hmvc 3;",
        " 3+3 hmvc 3;",
    ];
    let long = [
        " fmvn 3; hmvc 1; fmvn 4;",
        "  fmvn  3 ;  hmvc 2 ; ",
        "\tfmvn\t3;\thmvc 2;",
        " fmvn 4294967296; hmvc -1;",
        " fmvn 4294967295; hmvc 123456789;",
        " fmvn \"3\"; hmvc 2 3;",
        " c0 \"a; hmvc 3;\"; hmvc 2;",
        " c0 \"a hmvc 3; hmvc 2;",
        " c0 \"a\\\"; hmvc 3;\"; hmvc 2;",
        " c0 \"C:\\\"; hmvc 3;",
        " c0 \"a\"b; hmvc 3;",
        " c0 \"M\u{fc}ller \u{2014}\"; hmvc 3; v0 \"\u{e4}\";",
        " c0; eco; hmvc 3; v0; nic \"x\";",
        " bm Nf6 d5; hmvc 3; id \"hmvc 4;\";",
        " resign hmvc; hmvc 3;",
        " resign; hmvc 3; draw_offer;",
        " noop hmvc 3; fmvn 9;",
        " ce -32759; dm -4; bm #4; hmvc 3;",
        " cdb eval:5,hmvc=3;",
        " v=5, hmvc 3; hmvc 4;",
        " x1 draw_offer; hmvc 3;",
    ];
    for rest in short.into_iter().chain(long) {
        is_read_alike(&format!("{FIELDS}{rest}"));
    }
    for line in ["", "# hmvc 3;", "8/8 w - - hmvc 3;", "4k3/8/8/8/8/8/8/4K3", "x hmvc 3; fmvn 2;"] {
        is_read_alike(line);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, ..ProptestConfig::default() })]
    #[test]
    fn lines_are_read_alike_with_and_without_a_check(
        fields in "(\t| )?(4k3/8/8/8/8/8/4P3/4K3 [wb] - -|4k3/8/8/8/8/8/8/4K2R w K -|4k3/8/8 w - -)",
        rest in "( [0-9]{1,2} [0-9]{1,2})?(( |;|  )(hmvc|fmvn|sm|bm|dm|ce|c0|v1|id|resign|pv|x1)\
            ( | |=|  )?(|0|7|12|-4|#4|e4|e3 e4|hmvc|\"a; hmvc 3;\"|\"\\\\\"|\"|\u{e4})(;|;|;| ;|;;|)){0,5}\r?",
    ) {
        is_read_alike(&format!("{fields}{rest}"));
    }
}
