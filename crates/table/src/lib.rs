//! Tables: a schema and batches of typed columns, written and read as CSV, JSON Lines, Arrow and
//! Parquet.
//!
//! A [`TableWriter`] writes [`Rows`] of a [`Schema`] in one of the [`TableFormat`]s, encoded on all
//! threads. The feature `arrow` adds `arrow`, which makes Arrow arrays of rows, and `Batches`,
//! which reads those in files.
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
mod dictionary;
#[cfg(feature = "arrow")]
mod read;
mod rows;
mod text;
mod writer;

pub use dictionary::Dictionary;
#[cfg(feature = "arrow")]
pub use read::{Batches, column_texts};
pub use rows::{Cell, ColumnType, ColumnValues, Field, ListText, Rows, Schema, Values};
pub use text::write_date;
pub use writer::{
    ARROW_FILE, ARROW_STREAM, NOT_BUILT, PARQUET, Settings, TableFormat, TableWriter,
};
