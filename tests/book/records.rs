//! Books as input: files of EPD records and FENs.

use std::collections::BTreeMap;
use std::fs;

use testkit::shared::shared;

use super::GAMES;
use super::naive::first_games;
use crate::support::{fields, program};

/// The first four fields of each line.
fn positions(text: &str) -> Vec<String> {
    text.lines().map(fields).collect()
}

fn book(text: impl AsRef<[u8]>, args: &[&str]) -> String {
    program()
        .file("in.epd", text)
        .arg("book")
        .args(args)
        .arg("in.epd")
        .run_quietly()
        .text()
        .to_owned()
}

/// The book of a file: for each row its position, move, and numbers of games and results.
fn counts(name: &str, contents: &[u8]) -> Vec<String> {
    let program = program().file(name, contents);
    let outcome = program.args(["book", "--format", "csv", name]).run_quietly();
    let row = |line: &str| line.split(',').take(7).collect::<Vec<_>>().join(",");
    outcome.text().lines().skip(1).map(row).collect()
}

/// The numbers of each position, over all of its moves.
fn sums(rows: &[String]) -> BTreeMap<&str, [u64; 4]> {
    let mut sums = BTreeMap::new();
    for row in rows {
        let cells: Vec<&str> = row.split(',').collect();
        let sum: &mut [u64; 4] = sums.entry(cells[0]).or_default();
        sum.iter_mut()
            .zip(&cells[3..])
            .for_each(|(sum, cell)| *sum += cell.parse::<u64>().unwrap());
    }
    sums
}

#[test]
fn a_row_of_counts_is_as_many_games() {
    let expected = counts("games.pgn", GAMES.as_bytes());
    assert!(expected.iter().any(|row| row.contains(",e4,e2e4,2,")), "{expected:?}");
    let table = |format: &str| {
        let program = program().file("games.pgn", GAMES);
        program.args(["book", "--format", format, "games.pgn"]).run_quietly().stdout
    };
    assert_eq!(counts("counts.csv", &table("csv")), expected);
    if cfg!(feature = "arrow") {
        // A row of a position.
        assert_eq!(sums(&counts("counts.parquet", &table("parquet"))), sums(&expected));
    }
    // Numbers that contradict each other are not those of games.
    let wrong = "epd,uci,games,white,draws,black\n4k3/8/8/8/8/8/4P3/4K3 w - -,e2e4,2,3,0,0\n";
    let found = counts("counts.csv", wrong.as_bytes());
    assert_eq!(found, ["4k3/8/8/8/8/8/4P3/4K3 w - -,e4,e2e4,1,0,0,0"]);
}

#[test]
fn a_book_is_read_back_unchanged() {
    let args = ["book", "--ply", "..6", "--format", "epd"];
    let first = program().args(args).stdin(GAMES).run();
    let counts = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split(" c1 ").next().unwrap().to_owned()).collect()
    };
    let again = book(first.text(), &[]);
    assert_eq!(counts(&again), counts(first.text()));
    let fens =
        "4k3/8/8/8/8/8/4P3/4K3 w - - 7 30\n\n# a comment\n4k3/8/8/8/8/8/3P4/4K3 b - - 8 31\n";
    assert_eq!(
        book(fens, &["--preset", "match"]),
        "4k3/8/8/8/8/8/4P3/4K3 w - - fmvn 30; hmvc 7;\n4k3/8/8/8/8/8/3P4/4K3 b - - fmvn 31; hmvc 8;\n"
    );
}

#[test]
fn public_books_only_lose_duplicates() {
    let Some(shared) = shared() else { return };
    let read = |name: &str| {
        let path = shared.join("corpus/epd").join(name);
        fs::read_to_string(path).unwrap()
    };
    // Some positions of the third edition differ only by en passant squares, which the fourth
    // edition omits.
    let third = positions(&book(read("UHO_4060_v3-1000.epd"), &["--ops", "none"]));
    let mut fourth = positions(&read("UHO_4060_v4-1000.epd"));
    assert_eq!(third, fourth);
    fourth.sort();
    fourth.dedup();
    assert_eq!(fourth.len(), third.len());
    for name in [
        "2moves_v1-1000",
        "DFRC_4852_v1-1000",
        "closedpos-1000",
        "endgames-1000",
        "popularpos_lichess_v3-1000",
        "stalemates_200d30_v1-1000",
    ] {
        let text = read(&format!("{name}.epd"));
        let epd = book(&text, &["--preset", "match"]);
        assert!(positions(&epd).len() >= 990, "{name}");
        // To PGN and back, to EPD and back: the same book.
        let pgn = book(&text, &["--format", "pgn"]);
        let of_pgn = book(&pgn, &["--last", "--preset", "match"]);
        assert_eq!(of_pgn, epd, "{name}");
        assert_eq!(book(&epd, &["--preset", "match"]), epd, "{name}");
    }
}

#[test]
fn eight_moves_are_converted_to_pgn_and_back() {
    let Some(text) = first_games("8moves_v3_first20000", 1000) else { return };
    let epd = book(&text, &["--last", "--preset", "match"]);
    let pgn = book(&text, &["--last", "--format", "pgn"]);
    assert_eq!(book(&pgn, &["--last", "--preset", "match"]), epd);
}
