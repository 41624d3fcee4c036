//! Rows in memory, in blocks, each with those of its kind.

use crate::games::Games;
use crate::row::LONGEST_HEAD;
use crate::sorted::{Block, Sorted};

/// So many kinds of rows are kept apart, by the first bits of the hash: each kind has its place in the order, and is small enough
/// that sorting it stays within the caches.
pub(crate) const PARTITIONS: usize = 256;

/// So many kinds of rows are added up to see whether it pays.
const TRIED: usize = 8;

/// The kind of rows with this hash.
#[inline]
pub(crate) fn partition_of(hash: u64) -> usize {
    (hash >> 56) as usize
}

/// Rows in blocks of equal size, which are used again.
#[derive(Debug)]
pub(crate) struct Store {
    partitions: Vec<Vec<Block>>,
    free: Vec<Block>,
    /// What the blocks in use take, in bytes.
    used: usize,
    block: usize,
}

impl Store {
    /// A store for about `memory` bytes.
    pub(crate) fn new(memory: usize) -> Self {
        Store {
            partitions: (0..PARTITIONS).map(|_| Vec::new()).collect(),
            free: Vec::new(),
            used: 0,
            // Of each kind one block is half empty.
            block: (memory / 8 / PARTITIONS).clamp(1 << 10, 16 << 10),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// What the rows take, with what is not yet filled of their blocks, in bytes.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// A block of this kind with room for so many bytes.
    #[inline]
    pub(crate) fn room(&mut self, partition: usize, len: usize) -> &mut Block {
        let blocks = &mut self.partitions[partition];
        match blocks.last() {
            Some(block) if block.capacity() - block.len() >= len => {}
            _ => self.new_block(partition),
        }
        self.partitions[partition].last_mut().expect("there is one with room")
    }

    #[cold]
    fn new_block(&mut self, partition: usize) {
        let block = self.free.pop().unwrap_or_else(|| Block::with_capacity(self.block));
        self.used += block.capacity();
        self.partitions[partition].push(block);
    }

    /// Takes the rows of a kind out; the blocks are to be [given back](Store::give_back).
    pub(crate) fn take(&mut self, partition: usize) -> Vec<Block> {
        std::mem::take(&mut self.partitions[partition])
    }

    /// What [`Store::take`] gave is of no more use.
    pub(crate) fn give_back(&mut self, blocks: &mut Vec<Block>) {
        for mut block in blocks.drain(..) {
            self.used -= block.capacity();
            block.clear();
            self.free.push(block);
        }
    }

    /// Adds up rows of the same move, if that makes fewer rows. Those of a few kinds tell.
    pub(crate) fn compact(&mut self, games: &Games) {
        let mut sorted = Sorted::default();
        let (mut before, mut after) = (0, 0);
        for partition in 0..PARTITIONS {
            if partition == TRIED && after > before / 4 * 3 {
                return;
            }
            let mut blocks = self.take(partition);
            before += bytes_of(&blocks);
            sorted.sort(&blocks);
            while let Some(found) = sorted.next(&blocks, games) {
                found.write_back(self.room(partition, LONGEST_HEAD));
            }
            after += bytes_of(&self.partitions[partition]);
            self.give_back(&mut blocks);
        }
    }

    /// Gives memory back that no row needs.
    pub(crate) fn shrink(&mut self) {
        self.free = Vec::new();
    }
}

fn bytes_of(blocks: &[Block]) -> usize {
    blocks.iter().map(Vec::len).sum()
}
