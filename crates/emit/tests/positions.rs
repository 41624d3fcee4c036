//! Records of files of positions, passed to the sinks of games.

use std::sync::Arc;

use emit::{
    ColumnNames, Counts, CsvHeader, Format, LabelForm, LineKind, OpList, Plan, ReadRegisters,
    RecordReplay, Select, Text, begins_with_fen,
};
use epd::{Register, RegisterStyle};
use pgn::Place;

use crate::support::operations;

const FIELDS: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

/// The records of lines, and what was counted.
fn converted(lines: &str, plan: &Plan) -> (String, Text, Counts) {
    converted_lines(lines, LineKind::Records, plan)
}

fn converted_lines(lines: &str, kind: LineKind, plan: &Plan) -> (String, Text, Counts) {
    let mut text = Text::default();
    let mut sink = text.sink(plan);
    let mut replay = RecordReplay::new(plan, kind, ReadRegisters::before(plan));
    let mut byte = 0;
    for (number, line) in (1..).zip(lines.lines()) {
        replay.line(line, Place { byte, line: number, column: 1 }, &mut Vec::new(), &mut sink);
        byte += line.len() as u64 + 1;
    }
    let (counts, _) = replay.finish();
    let bytes = text.bytes.as_bytes().to_vec();
    (String::from_utf8(bytes).unwrap(), text, counts)
}

fn of(plan: Plan, kept: &str) -> Plan {
    plan.of_records(kept.parse().unwrap(), &[])
}

/// A plan for the records for which a condition holds.
fn selected(condition: &str, kept: &str) -> Plan {
    of(Plan { filter: Some(condition.parse().unwrap()), ..Plan::default() }, kept)
}

/// Records of one position with these operations.
fn records(operations: &[&str]) -> String {
    operations.iter().map(|operations| format!("{FIELDS}{operations}\n")).collect()
}

#[test]
fn operations_are_kept_as_they_are_named() {
    let line =
        format!("{FIELDS} bm e4 e3; id \"one\"; acn 5; c0 \"first\"; c1 \"second\"; x9 7; fmvn 3;");
    let cases = [
        ("keep", " acn 5; bm e3 e4; c0 \"first\"; c1 \"second\"; fmvn 3; id \"one\"; x9 7;"),
        ("none", ""),
        ("id,bm", " bm e3 e4; id \"one\";"),
        ("x9", " x9 7;"),
        ("c", " c0 \"first\"; c1 \"second\";"),
        ("c1", " c1 \"second\";"),
        ("-acn,-c,-x9", " bm e3 e4; fmvn 3; id \"one\";"),
        ("ce", ""),
    ];
    for (list, expected) in cases {
        let (text, ..) = converted(&line, &of(Plan::default(), list));
        assert_eq!(text, format!("{FIELDS}{expected}\n"), "{list}");
    }
}

#[test]
fn each_dialect_becomes_each_format() {
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    let fields = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3";
    // Evaluations and points are those of White in brackets and bars, and of the side to move
    // otherwise.
    let lines = [
        format!("{fields} c9 \"0-1\"; ce 35; sm e5;"),
        format!("{fen} [0.0] -35"),
        format!("{fen} | -35 | 0.0"),
    ];
    let formats = [
        (Format::Fen, fen.to_owned()),
        (Format::Label(LabelForm::C9), format!("{fields} c9 \"0-1\";")),
        (Format::Label(LabelForm::Bracket), format!("{fen} [0.0]")),
        (Format::Label(LabelForm::Bullet), format!("{fen} | -35 | 0.0")),
        (Format::Label(LabelForm::CChessCli), format!("{fen},35,2")),
    ];
    for line in &lines {
        for (format, expected) in &formats {
            let plan = of(Plan { format: *format, ..Plan::default() }, "none");
            let (text, ..) = converted(line, &plan);
            assert_eq!(text, format!("{expected}\n"), "{line}");
        }
        let plain = Plan { format: Format::Label(LabelForm::Plain), ..Plan::default() };
        let (text, all, _) = converted(line, &of(plain, "none"));
        // Only the first line has the move played.
        let written = u64::from(line.ends_with("sm e5;"));
        assert_eq!((all.counts.positions, all.counts.unlabelled), (written, 1 - written), "{line}");
        let begin = format!("fen {fen}\nmove e7e5\nscore ");
        assert!(
            written == 0 || text.starts_with(&begin) && text.ends_with("\nply 1\nresult 1\ne\n"),
            "{text}"
        );
    }
}

#[test]
fn conditions_read_the_operations_of_a_record() {
    let line = format!(
        "{FIELDS} acd 20; bm e3 e4; c9 \"1-0\"; ce -40; fmvn 30; id \"WAC.7\"; draw_offer; sm e4;"
    );
    let cases = [
        ("ce < -30", true),
        ("ce = -40 and eval = -40", true),
        ("acd >= 20 and depth = 20", true),
        ("has(bm) and bm ~ 'e4' and bm = 'e3 e4'", true),
        ("bm and not am", true),
        ("has(draw_offer)", true),
        ("has(pv)", false),
        ("id = 'WAC.7'", true),
        ("id ~ 'wac'", true),
        ("Result = '1-0'", true),
        ("san = 'e4' and uci = 'e2e4'", true),
        ("ply = 58 and move = 30", true),
        ("xyzw > 3", false),
        ("not xyzw", true),
        ("line = 1", true),
        ("pieces = 3", true),
    ];
    for (condition, expected) in cases {
        let (text, _, counts) = converted(&line, &selected(condition, "none"));
        assert_eq!(!text.is_empty(), expected, "{condition}");
        assert_eq!(counts.left_out, u64::from(!expected), "{condition}");
    }
}

#[test]
fn templates_use_operations() {
    let templates = vec!["id={id} {bm}".parse().unwrap(), "c3={am}".parse().unwrap()];
    let plan = of(Plan { templates, ..Plan::default() }, "keep");
    let (text, ..) = converted(&format!("{FIELDS} bm e4; id \"a\";"), &plan);
    assert_eq!(text, format!("{FIELDS} bm e4; id \"a e4\";\n"));
}

#[test]
fn a_range_of_plies_has_records_with_a_move_number_only() {
    let lines = format!("{FIELDS} fmvn 5; id \"a\";\n{FIELDS} 0 6\n{FIELDS} id \"b\";\n");
    let ids = |select| {
        let plan = of(Plan { select, ..Plan::default() }, "id,fmvn");
        converted(&lines, &plan).0.replace(FIELDS, "").replace('\n', "/")
    };
    assert_eq!(ids(Select::default()), " fmvn 5; id \"a\";/ fmvn 6;/ id \"b\";/");
    assert_eq!(ids(Select { first: 8, last: 9, ..Select::default() }), " fmvn 5; id \"a\";/");
    assert_eq!(ids(Select { moves: (6, 6), ..Select::default() }), " fmvn 6;/");
}

/// EPD 5.5: a record without `c0` has that of the one before.
#[test]
fn what_a_record_has_from_those_before_it_is_written_if_they_may_be_left_out() {
    let lines = format!(
        "{FIELDS} c0 \"game\"; c1 \"one\"; id \"a\";\n{FIELDS} c1; id \"b\";\n{FIELDS} eco \"B90\"; id \"c\";\n"
    );
    let text = |filter: Option<&str>, registers| {
        let filter = filter.map(|text| text.parse().unwrap());
        let plan = of(Plan { filter, registers, ..Plan::default() }, "keep");
        converted(&lines, &plan).0.replace(FIELDS, "")
    };
    assert_eq!(
        text(None, RegisterStyle::Delta),
        " c0 \"game\"; c1 \"one\"; id \"a\";\n c1; id \"b\";\n eco \"B90\"; id \"c\";\n"
    );
    let full = " c0 \"game\"; c1 \"one\"; id \"a\";\n c0 \"game\"; id \"b\";\n c0 \"game\"; eco \"B90\"; id \"c\";\n";
    assert_eq!(text(None, RegisterStyle::Full), full);
    assert_eq!(text(Some("id != 'a'"), RegisterStyle::Delta), full.split_once('\n').unwrap().1);
    // What a record clears stays cleared if that record is left out.
    let lines =
        format!("{FIELDS} c0 \"a\"; id \"1\";\n{FIELDS} c0; id \"2\";\n{FIELDS} id \"3\";\n");
    let others = converted(&lines, &selected("id != '2'", "keep")).0.replace(FIELDS, "");
    assert_eq!(others, " c0 \"a\"; id \"1\";\n c0; id \"3\";\n");
    assert_eq!(text(Some("c1"), RegisterStyle::Off), " id \"a\";\n");
    assert_eq!(text(Some("eco = 'B90' and ECO = 'B90'"), RegisterStyle::Off), " id \"c\";\n");
}

#[test]
fn text_that_is_no_operation_becomes_a_comment_and_is_counted() {
    let line = format!("{FIELDS} bm #4; c0 \"x\"; 00:00");
    let (text, _, counts) = converted(&line, &of(Plan::default(), "keep"));
    assert_eq!(text, format!("{FIELDS} c0 \"x\"; c1 \"00:00\"; dm 4;\n"));
    assert_eq!((counts.records, counts.unread_texts, counts.lost_texts), (1, 1, 0));
    // Its comment is none of those that the record has from the one before.
    let lines = format!("{FIELDS} c0 \"x\";\n{FIELDS} 00:00\n{FIELDS} id \"a\";");
    let (text, _, counts) =
        converted(&lines, &of(Plan { registers: RegisterStyle::Full, ..Plan::default() }, "keep"));
    let expected = [" c0 \"x\";", " c0 \"x\"; c1 \"00:00\";", " c0 \"x\"; id \"a\";"];
    assert_eq!(text, records(&expected));
    assert_eq!(counts.lost_texts, 0);
    // The next record, with changes alone, ends it, unless it sets a comment before it.
    let lines = [" c0 \"x\";", " 00:00", " id \"a\";", " 00:01", " c0 \"y\";", " 00:02", " 00:03"];
    let lines = records(&lines);
    let expected = [
        " c0 \"x\";", " c1 \"00:00\";", " c1; id \"a\";", " c1 \"00:01\";", " c0 \"y\";",
        " c1 \"00:02\";", " c1 \"00:03\";",
    ];
    let (text, ..) = converted(&lines, &of(Plan::default(), "keep"));
    assert_eq!(text, records(&expected));
    let alone = format!("{FIELDS} 00:00\n{FIELDS} id \"a\";\n{FIELDS} id \"b\";\n");
    let (text, ..) = converted(&alone, &of(Plan::default(), "keep"));
    assert_eq!(text.replace(FIELDS, ""), " c0 \"00:00\";\n c0; id \"a\";\n id \"b\";\n");
    // What is not wanted is not counted.
    let (text, _, counts) = converted(&lines, &of(Plan::default(), "id"));
    assert_eq!((text.matches("id").count(), counts.unread_texts, counts.lost_texts), (1, 0, 0));
}

#[test]
fn the_mean_of_results_in_a_label_is_kept_by_labels_that_have_means() {
    let fen = format!("{FIELDS} 0 1");
    let labels = [" [0.25]", " | 35 | 0.3333", ",12,0.95", ";0.125", " c9 \"0.75\";"];
    let lines = labels.map(|label| format!("{fen}{label}\n")).concat();
    let labelled = |form| {
        let plan = of(Plan { format: Format::Label(form), ..Plan::default() }, "none");
        let (text, all, _) = converted(&lines, &plan);
        (text.lines().map(|line| line.replace(&fen, "")).collect::<Vec<_>>(), all.counts.unlabelled)
    };
    let bracket = [" [0.25]", " [0.3333]", " [0.95]", " [0.125]", " [0.75]"];
    assert_eq!(labelled(LabelForm::Bracket), (bracket.map(str::to_owned).to_vec(), 0));
    let bullet = [" | 35 | 0.3333", " | 12 | 0.95"];
    assert_eq!(labelled(LabelForm::Bullet), (bullet.map(str::to_owned).to_vec(), 3));
    let commas = [",35,0.3333", ",12,0.95"];
    assert_eq!(labelled(LabelForm::CChessCli), (commas.map(str::to_owned).to_vec(), 3));
    assert_eq!(labelled(LabelForm::C9), (Vec::new(), 5));
}

#[test]
fn a_line_without_a_position_costs_that_line_and_is_reported_with_its_place() {
    let lines =
        format!("# suite\n{FIELDS} id \"a\";\n4k3/9/8/8/8/8/8/4K3 w - -\n\n{FIELDS} id \"b\";");
    let (text, all, counts) = converted(&lines, &of(Plan::default(), "id"));
    assert_eq!(text, format!("{FIELDS} id \"a\";\n{FIELDS} id \"b\";\n"));
    assert_eq!((counts.games, counts.records, counts.bad_games), (2, 2, 1));
    let problems: Vec<String> = all.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].starts_with("3:5: 9"), "{problems:?}");
}

#[test]
fn records_of_variants_are_written_by_their_rules() {
    let line = "r1bqk2r/ppp2ppp/2n5/4N3/3b4/8/PPPN1PPP/R1BQKB1R[Pp] w KQkq - id \"zh\";";
    let (text, ..) = converted(line, &of(Plan::default(), "keep"));
    assert_eq!(text, format!("{line}\n"));
    let fen = of(Plan { format: Format::Crafty, ..Plan::default() }, "keep");
    let (text, all, _) = converted(line, &fen);
    assert_eq!((&*text, all.problems.len()), ("", 1));
}

#[test]
fn a_plan_for_records_has_nothing_of_games() {
    let plan = Plan { blank_line: true, ..Plan::default() }.of_records(OpList::KEEP, &[]);
    let (text, ..) = converted(&format!("{FIELDS} fmvn 9;"), &plan);
    assert_eq!(text, format!("{FIELDS} fmvn 9;\n"));
}

/// Two games: a black move before a white one, and a start position.
fn entries() -> Vec<training::Entry> {
    use training::{GameResult, Score};
    let mut position = san::Position::default();
    let mut entries = Vec::new();
    for (san, score, is_start) in [("e4", 35, true), ("e5", -40, false), ("Nf3", 32_000, false)] {
        let played = san::resolve(&position, san.as_bytes()).unwrap();
        entries.push(training::Entry {
            position: position.clone(),
            played: Some(played),
            score: Score::of_raw(score),
            ply: entries.len() as u32,
            result: GameResult::BlackWins,
            is_start,
        });
        position.play_unchecked(played);
    }
    let mut start = entries[0].clone();
    start.result = GameResult::Draw;
    entries.push(start);
    entries
}

fn encoded_again(plan: &Plan) -> (String, u64) {
    use training::ScoreUnit;
    let (mut text, entries) = (Text::default(), entries());
    let mut sink = text.sink(plan);
    let mut replay = emit::EntryReplay::new(plan, true, ScoreUnit::Centipawns);
    for (at, entry) in entries.iter().enumerate() {
        let ends_game = entries.get(at + 1).is_none_or(|next| next.is_start);
        replay.entry(entry, at as u64, ends_game, &mut sink);
    }
    let counts = replay.finish();
    (String::from_utf8(text.bytes.as_bytes().to_vec()).unwrap(), counts.games)
}

#[test]
fn entries_of_training_data_are_games_with_operations() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let (text, games) = encoded_again(&of(Plan::default(), "keep"));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), games), (4, 2));
    assert_eq!(lines[0], format!("{start} c9 \"0-1\"; ce 35; fmvn 1; hmvc 0; sm e4;"));
    assert!(lines[1].ends_with(" c9 \"0-1\"; ce -40; fmvn 1; hmvc 0; sm e5;"), "{}", lines[1]);
    assert_eq!(lines[3], format!("{start} c9 \"1/2-1/2\"; ce 35; fmvn 1; hmvc 0; sm e4;"));
    let (later, _) = encoded_again(&selected("ply > 0", "keep"));
    assert_eq!(later.lines().collect::<Vec<_>>(), lines[1..3]);
    let conditions = [
        ("eval > 0", 3),
        ("ce < 0", 1),
        ("Result = '0-1'", 3),
        ("c9 = '1/2-1/2'", 1),
        ("ply > 0", 2),
        ("san = 'e4'", 2),
    ];
    for (condition, expected) in conditions {
        let (text, _) = encoded_again(&selected(condition, "none"));
        assert_eq!(text.lines().count(), expected, "{condition}");
    }
}

const PUZZLES: &str =
    "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags";

const PUZZLE: &str = "000rZ,2kr1b1r/p1p2pp1/2pqb3/7p/3N2n1/2NPB3/PPP2PPP/R2Q1RK1 w - - 2 13,d4e6 d6h2,633,93,100,616,mate mateIn1,https://lichess.org/seIMDWkD#25,Scandinavian_Defense";

/// The records of rows of CSV, the first of which is the header.
fn of_csv(lines: &str, plan: &Plan) -> (String, Text, Counts) {
    let header = CsvHeader::of(lines.lines().next().unwrap()).unwrap();
    converted_lines(lines, LineKind::Csv(Arc::new(header)), plan)
}

#[test]
fn a_puzzle_is_the_position_after_its_first_move_with_the_solution() {
    let rest = ",1,,,,,,";
    let lines = format!(
        "{PUZZLES}\n{PUZZLE}\n{}\nx,8/8 w - - 0 1,e2e4{rest}\nx,{},d4e6 d6h3{rest}\nx\n",
        PUZZLE.replace("000rZ", "2").replace(",633,", ",2633,"),
        "2kr1b1r/p1p2pp1/2pqb3/7p/3N2n1/2NPB3/PPP2PPP/R2Q1RK1 w - - 2 13"
    );
    let fields = "2kr1b1r/p1p2pp1/2pqN3/7p/6n1/2NPB3/PPP2PPP/R2Q1RK1 b - -";
    let (text, all, counts) = of_csv(&lines, &of(Plan::default(), "-GameUrl,-OpeningTags"));
    let expected = " NbPlays 616; Popularity 100; Rating 633; RatingDeviation 93; Themes \"mate mateIn1\"; \
                    bm Qxh2#; fmvn 13; hmvc 0; id \"000rZ\"; pv Qxh2#;";
    assert_eq!(text.lines().next(), Some(&*format!("{fields}{expected}")));
    assert_eq!((counts.records, counts.bad_games), (2, 3));
    let problems: Vec<String> = all.problems.iter().map(ToString::to_string).collect();
    assert!(problems[0].starts_with("4:3: 8/8 w - - 0 1: "), "{problems:?}");
    let column = "x,".len() + 63 + ",".len() + 1;
    assert!(problems[1].starts_with(&format!("5:{column}: d4e6 d6h3: illegal: ")), "{problems:?}");
    assert_eq!(problems[2], "6:2: the row has 1 cells, the header 10");
    for (condition, expected) in [
        ("Rating > 2000", "2"),
        ("Themes ~ 'mateIn1' and id = '000rZ'", "000rZ"),
        ("has(Rating) and Rating < 700", "000rZ"),
    ] {
        let (text, ..) = of_csv(&lines, &selected(condition, "id"));
        assert_eq!(text, format!("{fields} id \"{expected}\";\n"), "{condition}");
    }
}

#[test]
fn other_names_of_columns_are_given_once() {
    for (text, is_right) in [
        ("fen=position", true),
        ("fen=position,white_cp=score", true),
        (" fen = position ", true),
        ("fen=a,fen=b", false),
        ("fen=a,bm=a", false),
        ("fen", false),
        ("=a", false),
        ("fen=", false),
    ] {
        assert_eq!(text.parse::<ColumnNames>().is_ok(), is_right, "{text}");
    }
}

#[test]
fn a_text_begins_with_a_fen_if_a_board_and_a_side_do() {
    let board = "4k3/8/8/8/8/8/4P3/4K3";
    for (text, expected) in [
        (format!("{board} w"), true),
        (format!("{board} b - - 0 1"), true),
        (format!("{board}[Pp] W"), true),
        (board.to_owned(), false),
        (format!("{board} x"), false),
        (format!("x{board} w"), false),
        ("4k3/8/8/8/8/8/4P3 w - -".to_owned(), false),
        ("w b".to_owned(), false),
    ] {
        assert_eq!(begins_with_fen(&text), expected, "{text}");
    }
}

#[test]
fn a_row_has_a_position_operations_and_variables() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9";
    let lines = format!(
        "id;Fen;bm;dm;c0;White;eval;san;result;foo\n\
         one;{fen};e3 Kd1;3;\"a; \"\"b\"\"\";Ann;25;e4;1-0;7\n\
         two;{fen};e5;0;;;x;;0.25;\n\
         \n\
         three;;;;;;;;;\n\
         four;{fen};;;;;;;*;12\n\
         five;{fen};\"e3;;;;;;;\n"
    );
    let (text, all, counts) = of_csv(&lines, &of(Plan::default(), "keep"));
    let expected = [
        " bm Kd1 e3; c0 \"a; 'b'\"; c9 \"1-0\"; ce 25; dm 3; fmvn 9; hmvc 3; id \"one\"; sm e4;",
        " c0; c9 \"0.25\"; fmvn 9; hmvc 3; id \"two\";",
        " c0; fmvn 9; hmvc 3; id \"four\";",
    ];
    assert_eq!(text, records(&expected));
    assert_eq!((counts.records, counts.bad_games), (3, 4));
    let problems: Vec<String> = all.problems.iter().map(ToString::to_string).collect();
    let column = |before: &str| before.len() + 1;
    let expected = [
        // What does not fit costs its cell, a row without a position itself.
        format!(
            "2:{}: \"a; \"\"b\"\"\": c0: a string has no quotes",
            column(&format!("one;{fen};e3 Kd1;3;"))
        ),
        format!("3:{}: e5: illegal: ", column(&format!("two;{fen};"))),
        format!("3:{}: 0: dm: 0 is not in the range from 1", column(&format!("two;{fen};e5;"))),
        format!("3:{}: x: ce: expected an integer", column(&format!("two;{fen};e5;0;;;"))),
        "5:1: three: the row has no position".to_owned(),
        format!("7:{}: \"e3;;;;;;;: the quoted text does not end", column(&format!("five;{fen};"))),
    ];
    for (found, expected) in problems.iter().zip(&expected) {
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
    assert_eq!(problems.len(), expected.len(), "{problems:?}");
    for (condition, expected) in [
        ("White = 'Ann'", "one"),
        ("foo > 7", "four"),
        ("eval = 25 and san = 'e4' and Result = '1-0'", "one"),
        ("has(c0)", "one"),
        ("has(bm)", "one"),
    ] {
        let (text, ..) = of_csv(&lines, &selected(condition, "id"));
        assert_eq!(text, format!("{FIELDS} id \"{expected}\";\n"), "{condition}");
    }
}

#[test]
fn values_for_white_and_for_the_side_to_move_are_those_of_the_side_to_move() {
    // The column, its cell, and the operation with White and with Black to move. A mate in n moves
    // has the evaluation 32767 less its plies: 2n - 1 if the side to move mates, 2n if it is mated.
    let cases = [
        ("white_cp", "25", "ce 25;", "ce -25;"),
        ("white_cp", "-300", "ce -300;", "ce 300;"),
        ("eval_cp", "25", "ce 25;", "ce 25;"),
        ("white_mate", "3", "ce 32762;", "ce -32761;"),
        ("white_mate", "-2", "ce -32763;", "ce 32764;"),
        ("white_mate", "1", "ce 32766;", "ce -32765;"),
        ("mate", "3", "ce 32762;", "ce 32762;"),
        ("mate", "-2", "ce -32763;", "ce -32763;"),
        ("points", "1", "c9 \"1-0\";", "c9 \"0-1\";"),
        ("points", "0", "c9 \"0-1\";", "c9 \"1-0\";"),
        ("points", "0.5", "c9 \"1/2-1/2\";", "c9 \"1/2-1/2\";"),
        ("points", "0.25", "c9 \"0.25\";", "c9 \"0.75\";"),
        ("result", "1-0", "c9 \"1-0\";", "c9 \"1-0\";"),
        ("time", "2.6", "acs 3;", "acs 3;"),
        ("nodes", "7", "acn 7;", "acn 7;"),
        ("depth", "7", "acd 7;", "acd 7;"),
    ];
    for (column, cell, white, black) in cases {
        let row = |turn| format!("4k3/8/8/8/8/8/4P3/4K3 {turn} - - 3 9,{cell}\n");
        let rows = format!("fen,{column}\n{}{}", row("w"), row("b"));
        let (_, all, _) = of_csv(&rows, &of(Plan::default(), "-fmvn,-hmvc"));
        assert_eq!(all.problems, [], "{column} {cell}");
        assert_eq!(operations(&all), [white, black], "{column} {cell}");
    }
}

#[test]
fn a_line_of_lucas_chess_has_a_title_a_solution_and_a_game() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9";
    let lines = format!(
        "{fen}|\"One\" (1986)|9. e4! Kd8 10. Kf2|[White \"A\"] 1. e4 *\n{fen}|two|9. e5|\n{fen}|three\n"
    );
    let (text, all, counts) = of_csv(&lines, &of(Plan::default(), "-fmvn,-hmvc"));
    let expected = [
        " bm e4; c0 \"[White 'A'] 1. e4 *\"; id \"'One' (1986)\"; pv e4 Kd8 Kf2;",
        " c0 \"9. e5\"; id \"two\";",
    ];
    assert_eq!(text, records(&expected));
    assert_eq!((counts.records, counts.bad_games, counts.unread_texts), (2, 2, 2));
    assert_eq!(all.problems.len(), 2);
}

#[cfg(feature = "evaluations")]
#[test]
fn a_line_of_json_is_a_row() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9";
    let lines = format!(
        "{{\"id\": \"a\", \"fen\": \"{fen}\", \"bm\": [\"e3\", \"e2e4\"], \"dm\": 3.0, \"eval\": null}}\n\
         {{\"epd\":\"{FIELDS} id \\\"b\\\"\",\"dm\":-1}}\n\
         {{\"epd\":\n\
         {{\"fen\":\"8/8\"}}\n"
    );
    let kind = || LineKind::JsonLines(emit::keys_of_lines(&lines));
    let (text, all, counts) = converted_lines(&lines, kind(), &of(Plan::default(), "keep"));
    let expected = [" bm e3 e4; dm 3; fmvn 9; hmvc 3; id \"a\";", " id \"b\";"];
    assert_eq!(text, records(&expected));
    assert_eq!((counts.records, counts.bad_games), (2, 3));
    let problems: Vec<String> = all.problems.iter().map(ToString::to_string).collect();
    let column = format!("{{\"epd\":\"{FIELDS} id \\\"b\\\"\",\"dm\":").len() + 1;
    assert!(
        problems[0].starts_with(&format!("2:{column}: -1}}: dm: -1 is not in")),
        "{problems:?}"
    );
    assert!(problems[1].starts_with("3:"), "{problems:?}");
    assert!(problems[1].contains("not JSON as expected: EOF"), "{problems:?}");
    assert!(problems[2].starts_with("4:9: 8/8: "), "{problems:?}");
    // A row may lack a column by which another one is for White: Black, to move, is mated in three.
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    for (first, ce) in [(",\"cp\":20", -32761), (",\"eval_cp\":20", 32762), ("", 32762)] {
        let lines = format!("{{\"fen\":\"{fen}\"{first}}}\n{{\"fen\":\"{fen}\",\"mate\":3}}\n");
        let kind = LineKind::JsonLines(emit::keys_of_lines(&lines));
        let (text, _, _) = converted_lines(&lines, kind, &of(Plan::default(), "ce"));
        assert_eq!(text.lines().last().unwrap(), format!("4k3/8/8/8/8/8/4P3/4K3 b - - ce {ce};"));
    }
}

#[cfg(feature = "evaluations")]
#[test]
fn an_evaluation_is_the_deepest_one_for_the_side_to_move() {
    let pv = |score: &str, line: &str| format!("{{{score},\"line\":\"{line}\"}}");
    let eval = |pvs: &str, nodes: u32, depth: u32| {
        format!("{{\"pvs\":[{pvs}],\"knodes\":{nodes},\"depth\":{depth}}}")
    };
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - -";
    let line = |evals: &[String]| format!("{{\"fen\":\"{fen}\",\"evals\":[{}]}}", evals.join(","));
    let first = format!("{},{}", pv("\"cp\":30", "e8d7 e2e4"), pv("\"cp\":25", "e8e7"));
    let (shallow, small) = (pv("\"cp\":99", "e8f8"), pv("\"cp\":1", "e8f7"));
    // Of two depths the greater, of equal ones that of more nodes.
    let lines = [
        line(&[eval(&shallow, 5, 20), eval(&first, 2, 30), eval(&small, 1, 30)]),
        line(&[eval(&pv("\"mate\":-3", "e8d8"), 1, 9)]),
        line(&[eval(&pv("\"mate\":2", "e8d8"), 1, 9)]),
        line(&[]),
        "{\"fen\":1}".to_owned(),
    ];
    let plan = of(Plan::default(), "keep");
    let converted = |evals| converted_lines(&lines.join("\n"), LineKind::Evaluations(evals), &plan);
    let (text, all, counts) = converted(emit::Evals::Deepest);
    let expected = [
        " acd 30; acn 2000; ce -30; pv Kd7 e4;",
        " acd 9; acn 1000; ce 32762; dm 3; pv Kd8;",
        " acd 9; acn 1000; ce -32763; pv Kd8;",
    ];
    assert_eq!(text, expected.map(|operations| format!("{fen}{operations}\n")).concat());
    assert_eq!((counts.records, counts.bad_games, all.problems.len()), (3, 2, 2));
    let (text, _, counts) = converted(emit::Evals::All);
    let all = [
        " acd 20; acn 5000; ce -99; pv Kf8;",
        expected[0],
        " acd 30; acn 1000; ce -1; pv Kf7;",
        expected[1],
        expected[2],
    ];
    assert_eq!(text, all.map(|operations| format!("{fen}{operations}\n")).concat());
    assert_eq!((counts.records, counts.bad_games), (5, 2));
}

#[cfg(feature = "evaluations")]
#[test]
fn the_place_of_an_error_counts_blanks_before_the_line() {
    let plan = of(Plan::default(), "keep");
    let columns = ["", "  ", "\u{3000}\u{2003}"].map(|blanks| {
        let line = format!("{blanks}{{\"fen\":\"\u{e9}\u{e9}\",\"evals\":[]}}");
        let (_, text, _) = converted_lines(&line, LineKind::Evaluations(Default::default()), &plan);
        (text.problems[0].place.column, text.problems[0].token.clone())
    });
    let (column, token) = &columns[0];
    assert_eq!(columns[1..], [(column + 2, token.clone()), (column + 2, token.clone())]);
}

#[test]
fn the_first_record_clears_the_registers_of_another_file() {
    let held = [Register::comment(0).unwrap(), Register::ECO];
    let plan = Plan::default().of_records(OpList::KEEP, &held);
    for (lines, expected) in [
        // Once, after lines without a record, and not what the record sets itself.
        (&["# a", " id \"b\";", " id \"c\";"][..], &[" c0; eco; id \"b\";", " id \"c\";"][..]),
        (&[" c0 \"own\";", ""], &[" c0 \"own\"; eco;", ""]),
        (&[" c1 \"own\"; eco \"A00\";"], &[" c0; c1 \"own\"; eco \"A00\";"]),
    ] {
        let comment = format!("{FIELDS}# a\n");
        let (output, text, _) = converted(&records(lines).replace(&comment, "# a\n"), &plan);
        assert_eq!(output, records(expected));
        let sets: Vec<Register> = text.registers().to_vec();
        assert_eq!(sets.contains(&Register::ECO), output.contains("eco"), "{output}");
    }
}

#[test]
fn a_register_that_the_first_record_clears_is_not_cleared_again() {
    let held = [0, 3].map(|rank| Register::comment(rank).unwrap());
    for (held, rest, expected) in
        [(&held[1..], " c0 \"own\";", " c0 \"own\";"), (&held[..], " id \"b\";", " c0; id \"b\";")]
    {
        let plan = Plan::default().of_records(OpList::KEEP, held);
        let (output, _, _) = converted(&format!("{FIELDS}{rest}\n"), &plan);
        assert_eq!(output, format!("{FIELDS}{expected}\n"));
    }
}
