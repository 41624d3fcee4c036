//! What records, games as values and rows contain: small games, written in full.

use emit::{
    Column, Fact, Format, GameList, GameSink, LabelForm, LookAhead, Op, Ops, Plan, Problem, Reason,
    Replay, RowSink, Rows, Text,
};
use epd::{RegisterStyle, Severity};
use openings::NameSource;
use pgn::Chunk;
use testkit::generate::{Generator, Style};

/// Replays games with a plan, looking ahead if it must.
fn replay(pgn: &str, plan: &Plan) -> Text {
    let mut text = Text::default();
    let chunk = Chunk::whole(pgn.as_bytes());
    if plan.looks_ahead() {
        Replay::new(chunk, plan).run(&mut LookAhead::new(text.sink(plan), plan));
    } else {
        Replay::new(chunk, plan).run(&mut text.sink(plan));
    }
    text
}

fn lines(text: &Text) -> Vec<&str> {
    std::str::from_utf8(text.bytes.as_bytes()).unwrap().lines().collect()
}

/// Only the fields, without operations.
fn bare() -> Plan {
    Plan { ops: Ops::NONE, names: NameSource::Off, ..Plan::default() }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3";

#[test]
fn each_format_writes_its_fields() {
    let game = "[Result \"1-0\"]\n\n1. e4 {+0.30/12 1s} e5 {-0.25/10 2s} 1-0\n";
    let after_e5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6";
    let label = |form| Plan { format: Format::Label(form), ..bare() };
    let ops = Ops::COUNTERS_AND_MOVE;
    let cases = [
        (bare(), vec![START.to_owned(), AFTER_E4.to_owned(), after_e5.to_owned()]),
        (
            Plan { ops, ..bare() },
            vec![
                format!("{START} fmvn 1; hmvc 0; sm e4;"),
                format!("{AFTER_E4} fmvn 1; hmvc 0; sm e5;"),
                format!("{after_e5} fmvn 2; hmvc 0;"),
            ],
        ),
        (
            Plan { format: Format::Fen, ops, ..bare() },
            vec![
                format!("{START} 0 1 sm e4;"),
                format!("{AFTER_E4} 0 1 sm e5;"),
                format!("{after_e5} 0 2"),
            ],
        ),
        (
            Plan { format: Format::Crafty, ops, ..bare() },
            [
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w KQkq - fmvn 1; hmvc 0; sm e4;",
                "rnbqkbnr/pppppppp/8/8/4P/8/PPPP1PPP/RNBQKBNR/ b KQkq - fmvn 1; hmvc 0; sm e5;",
                "rnbqkbnr/pppp1ppp/8/4p/4P/8/PPPP1PPP/RNBQKBNR/ w KQkq - fmvn 2; hmvc 0;",
            ]
            .map(str::to_owned)
            .to_vec(),
        ),
        (
            label(LabelForm::C9),
            vec![
                format!("{START} c9 \"1-0\";"),
                format!("{AFTER_E4} c9 \"1-0\";"),
                format!("{after_e5} c9 \"1-0\";"),
            ],
        ),
        (
            label(LabelForm::Bracket),
            vec![
                format!("{START} 0 1 [1.0]"),
                format!("{AFTER_E4} 0 1 [1.0]"),
                format!("{after_e5} 0 2 [1.0]"),
            ],
        ),
        // An engine's report belongs to the position before its move; the last position has none.
        (
            label(LabelForm::Bullet),
            vec![format!("{START} 0 1 | 30 | 1.0"), format!("{AFTER_E4} 0 1 | 25 | 1.0")],
        ),
        (
            label(LabelForm::CChessCli),
            vec![format!("{START} 0 1,30,2"), format!("{AFTER_E4} 0 1,-25,0")],
        ),
        (
            label(LabelForm::Plain),
            [
                &format!("fen {START} 0 1"),
                "move e2e4",
                "score 30",
                "ply 0",
                "result 1",
                "e",
                &format!("fen {AFTER_E4} 0 1"),
                "move e7e5",
                "score -25",
                "ply 1",
                "result -1",
                "e",
            ]
            .map(str::to_owned)
            .to_vec(),
        ),
    ];
    for (plan, expected) in cases {
        let text = replay(game, &plan);
        assert_eq!(lines(&text), expected, "{:?}", plan.format);
        let records =
            if plan.format == Format::Label(LabelForm::Plain) { 2 } else { expected.len() };
        let is_label = matches!(plan.format, Format::Label(_));
        assert!(!is_label || text.unlabelled == 3 - records as u64, "{:?}", plan.format);
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
        assert_eq!((count, text.unlabelled), (records, unlabelled), "{form:?} {game}");
        assert_eq!(text.positions, records as u64, "{form:?} {game}");
    }
}

/// Returns the operations of the first record, and the problems.
fn templates(templates: &[&str], game: &str) -> (String, Vec<String>) {
    let templates = templates.iter().map(|template| template.parse().unwrap()).collect();
    let select = emit::Select { last: 0, ..Default::default() };
    let plan = Plan { templates, select, file: "dir/a.pgn".to_owned(), ..bare() };
    let text = replay(game, &plan);
    let record = lines(&text)[0].splitn(5, ' ').nth(4).unwrap_or_default().to_owned();
    let problems = text.problems.iter().map(|problem| problem.reason.to_string());
    (record, problems.collect())
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
        ("c9={Missing}", ""),
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
        let is_missing = template == "c9={Missing}";
        assert_eq!(
            problems.is_empty(),
            !expected.is_empty() || is_missing,
            "{template}: {problems:?}"
        );
    }
    let (record, problems) = templates(&["pm=d4", "pv=d4 d5"], game);
    assert_eq!((&*record, problems.len()), ("pm d4; pv d4 d5;", 0));
    let (record, problems) = templates(&["pm=e4", "pv=d4 d5"], game);
    assert_eq!(record, "pv d4 d5;");
    assert_eq!(problems, ["--op pm: the move is not the first move of pv: omitted"]);
    let (record, problems) = templates(&["draw_claim="], "1. e4 *\n");
    assert_eq!((&*record, problems.len()), ("draw_claim; sm e4;", 0));
    let (record, problems) = templates(&["draw_claim="], "*\n");
    assert_eq!(record, "");
    assert_eq!(problems, ["--op draw_claim: no move is played from this position: omitted"]);
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
        let text = replay(&format!("1. e4 {{{comment}}} e5 *"), &plan);
        let records = lines(&text);
        let operations = |record: &str| record.splitn(5, ' ').nth(4).unwrap_or_default().to_owned();
        assert_eq!(
            (&*operations(records[0]), &*operations(records[1])),
            (before, after),
            "{comment}"
        );
    }
}

#[test]
fn the_evaluation_of_a_position_is_read_from_comments_on_it_and_on_its_move() {
    let position = san::Position::default();
    // Comments on the position and on the move played from it, and the evaluation for White, who is to move.
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
        let ahead = emit::Ahead { comments: &after, plies: 1, outcome: None };
        let ply = emit::Ply::new(&position, None, 0);
        let ply = emit::Ply { comments: &on, ahead: Some(&ahead), ..ply };
        assert_eq!(emit::evaluation(&ply).map(epd::Centipawns::get), expected, "{on:?} {after:?}");
    }
}

/// Returns the records of the games as values.
fn games(pgn: &[u8], plan: &Plan) -> GameList {
    let mut list = GameList::default();
    let mut sink = LookAhead::new(GameSink::new(&mut list, plan, 0), plan);
    let (counts, _) = Replay::new(Chunk::whole(pgn), plan).run(&mut sink);
    sink.into_inner().finish(&counts);
    list
}

/// Plans whose records differ in operations, registers, variations and selection.
fn plans() -> Vec<Plan> {
    let facts = [Fact::Line].into_iter().collect();
    let default = Plan { facts, names: NameSource::Embedded, ..Plan::default() };
    let all = Plan { ops: Ops::of(&Op::ALL), variations: true, ..default.clone() };
    vec![
        Plan { ops: Ops::NONE, ..default.clone() },
        Plan { registers: RegisterStyle::Full, ..default.clone() },
        Plan { registers: RegisterStyle::Off, ..default.clone() },
        Plan { names: NameSource::Tags, ..default.clone() },
        Plan { names: NameSource::Off, ..default.clone() },
        Plan { ascii: true, registers: RegisterStyle::Full, ..all.clone() },
        Plan {
            exclude: emit::ExcludePositions { in_check: true, captures: true, beyond: Some(300) },
            ..default.clone()
        },
        Plan { filter: Some("pieces < 31 and eco".parse().unwrap()), ..default.clone() },
        Plan { filter: Some("eval > 0 or check".parse().unwrap()), ..all.clone() },
        Plan {
            templates: vec!["My={game}.{line}.{plies}.{opening|?}".parse().unwrap()],
            ..all.clone()
        },
        Plan { keep_commands: true, long_comments: emit::LongComments::Split, ..all.clone() },
        all,
        default,
    ]
}

#[test]
fn games_as_values_have_the_records_that_are_written() {
    let mut compared = 0;
    for style in Style::ALL {
        let pgn = Generator::text(style, 11, 5000);
        for plan in plans() {
            let mut text = Text::default();
            let mut sink = LookAhead::new(text.sink(&plan), &plan);
            let (counts, _) = Replay::new(Chunk::whole(&pgn), &plan).run(&mut sink);
            let list = games(&pgn, &plan);
            // Variants are written as text only.
            if list.games.iter().any(|game| !game.problems.is_empty()) {
                continue;
            }
            let positions = || list.games.iter().flat_map(|game| &game.positions);
            let values: Vec<String> = positions().map(ToString::to_string).collect();
            assert_eq!(values, lines(&text), "{style:?} {plan:?}");
            assert_eq!(list.losses, text.losses(), "{style:?} {plan:?}");
            assert_eq!(list.games.len() as u64, counts.games, "{style:?}");
            assert_eq!(text.positions, values.len() as u64);
            compared += 1;
        }
    }
    assert!(compared >= Style::ALL.len() * plans().len() / 2, "{compared}");
}

#[test]
fn problems_belong_to_the_game_in_which_they_are() {
    let pgn = "junk\n[White \"A\"]\n\n1. e4 e4 *\n\n[White \"B\"]\n\n1. d4 *\n\n[White \"C\"]\n\n1. c4 ) *\n\n[White \"D\"]\n{a}\n\n*\nmore\n\n{lost}\n";
    let plan = Plan { facts: [Fact::Line].into_iter().collect(), ..Plan::default() };
    let list = games(pgn.as_bytes(), &plan);
    let shown: Vec<_> = list
        .games
        .iter()
        .map(|game| {
            let problems: Vec<_> = game.problems.iter().map(|problem| problem.place.line).collect();
            (
                game.number,
                game.place.line,
                game.tag("White").unwrap(),
                game.moves().count(),
                problems,
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            (1, 2, "A", 1, vec![1, 4]),
            (2, 6, "B", 1, vec![]),
            (3, 10, "C", 1, vec![12]),
            (4, 14, "D", 0, vec![18]),
        ]
    );
    let outside: Vec<_> =
        list.problems.iter().map(|problem| (problem.game, problem.place.line)).collect();
    assert_eq!(outside, [(0, 20)]);
    let results: Vec<bool> =
        list.games.into_iter().map(|game| game.into_result().is_ok()).collect();
    assert_eq!(results, [false, true, true, true]);
}

#[test]
fn a_renumbered_game_renumbers_its_positions_and_problems() {
    let plan = Plan { facts: [Fact::Line].into_iter().collect(), ..Plan::default() };
    let mut game = games(b"junk\n1. e4 e4 *", &plan).games.remove(0);
    game.renumber(7);
    let positions: Vec<u64> = game.positions.iter().map(|position| position.game).collect();
    let problems: Vec<u64> = game.problems.iter().map(|problem| problem.game).collect();
    assert_eq!((game.number, positions, problems), (7, vec![7, 7], vec![0, 7]));
}

/// Returns the columns of the records of games, each row with its values.
fn rows(pgn: &str, names: &[&str], plan: &Plan) -> (Rows, Vec<Vec<String>>) {
    let columns: Vec<Column> = names.iter().map(|name| name.parse().unwrap()).collect();
    let facts = columns.iter().filter_map(|column| match column {
        Column::Fact(fact) => Some(*fact),
        _ => None,
    });
    let plan = Plan { facts: facts.collect(), ..plan.clone() };
    let mut text = Text::default();
    let mut rows = Rows::new(&columns, &Rows::default());
    let sink = RowSink::new(text.sink(&plan), &columns, &plan, &mut rows);
    Replay::new(Chunk::whole(pgn.as_bytes()), &plan).run(&mut LookAhead::new(sink, &plan));
    let cell = |column: &emit::ColumnValues, row: usize| match &column.values {
        _ if !column.has(row) => "-".to_owned(),
        emit::Values::Bool(values) => values[row].to_string(),
        emit::Values::U64(values) => values[row].to_string(),
        emit::Values::U32(values) => values[row].to_string(),
        emit::Values::I32(values) => values[row].to_string(),
        emit::Values::F64(values) => values[row].to_string(),
        emit::Values::Text { .. } => column.text(row).unwrap().to_owned(),
    };
    let cells =
        (0..rows.len()).map(|row| rows.columns.iter().map(|column| cell(column, row)).collect());
    let cells = cells.collect();
    (rows, cells)
}

#[test]
fn rows_have_the_facts_of_their_records() {
    let pgn = "[White \"A\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2101\"]\n\n1. e4 {[%eval 0.5] [%clk 0:01:30]} f5! 2. Qh5+ *\n\n[White \"?\"]\n\n*\n";
    let names = [
        "White", "check", "game", "line", "ply", "plies", "eval", "clock", "elo", "san", "uci",
        "turn", "nags", "key",
    ];
    let plan = Plan { file: "a.pgn".to_owned(), ..Plan::default() };
    let (table, cells) = rows(pgn, &names, &plan);
    let cells: Vec<String> = cells.iter().map(|row| row.join(" ")).collect();
    assert_eq!(
        cells,
        [
            "A false 1 1 0 3 - - 2050.5 e4 e2e4 w - 5060803636482931868",
            "A false 1 1 1 3 -50 90 2050.5 f5 f7f5 b - 9384546495678726550",
            "A false 1 1 2 3 - - 2050.5 Qh5+ d1h5 w $1 1608908532765781064",
            "A true 1 1 3 3 - - 2050.5 - - b - 13140974776437983956",
            "- false 2 7 0 0 - - - - - w - 5060803636482931868",
        ]
    );
    assert!(!table.is_empty());
    let mut table = table;
    table.add_games(
        &[Column::Tag("White".into()), Column::Fact(Fact::Check), Column::Fact(Fact::Game)],
        10,
    );
    let emit::Values::U64(games) = &table.columns[2].values else { panic!("{table:?}") };
    assert_eq!(games, &[11, 11, 11, 11, 12]);
    table.clear();
    assert_eq!((table.is_empty(), table.len()), (true, 0));
}

#[test]
fn the_text_of_a_position_is_the_same_in_every_format() {
    let pgn = "[Event \"a\\0b\"]\n\n1. e4 {x} e5 *\n";
    let names = ["fen", "epd", "file", "record", "eco", "opening"];
    for format in [Format::Epd, Format::Fen] {
        for ops in [Ops::NONE, Ops::COUNTERS_AND_MOVE] {
            let plan = Plan {
                format,
                ops,
                names: NameSource::Embedded,
                file: "f".to_owned(),
                ..Plan::default()
            };
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
fn excluded_positions_and_discarded_games_have_no_rows() {
    let good = "[White \"A\"]\n\n1. e4 f5 2. Qh5+ g6 *\n\n";
    let bad = "[White \"B\"]\n\n1. e4 f5 2. Qh6 *\n\n";
    let in_check = emit::ExcludePositions { in_check: true, ..Default::default() };
    let skip = emit::OnError::Skip;
    let plan = Plan { exclude: in_check, on_error: skip, ..Plan::default() };
    let (_, cells) = rows(&format!("{good}{bad}{good}"), &["White", "game", "ply"], &plan);
    let cells: Vec<String> = cells.iter().map(|row| row.join(" ")).collect();
    let expected = ["A 1 0", "A 1 1", "A 1 2", "A 1 4", "A 3 0", "A 3 1", "A 3 2", "A 3 4"];
    assert_eq!(cells, expected);
    let filtered =
        Plan { filter: Some("White = 'A' and ply > 3".parse().unwrap()), ..Plan::default() };
    let (_, cells) = rows(&format!("{bad}{good}"), &["White", "game", "ply"], &filtered);
    assert_eq!(cells, [["A", "2", "4"]]);
}

#[test]
fn the_parts_of_a_huge_game_are_its_records() {
    let game = format!("1. Nf3 {} *\n", "Nf6 Ng1 Ng8 Nf3 ".repeat(600));
    let pgn = format!("{game}\n{game}");
    for plan in [Plan::default(), Plan { blank_line: true, second_blank_line: true, ..bare() }] {
        let whole = replay(&pgn, &plan);
        let (mut parts, mut positions) = (Vec::new(), 0);
        let mut count = 0;
        let mut text = Text::default();
        let mut hand_on = |part: emit::GamePart<'_>| {
            assert!(part.bytes.len() >= 1000, "{}", part.bytes.len());
            parts.extend_from_slice(part.bytes.as_bytes());
            positions += part.positions;
            count += 1;
        };
        let mut sink = text.sink(&plan).in_parts(1000, &mut hand_on);
        Replay::new(Chunk::whole(pgn.as_bytes()), &plan).run(&mut sink);
        parts.extend_from_slice(text.bytes.as_bytes());
        assert!(parts == whole.bytes.as_bytes(), "{plan:?}");
        assert_eq!(positions + text.positions, whole.positions);
        assert!(count > 0, "{count} parts");
        // Only the first game is handed on.
        assert!(text.positions > 2401, "{}", text.positions);
    }
}

#[test]
fn an_empty_line_follows_the_records_of_each_game() {
    let game = "[White \"A\"]\n\n1. e4 *\n\n";
    let cases = [(false, "", ""), (true, "\n", "\n\n")];
    for (second_blank_line, _, empty) in cases {
        let plan = Plan { blank_line: true, second_blank_line, ..bare() };
        let text = replay(game, &plan);
        assert_eq!(text.bytes.as_bytes(), format!("{START}\n{AFTER_E4}\n\n").as_bytes());
        let select = emit::Select { first: 9, ..Default::default() };
        let text = replay(game, &Plan { select, ..plan });
        let expected = if second_blank_line { empty } else { "\n" };
        assert_eq!(text.bytes.as_bytes(), expected.as_bytes());
    }
}

#[test]
fn positions_are_selected_by_ply() {
    let select = |first, last, only_final| emit::Select { first, last, only_final };
    let cases = [
        (emit::Select::default(), vec![0, 1, 2, 3]),
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
        let written: Vec<u32> = lines(&text)
            .iter()
            .map(|line| line.rsplit(' ').next().unwrap().trim_end_matches(';').parse().unwrap())
            .collect();
        assert_eq!(written, expected, "{select:?}");
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
fn departures_without_effect_are_notes() {
    let game = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n[White \"A\"]\n[White \"B\"]\n[Result \"1-0\"]\n\n1. e2-e4 +- e5 $300 0-1\n\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\nKd1\n";
    let text = replay(game, &Plan { notes: true, ..Plan::default() });
    let mut kinds: Vec<(u64, &str)> =
        text.problems.iter().map(|problem| (problem.game, problem.reason.kind())).collect();
    kinds.sort_unstable();
    assert_eq!(
        kinds,
        [
            (1, "nag"),
            (1, "result-differs"),
            (1, "same-tag-twice"),
            (1, "setup-missing"),
            (1, "sign"),
            (1, "spelling"),
            (2, "no-result"),
        ]
    );
    assert!(text.problems.iter().all(|problem| problem.severity() == Severity::Note));
    assert!(replay(game, &Plan::default()).problems.is_empty());
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
        let text = replay(&format!("1. e4 {} *", "é".repeat(letters)), &Plan::default());
        assert_eq!(text.problems[0].token, shown);
    }
}

#[test]
fn the_draw_of_a_sample_is_splitmix64() {
    // The first output of splitmix64 for the seeds 0 and 1.
    let (zero, one) = (0xe220_a839_7b1d_cdaf_u64, 0x910a_2dec_8902_5cc1);
    let seed = |output: u64| 0_u64.wrapping_sub(output);
    assert_eq!(emit::draw(0, seed(zero)), zero);
    assert_eq!(emit::draw(0, seed(zero).wrapping_add(1)), one);
    assert_eq!(emit::draw(1, seed(one)), zero);
}

#[test]
fn a_sum_of_losses_has_the_sum_of_each_count() {
    let losses = |factor| emit::Losses {
        long_comments: factor,
        shortened: 2 * factor,
        altered: 3 * factor,
        cut_lines: 4 * factor,
        annotations: 5 * factor,
        variations: 6 * factor,
    };
    let mut sum = losses(1);
    sum += losses(10);
    assert_eq!(sum, losses(11));
}

#[test]
fn sets_of_operations_are_read_and_written() {
    let ops: Ops = "sm, rc".parse().unwrap();
    assert_eq!(
        (ops.to_string(), format!("{ops:?}")),
        ("rc,sm".to_owned(), "Ops(rc,sm)".to_owned())
    );
    assert!(ops.has(Op::Sm) && ops.has(Op::Rc) && !ops.has(Op::C));
    assert!(ops.has_any(Ops::of(&[Op::C, Op::Rc])) && !ops.has_any(Ops::of(&[Op::C])));
    assert!(!ops.has_any(Ops::NONE) && Ops::NONE.to_string() == "none");
    assert_eq!(ops.with(Op::C).to_string(), "c,rc,sm");
    assert_eq!(ops.with(Op::Sm), ops);
    assert_eq!(ops.without(Ops::of(&[Op::Sm, Op::C])).to_string(), "rc");
    assert_eq!(Ops::default().to_string(), "Rav,c,eco,fmvn,hmvc,nic,sm,v");
}

#[test]
fn a_plan_knows_what_its_records_depend_on() {
    let with = |ops: &str| Plan { ops: ops.parse().unwrap(), ..bare() };
    let template = |template: &str| Plan { templates: vec![template.parse().unwrap()], ..bare() };
    let filter = |filter: &str| Plan { filter: Some(filter.parse().unwrap()), ..bare() };
    let label = |form| Plan { format: Format::Label(form), ..bare() };
    let facts = |fact: Fact| Plan { facts: [fact].into_iter().collect(), ..bare() };
    let exclude = |beyond, captures| {
        let exclude = emit::ExcludePositions { beyond, captures, ..Default::default() };
        Plan { exclude, ..bare() }
    };
    // The plan, whether it looks ahead, counts games, and has registers.
    let cases = [
        (bare(), false, false, false),
        (Plan::default(), false, false, true),
        (Plan { registers: RegisterStyle::Off, ..Plan::default() }, false, false, false),
        (with("c"), false, false, true),
        (with("eco"), false, false, false),
        (Plan { names: NameSource::Tags, ..with("eco") }, false, false, true),
        (Plan { names: NameSource::Tags, ..with("sm,Rav,rc") }, false, false, false),
        (with("ce"), true, false, false),
        (with("acd"), true, false, false),
        (with("resign"), true, false, false),
        (with("draw_claim"), true, false, false),
        (with("rc"), false, false, false),
        (template("My={game}"), false, true, false),
        (template("My={ply}"), false, false, false),
        (template("c3={game}"), false, true, true),
        (Plan { registers: RegisterStyle::Off, ..template("c3={ply}") }, false, false, false),
        (template("My={eval}"), true, false, false),
        (template("My={clock}"), true, false, false),
        (filter("eval > 0 and ply = 1"), true, false, false),
        (filter("ply > 0"), false, false, false),
        (facts(Fact::Eval), true, false, false),
        (facts(Fact::Game), false, false, false),
        (exclude(Some(1), false), true, false, false),
        (exclude(None, true), false, false, false),
        (label(LabelForm::C9), true, false, false),
        (label(LabelForm::Bullet), true, false, false),
        (Plan { raw_comments: true, keep_commands: true, ..bare() }, false, false, false),
    ];
    for (plan, looks_ahead, counts_games, has_registers) in cases {
        assert_eq!(plan.looks_ahead(), looks_ahead, "{plan:?}");
        assert_eq!(plan.counts_games(), counts_games, "{plan:?}");
        for style in [RegisterStyle::Delta, RegisterStyle::Full] {
            let keeper = plan.register_keeper(style);
            assert_eq!(keeper.is_some(), has_registers, "{plan:?}");
        }
    }
}

#[test]
fn a_set_of_facts_has_those_of_both_sets() {
    let set = |facts: &[Fact]| facts.iter().copied().collect::<emit::FactSet>();
    let both = set(&[Fact::Check, Fact::Ply]).union(set(&[Fact::Ply, Fact::Uci]));
    assert_eq!(both, set(&[Fact::Uci, Fact::Ply, Fact::Check]));
    for fact in Fact::all() {
        let has = matches!(fact, Fact::Check | Fact::Ply | Fact::Uci);
        assert_eq!(both.has(fact), has, "{fact}");
        let one = set(&[fact]);
        assert!(one.has(fact) && one.union(one) == one);
        assert_eq!(one.needs_comments(), matches!(fact, Fact::Clock | Fact::Eval), "{fact}");
        assert_eq!(one.needs_names(), matches!(fact, Fact::Eco | Fact::Opening), "{fact}");
        // Exactly these are missing in a game without tags, comments and moves.
        let (_, cells) = rows("*", &[fact.name()], &Plan { file: "f".to_owned(), ..bare() });
        let is_missing = cells[0][0] == "-" || fact == Fact::Key;
        assert_eq!(is_missing, fact.may_be_missing(), "{fact}: {cells:?}");
    }
    assert!(!set(&[]).needs_comments() && !set(&[]).needs_names());
}

#[test]
fn comments_and_annotations_are_kept_only_where_they_are_wanted() {
    let game = "1. e4! $14 {[%clk 0:01:00]} e5 {good} *";
    let template = |template: &str| Plan { templates: vec![template.parse().unwrap()], ..bare() };
    let with = |ops: &str| Plan { ops: ops.parse().unwrap(), ..bare() };
    // The plan, and the last two records without their fields.
    let cases = [
        (bare(), ["", ""]),
        (with("c"), ["", "c1 \"good\";"]),
        (Plan { keep_commands: true, ..with("c") }, ["c1 \"[%clk 0:01:00]\";", "c1 \"good\";"]),
        (template("My={clock}"), ["My 60;", ""]),
        (template("My={nags}"), ["My \"$1 $14\";", ""]),
        (
            Plan { filter: Some("not nags ~ '$2'".parse().unwrap()), ..template("My={ply}") },
            ["My 1;", "My 2;"],
        ),
    ];
    for (plan, expected) in cases {
        let text = replay(game, &plan);
        let records = lines(&text);
        let operations = |line: &&str| line.splitn(5, ' ').nth(4).unwrap_or_default().to_owned();
        let found: Vec<String> = records[1..].iter().map(operations).collect();
        assert_eq!(found, expected, "{plan:?}");
        let mut sink = Text::default();
        let (counts, _) =
            Replay::new(Chunk::whole(game.as_bytes()), &plan).run(&mut sink.sink(&plan));
        let has_nags = |text: String| text.contains("nags");
        let wants_nags = plan.templates.iter().any(|template| has_nags(template.to_string()))
            || plan.filter.iter().any(|filter| has_nags(filter.to_string()));
        assert_eq!(counts.annotations, if wants_nags { 0 } else { 2 }, "{plan:?}");
    }
}

#[test]
fn texts_of_a_column_are_rewritten_and_read() {
    let pgn = "[White \"A\"]\n[Black \"\"]\n\n1. e4 *\n\n[Black \"B\0C\"]\n\n*\n";
    let (mut table, cells) = rows(pgn, &["White", "Black", "san", "ply"], &bare());
    assert_eq!(cells, [["A", "-", "e4", "0"], ["A", "-", "-", "1"], ["-", "B\0C", "-", "0"]]);
    let [white, _, san, ply] = &mut table.columns[..] else { panic!("{table:?}") };
    let texts = |column: &emit::ColumnValues| -> Vec<Option<String>> {
        (0..4).map(|row| column.text(row).map(str::to_owned)).collect()
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(texts(white), [some("A"), some("A"), None, None]);
    assert_eq!((san.has(0), san.has(1), san.has(2)), (true, false, false));
    assert_eq!((&*san.is_there, &*ply.is_there), (&[true, false, false][..], &[][..]));
    white.rewrite(|text, bytes| bytes.extend(format!("{text}{text}").as_bytes()));
    assert_eq!(texts(white), [some("AA"), some("AA"), None, None]);
    let before = ply.clone();
    ply.rewrite(|_, bytes| bytes.push(b'x'));
    assert_eq!((&*ply, texts(ply)), (&before, vec![None; 4]));
    // All tags as one text, in which no value has a NUL.
    let columns = [Column::Tags];
    let mut rows = Rows::new(&columns, &table);
    let (plan, mut text) = (bare(), Text::default());
    let mut sink = RowSink::new(text.sink(&plan), &columns, &plan, &mut rows);
    Replay::new(Chunk::whole(pgn.as_bytes()), &plan).run(&mut sink);
    let found: Vec<_> = (0..3).map(|row| rows.columns[0].text(row).unwrap()).collect();
    let first = "White\0A\0Black\0\0";
    assert_eq!(found, [first, first, "Black\0B\u{fffd}C\0"]);
    assert_eq!(
        (Column::Tags.to_string(), Column::Fact(Fact::Ply).name()),
        ("tags".to_owned(), "ply")
    );
}

#[test]
fn rows_follow_selected_positions_variants_and_problems() {
    let plan = Plan { names: NameSource::Embedded, ..bare() };
    let select = emit::Select { first: 2, ..Default::default() };
    let (_, cells) = rows("1. e4 c5 *", &["eco", "ply"], &Plan { select, ..plan.clone() });
    assert_eq!(cells, [["B20", "2"]]);
    let variant = "[Variant \"Atomic\"]\n\n1. e4 d5 2. exd5 *";
    let names = ["ply", "fen", "eco", "key", "uci"];
    let (_, cells) = rows(variant, &names, &plan);
    assert_eq!(cells.len(), 4);
    let last = ["3", "rnbqkbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", "-", "-", "-"];
    assert_eq!(cells[3], last);
    let (_, cells) = rows(variant, &["ply", "line"], &Plan { select, ..plan.clone() });
    assert_eq!(cells, [["2", "1"], ["3", "1"]]);
    // Positions without a label have no rows.
    let format = Format::Label(LabelForm::Bullet);
    let (_, cells) =
        rows("1. e4 {[%eval 0.5]} e5 1-0", &["ply", "record"], &Plan { format, ..plan.clone() });
    assert_eq!(cells, [["1", &format!("{AFTER_E4} 0 1 | 50 | 1.0")]]);
    // The sink of records gets what has no row.
    let columns = [Column::Fact(Fact::Ply)];
    let mut rows = Rows::new(&columns, &Rows::default());
    let plan = Plan { blank_line: true, templates: vec!["My={plies}".parse().unwrap()], ..plan };
    let mut text = Text::default();
    let sink = RowSink::new(text.sink(&plan), &columns, &plan, &mut rows);
    let pgn = "1. e4 e4 *\n\n1. d4 d5 *";
    Replay::new(Chunk::whole(pgn.as_bytes()), &plan).run(&mut LookAhead::new(sink, &plan));
    assert_eq!((rows.len(), text.problems.len()), (5, 1));
    let written = std::str::from_utf8(text.bytes.as_bytes()).unwrap();
    assert_eq!((written.matches("My 2;").count(), written.matches("\n\n").count()), (5, 2));
}

#[test]
fn games_as_values_without_a_whole_game_or_with_too_much_text() {
    let facts = [Fact::Line].into_iter().collect();
    let plan = Plan { facts, max_game_bytes: 30, ..Plan::default() };
    let large = format!("[White \"L\"]\n\n1. e4 {{{}}} *", "x".repeat(30));
    let list = games(format!("1. d4 *\n\n{large}\n\n1. c4 *").as_bytes(), &plan);
    let shown: Vec<_> = list
        .games
        .iter()
        .map(|game| (game.number, game.place.line, game.positions.len(), game.problems.len()))
        .collect();
    assert_eq!(shown, [(1, 1, 2, 0), (2, 3, 0, 1), (3, 7, 2, 0)]);
    // A game that the filter rejects is not begun.
    let filter = Some("White = 'A'".parse().unwrap());
    let list = games(format!("1. d4 *\n\n{large}").as_bytes(), &Plan { filter, ..plan });
    let [game] = &list.games[..] else { panic!("{:?}", list.games) };
    assert_eq!((game.number, game.place.line, game.problems.len()), (2, 3, 1));
    // The records that the user's own operations replace, and characters outside of ASCII.
    let templates = ["fmvn=7", "sm=d4", "Who={White}"].map(|text| text.parse().unwrap()).to_vec();
    let plan = Plan { templates, ascii: true, facts, ..bare() };
    let plan = Plan { ops: Ops::COUNTERS_AND_MOVE, ..plan };
    let list = games("[White \"Jörg\"]\n\n1. e4 *".as_bytes(), &plan);
    let text = replay("[White \"Jörg\"]\n\n1. e4 *", &plan);
    let values: Vec<String> = list.games[0].positions.iter().map(ToString::to_string).collect();
    assert_eq!(values, lines(&text));
    let shown = values[0].splitn(5, ' ').nth(4).unwrap();
    assert!(shown.contains("fmvn 7; hmvc 0; sm d4;") && shown.is_ascii(), "{shown}");
    let position = &list.games[0].positions[0];
    let san = position.san().map(|san| san.to_string());
    assert_eq!((position.ply, position.game, san.as_deref()), (0, 1, Some("e4")));
    assert_eq!(list.games[0].tags.len(), 1);
    assert_eq!((&*list.games[0].tags[0].name, &*list.games[0].tags[0].value), ("White", "Jörg"));
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
        let mut sink = LookAhead::new(text.sink(&plan), &plan);
        Replay::new(Chunk::whole(b"1. e4 {+0.3/1 1s} 1-0"), &plan).run(&mut sink);
        let labelled = sink.into_inner().labelled();
        let clocks = if form == LabelForm::C9 { "" } else { " 0 1" };
        // The last position has no evaluation.
        let last = if form.needs_evaluation() { None } else { Some(AFTER_E4.len() + clocks.len()) };
        assert_eq!(labelled.map(|labelled| labelled.fields), last, "{form:?}");
        assert_eq!(form.has_means(), form != LabelForm::C9);
    }
}

#[test]
fn a_template_is_read_with_its_opcode_its_facts_and_its_braces() {
    for (text, is_read) in [
        ("Abcdefghijklmno=x", true),
        ("Abcdefghijklmnop=x", false),
        ("a_1=x", true),
        ("_a=x", false),
        ("a-b=x", false),
        ("=x", false),
        ("dm=1", true),
        ("dm=x", false),
        ("ce= 5 ", true),
        ("ce=40000", false),
        ("tcgs=x", false),
        ("tcri=a", false),
        ("tcri=a|b", true),
        ("tcri=\"a\" \"b\"", true),
        ("tcri=\"a|b", false),
        ("resign=", true),
        ("resign= ", false),
        ("id={White|}}}", true),
        ("id={}", false),
    ] {
        let found = text.parse::<emit::Template>();
        assert_eq!(found.is_ok(), is_read, "{text}: {found:?}");
        if let Ok(template) = found {
            assert_eq!(template.to_string(), text);
        }
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
                assert_eq!(text.positions, values.len() as u64);
            }
        }
    }
}

#[test]
fn facts_have_descriptions_of_their_own() {
    let abouts: std::collections::HashSet<&str> = Fact::all().map(Fact::about).collect();
    assert_eq!(abouts.len(), Fact::all().count());
    let units: Vec<_> = Fact::all().filter_map(|fact| Some((fact, fact.unit()?))).collect();
    assert_eq!(
        units,
        [
            (Fact::Clock, "seconds"),
            (Fact::Elo, "rating"),
            (Fact::Eval, "centipawns"),
            (Fact::Plies, "plies"),
            (Fact::Ply, "plies"),
        ]
    );
    let kinds = [
        (Fact::Check, emit::FactKind::Truth),
        (Fact::Key, emit::FactKind::Key),
        (Fact::Eval, emit::FactKind::Signed),
        (Fact::San, emit::FactKind::Text),
    ];
    assert!(kinds.iter().all(|(fact, kind)| fact.kind() == *kind));
    assert_eq!(Fact::Game.places().to_string(), "templates and columns");
    assert_eq!(Fact::Record.places().to_string(), "columns");
    assert_eq!(Fact::Ply.places().to_string(), "templates, columns and conditions");
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
            assert_eq!(
                comment,
                "shch".repeat(letters).get(..255).unwrap_or(&"shch".repeat(letters))
            );
            assert_eq!(text.losses().shortened, 2 * shortened, "{letters}");
            if games_as_values {
                let list = games(pgn.as_bytes(), &plan);
                assert_eq!(list.losses, text.losses(), "{letters}");
            }
        }
    }
}

#[test]
fn a_sink_gets_the_comments_that_its_plan_wants() {
    let pgn = b"1. e4 {[%clk 0:01:00]} e5 {x} 2. Nf3 {+0.1/3 1s} Nc6 {[%clk 0:01:00] y} *";
    let facts = [Fact::Line].into_iter().collect();
    let plan = Plan { facts, ..bare() };
    let comments = Plan { ops: Ops::of(&[Op::C]), ..plan.clone() };
    let all = vec!["[%clk 0:01:00]", "x", "+0.1/3 1s", "[%clk 0:01:00] y"];
    let cases = [
        (plan.clone(), vec![]),
        (Plan { notes: true, ..plan.clone() }, vec![]),
        (comments.clone(), vec!["x", "[%clk 0:01:00] y"]),
        (Plan { notes: true, ..comments.clone() }, vec!["x", "[%clk 0:01:00] y"]),
        (Plan { registers: RegisterStyle::Off, ..comments.clone() }, vec![]),
        (Plan { keep_commands: true, ..comments.clone() }, all.clone()),
        (Plan { raw_comments: true, ..plan.clone() }, all.clone()),
        (Plan { ops: Ops::of(&[Op::Ce]), ..plan.clone() }, all.clone()),
        (
            Plan { facts: [Fact::Clock, Fact::Line].into_iter().collect(), ..plan.clone() },
            all.clone(),
        ),
        (Plan { filter: Some("eval or ply >= 0".parse().unwrap()), ..plan.clone() }, all.clone()),
        (
            Plan {
                exclude: emit::ExcludePositions { beyond: Some(1000), ..Default::default() },
                ..plan.clone()
            },
            all,
        ),
    ];
    for (plan, expected) in cases {
        let list = games(pgn, &plan);
        let positions = list.games.iter().flat_map(|game| &game.positions);
        let found: Vec<&String> = positions.flat_map(|position| &position.comments).collect();
        assert_eq!(found, expected, "{plan:?}");
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
        (
            Format::Fen,
            RegisterStyle::Delta,
            "eco,v",
            ["0 1 eco; v0;".into(), format!("0 1 {eco} {name}")],
        ),
        (Format::Fen, RegisterStyle::Off, "eco,v", ["0 1".into(), "0 1".into()]),
        (
            Format::Epd,
            RegisterStyle::Delta,
            "eco,rc,v",
            ["eco; rc 1; v0;".into(), format!("{eco} rc 1; {name}")],
        ),
    ];
    for (format, registers, ops, expected) in cases {
        let ops = ops.parse().unwrap();
        let plan = Plan { format, registers, ops, names: NameSource::Embedded, ..bare() };
        let text = replay("1. e4 *", &plan);
        let found: Vec<&str> = lines(&text)
            .iter()
            .map(|line| line.splitn(5, ' ').nth(4).unwrap_or_default())
            .collect();
        assert_eq!(found, expected, "{plan:?}");
    }
}
