//! Prints the positions of every game, with an empty line after each game: the first sample of
//! Chess::PGN::EPD.
//!
//! ```sh
//! cargo run --example epdlist -- fixtures/immortal.pgn
//! ```
//!
//! `pgn2epd --format perl FILE` prints the same, faster.

use std::error::Error;
use std::io::{self, Read, Write};

use pgn2epd::{Options, perl};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("name a file of games")?;
    print(std::fs::File::open(file)?, io::stdout().lock())
}

pub(crate) fn print(
    pgn: impl Read + Send + 'static,
    mut output: impl Write,
) -> Result<(), Box<dyn Error>> {
    for game in pgn2epd::games(pgn, &Options::default()) {
        let game = game?;
        // The Perl equivalent: print join("
        // ", epdlist(@{$pgn->moves()})), "
        //
        // ";
        let positions = perl::epdlist(game.moves())?;
        write!(output, "{}\n\n", positions.join("\n"))?;
    }
    Ok(())
}
