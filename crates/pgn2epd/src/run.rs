//! The run of a command over a text: threads play games, or read lines, into what a consumer makes
//! of them, and the results are used in the order of the input.

pub(crate) mod entries;
mod game_numbers;
pub(crate) mod games;
pub(crate) mod lines;
pub(crate) mod records;
pub(crate) mod source;
#[cfg(feature = "arrow")]
pub(crate) mod tables;
