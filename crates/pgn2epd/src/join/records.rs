//! The records of both sources, sorted by position.

use std::borrow::Cow;
use std::io;

use san::PositionKey;
use stream::spill::{SortedPairs, Sorter};

use crate::convert::ConvertError;
use crate::convert::deliver::{Deliver, Delivered};
use crate::convert::worker::ConvertedChunk;

/// One of two sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first: its records are joined.
    First,
    /// The second.
    Second,
}

/// The records of both sources, while they are read.
pub(super) struct Records {
    /// The source that is read.
    pub(super) side: Side,
    /// Whether records of the second source go if the first certainly lacks their position.
    pub(super) drops_unmatched: bool,
    sorter: Sorter,
    of_first: PositionFilter,
    count: u64,
}

pub(super) const KEY_BYTES: usize = size_of::<PositionKey>();

/// What records are sorted by: position, side (second first) and number; and their depth.
pub(super) struct Key {
    pub(super) position: [u8; KEY_BYTES],
    pub(super) side: Side,
    pub(super) number: u64,
    pub(super) depth: u32,
}

impl Key {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.position);
        out.push(u8::from(self.side == Side::First));
        out.extend(self.number.to_be_bytes());
        out.extend(self.depth.to_be_bytes());
    }

    /// Reads a key that was [written](Key::write).
    fn read(bytes: &[u8]) -> Option<Self> {
        let (position, bytes) = bytes.split_first_chunk()?;
        let (side, bytes) = bytes.split_first()?;
        let (number, bytes) = bytes.split_first_chunk()?;
        Some(Key {
            position: *position,
            side: if *side == 0 { Side::Second } else { Side::First },
            number: u64::from_be_bytes(*number),
            depth: u32::from_be_bytes(*bytes.first_chunk()?),
        })
    }
}

pub(super) fn next(sorted: &mut SortedPairs) -> Result<Option<(Key, Cow<'_, str>)>, ConvertError> {
    let Some((key, text)) = sorted.next()? else { return Ok(None) };
    Ok(Some((Key::read(key).expect("keys are whole"), String::from_utf8_lossy(text))))
}

impl Records {
    /// `filter` bytes tell which positions the first source certainly lacks.
    pub(super) fn new(sorter: Sorter, filter: usize) -> Self {
        let of_first = PositionFilter(vec![0; filter.max(1)]);
        Records { side: Side::First, drops_unmatched: false, sorter, of_first, count: 0 }
    }

    pub(super) fn finish(self) -> Result<SortedPairs, ConvertError> {
        drop(self.of_first);
        Ok(self.sorter.finish()?)
    }
}

impl Deliver for &mut Records {
    fn take(&mut self, done: &mut ConvertedChunk, _: u64) -> io::Result<Delivered> {
        let (text, _) = done.output();
        let records = &done.index.records;
        let mut bytes = Vec::new();
        for (index, key) in records.keys.iter().enumerate() {
            match self.side {
                Side::First => self.of_first.add(*key),
                Side::Second if self.drops_unmatched && !self.of_first.may_have(*key) => continue,
                Side::Second => {}
            }
            let depth = records.ranks.get(index).copied().unwrap_or_default();
            let (side, number) = (self.side, self.count);
            self.count += 1;
            bytes.clear();
            Key { position: key.to_bytes(), side, depth, number }.write(&mut bytes);
            let record = text[done.index.range(index)].trim_ascii_end();
            self.sorter.push(&bytes, record)?;
        }
        Ok(Delivered { positions: records.keys.len() as u64, ..Delivered::default() })
    }

    fn has_output(&mut self) -> bool {
        self.count > 0
    }
}

/// Tells what is certainly not in a set: a bit per hash; bytes take memory once they are set.
struct PositionFilter(Vec<u8>);

impl PositionFilter {
    fn place(&self, key: PositionKey) -> (usize, u8) {
        let hash = key.stable_hash();
        ((hash >> 3) as usize % self.0.len(), 1 << (hash & 7))
    }

    fn add(&mut self, key: PositionKey) {
        let (byte, bit) = self.place(key);
        self.0[byte] |= bit;
    }

    fn may_have(&self, key: PositionKey) -> bool {
        let (byte, bit) = self.place(key);
        self.0[byte] & bit != 0
    }
}
