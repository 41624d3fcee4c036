//! Reads opening files; the format is detected from their text.

mod eco_pgn;
mod epd;
mod lines;
mod perl_csv;
mod scid;
mod tsv;
mod walk;

use std::fmt;

use crate::error::{LoadError, LoadReason};
use crate::table::Openings;

/// Formats of opening files.
///
/// Text is UTF-8 or else ISO 8859-1. Except in PGN, lines that begin with `#` are comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileFormat {
    /// Tab-separated columns `eco`, `name` and `pgn`, as in the Lichess data set; a header line may
    /// give another order. Other columns are ignored.
    Tsv,
    /// EPD records with any of the operations `eco`, `nic`, `v0` to `v9`, read as registers that
    /// keep their value until an operation changes it (EPD 5.5, 5.12, 5.26). In a file without `v0`
    /// to `v9`, `c0` is the name. Positions without code and name are skipped.
    Epd,
    /// A PGN file with one line per game and the tags ECO, NIC, Opening, Variation, SubVariation,
    /// as supplied with pgn-extract. The final position of each game is named.
    Pgn,
    /// The format of SCID: code, quoted name, moves, `*`. Only the first three characters of a code
    /// (`B90a1`) are used, since the rest is specific to SCID.
    Scid,
    /// The tables of Perl's Chess::PGN::EPD: CSV of a code and four fields, for ECO codes, NIC
    /// codes or names, recognized by the first code. Rows whose position is not reachable by a move
    /// are skipped, because the module never finds them: the starting position, and positions with
    /// impossible castling rights.
    PerlCsv,
}

impl FileFormat {
    /// Detects the format of a file from its first lines.
    ///
    /// ```
    /// use openings::FileFormat;
    ///
    /// assert_eq!(FileFormat::of(b"eco\tname\tpgn\nA00\tAmar Opening\t1. Nh3\n"), Some(FileFormat::Tsv));
    /// assert_eq!(FileFormat::of(b"# SCID\nA00b \"Barnes Opening\"  1.f3 *\n"), Some(FileFormat::Scid));
    /// assert_eq!(FileFormat::of(b"Barnes Opening\n"), None);
    /// ```
    pub fn of(file: &[u8]) -> Option<FileFormat> {
        let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
        let mut lines = ::epd::Lines::new(file).map(|line| line.bytes);
        let line = lines.find(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"#"))?;
        match line.trim_ascii_start() {
            [b'[' | b'{' | b';' | b'%', ..] => Some(FileFormat::Pgn),
            [b'"', ..] => Some(FileFormat::PerlCsv),
            _ if line.contains(&b'\t') => Some(FileFormat::Tsv),
            line if scid::begins_entry(line) => Some(FileFormat::Scid),
            line if epd::looks_like_record(line) => Some(FileFormat::Epd),
            [b'1', b'.', ..] => Some(FileFormat::Pgn),
            _ => None,
        }
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FileFormat::Tsv => "TSV",
            FileFormat::Epd => "EPD",
            FileFormat::Pgn => "PGN",
            FileFormat::Scid => "SCID",
            FileFormat::PerlCsv => "CSV",
        })
    }
}

impl Openings {
    /// Reads an opening file as a layer over the existing names: its names take precedence, and all
    /// others are kept. If the file names a position twice, the later line takes precedence.
    ///
    /// # Errors
    ///
    /// The first error. Names before it have been added.
    ///
    /// ```
    /// use openings::Openings;
    ///
    /// let mut openings = Openings::default();
    /// openings.layer(b"A00\tAmar Opening\t1. Nh3\n")?;
    /// let error = openings.layer(b"A00\tAmar Opening\t1. Nh4\n").unwrap_err();
    /// assert_eq!(error.to_string(), "1:21: Nh4: illegal: no white knight can reach h4");
    /// # Ok::<_, openings::LoadError>(())
    /// ```
    pub fn layer(&mut self, file: &[u8]) -> Result<FileFormat, LoadError> {
        let unknown = || LoadError { line: 1, column: 1, reason: LoadReason::Unknown };
        let format = FileFormat::of(file).ok_or_else(unknown)?;
        match format {
            FileFormat::Tsv => tsv::read(&lines::text(file), self)?,
            FileFormat::Epd => epd::read(&lines::text(file), self)?,
            FileFormat::Pgn => eco_pgn::read(file, self)?,
            FileFormat::Scid => scid::read(&lines::text(file), self)?,
            FileFormat::PerlCsv => perl_csv::read(&lines::text(file), self)?,
        }
        Ok(format)
    }
}
