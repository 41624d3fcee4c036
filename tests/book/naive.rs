//! Tables equal those of a naive program that uses python-chess: `tests/book_naive.py`.

use std::fs;
use std::process::Command;

use serde_json::Value;
use testkit::generate::{Generator, Style};
use testkit::rng::Rng;
use testkit::shared::{corpus_file, corpus_pgn, is_full};

use super::python;
use crate::support::program;

/// The first games of a file of the corpus.
pub(super) fn first_games(name: &str, count: usize) -> Option<String> {
    let bytes = corpus_file(name)?.read().unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let starts: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).collect();
    let end = starts.get(count).copied().unwrap_or(text.len());
    // Without a blank line between games, python-chess takes tags for movetext.
    Some(text[..end].replace("\n[Event ", "\n\n[Event "))
}

/// Games that are there without the corpus.
fn generated(style: Style) -> String {
    String::from_utf8(Generator::text(style, 8, 16 << 10)).unwrap()
}

/// The lines of a table, the moves of each position in the order of their text.
fn table(lines: &str) -> Vec<Value> {
    let sorted = |line: &str| {
        let mut position: Value = serde_json::from_str(line).unwrap();
        let moves = position["moves"].as_array_mut().unwrap();
        moves.sort_by_key(|played| played["uci"].as_str().unwrap_or_default().to_owned());
        position
    };
    lines.lines().map(sorted).collect()
}

/// Compares our table with that of the Python program, with the options of each; returns the number
/// of positions.
#[track_caller]
fn assert_same_table(files: &[(String, String)], ours: &[&str], theirs: &[&str]) -> usize {
    let mut program = program();
    for (name, text) in files {
        program = program.file(name, text);
    }
    let names: Vec<&str> = files.iter().map(|(name, _)| &**name).collect();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/book_naive.py");
    let expected = Command::new("python3")
        .arg(script)
        .args(theirs)
        .args(&names)
        .current_dir(program.folder())
        .env("PYTHONIOENCODING", "utf-8")
        .output()
        .unwrap();
    assert!(expected.status.success(), "{}", String::from_utf8_lossy(&expected.stderr));
    let outcome = program
        .args(["book", "--format", "jsonl", "--order", "key", "-q"])
        .args(ours)
        .args(&names)
        .run();
    // An empty book has the status 1.
    let status = i32::from(outcome.text().is_empty());
    assert_eq!((outcome.status, &*outcome.stderr), (status, ""), "{ours:?}");
    let (actual, expected) =
        (table(outcome.text()), table(&String::from_utf8(expected.stdout).unwrap()));
    for (ours_row, theirs_row) in actual.iter().zip(&expected) {
        assert_eq!(ours_row, theirs_row, "{ours:?}");
    }
    assert_eq!(actual.len(), expected.len(), "{ours:?}");
    actual.len()
}

#[test]
fn tables_equal_those_of_the_naive_program() {
    if !python::has(&["chess"]) {
        return;
    }
    let corpus = [
        ("8moves_v3_first20000", 400),
        ("twic1599_first555", 60),
        ("lichess_2025-05_first219", 40),
        ("chesscom_cancer0707_first800", 40),
    ];
    let count_of = |count: usize| if is_full() { count } else { count / 2 };
    let plain = generated(Style::Plain);
    let games = [("generated", plain.matches("[Event ").count(), plain)].into_iter().chain(
        corpus.into_iter().filter_map(|(name, count)| {
            Some((name, count_of(count), first_games(name, count_of(count))?))
        }),
    );
    for (name, count, text) in games {
        let files = [("games.pgn".to_owned(), text)];
        let window = (&["--ply", "1..12"], &["--first", "1", "--last", "12"]);
        assert!(assert_same_table(&files, window.0, window.1) > count, "{name}");
        let exit = (&["--move", "9", "--ply", "..16"], &["--first", "16", "--last", "16"]);
        assert!(assert_same_table(&files, exit.0, exit.1) >= count / 2, "{name}");
    }
}

#[test]
fn tables_equal_those_of_the_naive_program_with_all_options() {
    if !python::has(&["chess"]) {
        return;
    }
    let files: Vec<(String, String)> =
        [("twic1599_first555", 25), ("lichess_2025-05_first219", 25), ("worldcup2005", 25)]
            .into_iter()
            .filter_map(|(name, count)| Some((format!("{name}.pgn"), first_games(name, count)?)))
            .chain([
                ("small.pgn".to_owned(), super::GAMES.to_owned()),
                ("generated.pgn".to_owned(), generated(Style::Plain)),
            ])
            .collect();
    let flags: [(&[&str], &[&str]); 10] = [
        (&["--queens", "both"], &["--queens", "both"]),
        (&["--queens", "any"], &["--queens", "any"]),
        (&["--omit", "mates"], &["--no-mate"]),
        (&["--omit", "check"], &["--no-check"]),
        (&["--pieces", "20..30"], &["--pieces", "20", "30"]),
        (&["--where", "WhiteElo >= 2000"], &["--min-elo", "2000"]),
        (&["--min-games", "2"], &["--min-games", "2"]),
        (&["--min-score", "0.3"], &["--min-score", "0.3"]),
        (&["--max-score", "0.8"], &["--max-score", "0.8"]),
        (&["--best-rated"], &["--keep-strongest"]),
    ];
    let windows: [(&[&str], &[&str]); 4] = [
        (&["--ply", "..30"], &["--last", "30"]),
        (&["--ply", "5..40"], &["--first", "5", "--last", "40"]),
        (&["--ply", "..60", "--memory", "1M"], &["--last", "60"]),
        (&["--last"], &["--final"]),
    ];
    let mut rng = Rng::new(8);
    let mut positions = 0;
    for round in 0..if is_full() { 8 } else { 4 } {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let mut add = |(a, b): (&[&'static str], &[&'static str])| {
            ours.extend_from_slice(a);
            theirs.extend_from_slice(b);
        };
        add(windows[round % windows.len()]);
        for flag in flags {
            if rng.one_in(4) {
                add(flag);
            }
        }
        positions += assert_same_table(&files, &ours, &theirs);
    }
    // Random games have few positions that occur twice.
    let least = if files.len() > 2 { 500 } else { 100 };
    assert!(positions > least, "{positions}");
}

#[test]
fn every_move_of_variations_is_counted_once_per_game_as_by_the_naive_program() {
    if !python::has(&["chess"]) {
        return;
    }
    let small = "[Result \"1-0\"]\n\n1. d4 d5 (1... Nf6 2. c4 (2. Nf3) 2... e6) (1... f5 2. g3) 2. c4 (2. c4 e5) (2. Nf3 Nf6 \
                 3. c4 e6) 2... e6 3. Nf3 Nf6 *\n\n[Result \"0-1\"]\n\n1. d4 d5 2. c4 *\n";
    let mut files = vec![
        ("small.pgn".to_owned(), small.to_owned()),
        ("generated.pgn".to_owned(), generated(Style::Annotated)),
    ];
    // One file has an illegal move.
    let is_right = |name: &str| name.starts_with("repertoire/") && !name.ends_with("/QGA");
    for file in corpus_pgn().filter(|file| is_right(&file.name)) {
        let name = file.name.replace('/', "-");
        files.extend(first_games(&file.name, 9).map(|text| (format!("{name}.pgn"), text)));
    }
    for window in [&["--ply", ".."][..], &["--ply", "2..7", "-j", "3", "--memory", "1M"]] {
        let theirs = if window[1] == ".." { vec![] } else { vec!["--first", "2", "--last", "7"] };
        let positions = assert_same_table(
            &files,
            &[window, &["--variations"]].concat(),
            &[&theirs[..], &["--variations"]].concat(),
        );
        assert!(positions > 50, "{positions}");
    }
}

#[test]
fn the_naive_program_can_run() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/book_naive.py");
    assert!(fs::read_to_string(script).unwrap().contains("import chess"));
}
