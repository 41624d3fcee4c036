//! Limits that keep the memory for one line bounded.

/// The length of the longest line that is read as a record, in bytes: what is known of a line while
/// it is read takes many times its memory.
pub const LONGEST_RECORD: usize = 1 << 20;

pub(crate) const MOST_DIAGNOSTICS: usize = 1000;
