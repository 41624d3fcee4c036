//! Tables of positions as files.
//!
//! * `format`: the formats and their suffixes;
//! * `plan`: what a replay must do for the columns of a table;
//! * `encoder`: groups of rows are encoded on any thread, and joined in order;
//! * `csv` and `jsonl`: rows as text, with `field_texts` for texts that repeat;
//! * `arrow_stream` and `parquet_file`: rows as messages and as row groups;
//! * `text_column`, `dictionary_column`, `number_column`: texts, texts that repeat, and numbers as columns of a row group;
//! * `column_pages`: the pages of such a column, and `group_memory`: the memory that columns need one after another;
//! * `delta`, `hybrid`, `packed_bits`: the encodings of their numbers, and `number_dictionary`: numbers that repeat.

#[cfg(feature = "arrow")]
mod arrow_stream;
#[cfg(feature = "arrow")]
mod column_pages;
mod csv;
#[cfg(feature = "arrow")]
mod delta;
#[cfg(feature = "arrow")]
mod dictionary_column;
pub(crate) mod encoder;
mod field_texts;
pub(crate) mod format;
#[cfg(feature = "arrow")]
mod group_memory;
#[cfg(feature = "arrow")]
mod hybrid;
mod jsonl;
#[cfg(feature = "arrow")]
mod number_column;
#[cfg(feature = "arrow")]
mod number_dictionary;
#[cfg(feature = "arrow")]
mod packed_bits;
#[cfg(feature = "arrow")]
mod parquet_file;
pub(crate) mod plan;
#[cfg(feature = "arrow")]
mod text_column;
