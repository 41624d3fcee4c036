//! Two sources that are compared by position, compared with maps of texts.

use std::collections::HashMap;

use testkit::rng::Rng;
use testkit::shared::is_full;

use crate::join::{Record, is_counter, positions, records, source};
use crate::support::program;

/// The different positions of a text in their order, each with the operations of all its records.
fn merged(text: &str) -> Vec<Record> {
    let mut merged: Vec<Record> = Vec::new();
    for mut record in records(text) {
        record.operations.retain(|name, _| !is_counter(name));
        match merged.iter_mut().find(|first| first.identity == record.identity) {
            None => merged.push(record),
            Some(first) => {
                for (name, operands) in record.operations {
                    first.operations.entry(name).or_insert(operands);
                }
            }
        }
    }
    merged
}

fn line(mark: &str, record: &Record, other: Option<&Record>) -> String {
    let mut line = format!("{mark} {}", record.fields);
    for (name, operands) in &record.operations {
        if other.is_some_and(|other| other.operations.get(name) == Some(operands)) {
            continue;
        }
        let space = if operands.is_empty() { "" } else { " " };
        line += &format!(" {name}{space}{operands};");
    }
    line + "\n"
}

/// What should be printed, and the numbers in the summary.
fn expected(a: &str, b: &str) -> (String, [usize; 4]) {
    let (a, b) = (merged(a), merged(b));
    let by_identity = |list: &[Record]| -> HashMap<String, Record> {
        list.iter().map(|record| (record.identity.clone(), record.clone())).collect()
    };
    let (of_a, of_b) = (by_identity(&a), by_identity(&b));
    let (mut text, mut counts) = (String::new(), [0; 4]);
    for record in &a {
        match of_b.get(&record.identity) {
            None => {
                counts[0] += 1;
                text += &line("<", record, None);
            }
            Some(other) if other.operations == record.operations => counts[3] += 1,
            Some(other) => {
                counts[2] += 1;
                text += &line("<", record, Some(other));
                text += &line(">", other, Some(record));
            }
        }
    }
    for record in b.iter().filter(|record| !of_a.contains_key(&record.identity)) {
        counts[1] += 1;
        text += &line(">", record, None);
    }
    (text, counts)
}

#[test]
fn all_differences_are_printed_in_the_order_of_the_sources() {
    let mut totals = [0; 4];
    for seed in 0..if is_full() { 10 } else { 4 } {
        let mut rng = Rng::new(seed);
        let positions = positions(&mut rng);
        let a = source(&mut rng, &positions[..30], 30);
        // Some positions with the same operations: registers are as in the first source as long as
        // all records are the same.
        let same: String = a.split_inclusive('\n').take(12).collect();
        let b = same + &source(&mut rng, &positions[10..], 20);
        for (a, b) in [(&a, &b), (&b, &a), (&a, &a), (&a, &String::new()), (&String::new(), &b)] {
            let (text, counts) = expected(a, b);
            totals.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
            for settings in [["-j1", "--memory=1"], ["-j2", "--memory=8K"], ["-j2", "--memory=1G"]]
            {
                let program = program().file("a.epd", a).file("b.epd", b);
                let outcome = program.args(["diff", "a.epd", "b.epd"]).args(settings).run();
                for (found, expected) in outcome.text().lines().zip(text.lines()) {
                    assert_eq!(found, expected, "{seed}");
                }
                assert_eq!(outcome.text().len(), text.len(), "{seed}");
                assert_eq!(outcome.status, i32::from(!text.is_empty()), "{}", outcome.stderr);
                let s = |count: usize| if count == 1 { "" } else { "s" };
                let [only_a, only_b, different, equal] = counts;
                let summary = format!(
                    "{only_a} position{} only in a.epd, {only_b} position{} only in b.epd, {different} position{} with different operations, {equal} equal\n",
                    s(only_a),
                    s(only_b),
                    s(different)
                );
                assert_eq!(outcome.stderr, summary);
            }
        }
    }
    assert!(totals.iter().all(|total| *total > 20), "{totals:?}");
}

#[test]
fn counters_and_formats_make_no_difference() {
    let fields = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    let outcome = program()
        .file("a.epd", format!("{fields} hmvc 4; id \"a\"; bm e4;\n"))
        .file("b.fen", format!("{fields} 0 9 bm e4; id \"a\";\n"))
        .args(["diff", "-q", "a.epd", "b.fen"])
        .run();
    assert_eq!((outcome.status, outcome.text(), &*outcome.stderr), (0, "", ""));
}

#[test]
fn counts_of_two_books_are_compared() {
    let book = |name: &str, pgn: &str| {
        let outcome = program().file(name, pgn).args(["book", "--ply", "1", name]).run();
        assert_eq!(outcome.status, 0, "{}", outcome.stderr);
        outcome.stdout
    };
    let outcome = program()
        .file("a.epd", book("a.pgn", "1. e4 1-0\n\n1. e4 *\n\n1. d4 *\n"))
        .file("b.epd", book("b.pgn", "1. e4 1-0\n\n1. e4 0-1\n\n1. d4 *\n"))
        .args(["diff", "a.epd", "b.epd"])
        .run();
    let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
    let d4 = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -";
    let expected = format!(
        "< {e4} c0 \"games 2 white 1 draws 0 black 0\"; c2 \"? - ?, a.pgn:1\";\n\
         > {e4} c0 \"games 2 white 1 draws 0 black 1\"; c2 \"? - ?, b.pgn:1\";\n\
         < {d4} c2 \"? - ?, a.pgn:3\";\n\
         > {d4} c2 \"? - ?, b.pgn:3\";\n"
    );
    assert_eq!((outcome.status, outcome.text()), (1, &*expected), "{}", outcome.stderr);
}

#[test]
fn an_unreadable_file_is_not_compared() {
    let outcome = program().file("a.epd", "x\n").args(["diff", "a.epd", "b.epd"]).run();
    assert_eq!((outcome.status, outcome.text()), (2, ""));
    assert!(outcome.stderr.contains("b.epd"), "{}", outcome.stderr);
    let fields = "4k3/8/8/8/8/8/4P3/4K3 w - -\n";
    let folder = program().file("a.epd", fields).file("b.epd", format!("{fields}4k3/9 w - -\n"));
    let outcome = folder.args(["diff", "a.epd", "b.epd"]).run();
    assert_eq!((outcome.status, outcome.text()), (1, ""));
    assert!(outcome.stderr.starts_with("b.epd:2:"), "{}", outcome.stderr);
}
