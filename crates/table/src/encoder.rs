//! Groups of rows as bytes, encoded on any thread.

use std::io;

#[cfg(feature = "arrow")]
use arrow_schema::SchemaRef;
use stream::compress::Compression;

use crate::csv;
use crate::format::TableFormat;
use crate::json::Keys;
use crate::rows::Rows;
use crate::schema::Schema;
#[cfg(feature = "arrow")]
use crate::{arrow, arrow_stream, parquet_file};

/// How a table is written.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The format.
    pub format: TableFormat,
    /// The compression of the columns of Parquet, if it is not the default one. A file of another
    /// format is compressed as a whole, by its output.
    pub compression: Option<Compression>,
    /// Whether texts in CSV that spreadsheets take for formulas begin with an apostrophe.
    pub csv_safe: bool,
    /// The size in bytes at which rows are encoded, which bounds the memory for a table.
    pub group_bytes: usize,
}

impl Settings {
    /// Returns the default settings of a format.
    pub fn new(format: TableFormat) -> Self {
        Settings { format, compression: None, csv_safe: false, group_bytes: GROUP_BYTES }
    }
}

#[derive(Debug)]
pub(crate) struct RowEncoder {
    schema: Schema,
    settings: Settings,
    form: EncoderForm,
}

/// What a format needs besides the schema.
#[derive(Debug)]
enum EncoderForm {
    Csv,
    JsonLines(Keys),
    #[cfg(feature = "arrow")]
    Arrow(SchemaRef),
    #[cfg(feature = "arrow")]
    Parquet(parquet_file::GroupEncoder),
}

#[derive(Debug)]
pub(crate) enum EncodedRows {
    Bytes(Vec<u8>),
    #[cfg(feature = "arrow")]
    Columns(Vec<parquet::arrow::arrow_writer::ArrowColumnChunk>),
}

/// What a file has besides the groups.
#[derive(Debug)]
pub(crate) enum TableFile {
    /// Its end.
    Plain(Vec<u8>),
    #[cfg(feature = "arrow")]
    Parquet(Box<parquet_file::ParquetFile>),
}

/// The size of the rows of a group, except the last one.
const GROUP_BYTES: usize = 32 << 20;

/// The number of rows of a group at which it ends before it has this size.
const GROUP_ROWS: usize = 1 << 13;

/// Begins a file; returns its first bytes.
pub(crate) fn begin(
    schema: Schema,
    settings: Settings,
) -> io::Result<(Vec<u8>, TableFile, RowEncoder)> {
    let plain = TableFile::Plain(Vec::new());
    let (start, file, form) = match settings.format {
        TableFormat::Csv => (csv::header(&schema), plain, EncoderForm::Csv),
        TableFormat::JsonLines => {
            let keys = Keys::new(&schema.fields);
            (Vec::new(), plain, EncoderForm::JsonLines(keys))
        }
        #[cfg(feature = "arrow")]
        TableFormat::Arrow => {
            let schema = arrow::schema(&schema);
            let (start, end) = arrow_stream::empty_stream(&schema)?;
            (start, TableFile::Plain(end), EncoderForm::Arrow(schema))
        }
        #[cfg(feature = "arrow")]
        TableFormat::Parquet => {
            let (file, encoder) = parquet_file::begin(&schema, settings.compression)?;
            // The file begins with its first row group.
            (Vec::new(), TableFile::Parquet(Box::new(file)), EncoderForm::Parquet(encoder))
        }
        #[cfg(not(feature = "arrow"))]
        TableFormat::Arrow | TableFormat::Parquet => {
            return Err(io::Error::new(io::ErrorKind::Unsupported, crate::format::NOT_BUILT));
        }
    };
    Ok((start, file, RowEncoder { schema, settings, form }))
}

impl RowEncoder {
    pub(crate) fn is_complete(&self, rows: usize, bytes: usize) -> bool {
        let most_rows = match &self.form {
            #[cfg(feature = "arrow")]
            EncoderForm::Parquet(_) => parquet_file::GROUP_ROWS,
            _ => GROUP_ROWS,
        };
        rows >= most_rows || bytes >= self.settings.group_bytes
    }

    /// Text uses the memory of `bytes`; of the rows returned, only the memory is of use.
    pub(crate) fn encode(
        &self,
        batches: Vec<Rows>,
        mut bytes: Vec<u8>,
    ) -> io::Result<(EncodedRows, Vec<Rows>)> {
        bytes.clear();
        let fields = &self.schema.fields;
        match &self.form {
            EncoderForm::Csv => {
                let is_safe = self.settings.csv_safe;
                batches.iter().for_each(|rows| csv::write(rows, fields, is_safe, &mut bytes));
            }
            EncoderForm::JsonLines(keys) => {
                batches.iter().for_each(|rows| keys.write(rows, fields, &mut bytes));
            }
            #[cfg(feature = "arrow")]
            EncoderForm::Arrow(schema) => {
                let mut batches = batches.into_iter();
                batches.try_for_each(|rows| arrow_stream::append(rows, schema, &mut bytes))?;
                return Ok((EncodedRows::Bytes(bytes), Vec::new()));
            }
            #[cfg(feature = "arrow")]
            EncoderForm::Parquet(encoder) => {
                return Ok((EncodedRows::Columns(encoder.encode(&batches)?), batches));
            }
        }
        Ok((EncodedRows::Bytes(bytes), batches))
    }
}

impl TableFile {
    pub(crate) fn end(self) -> io::Result<Vec<u8>> {
        match self {
            TableFile::Plain(end) => Ok(end),
            #[cfg(feature = "arrow")]
            TableFile::Parquet(file) => file.finish(),
        }
    }
}
