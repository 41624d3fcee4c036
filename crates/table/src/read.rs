//! Record batches in files, read from Arrow streams, Arrow files and Parquet.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader};
use arrow_cast::cast;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{DataType, SchemaRef};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::ParquetMetaData;

use crate::arrow::{of_arrow, of_parquet};
use crate::writer::{ARROW_FILE, PARQUET};

/// The error of a file that cannot be read to its end.
fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is damaged")
}

/// Maximum footer size that is read, in bytes.
const LONGEST_FOOTER: u64 = 1 << 30;

/// Fails if two files meet at an offset of `at`: a file begins and ends with `mark`. Offsets in the
/// footer count from the beginning: readers would apply that of the last file to the first one.
fn refuse_joined(
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
fn joined_parquet_at(file: &mut File, metadata: &ParquetMetaData) -> io::Result<Vec<u64>> {
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
fn joined_arrow_at(file: &mut File) -> io::Result<Vec<u64>> {
    let (start, bytes) = footer(file, 10)?;
    let footer = arrow_ipc::root_as_footer(&bytes).map_err(|_| damaged())?;
    let blocks = footer.recordBatches().into_iter().chain(footer.dictionaries()).flatten();
    let end = |block: &arrow_ipc::Block| {
        let body = block.offset().saturating_add(block.metaDataLength().into());
        body.saturating_add(block.bodyLength())
    };
    let end = match blocks.map(end).max() {
        Some(end) => u64::try_from(end).map_err(|_| damaged())?,
        // Only the schema follows the magic number and its padding to 8, 16, 32 or 64 bytes.
        None => {
            let mut head = [0; 72];
            file.seek(SeekFrom::Start(0))?;
            file.read_exact(&mut head)?;
            let is_schema = |at: &usize| head[*at..].starts_with(&[0xff; 4]);
            let at = [8, 16, 32, 64].into_iter().find(is_schema).unwrap_or(8);
            let len = head[at + 4..].first_chunk().map_or(0, |len| u32::from_le_bytes(*len));
            at as u64 + 8 + u64::from(len)
        }
    };
    let gap = start.saturating_sub(end);
    Ok(vec![gap, gap.saturating_sub(8)])
}

/// Reader of the batches of a table in a file.
pub struct Batches {
    reader: Box<dyn RecordBatchReader + Send>,
    /// Whether a stream was read to the end of its file.
    is_over: Arc<AtomicBool>,
}

impl std::fmt::Debug for Batches {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Batches").field("schema", &self.schema()).finish_non_exhaustive()
    }
}

/// Batch size when reading Parquet, in rows.
const ROWS: usize = 4096;

impl Batches {
    /// Opens a file that begins with the magic number of a binary format. Fails if the file cannot
    /// be read, is damaged, or consists of several files.
    pub fn open(file: File) -> io::Result<Self> {
        damage_caught(|| Self::of_file(file)).unwrap_or_else(|| Err(damaged()))
    }

    fn of_file(mut file: File) -> io::Result<Self> {
        let mut mark = Vec::new();
        (&mut file).take(ARROW_FILE.len() as u64).read_to_end(&mut mark)?;
        file.rewind()?;
        let is_over = Arc::<AtomicBool>::default();
        let reader: Box<dyn RecordBatchReader + Send> = if mark.starts_with(PARQUET) {
            let copy = file.try_clone()?;
            let reader = ParquetRecordBatchReaderBuilder::try_new(copy).map_err(of_parquet)?;
            let metadata = reader.metadata().clone();
            refuse_joined(&mut file, PARQUET, |file| joined_parquet_at(file, &metadata))?;
            Box::new(reader.with_batch_size(ROWS).build().map_err(of_parquet)?)
        } else if mark.starts_with(ARROW_FILE) {
            refuse_joined(&mut file, ARROW_FILE, joined_arrow_at)?;
            let input = BufReader::with_capacity(64 << 10, file);
            Box::new(FileReader::try_new(input, None).map_err(of_arrow)?)
        } else {
            let input = BufReader::with_capacity(64 << 10, file);
            let stream = WholeStream { input, is_over: Arc::clone(&is_over) };
            Box::new(StreamReader::try_new(stream, None).map_err(of_arrow)?)
        };
        Ok(Batches { reader, is_over })
    }

    /// Returns the columns.
    pub fn schema(&self) -> SchemaRef {
        self.reader.schema()
    }

    /// Returns the names of the columns.
    pub fn names(&self) -> Vec<String> {
        self.schema().fields().iter().map(|field| field.name().clone()).collect()
    }
}

impl Iterator for Batches {
    type Item = io::Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = || match self.reader.next() {
            None if self.is_over.load(Ordering::Relaxed) => {
                Some(Err(io::ErrorKind::UnexpectedEof.into()))
            }
            next => next.map(|batch| batch.map_err(of_arrow)),
        };
        damage_caught(next).unwrap_or_else(|| Some(Err(damaged())))
    }
}

/// Returns the values of each column as text, empty if they are missing; of at most `most` rows
/// from `first` on. Fails if a type of values has no text.
pub fn column_texts(
    batch: &RecordBatch,
    first: usize,
    most: usize,
) -> io::Result<Vec<Vec<String>>> {
    let len = most.min(batch.num_rows().saturating_sub(first));
    let options = FormatOptions::default();
    let texts = |column: &ArrayRef| {
        let column = bytes_as_text(column.slice(first, len));
        let values = ArrayFormatter::try_new(&column, &options).map_err(of_arrow)?;
        Ok((0..len).map(|row| values.value(row).to_string()).collect())
    };
    batch.columns().iter().map(texts).collect()
}

/// Returns bytes that are text as such: some programs write text to Parquet without its type.
fn bytes_as_text(column: ArrayRef) -> ArrayRef {
    if !matches!(column.data_type(), DataType::Binary | DataType::LargeBinary) {
        return column;
    }
    let is_text = |bytes: &[u8]| {
        std::str::from_utf8(bytes).is_ok_and(|text| !text.contains(char::is_control))
    };
    let bytes = cast(&column, &DataType::LargeBinary);
    let are_text = bytes.is_ok_and(|bytes| bytes.as_binary::<i64>().iter().flatten().all(is_text));
    are_text.then(|| cast(&column, &DataType::LargeUtf8).ok()).flatten().unwrap_or(column)
}

/// `None` for a panic: the libraries use some lengths and offsets of damaged files unchecked.
fn damage_caught<T>(read: impl FnOnce() -> T) -> Option<T> {
    thread_local!(static CATCHES: Cell<bool> = const { Cell::new(false) });
    static HOOK: Once = Once::new();
    // Such a panic becomes an error, so its message and its backtrace are not printed.
    HOOK.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !CATCHES.get() {
                report(info);
            }
        }));
    });
    let before = CATCHES.replace(true);
    // A reader that has panicked is not used again.
    let caught = panic::catch_unwind(AssertUnwindSafe(read)).ok();
    CATCHES.set(before);
    caught
}

/// Arrow's reader stops at the end marker, and accepts a stream cut between two batches.
/// So one that was read to the end of its file is truncated.
struct WholeStream {
    input: BufReader<File>,
    is_over: Arc<AtomicBool>,
}

impl Read for WholeStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.is_over.fetch_or(read == 0 && !buffer.is_empty(), Ordering::Relaxed);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::BinaryArray;

    use super::*;

    #[test]
    fn bytes_are_text_unless_one_value_is_not() {
        let texts = |values: Vec<Option<&[u8]>>| {
            let column: ArrayRef = Arc::new(BinaryArray::from(values));
            let batch = RecordBatch::try_from_iter([("a", column)]).unwrap();
            column_texts(&batch, 1, 2).unwrap().remove(0)
        };
        assert_eq!(texts(vec![Some(b"\0"), Some("é 1".as_bytes()), None]), ["é 1", ""]);
        assert_eq!(texts(vec![Some(b"a"), Some(b"b"), Some(b"\xff\x01")]), ["62", "ff01"]);
    }
}
