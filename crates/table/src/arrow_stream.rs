//! Rows as messages of an Arrow stream.

use std::io;

use arrow_ipc::writer::{
    DictionaryTracker, IpcDataGenerator, IpcWriteContext, IpcWriteOptions, StreamWriter,
    write_message,
};
use arrow_schema::{Schema, SchemaRef};

use crate::arrow::record_batch;
use crate::failure::of_arrow;
use crate::rows::Rows;

/// Returns the parts of a stream without batches: its schema, and the mark of its end.
pub(crate) fn empty_stream(schema: &Schema) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let mut writer = StreamWriter::try_new(Vec::new(), schema).map_err(of_arrow)?;
    let start = std::mem::take(writer.get_mut());
    writer.finish().map_err(of_arrow)?;
    Ok((start, std::mem::take(writer.get_mut())))
}

/// Appends one message; no column has a dictionary, which would be a message before it.
pub(crate) fn append(rows: Rows, schema: &SchemaRef, messages: &mut Vec<u8>) -> io::Result<()> {
    let batch = record_batch(rows, schema).map_err(of_arrow)?;
    let options = IpcWriteOptions::default();
    let (mut dictionaries, mut context) =
        (DictionaryTracker::new(false), IpcWriteContext::default());
    let encoded =
        IpcDataGenerator::default().encode(&batch, &mut dictionaries, &options, &mut context);
    let (_, encoded) = encoded.map_err(of_arrow)?;
    write_message(messages, encoded, &options).map_err(of_arrow).map(drop)
}
