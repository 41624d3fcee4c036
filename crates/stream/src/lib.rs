//! Input and output of bytes, independent of chess and PGN.
//!
//! * [`source`]: compressed files, archives and UTF-16 as plain text;
//! * `output` (feature of the same name): destinations of results, and protection against overwriting inputs.

#[cfg(feature = "output")]
pub mod output;
pub mod source;
