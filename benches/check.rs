//! Records checked per second on one core: `cargo bench --bench check`.
//!
//! The records come from the seeded generator. The benchmark fails if it finds an error in them.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pgn2epd::epd::{
    CheckOptions, Checker, LineDiagnostic, OnOff, ReadOptions, RecordRef, Scanner, read_line,
};
use pgn2epd::game::Severity;
use testkit::generate::records;

const COUNT: usize = 20_000;

fn check(c: &mut Criterion) {
    let text = records(1, COUNT);
    let mut group = c.benchmark_group("check");
    group.sample_size(20).measurement_time(Duration::from_secs(3));
    group.warm_up_time(Duration::from_millis(500));
    group.throughput(Throughput::Elements(COUNT as u64));
    for (name, moves, fix) in
        [("moves off", OnOff::Off, false), ("moves on", OnOff::On, false), ("fix", OnOff::On, true)]
    {
        let jobs = NonZeroUsize::new(1);
        let options = CheckOptions::default().moves(moves).fix(fix).jobs(jobs);
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut checker = Checker::new(options.clone());
                let mut tell = |fault: &LineDiagnostic| {
                    // Generated records of one position may have different best moves.
                    assert_ne!(fault.kind.severity(), Severity::Error, "{fault}");
                };
                let text = black_box(&text[..]);
                checker.check(text, std::io::sink(), &mut tell, &mut |_| Ok(())).unwrap();
                assert_eq!(checker.counts().records, COUNT as u64);
            });
        });
    }
    let lines = std::str::from_utf8(&text).unwrap();
    group.bench_function("read_line", |b| {
        let options = ReadOptions { moves: false, ..ReadOptions::default() };
        b.iter(|| {
            for line in black_box(lines).lines() {
                black_box(read_line(line, &options, &mut |fault| panic!("{fault:?}")));
            }
        });
    });
    group.bench_function("scanner", |b| {
        b.iter(|| {
            let mut scanner = Scanner::new(black_box(lines));
            let mut count = 0;
            while scanner.next_record(&mut |_| {}).is_some() {
                count += 1;
            }
            assert_eq!(count, COUNT);
        });
    });
    group.bench_function("to_record", |b| {
        let read = |line| RecordRef::read(line).unwrap();
        let borrowed: Vec<RecordRef<'_>> = lines.lines().map(read).collect();
        b.iter(|| {
            black_box(&borrowed).iter().map(|r| r.to_record().operations().len()).sum::<usize>()
        });
    });
    group.finish();
}

criterion_group!(benches, check);
criterion_main!(benches);
