//! All counts, read in order: partition by partition, entries and rows are sorted and added up.

use std::collections::VecDeque;
use std::io;
use std::iter::Peekable;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use san::PositionKey;
use stream::ordered::{OrderedTasks, Threads, lock};
use stream::spill::Run;

use crate::block::{Counted, Row};
use crate::collect::Details;
use crate::disk::{Blocks, CountOrder, Disk, PARTITIONS, Sorted, merged};
use crate::error::BookError;
use crate::games::Games;
use crate::table::{Partitions, SortedRows, Table};

/// All counts, in memory or in files.
#[derive(Debug)]
pub(crate) struct Totals {
    counters: Vec<CounterRows>,
    order: CountOrder,
    threads: Threads,
    memory: usize,
    unused: Mutex<Vec<SortBuffers>>,
}

/// The counts of a counter: each partition is in memory or in a file.
#[derive(Debug)]
pub(crate) struct CounterRows {
    games: Games,
    table: Table,
    partitions: OnceLock<Partitions>,
    disk: RwLock<Disk>,
}

impl CounterRows {
    pub(crate) fn new(games: Games, table: Table, disk: Disk) -> Self {
        CounterRows { games, table, partitions: OnceLock::new(), disk: RwLock::new(disk) }
    }

    /// The counts of partial results, which are all in a file.
    pub(crate) fn of_disk(disk: Disk) -> Self {
        CounterRows::new(Games::default(), Table::new(Details::NONE), disk)
    }

    /// Returns the memory in use, in bytes.
    #[cfg(test)]
    pub(crate) fn used(&self) -> usize {
        self.table.used() + self.games.used()
    }

    /// Returns the space on disk that rows take, in bytes.
    pub(crate) fn len_on_disk(&self) -> u64 {
        (0..PARTITIONS).map(|partition| read(&self.disk).len(partition)).sum()
    }

    fn partitions(&self, order: &CountOrder) -> &Partitions {
        self.partitions.get_or_init(|| Partitions::of(&self.table, order))
    }

    fn in_memory(&self, partition: usize, order: &CountOrder, least: u64) -> SortedRows<'_> {
        let CounterRows { games, table, .. } = self;
        SortedRows::new(table, games, self.partitions(order), partition, least)
    }
}

/// Buffers for a partition, whose allocations are reused.
#[derive(Debug, Default)]
struct SortBuffers {
    blocks: Blocks,
    sorted: Sorted,
}

/// Divisors of the memory: for a partition being sorted, and for those sorted in advance.
const PARTITION_SHARE: u64 = 4;
const ADVANCE_SHARE: u64 = 16;

/// Partitions read in advance for each thread, so that none waits while one uses a result.
const AHEAD: usize = 4;

/// Number of counts handed on at once where no whole partition is.
const PIECE: usize = 512;

/// Number of entries that are read at once in any order.
const ENTRIES: usize = 1 << 14;

/// Counts in order, not decoded; a position is never divided.
pub(crate) type RowsIter<'i, 'r> = dyn Iterator<Item = io::Result<Row<'r>>> + 'i;

/// What is made of a piece of the counts.
pub(crate) trait MapRows<T>:
    Fn(&mut RowsIter<'_, '_>) -> Result<T, BookError> + Send + Sync + 'static
{
}

impl<T, F> MapRows<T> for F where
    F: Fn(&mut RowsIter<'_, '_>) -> Result<T, BookError> + Send + Sync + 'static
{
}

impl Totals {
    pub(crate) fn new(
        counters: Vec<CounterRows>,
        order: CountOrder,
        threads: Threads,
        memory: usize,
    ) -> Self {
        Totals { counters, order, threads, memory, unused: Mutex::default() }
    }

    /// Returns all counts.
    #[cfg(test)]
    pub(crate) fn all(self) -> Vec<Counted> {
        let mut all = Vec::new();
        let decoded =
            |rows: &mut RowsIter<'_, '_>| Ok(rows.map(|row| row.unwrap().counted()).collect());
        let mut take = |counts: Vec<Counted>| {
            all.extend(counts);
            Ok(())
        };
        self.map(1, decoded, &mut take).unwrap();
        all
    }

    pub(crate) fn threads(&self) -> Threads {
        self.threads.clone()
    }

    /// Calls `map` with the counts in any order, otherwise as [`Totals::map`].
    pub(crate) fn map_unordered<T: Send + 'static>(
        self,
        least_games: u64,
        map: impl MapRows<T>,
        take: &mut dyn FnMut(T) -> Result<(), BookError>,
    ) -> Result<(), BookError> {
        match self.are_positions() {
            true => self.map_entries(least_games, map, take),
            false => self.map(least_games, map, take),
        }
    }

    /// `take` gets results in order; positions with fewer games than `least_games` may be included.
    pub(crate) fn map<T: Send + 'static>(
        self,
        least_games: u64,
        map: impl MapRows<T>,
        take: &mut dyn FnMut(T) -> Result<(), BookError>,
    ) -> Result<(), BookError> {
        let in_advance = self.memory as u64 / ADVANCE_SHARE;
        let most = AHEAD * self.threads.count();
        let mut tasks = OrderedTasks::new(self.threads.clone()).with_most(most);
        let (totals, map) = (Arc::new(self), Arc::new(map));
        // The sizes of the partitions that are being read.
        let mut sizes = VecDeque::new();
        for partition in 0..PARTITIONS {
            let size = totals.len(partition);
            while sizes.len() >= most
                || !sizes.is_empty() && sizes.iter().sum::<u64>() + size > in_advance
            {
                sizes.pop_front();
                tasks.wait().map_or(Ok(()), |result: Result<T, _>| take(result?))?;
            }
            if size <= in_advance {
                let (totals, map) = (totals.clone(), map.clone());
                tasks.push(move || totals.partition(partition, least_games)?.map(&*map))?;
                sizes.push_back(size);
            } else {
                let counts = totals.decoded(partition, least_games)?;
                map_pieces(counts, totals.threads.clone(), &map, take)?;
            }
        }
        while let Some(result) = tasks.wait() {
            take(result?)?;
        }
        Ok(())
    }

    /// Whether each entry in memory has all counts of a position.
    fn are_positions(&self) -> bool {
        let are = |of: &CounterRows| of.table.is_by_position() && of.len_on_disk() == 0;
        self.counters.iter().all(are)
    }

    /// As [`Totals::map`], with the entries in the order of their arrival.
    fn map_entries<T: Send + 'static>(
        self,
        least_games: u64,
        map: impl MapRows<T>,
        take: &mut dyn FnMut(T) -> Result<(), BookError>,
    ) -> Result<(), BookError> {
        let mut tasks =
            OrderedTasks::new(self.threads.clone()).with_most(AHEAD * self.threads.count());
        let (totals, map) = (Arc::new(self), Arc::new(map));
        for counter in 0..totals.counters.len() {
            let len = totals.counters[counter].table.len();
            for start in (0..len).step_by(ENTRIES) {
                let (totals, map) = (totals.clone(), map.clone());
                tasks.push(move || {
                    let CounterRows { games, table, .. } = &totals.counters[counter];
                    let entries = start..len.min(start + ENTRIES);
                    let mut rows = table.rows(entries, least_games, games);
                    map(&mut (&mut rows).map(Ok))
                })?;
                while let Some(result) = tasks.next_ready() {
                    take(result?)?;
                }
            }
        }
        while let Some(result) = tasks.wait() {
            take(result?)?;
        }
        Ok(())
    }

    /// Returns the memory or the space on disk that the rows of a partition take, in bytes.
    fn len(&self, partition: usize) -> u64 {
        let len = |rows: &CounterRows| {
            let entries = rows.partitions(&self.order).len(partition) * rows.table.entry_bytes();
            entries as u64 + read(&rows.disk).len(partition)
        };
        self.counters.iter().map(len).sum()
    }

    /// Returns the decoded counts of a partition, which may be larger than memory.
    fn decoded<'t>(&'t self, partition: usize, least: u64) -> io::Result<Run<'t, Counted>> {
        let counters = &self.counters;
        let in_file = |rows: &CounterRows| read(&rows.disk).len(partition);
        if counters.iter().map(in_file).sum::<u64>() <= self.memory as u64 / PARTITION_SHARE {
            return Ok(self.partition(partition, least)?.decoded());
        }
        lock(&self.unused).clear();
        let run = |rows: &'t CounterRows| match in_file(rows) {
            0 => Ok(decoded(rows.in_memory(partition, &self.order, 1))),
            _ => write(&rows.disk).merge(partition),
        };
        merged(counters.iter().map(run).collect::<io::Result<Vec<_>>>()?)
    }

    fn partition(&self, partition: usize, least_games: u64) -> io::Result<PartitionCounts<'_>> {
        let counters = &self.counters;
        if let [rows] = &counters[..]
            && read(&rows.disk).len(partition) == 0
        {
            let rows = rows.in_memory(partition, &self.order, least_games);
            return Ok(PartitionCounts::InMemory(rows));
        }
        let mut buffers = lock(&self.unused).pop().unwrap_or_default();
        buffers.blocks.clear();
        for rows in counters {
            read(&rows.disk).read(partition, &mut buffers.blocks)?;
            let block = buffers.blocks.begin();
            rows.in_memory(partition, &self.order, 1).for_each(|row| row.write(block));
        }
        buffers.sorted.sort(&buffers.blocks);
        let disk = &counters[0].disk;
        Ok(PartitionCounts::Sorted(RowsOnDisk { totals: self, disk, buffers, least_games }))
    }
}

fn decoded(rows: SortedRows<'_>) -> Run<'_, Counted> {
    Box::new(rows.map(|row| Ok(row.counted())))
}

enum PartitionCounts<'t> {
    InMemory(SortedRows<'t>),
    Sorted(RowsOnDisk<'t>),
}

impl<'t> PartitionCounts<'t> {
    fn map<T>(self, map: &impl MapRows<T>) -> Result<T, BookError> {
        match self {
            PartitionCounts::InMemory(rows) => map(&mut rows.map(Ok)),
            PartitionCounts::Sorted(mut rows) => rows.map_rows(map),
        }
    }

    fn decoded(self) -> Run<'t, Counted> {
        match self {
            PartitionCounts::InMemory(rows) => decoded(rows),
            PartitionCounts::Sorted(rows) => Box::new(rows),
        }
    }
}

/// Calls `map` with pieces of the counts, on all threads, and `take` with the results, in order.
fn map_pieces<T: Send + 'static>(
    counts: impl Iterator<Item = io::Result<Counted>>,
    threads: Threads,
    map: &Arc<impl MapRows<T>>,
    take: &mut dyn FnMut(T) -> Result<(), BookError>,
) -> Result<(), BookError> {
    let mut counts = counts.peekable();
    let mut tasks = OrderedTasks::new(threads);
    while counts.peek().is_some() {
        let piece = Piece::new(&mut counts).collect::<io::Result<Vec<Counted>>>()?;
        let map = Arc::clone(map);
        tasks.push(move || map(&mut piece.iter().map(|counted| Ok(counted.row()))))?;
        while let Some(result) = tasks.next_ready() {
            take(result?)?;
        }
    }
    while let Some(result) = tasks.wait() {
        take(result?)?;
    }
    Ok(())
}

/// The next counts, of whole positions.
struct Piece<'p, I: Iterator> {
    counts: &'p mut Peekable<I>,
    len: usize,
    last: Option<PositionKey>,
}

impl<'p, I: Iterator> Piece<'p, I> {
    fn new(counts: &'p mut Peekable<I>) -> Self {
        Piece { counts, len: 0, last: None }
    }
}

impl<I: Iterator<Item = io::Result<Counted>>> Iterator for Piece<'_, I> {
    type Item = io::Result<Counted>;

    fn next(&mut self) -> Option<Self::Item> {
        let (is_full, last) = (self.len >= PIECE, self.last);
        let next = self.counts.next_if(|next| match next {
            Ok(Counted { key, .. }) => !is_full || last == Some(*key),
            Err(_) => true,
        })?;
        self.len += 1;
        self.last = next.as_ref().ok().map(|Counted { key, .. }| *key);
        Some(next)
    }
}

fn read(disk: &RwLock<Disk>) -> RwLockReadGuard<'_, Disk> {
    disk.read().unwrap_or_else(PoisonError::into_inner)
}

fn write(disk: &RwLock<Disk>) -> RwLockWriteGuard<'_, Disk> {
    disk.write().unwrap_or_else(PoisonError::into_inner)
}

/// The counts of a partition in a file, which is sorted in memory.
struct RowsOnDisk<'t> {
    totals: &'t Totals,
    disk: &'t RwLock<Disk>,
    buffers: SortBuffers,
    least_games: u64,
}

impl RowsOnDisk<'_> {
    fn map_rows<T>(&mut self, map: &impl MapRows<T>) -> Result<T, BookError> {
        let RowsOnDisk { disk, buffers: SortBuffers { blocks, sorted }, least_games, .. } = self;
        map(&mut std::iter::from_fn(|| {
            let row = sorted.next_of_many(*least_games, blocks)?;
            Some(row.ok_or_else(|| read(disk).damaged()))
        }))
    }
}

impl Iterator for RowsOnDisk<'_> {
    type Item = io::Result<Counted>;

    fn next(&mut self) -> Option<Self::Item> {
        let SortBuffers { blocks, sorted } = &mut self.buffers;
        let row = sorted.next_of_many(self.least_games, blocks)?;
        Some(row.map(|row| row.counted()).ok_or_else(|| read(self.disk).damaged()))
    }
}

impl Drop for RowsOnDisk<'_> {
    fn drop(&mut self) {
        lock(&self.totals.unused).push(std::mem::take(&mut self.buffers));
    }
}

#[cfg(test)]
mod tests;
