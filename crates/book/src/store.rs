//! Rows in memory, in blocks, each with those of its kind.

use crate::games::Games;
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
    partitions: Vec<Vec<Part>>,
    /// Blocks of which no use is made.
    free: Vec<u32>,
    /// So many blocks were ever used.
    begun: u32,
    /// What all blocks stand in: the system takes back pieces that are so large, whatever else was allocated since.
    slabs: Vec<Vec<u8>>,
    block: usize,
}

/// A block, and how much of it is filled.
#[derive(Clone, Copy, Debug)]
struct Part {
    block: u32,
    len: u32,
}

/// The size of a slab, in bytes. Its pages take no memory before they are written to.
const SLAB: usize = 32 << 20;

/// What sorting has one behind the other, in bytes: places in it have 32 bits.
const GATHERED: usize = 1 << 30;

impl Store {
    /// A store for about `memory` bytes.
    pub(crate) fn new(memory: usize) -> Self {
        // Of each kind one block is half empty. Slabs hold a whole number of blocks.
        let block = (memory / 8 / PARTITIONS).clamp(1 << 10, 16 << 10);
        Store {
            partitions: (0..PARTITIONS).map(|_| Vec::new()).collect(),
            free: Vec::new(),
            begun: 0,
            slabs: Vec::new(),
            block: 1 << block.ilog2(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.used() == 0
    }

    /// What the rows take, with what is not yet filled of their blocks, in bytes.
    pub(crate) fn used(&self) -> usize {
        (self.begun as usize - self.free.len()) * self.block
    }

    /// Adds a row.
    #[inline]
    pub(crate) fn push(&mut self, partition: usize, row: &[u8]) {
        let size = self.block;
        let part = match self.partitions[partition].last_mut() {
            Some(part) if size - part.len as usize >= row.len() => part,
            _ => self.new_part(partition),
        };
        let place = part.block as usize * size + part.len as usize;
        part.len += row.len() as u32;
        self.slabs[place / SLAB][place % SLAB..][..row.len()].copy_from_slice(row);
    }

    #[cold]
    fn new_part(&mut self, partition: usize) -> &mut Part {
        let block = self.free.pop().unwrap_or_else(|| {
            self.begun += 1;
            self.begun - 1
        });
        if block as usize * self.block == self.slabs.len() * SLAB {
            self.slabs.push(vec![0; SLAB]);
        }
        let parts = &mut self.partitions[partition];
        parts.push(Part { block, len: 0 });
        parts.last_mut().expect("it was just pushed")
    }

    /// Takes the rows of a kind out, into `blocks`, whose memory is used again.
    pub(crate) fn take(&mut self, partition: usize, blocks: &mut Vec<Block>) {
        blocks.iter_mut().for_each(Vec::clear);
        let mut used = 0;
        for Part { block, len } in self.partitions[partition].drain(..) {
            if blocks.get(used).is_some_and(|gathered| gathered.len() + self.block > GATHERED) {
                used += 1;
            }
            if blocks.len() == used {
                blocks.push(Block::new());
            }
            let place = block as usize * self.block;
            let rows = &self.slabs[place / SLAB][place % SLAB..][..len as usize];
            blocks[used].extend_from_slice(rows);
            self.free.push(block);
        }
    }

    /// Adds up rows of the same move, if that makes fewer rows. Those of a few kinds tell.
    pub(crate) fn compact(&mut self, games: &Games) {
        let (mut sorted, mut blocks, mut row) = (Sorted::default(), Vec::new(), Vec::new());
        let (mut before, mut after) = (0, 0);
        for partition in 0..PARTITIONS {
            if partition == TRIED && after > before / 4 * 3 {
                return;
            }
            self.take(partition, &mut blocks);
            before += blocks.iter().map(Vec::len).sum::<usize>();
            sorted.sort(&blocks);
            while let Some(found) = sorted.next(&blocks, games) {
                row.clear();
                found.write_back(&mut row);
                after += row.len();
                self.push(partition, &row);
            }
        }
    }

    /// Gives memory back that no row needs.
    pub(crate) fn shrink(&mut self) {
        if self.is_empty() {
            (self.free, self.begun, self.slabs) = (Vec::new(), 0, Vec::new());
        }
    }
}
