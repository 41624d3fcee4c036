//! The library as its users see it: one program, since each links all of it.

#[cfg(feature = "book")]
mod buffers;
#[cfg(feature = "engine")]
mod engines;
#[cfg(all(feature = "book", feature = "zstd"))]
mod explorer;
mod games;
mod inputs;
mod join;
#[cfg(feature = "book")]
mod lines;
mod option_texts;
mod perl;
mod position_file;
mod selection;
mod support;
#[cfg(feature = "arrow")]
mod tables;
mod unique_games;
mod visit;
