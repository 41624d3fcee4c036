//! The run of a command over a text: threads play games, or read lines, into what a consumer makes
//! of them, and the results are used in the order of the input.

pub(crate) mod entries;
#[cfg(feature = "book")]
mod explorer;
mod game_numbers;
pub(crate) mod games;
pub(crate) mod lines;
pub(crate) mod records;
#[cfg(feature = "book")]
mod rows;
pub(crate) mod source;
#[cfg(feature = "arrow")]
pub(crate) mod tables;
