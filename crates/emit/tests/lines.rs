//! Variations, and games of variants: which positions are passed on, and with what.

use emit::{GameList, GameSink, LookAhead, Op, Ops, Plan, Reason, Replay, Select, Text};
use pgn::Chunk;

/// Returns the moves played from the positions that are written, with comments and place, and the problems.
fn moves(pgn: &str, plan: &Plan) -> (Vec<String>, Vec<Reason>, u64) {
    let mut text = Text::default();
    let mut sink = LookAhead::new(text.sink(plan), plan);
    let (counts, _) = Replay::new(Chunk::whole(pgn.as_bytes()), plan).run(&mut sink);
    let reasons = text.problems.iter().map(|problem| problem.reason.clone()).collect();
    let records = std::str::from_utf8(text.bytes.as_bytes()).unwrap().lines();
    // Variants may have a fifth field.
    let operations = |line: &str| match line.find("My ") {
        Some(at) => line[at + 3..].trim_matches(['"', ';']).to_owned(),
        None => String::new(),
    };
    (records.map(operations).collect(), reasons, counts.variations)
}

fn plan(template: &str) -> Plan {
    let templates = vec![format!("My={template}").parse().unwrap()];
    Plan { templates, ops: Ops::NONE, ..Plan::default() }
}

#[test]
fn a_variation_is_passed_on_before_the_move_that_it_replaces() {
    let plan = Plan { variations: true, ..plan("{ply} {san|-}") };
    let cases: &[(&str, &[&str])] = &[
        ("1. e4 e5 *", &["0 e4", "1 e5", "2 -"]),
        ("1. e4 (1. d4 d5) e5 *", &["0 e4", "1 d5", "2 -", "1 e5", "2 -"]),
        // Before the first move, and after the last.
        ("(1. d4) 1. e4 *", &["1 -", "0 e4", "1 -"]),
        ("1. e4 e5 (1... c5) *", &["0 e4", "1 e5", "2 -", "2 -"]),
        // Alternatives to one move, and one in another.
        ("1. e4 (1. d4) (1. c4) e5 *", &["0 e4", "1 -", "1 -", "1 e5", "2 -"]),
        ("1. e4 (1. d4 (1. c4) d5) *", &["0 e4", "1 -", "1 d5", "2 -", "1 -"]),
        // Without a move, and not closed.
        ("1. e4 () ( {x} ) e5 *", &["0 e4", "1 e5", "2 -"]),
        ("1. e4 (1. d4", &["0 e4", "1 -", "1 -"]),
        // After an illegal move the rest of the variation is skipped.
        ("1. e4 (1. e5 d5 (1... c5)) e5 *", &["0 e4", "1 e5", "2 -"]),
        ("1. e4 (1. d4 e4 2. c4) e5 *", &["0 e4", "1 -", "1 e5", "2 -"]),
    ];
    for (game, expected) in cases {
        let (found, ..) = moves(game, &plan);
        assert_eq!(found, *expected, "{game}");
    }
}

#[test]
fn variations_that_are_not_played_are_counted_without_those_inside_them() {
    let games = [
        ("1. e4 e5 *", 0),
        ("1. e4 (1. d4 (1. c4) (1. b4)) e5 (1... c5) *", 2),
        ("[Variant \"Atomic\"]\n\n1. e4 (1. d4 (1. c4)) e5 (1... c5) *", 2),
    ];
    for (game, count) in games {
        assert_eq!(moves(game, &plan("{ply}")).2, count, "{game}");
    }
    let played = Plan { variations: true, ..plan("{ply}") };
    assert_eq!(moves(games[1].0, &played).2, 0);
    // Those of variants are not supported, which is reported once.
    let (_, reasons, count) = moves(games[2].0, &played);
    assert_eq!((reasons, count), (vec![Reason::VariationOfVariant], 2));
}

#[test]
fn variations_are_played_up_to_a_hundred_levels() {
    for (levels, played) in [(1, 1), (99, 99), (100, 100), (101, 100), (150, 100)] {
        let game = format!("1. e4 {}{} e5 *", "(1. d4 ".repeat(levels), ")".repeat(levels));
        let plan = Plan { variations: true, ..plan("{san|-}") };
        let (found, reasons, _) = moves(&game, &plan);
        assert_eq!(found.len(), 3 + played, "{levels}");
        let expected = vec![Reason::TooDeep { limit: 100 }; usize::from(levels > 100)];
        assert_eq!(reasons, expected, "{levels}");
    }
}

#[test]
fn a_game_is_bad_if_its_main_line_has_an_error() {
    // The game, and the number of bad games, also if departures from the standard are errors.
    let cases = [
        ("1. e4 e5 *", 0, 0),
        ("1. e4 e4 *", 1, 1),
        ("1. e4 (1. d4 d4) e5 *", 0, 0),
        ("1. e4 ) e5 *", 0, 1),
        ("junk\n1. e4 e5 *", 0, 0),
        ("1. e4 {x", 1, 1),
    ];
    for (game, bad, strictly_bad) in cases {
        for (strict, bad) in [(false, bad), (true, strictly_bad)] {
            let plan = Plan { variations: true, strict, ..plan("{ply}") };
            let mut text = Text::default();
            let replay = Replay::new(Chunk::whole(game.as_bytes()), &plan);
            let (counts, _) = replay.run(&mut text.sink(&plan));
            assert_eq!((counts.games, counts.bad_games), (1, bad), "{game} strict: {strict}");
        }
    }
}

#[test]
fn the_language_of_a_game_is_the_one_in_which_its_moves_are_legal() {
    let plan = Plan { language: None, ..plan("{san|-}") };
    let cases = [
        ("1. e4 e5 2. Nf3 Nc6", "Nf3 Nc6"),
        ("1. e4 e5 2. Sf3 Sc6", "Nf3 Nc6"),
        ("1. e4 e5 2. Cf3 Fc5", "Nf3 Bc5"),
        ("1. e4 e5 2. Sf3 (2. d4) Lc5", "Nf3 Bc5"),
    ];
    for (game, expected) in cases {
        let (found, reasons, _) = moves(game, &plan);
        assert_eq!((found[2..4].join(" "), reasons), (expected.to_owned(), vec![]), "{game}");
    }
    // S is a knight in German and a bishop in Czech.
    let (_, reasons, _) = moves("1. e4 e5 2. Se2 *", &plan);
    assert!(matches!(reasons[0], Reason::Language { .. }), "{reasons:?}");
    let (_, reasons, _) = moves("1. e4 e5 2. Xe2 *", &plan);
    assert!(matches!(reasons[..], [Reason::Move(_) | Reason::UnknownToken]), "{reasons:?}");
}

#[test]
fn games_of_variants_are_played_by_their_rules() {
    let plan = plan("{ply} {san|-} {nags|-}");
    let tags = "[Variant \"Atomic\"]\n\n";
    let cases: &[(&str, &[&str])] = &[
        ("*", &["0 - -"]),
        ("1. Nf3! Nc6 $4 *", &["0 Nf3 -", "1 Nc6 $1", "2 - $4"]),
        ("1. Nf3 +- (1. d4) Nc6 N *", &["0 Nf3 -", "1 Nc6 -", "2 - -"]),
        ("1. Nf3 N Nc6 *", &["0 Nf3 -", "1 Nc6 -", "2 - -"]),
        // The game ends at an error.
        ("1. Nf3 hello Nc6 *", &["0 Nf3 -", "1 - -"]),
        ("1. Nf3 Nf3 Nc6 *", &["0 Nf3 -", "1 - -"]),
        ("1. N f3 Nc6 *", &["0 - -"]),
    ];
    for (game, expected) in cases {
        let (found, reasons, _) = moves(&format!("{tags}{game}"), &plan);
        assert_eq!(found, *expected, "{game}");
        let last = expected.last().unwrap();
        let is_whole = expected.len() == 3 || *game == "*";
        assert_eq!(reasons.is_empty(), is_whole, "{game} {last} {reasons:?}");
    }
}

#[test]
fn positions_of_variants_are_selected_as_those_of_chess() {
    let game = "1. Nf3 {[%eval 0.5]} Nc6 {[%eval 0.1]} 2. Nc3 {[%eval 0.7]} Nf6 *";
    let select = |first, last, only_final| Select { first, last, only_final };
    let every = Select::default();
    let cases = [
        (None, every, vec!["0", "1", "2", "3", "4"]),
        (None, select(1, 3, false), vec!["1", "2", "3"]),
        (None, select(0, 9, true), vec!["4"]),
        (Some("ply > 1"), every, vec!["2", "3", "4"]),
        (Some("ply > 1"), select(0, 3, false), vec!["2", "3"]),
        (Some("plies = 4 and turn = b"), every, vec!["1", "3"]),
        (Some("plies = 3"), every, vec![]),
        // Evaluations are known only at the end of the game.
        (Some("eval < -20"), every, vec!["1", "3"]),
        (Some("eval < -20"), select(2, 9, false), vec!["3"]),
        (Some("eval < -20 and plies = 4 and line = 1"), every, vec!["1", "3"]),
        (Some("eval < -20 and plies = 5"), every, vec![]),
        (Some("eval"), every, vec!["1", "2", "3"]),
    ];
    for (filter, select, expected) in cases {
        let filter = filter.map(|filter| filter.parse().unwrap());
        let plan = Plan { filter, select, ..plan("{ply}") };
        assert_eq!(moves(game, &plan).0, expected, "{:?}", plan.filter);
        let variant = format!("[Variant \"Atomic\"] {game}");
        assert_eq!(moves(&variant, &plan).0, expected, "Atomic: {:?}", plan.filter);
    }
}

#[test]
fn the_positions_of_a_variant_have_its_fields() {
    let cases = [
        (
            "Crazyhouse",
            "1. e4 d5 2. exd5 *",
            "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR[P] b KQkq -",
        ),
        (
            "Three-check",
            "1. e4 f5 2. Qh5+ *",
            "rnbqkbnr/ppppp1pp/8/5p1Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 2+3",
        ),
        ("King of the Hill", "1. e4 *", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3"),
    ];
    for (variant, game, expected) in cases {
        let plan = Plan { ops: Ops::NONE, ..Plan::default() };
        let pgn = format!("[Variant \"{variant}\"]\n\n{game}");
        let mut text = Text::default();
        Replay::new(Chunk::whole(pgn.as_bytes()), &plan).run(&mut text.sink(&plan));
        let records = std::str::from_utf8(text.bytes.as_bytes()).unwrap();
        assert_eq!(records.lines().last(), Some(expected), "{variant}");
    }
}

#[test]
fn a_sink_without_variants_gets_an_error_in_place_of_the_game() {
    let facts = [emit::Fact::Line].into_iter().collect();
    let plan = Plan { facts, ops: Ops::of(&[Op::Sm]), ..Plan::default() };
    let pgn = "[Variant \"Atomic\"]\n\n1. e4 *\n\n1. d4 *\n";
    let mut list = GameList::default();
    let mut sink = GameSink::new(&mut list, &plan, 0);
    let (counts, _) = Replay::new(Chunk::whole(pgn.as_bytes()), &plan).run(&mut sink);
    sink.finish(&counts);
    let found: Vec<_> = list
        .games
        .iter()
        .map(|game| (game.number, game.moves().count(), game.problems.len()))
        .collect();
    assert_eq!(found, [(1, 0, 1), (2, 1, 0)]);
    assert_eq!(list.games[0].problems[0].reason, Reason::VariantHere);
    assert_eq!(counts.bad_games, 1);
}
