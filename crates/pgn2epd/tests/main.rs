//! The library as its users see it: one program, since each links all of it.

#[cfg(feature = "book")]
mod buffers;
#[cfg(all(feature = "book", feature = "zstd"))]
mod explorer;
mod games;
mod join;
#[cfg(feature = "book")]
mod lines;
mod option_texts;
mod position_file;
mod selection;
#[cfg(feature = "arrow")]
mod tables;
mod unique_games;
mod visit;
