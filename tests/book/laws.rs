//! A book does not depend on threads, memory and parts.

use testkit::generate::{Generator, Style};
use testkit::program::Program;
use testkit::shared::is_full;

use crate::support::{program, run_in};

/// Three files of games.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("a.pgn", Generator::text(Style::Lichess, 1, 150_000)),
        ("b.pgn", Generator::text(Style::Plain, 2, 150_000)),
        ("c.pgn", Generator::text(Style::Annotated, 3, 150_000)),
    ]
}

/// A folder with these files.
fn folder() -> Program {
    files().into_iter().fold(program(), |program, (name, bytes)| program.file(name, bytes))
}

/// The standard output of a run.
#[track_caller]
fn book(args: &[&str]) -> Vec<u8> {
    let outcome = folder().args(["book", "-q"]).args(args).run_quietly();
    assert!(!outcome.stdout.is_empty(), "{args:?}");
    outcome.stdout
}

#[test]
fn threads_memory_and_file_order_do_not_change_the_book() {
    let mut choices: Vec<&[&str]> = vec![
        &["--format", "jsonl", "--min-games", "2"],
        &["--format", "csv", "--order", "count", "--ply", "..40"],
        &["--format", "pgn", "--ply", "12", "--order", "score"],
        &["--format", "bin", "--ply", "..30"],
        &["--format", "explorer", "--ply", "..30"],
        &["--sample", "100", "--seed", "7", "--equal-turns", "--min-games", "2"],
        &["--order", "shuffle", "--seed", "3", "--best-rated", "--last"],
        &["--partial", "--keep-moves", "--ply", "..30"],
    ];
    if cfg!(feature = "arrow") {
        choices.extend([
            &["--format", "parquet", "--min-games", "2"][..],
            &["--format", "arrow", "--min-games", "3"],
        ]);
    }
    let ways = [
        &["-j", "2", "a.pgn", "b.pgn", "c.pgn"][..],
        &["-j", "1", "--memory", "1M", "a.pgn", "b.pgn", "c.pgn"],
        &["-j", "3", "--memory", "2M", "c.pgn", "a.pgn", "b.pgn"],
    ];
    for (number, choice) in choices.into_iter().enumerate() {
        let one = |more: &[&str]| book(&[choice, more].concat());
        let plain = one(&["-j", "1", "a.pgn", "b.pgn", "c.pgn"]);
        // Each book in one other way, unless all are wanted.
        for more in if is_full() { &ways[..] } else { &ways[number % 3..][..1] } {
            assert!(one(more) == plain, "{choice:?} {more:?}");
        }
    }
}

#[test]
fn parts_merge_to_the_book_of_all() {
    let program = folder();
    let folder = program.folder();
    let run = |args: &[&str]| run_in(folder, args);
    let all = ["a.pgn", "b.pgn", "c.pgn"];
    let whole =
        run(&[&["book", "-q", "--keep-moves", "--partial", "-o", "abc.part"], &all[..]].concat());
    assert_eq!(whole, b"");
    for name in ["a", "b", "c"] {
        let (pgn, part) = (format!("{name}.pgn"), format!("{name}.part"));
        run(&[
            "book", "-q", "--keep-moves", "--partial", "-o", &part, "-j", "2", "--memory", "1M",
            &pgn,
        ]);
    }
    run(&["book", "merge", "--partial", "-o", "bc.part", "b.part", "c.part"]);
    run(&["book", "merge", "--partial", "-j", "1", "-o", "bca.part", "bc.part", "a.part"]);
    run(&[
        "book", "merge", "--partial", "-j", "3", "--memory", "1M", "-o", "acb.part", "a.part",
        "c.part", "b.part",
    ]);
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert!(read("bca.part") == read("abc.part"));
    assert!(read("acb.part") == read("abc.part"));
    for options in [&["--format", "pgn", "--order", "count"][..], &["--format", "explorer"]] {
        // An explorer file says how its games were counted.
        let count = [&["book", "-q", "--keep-moves"], options, &all[..]].concat();
        let direct = run(&count);
        for jobs in ["1", "2", "3"] {
            let merge = [&["book", "merge", "-j", jobs], options].concat();
            let merged = run(&[&merge[..], &["c.part", "a.part", "b.part"]].concat());
            assert!(direct == merged, "{options:?} {jobs}");
        }
    }
}
