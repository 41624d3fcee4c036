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

/// Appends a batch as a message of a stream.
pub(super) fn append(rows: Rows, schema: &SchemaRef, messages: &mut Vec<u8>) -> io::Result<()> {
    let batch = record_batch(rows, schema).map_err(io::Error::other)?;
    let start = messages.len();
    let mut writer = StreamWriter::try_new(messages, schema).map_err(io::Error::other)?;
    // Without the schema, which is at the start of the stream.
    writer.get_mut().truncate(start);
    writer.write(&batch).map_err(io::Error::other)
}
