//! Names of compressed files.

use std::path::{Path, PathBuf};

const COMPRESSED: &[&str] = &[
    "7z", "bgz", "br", "bz2", "gz", "lz4", "lzma", "tbz2", "tgz", "txz", "xz", "z", "zip", "zst",
    "zstd",
];

/// Returns the suffix of a name that suggests a compressed file.
///
/// ```
/// use std::path::Path;
///
/// assert_eq!(stream::source::compression_suffix(Path::new("book.epd.gz")), Some("gz"));
/// assert_eq!(stream::source::compression_suffix(Path::new("book.epd")), None);
/// ```
pub fn compression_suffix(path: &Path) -> Option<&str> {
    let suffix = path.extension()?.to_str()?;
    COMPRESSED.iter().any(|known| known.eq_ignore_ascii_case(suffix)).then_some(suffix)
}

/// Returns a name without the suffix of a compressed file, if it has one.
///
/// ```
/// use std::path::Path;
/// use stream::source::without_compression_suffix;
///
/// assert_eq!(without_compression_suffix(Path::new("book.epd.GZ")), Path::new("book.epd"));
/// assert_eq!(without_compression_suffix(Path::new("book.epd")), Path::new("book.epd"));
/// ```
pub fn without_compression_suffix(path: &Path) -> PathBuf {
    match compression_suffix(path) {
        Some(_) => path.with_extension(""),
        None => path.to_owned(),
    }
}
