//! Clocks: which values a position can have, and which values a program loses.

use epd::{Consumer, ReadOptions, misread, read_line};

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
