//! Clocks: which values a position can have, and which values a program loses.

use epd::{Consumer, Line, ReadOptions, misread, read_line};

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
fn fastchess_reads_the_clocks_of_a_plain_fen() {
    let line = "4k3/8/8/8/8/8/4P3/4K3 w - - 5 39";
    let faults_of = |line: &str| {
        let read = read_line(line, &ReadOptions::default(), &mut |_| {});
        let mut faults = Vec::new();
        misread(line, &read, Consumer::Fastchess, &mut |fault| faults.push(fault.kind.to_string()));
        faults
    };
    assert_eq!(faults_of(line), [""; 0]);
    assert_eq!(faults_of(&format!("{line} bm e4;")).len(), 1);
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
        let read =
            read_line(&line, &options, &mut |fault| assert!(fault.kind.is_of_file(), "{fault:?}"));
        let Line::Record(record) = read else { panic!("{line}") };
        let position = record.position();
        assert_eq!((position.halfmoves(), position.fullmoves()), clocks, "{line}");
    }
}
