//! `--format pgn` of games: those with a selected position, as they are.

use pgn2epd::Options;
use pgn2epd::options::{Filter, OnError};
use testkit::hostile::hostile;
use testkit::shared::corpus_pgn;

use crate::support::{convert, decoded, fixture, jobs, program, try_convert};

const RUNS: [(usize, usize); 5] = [(1, 64), (1, 700), (2, 64), (2, 4096), (3, 100_000)];

fn options(names: &[(&str, &str)]) -> Options {
    Options::from_names(names.iter().copied().chain([("format", "pgn")])).unwrap()
}

/// The games of a text, each to the beginning of the next: a line that begins with an Event tag.
fn cut(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = text.match_indices("\n[Event ").map(|(at, _)| at + 1).collect();
    starts.insert(0, 0);
    starts.push(text.len());
    starts.windows(2).map(|at| &text[at[0]..at[1]]).collect()
}

#[test]
fn all_games_are_the_input() {
    for file in corpus_pgn() {
        let pgn = decoded(&file.read().unwrap()).unwrap();
        for (threads, chunk_bytes) in [(1, 4 << 20), (2, 700), (2, 256 << 10)] {
            let options = options(&[]).jobs(jobs(threads)).chunk_bytes(chunk_bytes);
            assert!(convert(&pgn, &options).output == pgn, "{}: {chunk_bytes}", file.name);
        }
    }
    for text in [
        "1. e4 * 1. d4 *",
        "\u{feff}% a program\n\n[Event \"a\"]\r\n\r\n1. e4 *\r\n% between\r\n\r\n\r\n[Event \"b\"]\n\n*",
        "[Event \"a\"]\n\n1. e4 e4 2. d4 {rest}\n\n; remark\n\n[Event \"b\"]\n\n1. d4 *\n\nend",
        "[FEN \"no position\"]\n\n1. e4 *\n",
    ] {
        for chunk_bytes in [64, 4 << 20] {
            let converted = convert(text.as_bytes(), &options(&[]).chunk_bytes(chunk_bytes));
            assert_eq!(String::from_utf8(converted.output).unwrap(), text);
        }
    }
}

#[test]
fn chunks_and_threads_do_not_matter() {
    let wheres = ["", "ply = 1", "ply = 2 and turn = w", "White = \"A\" or pieces < 31"];
    for (name, pgn) in hostile() {
        let Some(pgn) = decoded(&pgn) else { continue };
        let runs = if pgn.len() < 20_000 { &RUNS[..] } else { &RUNS[3..] };
        for (number, condition) in wheres.iter().enumerate() {
            let filter: Option<Filter> =
                (!condition.is_empty()).then(|| condition.parse().unwrap());
            let limit = if number % 2 == 0 { 64 << 20 } else { 1000 };
            let options = options(&[]).filter(filter).max_game_bytes(limit);
            let expected = try_convert(&pgn, &options.clone().jobs(jobs(1)).chunk_bytes(4 << 20));
            for &(threads, chunk_bytes) in runs {
                let options = options.clone().jobs(jobs(threads)).chunk_bytes(chunk_bytes);
                let actual = try_convert(&pgn, &options);
                assert!(actual == expected, "{name}: {condition}, -j {threads}, {chunk_bytes}");
            }
        }
    }
}

#[test]
fn games_are_chosen_by_their_tags() {
    let mut games = 0;
    for name in ["twic1599_first555.pgn", "worldcup2005.pgn", "lichess_2025-05_first219.pgn"] {
        let Some(file) = corpus_pgn().find(|file| file.name == name) else { continue };
        let text = String::from_utf8_lossy(&file.read().unwrap()).into_owned();
        let chosen = cut(&text).into_iter().filter(|game| game.contains("\n[Result \"0-1\"]"));
        let chosen: Vec<&str> = chosen.collect();
        let converted = convert(text.as_bytes(), &options(&[("where", "Result = \"0-1\"")]));
        assert!(converted.output == chosen.concat().as_bytes(), "{name}");
        games += chosen.len();
    }
    assert!(games == 0 || games > 300, "{games}");
}

const THREE: &str = "[Event \"a\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. f4 *\n\n\
                     [Event \"b\"]\n\n1. d4 *\n\n[Event \"c\"]\n\n1. e4 e5 2. f4 exf4 3. d4 *\n";

#[test]
fn games_are_chosen_by_their_positions() {
    let games = cut(THREE);
    let cases: [(&[(&str, &str)], &[usize]); 9] = [
        (&[], &[0, 1, 2]),
        (&[("ply", "3")], &[0, 2]),
        (&[("ply", "9")], &[]),
        (&[("where", "pieces = 31")], &[2]),
        (&[("where", "pieces = 31"), ("omit", "captures")], &[2]),
        (&[("omit", "start"), ("ply", "..1")], &[0, 1, 2]),
        (&[("last", "true"), ("where", "turn = w")], &[]),
        (&[("where", "fen ~ \"pp1ppppp\"")], &[]),
        (&[("where", "fen ~ \"pp1ppppp\""), ("variations", "true")], &[0]),
    ];
    for (names, expected) in cases {
        let expected: String = expected.iter().map(|index| games[*index]).collect();
        let converted = convert(THREE.as_bytes(), &options(names));
        assert_eq!(String::from_utf8(converted.output).unwrap(), expected, "{names:?}");
    }
}

#[test]
fn a_game_with_an_error_is_kept_or_left_out() {
    let pgn = "[Event \"a\"]\n\n1. e4 Ke6 2. d4 *\n\n[Event \"b\"]\n\n1. d4 *\n";
    let games = cut(pgn);
    for (on_error, expected) in
        [(OnError::Keep, pgn), (OnError::Skip, games[1]), (OnError::Stop, games[0])]
    {
        let converted = convert(pgn.as_bytes(), &options(&[]).on_error(on_error));
        assert_eq!(String::from_utf8(converted.output.clone()).unwrap(), expected);
        assert_eq!(
            converted.messages(),
            ["3:7: game 1, 1... Ke6: illegal: no black king can reach e6"]
        );
    }
}

#[test]
fn a_game_above_the_limit_is_kept_with_all_others() {
    let long = format!("[White \"long\"]\n\n1. e4 {{{}}} e5 *\n\n", "x".repeat(5000));
    let pgn = format!("{long}{THREE}\n{long}{THREE}");
    for (threads, chunk_bytes) in RUNS {
        let options = |names: &[(&str, &str)]| {
            options(names).max_game_bytes(1000).jobs(jobs(threads)).chunk_bytes(chunk_bytes)
        };
        let all = convert(pgn.as_bytes(), &options(&[]));
        assert!(all.output == pgn.as_bytes(), "{chunk_bytes}");
        assert_eq!(all.summary.errors, 2);
        let without = format!("{THREE}\n{THREE}");
        for names in [("on-error", "skip"), ("where", "ply >= 0")] {
            let converted = convert(pgn.as_bytes(), &options(&[names]));
            assert_eq!(String::from_utf8(converted.output).unwrap(), without, "{names:?}");
        }
    }
}

#[test]
fn an_empty_line_is_between_games_of_different_files() {
    let cases = [
        ("[Event \"a\"]\n\n*", "[Event \"a\"]\n\n*\n\n"),
        ("[Event \"a\"]\n\n*\n", "[Event \"a\"]\n\n*\n\n"),
        ("[Event \"a\"]\n\n*\n\n", "[Event \"a\"]\n\n*\n\n"),
        ("[Event \"a\"]\r\n\r\n*\r\n", "[Event \"a\"]\r\n\r\n*\r\n\r\n"),
        ("[Event \"a\"]\r\n\r\n*\r\n\r\n", "[Event \"a\"]\r\n\r\n*\r\n\r\n"),
    ];
    for (first, expected) in cases {
        let outcome = program()
            .file("a.pgn", first)
            .file("none.pgn", "\u{feff}\n[Event \"none\"]\n\n*\n")
            .file("b.pgn", "\u{feff}[Event \"b\"]\n\n*\n")
            .args(["--where", "Event != \"none\"", "a.pgn", "none.pgn", "b.pgn", "-o", "out.pgn"])
            .run();
        assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
        let expected = format!("{expected}[Event \"b\"]\n\n*\n");
        assert_eq!(String::from_utf8(outcome.file("out.pgn").unwrap()).unwrap(), expected);
    }
}

#[test]
fn a_compressed_output_has_the_same_games() {
    let pgn = fixture("classics.pgn");
    let options = ["--where", "ply = 40", "-q", "a.pgn"];
    let plain = program().file("a.pgn", &pgn).args(["--format", "pgn"]).args(options).run();
    let packed = program().file("a.pgn", &pgn).args(["-o", "out.pgn.zst"]).args(options).run();
    assert!(!plain.stdout.is_empty() && plain.stdout.len() < pgn.len());
    let packed = decoded(&packed.file("out.pgn.zst").unwrap()).unwrap();
    assert!(packed == plain.stdout);
}

#[test]
fn options_without_a_meaning_for_games_are_refused() {
    let cases: [(&[&str], &str); 8] = [
        (
            &["--unique"],
            "--unique, --skip, --limit, --sample, --sort and --split-by position are not",
        ),
        (&["--sort", "ply"], "--unique, --skip, --limit, --sample, --sort and --split-by position"),
        (
            &["--shuffle"],
            "a.pgn: --shuffle is not for --format pgn of PGN, whose games are written",
        ),
        (&["--split", "a=0.5,b=0.5"], "a.pgn: --split is not for --format pgn of PGN"),
        (&["--ops", "sm"], "--format pgn has no operations: omit --ops"),
        (&["--add", "c9={Result}"], "--format pgn has no operations: omit --ops"),
        (&["--columns", "ply"], "--columns is for tables"),
        (&["--blank-line"], "--blank-line is for records, FENs and labels"),
    ];
    for (args, expected) in cases {
        let outcome = program()
            .file("a.pgn", "1. e4 *")
            .args(["--format", "pgn", "a.pgn", "-o", "out"])
            .args(args)
            .run();
        assert_eq!(outcome.status, 2, "{args:?}");
        assert!(outcome.stderr.starts_with(&format!("pgn2epd: {expected}")), "{}", outcome.stderr);
        assert_eq!(outcome.names(), ["a.pgn"]);
    }
}
