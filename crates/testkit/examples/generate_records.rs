//! Writes generated EPD records to standard output.
//!
//! `cargo run --release -p pgn2epd-testkit --example generate_records -- SEED COUNT > out.epd`

use std::error::Error;
use std::io::{self, ErrorKind, Write};

use testkit::generate::records;

/// Number of distinct records, which are then repeated.
const DIFFERENT: usize = 100_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seed, count] = arguments.as_slice() else {
        return Err("usage: records SEED COUNT".into());
    };
    let (seed, mut count): (u64, usize) = (seed.parse()?, count.parse()?);
    let text = records(seed, count.min(DIFFERENT));
    let mut out = io::stdout().lock();
    while count > 0 {
        let lines = text.split_inclusive(|b| *b == b'\n').take(count);
        let written = if count < DIFFERENT {
            lines.into_iter().try_for_each(|line| out.write_all(line))
        } else {
            out.write_all(&text)
        };
        match written {
            // The reader, such as `head`, has closed the pipe.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            other => other?,
        }
        count -= count.min(DIFFERENT);
    }
    Ok(())
}
