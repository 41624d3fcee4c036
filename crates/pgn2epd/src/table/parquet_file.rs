//! Rows as row groups of a Parquet file.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_schema::SchemaRef;
use emit::{Column, ColumnList, Fact, Rows};
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::basic::{Compression as Codec, GzipLevel, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;
use stream::compress::Compression;

use crate::arrow;

/// The number of rows of a row group, so that readers have work for several threads. The last group has fewer.
pub(super) const GROUP_ROWS: usize = 1 << 17;

/// Encodes row groups.
#[derive(Debug)]
pub(crate) struct GroupEncoder {
    schema: SchemaRef,
    columns: ArrowRowGroupWriterFactory,
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
    let mut properties = properties(list, compression).map_err(failed)?;
    add_encoded_arrow_schema_to_metadata(&schema, &mut properties);
    let parquet_schema = ArrowSchemaConverter::new().convert(&schema).map_err(failed)?;
    let root = parquet_schema.root_schema_ptr();
    let file = SerializedFileWriter::new(Vec::new(), root, Arc::new(properties)).map_err(failed)?;
    let columns = ArrowRowGroupWriterFactory::new(&file, Arc::clone(&schema));
    Ok((ParquetFile(file), GroupEncoder { schema, columns }))
}

fn properties(
    list: &ColumnList,
    compression: Option<Compression>,
) -> Result<WriterProperties, ParquetError> {
    let codec = match compression {
        Some(Compression::Gzip { level }) => Codec::GZIP(GzipLevel::try_new(level.into())?),
        Some(Compression::Zstd { level }) => Codec::ZSTD(ZstdLevel::try_new(level.into())?),
        _ => Codec::ZSTD(ZstdLevel::default()),
    };
    let mut properties = WriterProperties::builder()
        .set_compression(codec)
        .set_created_by(concat!("pgn2epd ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_max_row_group_row_count(None);
    for (name, column) in list.names().zip(list.columns()) {
        // Nearly all values are different, so a dictionary costs time and statistics mean nothing.
        let is_varied = matches!(
            column.fact(),
            Some(Fact::Fen | Fact::Epd | Fact::Key | Fact::Packed | Fact::Record | Fact::Comment)
        );
        if is_varied {
            let name = name.to_owned();
            let path = match column {
                Column::List(_) => vec![name, "list".to_owned(), arrow::ITEM.to_owned()],
                _ => vec![name],
            };
            let path = ColumnPath::from(path);
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_statistics_enabled(path, EnabledStatistics::None);
        }
    }
    Ok(properties.build())
}

impl GroupEncoder {
    /// Encodes rows as the columns of a row group.
    pub(super) fn encode(&self, batches: Vec<Rows>) -> io::Result<Vec<ArrowColumnChunk>> {
        let mut writers = self.columns.create_column_writers(0).map_err(failed)?;
        for rows in batches {
            let columns = rows.columns.into_iter().zip(self.schema.fields());
            for ((column, field), writer) in columns.zip(&mut writers) {
                let array = arrow::array(column, field).map_err(io::Error::other)?;
                for leaf in compute_leaves(field, &array).map_err(failed)? {
                    writer.write(&leaf).map_err(failed)?;
                }
            }
        }
        writers.into_iter().map(|writer| writer.close().map_err(failed)).collect()
    }
}

impl ParquetFile {
    /// Appends a row group.
    pub(crate) fn append(
        &mut self,
        columns: Vec<ArrowColumnChunk>,
        output: &mut impl Write,
    ) -> io::Result<u64> {
        let mut group = self.0.next_row_group().map_err(failed)?;
        for column in columns {
            column.append_to_row_group(&mut group).map_err(failed)?;
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
