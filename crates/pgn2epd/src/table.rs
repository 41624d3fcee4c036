//! Tables of positions as files.
//!
//! * `format`: the formats and their suffixes;
//! * `plan`: what a replay must do for the columns of a table;
//! * `encoder`: groups of rows are encoded on any thread, and joined in order;
//! * `csv` and `jsonl`: rows as text;
//! * `arrow_stream` and `parquet_file`: rows as messages and as row groups;
//! * `dictionary_column`: texts that repeat as a column of a row group, and `hybrid`: the encoding of their numbers.

#[cfg(feature = "arrow")]
mod arrow_stream;
mod csv;
#[cfg(feature = "arrow")]
mod dictionary_column;
pub(crate) mod encoder;
pub(crate) mod format;
#[cfg(feature = "arrow")]
mod hybrid;
mod jsonl;
#[cfg(feature = "arrow")]
mod parquet_file;
pub(crate) mod plan;
