//! Rows as messages of an Arrow stream.

use std::io;

use arrow_ipc::writer::StreamWriter;
use arrow_schema::SchemaRef;
use emit::Rows;

use crate::arrow::record_batch;

/// Returns the parts of a stream without batches: its schema, and the mark of its end.
pub(super) fn empty_stream(schema: &SchemaRef) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let mut writer = StreamWriter::try_new(Vec::new(), schema).map_err(io::Error::other)?;
    let start = std::mem::take(writer.get_mut());
    writer.finish().map_err(io::Error::other)?;
    Ok((start, std::mem::take(writer.get_mut())))
}

/// Returns a batch as a message of a stream.
pub(super) fn message(rows: Rows, schema: &SchemaRef) -> io::Result<Vec<u8>> {
    let batch = record_batch(rows, schema).map_err(io::Error::other)?;
    let mut writer = StreamWriter::try_new(Vec::new(), schema).map_err(io::Error::other)?;
    writer.get_mut().clear();
    writer.write(&batch).map_err(io::Error::other)?;
    Ok(std::mem::take(writer.get_mut()))
}
