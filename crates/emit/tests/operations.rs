//! Operations that depend on earlier positions: repetitions, draw claims, registers.

use emit::{LookAhead, Plan, Replay, Text};
use epd::RegisterStyle;
use pgn::Chunk;

/// Returns the operations of each record.
fn operations(pgn: &str, plan: &Plan) -> Vec<String> {
    let mut text = Text::default();
    let mut sink = LookAhead::new(text.sink(plan), plan);
    Replay::new(Chunk::whole(pgn.as_bytes()), plan).run(&mut sink);
    assert_eq!(text.problems, []);
    let records = std::str::from_utf8(text.bytes.as_bytes()).unwrap().lines();
    records.map(|record| record.splitn(5, ' ').nth(4).unwrap_or_default().to_owned()).collect()
}

#[test]
fn positions_of_a_variation_are_not_counted_as_repetitions_outside_of_it() {
    let plan = Plan { variations: true, ops: "rc".parse().unwrap(), ..Plan::default() };
    let game = "1. Nf3 Nf6 2. Ng1 Ng8 (2... Ng4 3. Nf3 Nf6 4. Ng1 Ng8) 3. Nf3 Nf6 *";
    let counts = operations(game, &plan);
    let counts: Vec<&str> = counts
        .iter()
        .map(|record| record.split("rc ").nth(1).unwrap().split(';').next().unwrap())
        .collect();
    // A variation is written before the move that it replaces.
    let (before, variation, after) = (["1"; 4], ["1", "1", "2", "2", "2"], ["2"; 3]);
    assert_eq!(counts, [&before[..], &variation, &after].concat());
}

#[test]
fn a_draw_is_claimed_from_the_hundredth_ply_without_capture_or_pawn_move() {
    let plan = Plan { ops: "draw_claim".parse().unwrap(), ..Plan::default() };
    let claims = |clock: u32, result: &str| -> Vec<bool> {
        let start = format!("4k3/8/8/8/8/8/R7/4K3 w - - {} 80", clock - 2);
        let tags = format!("[SetUp \"1\"]\n[FEN \"{start}\"]\n[Result \"{result}\"]\n\n");
        let records = operations(&format!("{tags}80. Kd1 Kd8 {result}\n"), &plan);
        records.iter().map(|record| record.contains("draw_claim")).collect()
    };
    // The claim belongs to the last move, which results in a clock of 100 or more.
    for (clock, is_claimed) in [(99, false), (100, true), (101, true)] {
        assert_eq!(claims(clock, "1/2-1/2"), [false, is_claimed, false], "{clock}");
        assert_eq!(claims(clock, "1-0"), [false; 3], "{clock}");
    }
}

#[test]
fn registers_in_full_have_no_null_where_a_register_of_lower_rank_is_repeated() {
    let registers = RegisterStyle::Full;
    let plan = Plan { registers, ops: "c".parse().unwrap(), ..Plan::default() };
    let records =
        operations("[White \"A\"]\n[Black \"B\"]\n\n1. e4 {a comment} e5 2. Nf3 *\n", &plan);
    let has_comment = |record: &String| record.contains(" c1 \"a comment\";");
    let commented: Vec<bool> = records.iter().map(has_comment).collect();
    assert_eq!(commented, [false, true, false, false], "{records:?}");
    for record in &records {
        assert!(record.starts_with("c0 \"") && !record.contains("c1;"), "{record}");
    }
}
