//! The examples in `fixtures/quirks`, and how they are run.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// A text with its expected result.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Quirk {
    pub(crate) row: u32,
    pub(crate) name: String,
    pub(crate) pgn: String,
    /// The moves of the main line of each game, in SAN.
    pub(crate) games: Vec<String>,
    #[serde(default)]
    pub(crate) says: Says,
    /// Options of the program.
    #[serde(default)]
    pub(crate) args: String,
}

/// The most severe message.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Says {
    #[default]
    Nothing,
    Warning,
    Error,
}

#[derive(Deserialize)]
struct Table {
    quirk: Vec<Quirk>,
}

/// A file of texts.
pub(crate) const FILES: [(&str, &str); 6] = [
    ("structure", "Games and lines"),
    ("tags", "Tags"),
    ("movetext", "Moves"),
    ("comments", "Comments and variations"),
    ("machine", "What programs write into comments"),
    ("encodings", "Encodings"),
];

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/quirks")
}

/// The texts of a file.
pub(crate) fn quirks(file: &str) -> Vec<Quirk> {
    let path = folder().join(file).with_extension("toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    toml::from_str::<Table>(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display())).quirk
}

impl Quirk {
    /// The bytes of the text: ⏎ is a line feed, `\r`, `\t` and `\xNN` have their usual meaning.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let text = self.pgn.replace('⏎', "\n").into_bytes();
        let (mut bytes, mut rest) = (Vec::new(), &text[..]);
        while let [byte, after @ ..] = rest {
            let (byte, len) = match after {
                [b'r', ..] if *byte == b'\\' => (b'\r', 2),
                [b't', ..] if *byte == b'\\' => (b'\t', 2),
                [b'x', high, low, ..] if *byte == b'\\' => {
                    let hex = [*high, *low];
                    let hex = std::str::from_utf8(&hex).unwrap();
                    (u8::from_str_radix(hex, 16).unwrap(), 4)
                }
                _ => (*byte, 1),
            };
            bytes.push(byte);
            rest = &rest[len..];
        }
        bytes
    }
}
