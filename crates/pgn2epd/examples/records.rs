//! Prints a line for each position of a stream of games in which the side to move is in check.
//!
//! ```sh
//! cargo run --example records -- fixtures/classics.pgn
//! ```

use std::error::Error;
use std::io::{self, Read, Write};

use pgn2epd::options::RegisterStyle;
use pgn2epd::{GameError, Options, records};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("name a file of games")?;
    print(std::fs::File::open(file)?, io::stdout().lock())
}

pub(crate) fn print(
    pgn: impl Read + Send + 'static,
    mut output: impl Write,
) -> Result<(), Box<dyn Error>> {
    let options =
        Options::default().filter(Some("check".parse()?)).registers(Some(RegisterStyle::Off));
    let mut records = records(pgn, &options);
    for record in records.by_ref() {
        match record {
            Ok(record) => {
                let white = record.tags.get("White").unwrap_or("?");
                writeln!(output, "{white}, ply {}: {record}", record.ply)?;
            }
            // The games after the error are read too.
            Err(GameError::Problem(problem)) => writeln!(output, "{problem}")?,
            Err(error) => return Err(error.into()),
        }
    }
    if let Some(summary) = records.summary() {
        writeln!(output, "{} of {} games", summary.positions, summary.games)?;
    }
    Ok(())
}
