//! The sample programs of Perl's Chess::PGN::EPD, written with this library, print what the originals print.

use std::io::Cursor;

use pgn2epd::{Format, Options};

use crate::support::{convert, fixture};

#[path = "../crates/pgn2epd/examples/epdlist.rs"]
#[allow(dead_code)]
mod epdlist;
#[path = "../crates/pgn2epd/examples/epdstr.rs"]
#[allow(dead_code)]
mod epdstr;
#[path = "../crates/pgn2epd/examples/taxonomy.rs"]
#[allow(dead_code)]
mod taxonomy;

#[test]
fn the_first_sample_prints_the_same_as_the_perl_format() {
    let options = Options { format: Format::Perl, ..Options::default() };
    for pgn in [
        fixture("immortal.pgn"),
        fixture("classics.pgn"),
        b"*\n\n[White \"B\"]\n\n1. d4 *".to_vec(),
    ] {
        let mut printed = Vec::new();
        epdlist::print(Cursor::new(pgn.clone()), &mut printed).unwrap();
        assert_eq!(String::from_utf8(printed), String::from_utf8(convert(&pgn, &options).output));
    }
}

#[test]
fn the_second_sample_prints_a_diagram_for_latex() {
    let mut printed = Vec::new();
    epdstr::print(&mut printed).unwrap();
    insta::assert_snapshot!(String::from_utf8(printed).unwrap(), @r"
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
    let mut printed = Vec::new();
    taxonomy::print(Cursor::new(fixture("classics.pgn")), &mut printed).unwrap();
    insta::assert_snapshot!(String::from_utf8(printed).unwrap(), @r#"
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
