//! Positions in blocks: sorted by key, with the texts that several of them have.

use std::io;

use san::PositionKey;
use stream::spill::{read_number, write_number};
use table::Dictionary;

use super::entry::{EntryParts, ExplorerEntry, MOST_TEXT, Texts, read_entry, write_entry};
use super::section::LARGEST;
use crate::count_order::{key_of, sort_key};
use crate::encoding::{damaged, split_bytes};
use crate::error::BookError;

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
pub(super) struct Block<'b> {
    has_classes: bool,
    texts: Vec<&'b str>,
    last: Option<[u8; 32]>,
    rest: &'b [u8],
}

impl<'b> Block<'b> {
    pub(super) fn new(mut bytes: &'b [u8], has_classes: bool) -> io::Result<Self> {
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

    pub(super) fn find(mut self, key: &[u8; 32]) -> io::Result<Option<ExplorerEntry>> {
        while let Some((found, bytes)) = self.next_bytes()? {
            if found == *key {
                return self.entry(found, bytes).map(Some);
            }
        }
        Ok(None)
    }

    pub(super) fn entries(mut self) -> io::Result<Vec<ExplorerEntry>> {
        let mut entries = Vec::new();
        while let Some((key, bytes)) = self.next_bytes()? {
            entries.push(self.entry(key, bytes)?);
        }
        Ok(entries)
    }

    fn entry(&self, key: [u8; 32], bytes: &[u8]) -> io::Result<ExplorerEntry> {
        read_entry(key_of(key), self.has_classes, &self.texts, bytes)
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
