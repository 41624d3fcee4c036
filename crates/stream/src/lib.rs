//! Bytes in and out, in order, on all cores; independent of chess and PGN.

pub mod chunk;
pub mod compress;
pub mod ordered;
#[cfg(feature = "output")]
pub mod output;
pub mod place;
pub mod range;
pub mod read_at;
pub mod source;
pub mod spill;
