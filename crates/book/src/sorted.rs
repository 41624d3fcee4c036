//! Rows in the order of runs, rows of the same move added up.

use crate::hash::hash;
use crate::row::{self, Row, games_of, key_of, next_of};

/// Rows one behind the other.
pub(crate) type Block = Vec<u8>;

/// The order of the rows in some blocks.
#[derive(Debug, Default)]
pub(crate) struct Sorted {
    /// The hash, the number of the block, and where in it the row begins.
    items: Vec<u128>,
    at: usize,
    /// Up to here the rows are of a position that many games reached.
    kept: usize,
}

/// What is counted of a move.
#[derive(Debug)]
pub(crate) enum Found<'b> {
    /// One row says it, which is these bytes.
    One(&'b [u8]),
    /// The sum of several rows.
    Sum(Row<'b>),
}

impl<'b> Found<'b> {
    /// The row; `None` if it is damaged.
    pub(crate) fn row(&self) -> Option<Row<'b>> {
        match self {
            Found::One(bytes) => Row::read(bytes),
            Found::Sum(row) => Some(*row),
        }
    }

    /// How many bytes it has as a row.
    pub(crate) fn len(&self) -> usize {
        match self {
            Found::One(bytes) => bytes.len(),
            Found::Sum(row) => row.head_len() + row.story.len(),
        }
    }

    /// Appends it as a row.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        match self {
            Found::One(bytes) => out.extend_from_slice(bytes),
            Found::Sum(row) => row.write(out),
        }
    }
}

impl Sorted {
    /// Sorts the rows of `blocks`.
    pub(crate) fn sort(&mut self, blocks: &[Block]) {
        (self.at, self.kept) = (0, 0);
        self.items.clear();
        for (number, block) in (0_u128..).zip(blocks) {
            let mut start = 0;
            while let Some(rest) = block.get(start..).filter(|rest| rest.len() >= row::HEAD) {
                let place = number << 32 | start as u128;
                self.items.push(u128::from(hash(key_of(rest))) << 64 | place);
                start += row::len(rest);
            }
        }
        self.items.sort_unstable();
        let full = |item: &u128| {
            let bytes = bytes_of(*item, blocks);
            (key_of(bytes), next_of(bytes))
        };
        for same in self.items.chunk_by_mut(|a, b| a >> 64 == b >> 64) {
            if same.len() > 1 {
                same.sort_unstable_by_key(full);
            }
        }
    }

    /// The next move of those in the blocks that were sorted.
    #[inline]
    pub(crate) fn next<'b>(&mut self, blocks: &'b [Block]) -> Option<Found<'b>> {
        let bytes = bytes_of(*self.items.get(self.at)?, blocks);
        let (from, key, next) = (self.at, key_of(bytes), next_of(bytes));
        self.at += 1;
        while self
            .follows(from, blocks)
            .is_some_and(|more| (key_of(more), next_of(more)) == (key, next))
        {
            self.at += 1;
        }
        if self.at == from + 1 {
            return Some(Found::One(&bytes[..row::len(bytes)]));
        }
        let mut rows =
            self.items[from..self.at].iter().map(|item| Row::read(bytes_of(*item, blocks)));
        let mut sum = rows.next()??;
        for row in rows {
            sum.merge(&row?);
        }
        Some(Found::Sum(sum))
    }

    /// Passes over positions that fewer games reached.
    pub(crate) fn pass_over_rare(&mut self, least: u64, blocks: &[Block]) {
        while self.at >= self.kept && self.at < self.items.len() {
            let (from, key) = (self.at, key_of(bytes_of(self.items[self.at], blocks)));
            let mut games = 0_u64;
            while let Some(bytes) = self.follows(from, blocks).filter(|bytes| key_of(bytes) == key)
            {
                games = games.saturating_add(games_of(bytes));
                self.at += 1;
            }
            if games >= least {
                (self.at, self.kept) = (from, self.at);
            }
        }
    }

    /// The bytes of the next row, if its hash is that of row `from`.
    #[inline]
    fn follows<'b>(&self, from: usize, blocks: &'b [Block]) -> Option<&'b [u8]> {
        let item = self.items.get(self.at)?;
        (item >> 64 == self.items[from] >> 64).then(|| bytes_of(*item, blocks))
    }
}

#[inline]
fn bytes_of(item: u128, blocks: &[Block]) -> &[u8] {
    &blocks[(item as u64 >> 32) as usize][item as u32 as usize..]
}
