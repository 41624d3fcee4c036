//! Rows as row groups of a Parquet file.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_schema::SchemaRef;
use bytes::Bytes;
use emit::{Column, ColumnList, Fact, FactKind, Rows, Values};
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::basic::{Compression as Codec, Encoding, GzipLevel, ZstdLevel};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::properties::{
    DEFAULT_DICTIONARY_PAGE_SIZE_LIMIT, EnabledStatistics, WriterProperties,
};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, SchemaDescPtr};
use stream::compress::Compression;

use super::group_memory::GroupMemory;
use super::{dictionary_column, number_column, text_column};
use crate::arrow;

/// The number of rows of a row group, so that readers have work for several threads. The last group has fewer.
pub(super) const GROUP_ROWS: usize = 1 << 17;

/// Encodes row groups.
#[derive(Debug)]
pub(crate) struct GroupEncoder {
    columns: Vec<Column>,
    schema: SchemaRef,
    writers: ArrowRowGroupWriterFactory,
    parquet_schema: SchemaDescPtr,
    codec: Codec,
    /// The compression of columns that the library does not encode, if there are any.
    compression: Option<Compression>,
    /// The memory of groups that were encoded.
    memory: Mutex<Vec<GroupMemory>>,
}

/// A column of a row group.
#[derive(Debug)]
pub(crate) enum EncodedColumn {
    Arrow(Box<ArrowColumnChunk>),
    Own(Vec<u8>, Box<ColumnCloseResult>),
}

/// How a column is encoded.
#[derive(Clone, Copy, PartialEq)]
enum ColumnEncoding {
    /// By the library.
    Arrow,
    Text,
    Dictionary,
    /// Numbers, and whether they repeat.
    Numbers(bool),
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
    let writers = ArrowRowGroupWriterFactory::new(&file, Arc::clone(&schema));
    let encoder = GroupEncoder {
        columns: list.columns().to_vec(),
        schema,
        writers,
        parquet_schema: Arc::new(parquet_schema),
        codec,
        // Pages are one frame of zstd; blocks of gzip are several.
        compression: match codec {
            Codec::ZSTD(level) => {
                Some(Compression::Zstd { level: level.compression_level() as u8 })
            }
            _ => None,
        },
        memory: Mutex::default(),
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
    /// Encodes rows as the columns of a row group. Of the rows, only the memory is of use afterwards.
    pub(super) fn encode(&self, batches: &mut [Rows]) -> io::Result<Vec<EncodedColumn>> {
        let mut memory = self.memory();
        let mut encoded = Vec::with_capacity(self.columns.len());
        let mut writers = None;
        // No column has fields of its own, so each is one of Parquet's.
        for (index, column) in self.parquet_schema.columns().iter().enumerate() {
            let encoding = match memory {
                Some(_) => self.encoding(batches, index),
                None => ColumnEncoding::Arrow,
            };
            let (
                ColumnEncoding::Text | ColumnEncoding::Dictionary | ColumnEncoding::Numbers(_),
                Some(memory),
            ) = (encoding, &mut memory)
            else {
                let writers: &mut Vec<Option<_>> = match &mut writers {
                    Some(writers) => writers,
                    None => {
                        let new = self.writers.create_column_writers(0).map_err(failed)?;
                        writers.insert(new.into_iter().map(Some).collect())
                    }
                };
                let Some(mut writer) = writers[index].take() else { continue };
                let field = self.schema.field(index);
                for rows in &mut *batches {
                    let array = arrow::array(rows.take_column(index), field);
                    for leaf in
                        compute_leaves(field, &array.map_err(io::Error::other)?).map_err(failed)?
                    {
                        writer.write(&leaf).map_err(failed)?;
                    }
                }
                encoded.push(EncodedColumn::Arrow(Box::new(writer.close().map_err(failed)?)));
                continue;
            };
            let values = batches.iter().map(|rows| &rows.columns[index]);
            let (bytes, close) = match encoding {
                ColumnEncoding::Text => text_column::encode(values, column, self.codec, memory),
                ColumnEncoding::Numbers(repeats) => {
                    number_column::encode(values, column, self.codec, repeats, memory)
                }
                _ => dictionary_column::encode(values, column, self.codec, memory),
            }
            .map_err(failed)?;
            encoded.push(EncodedColumn::Own(bytes, Box::new(close)));
        }
        if let Some(memory) = memory {
            self.memory.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
        }
        Ok(encoded)
    }

    /// Returns memory for the columns that are not left to the library, if there are any.
    fn memory(&self) -> Option<GroupMemory> {
        let compression = self.compression?;
        let used = self.memory.lock().unwrap_or_else(PoisonError::into_inner).pop();
        used.or_else(|| GroupMemory::new(compression).ok())
    }

    /// Returns how a column is encoded.
    fn encoding(&self, batches: &[Rows], index: usize) -> ColumnEncoding {
        let Some(column) = batches.first().and_then(|rows| rows.columns.get(index)) else {
            return ColumnEncoding::Arrow;
        };
        let is_required = self.parquet_schema.column(index).max_def_level() == 0;
        match &column.values {
            Values::Text { .. } if is_required => ColumnEncoding::Text,
            Values::Repeated { .. } if is_dictionary(batches, index) => ColumnEncoding::Dictionary,
            Values::U32(_) | Values::U64(_) | Values::I32(_) | Values::F64(_) => {
                // The numbers of games and of lines increase.
                let is_of_game =
                    |fact: Fact| fact.is_of_game() && !matches!(fact, Fact::Game | Fact::Line);
                ColumnEncoding::Numbers(self.columns[index].fact().is_some_and(is_of_game))
            }
            _ => ColumnEncoding::Arrow,
        }
    }
}

/// Returns whether the texts of a column repeat so often that one page holds them. The library begins a new page at the limit, and
/// stops using the dictionary.
fn is_dictionary(batches: &[Rows], column: usize) -> bool {
    let mut bytes = 0;
    let is_repeated = |rows: &Rows| match &rows.columns[column].values {
        // Far fewer than the limit, but they may be counted for each batch.
        Values::Repeated { texts, .. } if texts.has_moves() => true,
        Values::Repeated { texts, .. } => {
            // Texts that several batches have are counted several times.
            bytes += texts.texts().map(|text| 4 + text.len()).sum::<usize>();
            bytes <= DEFAULT_DICTIONARY_PAGE_SIZE_LIMIT
        }
        _ => false,
    };
    !batches.is_empty() && batches.iter().all(is_repeated)
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
                EncodedColumn::Own(bytes, close) => {
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
        let bytes = self.0.inner_mut();
        output.write_all(bytes)?;
        let count = bytes.len() as u64;
        bytes.clear();
        Ok(count)
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
        matches!(encoder.encode(&mut [rows]).unwrap()[..], [EncodedColumn::Own(..)])
    }

    #[test]
    fn a_dictionary_of_more_than_1_mib_is_left_to_the_library() {
        let largest = (1 << 20) / 104;
        assert!(is_own_dictionary(largest));
        assert!(!is_own_dictionary(largest + 1));
    }
}
