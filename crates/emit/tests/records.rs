//! What records, games as values and rows contain: small games, written in full.

use emit::{Fact, Format, LabelForm, Op, Ops, Plan, Problem, Reason, Replay, Text};
use epd::{RegisterStyle, Severity};
use openings::NameSource;
use pgn::Chunk;

use super::support::{AFTER_E4, START, bare, games, lines, operations, replay, rows, templates};

#[test]
fn each_format_writes_its_fields() {
    let game = "[Result \"1-0\"]\n\n1. e4 {+0.30/12 1s} e5 {-0.25/10 2s} 1-0\n";
    let after_e5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6";
    let label = |form| Plan { format: Format::Label(form), ..bare() };
    let ops = Ops::COUNTERS_AND_MOVE;
    // The fields of the positions with what follows them.
    let with = |rests: &[&str]| -> Vec<String> {
        let fields = [START, AFTER_E4, after_e5].into_iter();
        fields.zip(rests).map(|(fields, rest)| format!("{fields}{rest}")).collect()
    };
    let operations = [" fmvn 1; hmvc 0; sm e4;", " fmvn 1; hmvc 0; sm e5;", " fmvn 2; hmvc 0;"];
    let crafty = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w KQkq -",
        "rnbqkbnr/pppppppp/8/8/4P/8/PPPP1PPP/RNBQKBNR/ b KQkq -",
        "rnbqkbnr/pppp1ppp/8/4p/4P/8/PPPP1PPP/RNBQKBNR/ w KQkq -",
    ];
    let crafty = crafty.iter().zip(operations).map(|(fields, rest)| format!("{fields}{rest}"));
    let entry = |position: &str, rest: &str| format!("fen {position} 0 1\n{rest}\ne");
    let plain = [
        entry(START, "move e2e4\nscore 30\nply 0\nresult 1"),
        entry(AFTER_E4, "move e7e5\nscore -25\nply 1\nresult -1"),
    ];
    let cases = [
        (bare(), with(&[""; 3])),
        (Plan { ops, ..bare() }, with(&operations)),
        (
            Plan { format: Format::Fen, ops, ..bare() },
            with(&[" 0 1 sm e4;", " 0 1 sm e5;", " 0 2"]),
        ),
        (Plan { format: Format::Crafty, ops, ..bare() }, crafty.collect()),
        (label(LabelForm::C9), with(&[" c9 \"1-0\";"; 3])),
        (label(LabelForm::Bracket), with(&[" 0 1 [1.0]", " 0 1 [1.0]", " 0 2 [1.0]"])),
        // An engine's report belongs to the position before its move; the last position has none.
        (label(LabelForm::Bullet), with(&[" 0 1 | 30 | 1.0", " 0 1 | 25 | 1.0"])),
        (label(LabelForm::CChessCli), with(&[" 0 1,30,2", " 0 1,-25,0"])),
        (label(LabelForm::Plain), plain.to_vec()),
    ];
    for (plan, expected) in cases {
        let text = replay(game, &plan);
        assert_eq!(lines(&text).join("\n"), expected.join("\n"), "{:?}", plan.format);
        let is_label = matches!(plan.format, Format::Label(_));
        let unlabelled = 3 - expected.len() as u64;
        assert!(!is_label || text.counts.unlabelled == unlabelled, "{:?}", plan.format);
    }
}

#[test]
fn a_position_without_a_result_an_evaluation_or_a_move_has_no_label() {
    // Form, game, records, and positions without a label.
    let cases = [
        (LabelForm::C9, "1. e4 *", 0, 2),
        (LabelForm::C9, "1. e4 1/2-1/2", 2, 0),
        (LabelForm::Bracket, "[Result \"0-1\"]\n\n1. e4 *", 2, 0),
        (LabelForm::Bullet, "1. e4 {[%eval 0.3]} e5 1-0", 1, 2),
        (LabelForm::CChessCli, "1. e4 {+0.30/12 1s} e5 1-0", 1, 2),
        (LabelForm::Plain, "1. e4 {[%eval 0.3]} 1-0", 0, 2),
        (LabelForm::Plain, "1. e4 {[%eval 0.3]} e5 1-0", 1, 2),
    ];
    for (form, game, records, unlabelled) in cases {
        let plan = Plan { format: Format::Label(form), ..bare() };
        let text = replay(game, &plan);
        let is_position = |line: &&&str| line.contains(" w ") || line.contains(" b ");
        let count = lines(&text).iter().filter(is_position).count();
        assert_eq!((count, text.counts.unlabelled), (records, unlabelled), "{form:?} {game}");
        assert_eq!(text.counts.positions, records as u64, "{form:?} {game}");
    }
}

#[test]
fn a_template_makes_an_operand_of_the_type_of_its_opcode() {
    let game = "[White \"A \\\"B\\\"\"]\n[WhiteElo \"2400\"]\n[BlackElo \"2501\"]\n[X \"e4 Nf3 e4\"]\n[Y \"e4 e5 Nf3\"]\n[N \"-5\"]\n\n1. d4 *\n";
    // The template, and the operation; nothing for a value that does not fit.
    let cases = [
        // Numbers.
        ("ce={N}", "ce -5;"),
        ("ce=32766", "ce 32766;"),
        ("acd={N}", ""),
        ("acd=12", "acd 12;"),
        ("ce={White}", ""),
        ("fmvn={plies}", "fmvn 1;"),
        // Moves: one, a sorted set, a line.
        ("sm=e4", "sm e4;"),
        ("sm=e5", ""),
        ("sm={X}", ""),
        ("bm={X}", "bm Nf3 e4 e4;"),
        ("pv={Y}", "pv e4 e5 Nf3;"),
        ("pv={X}", ""),
        ("bm={Y}", ""),
        // Text and registers.
        ("id={White}", "id \"A 'B'\";"),
        ("c9={Missing|none}", "c9 \"none\";"),
        ("c9={Missing}", "c9;"),
        ("c9={Missing|}", "c9 \"\";"),
        // No operand.
        ("resign=", "resign;"),
        ("resign={Missing|}", "resign;"),
        ("resign={White}", ""),
        // Two texts.
        ("tcri=a@b.c|A B", "tcri \"a@b.c\" \"A B\";"),
        ("tcri=\"a\" \"b\"", "tcri \"a\" \"b\";"),
        ("tcri={White}", ""),
        // Any operand.
        ("noop=", "noop;"),
        ("noop=1 x", "noop 1 x;"),
        ("noop=\"", "noop \"'\";"),
        // An opcode of the user: a number, or text.
        ("Elo={elo}", "Elo 2450.5;"),
        ("My=-3.50", "My -3.50;"),
        ("My=1e3", "My \"1e3\";"),
        ("My=inf", "My \"inf\";"),
        ("My=x y", "My \"x y\";"),
        ("My=", "My \"\";"),
        // Facts.
        ("My={check} {turn} {san} {uci}", "My \"false w d4 d2d4\";"),
        ("My={pieces}.{ply}.{move}", "My \"32.0.1\";"),
        ("My={game}.{line}", "My 1.1;"),
        ("My={file}", "My \"dir/a.pgn\";"),
        ("My={key}", "My \"463b96181691fc9c\";"),
        ("My={epd}", "My \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\";"),
        ("My={fen}", "My \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\";"),
        // A claim requires its move.
        ("draw_offer=", "draw_offer; sm d4;"),
    ];
    for (template, expected) in cases {
        let (record, problems) = templates(&[template], game);
        assert_eq!(record, expected, "{template}");
        let fits = !expected.is_empty() || template == "c9={Missing}";
        assert_eq!(problems.is_empty(), fits, "{template}: {problems:?}");
    }
    let (record, problems) = templates(&["pm=d4", "pv=d4 d5"], game);
    assert_eq!((&*record, problems.len()), ("pm d4; pv d4 d5;", 0));
    let (record, problems) = templates(&["pm=e4", "pv=d4 d5"], game);
    assert_eq!(record, "pv d4 d5;");
    assert_eq!(problems, ["--add pm: the move is not the first move of pv: omitted"]);
    let (record, problems) = templates(&["draw_claim="], "1. e4 *\n");
    assert_eq!((&*record, problems.len()), ("draw_claim; sm e4;", 0));
    let (record, problems) = templates(&["draw_claim="], "*\n");
    assert_eq!(record, "");
    assert_eq!(problems, ["--add draw_claim: no move is played from this position: omitted"]);
    let long = format!("c9={}", "x".repeat(256));
    assert_eq!(templates(&[&long], game).0, format!("c9 \"{}\";", "x".repeat(255)));
}

#[test]
fn an_engines_report_becomes_operations_of_the_position_before_its_move() {
    let ops: Ops = "acd,acn,acs,ce,dm,pv".parse().unwrap();
    let plan = Plan { ops, ..bare() };
    // The comment on the first move, and the operations of the starting position and the next.
    let cases = [
        ("", "", ""),
        ("good", "", ""),
        ("[%eval 0.3]", "", "ce -30;"),
        ("[%eval 0.3,17]", "", "acd 17; ce -30;"),
        ("[%eval #2]", "", "ce -32763;"),
        ("[%eval #-2]", "", "ce 32764; dm 2;"),
        ("+0.30/12 1.4s", "acd 12; acs 1; ce 30;", ""),
        ("+0.30/12 1.6s", "acd 12; acs 2; ce 30;", ""),
        ("-M4/20 0s", "acd 20; acs 0; ce -32763;", ""),
        ("+M3/20 0s", "acd 20; acs 0; ce 32764; dm 2;", ""),
    ];
    for (comment, before, after) in cases {
        let text = replay(format!("1. e4 {{{comment}}} e5 *"), &plan);
        assert_eq!(operations(&text)[..2], [before, after], "{comment}");
    }
}

#[test]
fn the_evaluation_of_a_position_is_read_from_comments_on_it_and_on_its_move() {
    let position = san::Position::default();
    // Comments on the position and on the move played from it, and the evaluation for White, who is
    // to move.
    let cases = [
        ("", "", None),
        ("[%eval 0.3]", "", Some(30)),
        ("", "[%eval 0.3]", None),
        ("", "+0.25/12 1s", Some(25)),
        ("[%eval 0.3]", "+0.25/12 1s", Some(25)),
        ("[%eval #-3]", "", Some(-32761)),
    ];
    for (on, after, expected) in cases {
        let (on, after) = ([on.as_bytes()], [after.as_bytes()]);
        let ahead = emit::Ahead { comments: &after, plies: Some(1), known: None };
        let ply = emit::Ply::new(&position, None, 0);
        let ply = emit::Ply { comments: &on, ahead: Some(&ahead), ..ply };
        assert_eq!(emit::evaluation(&ply).map(epd::Centipawns::get), expected, "{on:?} {after:?}");
    }
}

#[test]
fn the_text_of_a_position_is_the_same_in_every_format() {
    let pgn = "[Event \"a\\0b\"]\n\n1. e4 {x} e5 *\n";
    let names = ["fen", "epd", "file", "record", "eco", "opening"];
    for format in [Format::Epd, Format::Fen] {
        for ops in [Ops::NONE, Ops::COUNTERS_AND_MOVE] {
            let (names_from, file) = (NameSource::Embedded, "f".to_owned());
            let plan = Plan { format, ops, names: names_from, file, ..Plan::default() };
            let (_, cells) = rows(pgn, &names, &plan);
            let text = replay(pgn, &plan);
            assert_eq!(cells[0][0], format!("{START} 0 1"));
            assert_eq!(cells[0][1], START);
            assert_eq!(cells[1][0], format!("{AFTER_E4} 0 1"));
            assert_eq!(cells[1][1], AFTER_E4);
            assert_eq!((&*cells[1][2], &*cells[1][4]), ("f", "B00"));
            assert_eq!(cells[1][5], "King's Pawn Game");
            let records: Vec<&str> = cells.iter().map(|row| &*row[3]).collect();
            assert_eq!(records, lines(&text));
        }
    }
}

#[test]
fn an_empty_line_follows_the_records_of_each_game() {
    let game = "[White \"A\"]\n\n1. e4 *\n\n";
    for (second_blank_line, expected) in [(false, "\n"), (true, "\n\n")] {
        let plan = Plan { blank_line: true, second_blank_line, ..bare() };
        let text = replay(game, &plan);
        assert_eq!(text.bytes.as_bytes(), format!("{START}\n{AFTER_E4}\n\n").as_bytes());
        let select = emit::Select { first: 9, ..Default::default() };
        let text = replay(game, &Plan { select, ..plan });
        assert_eq!(text.bytes.as_bytes(), expected.as_bytes());
    }
}

#[test]
fn positions_are_selected_by_ply() {
    let every = emit::Select::default();
    let select = |first, last, only_final| emit::Select { first, last, only_final, ..every };
    let cases = [
        (every, vec![0, 1, 2, 3]),
        (select(1, u32::MAX, false), vec![1, 2, 3]),
        (select(0, 2, false), vec![0, 1, 2]),
        (select(1, 1, false), vec![1]),
        (select(2, 1, false), vec![]),
        (select(0, u32::MAX, true), vec![3]),
        (select(3, 3, true), vec![3]),
        (select(0, 2, true), vec![]),
    ];
    for (select, expected) in cases {
        let wanted: Vec<u32> = (0..=3).filter(|ply| select.wants(*ply, *ply == 3)).collect();
        assert_eq!(wanted, expected, "{select:?}");
        let plan = Plan { select, templates: vec!["My={ply}".parse().unwrap()], ..bare() };
        let text = replay("1. e4 e5 2. Nf3 *", &plan);
        let expected: Vec<String> = expected.iter().map(|ply| format!("My {ply};")).collect();
        assert_eq!(operations(&text), expected, "{select:?}");
    }
}

#[test]
fn a_problem_has_a_place_a_kind_and_a_severity() {
    // The game, and its problem as a message.
    let cases = [
        ("1. e4 Ke7 *", "1:7: game 1, 1... Ke7: illegal: "),
        ("1. e4 hello *", "1:7: game 1, 1... hello: unknown text: neither a move nor a comment"),
        (
            "1. e4 ) *",
            "1:7: game 1, ): warning: a closing parenthesis without an opening one: skipped",
        ),
        ("[White \"A\"]\n[Black \"B\"]\n\n1. d4 d4 *", "4:7: game 1 (A - B), 1... d4: illegal: "),
        ("[FEN \"x\"]\n\n*", "1:7: game 1, x: FEN tag: "),
        (
            "[SetUp \"1\"]\n\n*",
            "1:9: game 1, 1: warning: SetUp is 1, but the FEN tag is missing: played from the starting position",
        ),
        (
            "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n[SetUp \"0\"]\n\n*",
            "2:9: game 1, 0: warning: SetUp is 0, but the game has a FEN tag, which is used",
        ),
        ("[Variant \"xyz\"]\n\n*", "1:11: game 1, xyz: unknown or unsupported variant"),
        ("junk", "1:1: junk: warning: text outside every game: skipped"),
        ("1. e4 (1. d4 d4) *", ""),
    ];
    for (pgn, message) in cases {
        let text = replay(pgn, &Plan::default());
        let shown: Vec<String> = text.problems.iter().map(ToString::to_string).collect();
        let expected = usize::from(!message.is_empty());
        assert_eq!(shown.len(), expected, "{pgn}: {shown:?}");
        assert!(shown.iter().all(|shown| shown.starts_with(message)), "{pgn}: {shown:?}");
        // A strict run has no warnings.
        let strict = replay(pgn, &Plan { strict: true, ..Plan::default() });
        assert!(strict.problems.iter().all(Problem::is_error), "{pgn}");
    }
    let plan = Plan { variations: true, ..Plan::default() };
    let text = replay("1. e4 (1. d4 d4) *", &plan);
    let message = text.problems[0].to_string();
    assert!(message.starts_with("1:14: game 1, 1... d4: in a variation: illegal: "), "{message}");
}

#[test]
fn a_reason_has_a_kind_and_a_severity() {
    let reasons = [
        (Reason::UnknownToken, "unknown-token", Severity::Error),
        (Reason::TornMove, "damaged-move", Severity::Error),
        (Reason::PawnLetter, "pawn-letter", Severity::Warning),
        (Reason::VariationOfVariant, "variant", Severity::Warning),
        (Reason::VariantHere, "variant", Severity::Error),
        (Reason::TooLarge { limit: 1 }, "too-large", Severity::Error),
        (Reason::TooDeep { limit: 1 }, "too-deep", Severity::Error),
        (Reason::Text(pgn::PgnDiagnosticKind::OpenComment), "text", Severity::Error),
        (Reason::Text(pgn::PgnDiagnosticKind::StrayClose), "text", Severity::Warning),
        (Reason::OtherPrediction, "wrong-operand", Severity::Warning),
    ];
    for (reason, kind, severity) in reasons {
        assert_eq!((reason.kind(), reason.severity()), (kind, severity), "{reason:?}");
    }
}

#[test]
fn the_token_of_a_problem_is_at_most_forty_characters_of_one_line() {
    for (letters, shown) in [(40, "é".repeat(40)), (41, format!("{}…", "é".repeat(40)))] {
        let text = replay(format!("1. e4 {} *", "é".repeat(letters)), &Plan::default());
        assert_eq!(text.problems[0].token, shown);
    }
}

#[test]
fn a_label_has_its_fields_and_the_number_of_its_ply() {
    let tags = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 10\"]\n\n";
    let game =
        format!("{tags}10... Kd8 {{+0.30/12 1s}} 11. Kd1 {{-0.20/9 1s}} Kc8 {{+0.1/2 1s}} 1/2-1/2");
    let text = replay(&game, &Plan { format: Format::Label(LabelForm::Plain), ..bare() });
    let numbers: Vec<&str> = lines(&text)
        .into_iter()
        .filter(|line| line.starts_with("ply") || line.starts_with("result"))
        .collect();
    assert_eq!(numbers, ["ply 19", "result 0", "ply 20", "result 0", "ply 21", "result 0"]);
    for form in [LabelForm::C9, LabelForm::Bracket, LabelForm::Bullet] {
        let plan = Plan { format: Format::Label(form), ..bare() };
        let mut text = Text::default();
        let mut sink = text.sink(&plan);
        Replay::new(Chunk::whole(b"1. e4 {+0.3/1 1s} 1-0"), &plan).run(&mut sink);
        let labelled = emit::RecordSink::labelled(&sink);
        let clocks = if form == LabelForm::C9 { "" } else { " 0 1" };
        // The last position has no evaluation.
        let last = if form.needs_evaluation() { None } else { Some(AFTER_E4.len() + clocks.len()) };
        assert_eq!(labelled.map(|labelled| labelled.fields), last, "{form:?}");
        assert_eq!(form.has_means(), form != LabelForm::C9);
    }
}

#[test]
fn a_comment_at_any_ply_leaves_the_registers_right_for_the_records_after_it() {
    let moves = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5 Nb3 Be6 f3 h5";
    let moves: Vec<&str> = moves.split(' ').collect();
    let facts = [Fact::Line].into_iter().collect();
    let default = Plan { facts, names: NameSource::Embedded, ..Plan::default() };
    for first in 0..=moves.len() {
        for second in [first, first + 1, first + 5, usize::MAX] {
            let with_comment = |(ply, san): (usize, &&str)| match ply == first || ply == second {
                true => format!("{san} {{x}}"),
                false => (*san).to_owned(),
            };
            let game: Vec<String> = moves.iter().enumerate().map(with_comment).collect();
            let pgn = format!("{0} *\n\n{0} *\n", game.join(" "));
            for plan in [
                default.clone(),
                Plan { ops: "eco,v,nic,sm".parse().unwrap(), ..default.clone() },
                Plan { ops: "c,eco".parse().unwrap(), ..default.clone() },
                Plan { select: emit::Select { first: 5, ..Default::default() }, ..default.clone() },
            ] {
                let text = replay(&pgn, &plan);
                let list = games(pgn.as_bytes(), &plan);
                let positions = list.games.iter().flat_map(|game| &game.positions);
                let values: Vec<String> = positions.map(ToString::to_string).collect();
                assert_eq!(values, lines(&text), "{pgn} {plan:?}");
                assert_eq!(text.counts.positions, values.len() as u64);
            }
        }
    }
}

#[test]
fn a_string_that_grows_too_long_as_ascii_is_shortened_and_counted() {
    let ops = Ops::of(&[Op::C]);
    let facts = [Fact::Line].into_iter().collect();
    let plan = Plan { ascii: true, ops, facts, ..bare() };
    // Each letter becomes four.
    for (letters, shortened) in [(63, 0), (64, 1), (100, 1)] {
        let game = format!("1. e4 {{{}}} e5 *\n\n", "щ".repeat(letters));
        for (tags, games_as_values) in [("", true), ("[Variant \"Atomic\"]\n\n", false)] {
            let pgn = format!("{tags}{game}").repeat(2);
            let text = replay(&pgn, &plan);
            let comment = lines(&text)[1].split('"').nth(1).unwrap();
            let ascii = "shch".repeat(letters);
            assert_eq!(comment, &ascii[..ascii.len().min(255)]);
            assert_eq!(text.losses().shortened, 2 * shortened, "{letters}");
            if games_as_values {
                let list = games(pgn.as_bytes(), &plan);
                assert_eq!(list.losses, text.losses(), "{letters}");
            }
        }
    }
}

#[test]
fn names_of_openings_are_written_in_every_format_and_selection_of_operations() {
    let eco = "eco \"B00\";";
    let name = "v0 \"King's Pawn Game\";";
    // Format, registers, operations, and those of the positions.
    let cases = [
        (Format::Epd, RegisterStyle::Delta, "eco,v", ["eco; v0;".into(), format!("{eco} {name}")]),
        (Format::Epd, RegisterStyle::Delta, "eco", ["eco;".into(), eco.into()]),
        (Format::Epd, RegisterStyle::Delta, "v", ["v0;".into(), name.into()]),
        (Format::Epd, RegisterStyle::Full, "eco,v", ["eco; v0;".into(), format!("{eco} {name}")]),
        (Format::Epd, RegisterStyle::Off, "eco,v", ["".into(), "".into()]),
        (Format::Fen, RegisterStyle::Delta, "eco", ["0 1 eco;".into(), format!("0 1 {eco}")]),
        (Format::Fen, RegisterStyle::Off, "eco,v", ["0 1".into(), "0 1".into()]),
        (
            Format::Epd,
            RegisterStyle::Delta,
            "eco,rc",
            ["eco; rc 1;".into(), format!("{eco} rc 1;")],
        ),
    ];
    for (format, registers, ops, expected) in cases {
        let ops = ops.parse().unwrap();
        let plan = Plan { format, registers, ops, names: NameSource::Embedded, ..bare() };
        let text = replay("1. e4 *", &plan);
        assert_eq!(operations(&text), expected, "{plan:?}");
    }
}
