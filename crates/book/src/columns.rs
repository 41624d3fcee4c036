//! Arrow and Parquet: counts as columns, for dataframe and query engines.

mod checksum;
mod read;
mod schema;
mod unsorted;
mod write;

pub(crate) use unsorted::Unsorted;
pub(crate) use write::{PartialBatch, PartialRows};
