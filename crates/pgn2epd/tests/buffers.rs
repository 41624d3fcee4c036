//! Whatever is written and read in pieces is complete and in order beyond each piece: more text
//! than a chunk, a batch, a block, a page or a group of rows has, with a content that is known.
//!
//! The numbers are counted here: position `n` has the number `n` in its pawns.

use std::collections::BTreeMap;
use std::io::Cursor;

use pgn2epd::book::{BookOptions, Counting, write_book};
use pgn2epd::epd::{CheckOptions, Checker, LineDiagnostic};
use pgn2epd::{Options, convert_observed};

use crate::support::{self, Problems, jobs, named};

/// More records than any batch has, and 1.4 MB, which is more than any piece of text.
const RECORDS: usize = 20_000;

/// More entries than a batch of training data or a game of them has, and more than a block of a
/// binpack.
const ENTRIES: usize = 70_000;

/// More rows than a group of Parquet has.
const ROWS: usize = 140_000;

/// The fields of a position. Each file has a white and a black pawn, each on one of three squares.
fn fields(number: usize) -> String {
    let mut board = [[b'.'; 8]; 8];
    for (file, digit) in (0..8).map(|file| (file, number / 9_usize.pow(file as u32))) {
        board[1 + digit % 3][file] = b'P';
        board[6 - digit / 3 % 3][file] = b'p';
    }
    (board[0][4], board[7][4]) = (b'K', b'k');
    let rank = |rank: &[u8; 8]| {
        let mut text = String::new();
        for run in rank.chunk_by(|a, b| a == b) {
            match run[0] {
                b'.' => text += &run.len().to_string(),
                piece => text.extend(run.iter().map(|_| char::from(piece))),
            }
        }
        text
    };
    let ranks: Vec<String> = board.iter().rev().map(rank).collect();
    format!("{} w - -", ranks.join("/"))
}

fn record(number: usize) -> String {
    format!("{} c9 \"1-0\"; ce {}; id \"{number}\"; sm Kd1;\n", fields(number), evaluation(number))
}

/// Evaluations that recur, none of which is a mate.
fn evaluation(number: usize) -> usize {
    number * 7919 % 1000
}

fn records(numbers: impl IntoIterator<Item = usize>) -> String {
    numbers.into_iter().map(record).collect()
}

/// Threads, memory and bytes of a chunk: as by default, and less.
const SETTINGS: [(usize, usize, usize); 2] = [(1, 1 << 30, 256 << 10), (2, 1 << 20, 10_000)];

fn options(names: &[(&str, &str)], settings: (usize, usize, usize)) -> Options {
    let (threads, memory, chunk_bytes) = settings;
    named(names).jobs(jobs(threads)).memory(memory).chunk_bytes(chunk_bytes)
}

fn converted(source: &[u8], names: &[(&str, &str)], settings: (usize, usize, usize)) -> Vec<u8> {
    support::converted(source, &options(names, settings))
}

#[track_caller]
fn assert_lines(what: &str, text: &[u8], expected: impl IntoIterator<Item = String>) {
    let text = std::str::from_utf8(text).unwrap();
    let mut lines = text.lines();
    for (number, expected) in expected.into_iter().enumerate() {
        assert_eq!(lines.next(), Some(expected.trim_end()), "{what}, line {number}");
    }
    assert_eq!(lines.next(), None, "{what}");
}

#[test]
fn text_of_any_size_is_read_as_it_is_whatever_it_is_packed_in() {
    let text = records(0..RECORDS);
    let utf_16 = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(bytes).collect()
    };
    let plain = text.as_bytes();
    let mut cases: Vec<(&str, Vec<u8>)> = vec![
        ("text", plain.to_vec()),
        ("CRLF", text.replace('\n', "\r\n").into_bytes()),
        ("UTF-16 LE", utf_16(&text, u16::to_le_bytes)),
        ("UTF-16 BE", utf_16(&text, u16::to_be_bytes)),
    ];
    if cfg!(feature = "compression") {
        use testkit::pack;
        cases.extend([
            ("gzip", pack::gzip(plain)),
            ("bgzf", pack::bgzf(plain, 60_000)),
            ("bzip2", pack::bzip2(plain)),
            ("xz", pack::xz(plain)),
            ("zstd", pack::zstd(plain)),
            ("zstd, frames", pack::zstd_frames(plain, 70_000)),
            ("zstd, seekable", pack::seekable_zstd(plain, 300_000)),
            ("zip", pack::zip(&[("a.epd", plain)])),
            ("7z", pack::seven_zip(&[("a.epd", plain)])),
        ]);
    }
    for ((what, bytes), settings) in cases.iter().zip(SETTINGS.into_iter().cycle()) {
        assert_lines(what, &converted(bytes, &[], settings), (0..RECORDS).map(record));
    }
    // A condition on the number of a line.
    for settings in SETTINGS {
        let output = converted(plain, &[("where", "line > 19990")], settings);
        assert_lines("where", &output, (19_990..RECORDS).map(record));
    }
}

#[test]
fn rows_of_tables_keep_their_numbers_beyond_each_batch_and_group() {
    // Whether the first line has the names of the columns.
    let mut cases = vec![("csv", 1, RECORDS), ("jsonl", 0, RECORDS)];
    if cfg!(feature = "arrow") {
        cases.extend([("arrow", 0, RECORDS), ("parquet", 0, ROWS)]);
    }
    for ((format, header, count), settings) in cases.into_iter().zip(SETTINGS.into_iter().cycle()) {
        let names = [("format", format), ("columns", "epd,id,ce")];
        let table = converted(records(0..count).as_bytes(), &names, settings);
        let row = |number: usize| {
            let (line, ce) = (number + 1 + header, evaluation(number));
            format!("{} ce {ce}; id \"{number}\"; row {line};", fields(number))
        };
        let numbered = ("add", "row={line}");
        assert_lines(format, &converted(&table, &[numbered], settings), (0..count).map(row));
        let filter = format!("line > {}", count - 5 + header);
        let last = converted(&table, &[("where", &*filter), numbered], SETTINGS[0]);
        assert_lines(format, &last, (count - 5..count).map(row));
    }
}

#[test]
fn training_data_has_every_position_beyond_each_batch_and_block() {
    let source = records(0..ENTRIES);
    let formats = ["viriformat", "binpack", "bulletformat", "marlinformat", "plain"];
    for (format, settings) in formats.into_iter().zip(SETTINGS.into_iter().cycle()) {
        let data = converted(source.as_bytes(), &[("format", format)], settings);
        let output = converted(&data, &[("input", format), ("ops", "ce")], settings);
        let record = |number| format!("{} ce {};", fields(number), evaluation(number));
        assert_lines(format, &output, (0..ENTRIES).map(record));
    }
}

#[test]
fn a_game_of_training_data_has_every_position_beyond_what_is_held_of_it() {
    // Two kings that walk to and fro, without a pawn move.
    let walk = [("4k3", "4K3", 'w', "e1d1"), ("4k3", "3K4", 'b', "e8d8")];
    let walk = [walk, [("3k4", "3K4", 'w', "d1e1"), ("3k4", "4K3", 'b', "d8e8")]].concat();
    let board = |ply: usize| {
        let (black, white, turn, _) = walk[ply % 4];
        format!("{black}/8/8/8/8/8/4P3/{white} {turn} - -")
    };
    let entry = |ply: usize| {
        let (fen, uci) = (format!("{} {ply} {}", board(ply), ply / 2 + 1), walk[ply % 4].3);
        format!("fen {fen}\nmove {uci}\nscore {}\nply {ply}\nresult 0\ne\n", evaluation(ply))
    };
    let data: String = (0..ENTRIES).map(entry).collect();
    let record = |ply| format!("{} ce {};", board(ply), evaluation(ply));
    for settings in SETTINGS {
        let output = converted(data.as_bytes(), &[("ops", "ce")], settings);
        assert_lines("plain", &output, (0..ENTRIES).map(record));
    }
}

#[test]
fn lines_are_counted_beyond_each_chunk() {
    // Every 5,000th record is damaged.
    let text: String = (0..RECORDS)
        .map(|number| match number % 5000 {
            4999 => "8/8 w - -\n".to_owned(),
            _ => record(number),
        })
        .collect();
    let wrong = [5000, 10_000, 15_000, 20_000];
    for settings in SETTINGS {
        let mut problems = Problems::default();
        let options = options(&[("input", "epd")], settings);
        let summary =
            convert_observed(text.as_bytes(), std::io::sink(), &options, &mut problems).unwrap();
        assert_eq!((summary.records, summary.positions), (RECORDS as u64 - 4, RECORDS as u64 - 4));
        assert_eq!(problems.lines(), wrong);
        let mut checker = Checker::new(CheckOptions::default().jobs(jobs(settings.0)));
        let mut found = Vec::new();
        let mut tell = |fault: &LineDiagnostic| found.push(fault.line);
        checker.check(text.as_bytes(), std::io::sink(), &mut tell, &mut |_| Ok(())).unwrap();
        found.dedup();
        assert_eq!(found, wrong);
    }
    let table: String =
        text.lines().map(|line| format!("\"{}\"\n", line.replace('"', "'"))).collect();
    for settings in SETTINGS {
        let mut problems = Problems::default();
        let options = options(&[("input", "csv")], settings);
        let table = format!("record\n{table}");
        convert_observed(table.as_bytes(), std::io::sink(), &options, &mut problems).unwrap();
        assert_eq!(problems.lines(), wrong.map(|line| line + 1));
    }
}

#[test]
fn chosen_records_are_complete_and_in_order_beyond_each_buffer() {
    let twice = records((0..RECORDS).chain(0..RECORDS));
    let once = records(0..RECORDS);
    let mut sorted: Vec<usize> = (0..RECORDS).collect();
    sorted.sort_by_key(|number| evaluation(*number));
    let mut sorted_down: Vec<usize> = (0..RECORDS).collect();
    sorted_down.sort_by_key(|number| std::cmp::Reverse(evaluation(*number)));
    for settings in SETTINGS {
        let run =
            |source: &str, names: &[(&str, &str)]| converted(source.as_bytes(), names, settings);
        let all = || (0..RECORDS).map(record);
        assert_lines("unique", &run(&twice, &[("unique", "true")]), all());
        let middle = run(&once, &[("skip", "9000"), ("limit", "9000")]);
        assert_lines("skip and limit", &middle, (9000..18_000).map(record));
        let in_order = run(&once, &[("sort", "eval")]);
        assert_lines("sort", &in_order, sorted.iter().copied().map(record));
        let in_order = run(&once, &[("sort", "-eval")]);
        assert_lines("sort down", &in_order, sorted_down.iter().copied().map(record));
        let mut numbers = numbers_of(run(&once, &[("shuffle", "true"), ("seed", "1")]));
        assert!(!numbers.is_sorted());
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..RECORDS));
        let numbers = numbers_of(run(&once, &[("sample", "9000"), ("seed", "1")]));
        assert!(numbers.len() == 9000 && numbers.is_sorted_by(|a, b| a < b));
    }
}

/// The numbers in the ids of records.
fn numbers_of(records: Vec<u8>) -> Vec<usize> {
    let number = |record: &str| record.rsplit('"').nth(1).unwrap().parse().unwrap();
    String::from_utf8(records).unwrap().lines().map(number).collect()
}

#[test]
fn games_are_numbered_and_complete_beyond_each_chunk() {
    let game = |number: usize| format!("[White \"{number}\"]\n\n1. e4 {{{}}} e5 *\n\n", number * 3);
    let pgn: String = (1..=RECORDS).map(game).collect();
    for settings in SETTINGS {
        let names = [("ops", "none"), ("ply", "2"), ("add", "id={White} {game} {line}")];
        let output = converted(pgn.as_bytes(), &names, settings);
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6";
        let record = |n: usize| format!("{fen} id \"{n} {n} {}\";", 4 * n - 3);
        assert_lines("games", &output, (1..=RECORDS).map(record));
        let same = converted(pgn.as_bytes(), &[("format", "pgn")], settings);
        assert!(same == pgn.as_bytes());
        let games = pgn2epd::games(Cursor::new(pgn.clone()), &options(&[], settings));
        let numbers = games.map(|game| {
            let game = game.unwrap();
            (game.number, game.tag("White").unwrap().to_owned(), game.place.line)
        });
        assert!(numbers.eq((1..=RECORDS).map(|n| (n as u64, n.to_string(), 4 * n as u64 - 3))));
    }
}

#[test]
fn books_count_every_position_beyond_each_buffer() {
    // Every third position occurs once more.
    let source = records((0..RECORDS).chain((0..RECORDS).step_by(3)));
    let expected: BTreeMap<String, usize> =
        (0..RECORDS).map(|n| (fields(n), if n % 3 == 0 { 2 } else { 1 })).collect();
    for (memory, threads) in [(1 << 30, 1), (1 << 20, 2)] {
        let mut formats = vec!["csv"];
        if cfg!(feature = "zstd") {
            formats.push("explorer");
        }
        for format in formats {
            let options = BookOptions::from_names([("format", format)]).unwrap();
            let options = options.memory(memory).jobs(jobs(threads));
            let mut counting = Counting::new(&options, ["a.epd"]);
            counting.input("a.epd", source.as_bytes(), &mut ()).unwrap();
            let mut book = Vec::new();
            write_book(counting.finish(), &options, &mut book).unwrap();
            let found: BTreeMap<String, usize> = match format {
                "csv" => {
                    let mut reader = csv::Reader::from_reader(&book[..]);
                    let names = reader.headers().unwrap().clone();
                    let column = |name: &str| names.iter().position(|other| other == name).unwrap();
                    let (fen, games) = (column("epd"), column("games"));
                    let rows = reader.records().map(Result::unwrap);
                    rows.map(|row| (row[fen].to_owned(), row[games].parse().unwrap())).collect()
                }
                _ => {
                    let records = converted(&book, &[("ops", "none")], SETTINGS[0]);
                    let records = String::from_utf8(records).unwrap();
                    let found: BTreeMap<String, usize> =
                        records.lines().map(|line| (line.to_owned(), 1)).collect();
                    assert!(found.keys().eq(expected.keys()), "{memory}");
                    continue;
                }
            };
            assert!(found == expected, "{format} {memory}: {} positions", found.len());
        }
    }
}
