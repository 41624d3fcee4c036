//! Compression of outputs as independent frames, so that several threads can compress one file and
//! readers have random access.
//!
//! * [`Compression`]: the format and its level, by name or by the suffix of a file;
//! * [`encoder`]: texts as frames: zstd frames, or gzip members of at most 64 KiB (BGZF);
//! * [`file`](mod@file): a whole compressed file, with the table or mark at its end.
//!
//! All programs that read zstd or gzip read the files. Bytes depend on the texts of the frames, and
//! on nothing else.

pub mod encoder;
pub mod file;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A format of compressed outputs and its level: fast for low ones, small for high ones.
///
/// ```
/// use stream::compress::Compression;
///
/// let compression: Compression = "zstd:19".parse()?;
/// assert_eq!(compression, Compression::Zstd { level: 19 });
/// assert_eq!("gzip".parse::<Compression>()?.to_string(), "gzip:6");
/// assert_eq!("zstd:99".parse::<Compression>().unwrap_err().to_string(), "the levels of zstd are 1 to 22");
/// # Ok::<_, stream::compress::UnknownCompression>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// zstd (RFC 8878) with a seek table at the end.
    Zstd {
        /// From 1 to 22.
        level: u8,
    },
    /// gzip (RFC 1952) in blocks (BGZF, SAM specification 4.1).
    Gzip {
        /// From 1 to 9.
        level: u8,
    },
}

/// The default levels of the programs `zstd` and `gzip`.
const ZSTD: Compression = Compression::Zstd { level: 3 };
const GZIP: Compression = Compression::Gzip { level: 6 };

/// A text that names no compression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownCompression {
    /// The format is unknown.
    #[error("unknown compression {0:?}; choose zstd or gzip, with a level as in zstd:19")]
    Format(String),
    /// The level is not a number in the range of the format.
    #[error("the levels of {format} are 1 to {most}")]
    Level {
        /// Name of the format.
        format: &'static str,
        /// The highest level.
        most: u8,
    },
}

impl Compression {
    /// Returns the compression that the suffix of a file states: `.zst`, `.gz` or `.bgz`, in upper
    /// or lower case.
    ///
    /// ```
    /// use std::path::Path;
    /// use stream::compress::Compression;
    ///
    /// let of = |name| Compression::of_suffix(Path::new(name));
    /// assert_eq!(of("x.epd.zst"), Some(Compression::Zstd { level: 3 }));
    /// assert_eq!(of("x.epd.GZ"), Some(Compression::Gzip { level: 6 }));
    /// assert_eq!(of("x.epd"), None);
    /// ```
    pub fn of_suffix(path: &Path) -> Option<Self> {
        let suffix = path.extension()?.to_str()?.to_ascii_lowercase();
        match &*suffix {
            "zst" => Some(ZSTD),
            "gz" | "bgz" => Some(GZIP),
            _ => None,
        }
    }

    /// Returns the suffix of compressed files: `zst` or `gz`.
    pub fn suffix(self) -> &'static str {
        match self {
            Compression::Zstd { .. } => "zst",
            Compression::Gzip { .. } => "gz",
        }
    }

    fn format(self) -> &'static str {
        match self {
            Compression::Zstd { .. } => "zstd",
            Compression::Gzip { .. } => "gzip",
        }
    }

    fn level(self) -> u8 {
        match self {
            Compression::Zstd { level } | Compression::Gzip { level } => level,
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.format(), self.level())
    }
}

impl FromStr for Compression {
    type Err = UnknownCompression;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (format, level) = match text.split_once(':') {
            Some((format, level)) => (format, Some(level)),
            None => (text, None),
        };
        let (default, most) = match format {
            "zstd" => (ZSTD, 22),
            "gzip" => (GZIP, 9),
            _ => return Err(UnknownCompression::Format(format.to_owned())),
        };
        let Some(level) = level else { return Ok(default) };
        let wrong = UnknownCompression::Level { format: default.format(), most };
        let level = level.parse().ok().filter(|level| (1..=most).contains(level)).ok_or(wrong)?;
        Ok(match default {
            Compression::Zstd { .. } => Compression::Zstd { level },
            Compression::Gzip { .. } => Compression::Gzip { level },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compression_is_read_as_it_is_displayed() {
        for text in ["zstd:1", "zstd:3", "zstd:22", "gzip:1", "gzip:9"] {
            assert_eq!(text.parse::<Compression>().unwrap().to_string(), text);
        }
        for text in [
            "", "lz4", "ZSTD", "zstd:", "zstd:0", "zstd:23", "zstd:-1", "zstd:+x", "gzip:10",
            "gzip:300",
        ] {
            assert!(text.parse::<Compression>().is_err(), "{text}");
        }
    }
}
