//! Memory for encoding the columns of row groups one after another.

use std::io;

use stream::compress::Compression;
use stream::compress::encoder::FrameEncoder;

/// The memory of one thread.
#[derive(Debug)]
pub(super) struct GroupMemory {
    pub(super) encoder: FrameEncoder,
    /// A compressed page.
    pub(super) frame: Vec<u8>,
    /// A page.
    pub(super) data: Vec<u8>,
    /// Numbers in a dictionary.
    pub(super) keys: Vec<u32>,
    /// Whether each row has a value.
    pub(super) levels: Vec<bool>,
    pub(super) integers: Vec<i32>,
    pub(super) longs: Vec<i64>,
}

impl GroupMemory {
    /// Creates memory for pages that are compressed in this way.
    ///
    /// # Errors
    ///
    /// If there is not enough memory, or this build was made without the format.
    pub(super) fn new(compression: Compression) -> io::Result<Self> {
        Ok(GroupMemory {
            encoder: FrameEncoder::without_checksums(compression)?,
            frame: Vec::new(),
            data: Vec::new(),
            keys: Vec::new(),
            levels: Vec::new(),
            integers: Vec::new(),
            longs: Vec::new(),
        })
    }

    /// Appends the levels of a batch with this number of rows; `is_there` is empty if all have values.
    pub(super) fn add_levels(&mut self, is_there: &[bool], rows: usize) {
        self.levels.extend_from_slice(is_there);
        self.levels.resize(self.levels.len() + rows - is_there.len(), true);
    }
}
