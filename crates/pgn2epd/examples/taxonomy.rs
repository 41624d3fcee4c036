//! Prints the tags ECO, NIC and Opening of every game: the third sample of Chess::PGN::EPD.
//!
//! ```sh
//! cargo run --example taxonomy -- fixtures/classics.pgn
//! ```

use std::error::Error;
use std::io::{self, Read, Write};

use pgn2epd::Options;
use pgn2epd::perl::{Tables, Taxonomy};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("name a file of games")?;
    print(std::fs::File::open(file)?, io::stdout().lock())
}

pub(crate) fn print(
    pgn: impl Read + Send + 'static,
    mut output: impl Write,
) -> Result<(), Box<dyn Error>> {
    // The embedded tables; `load` reads those of the Perl module.
    let tables = Tables::default();
    let options = Taxonomy { all: true, astags: true, ..Taxonomy::default() };
    for game in pgn2epd::games(pgn, &Options::default()) {
        let game = game?;
        writeln!(output, "{}", tables.epdtaxonomy(game.moves(), options)?.join("\n"))?;
    }
    Ok(())
}
