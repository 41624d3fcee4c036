//! Rows in the order of runs, rows of the same move added up.

use crate::games::Games;
use crate::hash::hash;
use crate::row::{self, Row, games_of, key_of, next_of};

/// Rows one behind the other.
pub(crate) type Block = Vec<u8>;

/// The rows of some blocks in their order, so that those of the same move come together.
#[derive(Debug, Default)]
pub(crate) struct Sorted {
    /// Of each row the hash, the move, the number of its block and where in it the row begins.
    order: Vec<u128>,
    buckets: Vec<u32>,
    scattered: Vec<u128>,
    at: usize,
    /// Up to here rows are in the caches.
    fetched: usize,
    /// Up to here the rows are of a position that many games reached.
    kept: usize,
}

/// The bits of the hash that are the same in all rows of a store's partition.
const SAME: u32 = 8;

/// So many rows are in a bucket, about.
const IN_BUCKET: usize = 8;

/// So many rows are brought into the caches at once.
const FETCHED: usize = 32;

/// What is counted of a move.
#[derive(Debug)]
pub(crate) enum Found<'b> {
    /// One row says it, which is these bytes.
    One(&'b [u8]),
    /// The sum of several rows.
    Sum(Row<'b>),
}

impl<'b> Found<'b> {
    /// The row, of these games if it is one in memory; `None` if it is damaged.
    #[inline]
    pub(crate) fn row(&self, games: &'b Games) -> Option<Row<'b>> {
        match self {
            Found::One(bytes) => Row::read(bytes, games),
            Found::Sum(row) => Some(*row),
        }
    }

    /// Appends it as it was read: as a row in memory, or one on disk.
    pub(crate) fn write_back(&self, out: &mut Vec<u8>) {
        match self {
            Found::One(bytes) => out.extend_from_slice(bytes),
            Found::Sum(row) => row.write_back(out),
        }
    }
}

impl Sorted {
    /// Sorts the rows of `blocks`, all of one partition.
    pub(crate) fn sort(&mut self, blocks: &[Block]) {
        (self.at, self.fetched, self.kept) = (0, 0, 0);
        self.order.clear();
        for (number, block) in (0_u128..).zip(blocks) {
            let mut start = 0;
            while start < block.len() {
                let bytes = &block[start..];
                let place = number << 32 | start as u128;
                let next = u128::from(next_of(bytes).0) << 48;
                self.order.push(u128::from(hash(key_of(bytes))) << 64 | next | place);
                start += row::len(bytes);
            }
        }
        self.sort_order();
        for same in self.order.chunk_by_mut(|a, b| hash_of(*a) == hash_of(*b)) {
            let key = |item: &u128| key_of(bytes_of(*item, blocks));
            if same[1..].iter().any(|item| key(item) != key(&same[0])) {
                same.sort_unstable_by_key(|item| (key(item), next_of(bytes_of(*item, blocks))));
            }
        }
    }

    /// Hashes are evenly spread: rows are dealt out to many buckets by them, and each bucket is sorted.
    fn sort_order(&mut self) {
        let bits = (self.order.len() / IN_BUCKET).checked_ilog2().unwrap_or(0).min(16);
        if bits == 0 {
            return self.order.sort_unstable();
        }
        let bucket = |item: u128| (hash_of(item) << SAME >> (64 - bits)) as usize;
        self.buckets.clear();
        self.buckets.resize((1 << bits) + 1, 0);
        for item in &self.order {
            self.buckets[bucket(*item) + 1] += 1;
        }
        let mut end = 0;
        for start in &mut self.buckets {
            end += *start;
            *start = end;
        }
        self.scattered.resize(self.order.len(), 0);
        for item in &self.order {
            let at = &mut self.buckets[bucket(*item)];
            self.scattered[*at as usize] = *item;
            *at += 1;
        }
        std::mem::swap(&mut self.order, &mut self.scattered);
        let mut rest = &mut self.order[..];
        let mut start = 0;
        // Each bucket's start has become its end.
        for end in &self.buckets[..1 << bits] {
            let (items, behind) = rest.split_at_mut((*end - start) as usize);
            items.sort_unstable();
            (start, rest) = (*end, behind);
        }
    }

    /// The next move of those in the blocks that were sorted.
    #[inline]
    pub(crate) fn next<'b>(&mut self, blocks: &'b [Block], games: &'b Games) -> Option<Found<'b>> {
        let item = *self.order.get(self.at)?;
        self.fetch(blocks);
        let bytes = bytes_of(item, blocks);
        self.at += 1;
        let Some(more) = self.same_move(item, blocks) else {
            return Some(Found::One(&bytes[..row::len(bytes)]));
        };
        let mut sum = Row::read(bytes, games)?;
        sum.merge(&Row::read(more, games)?);
        self.at += 1;
        while let Some(more) = self.same_move(item, blocks) {
            sum.merge(&Row::read(more, games)?);
            self.at += 1;
        }
        Some(Found::Sum(sum))
    }

    /// Has the next rows brought into the caches: the processor waits for all of them at once.
    #[inline]
    fn fetch(&mut self, blocks: &[Block]) {
        if self.at < self.fetched {
            return;
        }
        let items = &self.order[self.at..];
        let items = &items[..items.len().min(FETCHED)];
        let byte = |item: &u128| {
            let bytes = bytes_of(*item, blocks);
            bytes[0] | bytes[row::HEAD - 1]
        };
        std::hint::black_box(items.iter().map(byte).fold(0, |all, byte| all | byte));
        self.fetched = self.at + items.len();
    }

    /// The next row, if it is of the same move.
    #[inline]
    fn same_move<'b>(&self, first: u128, blocks: &'b [Block]) -> Option<&'b [u8]> {
        let item = *self.order.get(self.at)?;
        if item >> 48 != first >> 48 {
            return None;
        }
        let bytes = bytes_of(item, blocks);
        (key_of(bytes) == key_of(bytes_of(first, blocks))).then_some(bytes)
    }

    /// Passes over positions that fewer games reached.
    pub(crate) fn pass_over_rare(&mut self, least: u64, blocks: &[Block]) {
        while self.at >= self.kept && self.at < self.order.len() {
            self.fetch(blocks);
            let first = self.order[self.at];
            let key = key_of(bytes_of(first, blocks));
            let (from, mut games) = (self.at, 0_u64);
            while let Some(item) = self.order.get(self.at) {
                let bytes = bytes_of(*item, blocks);
                if hash_of(*item) != hash_of(first) || key_of(bytes) != key {
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
fn hash_of(item: u128) -> u64 {
    (item >> 64) as u64
}

#[inline]
fn bytes_of(item: u128, blocks: &[Block]) -> &[u8] {
    &blocks[usize::from((item >> 32) as u16)][item as u32 as usize..]
}

#[cfg(test)]
mod tests {
    use san::Packed;

    use super::*;
    use crate::MoveCode;
    use crate::row::write_row;
    use crate::tally::Tally;

    #[test]
    fn positions_of_one_game_are_passed_over_with_all_their_moves() {
        let tally = |games| Tally { games, ..Tally::default() };
        let mut block = Block::new();
        for (position, next, games) in [(1, 1, 1), (2, 1, 1), (3, 1, 3), (2, 2, 1), (1, 1, 0)] {
            write_row(Packed([position; 4]), MoveCode(next), &tally(games), &mut block);
        }
        let (blocks, games) = ([block], Games::default());
        let mut sorted = Sorted::default();
        sorted.sort(&blocks);
        let mut found = Vec::new();
        loop {
            sorted.pass_over_rare(2, &blocks);
            let Some(row) = sorted.next(&blocks, &games).and_then(|found| found.row(&games)) else {
                break;
            };
            found.push((row.key.0[0], row.next.0, row.games));
        }
        found.sort();
        assert_eq!(found, [(2, 1, 1), (2, 2, 1), (3, 1, 3)]);
    }

    #[test]
    fn rows_in_many_buckets_come_in_the_order_of_hashes_with_their_sums() {
        let tally = Tally { games: 1, ..Tally::default() };
        let in_partition = |number: &u64| hash(Packed([*number; 4])) >> 56 == 7;
        let positions: Vec<u64> = (0..).filter(in_partition).take(1000).collect();
        let mut blocks = vec![Block::new(), Block::new()];
        for turn in 0..4 {
            for position in &positions {
                let next = MoveCode(1 + (turn + *position) as u16 % 2);
                write_row(Packed([*position; 4]), next, &tally, &mut blocks[turn as usize % 2]);
            }
        }
        let games = Games::default();
        let mut sorted = Sorted::default();
        sorted.sort(&blocks);
        let found: Vec<_> = std::iter::from_fn(|| sorted.next(&blocks, &games)?.row(&games))
            .map(|row| (hash(row.key), row.next, row.games))
            .collect();
        assert_eq!(found.len(), 2 * positions.len());
        assert!(found.is_sorted() && found.iter().all(|(.., games)| *games == 2));
    }
}
