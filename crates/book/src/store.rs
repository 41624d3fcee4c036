//! Rows in memory, in blocks, each with those of its kind.

use crate::sorted::{Block, Sorted};

/// So many kinds of rows are kept apart, by the first bits of the hash: each kind has its place in the order, and is small enough
/// that sorting it stays within the caches.
pub(crate) const PARTITIONS: usize = 256;

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
            block: (memory / 8 / PARTITIONS).clamp(1 << 10, 64 << 10),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// What the rows take, with what is not yet filled of their blocks, in bytes.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// Has a row of at most `len` bytes written, if that takes no more than `memory` in all.
    #[inline]
    pub(crate) fn push(
        &mut self,
        partition: usize,
        len: usize,
        memory: usize,
        write: impl FnOnce(&mut Block),
    ) -> bool {
        match self.partitions[partition].last_mut() {
            Some(block) if block.capacity() - block.len() >= len => write(block),
            _ => {
                if !self.is_empty() && self.used + self.block.max(len) > memory {
                    return false;
                }
                write(self.new_block(partition, len));
            }
        }
        true
    }

    /// A block with room for so many bytes.
    #[cold]
    fn new_block(&mut self, partition: usize, len: usize) -> &mut Block {
        let block = match self.free.pop() {
            Some(block) if len <= self.block => block,
            other => {
                self.free.extend(other);
                let block = Block::with_capacity(self.block.max(len));
                block
            }
        };
        self.used += block.capacity();
        let blocks = &mut self.partitions[partition];
        blocks.push(block);
        blocks.last_mut().expect("it was just pushed")
    }

    /// Takes the rows of a kind out; the blocks are to be [given back](Store::give_back).
    pub(crate) fn take(&mut self, partition: usize) -> Vec<Block> {
        std::mem::take(&mut self.partitions[partition])
    }

    /// What [`Store::take`] gave is of no more use.
    pub(crate) fn give_back(&mut self, blocks: &mut Vec<Block>) {
        for mut block in blocks.drain(..) {
            self.used -= block.capacity();
            // Only a very long row has a block of its own size.
            if block.capacity() == self.block {
                block.clear();
                self.free.push(block);
            }
        }
    }

    /// Adds up rows of the same move.
    pub(crate) fn compact(&mut self) {
        let mut sorted = Sorted::default();
        for partition in 0..PARTITIONS {
            let mut blocks = self.take(partition);
            sorted.sort(&blocks);
            while let Some(found) = sorted.next(&blocks) {
                let len = found.len();
                match self.partitions[partition].last_mut() {
                    Some(block) if block.capacity() - block.len() >= len => found.write(block),
                    _ => found.write(self.new_block(partition, len)),
                }
            }
            self.give_back(&mut blocks);
        }
    }

    /// Gives memory back that no row needs.
    pub(crate) fn shrink(&mut self) {
        self.free = Vec::new();
    }
}
