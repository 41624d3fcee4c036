//! What the scanner promises, held against pgn-reader, against laws, and against a table of game boundaries.

mod boundaries;
mod differential;
mod passing;
mod scanner;
#[cfg(feature = "compression")]
mod source;
