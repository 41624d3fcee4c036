//! Explorer files as sources.

use std::error::Error;

use pgn2epd::book::{BookOptions, Counting, write_book};
use testkit::generate::{Generator, Style};

use crate::support::named;

/// The explorer file of some games.
fn explorer() -> Vec<u8> {
    let options = BookOptions::from_names([("format", "explorer")]).unwrap();
    let mut counting = Counting::new(&options, ["games.pgn"]);
    let games = Generator::text(Style::Plain, 1, 300_000);
    counting.input("games.pgn", &games[..], &mut ()).unwrap();
    let mut bytes = Vec::new();
    write_book(counting.finish(), &options, &mut bytes).unwrap();
    bytes
}

/// The records of a file, and the cause of the error.
fn records(file: &[u8]) -> (Vec<String>, Option<String>) {
    let options = named(&[("ops", "none")]);
    let mut output = Vec::new();
    let error = pgn2epd::convert(file, &mut output, &options).err();
    let records = String::from_utf8(output).unwrap().lines().map(str::to_owned).collect();
    (records, error.and_then(|error| Some(error.source()?.to_string())))
}

#[test]
fn a_damaged_block_loses_its_own_positions_only() {
    let file = explorer();
    let (whole, error) = records(&file);
    assert!(error.is_none() && whole.len() > 10_000, "{}", whole.len());
    // The list of blocks is near the end.
    for places in [&[30][..], &[file.len() / 2], &[file.len() / 5, file.len() / 2]] {
        let mut damaged = file.clone();
        places.iter().for_each(|place| damaged[*place] ^= 1);
        let (found, error) = records(&damaged);
        let error = error.unwrap();
        assert!(error.contains("it is damaged at byte"), "{error}");
        assert_eq!(error.contains("(the first of 2 such places)"), places.len() == 2, "{error}");
        // What is missing is in as many pieces as there are damaged blocks.
        let mut left = found.iter().peekable();
        let is_missing = whole.iter().map(|record| left.next_if(|next| *next == record).is_none());
        let is_missing: Vec<bool> = is_missing.collect();
        assert!(left.next().is_none());
        let pieces = is_missing.chunk_by(|a, b| a == b).filter(|piece| piece[0]).count();
        assert_eq!(pieces, places.len());
        assert!(whole.len() - found.len() < 1500 * places.len(), "{}", found.len());
    }
}
