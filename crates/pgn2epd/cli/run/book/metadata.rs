//! What is said of a book in a file beside it, as books.json of the Stockfish books has it.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use pgn2epd::book::Figures;
use sha2::{Digest, Sha384};

/// An output whose bytes are hashed on the way, if that is wanted.
pub(super) struct Hashed<W> {
    output: W,
    hash: Option<Sha384>,
}

impl<W: Write> Hashed<W> {
    pub(super) fn new(output: W, wanted: bool) -> Self {
        Hashed { output, hash: wanted.then(Sha384::new) }
    }

    /// The output, and the hash as hexadecimal digits.
    pub(super) fn finish(self) -> (W, Option<String>) {
        let digits =
            |hash: Sha384| hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        (self.output, self.hash.map(digits))
    }
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        if let Some(hash) = &mut self.hash {
            hash.update(&bytes[..written]);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// Writes the figures of the book `path` to `path.json`.
pub(super) fn write(path: &Path, figures: &Figures, sha384: &str) -> anyhow::Result<()> {
    let command: Vec<String> = std::env::args().skip(1).collect();
    let object = serde_json::json!({
        "total": figures.total,
        "white": figures.white,
        "black": figures.black,
        "min_depth": figures.min_depth,
        "max_depth": figures.max_depth,
        "games": figures.games,
        "sha384": sha384,
        "command": command,
        "pgn2epd": env!("CARGO_PKG_VERSION"),
    });
    let mut name = path.as_os_str().to_owned();
    name.push(".json");
    let text = format!("{object:#}\n");
    fs::write(&name, text).with_context(|| format!("cannot write {}", Path::new(&name).display()))
}
