//! Archives: zip and 7z, read member by member.
//!
//! Member names are used only in messages, never as paths.

#[cfg(feature = "7z")]
mod seven_zip;
#[cfg(feature = "zip")]
mod zipped;

use std::io::{self, Read};

use super::{Format, SourceError};
use crate::read_at::ReadSeek;

/// Callback for each member. An error ends the walk.
pub(super) type Each<'e> = &'e mut dyn FnMut(ArchiveEntry<'_, '_>) -> io::Result<()>;

#[cfg_attr(not(feature = "zip"), allow(dead_code))]
pub(super) enum ArchiveEntry<'n, 'r> {
    Text(&'n str, &'r mut dyn Read),
    /// A text that cannot be read.
    Failed(&'n str, io::Error),
    /// A file that is not a text by its name.
    Other(&'n str),
}

/// Calls `each` for every file of the archive, in archive order.
pub(super) fn walk(format: Format, archive: &mut dyn ReadSeek, each: Each<'_>) -> io::Result<()> {
    let mut texts = 0;
    let mut each_counted = |member: ArchiveEntry<'_, '_>| {
        let (ArchiveEntry::Text(name, _)
        | ArchiveEntry::Failed(name, _)
        | ArchiveEntry::Other(name)) = &member;
        if !is_text(name) {
            return each(ArchiveEntry::Other(name));
        }
        texts += 1;
        each(member)
    };
    walk_all(format, archive, &mut each_counted)?;
    match texts {
        0 => Err(SourceError::NotRead(format!(
            "no .pgn, .epd, .fen, .csv, .jsonl, .plain or .fns file in this {format} archive"
        ))
        .into()),
        _ => Ok(()),
    }
}

#[cfg_attr(not(any(feature = "zip", feature = "7z")), allow(unused_variables))]
fn walk_all(format: Format, archive: &mut dyn ReadSeek, each: Each<'_>) -> io::Result<()> {
    match format {
        #[cfg(feature = "7z")]
        Format::SevenZip => seven_zip::walk(archive, each),
        #[cfg(feature = "zip")]
        Format::Zip => zipped::walk(archive, each),
        _ => Err(SourceError::not_built_for(format).into()),
    }
}

/// Whether a member is read, by its file name extension, ignoring one for compression.
fn is_text(name: &str) -> bool {
    const TEXTS: [&str; 9] = ["pgn", "epd", "fen", "csv", "tsv", "jsonl", "ndjson", "plain", "fns"];
    const PACKED: [&str; 4] = ["gz", "bz2", "zst", "xz"];
    let is_one = |ends: &[&str], end: &str| ends.iter().any(|one| end.eq_ignore_ascii_case(one));
    match name.rsplit_once('.') {
        Some((name, end)) if is_one(&PACKED, end) => {
            name.rsplit_once('.').is_some_and(|(_, end)| is_one(&TEXTS, end))
        }
        Some((_, end)) => is_one(&TEXTS, end),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_recognized_by_extension() {
        for name in [
            "a.pgn", "x/A.PGN", "suite.epd", "b.FEN", "a.pgn.gz", "a.b.epd.zst", "a.CSV",
            "a.jsonl.zst", "a.plain", "a.fns",
        ] {
            assert!(is_text(name), "{name}");
        }
        for name in ["pgn", "a.txt", "a.pgn.txt", "a.gz", "a.zip", "a.pgn.exe", ""] {
            assert!(!is_text(name), "{name}");
        }
    }
}
