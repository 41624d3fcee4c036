//! Compressed parts of a file, and the records that tell where they are.

use super::ExplorerError;

/// A part of a file: a block of positions, or a page with the records of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SectionRecord {
    /// The first key in it.
    pub(crate) first: [u8; 32],
    pub(crate) offset: u64,
    /// Its compressed length.
    pub(crate) len: u32,
    /// The CRC-32 of its compressed bytes.
    pub(crate) crc: u32,
}

/// Size of a record in bytes.
const RECORD: usize = 48;

/// Largest section before compression.
pub(crate) const LARGEST: usize = 16 << 20;

/// Most bytes for which memory is allocated before it is known that a section has more.
#[cfg(feature = "zstd")]
const USUAL: usize = 64 << 10;

impl SectionRecord {
    /// Returns the record of the last section that begins with this key or a lesser one.
    pub(crate) fn find<'r>(records: &'r [Self], key: &[u8; 32]) -> Option<&'r Self> {
        records[..records.partition_point(|record| record.first <= *key)].last()
    }

    pub(super) fn end(&self) -> u64 {
        self.offset.saturating_add(self.len.into())
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.first);
        out.extend_from_slice(&self.offset.to_le_bytes());
        out.extend_from_slice(&self.len.to_le_bytes());
        out.extend_from_slice(&self.crc.to_le_bytes());
    }

    /// `None` if incomplete or out of order: a section named many times would take long to read.
    pub(crate) fn read_all(bytes: &[u8]) -> Option<Vec<Self>> {
        let (records, rest) = bytes.as_chunks::<RECORD>();
        let read = |record: &[u8; RECORD]| {
            let (first, rest) = record.split_first_chunk()?;
            let (offset, rest) = rest.split_first_chunk()?;
            let (len, crc) = rest.split_first_chunk()?;
            Some(SectionRecord {
                first: *first,
                offset: u64::from_le_bytes(*offset),
                len: u32::from_le_bytes(*len),
                crc: u32::from_le_bytes(*crc.first_chunk()?),
            })
        };
        let records: Option<Vec<Self>> = records.iter().map(read).collect();
        let follows = |a: &Self, b: &Self| a.first < b.first && a.end() <= b.offset;
        records.filter(|records| rest.is_empty() && records.is_sorted_by(follows))
    }
}

/// Compresses sections. What one needs is used for the next.
#[derive(Default)]
pub(crate) struct SectionCompressor {
    #[cfg(feature = "zstd")]
    compressor: Option<zstd::bulk::Compressor<'static>>,
}

impl SectionCompressor {
    #[cfg(feature = "zstd")]
    pub(crate) fn compress(&mut self, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
        let compressor = match self.compressor.take() {
            Some(compressor) => compressor,
            None => zstd::bulk::Compressor::new(zstd::DEFAULT_COMPRESSION_LEVEL)?,
        };
        self.compressor.insert(compressor).compress(bytes)
    }

    #[cfg(not(feature = "zstd"))]
    pub(crate) fn compress(&mut self, _bytes: &[u8]) -> std::io::Result<Vec<u8>> {
        Err(std::io::Error::other(ExplorerError::NoZstd))
    }
}

/// `None` if damaged or too large; more memory is allocated only after less has been filled.
#[cfg(feature = "zstd")]
pub(super) fn decompress(bytes: &[u8]) -> Result<Option<Vec<u8>>, ExplorerError> {
    let sizes = std::iter::successors(Some(USUAL), |size| Some(size * 16));
    let mut sizes = sizes.take_while(|size| *size <= LARGEST);
    Ok(sizes.find_map(|size| zstd::bulk::decompress(bytes, size).ok()))
}

#[cfg(not(feature = "zstd"))]
pub(super) fn decompress(_bytes: &[u8]) -> Result<Option<Vec<u8>>, ExplorerError> {
    Err(ExplorerError::NoZstd)
}
