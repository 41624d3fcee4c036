//! Rows as row groups of a Parquet file.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_schema::{Field, SchemaRef};
use bytes::Bytes;
use emit::{Column, ColumnList, ColumnValues, Fact, FactKind, Rows, Values};
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::basic::{Compression as Codec, Encoding, GzipLevel, ZstdLevel};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::properties::{
    DEFAULT_DICTIONARY_PAGE_SIZE_LIMIT, EnabledStatistics, WriterProperties,
};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnDescPtr, ColumnPath, SchemaDescPtr};
use stream::compress::Compression;
use stream::compress::encoder::FrameEncoder;

use super::dictionary_column::DictionaryColumn;
use crate::arrow;

/// The number of rows of a row group, so that readers have work for several threads. The last group has fewer.
pub(super) const GROUP_ROWS: usize = 1 << 17;

/// Encodes row groups.
#[derive(Debug)]
pub(crate) struct GroupEncoder {
    schema: SchemaRef,
    columns: ArrowRowGroupWriterFactory,
    parquet_schema: SchemaDescPtr,
    codec: Codec,
    /// The compression of columns that the library does not encode, if there are any.
    compression: Option<Compression>,
}

/// A column of a row group.
#[derive(Debug)]
pub(crate) enum EncodedColumn {
    Arrow(Box<ArrowColumnChunk>),
    Dictionary(Vec<u8>, Box<ColumnCloseResult>),
}

/// A column of a row group under construction.
enum ColumnEncoder {
    Arrow(Box<ArrowColumnWriter>),
    Dictionary(DictionaryColumn),
}

/// A file whose row groups are encoded elsewhere.
pub(crate) struct ParquetFile(SerializedFileWriter<Vec<u8>>);

impl std::fmt::Debug for ParquetFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetFile").finish_non_exhaustive()
    }
}

/// Begins a file with these columns.
pub(super) fn begin(
    list: &ColumnList,
    compression: Option<Compression>,
) -> io::Result<(ParquetFile, GroupEncoder)> {
    let schema = arrow::schema(list);
    let codec = codec(compression).map_err(failed)?;
    let mut properties = properties(list, codec);
    add_encoded_arrow_schema_to_metadata(&schema, &mut properties);
    let parquet_schema = ArrowSchemaConverter::new().convert(&schema).map_err(failed)?;
    let root = parquet_schema.root_schema_ptr();
    let file = SerializedFileWriter::new(Vec::new(), root, Arc::new(properties)).map_err(failed)?;
    let columns = ArrowRowGroupWriterFactory::new(&file, Arc::clone(&schema));
    let encoder = GroupEncoder {
        schema,
        columns,
        parquet_schema: Arc::new(parquet_schema),
        codec,
        // Pages are one frame of zstd; blocks of gzip are several.
        compression: match codec {
            Codec::ZSTD(level) => {
                Some(Compression::Zstd { level: level.compression_level() as u8 })
            }
            _ => None,
        },
    };
    Ok((ParquetFile(file), encoder))
}

fn codec(compression: Option<Compression>) -> Result<Codec, ParquetError> {
    Ok(match compression {
        Some(Compression::Gzip { level }) => Codec::GZIP(GzipLevel::try_new(level.into())?),
        Some(Compression::Zstd { level }) => Codec::ZSTD(ZstdLevel::try_new(level.into())?),
        _ => Codec::ZSTD(ZstdLevel::default()),
    })
}

fn properties(list: &ColumnList, codec: Codec) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(codec)
        .set_created_by(concat!("pgn2epd ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_max_row_group_row_count(None);
    for (name, column) in list.names().zip(list.columns()) {
        let Some(fact) = column.fact() else { continue };
        let name = name.to_owned();
        let path = ColumnPath::from(match column {
            Column::List(_) => vec![name, "list".to_owned(), arrow::ITEM.to_owned()],
            _ => vec![name],
        });
        // Nearly all values are different, so a dictionary costs time and statistics mean nothing.
        let is_varied = matches!(
            fact,
            Fact::Fen | Fact::Epd | Fact::Key | Fact::Packed | Fact::Record | Fact::Comment
        );
        let is_number =
            matches!(fact.kind(), FactKind::Number | FactKind::SmallNumber | FactKind::Signed);
        if is_varied {
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_statistics_enabled(path, EnabledStatistics::None);
        } else if is_number {
            // Differences take less time than a dictionary, and less space: most numbers change little from row to row.
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
    }
    properties.build()
}

impl GroupEncoder {
    /// Encodes rows as the columns of a row group.
    pub(super) fn encode(&self, batches: Vec<Rows>) -> io::Result<Vec<EncodedColumn>> {
        let mut frames = self.compression.and_then(|kind| FrameEncoder::new(kind).ok());
        let writers = self.columns.create_column_writers(0).map_err(failed)?;
        let is_dictionary = |index| frames.is_some() && is_dictionary(&batches, index);
        let encoder = |(index, writer)| match is_dictionary(index) {
            true => ColumnEncoder::Dictionary(DictionaryColumn::default()),
            false => ColumnEncoder::Arrow(Box::new(writer)),
        };
        let mut encoders: Vec<_> = writers.into_iter().enumerate().map(encoder).collect();
        for rows in batches {
            let columns = rows.columns.into_iter().zip(self.schema.fields());
            for ((column, field), encoder) in columns.zip(&mut encoders) {
                encoder.write(column, field)?;
            }
        }
        // No column has fields of its own, so each is one of Parquet's.
        let columns = encoders.into_iter().zip(self.parquet_schema.columns());
        let finish = |(encoder, column): (ColumnEncoder, &ColumnDescPtr)| match encoder {
            ColumnEncoder::Arrow(writer) => {
                writer.close().map(|column| EncodedColumn::Arrow(Box::new(column)))
            }
            ColumnEncoder::Dictionary(texts) => {
                let column = texts.finish(Arc::clone(column), self.codec, frames.as_mut());
                column.map(|(bytes, close)| EncodedColumn::Dictionary(bytes, Box::new(close)))
            }
        };
        columns.map(finish).map(|column| column.map_err(failed)).collect()
    }
}

/// Returns whether the texts of a column repeat so often that one page holds them. The library begins a new page at the limit, and
/// stops using the dictionary.
fn is_dictionary(batches: &[Rows], column: usize) -> bool {
    let mut bytes = 0;
    let is_repeated = |rows: &Rows| match &rows.columns[column].values {
        Values::Repeated { texts, .. } => {
            // Texts that several batches have are counted several times; moves are far below the limit.
            bytes += texts.texts().map(|text| 4 + text.len()).sum::<usize>();
            bytes <= DEFAULT_DICTIONARY_PAGE_SIZE_LIMIT
        }
        _ => false,
    };
    !batches.is_empty() && batches.iter().all(is_repeated)
}

impl ColumnEncoder {
    /// Appends the rows of a batch.
    fn write(&mut self, column: ColumnValues, field: &Field) -> io::Result<()> {
        match (self, &column.values) {
            (ColumnEncoder::Dictionary(encoder), Values::Repeated { keys, texts }) => {
                encoder.push(keys, texts, &column.is_there);
            }
            (ColumnEncoder::Arrow(writer), _) => {
                let array = arrow::array(column, field).map_err(io::Error::other)?;
                for leaf in compute_leaves(field, &array).map_err(failed)? {
                    writer.write(&leaf).map_err(failed)?;
                }
            }
            // All batches have the same columns.
            (ColumnEncoder::Dictionary(_), _) => {}
        }
        Ok(())
    }
}

impl ParquetFile {
    /// Appends a row group.
    pub(crate) fn append(
        &mut self,
        columns: Vec<EncodedColumn>,
        output: &mut impl Write,
    ) -> io::Result<u64> {
        let mut group = self.0.next_row_group().map_err(failed)?;
        for column in columns {
            match column {
                EncodedColumn::Arrow(column) => column.append_to_row_group(&mut group),
                EncodedColumn::Dictionary(bytes, close) => {
                    group.append_column(&Bytes::from(bytes), *close)
                }
            }
            .map_err(failed)?;
        }
        group.close().map_err(failed)?;
        self.flush(output)
    }

    /// Writes the end of the file.
    pub(super) fn finish(&mut self, output: &mut impl Write) -> io::Result<u64> {
        self.0.finish().map_err(failed)?;
        self.flush(output)
    }

    fn flush(&mut self, output: &mut impl Write) -> io::Result<u64> {
        self.0.flush()?;
        let bytes = std::mem::take(self.0.inner_mut());
        output.write_all(&bytes)?;
        Ok(bytes.len() as u64)
    }
}

fn failed(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

#[cfg(test)]
mod tests {
    use emit::{Plan, Replay, RowSink, Text};

    use super::*;

    /// Returns whether `count` players with names of 100 bytes are a dictionary that is encoded here.
    fn is_own_dictionary(count: usize) -> bool {
        let list: ColumnList = "White".parse().unwrap();
        let pgn: String =
            (0..count).map(|number| format!("[White \"{number:0100}\"]\n\n*\n\n")).collect();
        let (plan, mut text) = (Plan::default(), Text::default());
        let mut rows = Rows::new(list.columns(), &Rows::default());
        let mut sink = RowSink::of_games(text.sink(&plan), list.columns(), &plan, &mut rows);
        Replay::new(pgn::Chunk::whole(pgn.as_bytes()), &plan).run(&mut sink);
        assert_eq!(rows.len(), count);
        let (_, encoder) = begin(&list, None).unwrap();
        matches!(encoder.encode(vec![rows]).unwrap()[..], [EncodedColumn::Dictionary(..)])
    }

    #[test]
    fn a_dictionary_of_more_than_1_mib_is_left_to_the_library() {
        let largest = (1 << 20) / 104;
        assert!(is_own_dictionary(largest));
        assert!(!is_own_dictionary(largest + 1));
    }
}
