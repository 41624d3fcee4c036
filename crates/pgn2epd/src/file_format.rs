//! The format that the name of an output states.

use std::path::Path;

use emit::LabelForm;
use stream::output::{compression_suffix, without_compression_suffix};
use table::TableFormat;
use training::TrainingFormat;

use crate::options::{Format, OptionError, Options};

const OTHER: &[(&[&str], &str, &str)] = &[
    (&["bin"], "a Polyglot book", "`pgn2epd book` writes such books"),
    (&["explorer"], "an explorer file", "`pgn2epd book` writes such files"),
    (&["part"], "a partial book", "`pgn2epd book --partial` writes it"),
    (&["pgn"], "games", "`pgn2epd -o NAME.pgn` writes games, `pgn2epd book` a book of them"),
    (&["html", "htm", "svg", "png", "tex"], "diagrams", "`pgn2epd show` writes them"),
    (
        &["pdf", "jpg", "jpeg", "gif", "webp", "doc", "docx"],
        "a page or picture",
        "`pgn2epd show` writes .html, .svg, .png and .tex",
    ),
    (
        &["db", "sqlite", "sqlite3", "duckdb", "xls", "xlsx", "ods"],
        "a database or spreadsheet",
        "these read tables: .csv, .parquet",
    ),
    (&["tsv", "tab"], "a table with tabs", "tables are .csv, .jsonl, .arrow and .parquet"),
    (&["json"], "a JSON document", "a table with a JSON object a line is .jsonl"),
    (
        &["abk", "cbh", "cbv", "ctg", "obk", "scid", "si4", "si5"],
        "a database or book of another program",
        "no command writes it",
    ),
];

fn suffix(path: &Path) -> Option<String> {
    Some(without_compression_suffix(path).extension()?.to_str()?.to_owned())
}

/// Returns what files of this name are, if they are neither records nor tables, and the command
/// that writes them.
///
/// ```
/// use std::path::Path;
///
/// let (what, advice) = pgn2epd::output::other_format(Path::new("page.HTML")).unwrap();
/// assert_eq!((what, advice), ("diagrams", "`pgn2epd show` writes them"));
/// assert_eq!(pgn2epd::output::other_format(Path::new("positions.txt")), None);
/// ```
pub fn other_format(path: &Path) -> Option<(&'static str, &'static str)> {
    let suffix = suffix(path)?.to_ascii_lowercase();
    let (_, what, advice) = OTHER.iter().find(|(names, ..)| names.contains(&&*suffix))?;
    Some((what, advice))
}

impl Format {
    /// Returns the format of files with this name, compressed or not: a table, training data,
    /// games, or FENs. Files of other formats may have any name.
    ///
    /// ```
    /// use std::path::Path;
    /// use pgn2epd::options::Format;
    /// use pgn2epd::table::TableFormat;
    ///
    /// let format = |name| Format::of_file_name(Path::new(name));
    /// assert_eq!(format("positions.csv.zst"), Some(Format::Table(TableFormat::Csv)));
    /// assert_eq!(format("positions.fen"), Some(Format::Fen));
    /// assert_eq!(format("positions.epd"), None);
    /// ```
    pub fn of_file_name(path: &Path) -> Option<Self> {
        let suffix = suffix(path)?;
        let text = || match &*suffix.to_ascii_lowercase() {
            "fen" => Some(Format::Fen),
            "pgn" => Some(Format::Pgn),
            _ => None,
        };
        let training = || TrainingFormat::of_suffix(&suffix).map(Format::Training);
        let table = || TableFormat::of_suffix(&suffix).map(Format::Table);
        training().or_else(table).or_else(text)
    }
}

/// A name of an output that does not fit the options.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OutputNameError {
    /// The name states another format than the options.
    #[error("the suffix of {name} is that of {stated}, but the format is {format}")]
    Format {
        /// The name.
        name: String,
        /// The format of files of that name.
        stated: Format,
        /// The format of the options.
        format: Format,
    },
    /// The name is that of a file which a conversion does not write.
    #[error("{name} is the name of {what}, but the format is {format}; {advice}")]
    Other {
        /// The name.
        name: String,
        /// What files of such names are.
        what: &'static str,
        /// The format of the options.
        format: Format,
        /// The command that writes such files.
        advice: &'static str,
    },
    /// The name is that of a compressed file, but the format is compressed inside or not at all.
    #[error(
        "{name}: {format} is not compressed as a whole; omit the last suffix, and use the option compress for parquet"
    )]
    Compressed {
        /// The name.
        name: String,
        /// The format of the options.
        format: Format,
    },
}

impl Options {
    /// Parses options like [`Options::from_names`]. If none of them selects a format, the name of
    /// the output may; that of FENs only without a preset, which may select another. Fails like
    /// [`Options::from_names`]. [`Options::check_file_name`] checks whether the name fits the
    /// options.
    ///
    /// ```
    /// use std::path::Path;
    /// use pgn2epd::Options;
    /// use pgn2epd::options::Format;
    ///
    /// let format = |named: &[(&str, &str)], name| {
    ///     Options::from_names_for(named.iter().copied(), Path::new(name)).map(|options| options.format)
    /// };
    /// assert_eq!(format(&[], "positions.fen")?, Format::Fen);
    /// assert_eq!(format(&[("format", "epd")], "positions.fen")?, Format::Epd);
    /// assert_eq!(format(&[], "positions.epd")?, Format::Epd);
    /// # Ok::<_, pgn2epd::OptionError>(())
    /// ```
    pub fn from_names_for<'n>(
        named: impl IntoIterator<Item = (&'n str, &'n str)>,
        output: &Path,
    ) -> Result<Self, OptionError> {
        let mut named: Vec<(&str, &str)> = named.into_iter().collect();
        let is_named = |wanted| named.iter().any(|(name, _)| *name == wanted);
        let stated = Format::of_file_name(output).filter(|format| {
            !is_named("format") && (*format != Format::Fen || !is_named("preset"))
        });
        named.extend(stated.map(|format| ("format", san::Keyword::word(format))));
        Options::from_names(named)
    }

    /// Checks that a file of this name may have this format. Files of text may be named like those
    /// of FENs. Fails if the name is that of another format.
    pub fn check_file_name(&self, path: &Path) -> Result<(), OutputNameError> {
        let (name, format) = (|| path.display().to_string(), self.format);
        // Both are lines of CSV.
        let is_csv = |stated| {
            format == Format::Label(LabelForm::CChessCli)
                && stated == Format::Table(TableFormat::Csv)
        };
        match Format::of_file_name(path) {
            None | Some(Format::Fen) => {}
            Some(stated) if stated == format || is_csv(stated) => {}
            Some(stated) => return Err(OutputNameError::Format { name: name(), stated, format }),
        }
        let other = other_format(path).filter(|_| match format {
            // Training data is often named .bin.
            Format::Training(_) => suffix(path).as_deref() != Some("bin"),
            format => format != Format::Pgn,
        });
        match format {
            _ if let Some((what, advice)) = other => {
                Err(OutputNameError::Other { name: name(), what, format, advice })
            }
            Format::Table(table) if table.is_binary() && compression_suffix(path).is_some() => {
                Err(OutputNameError::Compressed { name: name(), format })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_selects_the_format_before_the_name_of_a_file() {
        let cases = [
            (None, "x.FEN.gz", "fen"),
            (None, "x.ndjson", "jsonl"),
            (Some(("ply", "8..24")), "x.vf", "viriformat"),
            (Some(("format", "perl")), "x.fen", "perl"),
            (Some(("format", "c-chess-cli")), "x.csv", "c-chess-cli"),
            // Presets may select formats of text, but tables of any format.
            (Some(("preset", "tuning")), "x.fen", "c9"),
            (Some(("preset", "fishnet-evals")), "x.jsonl", "jsonl"),
        ];
        for (option, name, expected) in cases {
            let options = Options::from_names_for(option, Path::new(name)).unwrap();
            assert_eq!(options.format, expected.parse().unwrap(), "{option:?} {name}");
        }
    }
}
