//! Tests of the scanner and the pipeline: against pgn-reader, against laws, and against a table of
//! game boundaries.

mod boundaries;
mod differential;
mod neighbours;
mod pipeline;
mod scanner;
mod skipping;
mod tokens;
