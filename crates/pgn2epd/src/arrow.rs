//! Rows as Arrow arrays, which share their memory.
//!
//! ```
//! use pgn2epd::{Conversion, Options, arrow};
//! use pgn2epd::table::ColumnList;
//!
//! let list: ColumnList = "ply,uci,White".parse()?;
//! let schema = arrow::schema(&list);
//! let mut batches = Vec::new();
//! let mut conversion = Conversion::to_rows(list.columns(), &Options::default(), |rows| {
//!     batches.push(arrow::record_batch(rows, &schema).map_err(std::io::Error::other)?);
//!     Ok(())
//! });
//! conversion.input(&b"[White \"Anderssen\"]\n\n1. e4 e5 *"[..], &mut ())?;
//! conversion.finish()?;
//! assert_eq!((batches[0].num_rows(), batches[0].num_columns()), (3, 3));
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

use arrow_schema::SchemaRef;
use emit::ColumnList;

pub use table::arrow::record_batch;

/// Returns the names and types of the columns.
pub fn schema(list: &ColumnList) -> SchemaRef {
    table::arrow::schema(&list.schema())
}
