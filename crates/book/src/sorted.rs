//! Rows in the order of runs, rows of the same move added up.

use san::Packed;

use crate::MoveCode;
use crate::hash::hash;
use crate::row::{self, Row, games_of, key_of, next_of};

/// Rows one behind the other.
pub(crate) type Block = Vec<u8>;

/// The rows of some blocks: those of the same move together, and the moves in their order.
///
/// Rows are brought together by a hash table first, so that only what differs is sorted.
#[derive(Debug, Default)]
pub(crate) struct Sorted {
    /// The numbers of moves plus one, by their hash; 0 is free.
    index: Vec<u32>,
    moves: Vec<Move>,
    /// Rows of moves that have several, but for the first ones.
    more: Vec<More>,
    /// The hash of each move's position, and the number of the move; in order.
    order: Vec<u128>,
    at: usize,
    /// Up to here the moves are of a position that many games reached.
    kept: usize,
}

#[derive(Clone, Copy, Debug)]
struct Move {
    hash: u64,
    row: Place,
    next: MoveCode,
    more: u32,
}

/// A row, and which one of the same move comes next.
#[derive(Clone, Copy, Debug)]
struct More {
    row: Place,
    more: u32,
}

/// Where a row begins.
#[derive(Clone, Copy, Debug)]
struct Place {
    block: u32,
    start: u32,
}

impl Place {
    #[inline]
    fn bytes(self, blocks: &[Block]) -> &[u8] {
        &blocks[self.block as usize][self.start as usize..]
    }
}

/// The number of nothing.
const NONE: u32 = u32::MAX;

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
            Found::Sum(row) => row.len(),
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
        self.gather(blocks);
        (self.at, self.kept) = (0, 0);
        self.order.clear();
        let order = |(number, found): (u128, &Move)| u128::from(found.hash) << 64 | number;
        self.order.extend((0..).zip(&self.moves).map(order));
        self.order.sort_unstable();
        let full = |item: &u128| {
            let found = &self.moves[*item as u32 as usize];
            (key_of(found.row.bytes(blocks)), found.next)
        };
        for same in self.order.chunk_by_mut(|a, b| a >> 64 == b >> 64) {
            if same.len() > 1 {
                same.sort_unstable_by_key(full);
            }
        }
    }

    /// Finds out which rows are of the same move.
    fn gather(&mut self, blocks: &[Block]) {
        self.moves.clear();
        self.more.clear();
        self.index.clear();
        let most_rows = blocks.iter().map(Block::len).sum::<usize>() / row::HEAD;
        self.index.resize((2 * most_rows + 1).next_power_of_two(), 0);
        let mask = self.index.len() - 1;
        for (number, block) in (0..).zip(blocks) {
            let mut start = 0;
            while start < block.len() {
                let bytes = &block[start..];
                let (key, next) = (key_of(bytes), next_of(bytes));
                let hash = hash(key);
                let row = Place { block: number, start: start as u32 };
                start += row::len(bytes);
                let spread = u64::from(next.0).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
                let mut at = (hash ^ spread) as usize & mask;
                loop {
                    let entry = self.index[at];
                    let Some(found) = self.moves.get_mut(entry.wrapping_sub(1) as usize) else {
                        self.moves.push(Move { hash, row, next, more: NONE });
                        self.index[at] = self.moves.len() as u32;
                        break;
                    };
                    if (found.hash, found.next) == (hash, next)
                        && key_of(found.row.bytes(blocks)) == key
                    {
                        self.more.push(More { row, more: found.more });
                        found.more = self.more.len() as u32 - 1;
                        break;
                    }
                    at = (at + 1) & mask;
                }
            }
        }
    }

    /// The next move of those in the blocks that were sorted.
    #[inline]
    pub(crate) fn next<'b>(&mut self, blocks: &'b [Block]) -> Option<Found<'b>> {
        let found = self.moves[*self.order.get(self.at)? as u32 as usize];
        self.at += 1;
        let bytes = found.row.bytes(blocks);
        if found.more == NONE {
            return Some(Found::One(&bytes[..row::len(bytes)]));
        }
        let mut sum = Row::read(bytes)?;
        let mut more = found.more;
        while let Some(other) = self.more.get(more as usize) {
            sum.merge(&Row::read(other.row.bytes(blocks))?);
            more = other.more;
        }
        Some(Found::Sum(sum))
    }

    /// Passes over positions that fewer games reached.
    pub(crate) fn pass_over_rare(&mut self, least: u64, blocks: &[Block]) {
        while self.at >= self.kept && self.at < self.order.len() {
            let from = self.at;
            let key = self.key(from, blocks);
            let mut games = 0_u64;
            while self.at < self.order.len()
                && self.order[self.at] >> 64 == self.order[from] >> 64
                && self.key(self.at, blocks) == key
            {
                games = games.saturating_add(self.games(self.at, blocks));
                self.at += 1;
            }
            if games >= least {
                (self.at, self.kept) = (from, self.at);
            }
        }
    }

    fn key(&self, at: usize, blocks: &[Block]) -> Packed {
        key_of(self.moves[self.order[at] as u32 as usize].row.bytes(blocks))
    }

    fn games(&self, at: usize, blocks: &[Block]) -> u64 {
        let found = &self.moves[self.order[at] as u32 as usize];
        let mut games = games_of(found.row.bytes(blocks));
        let mut more = found.more;
        while let Some(other) = self.more.get(more as usize) {
            games = games.saturating_add(games_of(other.row.bytes(blocks)));
            more = other.more;
        }
        games
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::write_row;
    use crate::tally::Tally;

    #[test]
    fn positions_of_one_game_are_passed_over_with_all_their_moves() {
        let tally = |games| Tally { games, ..Tally::default() };
        let mut block = Block::new();
        for (position, next, games) in [(1, 1, 1), (2, 1, 1), (3, 1, 3), (2, 2, 1), (1, 1, 0)] {
            write_row(Packed([position; 4]), MoveCode(next), &tally(games), &mut block);
        }
        let blocks = [block];
        let mut sorted = Sorted::default();
        sorted.sort(&blocks);
        let mut found = Vec::new();
        loop {
            sorted.pass_over_rare(2, &blocks);
            let Some(row) = sorted.next(&blocks).and_then(|found| found.row()) else { break };
            found.push((row.key.0[0], row.next.0, row.games));
        }
        found.sort();
        assert_eq!(found, [(2, 1, 1), (2, 2, 1), (3, 1, 3)]);
    }
}
