//! The built-in table, row by row.

use std::collections::HashMap;

use openings::Openings;
use san::Position;

const TABLE: &str = include_str!("../data/openings.tsv");

pub(crate) struct Row {
    pub(crate) eco: &'static str,
    pub(crate) name: &'static str,
    pub(crate) moves: Vec<&'static str>,
}

pub(crate) fn rows() -> Vec<Row> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#')).skip(1);
    let row = |line: &'static str| {
        let mut fields = line.split('\t');
        let mut next = || fields.next().unwrap();
        let (eco, name, pgn) = (next(), next(), next());
        let is_move = |word: &&str| !word.starts_with(|c: char| c.is_ascii_digit());
        Row { eco, name, moves: pgn.split(' ').filter(is_move).collect() }
    };
    lines.map(row).collect()
}

fn play(moves: &[&str]) -> Position {
    let mut position = Position::default();
    for token in moves {
        position.play_unchecked(san::resolve(&position, token.as_bytes()).unwrap());
    }
    position
}

#[test]
fn every_row_is_found_under_its_position() {
    let openings = Openings::embedded();
    let rows = rows();
    assert!(rows.len() >= 3_500);
    for Row { eco, name, moves } in &rows {
        let found = openings.classify(&play(moves)).unwrap();
        assert_eq!((found.eco(), found.opening()), (Some(*eco), Some(*name)));
    }
    assert_eq!(openings.len(), rows.len(), "a position has two names");
}

#[test]
fn rows_are_sorted_by_their_moves_which_are_in_canonical_san() {
    let rows = rows();
    assert!(rows.is_sorted_by(|a, b| a.moves < b.moves));
    for Row { moves, .. } in rows {
        let mut position = Position::default();
        for token in moves {
            let next = san::resolve(&position, token.as_bytes()).unwrap();
            assert_eq!(san::san_of(&position, next).as_str(), token);
            position.play_unchecked(next);
        }
    }
}

#[test]
fn codes_are_eco_codes_and_names_have_parts() {
    for Row { eco, name, .. } in rows() {
        let [letter, tens, ones] = eco.as_bytes() else { panic!("{eco}") };
        assert!((b'A'..=b'E').contains(letter) && tens.is_ascii_digit() && ones.is_ascii_digit());
        let name = openings::Name::new(Some(eco), None, name);
        assert!((1..=10).contains(&name.parts().len()), "{name}");
    }
}

#[test]
fn codes_and_names_are_those_of_esca() {
    let mut theirs = HashMap::new();
    for Row { eco, name, moves } in rows() {
        let mut game = esca::Game::new(esca::classic());
        for token in &moves {
            game.play_san(token).unwrap();
        }
        let found = esca::openings::lookup(game.position()).unwrap();
        assert_eq!((found.eco, found.name), (eco, name), "{moves:?}");
        theirs.insert(game.position().polyglot_key(), name);
    }
    assert_eq!(theirs.len(), esca::openings::count(), "rows are missing");
}

#[test]
fn positions_that_differ_have_keys_that_differ() {
    let rows = rows();
    let keys: HashMap<u64, &Row> = rows.iter().map(|row| (play(&row.moves).key(), row)).collect();
    assert_eq!(keys.len(), rows.len());
}
