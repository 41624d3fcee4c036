//! Reading files of openings: what kind they are is seen from their text.

mod eco_pgn;
mod epd;
mod lines;
mod perl_csv;
mod scid;
mod tsv;
mod walk;

use std::fmt;

use crate::{LoadError, LoadReason, Openings};

/// The forms in which openings are read.
///
/// All text is UTF-8, or else ISO 8859-1. Lines that begin with `#` are comments, but in PGN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileFormat {
    /// Columns with tabs between: `eco`, `name` and `pgn`, as the Lichess data set has them; a first line with these words may
    /// give another order. Other columns are passed over.
    Tsv,
    /// EPD records with any of the operations `eco`, `nic`, `v0` to `v9`, and `c0` for the name where there is no `v0`; records
    /// without are passed over. Each record is taken for itself.
    Epd,
    /// A PGN file with one line a game and the tags ECO, NIC, Opening, Variation, SubVariation, as pgn-extract comes with. The
    /// position that a game ends with is named.
    Pgn,
    /// What SCID reads: code, name in quotes, moves, `*`. Of its codes (`B90a1`) the first three characters are taken, since the
    /// rest is known to SCID only.
    Scid,
    /// The tables of Perl's Chess::PGN::EPD: CSV of code and four fields, for ECO, NIC or names; which of them is seen from the
    /// first code. Rows that no game gets to by a move are passed over, as the module never finds
    /// them: the start, and those with castling rights that cannot be.
    PerlCsv,
}

impl FileFormat {
    /// The form of a file, as far as its first lines tell.
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
        let mut lines = file.split(|byte| *byte == b'\n');
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
    /// Reads a file of openings, as a layer over what is there: what it says of a position counts, what it leaves out stays.
    /// Where it names a position twice, the later line counts.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong. What stood before it has been added.
    ///
    /// ```
    /// use openings::Openings;
    ///
    /// let mut openings = Openings::default();
    /// openings.layer(b"A00\tAmar Opening\t1. Nh3\n")?;
    /// let error = openings.layer(b"A00\tAmar Opening\t1. Nh4\n").unwrap_err();
    /// assert_eq!(error.to_string(), "1:21: Nh4: illegal: no knight of White's can reach h4");
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
