//! Prints a position for LaTeX: the second sample of Chess::PGN::EPD.
//!
//! ```sh
//! cargo run --example epdstr
//! ```

use std::error::Error;
use std::io::{self, Write};

use pgn2epd::perl::{self, Look};

fn main() -> Result<(), Box<dyn Error>> {
    print(io::stdout().lock())
}

pub(crate) fn print(mut output: impl Write) -> Result<(), Box<dyn Error>> {
    let position = "rnbqkb1r/ppp1pppp/5n2/3P4/8/8/PPPP1PPP/RNBQKBNR w KQkq -";
    let rows = perl::epdstr(position, "latex", Look::default())?;
    write!(output, "{}", rows.join("\n"))?;
    Ok(())
}
