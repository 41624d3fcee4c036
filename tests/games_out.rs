//! `--format pgn` of games: those with a selected position, as they are.

use std::path::Path;

use pgn2epd::Options;
use pgn2epd::options::{Filter, OnError};
use testkit::generate::{Generator, Style};
use testkit::hostile::hostile;
use testkit::shared::{corpus_file, corpus_pgn, is_full};

use crate::chunks::assert_runs_agree;
use crate::folders::convert_all_ways;
use crate::support::{convert, decoded, fixture, jobs, program};

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
    for (place, (name, pgn)) in hostile().into_iter().enumerate() {
        let Some(pgn) = decoded(&pgn) else { continue };
        let runs = if pgn.len() < 20_000 { &RUNS[..] } else { &RUNS[3..] };
        // Each text with every second condition, unless all are wanted.
        let is_wanted = |number: usize| is_full() || number / 2 == place % 2;
        for (number, condition) in
            wheres.iter().enumerate().filter(|(number, _)| is_wanted(*number))
        {
            let filter: Option<Filter> =
                (!condition.is_empty()).then(|| condition.parse().unwrap());
            let limit = if number % 2 == 0 { 64 << 20 } else { 1000 };
            let options = options(&[]).filter(filter).max_game_bytes(limit);
            assert_runs_agree(&format!("{name}: {condition}"), &pgn, &options, runs);
        }
    }
}

#[test]
fn games_are_chosen_by_their_tags() {
    let mut games = 0;
    for name in ["twic1599_first555", "worldcup2005", "lichess_2025-05_first219"] {
        let Some(file) = corpus_file(name) else { continue };
        let text = String::from_utf8_lossy(&file.read().unwrap()).into_owned();
        let chosen = cut(&text).into_iter().filter(|game| game.contains("\n[Result \"0-1\"]"));
        let chosen: Vec<&str> = chosen.collect();
        let converted = convert(text.as_bytes(), &options(&[("where", "Result = \"0-1\"")]));
        assert!(converted.output == chosen.concat().as_bytes(), "{name}");
        games += chosen.len();
    }
    assert!(games == 0 || games > 300, "{games}");
}

#[test]
fn the_normal_form_is_a_fixed_point_that_is_strict() {
    let hostile = hostile().into_iter().filter(|(_, pgn)| pgn.len() < 20_000);
    let hostile = hostile.map(|(name, pgn)| (name.to_owned(), pgn));
    let corpus = corpus_pgn().map(|file| (file.name.clone(), file.read_first().unwrap()));
    for (name, pgn) in hostile.chain(corpus) {
        let Some(pgn) = decoded(&pgn) else { continue };
        let normal = options(&[("games", "normal"), ("on-error", "skip"), ("null-moves", "true")]);
        let once = convert(&pgn, &normal);
        let twice = convert(&once.output, &normal.clone().on_error(OnError::Keep));
        let text = String::from_utf8_lossy(&once.output);
        let strict = convert(&once.output, &normal.clone().strict(true));
        // A position that no game reaches is an error.
        let is_other = |message: &&String| !message.contains("FEN tag: ");
        let messages = strict.messages();
        assert_eq!(messages.iter().find(is_other), None, "{name}: {text:.2000}");
        assert!(twice.output == once.output, "{name}: {text:.2000}");
        assert_eq!(twice.summary.positions, once.summary.positions, "{name}");
        let moves = text.lines().filter(|line| !line.starts_with('['));
        let long = moves.filter(|line| line.chars().count() >= 80 && line.contains(' '));
        assert_eq!(long.collect::<Vec<_>>(), [""; 0], "{name}");
        let chunks = convert(&pgn, &normal.clone().jobs(jobs(2)).chunk_bytes(300));
        assert!(chunks.output == once.output, "{name}");
    }
}

const THREE: &str = "[Event \"a\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. f4 *\n\n\
                     [Event \"b\"]\n\n1. d4 *\n\n[Event \"c\"]\n\n1. e4 e5 2. f4 exf4 3. d4 *\n";

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
fn a_compressed_output_has_the_same_games() {
    let pgn = fixture("classics.pgn");
    let options = ["--where", "ply = 40", "-q", "a.pgn"];
    let plain = program().file("a.pgn", &pgn).args(["--format", "pgn"]).args(options).run();
    let packed = program().file("a.pgn", &pgn).args(["-o", "out.pgn.zst"]).args(options).run();
    assert!(!plain.stdout.is_empty() && plain.stdout.len() < pgn.len());
    let packed = decoded(&packed.file("out.pgn.zst").unwrap()).unwrap();
    assert!(packed == plain.stdout);
}

/// The records of games: the text of each, and an empty line.
fn records(text: &str) -> Vec<String> {
    cut(text).into_iter().map(|game| format!("{}\n\n", game.trim_ascii())).collect()
}

/// The games of a step of a data set, the same with any memory, chunks and threads.
#[track_caller]
fn step(pgn: &str, names: &[(&str, &str)]) -> String {
    let expected = convert(pgn.as_bytes(), &options(names)).output;
    for (memory, threads, chunk_bytes) in [(1, 1, 700), (9000, 2, 3000), (1 << 20, 3, 100_000)] {
        let options = options(names).memory(memory).jobs(jobs(threads)).chunk_bytes(chunk_bytes);
        let found = convert(pgn.as_bytes(), &options).output;
        assert!(found == expected, "{names:?}: {memory}, -j {threads}, {chunk_bytes}");
    }
    String::from_utf8(expected).unwrap()
}

#[test]
fn games_are_the_records_of_a_data_set() {
    let texts = ["twic1599_first555", "worldcup2005"].map(|name| {
        let file = corpus_file(name)?;
        Some(String::from_utf8_lossy(&file.read().unwrap()).replace("\r\n", "\n"))
    });
    let generated = Generator::text(Style::Lichess, 3, 300_000);
    for text in texts.into_iter().flatten().chain([String::from_utf8(generated).unwrap()]) {
        let games = records(&text);
        let count = games.len();
        assert_eq!(step(&text, &[("limit", "1000000")]), games.concat());
        assert_eq!(step(&text, &[("skip", "7"), ("limit", "20")]), games[7..27].concat());
        let sample = step(&text, &[("sample", "12")]);
        let mut left = games.iter();
        assert!(records(&sample).iter().all(|game| left.any(|other| other == game)));
        assert_eq!(cut(&sample).len(), 12);
        let shuffled = records(&step(&text, &[("shuffle", "true")]));
        assert!(shuffled.len() == count && shuffled != games);
        let sorted = |mut games: Vec<String>| {
            games.sort();
            games
        };
        assert!(sorted(shuffled) == sorted(games.clone()));
        let mut by_elo = games.clone();
        let value = |game: &str, tag: &str| {
            let (_, value) = game.split_once(&format!("[{tag} \""))?;
            value.split_once('"').map(|(value, _)| value.to_owned())
        };
        by_elo.sort_by_cached_key(|game| {
            let elo = value(game, "WhiteElo").and_then(|elo| elo.parse::<i32>().ok());
            let black = value(game, "Black").filter(|name| name != "?");
            (elo.is_none(), elo.map(|elo| -elo), black.is_none(), black)
        });
        let options = [("sort", "-WhiteElo,Black"), ("skip", "1"), ("limit", "100")];
        assert_eq!(step(&text, &options), by_elo[1..count.min(101)].concat());
        let drawn: Vec<String> =
            games.into_iter().filter(|game| game.contains("[Result \"1/2-1/2\"]")).collect();
        let options = [("where", "Result = \"1/2-1/2\""), ("limit", "5")];
        assert_eq!(step(&text, &options), drawn[..5].concat());
    }
}

#[test]
fn records_are_the_games_that_are_written_without_steps() {
    let sets = [&[][..], &[("where", "pieces < 32")], &[("ply", "3"), ("on-error", "skip")]];
    for (number, (name, pgn)) in hostile().into_iter().enumerate() {
        let Some(pgn) = decoded(&pgn).filter(|pgn| pgn.len() < 20_000) else { continue };
        // Each text with one of the sets, unless all are wanted.
        let (first, step) = if is_full() { (0, 1) } else { (number % 3, 3) };
        for names in sets.into_iter().skip(first).step_by(step) {
            let normal = options(&[names, &[("games", "normal")]].concat());
            let expected = convert(&pgn, &normal);
            for sort in [None, Some("file".parse().unwrap())] {
                let all = normal.clone().limit(Some(u64::MAX)).sort(sort);
                let records = convert(&pgn, &all);
                assert!(records.output == expected.output, "{name}: {names:?}");
                let all = options(names).limit(Some(u64::MAX)).sort(all.sort);
                let what = format!("{name}: {names:?}");
                assert_runs_agree(&what, &pgn, &all, &[(1, 64), (2, 4096)]);
            }
        }
    }
}

#[test]
fn games_are_divided_into_parts_and_files() {
    let generated = Generator::text(Style::Lichess, 3, 300_000);
    let text = String::from_utf8(generated).unwrap();
    let games = records(&text);
    let options = options(&[("split", "a=0.7,b=0.3"), ("rows-per-file", "9")]);
    let folder = convert_all_ways(text.as_bytes(), &options);
    let [mut of_a, mut of_b] = [0, 0];
    for game in &games {
        let file = format!("a/part-{:05}.pgn", of_a / 9);
        let is_in = |file: &str| {
            folder
                .files
                .get(Path::new(file))
                .is_some_and(|text| String::from_utf8_lossy(text).contains(&**game))
        };
        if is_in(&file) {
            of_a += 1;
        } else {
            assert!(is_in(&format!("b/part-{:05}.pgn", of_b / 9)), "{game}");
            of_b += 1;
        }
    }
    assert!(of_a > of_b && of_b > 0);
    let bytes: usize = folder.files.values().map(Vec::len).sum();
    assert_eq!(bytes, games.concat().len());
}
