//! Checksum of a table. It covers the counts and not the bytes of the file, so it is independent of
//! the encoding.
//!
//! Parquet stores it in the metadata at its end, Arrow in the metadata of a second, empty stream.
//! Programs that rewrite a table omit it, and tables without a checksum are accepted.

use stream::spill::number::write_number;

use crate::row::Counted;
use crate::run::write_tally;

/// The key in the metadata.
pub(super) const CHECKSUM: &str = "pgn2epd.book.checksum";

/// Computes the checksum of a table from its counts, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checksum {
    crc: crc32fast::Hasher,
    rows: u64,
    bytes: Vec<u8>,
}

impl Checksum {
    /// Begins the checksum of a table with this header text, if any.
    pub(crate) fn new(header: Option<&str>) -> Self {
        let mut checksum = Checksum::default();
        checksum.add_text(header.unwrap_or_default());
        checksum.crc.update(&checksum.bytes);
        checksum
    }

    /// Adds a count, given the list of files that its file numbers refer to and the text that
    /// describes how it was counted.
    pub(crate) fn add(
        &mut self,
        Counted { key, next, class, tally }: &Counted,
        counted: &str,
        files: &[String],
    ) {
        self.rows += 1;
        self.bytes.clear();
        self.bytes.extend_from_slice(&key.to_bytes());
        self.bytes.extend_from_slice(&next.0.to_le_bytes());
        self.add_text(class);
        self.add_text(counted);
        let games = tally.notable_games().map(|game| &game.at);
        for at in [&tally.first].into_iter().chain(games) {
            self.add_text(files.get(at.file as usize).map_or("", |name| name));
        }
        // File numbers differ between lists.
        let mut tally = tally.clone();
        (tally.first.file, tally.strongest.at.file) = (0, 0);
        tally.latest.iter_mut().for_each(|latest| latest.at.file = 0);
        write_tally(&tally.undecoded(), &mut self.bytes);
        self.crc.update(&self.bytes);
    }

    /// Adds the counts after these.
    pub(crate) fn append(&mut self, other: &Checksum) {
        self.crc.combine(&other.crc);
        self.rows += other.rows;
    }

    fn add_text(&mut self, text: &str) {
        write_number(text.len() as u64, &mut self.bytes);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Returns the text stored in the metadata.
    pub(crate) fn text(&self) -> String {
        format!("crc32 {:08x} of {} rows", self.crc.clone().finalize(), self.rows)
    }
}
