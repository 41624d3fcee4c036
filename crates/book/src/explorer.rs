//! Explorer files: the positions of a book with their counts, in one file in which a position is
//! found by at most two reads.
//!
//! The positions are sorted by key, in compressed blocks with checksums. After some blocks comes a
//! page with the first key of each, and at the end of the file a list of the pages. The format is
//! described in docs/explorer.md.

mod block;
mod entry;
mod file;
mod row;
mod section;

use std::io;

use serde::{Deserialize, Serialize};

pub(crate) use block::BlockBuilder;
pub(crate) use entry::EntryParts;
pub use entry::ExplorerEntry;
pub use file::ExplorerFile;
pub use row::columns;
pub(crate) use section::{SectionCompressor, SectionRecord};
pub use stream::read_at::ReadAt;

/// Magic text at both ends of a file; at the beginning, the version follows in four bytes,
/// little-endian.
pub const MAGIC: &[u8; 16] = b"pgn2epd explorer";
/// The version of the format that is written and read.
pub const VERSION: u32 = 1;
/// Size of the magic text and the version.
pub(crate) const HEAD: usize = MAGIC.len() + 4;
/// Size of the end of a file: the length of the list of pages, a checksum, the magic text.
pub(crate) const TRAILER: usize = 8 + 4 + MAGIC.len();

/// What an explorer file says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplorerHeader {
    /// Number of positions.
    pub positions: u64,
    /// The files of the games, in name order, without folders.
    pub files: Vec<String>,
    /// How the games were counted.
    pub counted: String,
    /// The [classes of games](crate::GroupBy) that are counted separately; empty if all are counted
    /// together.
    pub grouped_by: String,
}

/// Why an explorer file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExplorerError {
    /// Reading failed.
    #[error("it cannot be read")]
    Read(#[from] io::Error),
    /// The file does not begin like an explorer file.
    #[error("it is not an explorer file of `pgn2epd book`")]
    NotExplorer,
    /// The file has another version of the format.
    #[error("it has version {0} of the format, and this program reads version {VERSION}")]
    Version(u32),
    /// The file was changed or cut.
    #[error("it is damaged at byte {at}: {reason}")]
    Damaged {
        /// Where the damaged part begins.
        at: u64,
        /// The reason.
        reason: String,
    },
    /// This build cannot decompress the file.
    #[error(
        "this program was built without zstd, which compresses explorer files: build it with the feature `zstd`"
    )]
    NoZstd,
}
