//! Groups of rows as bytes: encoded on any thread, and joined in order.

use std::io::{self, Write};

#[cfg(feature = "arrow")]
use arrow_schema::SchemaRef;
use emit::{ColumnList, Rows};
use stream::compress::Compression;
use stream::compress::encoder::{EncodedFrames, FrameEncoder};

use super::csv;
use super::format::TableFormat;
use super::jsonl::Keys;
#[cfg(feature = "arrow")]
use super::{arrow_stream, parquet_file};

/// Encodes groups of rows.
#[derive(Debug)]
pub(crate) enum RowEncoder {
    /// The flag is that of [`csv::write`].
    Csv(Option<Compression>, bool),
    JsonLines(Keys, Option<Compression>),
    #[cfg(feature = "arrow")]
    Arrow(SchemaRef),
    #[cfg(feature = "arrow")]
    Parquet(parquet_file::GroupEncoder),
}

/// A group of rows.
#[derive(Debug)]
pub(crate) enum EncodedRows {
    Bytes(Vec<u8>),
    /// Compressed text, and its size before compression.
    Frames(EncodedFrames, u64),
    #[cfg(feature = "arrow")]
    Columns(Vec<parquet_file::EncodedColumn>),
}

/// What a file has besides the groups.
#[derive(Debug)]
pub(crate) enum TableFile {
    Plain {
        start: Vec<u8>,
        end: Vec<u8>,
    },
    #[cfg(feature = "arrow")]
    Parquet(Box<parquet_file::ParquetFile>),
}

/// The number of rows of a group, except the last one.
const GROUP_ROWS: usize = 1 << 13;

/// Begins a file. Text is compressed as given; Parquet compresses the columns in any case.
pub(crate) fn begin(
    format: TableFormat,
    list: &ColumnList,
    compression: Option<Compression>,
    csv_safe: bool,
) -> io::Result<(TableFile, RowEncoder)> {
    let plain = |start, end| TableFile::Plain { start, end };
    match format {
        TableFormat::Csv => {
            Ok((plain(csv::header(list), Vec::new()), RowEncoder::Csv(compression, csv_safe)))
        }
        TableFormat::JsonLines => {
            let encoder = RowEncoder::JsonLines(Keys::new(list), compression);
            Ok((plain(Vec::new(), Vec::new()), encoder))
        }
        #[cfg(feature = "arrow")]
        TableFormat::Arrow => {
            let schema = crate::arrow::schema(list);
            let (start, end) = arrow_stream::empty_stream(&schema)?;
            Ok((plain(start, end), RowEncoder::Arrow(schema)))
        }
        #[cfg(feature = "arrow")]
        TableFormat::Parquet => {
            let (file, encoder) = parquet_file::begin(list, compression)?;
            Ok((TableFile::Parquet(Box::new(file)), RowEncoder::Parquet(encoder)))
        }
        #[cfg(not(feature = "arrow"))]
        TableFormat::Arrow | TableFormat::Parquet => {
            Err(io::Error::new(io::ErrorKind::Unsupported, super::format::NOT_BUILT))
        }
    }
}

impl RowEncoder {
    /// Returns the number of rows of a group, except the last one.
    pub(crate) fn group_rows(&self) -> usize {
        match self {
            #[cfg(feature = "arrow")]
            RowEncoder::Parquet(_) => parquet_file::GROUP_ROWS,
            _ => GROUP_ROWS,
        }
    }

    /// Encodes a group, text in the memory of `bytes`. Of the rows that remain, only the memory is of use
    /// afterwards.
    #[cfg_attr(not(feature = "arrow"), expect(clippy::ptr_arg, reason = "Arrow takes the rows"))]
    pub(crate) fn encode(
        &self,
        batches: &mut Vec<Rows>,
        mut bytes: Vec<u8>,
    ) -> io::Result<EncodedRows> {
        bytes.clear();
        match self {
            RowEncoder::Csv(compression, is_safe) => {
                text(batches, *compression, bytes, |rows, text| csv::write(rows, *is_safe, text))
            }
            RowEncoder::JsonLines(keys, compression) => {
                text(batches, *compression, bytes, |rows, text| keys.write(rows, text))
            }
            #[cfg(feature = "arrow")]
            RowEncoder::Arrow(schema) => {
                for rows in batches.drain(..) {
                    arrow_stream::append(rows, schema, &mut bytes)?;
                }
                Ok(EncodedRows::Bytes(bytes))
            }
            #[cfg(feature = "arrow")]
            RowEncoder::Parquet(encoder) => encoder.encode(batches).map(EncodedRows::Columns),
        }
    }
}

fn text(
    batches: &[Rows],
    compression: Option<Compression>,
    mut text: Vec<u8>,
    write: impl Fn(&Rows, &mut Vec<u8>),
) -> io::Result<EncodedRows> {
    batches.iter().for_each(|rows| write(rows, &mut text));
    let Some(compression) = compression else { return Ok(EncodedRows::Bytes(text)) };
    let mut frames = EncodedFrames::default();
    FrameEncoder::new(compression)?.encode(&text, &mut frames)?;
    Ok(EncodedRows::Frames(frames, text.len() as u64))
}

impl TableFile {
    /// Writes the beginning of the file; returns the number of bytes.
    pub(crate) fn start(&mut self, output: &mut impl Write) -> io::Result<u64> {
        match self {
            TableFile::Plain { start, .. } => written(start, output),
            // The file begins with its first row group.
            #[cfg(feature = "arrow")]
            TableFile::Parquet(_) => Ok(0),
        }
    }

    /// Writes the end of the file; returns the number of bytes.
    pub(crate) fn finish(&mut self, output: &mut impl Write) -> io::Result<u64> {
        match self {
            TableFile::Plain { end, .. } => written(end, output),
            #[cfg(feature = "arrow")]
            TableFile::Parquet(file) => file.finish(output),
        }
    }
}

/// Writes bytes and returns their number.
pub(crate) fn written(bytes: &[u8], output: &mut impl Write) -> io::Result<u64> {
    output.write_all(bytes)?;
    Ok(bytes.len() as u64)
}
