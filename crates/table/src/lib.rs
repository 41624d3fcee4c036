//! Tables: a schema and batches of typed columns, written and read as CSV, JSON Lines, Arrow and
//! Parquet.
//!
//! * `schema`: the names and types of columns; `format`: the formats and their suffixes;
//! * `rows`: a batch; `column`: the values of a column, `dictionary` texts that repeat, `cell_text`
//!   a value as text;
//! * `row_bytes`: rows that are stored;
//! * `writer`: a file of groups of rows, which `encoder` encodes on any thread;
//! * `csv` and `json`: rows as text, with `field_texts` for texts that repeat;
//! * `arrow`: rows as Arrow arrays; `arrow_stream` and `parquet_file`: as messages and as row
//!   groups;
//! * `read`: batches in files; `joined`: files that were concatenated; `failure`: errors of the
//!   libraries.
//!
//! ```
//! use std::io::Write;
//! use stream::ordered::Threads;
//! use table::{Cell, ColumnType, Field, Rows, Schema, Settings, TableFormat, TableWriter};
//!
//! let schema = Schema::new([Field::required("ply", ColumnType::I32), Field::new("uci", ColumnType::Text)]);
//! let mut rows = Rows::new(schema.types(), 0);
//! rows.push_row([Cell::Integer(0), Cell::Text(b"e2e4")]);
//! rows.push_row([Cell::Integer(1), Cell::Missing]);
//!
//! let mut text = Vec::new();
//! let mut output = |bytes: &[u8]| text.write_all(bytes);
//! let settings = Settings::new(TableFormat::JsonLines);
//! let mut writer = TableWriter::new(schema, settings, Threads::new(1));
//! writer.write(rows, &mut output)?;
//! writer.finish(&mut output)?;
//! assert_eq!(text, b"{\"ply\":0,\"uci\":\"e2e4\"}\n{\"ply\":1,\"uci\":null}\n");
//! # Ok::<_, std::io::Error>(())
//! ```

#[cfg(feature = "arrow")]
pub mod arrow;
#[cfg(feature = "arrow")]
mod arrow_stream;
mod cell_text;
mod column;
mod csv;
mod dictionary;
mod encoder;
#[cfg(feature = "arrow")]
mod failure;
mod field_texts;
mod format;
#[cfg(feature = "arrow")]
mod joined;
mod json;
#[cfg(feature = "arrow")]
mod parquet_file;
#[cfg(feature = "arrow")]
mod read;
mod row_bytes;
mod rows;
mod schema;
mod writer;

pub use cell_text::{date_of, write_date};
pub use column::{Cell, ColumnValues, Values};
pub use dictionary::Dictionary;
pub use encoder::Settings;
pub use format::{ARROW_FILE, ARROW_STREAM, NOT_BUILT, PARQUET, TableFormat};
#[cfg(feature = "arrow")]
pub use read::{Batches, column_texts};
pub use rows::Rows;
pub use schema::{ColumnType, Field, ListText, Schema};
pub use writer::TableWriter;
