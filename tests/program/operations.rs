//! Operations derived from comments and the rules of chess. The expected values were computed by
//! hand.

use super::assert_quiet;
use crate::support::program;

/// The operations of all records.
#[track_caller]
fn operations(ops: &str, pgn: &str) -> Vec<String> {
    let args = ["--ops", ops, "--registers", "off"];
    let outcome = program().args(args).stdin(pgn).run();
    assert_quiet(&outcome);
    let behind_fields = |line: &str| line.splitn(5, ' ').nth(4).unwrap_or("").to_owned();
    outcome.lines().into_iter().map(behind_fields).collect()
}

#[test]
fn an_evaluation_in_a_command_belongs_to_its_position() {
    // From White's point of view +0.5 and then -0.5. The records have the point of view of the side
    // to move.
    let pgn = "1. e4 { [%eval 0.5] [%clk 0:05:00] } e5 { [%eval -1.0,20] } 2. Nf3 { [%eval #4] } Nc6 { [%eval #-2] } *";
    let expected = ["", "ce -50;", "acd 20; ce -100;", "ce -32759;", "ce -32763;"];
    assert_eq!(operations("ce,dm,acd", pgn), expected);
}

#[test]
fn an_engine_comment_belongs_to_the_position_before_its_move() {
    let pgn = "{book} 1. e4 {book} e5 {+0.10/12 1.6s} 2. Nf3 {-0.31/10 0.2s} Nc6 {+M5/30 2s} \
               3. Bb5 {-M4/31 1s} a6 {+0.00/1 0.0s, Draw by adjudication} 1/2-1/2";
    let expected = [
        "",
        "acd 12; acs 2; ce 10;",
        "acd 10; acs 0; ce -31;",
        "acd 30; acs 2; ce 32762; dm 3;",
        "acd 31; acs 1; ce -32763;",
        "acd 1; acs 0; ce 0;",
        "",
    ];
    assert_eq!(operations("acd,acs,ce,dm", pgn), expected);
}

#[test]
fn an_engine_line_is_cut_before_an_illegal_move() {
    let pgn = "1. e4 {d=5, mt=10, n=77, pv=e4 e5 Ng1f3 Qxx Nc6, wv=0.30, } \
               e5 {d=4, n=5, pv=Nf6, wv=-M3} 2. Nf3 {d=3, pv=d4 d5, wv=0.1} *";
    let expected =
        ["acn 77; ce 30; pv e4 e5 Nf3;", "acn 5; ce 32764; dm 2; pv Nf6;", "ce 10; pv d4 d5;", ""];
    let outcome = program().args(["--ops", "acn,ce,dm,pv", "--registers", "off"]).stdin(pgn).run();
    assert_eq!(outcome.stderr, "-: note: 1 pv cut before an illegal move\n");
    let operations = |line: &str| line.splitn(5, ' ').nth(4).unwrap_or_default().to_owned();
    let found: Vec<String> = outcome.lines().iter().map(|line| operations(line)).collect();
    assert_eq!(found, expected);
}

#[test]
fn engine_data_is_not_a_comment_but_the_end_of_the_game_is() {
    let pgn = "1. e4 {[%clk 0:05:00] good} e5 {+0.10/12 1.6s} 2. Nf3 {+M1/5 0.1s, White mates} *";
    let text = |args: &[&str]| program().args(args).stdin(pgn).run().text().to_owned();
    let dropped = text(&["--ops", "c"]);
    assert_eq!(dropped.matches("c1 \"").count(), 2);
    assert!(dropped.contains("c1 \"good\";") && dropped.contains("c1 \"White mates\";"));
    let kept = text(&["--ops", "c", "--comments", "raw"]);
    assert!(kept.contains("c1 \"[%clk 0:05:00] good\";") && kept.contains("c1 \"+0.10/12 1.6s\";"));
}

/// The knights go out and back: the starting position is repeated after four plies and after eight.
const KNIGHTS: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1";

#[test]
fn a_repeated_position_is_counted() {
    let counts = operations("rc", &format!("{KNIGHTS} Ng8 *"));
    let expected = [1, 1, 1, 1, 2, 2, 2, 2, 3].map(|count| format!("rc {count};"));
    assert_eq!(counts, expected);
}

#[test]
fn positions_with_different_rights_or_en_passant_captures_differ() {
    // The rook returns, but the castling right is lost.
    let pgn =
        "[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. Rb1 Kd8 2. Ra1 Ke8 3. Rb1 Kd8 4. Ra1 Ke8 *";
    let counts = operations("rc", pgn);
    assert_eq!(counts, ["1", "1", "1", "1", "1", "2", "2", "2", "2"].map(|n| format!("rc {n};")));
    // A capture on e3 is impossible, so the square does not count.
    let pgn = "1. e4 Nf6 2. Nf3 Ng8 3. Ng1 *";
    assert_eq!(operations("rc", pgn).last().unwrap(), "rc 2;");
    // Black could capture on e3, once.
    let pgn = "[FEN \"4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd8 2. Kd1 Ke8 3. Ke1 *";
    assert_eq!(operations("rc", pgn).last().unwrap(), "rc 1;");
}

#[test]
fn variations_count_with_the_line_that_they_leave() {
    let args = ["--variations", "--ops", "rc", "--registers", "off"];
    let pgn = "1. Nf3 Nf6 2. Ng1 Ng8 (2... Nh5 3. Nf3 Nf6 4. Ng1 Ng8) 3. Nf3 *";
    let outcome = program().args(args).stdin(pgn).run();
    let counts: Vec<&str> =
        outcome.lines().iter().map(|l| &l[l.rfind("rc ").unwrap() + 3..][..1]).collect();
    // The main line up to 2. Ng1, the variation of five plies, and the main line again.
    assert_eq!(counts, ["1", "1", "1", "1", "1", "1", "2", "2", "2", "2", "2"]);
}

#[test]
fn a_draw_is_claimed_with_the_last_move() {
    let claims = |pgn: &str| {
        let records = operations("draw_claim", pgn);
        records.iter().position(|ops| ops.contains("draw_claim")).map(|i| (i, records[i].clone()))
    };
    let claim = |i: usize, san: &str| Some((i, format!("draw_claim; sm {san};")));
    assert_eq!(claims(&format!("{KNIGHTS} Ng8 1/2-1/2")), claim(7, "Ng8"));
    assert_eq!(claims(&format!("[Result \"1/2-1/2\"]\n\n{KNIGHTS} Ng8\n")), claim(7, "Ng8"));
    // Two occurrences are not enough, and a game with a winner was not a draw.
    assert_eq!(claims(&format!("{KNIGHTS} 1/2-1/2")), None);
    assert_eq!(claims(&format!("{KNIGHTS} Ng8 1-0")), None);
    // The fiftieth move of each side.
    let fifty =
        |clock: u32| format!("[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - {clock} 90\"]\n\n1. Ra2 1/2-1/2");
    assert_eq!(claims(&fifty(99)), claim(0, "Ra2"));
    assert_eq!(claims(&fifty(98)), None);
    // The last pawn is captured.
    let pgn = "[FEN \"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1\"]\n\n1. Kxe2 1/2-1/2";
    assert_eq!(claims(pgn), claim(0, "Kxe2"));
}

#[test]
fn a_resignation_is_written_if_the_side_to_move_resigned() {
    let last = |pgn: &str| operations("resign", pgn).pop().unwrap();
    assert_eq!(last("1. e4 e5 {White resigns} 0-1"), "resign;");
    assert_eq!(last("[Termination \"Black won by resignation\"]\n\n1. e4 e5 0-1"), "resign;");
    assert_eq!(last("1. e4 e5 0-1"), "");
    assert_eq!(last("1. e4 e5 {White resigns} 1-0"), "");
    // It was the other side's move.
    assert_eq!(last("1. e4 {White resigns} 0-1"), "");
}
