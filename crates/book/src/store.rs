//! Rows in memory, in blocks that each hold rows of one partition.

use crate::games::Games;
use crate::sorted::{Blocks, Sorted};

/// Number of partitions, chosen by the first bits of the hash. Partitions are in sort order, and
/// each is small enough to be sorted within the caches.
pub(crate) const PARTITIONS: usize = 256;

/// Number of partitions that are compacted to decide whether compaction is worthwhile.
const TRIED: usize = 8;

/// Returns the partition of a hash.
#[inline]
pub(crate) fn partition_of(hash: u64) -> usize {
    (hash >> 56) as usize
}

/// Rows in blocks of equal size, which are recycled.
#[derive(Debug)]
pub(crate) struct Store {
    partitions: Vec<Vec<Part>>,
    /// Unused blocks.
    free: Vec<u32>,
    /// Number of blocks ever used.
    begun: u32,
    /// Memory of all blocks; allocations this large are returned to the system when freed, whatever
    /// was allocated since.
    slabs: Vec<Vec<u8>>,
    block: usize,
}

/// A block, and its fill level.
#[derive(Clone, Copy, Debug)]
struct Part {
    block: u32,
    len: u32,
}

/// Size of a slab, in bytes. Untouched pages use no memory.
const SLAB: usize = 32 << 20;

/// Maximum size of a gathered block in bytes; offsets in it have 32 bits.
const GATHERED: usize = 1 << 30;

impl Store {
    /// Creates a store for about `memory` bytes.
    pub(crate) fn new(memory: usize) -> Self {
        // On average, one block per partition is half empty. A slab holds a whole number of blocks.
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

    /// Returns the memory in use, including unfilled parts of blocks, in bytes.
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

    /// Copies the rows of a partition to `blocks`.
    pub(crate) fn copy(&self, partition: usize, blocks: &mut Blocks) {
        blocks.clear();
        let mut parts = self.partitions[partition].iter().peekable();
        while parts.peek().is_some() {
            let gathered = blocks.begin();
            while let Some(Part { block, len }) =
                parts.next_if(|_| gathered.len() + self.block <= GATHERED)
            {
                let place = *block as usize * self.block;
                let rows = &self.slabs[place / SLAB][place % SLAB..][..*len as usize];
                gathered.extend_from_slice(rows);
            }
        }
    }

    /// Returns the memory of the blocks of a partition, in bytes.
    pub(crate) fn len(&self, partition: usize) -> u64 {
        (self.partitions[partition].len() * self.block) as u64
    }

    /// Copies the rows of a partition to `blocks`, and removes them.
    pub(crate) fn take(&mut self, partition: usize, blocks: &mut Blocks) {
        self.copy(partition, blocks);
        self.free.extend(self.partitions[partition].drain(..).map(|part| part.block));
    }

    /// Adds up rows of the same move, if a trial on a few partitions shows that it saves enough
    /// memory.
    pub(crate) fn compact(&mut self, games: &Games) {
        let (mut sorted, mut blocks, mut row) = (Sorted::default(), Blocks::default(), Vec::new());
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

    /// Moves blocks to free places before them, and releases the memory after the last one.
    pub(crate) fn shrink(&mut self) {
        let used = self.begun - self.free.len() as u32;
        let mut free = std::mem::take(&mut self.free).into_iter().filter(|block| *block < used);
        let mut rows = Vec::new();
        for part in self.partitions.iter_mut().flatten().filter(|part| part.block >= used) {
            let size = self.block;
            let place = |block: u32| (block as usize * size / SLAB, block as usize * size % SLAB);
            let to = free.next().expect("each of these blocks leaves a place free");
            let ((from_slab, from), (to_slab, at)) = (place(part.block), place(to));
            rows.clear();
            rows.extend_from_slice(&self.slabs[from_slab][from..][..part.len as usize]);
            self.slabs[to_slab][at..][..rows.len()].copy_from_slice(&rows);
            part.block = to;
        }
        self.begun = used;
        self.slabs.truncate((used as usize * self.block).div_ceil(SLAB));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_remain_move_to_free_places_and_keep_their_rows() {
        let mut store = Store::new(0);
        // More than one slab, in small blocks.
        let row = |partition: usize, number: usize| [partition as u8 ^ number as u8; 64];
        let (partitions, rows) = (0..PARTITIONS, 2500);
        for number in 0..rows {
            partitions.clone().for_each(|partition| store.push(partition, &row(partition, number)));
        }
        let (slabs, used) = (store.slabs.len(), store.used());
        assert!(slabs > 1);
        let mut blocks = Blocks::default();
        (0..200).for_each(|partition| store.take(partition, &mut blocks));
        store.shrink();
        assert!(store.slabs.len() < slabs && store.free.is_empty() && store.used() < used / 4);
        assert!(store.partitions.iter().flatten().all(|part| part.block < store.begun));
        for partition in partitions {
            store.copy(partition, &mut blocks);
            let expected = if partition < 200 { 0 } else { rows };
            let found: Vec<&[u8]> = blocks.iter().flat_map(|block| block.chunks(64)).collect();
            assert_eq!(found.len(), expected);
            let mut numbered = found.iter().enumerate();
            assert!(numbered.all(|(number, bytes)| **bytes == row(partition, number)));
        }
        // What is pushed afterwards does not overwrite rows.
        store.push(255, &row(255, rows));
        store.copy(255, &mut blocks);
        assert_eq!(blocks.iter().map(Vec::len).sum::<usize>(), 64 * (rows + 1));
    }
}
