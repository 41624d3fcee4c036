//! Rows as Arrow arrays, which share their memory.
//!
//! ```
//! use pgn2epd::{ColumnList, Options, Tabulation, arrow};
//!
//! let list: ColumnList = "ply,uci,White".parse()?;
//! let schema = arrow::schema(&list);
//! let mut batches = Vec::new();
//! let mut tabulation = Tabulation::new(list.columns(), &Options::default(), |rows| {
//!     batches.push(arrow::record_batch(rows, &schema).map_err(std::io::Error::other)?);
//!     Ok(())
//! });
//! tabulation.input(&b"[White \"Anderssen\"]\n\n1. e4 e5 *"[..], &mut ())?;
//! tabulation.finish()?;
//! assert_eq!((batches[0].num_rows(), batches[0].num_columns()), (3, 3));
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, FixedSizeBinaryArray, FixedSizeListArray, Float64Array,
    Int32Array, Int64Array, LargeListArray, LargeStringArray, RecordBatch, RecordBatchOptions,
    UInt8Array, UInt64Array,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use emit::{Column, ColumnList, ColumnValues, Fact, FactKind, Rows, Values};

/// Size in bytes of a packed position.
const PACKED: i32 = 32;

/// The name of the values of a list.
pub(crate) const ITEM: &str = "item";

/// Returns the names and types of the columns.
pub fn schema(list: &ColumnList) -> SchemaRef {
    let field = |(name, column): (&str, &Column)| {
        let (data_type, is_nullable) = match column {
            Column::Fact(fact) => (data_type(fact.kind()), fact.may_be_missing()),
            Column::List(fact) => (list_type(*fact), false),
            Column::Tag(_) | Column::Tags => (DataType::LargeUtf8, true),
        };
        Field::new(name, data_type, is_nullable)
    };
    Arc::new(Schema::new(list.names().zip(list.columns()).map(field).collect::<Vec<_>>()))
}

/// Returns the type of the lists of a fact, in rows of games.
pub fn list_type(fact: Fact) -> DataType {
    let item = Field::new(ITEM, data_type(fact.kind()), fact.may_be_missing());
    DataType::LargeList(Arc::new(item))
}

/// Returns the type of the values of a fact.
pub fn data_type(kind: FactKind) -> DataType {
    match kind {
        FactKind::Truth => DataType::Boolean,
        // Signed, so that differences are right: query engines compute them in the type of the columns.
        FactKind::Number => DataType::Int64,
        FactKind::SmallNumber | FactKind::Signed => DataType::Int32,
        FactKind::Key => DataType::UInt64,
        FactKind::Decimal => DataType::Float64,
        FactKind::Date => DataType::Date32,
        FactKind::Packed => DataType::FixedSizeBinary(PACKED),
        FactKind::Text => DataType::LargeUtf8,
        FactKind::Board => fixed_list(DataType::UInt8, SQUARES),
        FactKind::Bitboards => fixed_list(DataType::UInt64, BITBOARDS),
        FactKind::Texts => {
            DataType::LargeList(Arc::new(Field::new(ITEM, DataType::LargeUtf8, false)))
        }
    }
}

/// The numbers of a board.
const SQUARES: i32 = 64;
/// The numbers of sets of squares.
const BITBOARDS: i32 = 12;

fn fixed_list(item: DataType, len: i32) -> DataType {
    DataType::FixedSizeList(Arc::new(Field::new(ITEM, item, false)), len)
}

/// Returns rows as Arrow arrays.
///
/// # Errors
///
/// If the columns of the rows are not those of the schema.
pub fn record_batch(rows: Rows, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
    let columns = rows.columns.into_iter().zip(schema.fields());
    let arrays = columns.map(|(column, field)| array(column, field)).collect::<Result<_, _>>()?;
    RecordBatch::try_new_with_options(Arc::clone(schema), arrays, &options)
}

/// Returns a column as an Arrow array.
pub(crate) fn array(column: ColumnValues, field: &Field) -> Result<ArrayRef, ArrowError> {
    let nulls = (!column.is_there.is_empty()).then(|| NullBuffer::from(column.is_there));
    Ok(match column.values {
        Values::Bool(values) => Arc::new(BooleanArray::new(BooleanBuffer::from(values), nulls)),
        Values::Key(values) => Arc::new(UInt64Array::try_new(values.into(), nulls)?),
        Values::U64(values) => {
            let numbers = ScalarBuffer::from(Buffer::from_vec(values));
            Arc::new(Int64Array::try_new(numbers, nulls)?)
        }
        Values::U32(values) => {
            let numbers = ScalarBuffer::from(Buffer::from_vec(values));
            Arc::new(Int32Array::try_new(numbers, nulls)?)
        }
        Values::I32(values) => Arc::new(Int32Array::try_new(values.into(), nulls)?),
        Values::F64(values) => Arc::new(Float64Array::try_new(values.into(), nulls)?),
        Values::Packed(values) => {
            let bytes = Buffer::from_vec(values.into_flattened());
            Arc::new(FixedSizeBinaryArray::try_new(PACKED, bytes, nulls)?)
        }
        Values::Board(values) => {
            let numbers = UInt8Array::from(values.into_flattened());
            let item = Arc::new(Field::new(ITEM, DataType::UInt8, false));
            Arc::new(FixedSizeListArray::try_new(item, SQUARES, Arc::new(numbers), nulls)?)
        }
        Values::Bitboards(values) => {
            let numbers = UInt64Array::from(values.into_flattened());
            let item = Arc::new(Field::new(ITEM, DataType::UInt64, false));
            Arc::new(FixedSizeListArray::try_new(item, BITBOARDS, Arc::new(numbers), nulls)?)
        }
        Values::Date(values) => Arc::new(Date32Array::try_new(values.into(), nulls)?),
        Values::List { values, offsets, .. } => {
            let DataType::LargeList(item) = field.data_type() else {
                let message = format!("the column {} is a list", field.name());
                return Err(ArrowError::SchemaError(message));
            };
            let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
            let values = array(*values, item)?;
            Arc::new(LargeListArray::try_new(Arc::clone(item), offsets, values, nulls)?)
        }
        Values::Text { bytes, offsets } => text_array(bytes, offsets, nulls)?,
        // Not as an Arrow dictionary: these differ from batch to batch, which not every reader supports.
        Values::Repeated { keys, texts } => {
            let (mut bytes, mut offsets) = (Vec::new(), Vec::with_capacity(keys.len() + 1));
            offsets.push(0);
            for (row, key) in keys.into_iter().enumerate() {
                if nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)) {
                    bytes.extend_from_slice(texts.text(key));
                }
                offsets.push(bytes.len() as i64);
            }
            text_array(bytes, offsets, nulls)?
        }
    })
}

fn text_array(
    bytes: Vec<u8>,
    offsets: Vec<i64>,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    Ok(Arc::new(LargeStringArray::try_new(offsets, Buffer::from_vec(bytes), nulls)?))
}
