//! Record batches in files, written as an Arrow stream or Parquet by several threads.
//!
//! Batches are encoded on any thread as far as that is possible without the batches before them: for Arrow as messages, for
//! Parquet as values and levels of each column. The columns of Parquet are then encoded by all threads, each column by one of
//! them at a time. So the bytes depend only on the batches and on how many are written at once.

use std::collections::HashMap;
use std::io::{self, Write};

use arrow_array::RecordBatch;
use arrow_ipc::writer::{
    DictionaryTracker, IpcDataGenerator, IpcWriteContext, IpcWriteOptions, StreamWriter,
    write_message,
};
use arrow_schema::{Fields, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowLeafColumn, ArrowRowGroupWriterFactory,
    compute_leaves,
};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use stream::ordered::Threads;

use super::checksum::CHECKSUM;
use super::failure::{of_arrow, of_parquet};
use super::schema::ColumnForm;

/// Output of record batches.
pub(crate) struct Columns<'w> {
    threads: Threads,
    container: Container<'w>,
}

enum Container<'w> {
    Stream(Box<StreamWriter<&'w mut dyn Write>>),
    Parquet(Box<ParquetFile<'w>>),
}

/// A Parquet file, and the columns of its last row group.
struct ParquetFile<'w> {
    /// The Parquet writer requires a `Send` output, so it writes to a buffer that is flushed after each row group.
    file: SerializedFileWriter<Vec<u8>>,
    writers: ArrowRowGroupWriterFactory,
    columns: Vec<ArrowColumnWriter>,
    output: &'w mut dyn Write,
}

/// Encodes batches, each independently of the others.
#[derive(Clone, Debug)]
pub(crate) struct BatchEncoder {
    form: ColumnForm,
    schema: SchemaRef,
}

/// A batch that is ready to be written.
pub(crate) enum EncodedBatch {
    /// A message of an Arrow stream.
    Message(Vec<u8>),
    /// The columns of Parquet.
    Columns(Vec<ArrowLeafColumn>),
}

/// Prefix of the writer name in Parquet files written by this program.
pub(super) const PROGRAM: &str = "pgn2epd ";

/// Memory use in bytes at which a Parquet row group is closed.
const ROW_GROUP: usize = 16 << 20;

impl BatchEncoder {
    pub(crate) fn new(form: ColumnForm, schema: SchemaRef) -> Self {
        BatchEncoder { form, schema }
    }

    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    pub(crate) fn encode(&self, batch: &RecordBatch) -> io::Result<EncodedBatch> {
        match self.form {
            ColumnForm::Stream => message(batch).map(EncodedBatch::Message),
            ColumnForm::Parquet => {
                let mut columns = Vec::new();
                for (field, array) in self.schema.fields().iter().zip(batch.columns()) {
                    columns.append(&mut compute_leaves(field, array).map_err(of_parquet)?);
                }
                Ok(EncodedBatch::Columns(columns))
            }
        }
    }
}

/// Returns a batch as a message of an Arrow stream; no column has a dictionary, which would be a message before it.
fn message(batch: &RecordBatch) -> io::Result<Vec<u8>> {
    let options = IpcWriteOptions::default();
    let mut dictionaries = DictionaryTracker::new(false);
    let mut context = IpcWriteContext::default();
    let encoded =
        IpcDataGenerator::default().encode(batch, &mut dictionaries, &options, &mut context);
    let (_, encoded) = encoded.map_err(of_arrow)?;
    let mut bytes = Vec::new();
    write_message(&mut bytes, encoded, &options).map_err(of_arrow)?;
    Ok(bytes)
}

impl<'w> Columns<'w> {
    /// Begins the output of batches of this encoder.
    pub(crate) fn new(
        encoder: &BatchEncoder,
        threads: Threads,
        output: &'w mut dyn Write,
    ) -> io::Result<Self> {
        let BatchEncoder { form, schema } = encoder;
        let container = match form {
            ColumnForm::Stream => {
                let writer = StreamWriter::try_new(output, schema).map_err(of_arrow)?;
                Container::Stream(Box::new(writer))
            }
            ColumnForm::Parquet => {
                let file = ParquetFile::new(schema, output).map_err(of_parquet)?;
                Container::Parquet(Box::new(file))
            }
        };
        Ok(Columns { threads, container })
    }

    /// Writes batches. Row groups end only between calls.
    pub(crate) fn write(&mut self, batches: &[EncodedBatch]) -> io::Result<()> {
        match &mut self.container {
            Container::Stream(writer) => batches.iter().try_for_each(|batch| match batch {
                EncodedBatch::Message(bytes) => writer.get_mut().write_all(bytes),
                EncodedBatch::Columns(_) => unreachable!("batches have the form of the output"),
            }),
            Container::Parquet(file) => file.write(batches, &self.threads),
        }
    }

    /// Writes the end, including the checksum of a partial result.
    pub(crate) fn finish(self, checksum: Option<String>) -> io::Result<()> {
        match self.container {
            Container::Stream(writer) => {
                let output = writer.into_inner().map_err(of_arrow)?;
                let Some(checksum) = checksum else { return Ok(()) };
                let metadata = HashMap::from([(CHECKSUM.to_owned(), checksum)]);
                let schema = Schema::new_with_metadata(Fields::empty(), metadata);
                let mut writer = StreamWriter::try_new(output, &schema).map_err(of_arrow)?;
                writer.finish().map_err(of_arrow)
            }
            Container::Parquet(file) => file.finish(checksum, &self.threads),
        }
    }
}

impl<'w> ParquetFile<'w> {
    fn new(schema: &SchemaRef, output: &'w mut dyn Write) -> Result<Self, ParquetError> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(format!("{PROGRAM}{}", env!("CARGO_PKG_VERSION")));
        let properties = Some(properties.build());
        let writer = ArrowWriter::try_new(Vec::new(), schema.clone(), properties)?;
        let (file, writers) = writer.into_serialized_writer()?;
        Ok(ParquetFile { file, writers, columns: Vec::new(), output })
    }

    fn write(&mut self, batches: &[EncodedBatch], threads: &Threads) -> io::Result<()> {
        if batches.is_empty() {
            return Ok(());
        }
        if self.columns.is_empty() {
            self.columns = self.writers.create_column_writers(0).map_err(of_parquet)?;
        }
        let columns: Vec<_> = self.columns.iter_mut().enumerate().collect();
        let written = threads.map(columns, |(number, column)| {
            batches.iter().try_for_each(|batch| match batch {
                EncodedBatch::Columns(leaves) => column.write(&leaves[number]),
                EncodedBatch::Message(_) => unreachable!("batches have the form of the output"),
            })
        })?;
        written.into_iter().collect::<Result<(), ParquetError>>().map_err(of_parquet)?;
        let size: usize =
            self.columns.iter().map(ArrowColumnWriter::get_estimated_total_bytes).sum();
        if size > ROW_GROUP { self.end_row_group(threads) } else { Ok(()) }
    }

    fn end_row_group(&mut self, threads: &Threads) -> io::Result<()> {
        let columns = std::mem::take(&mut self.columns);
        let chunks = threads.map(columns, ArrowColumnWriter::close)?;
        self.append(chunks).map_err(of_parquet)?;
        self.flush()
    }

    fn append(
        &mut self,
        chunks: Vec<Result<ArrowColumnChunk, ParquetError>>,
    ) -> Result<(), ParquetError> {
        let mut group = self.file.next_row_group()?;
        for chunk in chunks {
            chunk?.append_to_row_group(&mut group)?;
        }
        group.close().map(drop)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.output.write_all(&std::mem::take(self.file.inner_mut()))
    }

    fn finish(mut self, checksum: Option<String>, threads: &Threads) -> io::Result<()> {
        if !self.columns.is_empty() {
            self.end_row_group(threads)?;
        }
        if let Some(checksum) = checksum {
            self.file.append_key_value_metadata(KeyValue::new(CHECKSUM.to_owned(), checksum));
        }
        self.file.finish().map_err(of_parquet)?;
        self.flush()?;
        self.output.flush()
    }
}
