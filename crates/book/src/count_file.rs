//! Count files: the positions of games with their counts, in one file in which a position is found
//! by at most two reads. Explorer files are such files, and so are partial results.
//!
//! The positions are sorted by key, in blocks with checksums. After some blocks comes a page with
//! the first key of each, and at the end of the file a list of the pages. The format is described
//! in docs/explorer.md.

pub use stream::read_at::ReadAt;

#[cfg(feature = "zstd")]
use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use san::{MoveCode, PositionKey};
use serde::{Deserialize, Serialize};
use stream::read_at::{ReaderAt, fill};

use crate::block::{Block, BlockPosition, LARGEST, MoveCount, add_up, sort_key, total};
pub use crate::error::CountFileError;
use crate::games::GameClass;
use crate::tally::{Game, Occurrence, Tally};

type Result<T, E = CountFileError> = std::result::Result<T, E>;

/// Magic text at both ends of a file; at the beginning the version follows, little-endian.
pub const MAGIC: &[u8; 16] = b"pgn2epd counts\n\0";

/// The version of the format that is written and read.
pub const VERSION: u32 = 1;
const HEAD: usize = MAGIC.len() + 4;

/// Size of the end of a file: the length of the list of pages, a checksum, the magic text.
const TRAILER: usize = 8 + 4 + MAGIC.len();

/// What a count file says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Header {
    /// Number of positions.
    pub positions: u64,
    /// The files of the games, in name order; those of a published book without folders.
    pub files: Vec<String>,
    /// How the games were counted; only files counted in the same way can be merged.
    pub counted: String,
    /// The [classes of games](crate::GroupBy) that are counted separately; empty if there are none.
    pub grouped_by: String,
    /// Whether moves were kept.
    pub moves: bool,
    /// Whether positions or games were selected, so that sums with others would be wrong.
    pub selected: bool,
}

impl Header {
    /// Returns the last component of the path of a file, which a published book may contain.
    pub(crate) fn published_name(&self, file: u32) -> Option<&str> {
        let path = self.files.get(file as usize)?;
        Some(Path::new(path).file_name().and_then(OsStr::to_str).unwrap_or(path))
    }
}

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

/// Most bytes for which memory is allocated before it is known that a section has more.
#[cfg(feature = "zstd")]
const USUAL: usize = 64 << 10;

const WRONG_LENGTH: &str = "a length is wrong";
pub(crate) const NOT_DECODED: &str = "a position cannot be decoded";
const NOT_IN_ORDER: &str = "the positions are not in order";

impl SectionRecord {
    pub(crate) fn of(first: [u8; 32], offset: u64, bytes: &[u8]) -> Self {
        SectionRecord { first, offset, len: bytes.len() as u32, crc: crc32fast::hash(bytes) }
    }

    pub(crate) fn damaged(&self, reason: impl ToString) -> CountFileError {
        damaged_at(self.offset, reason)
    }

    fn end(&self) -> u64 {
        self.offset.saturating_add(self.len.into())
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.first);
        out.extend_from_slice(&self.offset.to_le_bytes());
        out.extend_from_slice(&self.len.to_le_bytes());
        out.extend_from_slice(&self.crc.to_le_bytes());
    }

    /// `None` if incomplete or out of order: a section named many times would take long to read.
    /// Several blocks of a page may begin with the same position.
    fn read_all(bytes: &[u8]) -> Option<Vec<Self>> {
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
        let follows = |a: &Self, b: &Self| a.first <= b.first && a.end() <= b.offset;
        records.filter(|records| rest.is_empty() && records.is_sorted_by(follows))
    }
}

/// The first byte of a section.
const STORED: u8 = 0;
#[cfg(feature = "zstd")]
const COMPRESSED: u8 = 1;

#[cfg(feature = "zstd")]
pub(crate) fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    use zstd::bulk::Compressor;
    thread_local! {
        static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    }
    COMPRESSOR.with_borrow_mut(|compressor| {
        if compressor.is_none() {
            *compressor = Some(Compressor::new(zstd::DEFAULT_COMPRESSION_LEVEL)?);
        }
        let frame = compressor.as_mut().expect("it was just made").compress(bytes)?;
        Ok([&[COMPRESSED], &frame[..]].concat())
    })
}

#[cfg(not(feature = "zstd"))]
pub(crate) fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    Ok(stored(bytes))
}

pub(crate) fn stored(bytes: &[u8]) -> Vec<u8> {
    [&[STORED], bytes].concat()
}

/// `None` if damaged or too large; more memory is allocated only after less has been filled.
fn decompress(bytes: &[u8]) -> Result<Option<Vec<u8>>> {
    match bytes.split_first() {
        Some((&STORED, bytes)) => Ok((bytes.len() <= LARGEST).then(|| bytes.to_vec())),
        #[cfg(feature = "zstd")]
        Some((&COMPRESSED, bytes)) => {
            let sizes = std::iter::successors(Some(USUAL), |size| Some(size * 16));
            let mut sizes = sizes.take_while(|size| *size <= LARGEST);
            Ok(sizes.find_map(|size| zstd::bulk::decompress(bytes, size).ok()))
        }
        #[cfg(not(feature = "zstd"))]
        Some((1, _)) => Err(CountFileError::NoZstd),
        _ => Ok(None),
    }
}

/// Number of blocks that a page lists.
const PAGE: usize = 512;

/// Writes the blocks of a file, a page after some of them, and the list of the pages.
pub(crate) struct CountFileWriter<'o> {
    output: &'o mut dyn Write,
    offset: u64,
    blocks: Vec<SectionRecord>,
    pages: Vec<SectionRecord>,
}

impl<'o> CountFileWriter<'o> {
    pub(crate) fn new(output: &'o mut dyn Write) -> io::Result<Self> {
        let head = [&MAGIC[..], &VERSION.to_le_bytes()].concat();
        output.write_all(&head)?;
        let offset = head.len() as u64;
        Ok(CountFileWriter { output, offset, blocks: Vec::new(), pages: Vec::new() })
    }

    /// Writes the next block. A position that is in several blocks is in one page.
    pub(crate) fn write(&mut self, first: [u8; 32], bytes: &[u8]) -> io::Result<()> {
        let is_full = self.blocks.len() >= PAGE;
        if is_full && self.blocks.last().is_some_and(|last| last.first != first) {
            self.end_page()?;
        }
        let block = self.section(first, bytes)?;
        self.blocks.push(block);
        Ok(())
    }

    fn end_page(&mut self) -> io::Result<()> {
        let Some(block) = self.blocks.first() else { return Ok(()) };
        let first = block.first;
        let mut page = Vec::new();
        self.blocks.drain(..).for_each(|block| block.write(&mut page));
        let page = self.section(first, &compressed(&page)?)?;
        self.pages.push(page);
        Ok(())
    }

    fn section(&mut self, first: [u8; 32], bytes: &[u8]) -> io::Result<SectionRecord> {
        self.output.write_all(bytes)?;
        let record = SectionRecord::of(first, self.offset, bytes);
        self.offset += bytes.len() as u64;
        Ok(record)
    }

    pub(crate) fn finish(mut self, header: &Header) -> io::Result<()> {
        self.end_page()?;
        let mut root = serde_json::to_vec(&header)?;
        root.push(b'\n');
        self.pages.iter().for_each(|page| page.write(&mut root));
        let len = (root.len() as u64).to_le_bytes();
        let mut crc = crc32fast::Hasher::new();
        crc.update(&root);
        crc.update(&len);
        self.output.write_all(&root)?;
        self.output.write_all(&[&len[..], &crc.finalize().to_le_bytes(), MAGIC].concat())
    }
}

/// A position of an explorer file, and its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedPosition {
    /// The position.
    pub key: PositionKey,
    /// The ECO code of the position, if it has one.
    pub eco: Option<String>,
    /// The name of the opening, if the position has one.
    pub opening: Option<String>,
    /// The counts of all games that reached the position.
    pub total: Tally,
    /// The moves played from it, and [`MoveCode::NONE`] for games that ended there, sorted by code.
    pub moves: Vec<(MoveCode, Tally)>,
    /// The counts of each move for each class of games that has it, which is that of their games.
    pub counts: Vec<(MoveCode, Tally)>,
    /// Has the games to which the counts refer.
    pub games: Arc<[Arc<Game>]>,
}

impl CountedPosition {
    /// Adds up the counts of each move and class, of which there is at least one.
    pub fn of(
        key: PositionKey,
        [eco, opening]: [Option<String>; 2],
        mut counts: Vec<(MoveCode, Tally)>,
        games: Arc<[Arc<Game>]>,
    ) -> Self {
        // Those of moves with pins belong to the others.
        counts.iter_mut().for_each(|(code, _)| *code = code.without_pin());
        add_up(&mut counts, &games, true);
        let (mut moves, total) = (counts.clone(), total(&counts, &games));
        add_up(&mut moves, &games, false);
        CountedPosition { key, eco, opening, total, moves, counts, games }
    }

    /// Returns a game.
    pub fn game(&self, at: Occurrence) -> &Game {
        at.of(&self.games)
    }

    /// Returns the notable games and their moves, the strongest game first: for each move and class
    /// its strongest game, and its most recent one if it is another.
    pub fn notable_games(&self) -> Vec<(MoveCode, Occurrence)> {
        let counts = self.counts.iter();
        let of_count =
            |&(code, tally): &(_, Tally)| tally.notable_games().map(move |at| (code, at));
        let mut notable: Vec<_> = counts.flat_map(of_count).collect();
        notable.sort_by(|(a_code, a), (b_code, b)| {
            let by_strength = self.game(*b).elo_sum.cmp(&self.game(*a).elo_sum);
            by_strength.then_with(|| a.cmp_in(*b, &self.games)).then(a_code.cmp(b_code))
        });
        notable
    }

    /// Returns the counts of each move for each class of games that has it, if there are classes.
    pub fn classes(&self) -> impl Iterator<Item = (MoveCode, &GameClass, &Tally)> {
        let class = |tally: &Tally| self.game(tally.strongest).class.as_deref();
        self.counts.iter().filter_map(move |(code, tally)| Some((*code, class(tally)?, tally)))
    }

    /// Returns the counts of the games of some classes; `None` if no such game reached the
    /// position, or all games are counted together.
    #[must_use]
    pub fn of_classes(&self, mut is_wanted: impl FnMut(&GameClass) -> bool) -> Option<Self> {
        let wanted = self.classes().filter(|(_, class, _)| is_wanted(class));
        let wanted: Vec<_> = wanted.map(|(code, _, tally)| (code, *tally)).collect();
        let names = [&self.eco, &self.opening].map(Clone::clone);
        let is_there = !wanted.is_empty();
        is_there.then(|| CountedPosition::of(self.key, names, wanted, self.games.clone()))
    }
}

/// The positions of an explorer file, which several threads may look up at once. The header and the
/// list of pages are read on opening. Looking up a position takes at most two reads: a page, which
/// is kept (48 bytes for each block), and a block of positions.
#[derive(Debug)]
pub struct CountFile {
    input: Arc<dyn ReadAt>,
    header: Header,
    pages: Vec<IndexPage>,
    /// Where the blocks and pages end.
    end: u64,
}

/// A page, and the records of its blocks once they have been read.
#[derive(Debug)]
struct IndexPage {
    record: SectionRecord,
    blocks: OnceLock<Vec<SectionRecord>>,
}

impl CountFile {
    /// Opens a file. Fails if it cannot be read, or is not a count file of the current version.
    pub fn open(path: &Path) -> Result<Self> {
        CountFile::new(Box::new(File::open(path)?))
    }

    /// Whether a file has the suffix `.explorer`, as an empty one may, or begins like a count file.
    pub fn is_file(path: &Path) -> io::Result<bool> {
        let mut beginning = Vec::new();
        File::open(path)?.take(MAGIC.len() as u64).read_to_end(&mut beginning)?;
        Ok(beginning == MAGIC || path.extension().is_some_and(|suffix| suffix == "explorer"))
    }

    /// Opens a file of which parts can be read. Fails like [`CountFile::open`].
    pub fn new(input: Box<dyn ReadAt>) -> Result<Self> {
        let input: Arc<dyn ReadAt> = input.into();
        let len = input.file_len();
        let head = read(&*input, 0, HEAD.min(len as usize))?;
        let version = head.strip_prefix(MAGIC).ok_or(CountFileError::NotExplorer)?;
        let cut = || damaged_at(len, "it ends early");
        let version = u32::from_le_bytes(version.try_into().map_err(|_| cut())?);
        if version != VERSION {
            return Err(CountFileError::Version(version, VERSION));
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
        let end = end.ok_or_else(|| damaged_at(trailer_at, "a length is wrong"))?;
        let root = read(&*input, end, (trailer_at - end) as usize)?;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&root);
        hasher.update(stated);
        if hasher.finalize() != u32::from_le_bytes(*crc) {
            return Err(damaged_at(end, "the checksum is wrong"));
        }
        let mut parts = root.splitn(2, |byte| *byte == b'\n');
        let (header, pages) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let header: Header =
            serde_json::from_slice(header).map_err(|error| damaged_at(end, error))?;
        let rises = |pages: &Vec<_>| pages.is_sorted_by(|a: &SectionRecord, b| a.first < b.first);
        let pages = SectionRecord::read_all(pages).filter(rises);
        let pages = pages.ok_or_else(|| damaged_at(end, "the list of pages is wrong"))?;
        let sections = pages.last().map_or(HEAD as u64, SectionRecord::end);
        if sections != end {
            let reason = "other bytes follow: pass files that were joined separately";
            return Err(damaged_at(sections, reason));
        }
        let page = |record| IndexPage { record, blocks: OnceLock::new() };
        Ok(CountFile { input, header, pages: pages.into_iter().map(page).collect(), end })
    }

    /// Returns what the file says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns a position, if the file has it. Fails if the file cannot be read or is damaged.
    pub fn find(&self, key: PositionKey) -> Result<Option<CountedPosition>> {
        let key = sort_key(key);
        let before = self.pages.partition_point(|page| page.record.first <= key);
        let Some(page) = before.checked_sub(1) else { return Ok(None) };
        let blocks = self.blocks(page)?;
        let end = blocks.partition_point(|block| block.first <= key);
        // A large position is all of several blocks.
        let start = blocks.partition_point(|block| block.first < key).min(end.saturating_sub(1));
        Ok(self.group(&blocks[start..end], Some(key))?.pop())
    }

    /// Returns all positions, in the order of the file. After an error, those of the next block
    /// follow; the last item is an error if the file has not as many as its header says.
    pub fn entries(&self) -> impl Iterator<Item = Result<CountedPosition>> {
        let groups = |page| {
            let groups = self.blocks(page)?.chunk_by(|a, b| a.first == b.first);
            Ok(groups.map(<[SectionRecord]>::to_vec).collect())
        };
        let groups = (0..self.pages.len()).flat_map(move |page| each(groups(page)));
        let mut last = None;
        let mut entries = move |blocks: Vec<SectionRecord>| {
            let entries = self.group(&blocks, None)?;
            let key = |entry: Option<&CountedPosition>| entry.map(|entry| sort_key(entry.key));
            let (first, end) = (key(entries.first()), key(entries.last()));
            let block = blocks[0];
            if first != Some(block.first) || std::mem::replace(&mut last, end) >= first {
                return Err(block.damaged(NOT_IN_ORDER));
            }
            Ok(entries)
        };
        let mut all = groups.flat_map(move |blocks| each(blocks.and_then(&mut entries)));
        let (mut count, mut is_whole) = (0, true);
        std::iter::from_fn(move || {
            let next = all.next();
            match &next {
                Some(entry) => is_whole &= entry.is_ok(),
                None if std::mem::take(&mut is_whole) => {
                    return self.check_positions(count).err().map(Err);
                }
                None => {}
            }
            count += 1;
            next
        })
    }

    pub(crate) fn check_positions(&self, count: u64) -> Result<()> {
        let is_right = count == self.header.positions;
        let wrong = || damaged_at(self.end, "the number of positions is wrong");
        if is_right { Ok(()) } else { Err(wrong()) }
    }

    /// Returns the positions of a block, or one of them, or the one that is in all of several.
    fn group(
        &self,
        blocks: &[SectionRecord],
        wanted: Option<[u8; 32]>,
    ) -> Result<Vec<CountedPosition>> {
        let mut entries: Vec<(PositionKey, [Option<String>; 2], Vec<MoveCount>)> = Vec::new();
        let mut games = Vec::new();
        for record in blocks {
            let bytes = self.section(record)?;
            let damaged = |_| record.damaged(NOT_DECODED);
            let mut block = Block::new(&bytes, &mut games).map_err(damaged)?;
            let mut count = 0;
            while let Some((key, bytes)) = block.next_bytes().map_err(damaged)? {
                count += 1;
                if wanted.is_some_and(|wanted| wanted != key) {
                    continue;
                }
                let position = block.decode(key, bytes, &games).map_err(damaged)?;
                let BlockPosition { key, names, mut counts } = position;
                match entries.last_mut() {
                    Some((last, _, all)) if *last == key => all.append(&mut counts),
                    _ => {
                        let given = |name: &str| (!name.is_empty()).then(|| name.to_owned());
                        entries.push((key, names.map(given), counts));
                    }
                }
            }
            if blocks.len() > 1 && count != 1 {
                return Err(record.damaged(NOT_IN_ORDER));
            }
        }
        let games: Arc<[Arc<Game>]> = games.into();
        let entry = |(key, names, counts)| CountedPosition::of(key, names, counts, games.clone());
        Ok(entries.into_iter().map(entry).collect())
    }

    /// Returns what the file is read from, and the records of all blocks, in order.
    pub(crate) fn all_blocks(&self) -> Result<(Arc<dyn ReadAt>, Vec<SectionRecord>)> {
        let mut all = Vec::new();
        for page in 0..self.pages.len() {
            all.extend_from_slice(self.blocks(page)?);
        }
        match all.iter().find(|block| block.end() > self.end) {
            Some(block) => Err(block.damaged(WRONG_LENGTH)),
            None => Ok((self.input.clone(), all)),
        }
    }

    /// Returns the records of the blocks of a page, which lie between the pages.
    fn blocks(&self, page: usize) -> Result<&[SectionRecord]> {
        let start = page.checked_sub(1).map_or(HEAD as u64, |i| self.pages[i].record.end());
        let IndexPage { record, blocks } = &self.pages[page];
        if let Some(blocks) = blocks.get() {
            return Ok(blocks);
        }
        let read = SectionRecord::read_all(&self.section(record)?);
        let lie_there = |read: &Vec<SectionRecord>| {
            read.first().is_some_and(|first| first.first == record.first && first.offset >= start)
                && read.last().is_some_and(|last| last.end() <= record.offset)
        };
        let read = read.filter(lie_there);
        let read = read.ok_or_else(|| record.damaged("its list of blocks is wrong"))?;
        Ok(blocks.get_or_init(|| read))
    }

    fn section(&self, record: &SectionRecord) -> Result<Vec<u8>> {
        let is_inside = record.end() <= self.end;
        if is_inside { section(&*self.input, record) } else { Err(record.damaged(WRONG_LENGTH)) }
    }
}

/// Reads, checks and decompresses a part of a file.
pub(crate) fn section(input: &dyn ReadAt, record: &SectionRecord) -> Result<Vec<u8>> {
    let SectionRecord { offset, len, crc, .. } = *record;
    let bytes = read(input, offset, len as usize)?;
    if crc32fast::hash(&bytes) != crc {
        return Err(record.damaged("the checksum is wrong"));
    }
    decompress(&bytes)?.ok_or_else(|| record.damaged("it cannot be decompressed"))
}

fn each<T>(items: Result<Vec<T>>) -> impl Iterator<Item = Result<T>> {
    let (items, error) = match items {
        Ok(items) => (items, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    items.into_iter().map(Ok).chain(error.map(Err))
}

fn damaged_at(at: u64, reason: impl ToString) -> CountFileError {
    CountFileError::Damaged { at, reason: reason.to_string() }
}

/// Reads bytes that the file has, according to its length.
fn read(input: &dyn ReadAt, offset: u64, len: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; len];
    let (read, outcome) = fill(&mut ReaderAt { file: input, offset }, &mut bytes);
    outcome?;
    if read == len { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}
