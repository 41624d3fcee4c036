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

#[test]
fn drawn_positions_are_evaluated_as_zero() {
    let plan = Plan { ops: "ce".parse().unwrap(), ..Plan::default() };
    let cases = [
        // Insufficient material, and a stalemate.
        ("8/8/8/4k3/8/8/4p3/N3K3 w - - 0 1", "Kxe2 {[%eval #-2]}", "ce 0;"),
        ("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "Qc7 {[%eval 9.5]}", "ce 0;"),
        ("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "Qc2 {[%eval 9.5]}", "ce -950;"),
    ];
    for (fen, moves, expected) in cases {
        let operations = operations(&format!("[FEN \"{fen}\"]\n\n1. {moves} *"), &plan);
        assert_eq!(operations.last().unwrap(), expected, "{moves}");
    }
}

#[test]
fn nags_belong_to_the_position_after_their_move() {
    let game = "1. e4! $14 e5 {good} ?! +- $256 (1... c5 $5 2. Nf3!! (2. c3 $1)) 2. Nf3 $139 *";
    let variant = format!("[Variant \"King of the Hill\"]\n\n{game}");
    // pgn, whether variations are written, operations
    let main = ["", "Na \"$1 $14\";", "Na \"$6\";", "Na \"$139\";"];
    let cases = [
        (game, false, main.to_vec()),
        (&*variant, false, main.to_vec()),
        (
            game,
            true,
            vec![
                "",
                "Na \"$1 $14\";",
                "Na \"$5\";",
                "Na \"$1\";",
                "Na \"$3\";",
                "Na \"$6\";",
                "Na \"$139\";",
            ],
        ),
    ];
    for (pgn, variations, expected) in cases {
        let templates = vec!["Na={nags}".parse().unwrap()];
        let plan = Plan { variations, templates, ops: emit::Ops::NONE, ..Plan::default() };
        assert_eq!(operations(pgn, &plan), expected, "{pgn}");
    }
    // Suffixes and numbers of the moves of a game; everything else is counted as not written.
    let plan = Plan { templates: vec!["Na={nags}".parse().unwrap()], ..Plan::default() };
    let (counts, _) =
        Replay::new(Chunk::whole(game.as_bytes()), &plan).run(&mut Text::default().sink(&plan));
    assert_eq!(counts.annotations, 2);
}

/// PGN standard 8.2.3.8 and 10.
#[test]
fn the_six_suffixes_are_the_first_six_nags() {
    let templates = vec!["Na={nags}".parse().unwrap()];
    let plan = Plan { templates, ops: emit::Ops::NONE, ..Plan::default() };
    let expected: Vec<String> = (1..=6).map(|nag| format!("Na \"${nag}\";")).collect();
    for game in [
        "1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! *",
        "1. e4 ! e5 ? 2. Nf3 !! Nc6 ?? 3. Bb5 !? a6 ?! *",
    ] {
        assert_eq!(operations(game, &plan)[1..], expected, "{game}");
    }
}

#[test]
fn a_condition_selects_positions_by_the_nags_of_their_move() {
    let filter = Some("nags ~ \"$4\"".parse().unwrap());
    let plan = Plan { filter, ops: emit::Ops::NONE, ..Plan::default() };
    let mut text = Text::default();
    Replay::new(Chunk::whole(b"1. e4 e5?? 2. Qh5 $4 *"), &plan).run(&mut text.sink(&plan));
    assert_eq!(text.bytes.as_bytes().iter().filter(|byte| **byte == b'\n').count(), 2);
}
