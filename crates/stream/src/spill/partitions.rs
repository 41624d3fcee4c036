//! Records divided by a number into partitions of one temporary file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::extent::ExtentReader;
use super::number::{read_number, write_number};
use super::temporary::{self, SpillError};

/// Bits of the rank that divide records.
const BITS: u32 = 8;

/// Number of partitions.
const PARTITIONS: usize = 1 << BITS;

/// Maximum size of the buffer of a partition, in bytes.
const MOST_BUFFERED: usize = 64 << 10;

/// Minimum size of the buffer of a partition, in bytes.
const LEAST_BUFFERED: usize = 4 << 10;

/// Divides records by the highest bits of a number, their rank. Within a partition they keep their order.
#[derive(Debug)]
pub struct Partitions {
    folder: PathBuf,
    file: File,
    /// Number of bits of the rank that are equal in all records.
    depth: u32,
    /// The size of the file in bytes.
    written: u64,
    buffer_size: usize,
    parts: Vec<Part>,
}

/// A partition that is being written.
#[derive(Clone, Debug, Default)]
struct Part {
    buffer: Vec<u8>,
    extents: Vec<(u64, u64)>,
    records: u64,
}

/// The records of a partition, which can be read from any thread.
#[derive(Debug)]
pub struct Partition {
    folder: PathBuf,
    file: Arc<File>,
    /// Number of bits of the rank that are equal in all records.
    depth: u32,
    extents: Vec<(u64, u64)>,
    records: u64,
}

impl Partitions {
    /// Creates a temporary file in `folder`. The buffers take at most an eighth of `memory`, in bytes, but 1 MiB at least. `depth` is the number of bits that are equal in all ranks.
    ///
    /// # Errors
    ///
    /// If the file cannot be created.
    pub fn new(memory: usize, folder: &Path, depth: u32) -> Result<Self, SpillError> {
        Ok(Partitions {
            folder: folder.to_owned(),
            file: temporary::file(folder)?,
            depth,
            written: 0,
            buffer_size: (memory / 8 / PARTITIONS).clamp(LEAST_BUFFERED, MOST_BUFFERED),
            parts: vec![Part::default(); PARTITIONS],
        })
    }

    /// Adds a record.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    #[inline]
    pub fn push(&mut self, rank: u64, record: &[u8]) -> Result<(), SpillError> {
        let index = rank.unbounded_shl(self.depth) >> (u64::BITS - BITS);
        let part = &mut self.parts[index as usize];
        part.buffer.extend_from_slice(&rank.to_le_bytes());
        write_number(record.len() as u64, &mut part.buffer);
        part.buffer.extend_from_slice(record);
        part.records += 1;
        if part.buffer.len() >= self.buffer_size {
            part.flush(&mut self.file, &mut self.written)
                .map_err(SpillError::within(&self.folder))?;
        }
        Ok(())
    }

    /// Returns the partitions that have records, by rising rank.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<Vec<Partition>, SpillError> {
        for part in &mut self.parts {
            part.flush(&mut self.file, &mut self.written)
                .map_err(SpillError::within(&self.folder))?;
        }
        let Partitions { folder, file, depth, parts, .. } = self;
        let file = Arc::new(file);
        let partition = |Part { extents, records, .. }| Partition {
            folder: folder.clone(),
            file: Arc::clone(&file),
            depth: depth + BITS,
            extents,
            records,
        };
        Ok(parts.into_iter().filter(|part| part.records > 0).map(partition).collect())
    }
}

impl Part {
    #[cold]
    fn flush(&mut self, file: &mut File, written: &mut u64) -> io::Result<()> {
        file.write_all(&self.buffer)?;
        let end = *written + self.buffer.len() as u64;
        self.extents.push((*written, end));
        *written = end;
        self.buffer.clear();
        Ok(())
    }
}

impl Partition {
    /// Returns the size of all records in bytes, without their ranks.
    pub fn bytes(&self) -> u64 {
        let bytes: u64 = self.extents.iter().map(|(start, end)| end - start).sum();
        bytes.saturating_sub(self.records * 9)
    }

    /// Returns the number of records.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Returns whether ranks may differ in bits that have not divided them yet.
    pub fn is_divisible(&self) -> bool {
        self.depth < u64::BITS
    }

    /// Calls `take` with the rank and the bytes of each record, in the order in which they were added, until it
    /// returns an error.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or `take` returns an error.
    pub fn for_each<E: From<SpillError>>(
        &self,
        mut take: impl FnMut(u64, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = SpillError::within(&self.folder);
        let mut record = Vec::new();
        for &(start, end) in &self.extents {
            let reader = ExtentReader::new(Arc::clone(&self.file), start, end);
            let room = (end - start).min(MOST_BUFFERED as u64) as usize;
            let mut reader = BufReader::with_capacity(room, reader);
            while let Some(rank) = read_record(&mut reader, &mut record).map_err(&failed)? {
                take(rank, &record)?;
            }
        }
        Ok(())
    }

    /// Divides the records by the next bits of their ranks; `memory` and `folder` are those of [`Partitions::new`].
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be read or written.
    pub fn divide(&self, memory: usize, folder: &Path) -> Result<Vec<Partition>, SpillError> {
        let mut parts = Partitions::new(memory, folder, self.depth)?;
        self.for_each(|rank, record| parts.push(rank, record))?;
        parts.finish()
    }
}

/// Reads a record, which replaces `record`, and returns its rank; `None` at the end.
fn read_record(reader: &mut impl BufRead, record: &mut Vec<u8>) -> io::Result<Option<u64>> {
    if reader.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let mut rank = [0; 8];
    reader.read_exact(&mut rank)?;
    let len = read_number(reader)?;
    record.resize(len as usize, 0);
    reader.read_exact(record)?;
    Ok(Some(u64::from_le_bytes(rank)))
}

#[cfg(all(test, feature = "spill"))]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    type Record = (u64, Vec<u8>);

    fn records(partition: &Partition) -> Vec<Record> {
        let mut found = Vec::new();
        partition
            .for_each(|rank, record| {
                found.push((rank, record.to_vec()));
                Ok::<_, SpillError>(())
            })
            .unwrap();
        found
    }

    proptest! {
        #[test]
        fn partitions_have_all_records_in_order(
            records_in in vec((any::<u64>(), vec(any::<u8>(), 0..300)), 0..200), depth in 0_u32..3,
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut expected: Vec<Record> = records_in;
            let depth = depth * BITS;
            expected.iter_mut().for_each(|(rank, _)| *rank = rank.unbounded_shr(depth));
            let mut parts = Partitions::new(1, folder.path(), depth).unwrap();
            for (rank, record) in &expected {
                parts.push(*rank, record).unwrap();
            }
            expected.sort_by_key(|(rank, _)| rank << depth >> (u64::BITS - BITS));
            let parts = parts.finish().unwrap();
            prop_assert_eq!(parts.iter().map(Partition::records).sum::<u64>(), expected.len() as u64);
            let found: Vec<Record> = parts.iter().flat_map(records).collect();
            prop_assert_eq!(&found, &expected);
            // Divided once more.
            expected.sort_by_key(|(rank, _)| rank << depth >> (u64::BITS - 2 * BITS));
            let divide = |part: &Partition| part.divide(1, folder.path()).unwrap();
            let found: Vec<Record> =
                parts.iter().flat_map(divide).flat_map(|part| records(&part)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
