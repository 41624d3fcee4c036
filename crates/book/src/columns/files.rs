//! Batches in files: written as a stream or as Parquet, read from these and from Arrow's files.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::panic::{self, AssertUnwindSafe};

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::failure::{of_arrow, of_parquet};
use super::schema::ColumnForm;
use crate::partial::{ARROW_FILE, PARQUET};
use crate::run::damaged;

/// Batches on their way to an output.
pub(crate) enum Columns<'w> {
    Stream(Box<StreamWriter<&'w mut dyn Write>>),
    /// Parquet wants an output that may go to other threads: it writes to memory, which is emptied at each batch.
    Parquet(Box<ArrowWriter<Vec<u8>>>, &'w mut dyn Write),
}

/// A row group of Parquet ends when it takes so much memory, in bytes.
const ROW_GROUP: usize = 16 << 20;

impl<'w> Columns<'w> {
    pub(crate) fn new(
        form: ColumnForm,
        schema: &SchemaRef,
        output: &'w mut dyn Write,
    ) -> io::Result<Self> {
        match form {
            ColumnForm::Stream => {
                let writer = StreamWriter::try_new(output, schema).map_err(of_arrow)?;
                Ok(Columns::Stream(Box::new(writer)))
            }
            ColumnForm::Parquet => {
                let properties = WriterProperties::builder()
                    .set_compression(Compression::ZSTD(ZstdLevel::default()))
                    .set_created_by(concat!("pgn2epd ", env!("CARGO_PKG_VERSION")).to_owned());
                let properties = Some(properties.build());
                let writer = ArrowWriter::try_new(Vec::new(), schema.clone(), properties);
                Ok(Columns::Parquet(Box::new(writer.map_err(of_parquet)?), output))
            }
        }
    }

    pub(crate) fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        match self {
            Columns::Stream(writer) => writer.write(batch).map_err(of_arrow),
            Columns::Parquet(writer, output) => {
                writer.write(batch).map_err(of_parquet)?;
                if writer.in_progress_size() > ROW_GROUP {
                    writer.flush().map_err(of_parquet)?;
                }
                output.write_all(&std::mem::take(writer.inner_mut()))
            }
        }
    }

    /// Writes the mark of the end.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Columns::Stream(mut writer) => writer.finish().map_err(of_arrow),
            Columns::Parquet(writer, output) => {
                output.write_all(&writer.into_inner().map_err(of_parquet)?)?;
                output.flush()
            }
        }
    }
}

/// The batches of a file.
pub(crate) enum Batches {
    Stream(Box<StreamReader<WholeStream<BufReader<File>>>>),
    File(Box<FileReader<BufReader<File>>>),
    Parquet(Box<ParquetRecordBatchReader>, SchemaRef),
}

/// So many rows of Parquet are read at once.
const ROWS: usize = 4096;

impl Batches {
    /// Opens a file that begins with one of the marks of columns.
    pub(crate) fn open(file: File) -> io::Result<Self> {
        damage_caught(|| Self::of_file(file)).unwrap_or_else(|| Err(damaged()))
    }

    fn of_file(mut file: File) -> io::Result<Self> {
        let mut mark = Vec::new();
        (&mut file).take(ARROW_FILE.len() as u64).read_to_end(&mut mark)?;
        file.rewind()?;
        if mark.starts_with(PARQUET) {
            let reader = ParquetRecordBatchReaderBuilder::try_new(file).map_err(of_parquet)?;
            let schema = reader.schema().clone();
            let reader = reader.with_batch_size(ROWS).build().map_err(of_parquet)?;
            return Ok(Batches::Parquet(Box::new(reader), schema));
        }
        let input = BufReader::with_capacity(64 << 10, file);
        if mark.starts_with(ARROW_FILE) {
            let reader = FileReader::try_new(input, None).map_err(of_arrow)?;
            return Ok(Batches::File(Box::new(reader)));
        }
        let input = WholeStream { input, is_over: false };
        let reader = StreamReader::try_new(input, None).map_err(of_arrow)?;
        Ok(Batches::Stream(Box::new(reader)))
    }

    pub(crate) fn schema(&self) -> SchemaRef {
        match self {
            Batches::Stream(reader) => reader.schema(),
            Batches::File(reader) => reader.schema(),
            Batches::Parquet(_, schema) => schema.clone(),
        }
    }
}

impl Iterator for Batches {
    type Item = io::Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        damage_caught(|| self.next_batch()).unwrap_or_else(|| Some(Err(damaged())))
    }
}

/// Some lengths and offsets in damaged files are not looked at before they are used: the libraries panic.
fn damage_caught<T>(read: impl FnOnce() -> T) -> Option<T> {
    // Nobody uses a reader again that has failed.
    panic::catch_unwind(AssertUnwindSafe(read)).ok()
}

impl Batches {
    fn next_batch(&mut self) -> Option<io::Result<RecordBatch>> {
        let next = match self {
            Batches::Stream(reader) => match reader.next() {
                None if reader.get_ref().is_over => {
                    return Some(Err(io::ErrorKind::UnexpectedEof.into()));
                }
                next => next,
            },
            Batches::File(reader) => reader.next(),
            Batches::Parquet(reader, _) => reader.next(),
        };
        next.map(|batch| batch.map_err(of_arrow))
    }
}

/// Knows whether its reader came to the end of the input. A stream that is whole has a mark at its end, behind which nobody
/// reads; one that was cut off between two batches has not, and Arrow takes it for whole.
#[derive(Debug)]
pub(crate) struct WholeStream<R> {
    input: R,
    is_over: bool,
}

impl<R: Read> Read for WholeStream<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.is_over |= read == 0 && !buffer.is_empty();
        Ok(read)
    }
}
