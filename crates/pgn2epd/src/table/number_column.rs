//! Numbers as a column of a Parquet row group: differences, or a dictionary if numbers repeat.

use emit::{ColumnValues, Values};
use parquet::basic::{Compression as Codec, Encoding, Type};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::statistics::Statistics;
use parquet::schema::types::ColumnDescPtr;

use super::column_pages::{ColumnPages, write_levels};
use super::delta::{self, Integer};
use super::group_memory::GroupMemory;
use super::hybrid;
use super::number_dictionary::NumberDictionary;

/// Encodes a column, with a dictionary if its numbers repeat. Decimal numbers always have one.
pub(super) fn encode<'c>(
    batches: impl Iterator<Item = &'c ColumnValues>,
    column: &ColumnDescPtr,
    codec: Codec,
    repeats: bool,
    memory: &mut GroupMemory,
) -> Result<(Vec<u8>, ColumnCloseResult), ParquetError> {
    let (mut integers, mut longs) =
        (std::mem::take(&mut memory.integers), std::mem::take(&mut memory.longs));
    integers.clear();
    longs.clear();
    memory.levels.clear();
    let mut order = Order::Signed;
    for ColumnValues { values, is_there } in batches {
        let rows = match values {
            Values::U32(values) => append(values, is_there, |n| n as i32, &mut integers),
            Values::I32(values) => append(values, is_there, |n| n, &mut integers),
            Values::U64(values) => append(values, is_there, |n| n as i64, &mut longs),
            Values::F64(values) => {
                order = Order::Decimal;
                append(values, is_there, |n| n.to_bits() as i64, &mut longs)
            }
            // All batches have the same columns.
            _ => 0,
        };
        memory.add_levels(is_there, rows);
    }
    let repeats = repeats || order == Order::Decimal;
    let encoded = if column.physical_type() == Type::INT32 {
        encode_integers(&integers, order, column, codec, repeats, memory)
    } else {
        encode_integers(&longs, order, column, codec, repeats, memory)
    };
    (memory.integers, memory.longs) = (integers, longs);
    encoded
}

/// Appends the values that are not missing; returns the number of rows.
fn append<T: Copy, U>(
    values: &[T],
    is_there: &[bool],
    integer: impl Fn(T) -> U,
    integers: &mut Vec<U>,
) -> usize {
    if is_there.is_empty() {
        integers.extend(values.iter().map(|value| integer(*value)));
    } else if is_there.contains(&true) {
        let present = values.iter().zip(is_there).filter(|(_, is_there)| **is_there);
        integers.extend(present.map(|(value, _)| integer(*value)));
    }
    values.len()
}

fn encode_integers<T: Integer>(
    numbers: &[T],
    order: Order,
    column: &ColumnDescPtr,
    codec: Codec,
    repeats: bool,
    memory: &mut GroupMemory,
) -> Result<(Vec<u8>, ColumnCloseResult), ParquetError> {
    let GroupMemory { encoder, frame, data, keys, levels, .. } = memory;
    data.clear();
    let missing = levels.len() - numbers.len();
    if column.max_def_level() > 0 {
        write_levels(levels, data);
    }
    if !repeats {
        let mut pages = ColumnPages::new(column, Encoding::DELTA_BINARY_PACKED, encoder, frame);
        delta::encode(numbers, data);
        pages.write_rows(data, levels.len())?;
        return pages.finish(codec, Some(order.statistics(numbers, missing)));
    }
    let mut dictionary = NumberDictionary::new();
    keys.clear();
    let mut last = None;
    keys.extend(numbers.iter().map(|number| match last {
        Some((other, key)) if other == *number => key,
        _ => {
            let key = dictionary.key(*number);
            last = Some((*number, key));
            key
        }
    }));
    let width = hybrid::width((dictionary.numbers().len() as u32).saturating_sub(1));
    data.push(width as u8);
    hybrid::encode(keys, width, data);
    let mut plain = Vec::new();
    dictionary.numbers().iter().for_each(|number| number.write(&mut plain));
    let mut pages = ColumnPages::new(column, Encoding::RLE_DICTIONARY, encoder, frame);
    pages.write_dictionary(&plain, dictionary.numbers().len())?;
    pages.write_rows(data, levels.len())?;
    pages.finish(codec, Some(order.statistics(dictionary.numbers(), missing)))
}

/// How numbers are compared in statistics.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    Signed,
    /// The bits of decimal numbers.
    Decimal,
}

impl Order {
    /// Returns the least and the greatest number, and the number of missing ones.
    fn statistics<T: Integer>(self, numbers: &[T], missing: usize) -> Statistics {
        let (least, most) = match self {
            Order::Signed => limits(numbers, T::signed),
            Order::Decimal => limits(numbers, |number| {
                let bits = number.signed();
                bits ^ ((bits >> 63) as u64 >> 1) as i64
            }),
        };
        let missing = Some(missing as u64);
        match self {
            Order::Decimal => {
                let decimal = |number: T| f64::from_bits(number.unsigned());
                // Readers may not distinguish zeros, so the least one is negative and the greatest is not.
                let least = least.map(decimal).map(|least| if least == 0.0 { -0.0 } else { least });
                let most = most.map(decimal).map(|most| most + 0.0);
                Statistics::double(least, most, None, missing, false)
            }
            _ if size_of::<T>() == size_of::<i32>() => {
                let number = |number: T| number.signed() as i32;
                Statistics::int32(least.map(number), most.map(number), None, missing, false)
            }
            _ => {
                let (least, most) = (least.map(T::signed), most.map(T::signed));
                Statistics::int64(least, most, None, missing, false)
            }
        }
    }
}

/// Returns the least and the greatest number.
fn limits<T: Integer, K: Ord>(numbers: &[T], key: impl Fn(T) -> K) -> (Option<T>, Option<T>) {
    let least = numbers.iter().copied().min_by_key(|number| key(*number));
    (least, numbers.iter().copied().max_by_key(|number| key(*number)))
}
