//! Converts errors of Arrow and Parquet to I/O errors. Those of the output are kept, such as broken
//! pipes.

use std::io;

use arrow_schema::ArrowError;
use parquet::errors::ParquetError;

pub(crate) fn of_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        ArrowError::ExternalError(error) => of_external(error),
        other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
    }
}

pub(crate) fn of_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => of_external(error),
        other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
    }
}

fn of_external(error: Box<dyn std::error::Error + Send + Sync>) -> io::Error {
    error.downcast::<io::Error>().map_or_else(io::Error::other, |error| *error)
}
