//! Counting in bounded memory.
//!
//! What chunks have counted is kept as rows, one behind the other, apart by the first bits of their hashes. When memory is full,
//! rows of the same move are added up, kind by kind: that sorts them, and they are few enough for the caches. What is still too much
//! goes to disk, sorted. In the end kind after kind is read back and added up once more, and so comes out in the order of hashes.

use std::io;
use std::path::Path;

use san::Packed;

use crate::collect::Counts;
use crate::disk::Disk;
use crate::hash::hash;
use crate::merge::{Counted, Merge};
use crate::run::damaged;
use crate::sorted::{Block, Sorted};
use crate::store::{PARTITIONS, Store, partition_of};
use crate::tally::Tally;
use crate::temporary::Temporary;
use crate::{BookError, MoveCode};

/// Adds up the counts of many chunks.
///
/// Temporary files have no name: whatever ends the program, they are gone.
#[derive(Debug)]
pub struct Aggregate {
    store: Store,
    disk: Option<Disk>,
    spills: usize,
    memory: usize,
    /// Rows are added up when they take so much.
    limit: usize,
    temporary: Temporary,
}

/// Rows are added up first when they take so much, in bytes, and then when they are so many times what was left.
const EARLY: usize = 64 << 20;
const GROWTH: usize = 4;

impl Aggregate {
    /// Counts in about `memory` bytes; what does not fit goes to files in `folder`.
    pub fn new(memory: usize, folder: &Path) -> Self {
        Aggregate {
            store: Store::new(memory),
            disk: None,
            spills: 0,
            memory,
            limit: memory.min(EARLY),
            temporary: Temporary { folder: folder.to_owned() },
        }
    }

    /// Adds the counts of a chunk, in whose file so many games come before it. Files have numbers in the order of their names.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written.
    pub fn add(&mut self, counts: &Counts, file: u32, games_before: u64) -> Result<(), BookError> {
        let table = &counts.table;
        for slot in table.slots() {
            let partition = partition_of(hash(slot.key));
            let len = table.most_bytes(slot);
            let write = |block: &mut Block| table.write(slot, file, games_before, block);
            if !self.store.push(partition, len, self.limit, write) {
                self.make_room(len)?;
                let is_pushed = self.store.push(partition, len, usize::MAX, write);
                debug_assert!(is_pushed);
            }
        }
        Ok(())
    }

    /// Makes room for a row of so many bytes.
    #[cold]
    fn make_room(&mut self, len: usize) -> Result<(), BookError> {
        if self.disk.is_none() {
            let before = self.store.used();
            self.store.compact();
            let used = self.store.used();
            // Where few moves come again it is not worth while.
            let next = if used < before / 4 * 3 { GROWTH * used } else { usize::MAX };
            self.limit = next.max(EARLY).min(self.memory);
            if used.saturating_add(len) <= self.memory / 2 {
                return Ok(());
            }
        }
        self.limit = self.memory;
        self.spill()
    }

    /// How many times the memory was full.
    pub fn spills(&self) -> usize {
        self.spills
    }

    /// Writes all rows to disk.
    fn spill(&mut self) -> Result<(), BookError> {
        self.spills += 1;
        let disk = match &mut self.disk {
            Some(disk) => disk,
            none => none.insert(Disk::new(self.temporary.file()?)),
        };
        let store = &mut self.store;
        let mut write = || -> io::Result<()> {
            let mut sorted = Sorted::default();
            for partition in 0..PARTITIONS {
                let mut blocks = store.take(partition);
                sorted.sort(&blocks);
                disk.write(partition, &mut sorted, &blocks)?;
                store.give_back(&mut blocks);
            }
            disk.flush()
        };
        write().map_err(|error| self.temporary.failed(error))
    }

    /// Hands over all that was counted, move by move, those of a position together.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written or read.
    pub fn for_each(self, take: &mut dyn FnMut(Packed, MoveCode, &Tally)) -> Result<(), BookError> {
        let mut sum = self.finish()?;
        let temporary = sum.temporary.clone();
        for counted in sum.counts(1) {
            let (key, next, tally) = counted.map_err(|error| temporary.failed(error))?;
            take(key, next, &tally);
        }
        Ok(())
    }

    /// All counts. At most half of the memory is still in use.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written or read.
    pub(crate) fn finish(mut self) -> Result<Sum, BookError> {
        let most = self.memory / 2;
        if self.disk.is_none() && self.store.used() > most {
            self.store.compact();
        }
        if !self.store.is_empty() && (self.disk.is_some() || self.store.used() > most) {
            self.spill()?;
        }
        self.store.shrink();
        let Aggregate { store, disk, temporary, memory, .. } = self;
        Ok(Sum { store, disk, memory, temporary })
    }
}

/// The counts of everything, in memory or in a file.
#[derive(Debug)]
pub(crate) struct Sum {
    store: Store,
    disk: Option<Disk>,
    memory: usize,
    pub(crate) temporary: Temporary,
}

impl Sum {
    /// The counts in their order, but for those of positions that fewer games reached: of these some may come, or none.
    pub(crate) fn counts(&mut self, least_games: u64) -> SumCounts<'_> {
        SumCounts {
            sum: self,
            least_games,
            partition: 0,
            blocks: Vec::new(),
            sorted: Sorted::default(),
            merge: None,
        }
    }
}

/// The iterator that [`Sum::counts`] returns.
pub(crate) struct SumCounts<'s> {
    sum: &'s mut Sum,
    least_games: u64,
    /// The kind that comes next.
    partition: usize,
    blocks: Vec<Block>,
    sorted: Sorted,
    merge: Option<Merge<'static>>,
}

impl SumCounts<'_> {
    /// Goes on to the next kind.
    fn advance(&mut self) -> io::Result<()> {
        let Sum { store, disk, memory, .. } = &mut *self.sum;
        let partition = self.partition;
        self.partition += 1;
        match disk {
            None => self.blocks = store.take(partition),
            Some(disk) if disk.len(partition) <= *memory as u64 / 4 => {
                disk.read(partition, &mut self.blocks)?
            }
            Some(disk) => {
                (self.blocks, self.sorted) = (Vec::new(), Sorted::default());
                self.merge = Some(disk.merge(partition)?);
                return Ok(());
            }
        }
        self.sorted.sort(&self.blocks);
        Ok(())
    }
}

impl Iterator for SumCounts<'_> {
    type Item = io::Result<Counted>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(merge) = &mut self.merge {
                match merge.next() {
                    None => self.merge = None,
                    counted => return counted,
                }
            }
            if self.least_games > 1 {
                self.sorted.pass_over_rare(self.least_games, &self.blocks);
            }
            if let Some(found) = self.sorted.next(&self.blocks) {
                let counted = found.row().and_then(|row| Some((row.key, row.next, row.tally()?)));
                return Some(counted.ok_or_else(damaged));
            }
            if self.partition == PARTITIONS {
                return None;
            }
            if let Err(error) = self.advance() {
                self.partition = PARTITIONS;
                return Some(Err(error));
            }
        }
    }
}
