//! Rows in a temporary file: each spill writes one run per partition.

use std::cmp::Ordering;
use std::io::{self, BufRead};
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use san::PositionKey;
use stream::spill::{Extent, Merge, Record, Run, RunFile};

use crate::row::{self, Counted, Row, class_of, damaged, games_of, key_of, next_of, write_row};

// The order of counts, and the partitions of positions in it.

/// In sort order, and each is small enough to be sorted within the caches.
pub(crate) const PARTITIONS: usize = 256;

/// Number of ranks among which those are chosen that divide partitions.
const SAMPLED: usize = 1 << 16;

/// Plane 2 (rooks, queens, kings) first: it changes least in openings, so neighbours are alike.
const PLANES: [usize; 4] = [2, 0, 1, 3];

pub(crate) fn sort_key(key: PositionKey) -> [u8; 32] {
    let planes = PLANES.map(|plane| key.0[plane].to_be_bytes());
    *planes.as_flattened().first_chunk().expect("four planes have 32 bytes")
}

pub(crate) fn key_of_sort_key(sort_key: [u8; 32]) -> PositionKey {
    let mut key = PositionKey::default();
    for (plane, bytes) in PLANES.into_iter().zip(sort_key.as_chunks().0) {
        key.0[plane] = u64::from_be_bytes(*bytes);
    }
    key
}

/// What counts are sorted by before their position: a number that follows from it.
#[derive(Clone, Debug)]
pub(crate) enum CountOrder {
    /// Hashes, by which partial results are sorted.
    Hash,
    /// The first bytes of the keys of explorer files. The ranks at which partitions begin, except
    /// the first, are chosen when they are needed.
    Position(Arc<OnceLock<Vec<u128>>>),
}

impl CountOrder {
    /// Returns the order of explorer files.
    pub(crate) fn of_positions() -> Self {
        CountOrder::Position(Arc::default())
    }

    /// Positions with equal ranks are in the order of their keys.
    #[inline]
    pub(crate) fn rank(&self, key: PositionKey) -> u128 {
        match self {
            CountOrder::Hash => u128::from(key.stable_hash()) << 64,
            CountOrder::Position(_) => {
                u128::from_be_bytes(*sort_key(key).first_chunk().expect("a key has 32 bytes"))
            }
        }
    }

    /// Chooses partitions in which about the same number of such positions are.
    pub(crate) fn choose_partitions(&self, len: usize, key: impl Fn(usize) -> PositionKey) {
        let CountOrder::Position(starts) = self else { return };
        starts.get_or_init(|| {
            let sampled = (0..len).step_by(len.div_ceil(SAMPLED).max(1));
            let mut ranks: Vec<u128> = sampled.map(|index| self.rank(key(index))).collect();
            ranks.sort_unstable();
            let start = |partition| ranks.get(partition * ranks.len() / PARTITIONS).copied();
            (1..PARTITIONS).filter_map(start).collect()
        });
    }

    #[inline]
    pub(crate) fn partition_of(&self, rank: u128) -> usize {
        match self {
            CountOrder::Hash => partition_of_hash((rank >> 64) as u64),
            CountOrder::Position(starts) => {
                starts.get().map_or(0, |starts| starts.partition_point(|start| *start <= rank))
            }
        }
    }
}

/// Returns the partition of a hash: its first bits.
#[inline]
pub(crate) fn partition_of_hash(hash: u64) -> usize {
    (hash >> 56) as usize
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
    buckets: Vec<u32>,
    scattered: Vec<Item>,
    at: usize,
    /// Rows before this index have been prefetched.
    fetched: usize,
    /// Rows before this index belong to a position with enough games.
    kept: usize,
}

/// Number of hash bits that are equal in all rows of a partition.
const SAME: u32 = 8;

/// Approximate number of rows per bucket.
const IN_BUCKET: usize = 8;

/// Number of rows prefetched together.
const FETCHED: usize = 32;

impl Sorted {
    /// Sorts the rows of `blocks`, all of one partition.
    pub(crate) fn sort(&mut self, blocks: &[Block], order: &CountOrder) {
        (self.at, self.fetched, self.kept) = (0, 0, 0);
        self.items.clear();
        for (number, block) in (0_u64..).zip(blocks) {
            let mut start = 0;
            while start < block.len() {
                let bytes = &block[start..];
                let place = number << 32 | start as u64;
                let next = u64::from(next_of(bytes).0) << 48;
                self.items.push((order.rank(key_of(bytes)), next | place));
                start += row::len(bytes);
            }
        }
        match order {
            CountOrder::Hash => self.sort_by_hash(),
            CountOrder::Position(_) => self.items.sort_unstable(),
        }
        for same in self.items.chunk_by_mut(|a, b| a.0 == b.0) {
            let identity = |item: &Item| {
                let bytes = bytes_of(*item, blocks);
                (key_of(bytes), class_of(bytes))
            };
            if same[1..].iter().any(|item| identity(item) != identity(&same[0])) {
                same.sort_unstable_by_key(|item| {
                    let (key, class) = identity(item);
                    (key, next_of(bytes_of(*item, blocks)), class)
                });
            }
        }
    }

    /// Sorts many small buckets, since hashes are uniformly distributed.
    fn sort_by_hash(&mut self) {
        let bits = (self.items.len() / IN_BUCKET).checked_ilog2().unwrap_or(0).min(16);
        if bits == 0 {
            return self.items.sort_unstable();
        }
        let bucket = |(rank, _): Item| (rank << SAME >> (128 - bits)) as usize;
        self.buckets.clear();
        self.buckets.resize((1 << bits) + 1, 0);
        for item in &self.items {
            self.buckets[bucket(*item) + 1] += 1;
        }
        let mut end = 0;
        for start in &mut self.buckets {
            end += *start;
            *start = end;
        }
        self.scattered.resize(self.items.len(), (0, 0));
        for item in &self.items {
            let at = &mut self.buckets[bucket(*item)];
            self.scattered[*at as usize] = *item;
            *at += 1;
        }
        std::mem::swap(&mut self.items, &mut self.scattered);
        let mut rest = &mut self.items[..];
        let mut start = 0;
        // The start of each bucket has been advanced to its end.
        for end in &self.buckets[..1 << bits] {
            let (items, behind) = rest.split_at_mut((*end - start) as usize);
            items.sort_unstable();
            (start, rest) = (*end, behind);
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
            bytes[0] | bytes[row::HEAD - 1]
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
                games = games.saturating_add(games_of(bytes));
                self.at += 1;
            }
            if games >= least {
                (self.at, self.kept) = (from, self.at);
            }
        }
    }
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
    pub(crate) fn merge(
        &mut self,
        partition: usize,
        order: &CountOrder,
    ) -> io::Result<Run<'static, Counted>> {
        let runs = std::mem::take(&mut self.runs[partition]);
        Ok(match order {
            CountOrder::Hash => Box::new(self.file.merge(runs)?),
            CountOrder::Position(_) => {
                let merge = self.file.merge::<ByPosition>(runs)?;
                Box::new(merge.map(|counted| counted.map(|ByPosition(counted)| counted)))
            }
        })
    }
}

/// In a temporary file, counts are rows.
impl Record for Counted {
    fn rank(&self) -> u64 {
        self.key.stable_hash()
    }

    fn compare(&self, other: &Self) -> Ordering {
        (self.key, self.next, &self.class).cmp(&(other.key, other.next, &other.class))
    }

    fn has_same_key(&self, other: &Self) -> bool {
        self.compare(other).is_eq()
    }

    fn add(&mut self, other: Self) {
        self.tally += other.tally;
    }

    fn write(&self, out: &mut Vec<u8>) {
        let Counted { key, next, class, tally } = self;
        write_row(*key, *next, class, tally, out);
    }

    fn read(input: &mut impl BufRead) -> io::Result<Option<Self>> {
        if input.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let mut bytes = vec![0; row::HEAD];
        input.read_exact(&mut bytes)?;
        bytes.resize(row::len(&bytes), 0);
        input.read_exact(&mut bytes[row::HEAD..])?;
        let row = Row::read(&bytes).ok_or_else(damaged)?;
        row.counted().map(Some).ok_or_else(damaged)
    }
}

/// Counters have positions of the same partitions only in the order of explorer files.
pub(crate) fn merged<'r>(mut runs: Vec<Run<'r, Counted>>) -> io::Result<Run<'r, Counted>> {
    if runs.len() == 1
        && let Some(run) = runs.pop()
    {
        return Ok(run);
    }
    let run = |run: Run<'r, Counted>| -> Run<'r, ByPosition> {
        Box::new(run.map(|counted| counted.map(ByPosition)))
    };
    let merge = Merge::new(runs.into_iter().map(run).collect())?;
    Ok(Box::new(merge.map(|counted| counted.map(|ByPosition(counted)| counted))))
}

struct ByPosition(Counted);

impl Record for ByPosition {
    fn rank(&self) -> u64 {
        u64::from_be_bytes(*sort_key(self.0.key).first_chunk().expect("a key has 32 bytes"))
    }

    fn compare(&self, other: &Self) -> Ordering {
        let (ByPosition(counted), ByPosition(other)) = (self, other);
        sort_key(counted.key).cmp(&sort_key(other.key)).then_with(|| counted.compare(other))
    }

    fn has_same_key(&self, other: &Self) -> bool {
        self.0.has_same_key(&other.0)
    }

    fn add(&mut self, other: Self) {
        self.0.add(other.0);
    }

    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }

    fn read(input: &mut impl BufRead) -> io::Result<Option<Self>> {
        Ok(<Counted as Record>::read(input)?.map(ByPosition))
    }
}

#[cfg(test)]
mod tests {
    use san::{MoveCode, PositionKey};

    use super::*;
    use crate::row::write_row;
    use crate::tally::Tally;

    #[test]
    fn positions_of_one_game_are_skipped_with_all_their_moves() {
        let tally = |games| Tally { games, ..Tally::default() };
        let mut block = Block::new();
        for (position, next, games) in [(1, 1, 1), (2, 1, 1), (3, 1, 3), (2, 2, 1), (1, 1, 0)] {
            let key = PositionKey([position; 4]);
            write_row(key, MoveCode(next), "", &tally(games), &mut block);
        }
        let blocks = [block];
        let mut sorted = Sorted::default();
        sorted.sort(&blocks, &CountOrder::Hash);
        let mut found = Vec::new();
        while let Some(row) = sorted.next_of_many(2, &blocks).flatten() {
            found.push((row.key.0[0], row.next.0, row.tally.games));
        }
        found.sort();
        assert_eq!(found, [(2, 1, 1), (2, 2, 1), (3, 1, 3)]);
    }

    #[test]
    fn rows_in_many_buckets_are_sorted_by_hash_and_added_up() {
        let tally = Tally { games: 1, ..Tally::default() };
        let in_partition = |number: &u64| PositionKey([*number; 4]).stable_hash() >> 56 == 7;
        let positions: Vec<u64> = (0..).filter(in_partition).take(1000).collect();
        let mut blocks = vec![Block::new(), Block::new()];
        for turn in 0..4 {
            for position in &positions {
                let next = MoveCode(1 + (turn + *position) as u16 % 2);
                write_row(
                    PositionKey([*position; 4]),
                    next,
                    "",
                    &tally,
                    &mut blocks[turn as usize % 2],
                );
            }
        }
        let mut sorted = Sorted::default();
        sorted.sort(&blocks, &CountOrder::Hash);
        let found: Vec<_> = std::iter::from_fn(|| sorted.next(&blocks)?)
            .map(|row| (row.key.stable_hash(), row.next, row.tally.games))
            .collect();
        assert_eq!(found.len(), 2 * positions.len());
        assert!(found.is_sorted() && found.iter().all(|(.., games)| *games == 2));
    }
}
