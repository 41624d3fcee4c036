//! An opening explorer over HTTP.

use std::io;

use ::book::{BookError, Entry, Source};
use san::{PositionKey, PositionMap};

use crate::book::{BookOptions, for_each_position};

pub use ::serve::{Library, Limits, NameError, Positions, Server, signalled};

/// All positions of a count in memory.
#[derive(Debug, Default)]
pub struct CountedPositions(PositionMap<Entry>);

impl CountedPositions {
    /// Reads the counts to their end.
    ///
    /// # Errors
    ///
    /// Returns an error if a part or a temporary file cannot be read or written.
    pub fn of(source: Source, options: &BookOptions) -> Result<Self, BookError> {
        let mut positions = PositionMap::default();
        for_each_position(source, options, &mut |entry| {
            positions.insert(entry.key, entry);
        })?;
        Ok(CountedPositions(positions))
    }
}

impl Positions for CountedPositions {
    fn find(&self, key: PositionKey) -> io::Result<Option<Entry>> {
        Ok(self.0.get(&key).cloned())
    }

    fn count(&self) -> u64 {
        self.0.len() as u64
    }
}
