//! Detects concatenated files. Parquet and Arrow files have their footer at the end, with offsets
//! counted from the beginning: readers would apply the footer of the last file to the first one.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use parquet::file::metadata::ParquetMetaData;

/// Returns the error of a file that cannot be read to its end.
pub(crate) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is damaged")
}

/// Maximum footer size that is read, in bytes.
const LONGEST_FOOTER: u64 = 1 << 30;

/// Fails if two files meet at an offset of `at`: a file begins and ends with `mark`.
pub(crate) fn refuse_joined(
    file: &mut File,
    mark: &[u8],
    at: impl FnOnce(&mut File) -> io::Result<Vec<u64>>,
) -> io::Result<()> {
    for start in at(file)? {
        let Some(before) = start.checked_sub(mark.len() as u64) else { continue };
        let mut found = vec![0; 2 * mark.len()];
        file.seek(SeekFrom::Start(before))?;
        if file.read_exact(&mut found).is_ok() && found == [mark, mark].concat() {
            let reason = "several files were joined: pass them separately";
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        }
    }
    file.rewind()
}

/// Returns its offset and bytes; `tail` is the size of what follows, its length first.
fn footer(file: &mut File, tail: u64) -> io::Result<(u64, Vec<u8>)> {
    let len = file.seek(SeekFrom::End(0))?;
    let tail_start = len.checked_sub(tail).ok_or_else(damaged)?;
    file.seek(SeekFrom::Start(tail_start))?;
    let mut footer_len = [0; 4];
    file.read_exact(&mut footer_len)?;
    let footer_len = u64::from(u32::from_le_bytes(footer_len));
    let start = tail_start.checked_sub(footer_len).ok_or_else(damaged)?;
    if footer_len > LONGEST_FOOTER {
        return Err(damaged());
    }
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = vec![0; footer_len as usize];
    file.read_exact(&mut bytes)?;
    Ok((start, bytes))
}

/// Returns where the last of several concatenated Parquet files would begin.
pub(crate) fn joined_parquet_at(
    file: &mut File,
    metadata: &ParquetMetaData,
) -> io::Result<Vec<u64>> {
    let (footer, _) = footer(file, 8)?;
    let end = |offset: Option<i64>, len: Option<i32>| Some((offset? + i64::from(len?)) as u64);
    let columns = metadata.row_groups().iter().flat_map(|group| group.columns());
    let ends = columns.flat_map(|column| {
        let (start, len) = column.byte_range();
        [
            Some(start + len),
            end(column.column_index_offset(), column.column_index_length()),
            end(column.offset_index_offset(), column.offset_index_length()),
            end(column.bloom_filter_offset(), column.bloom_filter_length()),
        ]
    });
    // Without columns, only the magic number precedes the footer.
    let end = ends.flatten().max().unwrap_or(4);
    Ok(vec![footer.saturating_sub(end)])
}

/// Where the last of joined files would begin, without and with an end-of-stream marker.
pub(crate) fn joined_arrow_at(file: &mut File) -> io::Result<Vec<u64>> {
    let (start, bytes) = footer(file, 10)?;
    let footer = arrow_ipc::root_as_footer(&bytes).map_err(|_| damaged())?;
    let blocks = footer.recordBatches().into_iter().chain(footer.dictionaries()).flatten();
    let end = |block: &arrow_ipc::Block| {
        block
            .offset()
            .saturating_add(block.metaDataLength().into())
            .saturating_add(block.bodyLength())
    };
    let end = match blocks.map(end).max() {
        Some(end) => u64::try_from(end).map_err(|_| damaged())?,
        // Only the schema follows the magic number and its padding.
        None => {
            let mut head = [0; 8];
            file.seek(SeekFrom::Start(8))?;
            file.read_exact(&mut head)?;
            16 + u64::from(u32::from_le_bytes([head[4], head[5], head[6], head[7]]))
        }
    };
    let gap = start.saturating_sub(end);
    Ok(vec![gap, gap.saturating_sub(8)])
}
