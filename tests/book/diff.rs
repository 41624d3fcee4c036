//! `book diff`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use testkit::generate::{Generator, Style};

use crate::support::program;

/// The counts of a position, and those of its moves.
type Counts = (String, BTreeSet<String>);

/// The positions of a book, from its JSON lines.
fn book(games: &[u8]) -> BTreeMap<String, Counts> {
    let text = |counts: &Value| {
        let [games, white, draws, black] =
            ["games", "white", "draws", "black"].map(|name| &counts[name]);
        format!("games {games} white {white} draws {draws} black {black}")
    };
    let entry = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let name = |counts: &Value| counts["move"].as_str().unwrap_or("(end)").to_owned();
        let moves = line["moves"].as_array().unwrap().iter();
        let moves = moves.map(|counts| format!("{} {}", name(counts), text(counts)));
        (line["epd"].as_str().unwrap().to_owned(), (text(&line), moves.collect()))
    };
    let outcome = program().stdin(games).args(["book", "--format", "jsonl"]).run();
    outcome.text().lines().map(entry).collect()
}

/// The lines that `book diff` should print for each position, in any order within a position.
fn differences(
    a: &BTreeMap<String, Counts>,
    b: &BTreeMap<String, Counts>,
) -> BTreeSet<(String, String)> {
    let mut lines = BTreeSet::new();
    for epd in a.keys().chain(b.keys()) {
        let mut line = |sign, text: &str| {
            lines.insert((epd.clone(), format!("{sign} {epd} {text}")));
        };
        match (a.get(epd), b.get(epd)) {
            (Some((total, _)), None) => line('-', total),
            (None, Some((total, _))) => line('+', total),
            (Some((old, old_moves)), Some((new, new_moves))) => {
                if old != new {
                    line('=', &format!("{old} -> {new}"));
                }
                old_moves.difference(new_moves).for_each(|moved| line('-', moved));
                new_moves.difference(old_moves).for_each(|moved| line('+', moved));
            }
            (None, None) => {}
        }
    }
    lines
}

#[test]
fn all_differences_are_printed_in_the_order_of_the_positions() {
    let [mut a, mut b] = [1, 2].map(|seed| Generator::new(Style::Plain, seed));
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for number in 0..200 {
        a.append_game(&mut first);
        if number % 2 == 0 { &mut a } else { &mut b }.append_game(&mut second);
    }
    second.extend_from_slice(&first[..first.len() / 2]);
    let (a, b) = (book(&first), book(&second));
    assert!(a.len() > 5000 && b.len() > 5000, "{} and {}", a.len(), b.len());
    let diff = |a: &[u8], b: &[u8]| {
        let program = program().file("a.pgn", a).file("b.pgn", b);
        program.args(["book", "diff", "a.pgn", "b.pgn"]).run()
    };
    for (first, second, expected) in [
        (&first, &second, differences(&a, &b)),
        (&second, &first, differences(&b, &a)),
        (&first, &first, BTreeSet::new()),
        (&first, &Vec::new(), differences(&a, &BTreeMap::new())),
        (&Vec::new(), &second, differences(&BTreeMap::new(), &b)),
    ] {
        let outcome = diff(first, second);
        assert_eq!(outcome.status, 0, "{}", outcome.stderr);
        let lines = outcome.text().lines().map(|line| {
            let epd = line.split(' ').skip(1).take(4).collect::<Vec<_>>().join(" ");
            (epd, line.to_owned())
        });
        let lines: Vec<(String, String)> = lines.collect();
        assert!(lines.is_sorted_by_key(|(epd, _)| epd));
        assert_eq!(lines.len(), expected.len());
        assert_eq!(lines.into_iter().collect::<BTreeSet<_>>(), expected);
    }
}

#[test]
fn a_damaged_part_is_an_error_of_its_file() {
    let games = b"1. e4 e5 2. Nf3 *\n\n1. d4 *\n";
    let part = program().stdin(&games[..]).args(["book", "--partial"]).run().stdout;
    for arguments in [["cut.part", "whole.part"], ["whole.part", "cut.part"]] {
        let program =
            program().file("whole.part", &*part).file("cut.part", &part[..part.len() - 9]);
        let outcome = program.args(["book", "diff"]).args(arguments).run();
        assert_eq!(outcome.status, 2);
        assert!(outcome.stderr.contains("cut.part"), "{}", outcome.stderr);
    }
}
