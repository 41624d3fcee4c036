//! The sample programs of Perl's Chess::PGN::EPD, written with this library, print what the
//! originals print; the other examples of the library run.

use std::error::Error;
use std::io::Cursor;

use pgn2epd::Options;
use pgn2epd::options::Format;

use crate::support::{convert, fixture, program};

#[path = "../crates/pgn2epd/examples/book.rs"]
#[allow(dead_code)]
mod book;
#[path = "../crates/pgn2epd/examples/epdlist.rs"]
#[allow(dead_code)]
mod epdlist;
#[path = "../crates/pgn2epd/examples/epdstr.rs"]
#[allow(dead_code)]
mod epdstr;
#[path = "../crates/training/examples/load.rs"]
#[allow(dead_code)]
mod load;
#[path = "../crates/pgn2epd/examples/records.rs"]
#[allow(dead_code)]
mod records;
#[path = "../crates/pgn2epd/examples/table.rs"]
#[allow(dead_code)]
mod table;
#[path = "../crates/pgn2epd/examples/taxonomy.rs"]
#[allow(dead_code)]
mod taxonomy;
#[path = "../crates/pgn2epd/examples/visitor.rs"]
#[allow(dead_code)]
mod visitor;

/// What an example prints.
fn printed(print: impl FnOnce(&mut Vec<u8>) -> Result<(), Box<dyn Error>>) -> String {
    let mut bytes = Vec::new();
    print(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn the_first_sample_prints_the_same_as_the_perl_format() {
    let options = Options::default().format(Format::Perl);
    for pgn in [
        fixture("immortal.pgn"),
        fixture("classics.pgn"),
        b"*\n\n[White \"B\"]\n\n1. d4 *".to_vec(),
    ] {
        let printed = printed(|out| epdlist::print(Cursor::new(pgn.clone()), out));
        assert_eq!(printed.as_bytes(), convert(&pgn, &options).output);
    }
}

#[test]
fn the_second_sample_prints_a_diagram_for_latex() {
    let printed = printed(|out| epdstr::print(out));
    insta::assert_snapshot!(printed, @r"
    \begin{diagram}
    \board
    {rnbqkb r}
    {ppp pppp}
    { * * n *}
    {* *P* * }
    { * * * *}
    {* * * * }
    {PPPP PPP}
    {RNBQKBNR}
    \end{diagram}
    ");
}

#[test]
fn the_third_sample_prints_the_tags_of_each_game() {
    let printed = printed(|out| taxonomy::print(Cursor::new(fixture("classics.pgn")), out));
    insta::assert_snapshot!(printed, @r#"
    [ECO "C52"]
    [NIC "Unknown"]
    [Opening "Italian Game: Evans Gambit, Dufresne Defense"]
    [ECO "C41"]
    [NIC "Unknown"]
    [Opening "Philidor Defense"]
    [ECO "D32"]
    [NIC "Unknown"]
    [Opening "Tarrasch Defense: Symmetrical Variation"]
    "#);
}

#[test]
fn records_of_a_stream_are_printed_with_their_games() {
    let pgn = &b"[White \"Ann\"]\n\n1. e4 d5 2. Bb5+ c6 *\n\n1. e4 Ke6 *\n"[..];
    let printed = printed(|out| records::print(pgn, out));
    insta::assert_snapshot!(printed, @r"
    Ann, ply 3: rnbqkbnr/ppp1pppp/8/1B1p4/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - fmvn 2; hmvc 1; sm c6;
    5:7: game 2, 1... Ke6: illegal: no black king can reach e6
    1 of 2 games
    ");
}

#[test]
fn a_consumer_of_columns_counts_moves() {
    let printed = printed(|out| table::print(&*b"1. Nf3 Nf6 2. Ng1 Ng8 *\n".repeat(6), out));
    assert_eq!(printed, "f3 6\nf6 6\ng1 6\ng8 6\n");
}

#[test]
fn a_visitor_sees_the_first_move_of_each_game() {
    let printed =
        printed(|out| visitor::print(&b"1. e4 e5 *\n\n1. d4 *\n\n*\n\n1. e4 c5 *\n"[..], out));
    assert_eq!(printed, "      2 e4\n      1 d4\n");
}

#[test]
fn a_book_has_the_positions_of_several_games() {
    let printed = printed(|out| book::print("a.pgn", &b"1. e4 *\n\n1. e4 e5 *\n"[..], out));
    let last = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
    assert_eq!(printed.lines().collect::<Vec<_>>()[1..], [last]);
}

/// The example of docs/training.md: the crates of trainers read what the program writes.
#[test]
fn trainers_read_the_files() {
    let page = include_str!("../docs/training.md");
    let shown = page.split("```rust\n").nth(1).unwrap().split("```").next().unwrap();
    let source = include_str!("../crates/training/examples/load.rs");
    assert!(
        source.contains(shown),
        "docs/training.md does not show crates/training/examples/load.rs"
    );
    let games = "1. e4 {+0.25/12 0.3s} e5 {-0.20/12 0.3s} 2. Nf3 {+M5/9 0.1s} 1-0\n";
    let written = |name: &str| program().args(["-o", name]).stdin(games).run_quietly();
    let outcome = written("data.binpack");
    let positions = load::binpack(&outcome.folder().join("data.binpack")).unwrap();
    let (fen, uci, score, result) = &positions[1];
    assert_eq!(fen, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_eq!((&**uci, *score, *result), ("e7e5", -20, -1));
    assert_eq!((positions.len(), positions[2].2), (3, 31995));
    let outcome = written("data.bullet");
    let positions = load::bullet(&outcome.folder().join("data.bullet")).unwrap();
    assert_eq!(positions, [(32, 25, 1.0), (32, -20, 0.0), (32, 31995, 1.0)]);
}
