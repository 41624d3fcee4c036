//! Texts that hardly repeat as a column of a Parquet row group.

use emit::{ColumnValues, Values};
use parquet::basic::{Compression as Codec, Encoding};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::schema::types::ColumnDescPtr;

use super::column_pages::ColumnPages;
use super::group_memory::GroupMemory;

/// The least size in bytes of all pages but the last.
const PAGE: usize = 1 << 20;

/// Nearly all texts are shorter: they are copied without a call.
const SHORT: usize = 96;

/// Encodes a column that has a text in each row.
pub(super) fn encode<'c>(
    batches: impl Iterator<Item = &'c ColumnValues>,
    column: &ColumnDescPtr,
    codec: Codec,
    memory: &mut GroupMemory,
) -> Result<(Vec<u8>, ColumnCloseResult), ParquetError> {
    const SIZE: usize = size_of::<u32>();
    let GroupMemory { encoder, frame, data, .. } = memory;
    let mut pages = ColumnPages::new(column, Encoding::PLAIN, encoder, frame);
    data.resize(data.len().max(PAGE + SIZE + SHORT), 0);
    let (mut at, mut rows) = (0, 0);
    for batch in batches {
        let Values::Text { bytes, offsets } = &batch.values else { continue };
        for place in offsets.windows(2) {
            let (start, end) = (place[0] as usize, place[1] as usize);
            let len = end - start;
            data[at..at + SIZE].copy_from_slice(&(len as u32).to_le_bytes());
            at += SIZE;
            match bytes.get(start..start + SHORT) {
                // The next text overwrites what follows this one.
                Some(text) if len <= SHORT => data[at..at + SHORT].copy_from_slice(text),
                _ => {
                    data.resize(data.len().max(at + len + SIZE + SHORT), 0);
                    data[at..at + len].copy_from_slice(&bytes[start..end]);
                }
            }
            at += len;
            rows += 1;
            if at >= PAGE {
                pages.write_rows(&data[..at], rows)?;
                (at, rows) = (0, 0);
            }
        }
    }
    if rows > 0 {
        pages.write_rows(&data[..at], rows)?;
    }
    pages.finish(codec, None)
}
