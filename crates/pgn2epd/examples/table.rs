//! A consumer of its own: counts the moves played from each square, from columns of the positions.
//!
//! ```sh
//! cargo run --example table -- fixtures/classics.pgn
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Read, Write};

use pgn2epd::table::{Column, Fact};
use pgn2epd::{Conversion, Options};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("name a file of games")?;
    print(std::fs::File::open(file)?, io::stdout().lock())
}

pub(crate) fn print(pgn: impl Read, mut output: impl Write) -> Result<(), Box<dyn Error>> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let columns = [Column::Fact(Fact::Uci)];
    // Called with rows of many positions at once, in the order of the games.
    let mut conversion = Conversion::to_rows(&columns, &Options::default(), |rows| {
        let moves = (0..rows.len()).filter_map(|row| rows.columns[0].text(row));
        for uci in moves {
            *counts.entry(uci[..2].to_owned()).or_default() += 1;
        }
        Ok(())
    });
    conversion.input(pgn, &mut ())?;
    conversion.finish()?;
    for (square, count) in counts.iter().filter(|(_, count)| **count > 5) {
        writeln!(output, "{square} {count}")?;
    }
    Ok(())
}
