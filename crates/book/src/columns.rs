//! Arrow and Parquet: counts as columns, for the engines of data people.

mod failure;
mod files;
mod read;
mod schema;
mod unsorted;
mod write;

pub(crate) use files::{Batches, Columns};
pub(crate) use schema::ColumnForm;
pub(crate) use unsorted::Unsorted;
pub(crate) use write::PartialColumns;
