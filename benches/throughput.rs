//! The speed of the parts and of the whole conversion: `cargo bench`.
//!
//! The games come from the seeded generator, and from the corpus in ../shared if it exists. Every
//! benchmark counts its results and fails if the counts are wrong.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use pgn::{Scanner, Token};
use pgn2epd::options::{Op, OpList, Ops, Plies};
use pgn2epd::{Options, convert};
use san::{Buffer, FieldStyle, Position};
use testkit::generate::{Generator, Style};
use testkit::shared::corpus_file;

const SEED: u64 = 1;
const BYTES: u64 = 4 << 20;

/// Games, and the number of plies in their main lines.
struct Games {
    name: &'static str,
    text: Vec<u8>,
    plies: u64,
}

impl Games {
    fn new(name: &'static str, text: Vec<u8>) -> Self {
        let plies = main_lines(&text).iter().map(|tokens| tokens.len() as u64).sum();
        Games { name, text, plies }
    }
}

fn games() -> Vec<Games> {
    let generated = [
        ("plain", Style::Plain),
        ("lichess", Style::Lichess),
        ("engine", Style::Engine),
        ("annotated", Style::Annotated),
    ];
    let generated =
        generated.map(|(name, style)| Games::new(name, Generator::text(style, SEED, BYTES)));
    let shared =
        [("8moves_v3", "8moves_v3_first20000"), ("twic", "twic1599_first555"), ("tcec", "tcec")];
    let shared = shared
        .into_iter()
        .filter_map(|(name, file)| Some(Games::new(name, corpus_file(file)?.read().ok()?)));
    generated.into_iter().chain(shared).collect()
}

/// The moves of each game's main line, without games that start from another position.
fn main_lines(text: &[u8]) -> Vec<Vec<&[u8]>> {
    let mut scanner = Scanner::new(text);
    let mut lines = Vec::new();
    while scanner.next_game() {
        let mut line = Vec::new();
        let is_usual = scanner.tags().iter().all(|tag| tag.name() != b"FEN");
        while let Some(token) = scanner.next_token() {
            if let Token::Move(text) = token
                && scanner.depth() == 0
                && is_usual
            {
                line.push(text);
            }
        }
        lines.push(line);
    }
    lines
}

/// Reading tokens, including variations and comments.
fn scanner(c: &mut Criterion) {
    let mut group = group(c, "scanner");
    for Games { name, text, .. } in games() {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut scanner = Scanner::new(black_box(&text));
                let mut tokens = 0;
                while scanner.next_game() {
                    while scanner.next_token().is_some() {
                        tokens += 1;
                    }
                }
                tokens
            });
        });
    }
}

/// Resolving and playing moves.
fn resolver(c: &mut Criterion) {
    let mut group = group(c, "resolver");
    for Games { name, text, plies } in games() {
        let lines = main_lines(&text);
        group.throughput(Throughput::Elements(plies));
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut played = 0;
                for line in black_box(&lines) {
                    let mut position = Position::default();
                    for token in line {
                        let Ok(next) = san::resolve(&position, token) else { break };
                        position.play_unchecked(next);
                        played += 1;
                    }
                }
                played
            });
        });
    }
}

/// Writing the four fields of positions.
fn writer(c: &mut Criterion) {
    let mut group = group(c, "writer");
    for Games { name, text, .. } in games() {
        let mut positions = Vec::new();
        for line in main_lines(&text).iter().take(1000) {
            let mut position = Position::default();
            for token in line {
                let Ok(next) = san::resolve(&position, token) else { break };
                positions.push((position.clone(), next));
                position.play_unchecked(next);
            }
        }
        positions.truncate(20_000);
        group.throughput(Throughput::Elements(positions.len() as u64));
        let mut buffer = Buffer::default();
        group.bench_function(format!("fields/{name}"), |b| {
            b.iter(|| {
                buffer.clear();
                for (position, _) in black_box(&positions) {
                    let mut line = buffer.line();
                    san::write_fields(position, FieldStyle::default(), &mut line);
                    line.finish();
                }
                buffer.len()
            });
        });
        group.bench_function(format!("san/{name}"), |b| {
            b.iter(|| {
                let len = |(position, next): &(Position, _)| {
                    san::san_of(position, *next).as_bytes().len()
                };
                black_box(&positions).iter().map(len).sum::<usize>()
            });
        });
    }
}

/// From text to records on one thread: with counters, and with counters and the move played.
fn whole(c: &mut Criterion) {
    let mut group = group(c, "whole");
    for Games { name, text, plies } in games() {
        group.throughput(Throughput::Elements(plies));
        let fields: Option<OpList> = Some(Ops::of(&[Op::Fmvn, Op::Hmvc]).into());
        for (ops_name, ops) in [("fields", fields), ("sm", None)] {
            let options = Options::default().ops(ops.clone()).jobs(NonZeroUsize::new(1));
            group.bench_function(format!("{ops_name}/{name}"), |b| {
                b.iter(|| {
                    let summary = convert(black_box(&text[..]), std::io::sink(), &options).unwrap();
                    assert!(summary.positions >= plies, "{summary:?}");
                    summary
                });
            });
        }
    }
}

/// Labels, and other records with evaluations, compared with FEN: a label may take 1.5 times as
/// long, `plain` 2 times.
fn labels(c: &mut Criterion) {
    let mut group = group(c, "labels");
    let cutechess = Games::new("cutechess", Generator::text(Style::Cutechess, SEED, BYTES));
    for Games { name, text, .. } in games().into_iter().chain([cutechess]) {
        let options = |names: &[(&str, &str)]| {
            let names = names.iter().copied().chain([("jobs", "1")]);
            Options::from_names(names).expect("options")
        };
        let formats = ["fen", "c9", "bracket", "bullet", "c-chess-cli", "plain"];
        let formats = formats.map(|format| (format, options(&[("format", format)])));
        let others = [
            ("operations", options(&[("ops", "ce,acd,acs")])),
            (
                "templates",
                options(&[("format", "fen"), ("add", "ce={eval}"), ("add", "acd={depth}")]),
            ),
        ];
        let positions = convert(&text[..], std::io::sink(), &formats[0].1).unwrap().positions;
        group.throughput(Throughput::Elements(positions));
        for (row, options) in formats.into_iter().chain(others) {
            group.bench_function(format!("{row}/{name}"), |b| {
                b.iter(|| {
                    let summary = convert(black_box(&text[..]), std::io::sink(), &options).unwrap();
                    assert_eq!(summary.positions + summary.unlabelled, positions, "{summary:?}");
                    summary
                });
            });
        }
    }
}

/// A condition on tags that excludes all games, compared with a conversion of all of them.
fn filter(c: &mut Criterion) {
    let mut group = group(c, "filter");
    for Games { name, text, plies } in games() {
        group.throughput(Throughput::Elements(plies));
        for (filter_name, filter) in [("all", None), ("none", Some("WhiteElo > 9000"))] {
            let filter = filter.map(|filter| filter.parse().expect("a condition"));
            let options = Options::default().filter(filter).jobs(NonZeroUsize::new(1));
            group.bench_function(format!("{filter_name}/{name}"), |b| {
                b.iter(|| convert(black_box(&text[..]), std::io::sink(), &options).unwrap());
            });
        }
    }
}

/// Counting positions after 1 to 24 plies, compared with writing them as records.
fn book(c: &mut Criterion) {
    use pgn2epd::book::{BookOptions, Counting, write_book};

    let mut group = group(c, "book");
    for Games { name, text, .. } in games() {
        let one = NonZeroUsize::new(1);
        let ops: Option<OpList> = Some(Ops::of(&[Op::Fmvn, Op::Hmvc]).into());
        let convert_options =
            Options::default().plies(Plies { first: 1, last: 24 }).ops(ops.clone()).jobs(one);
        let plies = Plies { first: 1, last: 24 };
        let options = BookOptions::default().plies(plies).jobs(one).min_games(100);
        let positions = convert(&text[..], std::io::sink(), &convert_options).unwrap().positions;
        group.throughput(Throughput::Elements(positions));
        group.bench_function(format!("convert/{name}"), |b| {
            b.iter(|| convert(black_box(&text[..]), std::io::sink(), &convert_options).unwrap());
        });
        group.bench_function(format!("book/{name}"), |b| {
            b.iter(|| {
                let counting = Counting::new(&options, ["games.pgn"]);
                let mut counting = counting.only_for_book(&options);
                let summary = counting.input("games.pgn", black_box(&text[..]), &mut ()).unwrap();
                assert!(summary.positions > 0 && summary.positions <= positions);
                write_book(counting.finish(), &options, &mut std::io::sink()).unwrap()
            });
        });
    }
}

fn group<'c>(c: &'c mut Criterion, name: &str) -> BenchmarkGroup<'c, WallTime> {
    let mut group = c.benchmark_group(name);
    group.sample_size(10).measurement_time(Duration::from_secs(2));
    group.warm_up_time(Duration::from_millis(300));
    group
}

criterion_group!(benches, scanner, resolver, writer, whole, labels, filter, book);
criterion_main!(benches);
