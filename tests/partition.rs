//! `--partition-by` and `--bytes-per-file`, compared with texts that are divided here.

use std::collections::BTreeMap;
use std::path::Path;

use pgn2epd::Options;
use testkit::generate::{Generator, Style};
use testkit::shared::corpus_file;

use crate::folders::{Folder, convert_all_ways, convert_to};
use crate::support::{convert, program};

const MISSING: &str = "__HIVE_DEFAULT_PARTITION__";

/// The records of games in PGN: the text of each, and an empty line.
fn records(text: &str) -> Vec<String> {
    let games = text.split("[Event ").skip(1);
    games.map(|game| format!("[Event {}\n\n", game.trim_ascii())).collect()
}

/// The value of a tag.
fn value<'g>(game: &'g str, tag: &str) -> Option<&'g str> {
    let (_, value) = game.split_once(&format!("[{tag} \""))?;
    value.split_once('"').map(|(value, _)| value).filter(|value| !["", "?", "*"].contains(value))
}

fn texts() -> Vec<String> {
    let corpus = ["twic1599_first555", "worldcup2005"].map(|name| {
        let file = corpus_file(name)?;
        Some(String::from_utf8_lossy(&file.read().unwrap()).replace("\r\n", "\n"))
    });
    let generated = String::from_utf8(Generator::text(Style::Lichess, 3, 100_000)).unwrap();
    corpus.into_iter().flatten().chain([generated]).collect()
}

fn options(names: &[(&str, &str)]) -> Options {
    Options::from_names(names.iter().copied()).unwrap()
}

/// The text of each folder: that of its files, which have these numbers.
fn folders(folder: &Folder) -> BTreeMap<String, String> {
    let mut folders: BTreeMap<String, String> = BTreeMap::new();
    let mut files: BTreeMap<&Path, usize> = BTreeMap::new();
    for (name, text) in &folder.files {
        let parent = name.parent().unwrap();
        let number = files.entry(parent).or_default();
        let file = name.file_name().unwrap().to_str().unwrap();
        assert!(file.starts_with(&format!("part-{number:05}.")), "{}", name.display());
        *number += 1;
        let text = std::str::from_utf8(text).unwrap();
        *folders.entry(parent.to_str().unwrap().to_owned()).or_default() += text;
    }
    folders
}

/// The records of each folder, in their order.
fn divided<'r>(
    records: impl IntoIterator<Item = &'r String>,
    names: impl Fn(&str) -> Vec<String>,
) -> BTreeMap<String, String> {
    let mut folders: BTreeMap<String, String> = BTreeMap::new();
    for record in records {
        for name in names(record) {
            *folders.entry(name).or_default() += record;
        }
    }
    folders
}

#[test]
fn games_are_divided_by_the_values_of_variables() {
    for text in texts() {
        let games = records(&text);
        let name = |tag: &str, game: &str| {
            let value = value(game, tag).unwrap_or(MISSING);
            // The names in these files have no other characters; some end with a full stop.
            let value = value.replace('/', "%2F");
            let end = value.strip_suffix('.').map(|start| format!("{start}%2E"));
            format!("{tag}={}", end.unwrap_or(value))
        };
        let year = |game: &str| {
            let year = value(game, "Date").and_then(|date| date.get(..4)?.parse::<u32>().ok());
            year.map_or(format!("year={MISSING}"), |year| format!("year={year}"))
        };
        let by_eco = |game: &str| vec![format!("{}/{}", year(game), name("ECO", game))];
        let by_player = |game: &str| {
            let players = ["White", "Black"].map(|tag| name(tag, game));
            let players = players.map(|player| format!("player={}", &player["White=".len()..]));
            let mut players = players.to_vec();
            players.dedup();
            players
        };
        type Names<'n> = &'n dyn Fn(&str) -> Vec<String>;
        let cases: [(&str, Names<'_>); 3] = [
            ("Result", &|game| vec![name("Result", game)]),
            ("year,ECO", &by_eco),
            ("player", &by_player),
        ];
        for (list, names) in cases {
            let to_pgn = [("format", "pgn"), ("partition-by", list)];
            let folder = convert_all_ways(text.as_bytes(), &options(&to_pgn));
            let expected = divided(&games, names);
            assert!(folders(&folder) == expected, "{list}");
            let all: u64 = folder.counts.iter().map(|(_, counts)| counts.bytes).sum();
            assert_eq!(all, expected.values().map(String::len).sum::<usize>() as u64);
            // A limit counts in the order of the input, and before a game is in two folders.
            let limited = [&to_pgn[..], &[("skip", "3"), ("limit", "20")]].concat();
            let folder = convert_all_ways(text.as_bytes(), &options(&limited));
            assert!(folders(&folder) == divided(&games[3..23], names), "{list}");
            let few = [&to_pgn[..], &[("rows-per-file", "3"), ("sort", "-White")]].concat();
            let mut sorted: Vec<&String> = games.iter().collect();
            sorted.sort_by_key(|game| {
                let white = value(game, "White");
                (white.is_none(), std::cmp::Reverse(white))
            });
            let folder = convert_all_ways(text.as_bytes(), &options(&few));
            assert!(folders(&folder) == divided(sorted, names), "{list}");
            let count =
                |text: &Vec<u8>| std::str::from_utf8(text).unwrap().matches("[Event ").count();
            assert!(folder.files.values().all(|text| (1..=3).contains(&count(text))));
            let shuffled = [&to_pgn[..], &[("shuffle", "true")]].concat();
            let shuffled = folders(&convert_all_ways(text.as_bytes(), &options(&shuffled)));
            let sorted = |text: &String| {
                let mut games = records(text);
                games.sort();
                games
            };
            let is_same =
                |(name, text): (&String, &String)| sorted(text) == sorted(&expected[name]);
            assert!(shuffled.len() == expected.len() && shuffled.iter().all(is_same));
            assert!(list != "Result" || shuffled != expected);
        }
    }
}

#[test]
fn positions_are_divided_by_theirs() {
    let text = texts().pop().unwrap();
    let fens = convert(text.as_bytes(), &options(&[("format", "fen")])).output;
    let fens: Vec<String> =
        String::from_utf8(fens).unwrap().lines().map(|line| format!("{line}\n")).collect();
    let turn = |fen: &str| fen.split(' ').nth(1).unwrap().to_owned();
    let to_fen = [("format", "fen"), ("partition-by", "turn")];
    let folder = convert_all_ways(text.as_bytes(), &options(&to_fen));
    let expected = divided(&fens, |fen| vec![format!("turn={}", turn(fen))]);
    assert!(folders(&folder) == expected);
    let split = [&to_fen[..], &[("split", "a=0.5,b=0.5"), ("rows-per-file", "100")]].concat();
    let split = folders(&convert_all_ways(text.as_bytes(), &options(&split)));
    let names: Vec<&String> = split.keys().collect();
    assert_eq!(names, ["a/turn=b", "a/turn=w", "b/turn=b", "b/turn=w"]);
    for turn in ["b", "w"] {
        let both = split[&format!("a/turn={turn}")].len() + split[&format!("b/turn={turn}")].len();
        assert_eq!(both, expected[&format!("turn={turn}")].len());
    }
    let unique = [&to_fen[..], &[("unique", "last"), ("sample", "50")]].concat();
    let unique = folders(&convert_all_ways(text.as_bytes(), &options(&unique)));
    assert_eq!(unique.values().map(|text| text.lines().count()).sum::<usize>(), 50);
    // Each file sets the registers that its records need.
    let full = [("registers", "full"), ("partition-by", "turn")];
    let full = folders(&convert_to(text.as_bytes(), &options(&full)));
    let delta = folders(&convert_all_ways(text.as_bytes(), &options(&[("partition-by", "turn")])));
    for (name, text) in &delta {
        let again = convert(text.as_bytes(), &options(&[("registers", "full"), ("ops", "keep")]));
        let first = |text: &str| -> Vec<String> {
            let fields = text.lines().map(|line| line.split(" eco").next().unwrap().to_owned());
            fields.collect()
        };
        let again = String::from_utf8(again.output).unwrap();
        assert_eq!(first(&again), first(&full[name]), "{name}");
    }
}

#[test]
fn rows_are_divided_and_keep_their_columns() {
    let text = texts().pop().unwrap();
    let csv = [("format", "csv"), ("rows", "games"), ("columns", "White,Black")];
    let csv = [&csv[..], &[("partition-by", "Result"), ("sort", "White")]].concat();
    let folder = convert_all_ways(text.as_bytes(), &options(&csv));
    let games = records(&text);
    for (name, table) in folders(&folder) {
        let of_result = games.iter().filter(|game| {
            let result = value(game, "Result").unwrap_or(MISSING).replace('/', "%2F");
            name == format!("Result={result}")
        });
        let mut players: Vec<[&str; 2]> =
            of_result.map(|game| ["White", "Black"].map(|tag| value(game, tag).unwrap())).collect();
        players.sort_by_key(|[white, _]| *white);
        let lines: Vec<String> =
            players.iter().map(|[white, black]| format!("{white},{black}\n")).collect();
        assert_eq!(table, format!("White,Black\n{}", lines.concat()), "{name}");
    }
}

#[test]
fn files_have_a_size_at_most() {
    let text = texts().pop().unwrap();
    let fens = convert(text.as_bytes(), &options(&[("format", "fen")])).output;
    let fens: Vec<String> =
        String::from_utf8(fens).unwrap().lines().map(|line| format!("{line}\n")).collect();
    for (format, all) in [("pgn", records(&text)), ("fen", fens)] {
        for (bytes, rows) in [(1, 1_000_000), (3000, 7), (5000, 1_000_000), (1 << 30, 1_000_000)] {
            let mut expected = vec![String::new()];
            let mut count = 0;
            for record in &all {
                let last = expected.last().unwrap().len();
                if count == rows || last > 0 && last + record.len() > bytes {
                    expected.push(String::new());
                    count = 0;
                }
                count += 1;
                *expected.last_mut().unwrap() += record;
            }
            let (bytes, rows) = (bytes.to_string(), rows.to_string());
            let sized = [("format", format), ("bytes-per-file", &bytes), ("rows-per-file", &rows)];
            if bytes == "1" && format == "fen" {
                continue;
            }
            let folder = convert_all_ways(text.as_bytes(), &options(&sized));
            let found: Vec<&[u8]> = folder.files.values().map(Vec::as_slice).collect();
            let expected: Vec<&[u8]> = expected.iter().map(|text| text.as_bytes()).collect();
            assert!(found == expected, "{format} {bytes}");
        }
    }
}

#[test]
fn training_data_has_files_of_a_size() {
    let text = texts().pop().unwrap();
    let options = |more: &[(&str, &str)]| options(&[&[("format", "bulletformat")], more].concat());
    let whole = convert(text.as_bytes(), &options(&[])).output;
    let folder = convert_all_ways(text.as_bytes(), &options(&[("bytes-per-file", "100")]));
    // 32 bytes for each position.
    let found: Vec<&[u8]> = folder.files.values().map(Vec::as_slice).collect();
    assert!(found == whole.chunks(96).collect::<Vec<_>>());
}

#[test]
fn thousands_of_folders_need_few_open_files() {
    let games: Vec<String> = (0..3000)
        .map(|number| format!("[White \"{}\"]\n\n1. e4 *\n\n", number * 7 % 1500))
        .collect();
    let outcome = program()
        .file("a.pgn", games.concat())
        .args(["a.pgn", "--format", "pgn", "--partition-by", "White", "--compress", "gzip"])
        .args(["-o", "out", "--memory", "10K"])
        .run();
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
    let success = String::from_utf8(outcome.file("out/_SUCCESS").unwrap()).unwrap();
    assert_eq!(success.lines().count(), 1500);
    assert!(success.lines().all(|name| name.ends_with("/part-00000.pgn.gz")));
}

#[test]
fn options_that_cannot_divide_are_refused() {
    let cases: [(&[&str], &str); 9] = [
        (&["--partition-by", "player"], "--partition-by: player is not for positions"),
        (&["--format", "pgn", "--partition-by", "ply"], "--partition-by: ply is not for games"),
        (
            &["--partition-by", "board"],
            "error: invalid value 'board' for '--partition-by <LIST>': board is only a column",
        ),
        (
            &["--partition-by", "player,year"],
            "error: invalid value 'player,year' for '--partition-by <LIST>'",
        ),
        (&["--partition-by", "bm"], "a.pgn: --partition-by: bm is not known of games"),
        (
            &["--format", "bulletformat", "--partition-by", "year"],
            "--partition-by is for text, games and tables",
        ),
        (
            &["--format", "csv", "--bytes-per-file", "1M"],
            "--bytes-per-file is for text, games and training data",
        ),
        (&["--bytes-per-file", "0"], "error: invalid value '0' for '--bytes-per-file <SIZE>'"),
        (
            &["--partition-by", "year", "--sort", "ply", "--limit", "5"],
            "--skip and --limit count in the order of --sort",
        ),
    ];
    for (args, expected) in cases {
        let outcome =
            program().file("a.pgn", "1. e4 *").args(["a.pgn", "-o", "out"]).args(args).run();
        assert_eq!(outcome.status, 2, "{args:?}");
        let stderr = outcome.stderr.strip_prefix("pgn2epd: ").unwrap_or(&outcome.stderr);
        assert!(stderr.starts_with(expected), "{args:?}: {}", outcome.stderr);
        assert_eq!(outcome.names(), ["a.pgn"]);
    }
}
