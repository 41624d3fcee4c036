//! What names cost: reading the table once, and asking for each position of a conversion.
//!
//! The ratio of `on` to `off` is what counts; `past` plays on behind the deepest ply of the table.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use emit::{Names, Plan, Ply, Problem, Replay, Select, Sink, Text, TextSink};
use openings::Openings;
use pgn::{Chunk, TagPair};
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

/// Writes records, and asks for the name of each position.
struct Named<'t> {
    text: TextSink<'t>,
    openings: &'t Openings,
    found: u64,
}

impl Sink for Named<'_> {
    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.text.begin(tags);
    }

    #[inline(always)]
    fn ply(&mut self, ply: Ply<'_>) {
        self.found += u64::from(self.openings.name(ply.position, ply.number).is_some());
        self.text.ply(ply);
    }

    fn end(&mut self) {
        self.text.end();
    }

    fn undo(&mut self) {
        self.text.undo();
    }

    fn problem(&mut self, problem: Problem) {
        self.text.problem(problem);
    }
}

fn convert(c: &mut Criterion) {
    let mut group = c.benchmark_group("convert");
    group.sample_size(20).measurement_time(Duration::from_secs(3));
    let openings = Openings::embedded();
    let generated = [("plain", Style::Plain), ("lichess", Style::Lichess)]
        .map(|(name, style)| (name, Generator::text(style, 1, 4 << 20)));
    let shared = [("8moves_v3", "8moves_v3_first20000"), ("twic", "twic1599_first555")]
        .into_iter()
        .filter_map(|(name, file)| Some((name, corpus_file(file)?.read().ok()?)));
    for (name, games) in generated.into_iter().chain(shared) {
        for (part, select) in [
            ("", Select::default()),
            ("past/", Select { first: openings.deepest() + 1, ..Select::default() }),
        ] {
            let plan = Plan { select, ..Plan::default() };
            let mut text = Text::default();
            Replay::new(Chunk::whole(&games), &plan).run(&mut text.sink(&plan));
            let positions = text.positions;
            group.throughput(Throughput::Elements(positions.max(1)));
            group.bench_function(format!("{part}off/{name}"), |b| {
                b.iter(|| {
                    text.clear();
                    let mut sink = text.sink(&plan);
                    Replay::new(Chunk::whole(black_box(&games)), &plan).run(&mut sink);
                    assert_eq!(text.positions, positions);
                });
            });
            group.bench_function(format!("{part}on/{name}"), |b| {
                b.iter(|| {
                    text.clear();
                    let mut sink = Named { text: text.sink(&plan), openings, found: 0 };
                    Replay::new(Chunk::whole(black_box(&games)), &plan).run(&mut sink);
                    assert_eq!(sink.found > 0, part.is_empty());
                    assert_eq!(text.positions, positions);
                });
            });
        }
    }
}

criterion_group!(benches, load, convert);
criterion_main!(benches);
