//! Variations, and games of variants: which positions are passed on, and with what.

use emit::{GameList, GameSink, Op, Ops, Plan, Reason, Replay, Select, Text};
use pgn::Chunk;

use crate::support::{lines, replay, run};

/// Returns the moves played from the positions that are written, with comments and place, and the
/// problems.
fn moves(pgn: &str, plan: &Plan) -> (Vec<String>, Vec<Reason>, u64) {
    let (text, counts) = run(pgn, plan);
    let reasons = text.problems.iter().map(|problem| problem.reason.clone()).collect();
    let records = lines(&text).into_iter();
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
            let (_, counts) = run(game, &plan);
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
        ("1. Nf3 +- (1. d4) Nc6 N *", &["0 Nf3 -", "1 Nc6 $18", "2 - $146"]),
        ("1. Nf3 N Nc6 *", &["0 Nf3 -", "1 Nc6 $146", "2 - -"]),
        // The game ends at an error.
        ("1. Nf3 hello Nc6 *", &["0 Nf3 -", "1 - -"]),
        ("1. Nf3 Nf3 Nc6 *", &["0 Nf3 -", "1 - -"]),
        ("1. N f3 Nc6 *", &["0 - -"]),
        // Before the first move, a letter alone does not annotate a move.
        ("N e4 e5 *", &["0 - -"]),
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
    let select = |first, last, only_final| Select { first, last, only_final, ..Select::default() };
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
        ("Crazyhouse", "e4 d5 exd5 *", "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR[P] b KQkq -"),
        (
            "Three-check",
            "e3 f5 Qh5+ *",
            "rnbqkbnr/ppppp1pp/8/5p1Q/8/4P3/PPPP1PPP/RNB1KBNR b KQkq - 2+3",
        ),
        ("King of the Hill", "1. e4 *", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3"),
    ];
    for (variant, game, expected) in cases {
        let plan = Plan { ops: Ops::NONE, ..Plan::default() };
        let pgn = format!("[Variant \"{variant}\"]\n\n{game}");
        let text = replay(pgn, &plan);
        assert_eq!(*lines(&text).last().unwrap(), expected, "{variant}");
    }
}

#[test]
fn a_sink_without_variants_gets_an_error_in_place_of_the_game() {
    let facts = [emit::Fact::Line].into_iter().collect();
    let plan = Plan { facts, ops: Ops::of(&[Op::Sm]), ..Plan::default() };
    let pgn = "[Variant \"Atomic\"]\n\n1. e4 *\n\n1. d4 *\n";
    let (mut list, mut text) = (GameList::default(), Text::default());
    let mut sink = GameSink::new(&mut list, &mut text, &plan);
    let (counts, _) = Replay::new(Chunk::whole(pgn.as_bytes()), &plan).run(&mut sink);
    sink.finish(&counts);
    assert_eq!(counts.bad_games, 1);
    let found: Vec<_> = list
        .games
        .iter()
        .map(|game| (game.number, game.moves().count(), game.problems.len()))
        .collect();
    assert_eq!(found, [(1, 0, 1), (2, 1, 0)]);
    assert_eq!(list.games[0].problems[0].reason, Reason::VariantHere);
}

#[test]
fn null_moves_are_played_only_on_request_and_not_in_check() {
    // Movetext, the moves that are played, and the number of problems.
    let cases: &[(&str, &[&str], usize)] = &[
        ("1. e4 -- 2. d4 *", &["0 e4", "1 -", "2 d4", "3 -"], 0),
        ("1. e4 -- 2. -- e5 *", &["0 e4", "1 -", "2 -", "3 e5", "4 -"], 0),
        ("1. e4 -- (1... e5 2. f4) 2. d4 *", &["0 e4", "1 -", "2 f4", "3 -", "2 d4", "3 -"], 0),
        ("1. e4 (1. d4 -- 2. c4) e5 *", &["0 e4", "1 -", "2 c4", "3 -", "1 e5", "2 -"], 0),
        ("1. e4 (1. --) e5 *", &["0 e4", "1 -", "1 e5", "2 -"], 0),
        ("1. e4 e5 (1... -- 2. d4) 2. c4 *", &["0 e4", "1 e5", "2 d4", "3 -", "2 c4", "3 -"], 0),
        ("1. e4 (1. d4 d5 (1... -- 2. c4)) *", &["0 e4", "1 d5", "2 c4", "3 -", "2 -", "1 -"], 0),
        ("1. e4 f5 2. Qh5+ -- *", &["0 e4", "1 f5", "2 Qh5+", "3 -"], 1),
    ];
    for (game, expected, problems) in cases {
        let plan = Plan { variations: true, null_moves: true, ..plan("{ply} {san|-}") };
        let (found, reasons, _) = moves(game, &plan);
        assert_eq!(found, *expected, "{game}");
        assert_eq!(reasons.len(), *problems, "{game} {reasons:?}");
        let (_, reasons, _) = moves(game, &Plan { null_moves: false, ..plan });
        assert!(!reasons.is_empty(), "{game}");
    }
    // Detection of the language plays them too.
    let plan = Plan { language: None, null_moves: true, ..plan("{san|-}") };
    let (found, reasons, _) = moves("1. e4 -- 2. Sf3 *", &plan);
    assert_eq!((found.join(" "), reasons), ("e4 - Nf3 -".to_owned(), vec![]));
    let plan = Plan { null_moves: false, ..plan };
    assert_eq!(moves("1. Sf3 -- *", &plan).0.join(" "), "-");
}

#[test]
fn a_game_is_played_up_to_its_last_wanted_ply() {
    let games = [
        "1. e4 e5 2. Nf3 Nc6 *",
        "1. e4 {a} e5 {b} 2. Nf3 {c} Nc6 {d} *",
        "1. e4 {[%clk 0:01]} e5 {[%clk 0:01]} 2. Nf3 {[%clk 0:01]} Nc6 {[%clk 0:01]} *",
        "1. e4 $1 e5 $2 2. Nf3 $3 Nc6 $4 *",
    ];
    for game in games {
        for raw_comments in [false, true] {
            for (last_played, expected) in [(0, "0 1"), (1, "0 1 2"), (3, "0 1 2 3 4")] {
                let select = Select { last: last_played, ..Select::default() };
                let plan = Plan { raw_comments, last_played, ..plan("{ply}") };
                assert_eq!(moves(game, &plan).0.join(" "), expected, "{game}");
                let expected = &expected[..2 * last_played as usize + 1];
                assert_eq!(moves(game, &Plan { select, ..plan }).0.join(" "), expected, "{game}");
            }
        }
    }
}

#[test]
fn digits_attached_to_a_move_are_the_number_of_the_fen_or_count_from_one() {
    let tags = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 10\"]\n\n";
    // Movetext, and the number of moves played before the error, if there is one.
    let cases = [
        ("10Kd1 Kd8 11Ke1 Ke8 *", None),
        ("1Kd1 Kd8 2Ke1 Ke8 *", None),
        ("1Kd1 Kd8 2Ke1 Ke8 3Kd1 *", None),
        ("2Kd1 *", Some(0)),
        ("9Kd1 *", Some(0)),
        ("10Kd1 Kd8 2Ke1 Ke8 12Kd1 *", None),
        ("10Kd1 Kd8 1Ke1 *", Some(2)),
        ("10Kd1 Kd8 3Ke1 *", Some(2)),
        ("10Kd1 Kd8 12Ke1 *", Some(2)),
    ];
    for (game, played) in cases {
        let (found, reasons, _) = moves(&format!("{tags}{game}"), &plan("{san|-}"));
        let words = game.split(' ').count() - 1;
        assert_eq!(found.len() - 1, played.unwrap_or(words), "{game}");
        let expected = vec![Reason::NumberDiffers; usize::from(played.is_some())];
        assert_eq!(reasons, expected, "{game}");
    }
}

/// Ply, depth, plies that follow, comments on the position, comments on the next move.
type PlyInLine = (u32, usize, u32, Vec<String>, Vec<String>);

/// What a sink receives of a position that depends on its line.
#[derive(Default)]
struct Lines(Vec<PlyInLine>);

impl emit::Sink for Lines {
    fn begin(&mut self, _: &emit::GameContext<'_>) {}

    fn ply(&mut self, ply: emit::Ply<'_>, game: &emit::GameContext<'_>) {
        let ahead = ply.ahead.unwrap();
        assert_eq!(game.result(), Some(pgn::Outcome::Draw));
        let texts = |comments: &[&[u8]]| -> Vec<String> {
            comments.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect()
        };
        let (on, next) = (texts(ply.comments), texts(ahead.comments));
        self.0.push((ply.number, ply.branches.len(), ahead.plies.unwrap(), on, next));
    }

    fn end(&mut self, _: &emit::GameContext<'_>) {}

    fn discard_game(&mut self) {}

    fn problem(&mut self, problem: emit::Problem) {
        panic!("{problem}");
    }
}

#[test]
fn a_position_comes_with_the_rest_of_its_own_line() {
    let facts = emit::FactSet::from_iter([emit::Fact::Eval]);
    let plan = Plan { variations: true, raw_comments: true, facts, ..Plan::default() };
    let game =
        "1. e4 {a} (1. d4 {b} d5 {c} (1... c5 {d} 2. d5 {e}) 2. c4 {f}) e5 {g} {h} 2. Nf3 1/2-1/2";
    let mut sink = Lines::default();
    Replay::new(Chunk::whole(format!("{game}\n\n{game}").as_bytes()), &plan).run(&mut sink);
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let expected: Vec<PlyInLine> = [
        (0, 0, 3, texts(&[]), texts(&["a"])),
        (1, 1, 2, texts(&["b"]), texts(&["c"])),
        (2, 2, 1, texts(&["d"]), texts(&["e"])),
        (3, 2, 0, texts(&["e"]), texts(&[])),
        (2, 1, 1, texts(&["c"]), texts(&["f"])),
        (3, 1, 0, texts(&["f"]), texts(&[])),
        (1, 0, 2, texts(&["a"]), texts(&["g", "h"])),
        (2, 0, 1, texts(&["g", "h"]), texts(&[])),
        (3, 0, 0, texts(&[]), texts(&[])),
    ]
    .into();
    assert_eq!(sink.0, [&expected[..], &expected].concat());
}

#[test]
fn the_filter_that_needs_comments_sees_each_game_anew() {
    let bad = "[White \"A\"]\n\n1. e4 {[%eval 0.5]} e4 *\n\n";
    let good = "[White \"B\"]\n\n1. d4 {[%eval 0.5]} d5 *\n\n";
    let filter = Some("eval < 0 and White = 'B'".parse().unwrap());
    let plan = Plan { filter, on_error: emit::OnError::Skip, ..plan("{White} {ply}") };
    for (games, expected) in [
        ([bad, good, good].concat(), vec!["B 1", "B 1"]),
        ([good, bad].concat(), vec!["B 1"]),
        (good.replace("\"B\"", "\"C\""), vec![]),
    ] {
        assert_eq!(moves(&games, &plan).0, expected, "{games}");
    }
    let either = Some("eval < 0 or White = 'B'".parse().unwrap());
    let plan = Plan { filter: either, ..plan };
    let other = good.replace("\"B\"", "\"C\"");
    assert_eq!(moves(&[good, &other].concat(), &plan).0, ["B 0", "B 1", "B 2", "C 1"]);
}

#[test]
fn variants_are_written_labelled_excluded_and_transliterated_as_chess() {
    let game =
        "[Variant \"Atomic\"]\n[White \"Jörg\"]\n\n1. e4 {[%eval 0.5]} f5 2. Qh5+ g6 1-0\n\n";
    let written = |plan: &Plan| -> (Vec<String>, Text) {
        let text = replay(game, plan);
        (lines(&text).into_iter().map(str::to_owned).collect(), text)
    };
    let bare = Plan { ops: Ops::NONE, ..Plan::default() };
    let (records, text) = written(&bare);
    assert_eq!((records.len(), text.counts.positions), (5, 5));
    let form = emit::LabelForm::Bullet;
    let (labels, text) = written(&Plan { format: emit::Format::Label(form), ..bare.clone() });
    assert_eq!((text.counts.positions, text.counts.unlabelled), (1, 4));
    assert!(labels[0].ends_with(" | 50 | 1.0"), "{labels:?}");
    let omit = "check".parse().unwrap();
    let (quiet, text) = written(&Plan { omit, ..bare.clone() });
    assert_eq!(text.counts.positions, 4);
    assert_eq!(quiet, [&records[..3], &records[4..]].concat());
    let named = Plan { ops: Ops::of(&[Op::C]), ..bare.clone() };
    assert!(written(&named).0[0].contains("Jörg"));
    let (ascii, _) = written(&Plan { ascii: true, ..named });
    assert!(ascii[0].is_ascii() && ascii[0].contains("rg - ?"), "{ascii:?}");
    // Crafty's records have no place for what is special in a variant.
    let (records, text) = written(&Plan { format: emit::Format::Crafty, ..bare });
    assert_eq!((records.len(), &text.problems[0].reason), (0, &Reason::VariantHere));
}

#[test]
fn a_condition_on_evaluations_sees_the_report_beside_the_next_move() {
    let game = "1. e3 {+0.30/12 1s} e6 {-0.20/9 1s} 2. d3 {-0.10/9 1s} *";
    let cases = [
        ("eval = 30", vec!["0"]),
        ("eval = -20", vec!["1"]),
        ("eval < 0", vec!["1", "2"]),
        ("eval < 0 and plies = 3", vec!["1", "2"]),
        ("eval < 0 or ply = 3", vec!["1", "2", "3"]),
        ("not eval", vec!["3"]),
    ];
    for (filter, expected) in cases {
        let plan = Plan { filter: Some(filter.parse().unwrap()), ..plan("{ply}") };
        assert_eq!(moves(game, &plan).0, expected, "{filter}");
        let variant = format!("[Variant \"Atomic\"]\n\n{game}");
        assert_eq!(moves(&variant, &plan).0, expected, "Atomic: {filter}");
    }
}

#[test]
fn the_tags_about_the_start_are_found_in_any_case() {
    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    // Tags, the starting position, and the reasons of problems.
    let cases = [
        (format!("[FEN \"{KINGS}\"]"), KINGS, vec![]),
        (format!("[fen \"{KINGS}\"]"), KINGS, vec![]),
        (format!("[fEN \"4k3/8/8/8/8/8/8/3K4 w - - 0 1\"] [FEN \"{KINGS}\"]"), KINGS, vec![]),
        (format!("[SetUp \"1\"] [FEN \"{KINGS}\"]"), KINGS, vec![]),
        (format!("[Setup \"0\"] [FEN \"{KINGS}\"]"), KINGS, vec![Reason::SetUpDenied]),
        ("[setup \"1\"]".to_owned(), usual, vec![Reason::FenMissing]),
        ("[SetUp \"0\"]".to_owned(), usual, vec![]),
        ("[Xen \"x\"] [Fxn \"x\"] [SetOn \"1\"] [Variety \"Atomic\"]".to_owned(), usual, vec![]),
        ("[variant \"chess960\"]".to_owned(), usual, vec![]),
        ("[Variant \"Standard\"]".to_owned(), usual, vec![]),
        ("[VARIANT \"Atomic\"]".to_owned(), usual, vec![]),
        (format!("[Variant \"Atomic\"] [FEN \"{KINGS}\"]"), KINGS, vec![]),
    ];
    for (tags, start, problems) in cases {
        let plan = plan("{fen}");
        let (found, reasons, _) = moves(&format!("{tags}\n\n*"), &plan);
        assert_eq!((found, reasons), (vec![start.to_owned()], problems), "{tags}");
    }
    for (tags, reason) in [
        ("[variant \"Foo\"]", Some(Reason::Variant)),
        ("[FEN \"x\"]", None),
        ("[Variant \"Atomic\"] [FEN \"x\"]", None),
    ] {
        let (found, reasons, _) = moves(&format!("{tags}\n\n1. e4 *"), &plan("{fen}"));
        assert_eq!((found.len(), reasons.len()), (0, 1), "{tags}");
        let is_fen = matches!(reasons[0], Reason::Fen(_));
        assert!(reason.map_or(is_fen, |reason| reasons[0] == reason), "{tags} {reasons:?}");
    }
}

#[test]
fn spelling_signs_and_numbers_are_noted_only_where_they_depart_from_the_standard() {
    let plan = Plan { notes: true, ops: Ops::NONE, ..Plan::default() };
    // Tags and movetext, and the kinds of the notes.
    let cases: &[(&str, &[&str])] = &[
        ("1. e4 e5 2. Nf3 $0 $255 Nc6 *", &[]),
        ("1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! *", &[]),
        ("1. e4 ! e5 ? 2. Nf3 !! Nc6 ?? 3. Bb5 !? a6 ?! *", &[]),
        ("1. e4!!! *", &["spelling"]),
        ("1. e4 e5 2. Ng1f3 Nc6! *", &["spelling"]),
        ("1. e4 $256 *", &["nag"]),
        ("1. e4 $99999999999 *", &["nag"]),
        ("1. e4 += *", &["sign"]),
        ("1. e4 (1. e2e4 += $300) *", &[]),
        ("1. e4", &["no-result"]),
        ("1. e4 1-0", &[]),
        ("1. e4 1–0", &["spelling"]),
        ("1. e4 1 - 0", &["spelling"]),
        ("1. e4 0.5-0.5", &["spelling"]),
        ("1. e4 1/2", &["spelling"]),
        ("1. e4 e5 0-0", &["spelling"]),
        ("[Result \"*\"]\n\n1. e4 *", &[]),
        ("[Result \"1-0\"]\n\n1. e4 *", &["result-differs"]),
        ("[White \"A\"]\n[Black \"A\"]\n\n*", &[]),
        ("[White \"A\"]\n[White \"A\"]\n[White \"B\"]\n\n*", &["same-tag-twice"; 2]),
        ("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n*", &["setup-missing"]),
        ("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n*", &[]),
    ];
    for (pgn, expected) in cases {
        let (_, reasons, _) = moves(pgn, &plan);
        let kinds: Vec<&str> = reasons.iter().map(Reason::kind).collect();
        assert_eq!(kinds, *expected, "{pgn}");
        assert!(reasons.iter().all(|reason| reason.severity() == epd::Severity::Note), "{pgn}");
        assert_eq!(moves(pgn, &Plan { notes: false, ..plan.clone() }).1, [], "{pgn}");
    }
}
