//! Formats of tables.

/// The format of a table.
///
/// ```
/// use table::TableFormat;
///
/// assert_eq!(TableFormat::of_suffix("NDJSON"), Some(TableFormat::JsonLines));
/// assert_eq!(TableFormat::of_suffix("epd"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableFormat {
    /// Comma-separated values with a header (RFC 4180, with LF as line end). A missing value is
    /// empty.
    Csv,
    /// A JSON object per row. A missing value is `null`.
    JsonLines,
    /// The streaming format of Arrow.
    Arrow,
    /// Parquet.
    Parquet,
}

/// Why a binary format cannot be written.
pub const NOT_BUILT: &str = "this program was built without Arrow and Parquet: install it with `cargo install --locked --path . --features arrow` in a clone, or the Python package, whose program has them";

/// The first bytes of Parquet.
pub const PARQUET: &[u8] = b"PAR1";
/// The first bytes of an Arrow file.
pub const ARROW_FILE: &[u8] = b"ARROW1";
/// The first bytes of an Arrow stream.
pub const ARROW_STREAM: &[u8] = &[0xff; 4];

impl TableFormat {
    /// The suffixes of files; the first one of a format is the usual one.
    pub const SUFFIXES: [(&str, TableFormat); 6] = [
        ("csv", TableFormat::Csv),
        ("jsonl", TableFormat::JsonLines),
        ("ndjson", TableFormat::JsonLines),
        ("arrow", TableFormat::Arrow),
        ("arrows", TableFormat::Arrow),
        ("parquet", TableFormat::Parquet),
    ];

    /// Returns the format of files with a suffix, in upper or lower case.
    pub fn of_suffix(suffix: &str) -> Option<Self> {
        let found =
            Self::SUFFIXES.into_iter().find(|(known, _)| suffix.eq_ignore_ascii_case(known));
        found.map(|(_, format)| format)
    }

    /// Returns the usual suffix of files.
    pub fn suffix(self) -> &'static str {
        let mut found = Self::SUFFIXES.into_iter().filter(|(_, format)| *format == self);
        found.next().map_or("", |(suffix, _)| suffix)
    }

    /// Returns whether the format is binary.
    pub fn is_binary(self) -> bool {
        matches!(self, TableFormat::Arrow | TableFormat::Parquet)
    }

    /// Returns whether this build has the format: the feature `arrow` adds the binary ones.
    pub fn is_built(self) -> bool {
        !self.is_binary() || cfg!(feature = "arrow")
    }
}
