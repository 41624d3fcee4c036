//! All counts, in order: tables and sorted blocks are read range by range, and added up.

use std::mem;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use stream::ordered::{OrderedTasks, Threads};

use crate::block::{BLOCK, Block, CountsEntry, add_up, key_of_sort_key, rank, sort_key};
use crate::count_file::SectionRecord;
use crate::error::BookError;
use crate::run::{RunWriter, SortedRun, TempFile};
use crate::table::Table;
use crate::tally::Game;

/// All counts: those of a position are in one table or in runs.
#[derive(Debug)]
pub(crate) struct Totals {
    pub(crate) tables: Arc<[Table]>,
    pub(crate) runs: Vec<SortedRun>,
    pub(crate) threads: Threads,
    pub(crate) memory: usize,
    pub(crate) folder: PathBuf,
}

pub(crate) type EntriesIter<'i, 't> = dyn Iterator<Item = Result<CountsEntry<'t>, BookError>> + 'i;

/// Ranges read in advance for each thread, so that none waits while one uses a result.
const AHEAD: usize = 4;

/// Number of entries that are read at once in any order, of which several may wait in memory.
const ENTRIES: usize = 1 << 12;

/// The memory of a range: a share of all, small enough for the caches.
const RANGE_SHARE: usize = 32;
const RANGE_BYTES: Range<usize> = 64 << 10..512 << 10;

/// The size of the blocks of a temporary file, of which a range has one of each run.
const BLOCK_SHARE: usize = 512;
const LEAST_BLOCK: usize = 1 << 10;

/// The share of the memory for one block of each run, and the runs merged at once in any case.
const RUNS_SHARE: usize = 16;
const LEAST_RUNS: usize = 16;

fn block_bytes(memory: usize) -> usize {
    (memory / BLOCK_SHARE).clamp(LEAST_BLOCK, BLOCK)
}

impl Totals {
    /// Returns the tables if each of their entries has all counts of a position.
    pub(crate) fn tables_by_position(&self) -> Option<Arc<[Table]>> {
        let is_by_position = self.runs.is_empty() && self.tables.iter().all(Table::is_by_position);
        is_by_position.then(|| self.tables.clone())
    }

    /// `take` gets results in order; positions with fewer games than `least_games` may be included.
    pub(crate) fn map<T: Send + 'static>(
        mut self,
        least_games: u64,
        map: impl Fn(&mut EntriesIter<'_, '_>) -> Result<T, BookError> + Send + Sync + 'static,
        take: &mut dyn FnMut(T) -> Result<(), BookError>,
    ) -> Result<(), BookError> {
        let threads = self.threads.clone();
        let mut temp = TempFile::new(&self.folder);
        let most = self.memory / RUNS_SHARE / threads.count() / block_bytes(self.memory);
        let most = most.max(LEAST_RUNS);
        while self.runs.len() > most {
            let group: Vec<SortedRun> = self.runs.drain(..most).collect();
            self.runs.push(write_run(&[], &group, self.memory, &mut temp)?);
        }
        let ranges = Ranges::of(&self.tables, &self.runs, self.memory / threads.count());
        let numbers = (0..=ranges.starts.len()).collect();
        let read = move |number| {
            ranges.read(number, &self.tables, &self.runs, least_games, &mut |entries| map(entries))
        };
        run_tasks(&threads, numbers, read, take)
    }
}

/// The number of a table and, in the lower half, of an entry.
pub(crate) type EntryNumber = u64;

/// Returns the counts of an entry, if they are those of enough games.
pub(crate) fn entry_of(
    tables: &[Table],
    number: EntryNumber,
    least_games: u64,
) -> Option<CountsEntry<'_>> {
    let (table, index) = (&tables[(number >> 32) as usize], number as u32 as usize);
    let (key, games) = (table.entry(index).key, table.entry(index).games);
    (u64::from(games) >= least_games)
        .then(|| CountsEntry::new(key, vec![table.counts_of(index)], &table.games))
}

/// Calls `map` with the numbers of all entries, which `take` gets in the same order.
pub(crate) fn map_entries<T: Send + 'static>(
    tables: &[Table],
    threads: &Threads,
    map: impl Fn(Range<EntryNumber>) -> Result<T, BookError> + Send + Sync + 'static,
    take: &mut dyn FnMut(T) -> Result<(), BookError>,
) -> Result<(), BookError> {
    let ranges = |(of, table): (EntryNumber, &Table)| {
        let (start, end) = (of << 32, of << 32 | table.len as u64);
        (start..end).step_by(ENTRIES).map(move |at| at..end.min(at + ENTRIES as u64))
    };
    run_tasks(threads, (0..).zip(tables).flat_map(ranges).collect(), map, take)
}

/// Calls `work` on all threads, and `take` with the results, in order.
fn run_tasks<I: Send + 'static, T: Send + 'static>(
    threads: &Threads,
    items: Vec<I>,
    work: impl Fn(I) -> Result<T, BookError> + Send + Sync + 'static,
    take: &mut dyn FnMut(T) -> Result<(), BookError>,
) -> Result<(), BookError> {
    let work = Arc::new(work);
    let mut tasks = OrderedTasks::new(threads.clone()).with_most(AHEAD * threads.count());
    for item in items {
        let work = work.clone();
        tasks.push(move || work(item))?;
        while let Some(result) = tasks.next_ready() {
            take(result?)?;
        }
    }
    while let Some(result) = tasks.wait() {
        take(result?)?;
    }
    Ok(())
}

/// Writes counts as one run, in about a share of the memory.
pub(crate) fn write_run(
    tables: &[Table],
    runs: &[SortedRun],
    memory: usize,
    temp: &mut TempFile,
) -> Result<SortedRun, BookError> {
    let ranges = Ranges::of(tables, runs, memory);
    let mut writer = RunWriter::new(temp, block_bytes(memory));
    for number in 0..=ranges.starts.len() {
        ranges.read(number, tables, runs, 1, &mut |entries| {
            for entry in entries {
                writer.push(&entry?)?;
            }
            Ok(())
        })?;
    }
    Ok(writer.finish()?)
}

/// Ranges of positions of about the same size.
struct Ranges {
    /// The ranks with which they begin, except the first.
    starts: Vec<u128>,
    entries: Vec<DividedEntries>,
}

/// The indexes of the entries of a table, range by range, and the ends of the ranges.
struct DividedEntries {
    entries: Vec<u32>,
    ends: Vec<usize>,
}

/// Number of entries of a table by which ranges are chosen.
const SAMPLED: usize = 1 << 16;

/// What an entry needs in a range, in bytes.
const OF_ENTRY: usize = 2 * size_of::<RankedItem>();

impl Ranges {
    fn of(tables: &[Table], runs: &[SortedRun], memory: usize) -> Self {
        let mut sampled: Vec<(u128, u64)> = Vec::new();
        for table in tables {
            let step = table.len.div_ceil(SAMPLED).max(1);
            let rank = |index| rank(&sort_key(table.entry(index).key));
            let bytes = (step * OF_ENTRY) as u64;
            sampled.extend((0..table.len).step_by(step).map(|index| (rank(index), bytes)));
        }
        let mut largest = 0;
        for run in runs {
            let bytes = |block: &SectionRecord| run.bytes_of(block);
            sampled.extend(run.blocks.iter().map(|block| (rank(&block.first), bytes(block))));
            largest += 2 * run.blocks.iter().map(bytes).max().unwrap_or(0).min(BLOCK as u64);
        }
        sampled.sort_unstable();
        let bounds = RANGE_BYTES;
        let most = (memory / RANGE_SHARE).clamp(bounds.start, bounds.end) as u64;
        let most = most.max(largest);
        let (mut starts, mut used) = (Vec::new(), 0);
        for (rank, bytes) in sampled {
            if used > 0 && used + bytes > most && starts.last().is_none_or(|last| *last < rank) {
                starts.push(rank);
                used = 0;
            }
            used += bytes;
        }
        let entries = tables.iter().map(|table| DividedEntries::of(table, &starts)).collect();
        Ranges { starts, entries }
    }

    fn read<T>(
        &self,
        number: usize,
        tables: &[Table],
        runs: &[SortedRun],
        least_games: u64,
        map: &mut dyn FnMut(&mut EntriesIter<'_, '_>) -> Result<T, BookError>,
    ) -> Result<T, BookError> {
        let start = number.checked_sub(1).map_or(0, |before| self.starts[before]);
        let end = self.starts.get(number).copied();
        let mut sections = Vec::new();
        for run in runs {
            // The block before those that begin in the range may end there.
            let before = |limit| run.blocks.partition_point(|block| rank(&block.first) < limit);
            let first = before(start).saturating_sub(1);
            for block in &run.blocks[first..end.map_or(run.blocks.len(), before).max(first)] {
                sections.push((run, block, run.section(block)?));
            }
        }
        let (mut stored, mut blocks, mut items) = (Vec::new(), Vec::new(), Vec::new());
        let mut games = Vec::new();
        for &(run, record, ref bytes) in &sections {
            let damaged = |_| run.damaged(record);
            let before = games.len();
            let mut block = Block::new(bytes, &mut games).map_err(damaged)?;
            run.place(record, &mut games[before..])?;
            while let Some((key, bytes)) = block.next_bytes().map_err(damaged)? {
                let rank = rank(&key);
                if rank >= start && end.is_none_or(|end| rank < end) {
                    items.push((rank, tables.len() as u32, stored.len() as u32));
                    stored.push(StoredPosition { block: blocks.len(), key, bytes });
                }
            }
            blocks.push(OpenBlock { run, record, block });
        }
        for (of, (divided, table)) in (0..).zip(self.entries.iter().zip(tables)) {
            let rank = |index| rank(&sort_key(table.entry(index as usize).key));
            items.extend(divided.range(number).iter().map(|index| (rank(*index), of, *index)));
        }
        items.sort_unstable();
        map(&mut RangeEntries {
            tables,
            blocks,
            games: &games,
            stored,
            items,
            least_games,
            at: 0,
            end_of_rank: 0,
            fetched: 0,
        })
    }
}

impl DividedEntries {
    fn of(table: &Table, starts: &[u128]) -> Self {
        let range = |index| {
            let rank = rank(&sort_key(table.entry(index).key));
            starts.partition_point(|start| *start <= rank) as u32
        };
        let ranges: Vec<u32> = (0..table.len).map(range).collect();
        let mut ends = vec![0; starts.len() + 1];
        ranges.iter().for_each(|range| ends[*range as usize] += 1);
        let mut start = 0;
        for end in &mut ends {
            start += mem::replace(end, start);
        }
        let mut entries = vec![0; table.len];
        for (index, range) in (0..).zip(ranges) {
            let at = &mut ends[range as usize];
            entries[*at] = index;
            *at += 1;
        }
        DividedEntries { entries, ends }
    }

    fn range(&self, number: usize) -> &[u32] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[start..self.ends[number]]
    }
}

/// The rank of an entry or of a stored position, the number of its table, or of all, and its index.
type RankedItem = (u128, u32, u32);

struct StoredPosition<'t> {
    block: usize,
    key: [u8; 32],
    bytes: &'t [u8],
}

struct OpenBlock<'t> {
    run: &'t SortedRun,
    record: &'t SectionRecord,
    block: Block<'t>,
}

/// The positions of a range; those in memory with too few games are skipped.
struct RangeEntries<'t> {
    tables: &'t [Table],
    blocks: Vec<OpenBlock<'t>>,
    games: &'t [Arc<Game>],
    stored: Vec<StoredPosition<'t>>,
    items: Vec<RankedItem>,
    least_games: u64,
    at: usize,
    /// The items before this one are in the order of their keys.
    end_of_rank: usize,
    /// The items before this one have been prefetched.
    fetched: usize,
}

/// Number of entries that are read together.
const FETCHED: usize = 32;

impl<'t> RangeEntries<'t> {
    /// A loop without other work, so that the processor overlaps the cache misses.
    #[inline]
    fn fetch(&mut self) {
        if self.at < self.fetched {
            return;
        }
        let items = &self.items[self.at..];
        let items = &items[..items.len().min(FETCHED)];
        for (number, table) in (0..).zip(self.tables) {
            let indexes = items.iter().filter(|(_, of, _)| *of == number);
            let indexes = indexes.map(|(.., index)| *index as usize);
            let words = indexes.clone().map(|index| table.word_of(index));
            std::hint::black_box(words.fold(0, |all, word| all | word));
            let games = indexes.filter_map(|index| table.strongest(index));
            let words = games.map(|game| table.games[game as usize].elo_sum);
            std::hint::black_box(words.fold(0, |all, word| all | word));
        }
        self.fetched = self.at + items.len();
    }

    fn key(&self, (_, of, index): RankedItem) -> [u8; 32] {
        match self.tables.get(of as usize) {
            Some(table) => sort_key(table.entry(index as usize).key),
            None => self.stored[index as usize].key,
        }
    }

    fn next_items(&mut self) -> Option<Range<usize>> {
        self.fetch();
        let first = *self.items.get(self.at)?;
        if self.at == self.end_of_rank {
            let same = self.items[self.at..].iter().take_while(|(rank, ..)| *rank == first.0);
            self.end_of_rank += same.count();
            let same = self.at..self.end_of_rank;
            if same.len() > 1 {
                let mut items = self.items[same.clone()].to_vec();
                items.sort_by_key(|item| self.key(*item));
                self.items[same].copy_from_slice(&items);
            }
        }
        let key = self.key(self.items[self.at]);
        let same = self.items[self.at..self.end_of_rank].iter();
        let end = self.at + same.take_while(|item| self.key(**item) == key).count();
        Some(mem::replace(&mut self.at, end)..end)
    }

    /// Returns the number of games if all of them are in memory.
    fn games(&self, items: &[RankedItem]) -> Option<u64> {
        let games = |(_, of, index): &RankedItem| {
            Some(u64::from(self.tables.get(*of as usize)?.entry(*index as usize).games))
        };
        items.iter().map(games).sum()
    }

    fn entry(&mut self, items: Range<usize>) -> Result<CountsEntry<'t>, BookError> {
        let key = key_of_sort_key(self.key(self.items[items.start]));
        let (mut counts, mut games) = (Vec::new(), self.games);
        for (_, of, index) in &self.items[items.clone()] {
            if let Some(table) = self.tables.get(*of as usize) {
                games = &table.games;
                counts.push(table.counts_of(*index as usize));
                continue;
            }
            let StoredPosition { block, key, bytes } = self.stored[*index as usize];
            let OpenBlock { run, record, block } = &self.blocks[block];
            let position = block.decode(key, bytes, games);
            let mut position = position.map_err(|_| run.damaged(record))?;
            run.check(record, &position)?;
            match counts.is_empty() {
                true => counts = position.counts,
                false => counts.append(&mut position.counts),
            }
        }
        if items.len() > 1 {
            add_up(&mut counts, games, true);
        }
        Ok(CountsEntry::new(key, counts, games))
    }
}

impl<'t> Iterator for RangeEntries<'t> {
    type Item = Result<CountsEntry<'t>, BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let items = self.next_items()?;
            if self.games(&self.items[items.clone()]).is_none_or(|games| games >= self.least_games)
            {
                return Some(self.entry(items));
            }
        }
    }
}

#[cfg(test)]
mod tests;
