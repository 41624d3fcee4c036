//! Input and output of bytes, independent of chess and PGN.
//!
//! * [`output`]: destinations of results, and protection against overwriting inputs.

pub mod output;
