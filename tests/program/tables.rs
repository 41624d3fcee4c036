//! Tables of positions.

use crate::support::program;

const GAMES: &str = "[White \"A \\\"x\\\", b\"]\n[WhiteElo \"2400\"]\n[Result \"1-0\"]\n\n\
    1. e4 {[%eval 0.3] [%clk 0:01:30.5]} e5 {[%eval #-3] so} 2. Nf3 1-0\n\n\
    [White \"C\"]\n\n1. d4 1/2-1/2\n";

#[track_caller]
fn assert_table(args: &[&str], expected: &str) {
    let outcome = program().args(args).stdin(GAMES).run();
    // Without rows there is only the header.
    let is_empty = expected.lines().count() < 2;
    let found = (outcome.status, outcome.stderr.is_empty());
    assert_eq!(found, (i32::from(is_empty), !is_empty), "{args:?}: {}", outcome.stderr);
    assert_eq!(outcome.text(), expected, "{args:?}");
}

#[test]
fn a_csv_has_a_line_for_each_position_and_quotes_where_they_are_needed() {
    assert_table(
        &["--format", "csv", "--columns", "game,ply,uci,n=White,eval_cp,mate,clock,result"],
        "game,ply,uci,n,eval_cp,mate,clock,result\n\
         1,0,e2e4,\"A \"\"x\"\", b\",,,,1-0\n\
         1,1,e7e5,\"A \"\"x\"\", b\",-30,,90.5,1-0\n\
         1,2,g1f3,\"A \"\"x\"\", b\",,-3,,1-0\n\
         1,3,,\"A \"\"x\"\", b\",,,,1-0\n\
         2,0,d2d4,C,,,,1/2-1/2\n\
         2,1,,C,,,,1/2-1/2\n",
    );
    // A line is never empty, and a table without rows has its header.
    assert_table(
        &["--format", "csv", "--columns", "comment", "--ply", "1..2"],
        "comment\n\"\"\nso\n\"\"\n",
    );
    let nothing = program().args(["-q", "--format", "csv", "--columns", "fen,ply"]).stdin("").run();
    assert_eq!((nothing.status, nothing.text()), (1, "fen,ply\n"));
}

#[test]
fn lines_of_json_have_null_for_what_is_missing() {
    assert_table(
        &["--format", "jsonl", "--columns", "game,San=san,White,clock,check,key", "--ply", "1"],
        "{\"game\":1,\"San\":\"e5\",\"White\":\"A \\\"x\\\", b\",\"clock\":90.5,\"check\":false,\"key\":\"823c9b50fd114196\"}\n\
         {\"game\":2,\"San\":null,\"White\":\"C\",\"clock\":null,\"check\":false,\"key\":\"830eb9b20758d1de\"}\n",
    );
}

#[test]
fn the_columns_are_those_of_the_documentation_unless_others_are_given() {
    assert_table(
        &["--format", "csv", "--ply", "2"],
        "game,ply,fen,san,uci,turn,eval_cp,mate,depth,time,clock,result,white_elo,black_elo,eco,opening\n\
         1,2,rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2,Nf3,g1f3,w,,-3,,,,1-0,2400,,C20,King's Pawn Game\n",
    );
}

#[test]
fn the_suffix_selects_the_format() {
    let cases = [
        ("x.csv", &b"ply\n0\n"[..]),
        ("x.JSONL", b"{\"ply\":0}\n"),
        ("x.ndjson", b"{\"ply\":0}\n"),
        ("x.csv.zst", &[0x28, 0xb5, 0x2f, 0xfd]),
        ("x.csv.gz", &[0x1f, 0x8b]),
    ];
    for (name, start) in cases {
        let args = ["--columns", "ply", "-o", name];
        let outcome = program().args(args).stdin(GAMES).run();
        assert_eq!((outcome.status, &*outcome.stderr), (0, ""), "{name}");
        let file = outcome.file(name).unwrap();
        assert!(file.starts_with(start), "{name}: {file:?}");
    }
    let labels = program().args(["--format", "c-chess-cli", "-o", "x.csv"]).stdin(GAMES).run();
    assert_eq!(labels.status, 0, "{}", labels.stderr);
}

#[test]
fn what_cannot_be_a_table_is_refused_with_the_reason() {
    let cases: [(&[&str], &str); 7] = [
        (
            &["--format", "csv", "--columns", "ply,evla"],
            "--columns: evla is not known of games; did you mean eval?",
        ),
        (&["--format", "csv", "--columns", "ply,ply"], "the column \"ply\" occurs twice"),
        (&["--columns", "ply"], "--columns is for tables (csv, jsonl, "),
        (&["--format", "csv", "--ops", "sm"], "--format csv has no operations, unless `record` "),
        (
            &["--format", "csv", "-o", "x.parquet"],
            "-o: the suffix of x.parquet is that of parquet, but the format is csv",
        ),
        (
            &["--format", "epd", "-o", "x.jsonl"],
            "-o: the suffix of x.jsonl is that of jsonl, but the format is epd",
        ),
        (&["-o", "x.bin"], "-o: x.bin is the name of a Polyglot book, but the format is epd; "),
    ];
    for (args, expected) in cases {
        let outcome = program().args(args).stdin(GAMES).run();
        assert_eq!((outcome.status, outcome.text()), (2, ""), "{args:?}");
        assert!(outcome.stderr.contains(expected), "{args:?}: {}", outcome.stderr);
        assert_eq!(outcome.file("x.parquet"), None);
    }
}

#[test]
fn a_table_has_the_selected_positions() {
    let games = GAMES.repeat(300);
    let cases: [&[&str]; 6] = [
        &["--unique"],
        &["--skip", "5", "--limit", "700"],
        &["--sample", "100", "--seed", "3"],
        &["--where", "turn = 'b'"],
        &["--last"],
        &["--variations"],
    ];
    for case in cases {
        let run = |args: &[&str]| program().args(case).args(args).stdin(&*games).run();
        let records = run(&["--format", "fen"]);
        let table = run(&["--format", "csv", "--columns", "fen"]);
        assert_eq!(table.text().strip_prefix("fen\n"), Some(records.text()), "{case:?}");
    }
}

#[test]
fn a_table_does_not_depend_on_the_number_of_threads() {
    let games = GAMES.repeat(1000);
    let formats: &[&str] = if cfg!(feature = "arrow") {
        &["csv", "jsonl", "arrow", "parquet"]
    } else {
        &["csv", "jsonl"]
    };
    for format in formats {
        for more in [&[][..], &["--unique"], &["--compress", "zstd"]] {
            if *format == "arrow" && more.contains(&"--compress") {
                continue;
            }
            let run = |jobs: &str| {
                let args = ["--format", format, "-j", jobs, "--chunk-bytes", "20000"];
                program().args(args).args(more).stdin(&*games).run().stdout
            };
            let expected = run("1");
            for jobs in ["2", "4"] {
                assert!(run(jobs) == expected, "{format} {more:?} -j {jobs}");
            }
        }
    }
}

#[test]
fn cells_are_no_formulas_on_request() {
    let pgn = "[White \"=1+2\"]\n[Black \"@x, \\\"y\\\"\"]\n[Event \"-1\"]\n\n1. e4 {+1} *\n";
    let columns = ["--format", "csv", "--columns", "White,Black,Event,comment,ply"];
    let run = |args: &[&str]| program().args(columns).args(args).stdin(pgn).run();
    let lines = |args: &[&str]| run(args).text().lines().skip(1).collect::<Vec<_>>().join("\n");
    assert_eq!(lines(&[]), "=1+2,\"@x, \"\"y\"\"\",-1,,0\n=1+2,\"@x, \"\"y\"\"\",-1,+1,1");
    assert_eq!(
        lines(&["--csv-safe"]),
        "'=1+2,\"'@x, \"\"y\"\"\",'-1,,0\n'=1+2,\"'@x, \"\"y\"\"\",'-1,'+1,1"
    );
}
