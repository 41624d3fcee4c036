//! Operations that depend on earlier positions: repetitions, draw claims, registers.

use emit::Plan;
use epd::RegisterStyle;
use testkit::rng::Rng;
use testkit::tree::Tree;

use crate::support::{self, lines, replay, run};

/// Returns the operations of each record.
fn operations(pgn: &str, plan: &Plan) -> Vec<String> {
    let text = replay(pgn, plan);
    assert_eq!(text.problems, []);
    support::operations(&text).into_iter().map(str::to_owned).collect()
}

#[test]
fn repetitions_are_counted_in_the_line_that_leads_to_the_position() {
    let mut rng = Rng::new(12);
    let (mut repeated, mut claimed) = (0, 0);
    for _ in 0..1500 {
        let tree = Tree::new(&mut |bound| rng.below(bound));
        let result = rng.pick(&["1/2-1/2", "1-0"]);
        let pgn = format!("{} {result}\n", tree.pgn);
        let counts = tree.repetitions();
        let plan =
            Plan { variations: true, ops: "rc,draw_claim".parse().unwrap(), ..Plan::default() };
        // A draw is claimed with the last move of the main line.
        let main: Vec<usize> = (0..counts.len()).filter(|at| tree.is_main[*at]).collect();
        let claims = |at: usize| {
            let is_drawn = result.starts_with("1/2") && counts[main[main.len() - 1]] >= 3;
            is_drawn && at == main[main.len() - 2]
        };
        let record = |(at, count)| match claims(at) {
            true => format!("draw_claim; rc {count};"),
            false => format!("rc {count};"),
        };
        let expected: Vec<String> = counts.iter().enumerate().map(record).collect();
        let found: Vec<String> = operations(&pgn, &plan)
            .iter()
            .map(|record| {
                record
                    .split_inclusive(';')
                    .map(str::trim)
                    .filter(|one| one.starts_with("rc") || *one == "draw_claim;")
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect();
        assert_eq!(found, expected, "{pgn}");
        repeated += counts.iter().filter(|count| **count > 1).count();
        claimed += (0..counts.len()).filter(|at| claims(*at)).count();
        for count in 1..=3 {
            let filter = format!("repetition = {count}").parse().unwrap();
            let plan = Plan { filter: Some(filter), ..plan.clone() };
            let expected = counts.iter().filter(|of| **of == count).count();
            assert_eq!(operations(&pgn, &plan).len(), expected, "{count}: {pgn}");
        }
    }
    assert!(repeated > 5000 && claimed > 20, "{repeated} {claimed}");
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
    let main = ["", "Na \"$1 $14\";", "Na \"$6 $18\";", "Na \"$139\";"];
    let cases = [
        (game, false, main.to_vec()),
        (&*variant, false, main.to_vec()),
        (
            game,
            true,
            [&main[..2], &["Na \"$5\";", "Na \"$1\";", "Na \"$3\";"], &main[2..]].concat(),
        ),
    ];
    for (pgn, variations, expected) in cases {
        let templates = vec!["Na={nags}".parse().unwrap()];
        let plan = Plan { variations, templates, ops: emit::Ops::NONE, ..Plan::default() };
        assert_eq!(operations(pgn, &plan), expected, "{pgn}");
    }
    // Suffixes, signs and numbers of the moves of a game; everything else is counted as not written.
    let plan = Plan { templates: vec!["Na={nags}".parse().unwrap()], ..Plan::default() };
    assert_eq!(run(game, &plan).1.annotations, 1);
}

#[test]
fn a_condition_selects_positions_by_the_nags_of_their_move() {
    let filter = Some("nags ~ \"$4\"".parse().unwrap());
    let plan = Plan { filter, ops: emit::Ops::NONE, ..Plan::default() };
    assert_eq!(operations("1. e4 e5?? 2. Qh5 $4 *", &plan).len(), 2);
}

#[test]
fn a_resignation_belongs_to_the_last_position_if_the_loser_is_to_move() {
    let plan = Plan { variations: true, ops: "resign".parse().unwrap(), ..Plan::default() };
    let by_tag = "[Termination \"Black resigned\"]\n\n";
    let details = "[TerminationDetails \"Won by resignation\"]\n\n";
    // Tags, movetext, number of records, and whether the last one has the operation.
    let cases = [
        (by_tag, "1. e4 e5 2. Qh5 1-0", 4, true),
        (details, "1. e4 e5 2. Qh5 1-0", 4, true),
        (details, "1. e4 e5 0-1", 3, true),
        ("", "1. e4 e5 2. Qh5 1-0", 4, false),
        // White is to move, or the game was not lost.
        (by_tag, "1. e4 e5 1-0", 3, false),
        (by_tag, "1. e4 e5 2. Qh5 1/2-1/2", 4, false),
        (by_tag, "1. e4 e5 2. Qh5 *", 4, false),
        // The tag takes precedence over the movetext.
        ("[Result \"0-1\"]\n[Termination \"resigned\"]\n\n", "1. e4 e5 2. Qh5 1-0", 4, false),
        ("", "1. e4 e5 2. Qh5 {Black resigns} 1-0", 4, true),
        ("", "1. e4 {Black resigns} e5 2. Qh5 1-0", 4, false),
        ("", "1. e4 e5 {White resigned} 0-1", 3, true),
        // The end of a variation is not the end of the game.
        (by_tag, "1. e4 e5 (1... c5 2. d4) 2. Qh5 1-0", 6, true),
    ];
    for (tags, moves, records, resigns) in cases {
        let pgn = format!("{tags}{moves}\n");
        let mut expected = vec![""; records];
        expected[records - 1] = if resigns { "resign;" } else { "" };
        assert_eq!(operations(&pgn, &plan), expected, "{pgn}");
        let none = Plan { ops: "draw_claim".parse().unwrap(), ..plan.clone() };
        assert_eq!(operations(&pgn, &none), vec![""; records], "{pgn}");
    }
}

#[test]
fn a_draw_is_claimed_with_the_move_that_repeats_the_position_a_second_time() {
    let plan = Plan { ops: "draw_claim".parse().unwrap(), ..Plan::default() };
    let cases = [
        ("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 1/2-1/2", true),
        ("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 1/2-1/2", false),
        ("Nf3 Nf6 Ng1 Ng8 1/2-1/2", false),
        ("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 1-0", false),
        ("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 *", false),
        // Another move follows the third occurrence.
        ("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4 1/2-1/2", false),
    ];
    for (moves, is_claimed) in cases {
        let found = operations(&format!("1. {moves}\n"), &plan);
        let mut expected = vec![""; found.len()];
        if is_claimed {
            expected[found.len() - 2] = "draw_claim; sm Ng8;";
        }
        assert_eq!(found, expected, "{moves}");
        // Positions that are not written are counted too.
        let select = emit::Select { first: found.len() as u32 - 2, ..Default::default() };
        let last = operations(&format!("1. {moves}\n"), &Plan { select, ..plan.clone() });
        assert_eq!(last, expected[found.len() - 2..], "{moves}");
    }
    let insufficient = "[FEN \"8/8/8/4k3/8/8/4p3/N3K3 w - - 0 1\"]\n\n1. Kxe2 1/2-1/2\n";
    assert_eq!(operations(insufficient, &plan), ["draw_claim; sm Kxe2;", ""]);
}

#[test]
fn repetitions_count_positions_that_are_not_written() {
    let game = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *";
    let variant = format!("[Variant \"Atomic\"]\n\n{game}");
    for pgn in [game, &variant] {
        let plan = Plan { ops: "rc".parse().unwrap(), ..Plan::default() };
        let counts = ["1", "1", "1", "1", "2", "2", "2", "2", "3"];
        let expected = counts.map(|count| format!("rc {count};"));
        // The fields of this variant are those of chess.
        assert_eq!(operations(pgn, &plan), expected, "{pgn}");
        let select = emit::Select { first: 6, ..Default::default() };
        assert_eq!(operations(pgn, &Plan { select, ..plan.clone() }), expected[6..], "{pgn}");
        let filter = Some("ply > 6".parse().unwrap());
        assert_eq!(operations(pgn, &Plan { filter, ..plan }), expected[7..], "{pgn}");
    }
}

#[test]
fn an_engines_line_ends_before_a_move_that_is_not_legal_and_is_counted() {
    // The line as written, as an operation, and whether it is cut.
    let cases = [
        ("e4 e5 Nf3", "pv e4 e5 Nf3;", 0),
        ("e2e4 e7e5 g1f3", "pv e4 e5 Nf3;", 0),
        ("1. e4 e5 2. Nf3", "pv e4 e5 Nf3;", 0),
        ("e4 e4 e5", "pv e4;", 1),
        ("e5", "", 1),
        ("", "", 0),
    ];
    for (line, pv, cut_lines) in cases {
        let game = format!("1. e4 {{+0.30/12 1s, n=4321, pv=\"{line}\"}} e5 {{+0.2/3 1s}} *");
        for (ops, expected, cut_lines) in [
            ("pv", pv.to_owned(), cut_lines),
            ("acn,pv", format!("acn 4321; {pv}").trim_end().to_owned(), cut_lines),
            ("acn", "acn 4321;".to_owned(), 0),
        ] {
            let plan = Plan { ops: ops.parse().unwrap(), ..Plan::default() };
            assert_eq!(operations(&game, &plan), [&*expected, "", ""], "{ops} {line}");
            let losses = replay(&game, &plan).losses();
            assert_eq!(losses, emit::Losses { cut_lines, ..Default::default() }, "{line}");
        }
    }
    // Numbers of nodes from a comment of TCEC.
    let plan = Plan { ops: "acd,acn,acs,ce,pv".parse().unwrap(), ..Plan::default() };
    let game = "1. e4 e5 {d=9, mt=2600, n=77, pv=e5 Nf3, wv=0.25,} *";
    let expected = ["", "acd 9; acn 77; acs 3; ce -25; pv e5 Nf3;", ""];
    assert_eq!(operations(game, &plan), expected);
}

#[test]
fn texts_of_tags_that_records_change_are_counted() {
    let title = |len: usize| format!("[Event \"{}\"]\n\n*\n", "x".repeat(len));
    let names = |names: &str| format!("{names}\n*\n");
    let long = "x".repeat(256);
    // Operations, source of the names, game, altered, shortened.
    let cases = [
        ("c", "off", title(255), 0, 0),
        ("c", "off", title(256), 0, 1),
        ("c", "off", title(400), 0, 1),
        ("eco", "off", title(256), 0, 0),
        ("c", "off", "[White \"a \\\"b\\\"\"]\n\n*\n".to_owned(), 1, 0),
        ("eco,nic,v", "tags", names("[ECO \"B90\"]\n[NIC \"SI 8\"]\n[Opening \"a\"]\n"), 0, 0),
        ("eco,nic,v", "tags", names("[ECO \"\\\"\"]\n"), 1, 0),
        ("eco,nic,v", "tags", names("[ECO \"\\\"\"]\n[NIC \"\\\"\"]\n"), 2, 0),
        ("eco", "tags", names("[ECO \"\\\"\"]\n[NIC \"\\\"\"]\n"), 1, 0),
        ("nic", "tags", names("[ECO \"\\\"\"]\n[NIC \"a\"]\n"), 0, 0),
        ("eco,nic,v", "tags", names(&format!("[ECO \"{}\"]\n", &long[1..])), 0, 0),
        ("eco,nic,v", "tags", names(&format!("[ECO \"{long}\"]\n")), 0, 1),
        ("eco,nic,v", "tags", names(&format!("[ECO \"{long}\"]\n[NIC \"{long}\"]\n")), 0, 2),
        // The tags do not name the opening.
        ("eco,nic,v", "embedded", names(&format!("[ECO \"{long}\\\"\"]\n")), 0, 0),
        ("eco,nic,v", "off", names(&format!("[ECO \"{long}\\\"\"]\n")), 0, 0),
    ];
    for (ops, names, game, altered, shortened) in cases {
        let names = match names {
            "tags" => openings::NameSource::Tags,
            "embedded" => openings::NameSource::Embedded,
            _ => openings::NameSource::Off,
        };
        let plan = Plan { ops: ops.parse().unwrap(), names, ..Plan::default() };
        let mut text = replay(&game, &plan);
        let losses = text.losses();
        assert_eq!((losses.altered, losses.shortened), (altered, shortened), "{ops} {game}");
        text.clear();
        assert_eq!(text.losses(), emit::Losses::default());
        assert_eq!((text.counts.positions, text.bytes.len()), (0, 0));
    }
}

#[test]
fn the_place_of_a_variation_fits_into_a_string_or_is_shortened_and_counted() {
    let plan = Plan { variations: true, ops: "Rav".parse().unwrap(), ..Plan::default() };
    // Each level takes five bytes with its space, or six.
    for (longer, expected, shortened) in [(0, 254, 0), (1, 255, 0), (2, 251, 1), (3, 252, 1)] {
        let levels = [vec!["(1. Nf3 "; longer], vec!["(1. d4 "; 51 - longer]].concat();
        let game = format!("1. e4 {}{} *", levels.concat(), ")".repeat(51));
        let text = replay(game, &plan);
        let places =
            lines(&text).into_iter().filter_map(|line| line.split('"').nth(1)).map(str::len);
        assert_eq!(places.max(), Some(expected), "{longer}");
        assert_eq!(text.losses().shortened, shortened, "{longer}");
        assert_eq!(text.losses().altered, 0);
    }
}
