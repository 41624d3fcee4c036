//! Rows in a temporary file: each spill writes one run per partition.

use std::cmp::Ordering;
use std::io::{self, BufRead};
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use san::PositionKey;
use stream::spill::{Extent, Merge, Record, Run, RunFile};

use crate::block::{self, Counted, Row, class_and_games_of, damaged, key_of, next_of, sort_key};

// The order of counts, and the partitions of positions in it.

/// In sort order, and each is small enough to be sorted within the caches.
pub(crate) const PARTITIONS: usize = 256;

/// Number of ranks among which those are chosen that divide partitions.
const SAMPLED: usize = 1 << 16;

/// Divides positions into partitions, by the first bytes of the keys of count files. Those with
/// which partitions begin, except the first, are chosen when they are needed.
#[derive(Clone, Debug, Default)]
pub(crate) struct CountOrder(Arc<OnceLock<Vec<u128>>>);

/// Positions with equal ranks are in the order of their keys.
#[inline]
pub(crate) fn rank(key: PositionKey) -> u128 {
    u128::from_be_bytes(*sort_key(key).first_chunk().expect("a key has 32 bytes"))
}

impl CountOrder {
    /// Chooses partitions in which about the same number of such positions are.
    pub(crate) fn choose_partitions(&self, len: usize, key: impl Fn(usize) -> PositionKey) {
        self.0.get_or_init(|| {
            let sampled = (0..len).step_by(len.div_ceil(SAMPLED).max(1));
            let mut ranks: Vec<u128> = sampled.map(|index| rank(key(index))).collect();
            ranks.sort_unstable();
            let start = |partition| ranks.get(partition * ranks.len() / PARTITIONS).copied();
            (1..PARTITIONS).filter_map(start).collect()
        });
    }

    #[inline]
    pub(crate) fn partition_of(&self, rank: u128) -> usize {
        self.0.get().map_or(0, |starts| starts.partition_point(|start| *start <= rank))
    }
}

// Sorts rows of temporary files in run order, and adds up rows of the same move.

pub(crate) type Block = Vec<u8>;

/// Blocks whose allocations are reused.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    blocks: Vec<Block>,
    used: usize,
}

impl Blocks {
    pub(crate) fn clear(&mut self) {
        self.used = 0;
    }

    /// Adds an empty block.
    pub(crate) fn begin(&mut self) -> &mut Block {
        if self.used == self.blocks.len() {
            self.blocks.push(Block::new());
        }
        self.used += 1;
        let block = &mut self.blocks[self.used - 1];
        block.clear();
        block
    }
}

impl Deref for Blocks {
    type Target = [Block];

    fn deref(&self) -> &[Block] {
        &self.blocks[..self.used]
    }
}

/// The rank of a row, and its move, the index of its block, and its offset there.
type Item = (u128, u64);

/// The rows of several blocks in order, so that those of the same move are adjacent.
#[derive(Debug, Default)]
pub(crate) struct Sorted {
    items: Vec<Item>,
    at: usize,
    /// Rows before this index have been prefetched.
    fetched: usize,
    /// Rows before this index belong to a position with enough games.
    kept: usize,
}

/// Number of rows prefetched together.
const FETCHED: usize = 32;

impl Sorted {
    /// Sorts the rows of `blocks`, all of one partition.
    pub(crate) fn sort(&mut self, blocks: &[Block]) {
        (self.at, self.fetched, self.kept) = (0, 0, 0);
        self.items.clear();
        for (number, block) in (0_u64..).zip(blocks) {
            let mut start = 0;
            while start < block.len() {
                let bytes = &block[start..];
                let place = number << 32 | start as u64;
                let next = u64::from(next_of(bytes).0) << 48;
                self.items.push((rank(key_of(bytes)), next | place));
                start += block::len(bytes);
            }
        }
        self.items.sort_unstable();
        for same in self.items.chunk_by_mut(|a, b| a.0 == b.0) {
            let identity = |item: &Item| {
                let bytes = bytes_of(*item, blocks);
                (sort_key(key_of(bytes)), class_of(bytes))
            };
            if same[1..].iter().any(|item| identity(item) != identity(&same[0])) {
                same.sort_unstable_by_key(|item| {
                    let (key, class) = identity(item);
                    (key, next_of(bytes_of(*item, blocks)), class)
                });
            }
        }
    }

    /// Skips positions that fewer than `least_games` games reached.
    #[inline]
    pub(crate) fn next_of_many<'b>(
        &mut self,
        least_games: u64,
        blocks: &'b [Block],
    ) -> Option<Option<Row<'b>>> {
        if least_games > 1 {
            self.pass_over_rare(least_games, blocks);
        }
        self.next(blocks)
    }

    /// Returns the counts of the next move in the sorted blocks; `None` if one is damaged.
    #[inline]
    fn next<'b>(&mut self, blocks: &'b [Block]) -> Option<Option<Row<'b>>> {
        let item = *self.items.get(self.at)?;
        self.fetch(blocks);
        self.at += 1;
        let mut sum = Row::read(bytes_of(item, blocks));
        while let Some(more) = self.same_move(item, blocks) {
            sum = sum.zip(Row::read(more)).map(|(mut sum, more)| {
                sum.merge(&more);
                sum
            });
            self.at += 1;
        }
        Some(sum)
    }

    /// Prefetches the next rows, so that the processor overlaps the cache misses.
    #[inline]
    fn fetch(&mut self, blocks: &[Block]) {
        if self.at < self.fetched {
            return;
        }
        let items = &self.items[self.at..];
        let items = &items[..items.len().min(FETCHED)];
        let byte = |item: &Item| {
            let bytes = bytes_of(*item, blocks);
            bytes[0] | bytes[block::HEAD]
        };
        std::hint::black_box(items.iter().map(byte).fold(0, |all, byte| all | byte));
        self.fetched = self.at + items.len();
    }

    #[inline]
    fn same_move<'b>(&self, first: Item, blocks: &'b [Block]) -> Option<&'b [u8]> {
        let item = *self.items.get(self.at)?;
        if (item.0, item.1 >> 48) != (first.0, first.1 >> 48) {
            return None;
        }
        let (bytes, first) = (bytes_of(item, blocks), bytes_of(first, blocks));
        let is_same = key_of(bytes) == key_of(first) && class_of(bytes) == class_of(first);
        is_same.then_some(bytes)
    }

    fn pass_over_rare(&mut self, least: u64, blocks: &[Block]) {
        while self.at >= self.kept && self.at < self.items.len() {
            self.fetch(blocks);
            let first = self.items[self.at];
            let key = key_of(bytes_of(first, blocks));
            let (from, mut games) = (self.at, 0_u64);
            while let Some(item) = self.items.get(self.at) {
                let bytes = bytes_of(*item, blocks);
                if item.0 != first.0 || key_of(bytes) != key {
                    break;
                }
                games = games.saturating_add(class_and_games_of(bytes).1);
                self.at += 1;
            }
            if games >= least {
                (self.at, self.kept) = (from, self.at);
            }
        }
    }
}

#[inline]
fn class_of(row: &[u8]) -> &str {
    class_and_games_of(row).0
}

#[inline]
fn bytes_of((_, place): Item, blocks: &[Block]) -> &[u8] {
    &blocks[usize::from((place >> 32) as u16)][place as u32 as usize..]
}

#[derive(Debug)]
pub(crate) struct Disk {
    file: RunFile,
    runs: Vec<Vec<Extent>>,
}

impl Disk {
    /// Creates no file yet in `folder`.
    pub(crate) fn new(folder: &Path) -> Self {
        Disk { file: RunFile::new(folder), runs: (0..PARTITIONS).map(|_| Vec::new()).collect() }
    }

    /// Writes the rows of a partition; the last part is buffered until [`Disk::flush`].
    pub(crate) fn write<'s>(
        &mut self,
        partition: usize,
        sorted: impl Iterator<Item = Row<'s>>,
    ) -> io::Result<()> {
        for row in sorted {
            self.append(&row)?;
        }
        self.end_run(partition);
        Ok(())
    }

    /// Writes the next row of a partition, in order.
    pub(crate) fn append(&mut self, row: &Row<'_>) -> io::Result<()> {
        self.file.append(|out| row.write(out))
    }

    pub(crate) fn end_run(&mut self, partition: usize) {
        self.runs[partition].extend(self.file.end_run());
    }

    pub(crate) fn damaged(&self) -> io::Error {
        self.file.damaged()
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    /// Returns the size of the rows of a partition, in bytes.
    pub(crate) fn len(&self, partition: usize) -> u64 {
        self.runs[partition].iter().map(Extent::len).sum()
    }

    pub(crate) fn read(&self, partition: usize, blocks: &mut Blocks) -> io::Result<()> {
        self.runs[partition].iter().try_for_each(|run| self.file.read(*run, blocks.begin()))
    }

    /// Returns the counts of a partition that is too large for memory.
    pub(crate) fn merge(&mut self, partition: usize) -> io::Result<Run<'static, Counted>> {
        let runs = std::mem::take(&mut self.runs[partition]);
        Ok(Box::new(self.file.merge(runs)?))
    }
}

/// In a temporary file, counts are rows.
impl Record for Counted {
    fn rank(&self) -> u64 {
        (rank(self.key) >> 64) as u64
    }

    fn compare(&self, other: &Self) -> Ordering {
        let order = |counted: &'_ Self| (sort_key(counted.key), counted.next);
        order(self).cmp(&order(other)).then_with(|| self.class.cmp(&other.class))
    }

    fn has_same_key(&self, other: &Self) -> bool {
        self.compare(other).is_eq()
    }

    fn add(&mut self, other: Self) {
        self.tally += other.tally;
    }

    fn write(&self, out: &mut Vec<u8>) {
        self.row().write(out);
    }

    fn read(input: &mut impl BufRead) -> io::Result<Option<Self>> {
        if input.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let mut bytes = vec![0; 4];
        input.read_exact(&mut bytes)?;
        bytes.resize(block::len(&bytes).max(4), 0);
        input.read_exact(&mut bytes[4..])?;
        Ok(Some(Row::read(&bytes).ok_or_else(damaged)?.counted()))
    }
}

/// The counts of several counters.
pub(crate) fn merged<'r>(mut runs: Vec<Run<'r, Counted>>) -> io::Result<Run<'r, Counted>> {
    match runs.len() {
        1 => Ok(runs.remove(0)),
        _ => Ok(Box::new(Merge::new(runs)?)),
    }
}

#[cfg(test)]
mod tests {
    use san::{MoveCode, PositionKey};

    use super::*;
    use crate::tally::Tally;

    #[test]
    fn positions_of_one_game_are_skipped_with_all_their_moves() {
        let tally = |games| Tally { games, first_year: 1, ..Tally::default() };
        let mut block = Block::new();
        for (position, next, games) in [(1, 1, 1), (2, 1, 1), (3, 1, 3), (2, 2, 1)] {
            let key = PositionKey([position; 4]);
            Row { key, next: MoveCode(next), class: "", tally: tally(games) }.write(&mut block);
        }
        let blocks = [block];
        let mut sorted = Sorted::default();
        sorted.sort(&blocks);
        let mut found = Vec::new();
        while let Some(row) = sorted.next_of_many(2, &blocks).flatten() {
            found.push((row.key.0[0], row.next.0, row.tally.games));
        }
        found.sort();
        assert_eq!(found, [(2, 1, 1), (2, 2, 1), (3, 1, 3)]);
    }
}
