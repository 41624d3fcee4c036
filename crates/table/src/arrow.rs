//! Rows as Arrow arrays, which share their memory.
//!
//! ```
//! use table::{Cell, ColumnType, Field, Rows, Schema, arrow};
//!
//! let schema = Schema::new([Field::required("ply", ColumnType::I32)]);
//! let mut rows = Rows::new(schema.types(), 0);
//! rows.push_row([Cell::Integer(1)]);
//! let batch = arrow::record_batch(rows, &arrow::schema(&schema))?;
//! assert_eq!((batch.num_rows(), batch.num_columns()), (1, 1));
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

use std::io;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, DictionaryArray, FixedSizeBinaryArray, FixedSizeListArray,
    Float64Array, Int32Array, Int64Array, LargeListArray, LargeStringArray, ListArray, RecordBatch,
    RecordBatchOptions, StringArray, StructArray, UInt8Array, UInt32Array, UInt64Array,
    new_null_array,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_ipc::writer::{
    DictionaryTracker, IpcDataGenerator, IpcWriteContext, IpcWriteOptions, StreamWriter,
    write_message,
};
use arrow_schema::{ArrowError, DataType, Field as ArrowField, Schema as ArrowSchema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::basic::{Compression as Codec, Encoding, GzipLevel, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;
use stream::compress::Compression;

use crate::rows::{ColumnType, ColumnValues, Field, Rows, Schema, Values};

/// The error of the output, such as a broken pipe; others are Arrow's.
pub(crate) fn of_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        ArrowError::ExternalError(error) => of_external(error),
        other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
    }
}

pub(crate) fn of_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => of_external(error),
        other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
    }
}

fn of_external(error: Box<dyn std::error::Error + Send + Sync>) -> io::Error {
    error.downcast::<io::Error>().map_or_else(io::Error::other, |error| *error)
}

const ITEM: &str = "item";

/// Returns the names and types of the columns.
pub fn schema(schema: &Schema) -> SchemaRef {
    let fields: Vec<_> =
        schema.fields.iter().map(|of| field(of, &of.name, schema.has_small_offsets)).collect();
    Arc::new(ArrowSchema::new(fields))
}

fn field(field: &Field, name: &str, has_small_offsets: bool) -> ArrowField {
    let data_type = data_type(&field.column_type, has_small_offsets);
    ArrowField::new(name, data_type, field.may_be_missing)
}

fn data_type(column_type: &ColumnType, has_small_offsets: bool) -> DataType {
    match column_type {
        ColumnType::Bool => DataType::Boolean,
        ColumnType::I32 => DataType::Int32,
        ColumnType::I64 => DataType::Int64,
        ColumnType::U64 => DataType::UInt64,
        ColumnType::F64 | ColumnType::Decimal => DataType::Float64,
        ColumnType::Date => DataType::Date32,
        ColumnType::Bytes32 => DataType::FixedSizeBinary(32),
        ColumnType::U8x64 => DataType::FixedSizeList(required(DataType::UInt8), 64),
        ColumnType::U64x12 => DataType::FixedSizeList(required(DataType::UInt64), 12),
        ColumnType::Text | ColumnType::Repeated if has_small_offsets => DataType::Utf8,
        ColumnType::Text | ColumnType::Repeated => DataType::LargeUtf8,
        ColumnType::List(item, _) => {
            let item = Arc::new(field(item, ITEM, has_small_offsets));
            if has_small_offsets { DataType::List(item) } else { DataType::LargeList(item) }
        }
        ColumnType::Struct(fields) => DataType::Struct(
            fields.iter().map(|of| field(of, &of.name, has_small_offsets)).collect(),
        ),
    }
}

/// Returns the values of lists that all have as many.
fn required(data_type: DataType) -> Arc<ArrowField> {
    Arc::new(ArrowField::new(ITEM, data_type, false))
}

/// Returns rows as Arrow arrays. Fails if the columns of the rows are not those of the schema.
pub fn record_batch(rows: Rows, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
    let columns = rows.columns.into_iter().zip(schema.fields());
    let arrays = columns.map(|(column, field)| array(column, field)).collect::<Result<_, _>>()?;
    RecordBatch::try_new_with_options(Arc::clone(schema), arrays, &options)
}

fn array(column: ColumnValues, field: &ArrowField) -> Result<ArrayRef, ArrowError> {
    let nulls = nulls(&column.validity);
    Ok(match column.values {
        Values::Bool(values) => Arc::new(BooleanArray::new(BooleanBuffer::from(values), nulls)),
        Values::I32(values) => Arc::new(Int32Array::try_new(values.into(), nulls)?),
        Values::I64(values) => Arc::new(Int64Array::try_new(values.into(), nulls)?),
        Values::U64(values) => Arc::new(UInt64Array::try_new(values.into(), nulls)?),
        Values::F64(values) => Arc::new(Float64Array::try_new(values.into(), nulls)?),
        Values::Date(values) => Arc::new(Date32Array::try_new(values.into(), nulls)?),
        Values::Bytes32(values) => {
            let bytes = Buffer::from_vec(values.into_flattened());
            Arc::new(FixedSizeBinaryArray::try_new(32, bytes, nulls)?)
        }
        Values::U8x64(values) => {
            let numbers = Arc::new(UInt8Array::from(values.into_flattened()));
            Arc::new(FixedSizeListArray::try_new(required(DataType::UInt8), 64, numbers, nulls)?)
        }
        Values::U64x12(values) => {
            let numbers = Arc::new(UInt64Array::from(values.into_flattened()));
            Arc::new(FixedSizeListArray::try_new(required(DataType::UInt64), 12, numbers, nulls)?)
        }
        Values::Text { bytes, offsets } => text_array(bytes, offsets, nulls, field.data_type())?,
        // Not a dictionary: not every reader of streams supports another one in each batch.
        Values::Repeated { keys, texts } => {
            let is_valid = |row| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row));
            let text = |(row, key)| if is_valid(row) { texts.text(key) } else { &[] };
            let (bytes, offsets) = concatenated(keys.into_iter().enumerate().map(text));
            text_array(bytes, offsets, nulls, field.data_type())?
        }
        Values::List { values, offsets, .. } => match field.data_type() {
            DataType::List(item) => {
                let values = array(*values, item)?;
                let offsets = small(&offsets)?;
                Arc::new(ListArray::try_new(Arc::clone(item), offsets, values, nulls)?)
            }
            DataType::LargeList(item) => {
                let values = array(*values, item)?;
                let offsets = OffsetBuffer::new(offsets.into());
                Arc::new(LargeListArray::try_new(Arc::clone(item), offsets, values, nulls)?)
            }
            _ => return Err(not_of_type(field, "a list")),
        },
        Values::Struct(columns) => {
            let DataType::Struct(fields) = field.data_type() else {
                return Err(not_of_type(field, "a structure"));
            };
            let arrays =
                columns.into_iter().zip(fields).map(|(column, field)| array(column, field));
            let arrays = arrays.collect::<Result<_, _>>()?;
            Arc::new(StructArray::try_new(fields.clone(), arrays, nulls)?)
        }
    })
}

/// A copy, so that the memory of the column serves other rows; a dictionary if texts repeat.
pub(crate) fn dictionary_or_array(
    column: &ColumnValues,
    field: &ArrowField,
) -> Result<ArrayRef, ArrowError> {
    if !column.validity.is_empty() && !column.validity.contains(&true) {
        return Ok(new_null_array(field.data_type(), column.len()));
    }
    let Values::Repeated { keys, texts } = &column.values else {
        return array(column.clone(), field);
    };
    let keys = UInt32Array::try_new(keys.clone().into(), nulls(&column.validity))?;
    let (bytes, offsets) = concatenated(texts.texts());
    let texts = text_array(bytes, offsets, None, field.data_type())?;
    Ok(Arc::new(DictionaryArray::try_new(keys, texts)?))
}

fn nulls(validity: &[bool]) -> Option<NullBuffer> {
    (!validity.is_empty()).then(|| NullBuffer::from(validity))
}

/// Returns texts one after the other: the start of each, followed by the end of the last one.
fn concatenated<'t>(texts: impl ExactSizeIterator<Item = &'t [u8]>) -> (Vec<u8>, Vec<i64>) {
    let (mut bytes, mut offsets) = (Vec::new(), Vec::with_capacity(texts.len() + 1));
    offsets.push(0);
    for text in texts {
        bytes.extend_from_slice(text);
        offsets.push(bytes.len() as i64);
    }
    (bytes, offsets)
}

fn text_array(
    bytes: Vec<u8>,
    offsets: Vec<i64>,
    nulls: Option<NullBuffer>,
    data_type: &DataType,
) -> Result<ArrayRef, ArrowError> {
    let bytes = Buffer::from_vec(bytes);
    Ok(match data_type {
        DataType::Utf8 => Arc::new(StringArray::try_new(small(&offsets)?, bytes, nulls)?),
        _ => {
            let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
            Arc::new(LargeStringArray::try_new(offsets, bytes, nulls)?)
        }
    })
}

fn small(offsets: &[i64]) -> Result<OffsetBuffer<i32>, ArrowError> {
    let small = offsets.iter().map(|offset| i32::try_from(*offset)).collect::<Result<Vec<_>, _>>();
    match small {
        Ok(offsets) => Ok(OffsetBuffer::new(offsets.into())),
        Err(_) => {
            Err(ArrowError::OffsetOverflowError(offsets.last().map_or(0, |end| *end as usize)))
        }
    }
}

fn not_of_type(field: &ArrowField, wanted: &str) -> ArrowError {
    ArrowError::SchemaError(format!("the column {} is {wanted}", field.name()))
}

/// Returns the parts of a stream without batches: its schema, and the mark of its end.
pub(crate) fn empty_stream(schema: &ArrowSchema) -> io::Result<(Vec<u8>, Vec<u8>)> {
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

/// Number of rows, or of values in lists, so that readers have work for several threads.
pub(crate) const GROUP_ROWS: usize = 1 << 17;

/// Size of a page, in bytes; with the default of 1 MiB, a run touches a quarter more memory.
const PAGE_BYTES: usize = 1 << 18;

/// The beginning of the name of the writer in files.
const PROGRAM: &str = "pgn2epd ";

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
    let schema = self::schema(schema);
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
            with_column(properties, &item.column_type, inner(&["list", ITEM]))
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
                let array = dictionary_or_array(&rows.columns[index], field);
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
