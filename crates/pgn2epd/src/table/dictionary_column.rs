//! Texts that repeat as a column of a Parquet row group.
//!
//! The Parquet library hashes each text of each row. Here a text is hashed once for each batch, and rows are numbers.

use emit::{ColumnValues, Dictionary, Values};
use parquet::basic::{Compression as Codec, Encoding};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::statistics::{Statistics, ValueStatistics};
use parquet::schema::types::ColumnDescPtr;

use super::column_pages::{ColumnPages, write_levels};
use super::group_memory::GroupMemory;
use super::hybrid;

/// The length in bytes of the longest text in statistics.
const LONGEST: usize = 64;

/// The number of a text that is not in the dictionary of all batches.
const NO_NUMBER: u32 = u32::MAX;

/// Encodes a column.
pub(super) fn encode<'c>(
    batches: impl Iterator<Item = &'c ColumnValues>,
    column: &ColumnDescPtr,
    codec: Codec,
    memory: &mut GroupMemory,
) -> Result<(Vec<u8>, ColumnCloseResult), ParquetError> {
    let mut dictionary = Dictionary::default();
    memory.keys.clear();
    memory.levels.clear();
    let mut numbers = Vec::new();
    let mut last: Option<&Dictionary> = None;
    for ColumnValues { values, is_there } in batches {
        // All batches have the same columns.
        let Values::Repeated { keys, texts } = values else { continue };
        // The moves of a batch are usually those of the batch before, and others after them.
        if !last.replace(texts).is_some_and(|last| texts.starts_with(last)) {
            numbers.clear();
        }
        // Texts that are not in use get no number.
        numbers.resize(texts.len(), NO_NUMBER);
        append(keys, texts, is_there, &mut numbers, &mut dictionary, &mut memory.keys);
        memory.add_levels(is_there, keys.len());
    }
    let GroupMemory { encoder, frame, data, keys, levels, .. } = memory;
    let statistics = statistics(&dictionary, levels.len() - keys.len());
    if dictionary.is_empty() {
        // Some readers expect a text.
        dictionary.key(b"");
    }
    let mut pages = ColumnPages::new(column, Encoding::RLE_DICTIONARY, encoder, frame);
    data.clear();
    for text in dictionary.texts() {
        data.extend_from_slice(&(text.len() as u32).to_le_bytes());
        data.extend_from_slice(text);
    }
    pages.write_dictionary(data, dictionary.len())?;
    data.clear();
    if column.max_def_level() > 0 {
        write_levels(levels, data);
    }
    let width = hybrid::width(dictionary.len() as u32 - 1);
    data.push(width as u8);
    hybrid::encode(keys, width, data);
    pages.write_rows(data, levels.len())?;
    pages.finish(codec, Some(statistics))
}

/// Appends the texts of a batch as numbers in the `dictionary` of all batches, those of the texts in `numbers` as far as they are known;
/// `is_there` is empty if all rows have a text.
fn append(
    keys: &[u32],
    texts: &Dictionary,
    is_there: &[bool],
    numbers: &mut [u32],
    dictionary: &mut Dictionary,
    all: &mut Vec<u32>,
) {
    let mut number = |key: u32| {
        let number = &mut numbers[key as usize];
        if *number == NO_NUMBER {
            *number = dictionary.key(texts.text(key));
        }
        *number
    };
    if is_there.is_empty() {
        all.extend(keys.iter().map(|key| number(*key)));
    } else {
        let present = keys.iter().zip(is_there).filter(|(_, is_there)| **is_there);
        all.extend(present.map(|(key, _)| number(*key)));
    }
}

/// Returns the smallest and the greatest text, and the number of missing ones.
fn statistics(dictionary: &Dictionary, missing: usize) -> Statistics {
    let is_short = dictionary.texts().all(|text| text.len() <= LONGEST);
    let texts = || dictionary.texts().filter(|_| is_short).map(<[u8]>::to_vec);
    let (least, most) = (texts().min().map(ByteArray::from), texts().max().map(ByteArray::from));
    ValueStatistics::new(least, most, None, Some(missing as u64), false).into()
}
