//! Writes a metadata file for a book in the format of books.json of the Stockfish books: an object
//! with the book's name, whose `sri` is the SHA-384 in base 64. Members that books.json lacks come
//! last.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use base64::prelude::{BASE64_STANDARD, Engine};
use pgn2epd::book::Figures;
use sha2::{Digest, Sha384};

use crate::output::Output;

/// An output that optionally hashes the bytes written.
pub(super) struct Hashed<W> {
    output: W,
    hash: Option<Sha384>,
}

impl<W: Write> Hashed<W> {
    pub(super) fn new(output: W, wanted: bool) -> Self {
        Hashed { output, hash: wanted.then(Sha384::new) }
    }

    pub(super) fn finish(self) -> (W, Option<Vec<u8>>) {
        (self.output, self.hash.map(|hash| hash.finalize().to_vec()))
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

/// Returns the path of the metadata of the book `path`: `path.json`.
pub(super) fn path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

/// Replaces the path of an existing file by its last component: the metadata are published.
fn published(argument: &OsString) -> String {
    let text = argument.to_string_lossy().into_owned();
    // `--option=PATH`
    let (option, value) = match text.split_once('=').filter(|_| text.starts_with('-')) {
        Some((option, value)) => (format!("{option}="), value),
        None => (String::new(), &*text),
    };
    let path = Path::new(value);
    match path.file_name().filter(|_| path.exists()) {
        Some(name) => option + &name.to_string_lossy(),
        None => text,
    }
}

/// Writes the metadata of the book `path`; `given` are the arguments of the program.
pub(super) fn write(
    path: &Path,
    figures: &Figures,
    sha384: &[u8],
    given: &[OsString],
    mut output: Output,
) -> anyhow::Result<()> {
    let command: Vec<String> = given.iter().skip(1).map(published).collect();
    let depth = |plies: u32| (figures.total > 0).then_some(plies);
    let book = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let object = serde_json::json!({
        book: {
            "total": figures.total,
            "white": figures.white,
            "black": figures.black,
            "min_depth": depth(figures.min_depth),
            "max_depth": depth(figures.max_depth),
            "sri": BASE64_STANDARD.encode(sha384),
            "sha384": sha384.iter().map(|byte| format!("{byte:02x}")).collect::<String>(),
            "games": figures.games,
            "command": command,
            "versions": { "pgn2epd": env!("CARGO_PKG_VERSION") },
        }
    });
    writeln!(output, "{object:#}")?;
    Ok(output.finish()?)
}
