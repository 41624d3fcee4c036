//! Tables of games.

use std::collections::BTreeMap;

use serde_json::Value;
use testkit::generate::{Generator, Style};

use crate::support::program;

const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"2400\"]\n[Date \"1851.06.21\"]\n[TimeControl \"90+1.5\"]\n[Result \"1-0\"]\n\n\
    1. e4 {[%eval 0.3] [%clk 0:01:30.5]} e5 {[%eval #-3]} 2. Nf3 1-0\n\n\
    [White \"C\"]\n[Date \"1992.??.??\"]\n[Termination \"Time forfeit\"]\n\n1. d4 Ke4 1/2-1/2\n\n\
    [White \"D\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
    [White \"E\"]\n[FEN \"nonsense\"]\n\n1. e4 *\n";

#[track_caller]
fn table(args: &[&str], games: &str) -> String {
    let outcome = program().args(["-q", "--rows", "games"]).args(args).stdin(games).run();
    assert_eq!(&*outcome.stderr, "", "{args:?}");
    outcome.text().to_owned()
}

#[test]
fn a_csv_has_a_line_for_each_game() {
    assert_eq!(
        table(&["--format", "csv"], GAMES),
        "game,White,Black,date,result,termination,white_elo,black_elo,base_time,increment,eco,opening,plies,uci,clock,eval_cp,mate,problem\n\
         1,A,B,1851-06-21,1-0,,2400,,90,1.5,C40,King's Knight Opening,3,e2e4 e7e5 g1f3,? 90.5 ? ?,? -30 ? ?,? ? -3 ?,\n\
         2,C,,,1/2-1/2,time forfeit,,,,,A40,Queen's Pawn Game,1,d2d4,? ?,? ?,? ?,1... Ke4: illegal: no black king can reach e4\n\
         3,D,,,0-1,checkmate,,,,,A00,Barnes Opening: Fool's Mate,4,f2f3 e7e5 g2g4 d8h4,? ? ? ? ?,? ? ? ? ?,? ? ? ? ?,\n\
         4,E,,,,,,,,,,,0,\"\",\"\",\"\",\"\",\"nonsense: FEN tag: 1 ranks, not 8\"\n"
    );
    // Lists of values that may have spaces are arrays of JSON.
    assert_eq!(
        table(&["--format", "csv", "--columns", "line,year,fen,san", "--ply", "3.."], GAMES),
        "line,year,fen,san\n\
         1,1851,\"[\"\"rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\"\"]\",\"\"\n\
         16,,\"[\"\"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2\"\",\
         \"\"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\"\"]\",Qh4#\n\
         20,,[],\"\"\n"
    );
}

#[test]
fn a_null_move_is_missing_from_the_list_of_moves() {
    let games = "1. e4 -- 2. d4 *\n\n1. e4 e5 2. -- *\n";
    assert_eq!(
        table(&["--format", "csv", "--columns", "uci,plies", "--null-moves"], games),
        "uci,plies\ne2e4 ? d2d4,3\ne2e4 e7e5 ?,3\n"
    );
    assert_eq!(
        table(&["--format", "csv", "--columns", "san", "--ply", "..1"], games),
        "san\ne4\ne4 e5\n"
    );
}

#[test]
fn a_list_in_csv_has_a_value_for_each_position_whatever_the_values() {
    let games = "1. e4 {x\ny, \"z\"} e5 {?} *\n";
    assert_eq!(
        table(&["--format", "csv", "--columns", "comment"], games),
        "comment\n\"[null,\"\"x y, \\\"\"z\\\"\"\"\",\"\"?\"\"]\"\n"
    );
}

#[test]
fn lines_of_json_have_lists() {
    assert_eq!(
        table(
            &[
                "--format",
                "jsonl",
                "--columns",
                "White,date,san,clock,check,time,key",
                "--ply",
                "..1"
            ],
            GAMES
        ),
        "{\"White\":\"A\",\"date\":\"1851-06-21\",\"san\":[\"e4\",\"e5\"],\"clock\":[null,90.5],\"check\":[false,false],\"time\":[null,null],\"key\":[\"463b96181691fc9c\",\"823c9b50fd114196\"]}\n\
         {\"White\":\"C\",\"date\":null,\"san\":[\"d4\"],\"clock\":[null,null],\"check\":[false,false],\"time\":[null],\"key\":[\"463b96181691fc9c\",\"830eb9b20758d1de\"]}\n\
         {\"White\":\"D\",\"date\":null,\"san\":[\"f3\",\"e5\"],\"clock\":[null,null],\"check\":[false,false],\"time\":[null,null],\"key\":[\"463b96181691fc9c\",\"288a7029b65b13ed\"]}\n\
         {\"White\":\"E\",\"date\":null,\"san\":[],\"clock\":[],\"check\":[],\"time\":[],\"key\":[]}\n"
    );
}

#[test]
fn games_are_left_out_as_their_positions_are() {
    let whites = |args: &[&str]| {
        let args = [&["--format", "csv", "--columns", "game,White"], args].concat();
        table(&args, GAMES).lines().skip(1).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(whites(&[]), "1,A 2,C 3,D 4,E");
    assert_eq!(whites(&["--where", "White != 'A'"]), "2,C 3,D 4,E");
    // A game without positions is kept.
    assert_eq!(whites(&["--where", "ply > 3 or san = 'Nf3'"]), "1,A 3,D 4,E");
    assert_eq!(whites(&["--omit", "time-forfeits"]), "1,A 3,D 4,E");
    assert_eq!(whites(&["--on-error", "skip"]), "1,A 3,D");
    assert_eq!(whites(&["--omit", "check", "--last"]), "1,A 2,C 4,E");
    assert_eq!(whites(&["--max-game-bytes", "100"]), "2,C 3,D 4,E");
}

#[test]
fn a_problem_is_that_of_its_game() {
    let bad = "[White \"F\"]\n\n1. e4 e5 2. Ke3 *\n\n";
    let games = format!("{bad}{GAMES}{bad}");
    let problems = |args: &[&str]| {
        let args = [&["--format", "jsonl", "--columns", "White,problem", "-j", "1"], args].concat();
        let lines = table(&args, &games);
        let line = |line: &str| -> (String, bool) {
            let value: Value = serde_json::from_str(line).unwrap();
            (value["White"].as_str().unwrap().to_owned(), value["problem"].is_string())
        };
        let found: Vec<_> = lines.lines().map(line).collect();
        found
            .into_iter()
            .map(|(white, has)| if has { white + "!" } else { white })
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(problems(&[]), "F! A C! D E! F!");
    assert_eq!(problems(&["--where", "White != 'C'"]), "F! A D E! F!");
    assert_eq!(problems(&["--on-error", "skip"]), "A D");
}

#[test]
fn lists_have_the_values_of_the_rows_of_positions() {
    let columns = "game,line,ply,fen,san,uci,turn,check,eval,clock,time,nags,comment,pieces,packed,epd,record";
    for style in Style::ALL {
        let pgn = Generator::text(style, 11, 20_000);
        let rows = |kind: &str, more: &[&str]| -> Vec<BTreeMap<String, Value>> {
            let args = ["-q", "--rows", kind, "--format", "jsonl", "--columns", columns];
            let outcome = program().args(args).args(more).stdin(pgn.clone()).run();
            assert_eq!(&*outcome.stderr, "");
            outcome.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        };
        for more in [&[][..], &["--ply", "3..20"], &["--where", "turn = w and White"]] {
            let mut expected: BTreeMap<u64, BTreeMap<String, Vec<Value>>> = BTreeMap::new();
            let args = [more, &["--chunk-bytes", "3000", "-j", "2"]].concat();
            for row in rows("positions", more) {
                let game = expected.entry(row["game"].as_u64().unwrap()).or_default();
                let has_move = !row["san"].is_null();
                for (name, value) in row {
                    let values = game.entry(name.clone()).or_default();
                    if has_move || !matches!(&*name, "san" | "uci" | "time") {
                        values.push(value);
                    }
                }
            }
            let found = rows("games", &args);
            assert_eq!(found.len(), expected.len(), "{style:?} {more:?}");
            for (row, expected) in found.into_iter().zip(expected.into_values()) {
                for (name, value) in row {
                    match &*name {
                        "game" | "line" => assert_eq!(value, expected[&name][0]),
                        _ => assert_eq!(value, Value::Array(expected[&name].clone()), "{name}"),
                    }
                }
            }
        }
    }
}

#[test]
fn a_table_of_games_does_not_depend_on_threads_and_chunks() {
    let games = GAMES.repeat(2000);
    let formats: &[&str] = if cfg!(feature = "arrow") {
        &["csv", "jsonl", "arrow", "parquet"]
    } else {
        &["csv", "jsonl"]
    };
    for format in formats {
        let run = |jobs: &str| {
            let args = ["-q", "--rows", "games", "--format", format, "-j", jobs];
            let outcome =
                program().args(args).args(["--chunk-bytes", "20000"]).stdin(&*games).run();
            outcome.stdout
        };
        let expected = run("1");
        assert!(expected.len() > 1000, "{format}");
        for jobs in ["2", "4"] {
            assert!(run(jobs) == expected, "{format} -j {jobs}");
        }
    }
}

#[test]
fn what_rows_of_games_cannot_have_is_refused_with_the_reason() {
    let csv = ["--rows", "games", "--format", "csv"];
    let cases: [(&[&str], &str); 5] = [
        (&["--rows", "games"], "--rows is for tables (csv, jsonl, arrow, parquet)"),
        (
            &[&csv[..], &["--unique"]].concat(),
            "--unique, and --variations with --rows games, are for positions, not games",
        ),
        (
            &[&csv[..], &["--variations"]].concat(),
            "--unique, and --variations with --rows games, are for",
        ),
        (&["--format", "csv", "--columns", "ply,problem"], "problem is not for positions"),
        (&[&csv[..], &["--columns", "plyy"]].concat(), "did you mean ply?"),
    ];
    for (args, expected) in cases {
        let outcome = program().args(args).stdin(GAMES).run();
        assert_eq!((outcome.status, outcome.text()), (2, ""), "{args:?}");
        assert!(outcome.stderr.contains(expected), "{args:?}: {}", outcome.stderr);
    }
}
