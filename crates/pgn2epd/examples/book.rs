//! Writes a book: the positions of at least two games, with their counts.
//!
//! ```sh
//! cargo run --example book -- fixtures/classics.pgn
//! ```

use std::error::Error;
use std::io::{self, Read, Write};

use pgn2epd::book::{BookOptions, Counting, write_book};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("name a file of games")?;
    print(&file, std::fs::File::open(&file)?, &mut io::stdout().lock())
}

pub(crate) fn print(
    name: &str,
    pgn: impl Read,
    output: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let options = BookOptions::from_names([("ply", "..12"), ("min-games", "2"), ("ops", "none")])?;
    let mut counting = Counting::new(&options, [name]);
    counting.input(name, pgn, &mut ())?;
    write_book(counting.finish(), &options, output)?;
    Ok(())
}
