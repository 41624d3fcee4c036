//! Arrow and Parquet: counts as columns, for dataframe and query engines.

mod checksum;
mod failure;
mod files;
mod joined;
mod output;
mod read;
mod schema;
mod unsorted;
mod write;

pub(crate) use files::Batches;
pub(crate) use output::{BatchEncoder, Columns, EncodedBatch};
pub(crate) use schema::ColumnForm;
pub(crate) use unsorted::Unsorted;
pub(crate) use write::{PartialBatch, PartialRows};
