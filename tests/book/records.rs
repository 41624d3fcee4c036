//! Books as input: files of EPD records and FENs.

use std::fs;

use serde_json::json;
use testkit::shared::shared;

use super::GAMES;
use crate::support::program;

/// The first four fields of each line.
fn positions(text: &str) -> Vec<String> {
    text.lines().map(|line| line.split(' ').take(4).collect::<Vec<_>>().join(" ")).collect()
}

fn book(text: impl AsRef<[u8]>, args: &[&str]) -> String {
    let outcome = program().file("in.epd", text).arg("book").args(args).arg("in.epd").run();
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""), "{args:?}");
    outcome.text().to_owned()
}

#[test]
fn a_book_is_read_back_unchanged() {
    let args = ["book", "--ply", "..6", "--format", "epd"];
    let first = program().args(args).stdin(GAMES).run();
    let counts = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split(" c1 ").next().unwrap().to_owned()).collect()
    };
    let again = book(first.text(), &[]);
    assert_eq!(counts(&again), counts(first.text()));
    let fens =
        "4k3/8/8/8/8/8/4P3/4K3 w - - 7 30\n\n# a comment\n4k3/8/8/8/8/8/3P4/4K3 b - - 8 31\n";
    assert_eq!(
        book(fens, &["--preset", "match"]),
        "4k3/8/8/8/8/8/4P3/4K3 w - - fmvn 30; hmvc 7;\n4k3/8/8/8/8/8/3P4/4K3 b - - fmvn 31; hmvc 8;\n"
    );
}

#[test]
fn a_bad_line_is_reported_and_does_not_affect_others() {
    let text =
        "4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/8/8/8/8/8/4P3 w - -\n4k3/8/8/8/8/8/3P4/4K3 w - -\n";
    let outcome = program().file("in.epd", text).args(["book", "--ops", "none", "in.epd"]).run();
    assert_eq!((outcome.status, outcome.lines().len()), (1, 2), "{}", outcome.stderr);
    assert!(outcome.stderr.starts_with("in.epd:2:"), "{}", outcome.stderr);
    for quiet in [&[][..], &["-q"]] {
        let args = ["book", "--report", "report.jsonl", "in.epd"];
        let outcome = program().file("in.epd", text).args(args).args(quiet).run();
        let report = outcome.file("report.jsonl").unwrap();
        let line: serde_json::Value = serde_json::from_slice(&report).unwrap();
        assert_eq!(
            [&line["file"], &line["line"], &line["severity"], &line["game"]],
            [&json!("in.epd"), &json!(2), &json!("error"), &json!(null)],
            "{line}"
        );
        assert!(line["reason"].as_str().unwrap().contains("ranks"), "{line}");
    }
}

#[test]
fn public_books_only_lose_duplicates() {
    let Some(shared) = shared() else { return };
    let read = |name: &str| {
        let path = shared.join("corpus/epd").join(name);
        fs::read_to_string(path).unwrap()
    };
    // Some positions of the third edition differ only by en passant squares, which the fourth
    // edition omits.
    let third = positions(&book(read("UHO_4060_v3-1000.epd"), &["--ops", "none"]));
    let mut fourth = positions(&read("UHO_4060_v4-1000.epd"));
    assert_eq!(third, fourth);
    fourth.sort();
    fourth.dedup();
    assert_eq!(fourth.len(), third.len());
    for name in [
        "2moves_v1-1000",
        "DFRC_4852_v1-1000",
        "closedpos-1000",
        "endgames-1000",
        "popularpos_lichess_v3-1000",
        "stalemates_200d30_v1-1000",
    ] {
        let text = read(&format!("{name}.epd"));
        let epd = book(&text, &["--preset", "match"]);
        assert!(positions(&epd).len() >= 990, "{name}");
        // To PGN and back, to EPD and back: the same book.
        let pgn = book(&text, &["--format", "pgn"]);
        let of_pgn = book(&pgn, &["--last", "--preset", "match"]);
        assert_eq!(of_pgn, epd, "{name}");
        assert_eq!(book(&epd, &["--preset", "match"]), epd, "{name}");
    }
}

#[test]
fn eight_moves_are_converted_to_pgn_and_back() {
    let Some(file) = testkit::shared::corpus_file("8moves_v3_first20000") else { return };
    let text = file.read().unwrap();
    let end = memchr_game(&text, 1000);
    let epd = book(&text[..end], &["--last", "--preset", "match"]);
    let pgn = book(&text[..end], &["--last", "--format", "pgn"]);
    assert_eq!(book(&pgn, &["--last", "--preset", "match"]), epd);
}

/// The byte at which the game with this number begins.
fn memchr_game(text: &[u8], number: usize) -> usize {
    let starts = text.windows(7).enumerate().filter(|(_, window)| window == b"[Event ");
    starts.map(|(at, _)| at).nth(number).unwrap()
}

#[test]
fn a_position_that_no_game_reaches_is_counted_with_a_warning() {
    // A third bishop of one color beside eight pawns, and two knights that give check.
    let odd =
        ["nr1kqrbn/pbpppppp/1p6/8/8/BP6/P1PPPPPP/NR1KQRBN b - -", "4k3/8/3N1N2/8/8/8/8/4K3 b - -"];
    let text = format!("4k3/8/8/8/8/8/4P3/4K3 w - -\n{}\n{}\n", odd[0], odd[1]);
    let reported = |stderr: &str| {
        let lines: Vec<&str> = stderr.lines().collect();
        let [first, more] = lines[..] else { panic!("{stderr}") };
        assert!(first.starts_with("in.epd:2:1: "), "{first}");
        assert!(first.contains(": warning: no game leads to this position: "), "{first}");
        assert_eq!(more, "in.epd: 1 more problem like that in line 2 (unreachable)");
    };
    let run = |args: &[&str]| {
        let outcome = program().file("in.epd", &text).arg("book").args(args).arg("in.epd").run();
        assert_eq!(outcome.status, 0, "{}", outcome.stderr);
        reported(&outcome.stderr);
        outcome
    };
    let whole = run(&["--ops", "none"]);
    assert_eq!(whole.lines()[1..], odd);
    let part = run(&["--partial", "-o", "x.part"]).file("x.part").unwrap();
    let merged =
        program().file("x.part", part).args(["book", "merge", "--ops", "none", "x.part"]).run();
    assert_eq!((merged.status, &*merged.stderr), (0, ""));
    assert_eq!(merged.text(), whole.text());
}

#[test]
fn records_count_with_their_results_and_moves() {
    let text = "\
        4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 35 | 1.0\n\
        4k3/8/8/8/8/8/4P3/4K3 w - - 3 9 | 20 | 0.5\n\
        4k3/8/8/8/8/8/3P4/4K3 b - - sm Ke7; c0 \"games 4 white 1 draws 1 black 1\"; c9 \"1-0\";\n\
        4k3/8/8/8/8/8/3P4/4K3 b - - sm Ke7; c9 \"0-1\";\n\
        4k3/8/8/8/8/8/3P4/4K3 b - - sm Kd7; c9 \"0-1\"; ce -40;\n";
    let counts = |args: &[&str]| -> Vec<String> {
        let columns = |line: &str| line.split(',').take(7).collect::<Vec<_>>().join(",");
        book(text, args).lines().skip(1).map(columns).collect()
    };
    assert_eq!(
        counts(&["--format", "csv"]),
        [
            "4k3/8/8/8/8/8/4P3/4K3 w - -,,,2,1,1,0",
            "4k3/8/8/8/8/8/3P4/4K3 b - -,Kd7,e8d7,1,0,0,1",
            "4k3/8/8/8/8/8/3P4/4K3 b - -,Ke7,e8e7,5,1,1,2",
        ]
    );
    // Conditions and ranges are those of the converter.
    for (args, games) in [
        (&["--where", "eval >= 35"][..], "1,1,0,0"),
        (&["--where", "c9 = \"0-1\" and not has(ce)"], "1,0,0,1"),
        (&["--move", "9"], "1,0,1,0"),
        (&["--eval", "..-40"], "1,0,0,1"),
    ] {
        let counted = counts(&[&["--format", "csv"], args].concat());
        assert_eq!(counted.len(), 1, "{args:?}");
        assert!(counted[0].ends_with(&format!(",{games}")), "{args:?}: {counted:?}");
    }
    let outcome = program().file("in.epd", text).args(["book", "--last", "in.epd"]).run();
    assert_eq!(
        (outcome.status, &*outcome.stderr),
        (2, "pgn2epd: in.epd: --last is for games; this file has positions\n")
    );
    let args = ["book", "--where", "bm = e4", "in.pgn"];
    let outcome = program().file("in.pgn", "1. e4 *").args(args).run();
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.contains("bm is not known of games"), "{}", outcome.stderr);
}

#[test]
fn training_data_counts_as_its_games_do() {
    let columns = |text: &str| -> Vec<String> {
        let row = |line: &str| line.split(',').take(7).collect::<Vec<_>>().join(",");
        text.lines().map(row).collect()
    };
    let games = "[Result \"1-0\"]\n\n1. e4 {+0.20/9} e5 {-0.10/9} 2. Nf3 {+0.30/9} Nc6 {0.00/9} 1-0\n\n\
                 [Result \"1/2-1/2\"]\n\n1. e4 {+0.20/9} c5 {-0.10/9} 1/2-1/2\n";
    let data = program().file("in.pgn", games).args(["in.pgn", "-o", "data.vf"]).run();
    assert_eq!(data.status, 0, "{}", data.stderr);
    let data = data.file("data.vf").unwrap();
    let args = ["book", "--format", "csv", "data.vf"];
    let of_data = program().file("data.vf", data).args(args).run();
    assert_eq!((of_data.status, &*of_data.stderr), (0, ""));
    assert_eq!(
        columns(of_data.text())[1..],
        [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -,e4,e2e4,2,1,1,0",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -,c5,c7c5,1,0,1,0",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -,e5,e7e5,1,1,0,0",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -,Nf3,g1f3,1,1,0,0",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -,Nc6,b8c6,1,1,0,0",
        ]
    );
}

#[test]
fn the_kind_of_a_file_can_be_given() {
    let args = ["--format", "viriformat", "-o", "a.vf", "-"];
    let game = "1. e4 {[%eval 0.2]} e5 {[%eval 0.3]} 2. Nf3 {[%eval 0.1]} 1-0";
    let data = program().args(args).stdin(game).run().file("a.vf").unwrap();
    let count = |name: &str, args: &[&str]| {
        let book = program().file(name, &data).args(["book", "--ops", "none"]);
        let outcome = book.args(args).arg(name).run();
        assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
        outcome.text().to_owned()
    };
    let by_name = count("a.vf", &[]);
    assert!(
        by_name.contains("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n"),
        "{by_name}"
    );
    assert_eq!(count("a.dat", &["--input", "viriformat"]), by_name);
    // By its content it is something else, and every line a comment.
    let args = ["book", "--input", "pgn", "--ops", "none", "--ply", "1"];
    let outcome = program().file("a.txt", "; 1. d4\n1. e4 *\n").args(args).arg("a.txt").run();
    assert_eq!(outcome.text(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n");
}
