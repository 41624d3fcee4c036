//! Formats of tables.

/// The format of a table of positions.
///
/// ```
/// use pgn2epd::TableFormat;
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
pub(crate) const NOT_BUILT: &str = "this program was built without Arrow and Parquet: build it with `cargo build --release --features arrow`";

/// The suffixes of files.
const SUFFIXES: [(&str, TableFormat); 6] = [
    ("csv", TableFormat::Csv),
    ("jsonl", TableFormat::JsonLines),
    ("ndjson", TableFormat::JsonLines),
    ("arrow", TableFormat::Arrow),
    ("arrows", TableFormat::Arrow),
    ("parquet", TableFormat::Parquet),
];

impl TableFormat {
    /// Returns the format of files with a suffix, in upper or lower case.
    pub fn of_suffix(suffix: &str) -> Option<Self> {
        let found = SUFFIXES.into_iter().find(|(known, _)| suffix.eq_ignore_ascii_case(known));
        found.map(|(_, format)| format)
    }

    /// Returns the usual suffix of files.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            TableFormat::Csv => "csv",
            TableFormat::JsonLines => "jsonl",
            TableFormat::Arrow => "arrow",
            TableFormat::Parquet => "parquet",
        }
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
