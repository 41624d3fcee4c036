//! Games, positions and rows as values.

use emit::{
    Column, Fact, Format, LabelForm, NotedSink, Ops, Plan, Replay, Select, TableRows, Text,
    empty_rows,
};
use openings::NameSource;
use pgn::Chunk;
use table::{Rows, Values};
use testkit::generate::{Generator, Style};

use super::support::{AFTER_E4, bare, games, lines, plans, replay, rows, run};

#[test]
fn games_as_values_have_the_records_that_are_written() {
    let mut compared = 0;
    for style in Style::ALL {
        let pgn = Generator::text(style, 11, 5000);
        for plan in plans() {
            let (text, counts) = run(&pgn, &plan);
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
            assert_eq!(text.counts.positions, values.len() as u64);
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
            let white = game.tag("White").unwrap();
            format!(
                "{} {} {white} {} {problems:?}",
                game.number,
                game.place.line,
                game.moves().count()
            )
        })
        .collect();
    assert_eq!(shown, ["1 2 A 1 [1, 4]", "2 6 B 1 []", "3 10 C 1 [12]", "4 14 D 0 [18]"]);
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

#[test]
fn rows_have_what_is_known_of_the_game_and_of_its_evaluations() {
    // Tags, movetext, and the cells of the rows.
    let names = [
        "white_elo", "black_elo", "result", "eval_cp", "mate", "white_cp", "white_mate", "comment",
        "material",
    ];
    let all = "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP";
    let cases: [(&str, &str, &[&str]); 6] = [
        (
            "[WhiteElo \"2400\"]\n[BlackElo \"?\"]\n[Result \"1-0\"]",
            "1. e4 {good [%eval 0.3]} {, really} e5 {[%eval #-3]} 0-1",
            &[
                "2400 - 1-0 - - - - -",
                "2400 - 1-0 -30 - 30 - good , really",
                "2400 - 1-0 - -3 - -3 -",
            ],
        ),
        // The result of the movetext counts if the tag has none.
        (
            "[Result \"*\"]\n[WhiteElo \"-\"]",
            "1. e4 {[%eval #-2]} 1/2-1/2",
            &["- - 1/2-1/2 - - - - -", "- - 1/2-1/2 - 2 - -2 -"],
        ),
        ("[WhiteElo \"0\"]", "1. e4 *", &["- - - - - - - -", "- - - - - - - -"]),
        ("", "1. e4 1-0", &["- - 1-0 - - - - -", "- - 1-0 - - - - -"]),
        // A game without moves after one with a result.
        ("[Result \"?\"]", "0-1", &["- - 0-1 - - - - -"]),
        ("[BlackElo \" 1e3 \"]", "*", &["- 1000 - - - - - -"]),
    ];
    for (tags, moves, expected) in cases {
        let pgn = format!("1. d4 1-0\n\n{tags}\n\n{moves}\n");
        let (_, cells) = rows(&pgn, &names, &Plan::default());
        let cells: Vec<String> = cells[2..].iter().map(|row| row.join(" ")).collect();
        let expected: Vec<String> = expected.iter().map(|row| format!("{row} {all}")).collect();
        assert_eq!(cells, expected, "{pgn}");
    }
    let fen = "[FEN \"8/8/4k3/8/2R5/4P3/4K3/r7 w - - 0 60\"]\n\n*";
    let (_, cells) = rows(fen, &["material", "packed"], &Plan::default());
    assert_eq!(cells[0][0], "KRPvKR");
    assert!(cells[0][1].starts_with("01101004001000005b300d00"), "{}", cells[0][1]);
    let variant = "[Variant \"Atomic\"]\n\n1. e4 *";
    let (_, cells) = rows(variant, &["material", "packed", "key", "turn"], &Plan::default());
    assert_eq!(cells[1], ["-", "-", "-", "b"]);
}

#[test]
fn rows_have_the_facts_of_their_records() {
    let pgn = "[White \"A\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2101\"]\n\n1. e4 {[%eval 0.5] [%clk 0:01:30]} f5! 2. Qh5+ *\n\n[White \"?\"]\n\n*\n";
    let names = [
        "White", "check", "game", "line", "ply", "plies", "eval", "clock", "elo", "san", "uci",
        "turn", "nags", "key",
    ];
    let plan = Plan { file: "a.pgn".to_owned(), ..Plan::default() };
    let (mut table, cells) = rows(pgn, &names, &plan);
    let cells: Vec<String> = cells.iter().map(|row| row.join(" ")).collect();
    assert_eq!(
        cells,
        [
            "A false 1 1 0 3 - - 2050.5 e4 e2e4 w - 463b96181691fc9c",
            "A false 1 1 1 3 -50 90 2050.5 f5 f7f5 b - 823c9b50fd114196",
            "A false 1 1 2 3 - - 2050.5 Qh5+ d1h5 w $1 1653fdc943996c48",
            "A true 1 1 3 3 - - 2050.5 - - b - b65e1eef6ff44ad4",
            "- false 2 7 0 0 - - - - - w - 463b96181691fc9c",
        ]
    );
    assert!(!table.is_empty());
    let columns = ["White", "check", "game"].map(|name| name.parse().unwrap());
    emit::add_games(&mut table, &columns, 10);
    let Values::I64(games) = &table.columns[2].values else { panic!("{table:?}") };
    assert_eq!(games, &[11, 11, 11, 11, 12]);
    table.clear();
    assert_eq!((table.is_empty(), table.len()), (true, 0));
}

#[test]
fn excluded_positions_and_discarded_games_have_no_rows() {
    let good = "[White \"A\"]\n\n1. e4 f5 2. Qh5+ g6 *\n\n";
    let bad = "[White \"B\"]\n\n1. e4 f5 2. Qh6 *\n\n";
    let omit = "check".parse().unwrap();
    let skip = emit::OnError::Skip;
    let plan = Plan { omit, on_error: skip, ..Plan::default() };
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
        let mut pass_on = |bytes: &mut san::Buffer, of_part: u64| {
            assert!(bytes.len() >= 1000, "{}", bytes.len());
            parts.extend_from_slice(bytes.as_bytes());
            positions += of_part;
            count += 1;
        };
        let mut sink = text.sink(&plan).in_parts(1000, &mut pass_on);
        Replay::new(Chunk::whole(pgn.as_bytes()), &plan).run(&mut sink);
        parts.extend_from_slice(text.bytes.as_bytes());
        assert!(parts == whole.bytes.as_bytes(), "{plan:?}");
        assert_eq!(positions + text.counts.positions, whole.counts.positions);
        assert!(count > 0, "{count} parts");
        // Only the first game is handed on.
        assert!(text.counts.positions > 2401, "{}", text.counts.positions);
    }
}

#[test]
fn texts_of_a_column_are_read_and_the_last_is_rewritten() {
    let pgn = "[White \"A\"]\n[Black \"\"]\n\n1. e4 *\n\n[Black \"B\0C\"]\n\n*\n";
    let (mut table, cells) = rows(pgn, &["White", "Black", "san", "ply"], &bare());
    assert_eq!(cells, [["A", "-", "e4", "0"], ["A", "-", "-", "1"], ["-", "B\0C", "-", "0"]]);
    let [white, black, san, ply] = &mut table.columns[..] else { panic!("{table:?}") };
    let texts = |column: &table::ColumnValues| -> Vec<Option<String>> {
        (0..4).map(|row| column.text(row).map(str::to_owned)).collect()
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(texts(white), [some("A"), some("A"), None, None]);
    assert_eq!((san.is_valid(0), san.is_valid(1), san.is_valid(2)), (true, false, false));
    assert_eq!((&*san.validity, &*ply.validity), (&[true, false, false][..], &[][..]));
    black.rewrite_last(|text, bytes| bytes.extend(format!("{text}{text}").as_bytes()));
    assert_eq!(texts(black), [None, None, some("B\0CB\0C"), None]);
    let before = ply.clone();
    ply.rewrite_last(|_, bytes| bytes.push(b'x'));
    assert_eq!((&*ply, texts(ply)), (&before, vec![None; 4]));
    // All tags as one text, in which no value has a NUL.
    let columns = [Column::Tags];
    let mut rows = empty_rows(&columns, &table);
    let (plan, mut text) = (bare(), Text::default());
    let mut sink = NotedSink::new(text.sink(&plan), TableRows::new(&columns, &plan, &mut rows));
    Replay::new(Chunk::whole(pgn.as_bytes()), &plan).run(&mut sink);
    let found: Vec<_> = (0..3).map(|row| rows.columns[0].text(row).unwrap()).collect();
    let first = "White\0A\0Black\0\0";
    assert_eq!(found, [first, first, "Black\0B\u{fffd}C\0"]);
    assert_eq!(Column::Tags.to_string(), "tags");
    assert_eq!(Column::Fact(Fact::Ply).name(), "ply");
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
    let mut rows = empty_rows(&columns, &Rows::default());
    let plan = Plan { blank_line: true, templates: vec!["My={plies}".parse().unwrap()], ..plan };
    let mut text = Text::default();
    let mut sink = NotedSink::new(text.sink(&plan), TableRows::new(&columns, &plan, &mut rows));
    let pgn = "1. e4 e4 *\n\n1. d4 d5 *";
    Replay::new(Chunk::whole(pgn.as_bytes()), &plan).run(&mut sink);
    assert_eq!((rows.len(), text.problems.len()), (5, 1));
    let written = std::str::from_utf8(text.bytes.as_bytes()).unwrap();
    assert_eq!((written.matches("My 2;").count(), written.matches("\n\n").count()), (3, 2));
    // The moves of the first game up to its error.
    assert_eq!(written.matches("My 1;").count(), 2);
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
fn bitboards_and_moves_are_those_of_the_position() {
    let names = ["bitboards", "san", "uci"];
    let (rows, cells) = rows("1. e4 e5 *", &names, &Plan::default());
    let moves: Vec<_> = cells.iter().map(|row| (&*row[1], &*row[2])).collect();
    assert_eq!(moves, [("e4", "e2e4"), ("e5", "e7e5"), ("-", "-")]);
    let Values::U64x12(boards) = &rows.columns[0].values else { panic!("another type") };
    // Pawns, knights, bishops, rooks, queens and king: bit 0 is a1.
    let white = [0xff << 8, 0x42, 0x24, 0x81, 0x08, 0x10];
    let black = [0xff << 48, 0x42 << 56, 0x24 << 56, 0x81 << 56, 0x08 << 56, 0x10 << 56];
    assert_eq!((&boards[0][..6], &boards[0][6..]), (&white[..], &black[..]));
    // e2-e4 and e7-e5.
    assert_eq!(boards[1][0], (0xff << 8 | 1 << 28) & !(1 << 12));
    assert_eq!(boards[2][6], (0xff << 48 | 1 << 36) & !(1 << 52));
}

#[test]
fn a_range_of_moves_is_a_range_of_plies_of_each_game() {
    for (first, last) in [(0, u32::MAX), (3, 20)] {
        let select = Select { moves: (10, 12), first, last, ..Select::default() };
        for (fullmoves, is_black) in (1..15).flat_map(|number| [(number, false), (number, true)]) {
            let range = select.of_game(fullmoves, is_black);
            for ply in 0..40 {
                let number = fullmoves + (ply + u32::from(is_black)) / 2;
                let wanted = (10..=12).contains(&number) && (first..=last).contains(&ply);
                assert_eq!(range.wants(ply, true), wanted, "{fullmoves} {is_black} {ply}");
            }
        }
    }
}
