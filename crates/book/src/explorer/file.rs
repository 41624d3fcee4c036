//! Positions looked up in an explorer file.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;

use san::PositionKey;
use stream::read_at::{ReadAt, ReaderAt, fill};

use super::block::Block;
use super::section::{SectionRecord, decompress};
use super::{ExplorerEntry, ExplorerError, ExplorerHeader, HEAD, MAGIC, TRAILER, VERSION};
use crate::count_order::sort_key;

/// The positions of an explorer file, which several threads may look up at once.
///
/// The header and the list of pages are read on opening. Looking up a position takes at most two
/// reads: a page, which is kept (48 bytes for each block), and a block of positions.
#[derive(Debug)]
pub struct ExplorerFile {
    input: Box<dyn ReadAt>,
    header: ExplorerHeader,
    pages: Vec<Page>,
    /// Where the blocks and pages end.
    end: u64,
}

/// A page, and the records of its blocks once they have been read.
#[derive(Debug)]
struct Page {
    record: SectionRecord,
    blocks: OnceLock<Vec<SectionRecord>>,
}

impl ExplorerFile {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not an explorer file of the current version.
    pub fn open(path: &Path) -> Result<Self, ExplorerError> {
        ExplorerFile::new(Box::new(File::open(path)?))
    }

    /// Whether a file has the suffix `.explorer`, as also an empty one may, or begins like an
    /// explorer file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn is_file(path: &Path) -> io::Result<bool> {
        let mut beginning = Vec::new();
        File::open(path)?.take(MAGIC.len() as u64).read_to_end(&mut beginning)?;
        Ok(beginning == MAGIC || path.extension().is_some_and(|suffix| suffix == "explorer"))
    }

    /// Opens a file of which parts can be read.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not an explorer file of the current version.
    pub fn new(input: Box<dyn ReadAt>) -> Result<Self, ExplorerError> {
        let len = input.file_len();
        let head = read(&*input, 0, HEAD.min(len as usize))?;
        let version = head.strip_prefix(MAGIC).ok_or(ExplorerError::NotExplorer)?;
        let cut = || damaged(len, "it ends early");
        let version = u32::from_le_bytes(version.try_into().map_err(|_| cut())?);
        if version != VERSION {
            return Err(ExplorerError::Version(version));
        }
        let trailer_at = len.checked_sub(TRAILER as u64).ok_or_else(cut)?;
        let trailer = read(&*input, trailer_at, TRAILER)?;
        let (stated, rest) = trailer.split_first_chunk().ok_or_else(cut)?;
        let (crc, magic) = rest.split_first_chunk().ok_or_else(cut)?;
        if magic != MAGIC {
            return Err(cut());
        }
        let end = trailer_at.checked_sub(u64::from_le_bytes(*stated));
        let end = end.filter(|end| *end >= HEAD as u64);
        let end = end.ok_or_else(|| damaged(trailer_at, "a length is wrong"))?;
        let root = read(&*input, end, (trailer_at - end) as usize)?;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&root);
        hasher.update(stated);
        if hasher.finalize() != u32::from_le_bytes(*crc) {
            return Err(damaged(end, "the checksum is wrong"));
        }
        let mut parts = root.splitn(2, |byte| *byte == b'\n');
        let (header, pages) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let header = serde_json::from_slice(header).map_err(|error| damaged(end, error))?;
        let pages = SectionRecord::read_all(pages);
        let pages = pages.ok_or_else(|| damaged(end, "the list of pages is wrong"))?;
        let page = |record| Page { record, blocks: OnceLock::new() };
        Ok(ExplorerFile { input, header, pages: pages.into_iter().map(page).collect(), end })
    }

    /// Returns what the file says of itself.
    pub fn header(&self) -> &ExplorerHeader {
        &self.header
    }

    /// Returns a position; `None` if the file does not have it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is damaged.
    pub fn find(&self, key: PositionKey) -> Result<Option<ExplorerEntry>, ExplorerError> {
        let key = sort_key(key);
        let before = self.pages.partition_point(|page| page.record.first <= key);
        let Some(page) = before.checked_sub(1) else { return Ok(None) };
        let Some(block) = SectionRecord::find(self.blocks(page)?, &key) else { return Ok(None) };
        self.in_block(block, |positions| positions.find(&key))
    }

    /// Returns all positions, in the order of the file. After an error, those of the next block
    /// follow; the last item is an error if the file has not as many as its header says.
    pub fn entries(&self) -> impl Iterator<Item = Result<ExplorerEntry, ExplorerError>> {
        let blocks = |page| self.blocks(page).map(<[SectionRecord]>::to_vec);
        let blocks = (0..self.pages.len()).flat_map(move |page| each(blocks(page)));
        let mut last = None;
        let mut entries = move |block: SectionRecord| {
            let entries = self.in_block(&block, |positions| positions.entries())?;
            let key = |entry: Option<&ExplorerEntry>| entry.map(|entry| sort_key(entry.key));
            let (first, end) = (key(entries.first()), key(entries.last()));
            if first != Some(block.first) || std::mem::replace(&mut last, end) >= first {
                return Err(damaged(block.offset, "the positions are not in order"));
            }
            Ok(entries)
        };
        let mut all = blocks.flat_map(move |block| each(block.and_then(&mut entries)));
        let (mut count, mut is_whole) = (0, true);
        std::iter::from_fn(move || {
            let next = all.next();
            match &next {
                Some(entry) => is_whole &= entry.is_ok(),
                None if std::mem::take(&mut is_whole) && count != self.header.positions => {
                    return Some(Err(damaged(self.end, "the number of positions is wrong")));
                }
                None => {}
            }
            count += 1;
            next
        })
    }

    /// Returns the records of the blocks of a page, which lie between the pages.
    fn blocks(&self, page: usize) -> Result<&[SectionRecord], ExplorerError> {
        let start = page.checked_sub(1).map_or(HEAD as u64, |i| self.pages[i].record.end());
        let Page { record, blocks } = &self.pages[page];
        if let Some(blocks) = blocks.get() {
            return Ok(blocks);
        }
        let read = SectionRecord::read_all(&self.section(record)?);
        let lie_there = |read: &Vec<SectionRecord>| {
            read.first().is_some_and(|first| first.first == record.first && first.offset >= start)
                && read.last().is_some_and(|last| last.end() <= record.offset)
        };
        let read = read.filter(lie_there);
        let read = read.ok_or_else(|| damaged(record.offset, "its list of blocks is wrong"))?;
        Ok(blocks.get_or_init(|| read))
    }

    fn in_block<T>(
        &self,
        block: &SectionRecord,
        read: impl FnOnce(Block<'_>) -> io::Result<T>,
    ) -> Result<T, ExplorerError> {
        let bytes = self.section(block)?;
        let positions = Block::new(&bytes, !self.header.grouped_by.is_empty());
        positions.and_then(read).map_err(|_| damaged(block.offset, "a position cannot be decoded"))
    }

    /// Reads, checks and decompresses a part of the file.
    fn section(&self, record: &SectionRecord) -> Result<Vec<u8>, ExplorerError> {
        let SectionRecord { offset, len, crc, .. } = *record;
        if record.end() > self.end {
            return Err(damaged(offset, "a length is wrong"));
        }
        let bytes = read(&*self.input, offset, len as usize)?;
        if crc32fast::hash(&bytes) != crc {
            return Err(damaged(offset, "the checksum is wrong"));
        }
        decompress(&bytes)?.ok_or_else(|| damaged(offset, "it cannot be decompressed"))
    }
}

fn each<T>(items: Result<Vec<T>, ExplorerError>) -> impl Iterator<Item = Result<T, ExplorerError>> {
    let (items, error) = match items {
        Ok(items) => (items, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    items.into_iter().map(Ok).chain(error.map(Err))
}

fn damaged(at: u64, reason: impl ToString) -> ExplorerError {
    ExplorerError::Damaged { at, reason: reason.to_string() }
}

/// Reads bytes that the file has, according to its length.
fn read(input: &dyn ReadAt, offset: u64, len: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; len];
    let (read, outcome) = fill(&mut ReaderAt { file: input, offset }, &mut bytes);
    outcome?;
    if read == len { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}
