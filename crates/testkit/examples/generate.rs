//! Writes generated games to standard output.
//!
//! `cargo run --release -p pgn2epd-testkit --example generate -- STYLE SEED BYTES > out.pgn`
//!
//! STYLE is plain, lichess, engine, cutechess, annotated or chess960. BYTES may end in K, M or G.
//! The last game is completed, so the output is slightly longer.

use std::error::Error;
use std::io::{self, ErrorKind};

use testkit::generate::{Generator, Style};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [style, seed, bytes] = arguments.as_slice() else {
        return Err("usage: generate STYLE SEED BYTES".into());
    };
    let style: Style = style.parse()?;
    let mut games = Generator::reader(style, seed.parse()?, parse_size(bytes)?);
    match io::copy(&mut games, &mut io::stdout().lock()) {
        // The reader, such as `head`, has closed the pipe.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other.map(drop)?),
    }
}

fn parse_size(text: &str) -> Result<u64, Box<dyn Error>> {
    let (digits, unit) = match text.as_bytes().last() {
        Some(b'K' | b'k') => (&text[..text.len() - 1], 1 << 10),
        Some(b'M' | b'm') => (&text[..text.len() - 1], 1 << 20),
        Some(b'G' | b'g') => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    let number: u64 = digits.parse()?;
    number.checked_mul(unit).ok_or_else(|| format!("{text} bytes are too many").into())
}
