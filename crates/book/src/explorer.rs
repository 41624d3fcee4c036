//! Explorer files: the positions of a book with their counts, in one file in which a position is
//! found by at most two reads.
//!
//! The positions are sorted by key, in compressed blocks with checksums. After some blocks comes a
//! page with the first key of each, and at the end of the file a list of the pages. The format is
//! described in docs/explorer.md.

pub use stream::read_at::ReadAt;

use std::cmp::Reverse;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;

use emit::COUNTS;
use epd::legal_string;
use openings::Name;
use pgn::Outcome;
use san::{FenError, MoveCode, PositionKey};
use serde::{Deserialize, Serialize};
use stream::read_at::{ReaderAt, fill};
use stream::spill::{read_number, write_number};
use table::Dictionary;

use crate::disk::{key_of_sort_key, sort_key};
use crate::error::BookError;
pub use crate::error::ExplorerError;
use crate::games::GameClass;
use crate::row::{
    GameInfoRef, damaged, read_byte, read_occurrence, read_small, split_bytes, write_occurrence,
};
use crate::select::fields;
use crate::tally::{GameInfo, NotableGame, Tally, UnknownResult};
use crate::write::{counts, ratings, strongest};

/// Magic text at both ends of a file; at the beginning, the version follows in four bytes,
/// little-endian.
pub const MAGIC: &[u8; 16] = b"pgn2epd explorer";

/// The version of the format that is written and read.
pub const VERSION: u32 = 1;

/// Size of the magic text and the version.
pub(crate) const HEAD: usize = MAGIC.len() + 4;

/// Size of the end of a file: the length of the list of pages, a checksum, the magic text.
pub(crate) const TRAILER: usize = 8 + 4 + MAGIC.len();

/// What an explorer file says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplorerHeader {
    /// Number of positions.
    pub positions: u64,
    /// The files of the games, in name order, without folders.
    pub files: Vec<String>,
    /// How the games were counted.
    pub counted: String,
    /// The [classes of games](crate::GroupBy) that are counted separately; empty if all are counted
    /// together.
    pub grouped_by: String,
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

    fn end(&self) -> u64 {
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
fn decompress(bytes: &[u8]) -> Result<Option<Vec<u8>>, ExplorerError> {
    let sizes = std::iter::successors(Some(USUAL), |size| Some(size * 16));
    let mut sizes = sizes.take_while(|size| *size <= LARGEST);
    Ok(sizes.find_map(|size| zstd::bulk::decompress(bytes, size).ok()))
}

#[cfg(not(feature = "zstd"))]
fn decompress(_bytes: &[u8]) -> Result<Option<Vec<u8>>, ExplorerError> {
    Err(ExplorerError::NoZstd)
}

/// A position of an explorer file, and its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplorerEntry {
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
    /// The notable games and their moves, the strongest game first: for each move and class its
    /// strongest game, and its most recent one if it is another.
    pub games: Vec<(MoveCode, NotableGame)>,
    /// The counts of each move for the classes of games that have it. Empty if all games are
    /// counted together.
    pub classes: Vec<(MoveCode, GameClass, Tally)>,
}

impl ExplorerEntry {
    /// Returns the counts of the games of some classes; `None` if no such game reached the
    /// position, or all games are counted together.
    #[must_use]
    pub fn of_classes(&self, mut is_wanted: impl FnMut(&GameClass) -> bool) -> Option<Self> {
        let mut entry = ExplorerEntry {
            key: self.key,
            eco: self.eco.clone(),
            opening: self.opening.clone(),
            total: Tally::default(),
            moves: Vec::new(),
            games: Vec::new(),
            classes: self.classes.clone(),
        };
        entry.classes.retain(|(_, class, _)| is_wanted(class));
        for (code, _, tally) in &entry.classes {
            entry.total += tally.clone();
            entry.games.extend(tally.notable_games().map(|game| (*code, game.clone())));
            match entry.moves.last_mut() {
                Some((last, counts)) if last == code => *counts += tally.clone(),
                _ => entry.moves.push((*code, tally.clone())),
            }
        }
        sort_games(&mut entry.games);
        (!entry.classes.is_empty()).then_some(entry)
    }
}

/// Sorts notable games: the strongest one first, the first of equals.
fn sort_games(games: &mut [(MoveCode, NotableGame)]) {
    games.sort_by_key(|(code, game)| (Reverse(game.elo_sum), game.at, *code));
}

/// A position's counts before they are encoded.
pub(crate) struct EntryParts<'e> {
    pub(crate) eco: Option<&'e str>,
    pub(crate) opening: Option<&'e str>,
    pub(crate) moves: &'e [(MoveCode, Tally<GameInfoRef<'e>>)],
    /// The same in each class of games, if there are classes.
    pub(crate) classes: &'e [(MoveCode, Box<str>, Tally<GameInfoRef<'e>>)],
}

/// Longest name of an opening or a player in bytes; others are cut.
const LONGEST_NAME: usize = 255;

/// In bytes, for a position: a small file could name a long text often; ours name one thrice.
const MOST_TEXT: usize = 4 * LARGEST;

/// The texts of a block, which entries refer to by number; 0 is the empty text.
trait Texts {
    /// Returns the number of a text, which is added if it is new.
    fn number(&mut self, text: &str) -> u64;
}

fn write_entry(entry: &EntryParts<'_>, texts: &mut impl Texts, out: &mut Vec<u8>) {
    for text in [entry.eco, entry.opening] {
        write_number(texts.number(cut(text.unwrap_or_default())), out);
    }
    write_number(entry.moves.len() as u64, out);
    let mut classes = entry.classes.chunk_by(|a, b| a.0 == b.0);
    for (code, tally) in entry.moves {
        out.extend_from_slice(&code.0.to_le_bytes());
        let Some(classes) = classes.next() else {
            write_counts(tally, texts, out);
            continue;
        };
        write_number(classes.len() as u64, out);
        for (_, class, tally) in classes {
            write_number(texts.number(class), out);
            write_counts(tally, texts, out);
        }
    }
}

fn cut(name: &str) -> &str {
    &name[..name.floor_char_boundary(LONGEST_NAME)]
}

/// Appends the counts of a move. Most are those of a single game, and follow from it.
fn write_counts(tally: &Tally<GameInfoRef<'_>>, texts: &mut impl Texts, out: &mut Vec<u8>) {
    let counts = tally.map_info(|_| ());
    if counts == Tally::of_one(counts.strongest) {
        write_number(0, out);
    } else {
        let Tally { games, white, draws, black, rated, rating_sum, .. } = *tally;
        for number in [games, white, draws, black, rated, rating_sum] {
            write_number(number, out);
        }
        for year in [tally.first_year, tally.last_year] {
            write_number(year.into(), out);
        }
        write_occurrence(&tally.first, out);
        write_number(tally.notable_games().count() as u64, out);
    }
    for NotableGame { elo_sum, at, outcome, year, info } in tally.notable_games() {
        out.push(*outcome as u8);
        for number in [*elo_sum, *year] {
            write_number(number.into(), out);
        }
        write_occurrence(at, out);
        for text in info.players() {
            write_number(texts.number(cut(text)), out);
        }
    }
}

fn read_entry(
    key: PositionKey,
    has_classes: bool,
    texts: &[&str],
    mut bytes: &[u8],
) -> io::Result<ExplorerEntry> {
    let input = &mut bytes;
    let texts = &mut TextsOfBlock { texts, room: MOST_TEXT };
    let [eco, opening] = [texts.read(input)?, texts.read(input)?];
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let mut entry = ExplorerEntry {
        key,
        eco: given(eco),
        opening: given(opening),
        total: Tally::default(),
        moves: Vec::new(),
        games: Vec::new(),
        classes: Vec::new(),
    };
    for _ in 0..read_number(input)? {
        let (code, rest) = input.split_first_chunk().ok_or_else(damaged)?;
        *input = rest;
        let code = MoveCode(u16::from_le_bytes(*code));
        let mut counts = Tally::default();
        let classes = if has_classes { read_number(input)? } else { 1 };
        for _ in 0..classes {
            let class = if has_classes { Some(texts.read(input)?) } else { None };
            let tally = read_counts(code, texts, &mut entry.games, input)?;
            if let Some(class) = class {
                let class = GameClass::of_text(class).ok_or_else(damaged)?;
                entry.classes.push((code, class, tally.clone()));
            }
            counts += tally;
        }
        entry.total += counts.clone();
        entry.moves.push((code, counts));
    }
    sort_games(&mut entry.games);
    if bytes.is_empty() { Ok(entry) } else { Err(damaged()) }
}

/// Reads the counts of a move, and appends its notable games.
fn read_counts(
    code: MoveCode,
    texts: &mut TextsOfBlock<'_>,
    games: &mut Vec<(MoveCode, NotableGame)>,
    input: &mut &[u8],
) -> io::Result<Tally> {
    let number = read_number(input)?;
    if number == 0 {
        let game = read_game(texts, input)?;
        games.push((code, game.clone()));
        return Ok(Tally::of_one(game));
    }
    let mut tally = Tally { games: number, ..Tally::default() };
    let Tally { white, draws, black, rated, rating_sum, .. } = &mut tally;
    for sum in [white, draws, black, rated, rating_sum] {
        *sum = read_number(input)?;
    }
    (tally.first_year, tally.last_year) = (read_small(input)?, read_small(input)?);
    tally.first = read_occurrence(input)?;
    let start = games.len();
    for _ in 0..read_number(input)? {
        games.push((code, read_game(texts, input)?));
    }
    let mut notable = games[start..].iter().map(|(_, game)| game.clone());
    tally.strongest = notable.next().ok_or_else(damaged)?;
    // Other programs may write more.
    tally.latest = notable.next();
    Ok(tally)
}

fn read_game(texts: &mut TextsOfBlock<'_>, input: &mut &[u8]) -> io::Result<NotableGame> {
    Ok(NotableGame {
        outcome: Outcome::of_number(read_byte(input)?).ok_or_else(damaged)?,
        elo_sum: read_small(input)?,
        year: read_small(input)?,
        at: read_occurrence(input)?,
        info: GameInfo {
            white: texts.read(input)?.into(),
            black: texts.read(input)?.into(),
            ..GameInfo::default()
        },
    })
}

/// The texts of a block, for one position.
struct TextsOfBlock<'b> {
    texts: &'b [&'b str],
    /// How many bytes of text the position may still have.
    room: usize,
}

impl<'b> TextsOfBlock<'b> {
    fn read(&mut self, input: &mut &[u8]) -> io::Result<&'b str> {
        let text = match read_small::<usize>(input)? {
            0 => "",
            number => self.texts.get(number - 1).copied().ok_or_else(damaged)?,
        };
        self.room = self.room.checked_sub(text.len()).ok_or_else(damaged)?;
        Ok(text)
    }
}

// Positions in blocks: sorted by key, with the texts that several of them have.

/// Size of a block before compression from which no position is added, in bytes.
const BLOCK: usize = 16 << 10;

/// A block to which positions are added, in order.
#[derive(Debug, Default)]
pub(crate) struct BlockBuilder {
    first: Option<[u8; 32]>,
    last: [u8; 32],
    texts: BlockTexts,
    entries: Vec<u8>,
    entry: Vec<u8>,
}

#[derive(Debug, Default)]
struct BlockTexts {
    texts: Dictionary,
    /// The lengths of the texts and the texts.
    encoded: Vec<u8>,
    /// The bytes of all texts of a position, and the most that a position of the block has.
    named: usize,
    most_named: usize,
}

impl Texts for BlockTexts {
    fn number(&mut self, text: &str) -> u64 {
        if text.is_empty() {
            return 0;
        }
        let BlockTexts { texts, encoded, named, .. } = self;
        *named += text.len();
        let others = texts.len();
        let number = texts.key(text.as_bytes());
        if texts.len() > others {
            write_number(text.len() as u64, encoded);
            encoded.extend_from_slice(text.as_bytes());
        }
        u64::from(number) + 1
    }
}

impl BlockBuilder {
    pub(crate) fn push(&mut self, key: PositionKey, entry: &EntryParts<'_>) {
        let key = sort_key(key);
        let BlockBuilder { first, last, texts, entries, entry: bytes } = self;
        let shared = match first {
            None => 0,
            Some(_) => key.iter().zip(&*last).take_while(|(a, b)| a == b).count(),
        };
        first.get_or_insert(key);
        entries.push(shared as u8);
        entries.extend_from_slice(&key[shared..]);
        bytes.clear();
        texts.named = 0;
        write_entry(entry, texts, bytes);
        texts.most_named = texts.most_named.max(texts.named);
        write_number(bytes.len() as u64, entries);
        entries.extend_from_slice(bytes);
        *last = key;
    }

    pub(crate) fn is_full(&self) -> bool {
        self.entries.len() + self.texts.encoded.len() >= BLOCK
    }

    /// Returns the block and its first key, unless empty; an error if the reader would refuse it.
    pub(crate) fn take(&mut self) -> Option<([u8; 32], io::Result<Vec<u8>>)> {
        let BlockBuilder { first, texts, entries, .. } = self;
        let BlockTexts { texts, encoded, most_named, .. } = texts;
        let is_small = std::mem::take(most_named) <= MOST_TEXT;
        let mut bytes = Vec::with_capacity(entries.len() + encoded.len() + 4);
        write_number(texts.len() as u64, &mut bytes);
        bytes.extend_from_slice(encoded);
        bytes.extend_from_slice(entries);
        texts.clear();
        encoded.clear();
        entries.clear();
        let is_small = is_small && bytes.len() <= LARGEST;
        let large = || io::Error::other(BookError::LargePosition(bytes.len() >> 20));
        Some((first.take()?, if is_small { Ok(bytes) } else { Err(large()) }))
    }
}

/// The positions of a decompressed block.
struct Block<'b> {
    has_classes: bool,
    texts: Vec<&'b str>,
    last: Option<[u8; 32]>,
    rest: &'b [u8],
}

impl<'b> Block<'b> {
    fn new(mut bytes: &'b [u8], has_classes: bool) -> io::Result<Self> {
        let mut texts = Vec::new();
        for _ in 0..read_number(&mut bytes)? {
            let text = std::str::from_utf8(split_bytes(&mut bytes)?).map_err(|_| damaged())?;
            texts.push(text);
        }
        Ok(Block { has_classes, texts, last: None, rest: bytes })
    }

    /// Returns the sort key and the bytes of the next position.
    fn next_bytes(&mut self) -> io::Result<Option<([u8; 32], &'b [u8])>> {
        let Some((shared, rest)) = self.rest.split_first() else { return Ok(None) };
        let mut key = self.last.unwrap_or_default();
        let place = key.get_mut(usize::from(*shared)..).ok_or_else(damaged)?;
        let (new, mut rest) = rest.split_at_checked(place.len()).ok_or_else(damaged)?;
        place.copy_from_slice(new);
        if self.last.replace(key).is_some_and(|last| last >= key) {
            return Err(damaged());
        }
        let bytes = split_bytes(&mut rest)?;
        self.rest = rest;
        Ok(Some((key, bytes)))
    }

    fn find(mut self, key: &[u8; 32]) -> io::Result<Option<ExplorerEntry>> {
        while let Some((found, bytes)) = self.next_bytes()? {
            if found == *key {
                return self.entry(found, bytes).map(Some);
            }
        }
        Ok(None)
    }

    fn entries(mut self) -> io::Result<Vec<ExplorerEntry>> {
        let mut entries = Vec::new();
        while let Some((key, bytes)) = self.next_bytes()? {
            entries.push(self.entry(key, bytes)?);
        }
        Ok(entries)
    }

    fn entry(&self, key: [u8; 32], bytes: &[u8]) -> io::Result<ExplorerEntry> {
        read_entry(key_of_sort_key(key), self.has_classes, &self.texts, bytes)
    }
}

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
        let cut = || damaged_at(len, "it ends early");
        let version = u32::from_le_bytes(version.try_into().map_err(|_| cut())?);
        if version != VERSION {
            return Err(ExplorerError::Version(version, VERSION));
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
        let header = serde_json::from_slice(header).map_err(|error| damaged_at(end, error))?;
        let pages = SectionRecord::read_all(pages);
        let pages = pages.ok_or_else(|| damaged_at(end, "the list of pages is wrong"))?;
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
                return Err(damaged_at(block.offset, "the positions are not in order"));
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
                    return Some(Err(damaged_at(self.end, "the number of positions is wrong")));
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
        let read = read.ok_or_else(|| damaged_at(record.offset, "its list of blocks is wrong"))?;
        Ok(blocks.get_or_init(|| read))
    }

    fn in_block<T>(
        &self,
        block: &SectionRecord,
        read: impl FnOnce(Block<'_>) -> io::Result<T>,
    ) -> Result<T, ExplorerError> {
        let bytes = self.section(block)?;
        let positions = Block::new(&bytes, !self.header.grouped_by.is_empty());
        positions
            .and_then(read)
            .map_err(|_| damaged_at(block.offset, "a position cannot be decoded"))
    }

    /// Reads, checks and decompresses a part of the file.
    fn section(&self, record: &SectionRecord) -> Result<Vec<u8>, ExplorerError> {
        let SectionRecord { offset, len, crc, .. } = *record;
        if record.end() > self.end {
            return Err(damaged_at(offset, "a length is wrong"));
        }
        let bytes = read(&*self.input, offset, len as usize)?;
        if crc32fast::hash(&bytes) != crc {
            return Err(damaged_at(offset, "the checksum is wrong"));
        }
        decompress(&bytes)?.ok_or_else(|| damaged_at(offset, "it cannot be decompressed"))
    }
}

fn each<T>(items: Result<Vec<T>, ExplorerError>) -> impl Iterator<Item = Result<T, ExplorerError>> {
    let (items, error) = match items {
        Ok(items) => (items, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    items.into_iter().map(Ok).chain(error.map(Err))
}

fn damaged_at(at: u64, reason: impl ToString) -> ExplorerError {
    ExplorerError::Damaged { at, reason: reason.to_string() }
}

/// Reads bytes that the file has, according to its length.
fn read(input: &dyn ReadAt, offset: u64, len: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; len];
    let (read, outcome) = fill(&mut ReaderAt { file: input, offset }, &mut bytes);
    outcome?;
    if read == len { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Returns the columns of [`ExplorerEntry::row`]: the record and the counts.
pub fn columns() -> impl Iterator<Item = &'static str> {
    ["record"].into_iter().chain(COUNTS)
}

impl ExplorerEntry {
    /// Returns the cells of these [`columns`]: the record of a book with the counts, and these
    /// as numbers. What is not known is empty.
    ///
    /// # Errors
    ///
    /// If the position is not legal: the file is damaged.
    pub fn row(&self, header: &ExplorerHeader) -> Result<[String; 9], FenError> {
        let ExplorerEntry { total, eco, opening, .. } = self;
        let Tally { first, first_year, last_year, .. } = total;
        let (halfmoves, fullmoves) = (first.halfmoves, first.fullmoves.max(1));
        let position = self.key.position(halfmoves.into(), fullmoves.into())?;
        let file = header.files.get(total.strongest.at.file as usize).map_or("?", |name| name);
        let name = Name::new(eco.as_deref(), None, opening.as_deref().unwrap_or_default());
        let comment = |opcode: &str, text: &str| match &*legal_string(text) {
            "" => String::new(),
            text => format!(" {opcode} \"{text}\";"),
        };
        let operations = [
            comment("c0", &counts(total)),
            comment("c1", &ratings(total)),
            comment("c2", &strongest(&total.undecoded(), file)),
            name.eco_operation().to_owned(),
            format!(" fmvn {fullmoves}; hmvc {halfmoves};"),
            name.part_operations(0).to_owned(),
        ];
        let year = |year: u16| if year > 0 { year.to_string() } else { String::new() };
        let score = total.score_millionths(UnknownResult::Skip);
        Ok([
            fields(&position) + &operations.concat(),
            total.games.to_string(),
            total.white.to_string(),
            total.draws.to_string(),
            total.black.to_string(),
            score.map_or(String::new(), |score| (score as f64 / 1e6).to_string()),
            total.mean_rating().map_or(String::new(), |rating| format!("{rating:.0}")),
            year(*first_year),
            year(*last_year),
        ])
    }
}

#[cfg(test)]
mod tests {
    use san::MoveCode;

    use super::*;
    use crate::row::GameInfoRef;
    use crate::tally::{GameInfo, NotableGame, Tally};

    #[test]
    fn what_the_reader_would_refuse_is_an_error_of_the_writer() {
        let name = "x".repeat(250);
        let info =
            GameInfo { white: (&*name).into(), black: (&*name).into(), ..GameInfo::default() };
        let tally = Tally::of_one(NotableGame { info, ..NotableGame::default() });
        let tally = tally.map_info(GameInfoRef::Decoded);
        // Large texts, and many classes whose games have players.
        for (len, classes, is_small) in
            [(1 << 20, 15, true), (1 << 20, 17, false), (10, 100_000, true), (10, 140_000, false)]
        {
            let class = |i: usize| {
                let text = format!("{{\"white\":\"{i:06}{}\"}}", "y".repeat(len));
                (MoveCode(1), text.into(), tally)
            };
            let classes: Vec<_> = (0..classes).map(class).collect();
            let moves = [(MoveCode(1), tally)];
            let mut block = BlockBuilder::default();
            let entry = EntryParts { eco: None, opening: None, moves: &moves, classes: &classes };
            block.push(PositionKey::default(), &entry);
            let (first, bytes) = block.take().unwrap();
            assert_eq!(bytes.is_ok(), is_small, "{len} {}", classes.len());
            if let Ok(bytes) = bytes {
                let found = Block::new(&bytes, true).unwrap().find(&first).unwrap().unwrap();
                assert_eq!(found.classes.len(), classes.len());
            }
        }
    }
}
