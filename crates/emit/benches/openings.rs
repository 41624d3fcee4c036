//! Cost of opening names: parsing the table once, and looking up the positions of a conversion.
//!
//! The relevant figure is the ratio of `on` to `off`; `past` writes only positions after the
//! deepest ply of the table.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use emit::{Plan, Replay, Select, Text};
use openings::{NameSource, Openings};
use pgn::Chunk;
use testkit::generate::{Generator, Style};
use testkit::shared::corpus_file;

fn load(c: &mut Criterion) {
    let mut group = c.benchmark_group("load");
    group.bench_function("embedded", |b| {
        b.iter_with_large_drop(|| {
            let mut openings = Openings::default();
            openings.layer_embedded();
            assert!(openings.len() > 3_500);
            openings
        });
    });
}

/// Looks up the names of positions only.
fn classify(c: &mut Criterion) {
    let mut group = c.benchmark_group("classify");
    let positions = positions_of(&Generator::text(Style::Plain, 1, 1 << 18));
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("plain", |b| {
        b.iter(|| {
            let named =
                |position: &&san::Position| Openings::embedded().name(position, 0).is_some();
            black_box(&positions).iter().filter(named).count()
        });
    });
}

fn positions_of(text: &[u8]) -> Vec<san::Position> {
    let mut positions = Vec::new();
    for game in pgn::games(text) {
        let mut position = san::Position::default();
        for token in game.movetext() {
            if let pgn::Token::Move(text) = token
                && let Ok(next) = san::resolve(&position, text)
            {
                position.play_unchecked(next);
                positions.push(position.clone());
            }
        }
    }
    positions
}

fn convert(c: &mut Criterion) {
    let mut group = c.benchmark_group("convert");
    group.sample_size(20).measurement_time(Duration::from_secs(3));
    let generated = [("plain", Style::Plain), ("lichess", Style::Lichess)]
        .map(|(name, style)| (name, Generator::text(style, 1, 4 << 20)));
    let shared = [("8moves_v3", "8moves_v3_first20000"), ("twic", "twic1599_first555")]
        .into_iter()
        .filter_map(|(name, file)| Some((name, corpus_file(file)?.read().ok()?)));
    for (name, games) in generated.into_iter().chain(shared) {
        let past = Select { first: Openings::embedded().deepest() + 1, ..Select::default() };
        for (part, select) in [("", Select::default()), ("past/", past)] {
            for (switch, names) in [("off", NameSource::Off), ("on", NameSource::Embedded)] {
                let plan = Plan { select, names, ..Plan::default() };
                let mut text = Text::default();
                Replay::new(Chunk::whole(&games), &plan).run(&mut text.sink(&plan));
                let positions = text.counts.positions;
                group.throughput(Throughput::Elements(positions.max(1)));
                group.bench_function(format!("{part}{switch}/{name}"), |b| {
                    b.iter(|| {
                        text.clear();
                        let mut sink = text.sink(&plan);
                        Replay::new(Chunk::whole(black_box(&games)), &plan).run(&mut sink);
                        assert_eq!(text.counts.positions, positions);
                    });
                });
            }
        }
    }
}

criterion_group!(benches, load, classify, convert);
criterion_main!(benches);
