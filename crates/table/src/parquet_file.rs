//! Rows as row groups of a Parquet file.

use std::io;
use std::sync::Arc;

use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::basic::{Compression as Codec, Encoding, GzipLevel, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;
use stream::compress::Compression;

use crate::arrow;
use crate::failure::{of_arrow, of_parquet};
use crate::rows::Rows;
use crate::schema::{ColumnType, Field, Schema};

/// Number of rows, or of values in lists, so that readers have work for several threads.
pub(crate) const GROUP_ROWS: usize = 1 << 17;

/// In bytes; with the default of 1 MiB, a run touches a quarter more fresh memory.
const PAGE_BYTES: usize = 1 << 18;

/// The beginning of the name of the writer in files.
const PROGRAM: &str = "pgn2epd ";

/// Encodes row groups, on any thread.
#[derive(Debug)]
pub(crate) struct GroupEncoder {
    schema: SchemaRef,
    writers: ArrowRowGroupWriterFactory,
}

/// A file whose row groups are encoded elsewhere.
pub(crate) struct ParquetFile(SerializedFileWriter<Vec<u8>>);

impl std::fmt::Debug for ParquetFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetFile").finish_non_exhaustive()
    }
}

pub(crate) fn begin(
    schema: &Schema,
    compression: Option<Compression>,
) -> io::Result<(ParquetFile, GroupEncoder)> {
    let properties = properties(schema, codec(compression).map_err(of_parquet)?);
    let schema = arrow::schema(schema);
    let writer = ArrowWriter::try_new(Vec::new(), Arc::clone(&schema), Some(properties));
    let (file, writers) =
        writer.and_then(ArrowWriter::into_serialized_writer).map_err(of_parquet)?;
    Ok((ParquetFile(file), GroupEncoder { schema, writers }))
}

fn codec(compression: Option<Compression>) -> Result<Codec, ParquetError> {
    Ok(match compression {
        Some(Compression::Gzip { level }) => Codec::GZIP(GzipLevel::try_new(level.into())?),
        Some(Compression::Zstd { level }) => Codec::ZSTD(ZstdLevel::try_new(level.into())?),
        _ => Codec::ZSTD(ZstdLevel::default()),
    })
}

fn properties(schema: &Schema, codec: Codec) -> WriterProperties {
    let properties = WriterProperties::builder()
        .set_compression(codec)
        .set_created_by(format!("{PROGRAM}{}", env!("CARGO_PKG_VERSION")))
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        // Pages and row groups end by their size.
        .set_data_page_size_limit(PAGE_BYTES)
        .set_data_page_row_count_limit(usize::MAX)
        .set_max_row_group_row_count(None);
    let set = |properties, field: &Field| {
        with_column(properties, &field.column_type, vec![field.name.clone()])
    };
    schema.fields.iter().fold(properties, set).build()
}

/// Sets how the values of a column are encoded, whose place in the schema is `path`.
fn with_column(
    properties: WriterPropertiesBuilder,
    column_type: &ColumnType,
    path: Vec<String>,
) -> WriterPropertiesBuilder {
    let inner = |names: &[&str]| {
        let names = names.iter().map(|name| (*name).to_owned());
        path.iter().cloned().chain(names).collect()
    };
    match column_type {
        // The smallest and the greatest text are found row by row, and exclude few groups of rows.
        ColumnType::Repeated => properties
            .set_column_dictionary_enabled(ColumnPath::new(path.clone()), true)
            .set_column_statistics_enabled(ColumnPath::new(path), EnabledStatistics::None),
        // Counts and numbers of games change little from row to row.
        ColumnType::I64 => {
            properties.set_column_encoding(ColumnPath::new(path), Encoding::DELTA_BINARY_PACKED)
        }
        ColumnType::Text | ColumnType::U64 | ColumnType::Bytes32 => {
            properties.set_column_statistics_enabled(ColumnPath::new(path), EnabledStatistics::None)
        }
        ColumnType::List(item, _) => {
            with_column(properties, &item.column_type, inner(&["list", arrow::ITEM]))
        }
        ColumnType::Struct(fields) => fields.iter().fold(properties, |properties, field| {
            with_column(properties, &field.column_type, inner(&[&field.name]))
        }),
        _ => properties,
    }
}

impl GroupEncoder {
    pub(crate) fn encode(&self, batches: &[Rows]) -> io::Result<Vec<ArrowColumnChunk>> {
        let mut writers = self.writers.create_column_writers(0).map_err(of_parquet)?.into_iter();
        let mut encoded = Vec::with_capacity(writers.len());
        for (index, field) in self.schema.fields().iter().enumerate() {
            // A column has several in Parquet if it has structures.
            let mut of_column = Vec::new();
            for rows in batches {
                let array = arrow::dictionary_or_array(&rows.columns[index], field);
                let leaves =
                    compute_leaves(field, &array.map_err(of_arrow)?).map_err(of_parquet)?;
                if of_column.is_empty() {
                    of_column.extend(writers.by_ref().take(leaves.len()));
                }
                for (writer, leaf) in of_column.iter_mut().zip(&leaves) {
                    writer.write(leaf).map_err(of_parquet)?;
                }
            }
            for writer in of_column {
                encoded.push(writer.close().map_err(of_parquet)?);
            }
        }
        Ok(encoded)
    }
}

impl ParquetFile {
    /// Appends a row group, and returns the bytes of the file so far that were not returned.
    pub(crate) fn append(&mut self, columns: Vec<ArrowColumnChunk>) -> io::Result<Vec<u8>> {
        let mut group = self.0.next_row_group().map_err(of_parquet)?;
        for column in columns {
            column.append_to_row_group(&mut group).map_err(of_parquet)?;
        }
        group.close().map_err(of_parquet)?;
        self.take_bytes()
    }

    pub(crate) fn finish(mut self) -> io::Result<Vec<u8>> {
        self.0.finish().map_err(of_parquet)?;
        self.take_bytes()
    }

    fn take_bytes(&mut self) -> io::Result<Vec<u8>> {
        self.0.flush()?;
        Ok(std::mem::take(self.0.inner_mut()))
    }
}
