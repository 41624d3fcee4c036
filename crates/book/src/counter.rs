//! Counting in bounded memory, on one thread.
//!
//! Frequent moves are counted in place. All other moves are appended as rows, partitioned by the
//! first bits of their hashes. When memory is full, rows of the same move are added up, partition
//! by partition, if that saves enough; a partition is small enough to be sorted within the caches.
//! If memory is still full, rows are spilled to disk, sorted. At the end, the rows of each
//! partition, in memory and on disk, are added up once more, so that counts are produced in hash
//! order: see [`crate::totals`].

use std::mem;
use std::path::Path;
use std::sync::RwLock;

use crate::disk::Disk;
use crate::error::BookError;
use crate::frequent_moves::FrequentMoves;
use crate::games::Games;
use crate::recorded_counts::RecordedCounts;
use crate::row::{LONGEST_HEAD, row_of_many, row_of_one};
use crate::sorted::{Blocks, Sorted};
use crate::store::{PARTITIONS, Store, partition_of};
use crate::tally::{GameFacts, SourceLocation, Strongest, Tally};
use crate::totals::CounterRows;
use crate::visits::{PositionVisit, Visits};

/// Adds up the counts of many chunks.
///
/// Temporary files are unnamed, so they disappear however the program ends.
#[derive(Debug)]
pub(crate) struct Counter {
    /// The games that rows and entries refer to.
    games: Games,
    frequent: FrequentMoves,
    store: Store,
    disk: Disk,
    spills: usize,
    memory: usize,
    /// Memory use at which rows are added up, in bytes.
    limit: usize,
    /// The game counted last: its file, and its number there.
    last: (u32, u64),
}

/// Rows are first added up at this size in bytes, and then whenever they have grown by this factor.
const EARLY: usize = 16 << 20;
const GROWTH: usize = 4;

/// Divisor: the share of memory for moves that are counted in place.
const FREQUENT_SHARE: usize = 8;

/// Number of positions of a game that are counted before free memory is checked again.
const AT_ONCE: usize = 1 << 16;

impl Counter {
    /// Counts in about `memory` bytes and spills to files in `folder`.
    pub(crate) fn new(memory: usize, folder: &Path) -> Self {
        Counter {
            games: Games::default(),
            frequent: FrequentMoves::new(memory / FREQUENT_SHARE),
            store: Store::new(memory),
            disk: Disk::new(folder),
            spills: 0,
            memory,
            limit: memory.min(EARLY),
            last: (0, 0),
        }
    }

    /// Adds a part of the counts of a chunk that has `games_before` games before it in its file.
    /// Files are numbered in name order.
    pub(crate) fn add(
        &mut self,
        visits: &Visits,
        part: usize,
        file: u32,
        games_before: u64,
    ) -> Result<(), BookError> {
        let chunk = visits.games();
        for path in visits.paths(part) {
            let number = games_before + chunk.number(path.game);
            if (file, number) <= self.last || self.frequent.is_stale() {
                self.flush_to_rows();
            }
            self.last = (file, number);
            let start = SourceLocation { file, game: number, ..SourceLocation::default() };
            let facts = chunk.facts(path.game);
            let is_known = chunk.index_if_known(path.game).is_some();
            for visits in path.visits.chunks(AT_ONCE) {
                self.make_room(visits.len() * LONGEST_HEAD)?;
                let is_needed = if path.recorded == RecordedCounts::default() {
                    self.count(visits, start, facts, is_known)
                } else {
                    self.count_recorded(visits, start, facts, is_known, &path.recorded)
                };
                if is_needed {
                    self.games.add(chunk, path.game, file, games_before);
                }
            }
        }
        Ok(())
    }

    /// Counts positions of a game, which gets the next index. Returns whether entries or rows refer
    /// to it.
    fn count(
        &mut self,
        visits: &[PositionVisit],
        start: SourceLocation,
        facts: GameFacts,
        is_known: bool,
    ) -> bool {
        let store = &mut self.store;
        let game = self.games.next();
        let index = is_known.then_some(game);
        let mut has_rows = false;
        let is_named = self.frequent.count(visits, game, facts, |visit| {
            has_rows = true;
            let strongest = Strongest::of(facts, visit.location(start), index);
            store.push(partition_of(visit.hash), &row_of_one(visit.key, visit.next, &strongest));
        });
        is_named || has_rows && is_known
    }

    /// Counts positions of a book record, which represents the number of games that it states.
    /// Returns whether rows refer to it.
    fn count_recorded(
        &mut self,
        visits: &[PositionVisit],
        start: SourceLocation,
        facts: GameFacts,
        is_known: bool,
        recorded: &RecordedCounts,
    ) -> bool {
        let RecordedCounts { games, white, draws, black } = *recorded;
        let game = is_known.then(|| self.games.next());
        for visit in visits {
            let tally = Tally {
                games: games.into(),
                white: white.into(),
                draws: draws.into(),
                black: black.into(),
                rated: 0,
                rating_sum: 0,
                ..Tally::of_one(Strongest::of(facts, visit.location(start), game))
            };
            let row = row_of_many(visit.key, visit.next, &tally);
            self.store.push(partition_of(visit.hash), &row);
        }
        is_known
    }

    /// Moves all counts into rows.
    #[cold]
    fn flush_to_rows(&mut self) {
        let Counter { frequent, store, games, .. } = self;
        frequent.drain(games, |key, next, tally| {
            store.push(partition_of(key.stable_hash()), &row_of_many(key, next, tally));
        });
    }

    /// Returns the memory in use, in bytes.
    fn used(&self) -> usize {
        self.store.used() + self.games.used() + self.frequent.used()
    }

    /// Makes room for a game and `len` bytes of rows.
    #[inline]
    fn make_room(&mut self, len: usize) -> Result<(), BookError> {
        let is_room = self.used().saturating_add(len) <= self.limit && !self.games.is_full();
        if is_room || self.store.is_empty() && self.games.used() == 0 {
            return Ok(());
        }
        self.make_room_now(len)
    }

    #[cold]
    fn make_room_now(&mut self, len: usize) -> Result<(), BookError> {
        if self.spills == 0 {
            self.store.compact(&self.games);
            let (used, before) = (self.used(), self.limit);
            self.limit = (GROWTH * used).max(EARLY).min(self.memory);
            // A limit that cannot grow must be worth another attempt.
            let most = if self.limit > before { self.limit } else { self.limit / 2 };
            if used.saturating_add(len) <= most && !self.games.is_full() {
                return Ok(());
            }
        }
        self.limit = self.memory;
        self.spill()
    }

    /// Returns how many times memory was full.
    pub(crate) fn spills(&self) -> usize {
        self.spills
    }

    /// Writes all rows to disk.
    fn spill(&mut self) -> Result<(), BookError> {
        self.flush_to_rows();
        self.spill_rows(0)
    }

    /// Writes rows to disk, partition by partition, until rows and games use at most `most` bytes.
    fn spill_rows(&mut self, most: usize) -> Result<(), BookError> {
        self.spills += 1;
        let Counter { store, games, disk, .. } = self;
        let (mut sorted, mut blocks) = (Sorted::default(), Blocks::default());
        for partition in 0..PARTITIONS {
            if store.used() + games.used() <= most {
                break;
            }
            store.take(partition, &mut blocks);
            sorted.sort(&blocks);
            disk.write(partition, &mut sorted, &blocks, games)?;
        }
        disk.flush()?;
        if self.store.is_empty() {
            self.games.clear();
        }
        Ok(())
    }

    /// Turns all counts into rows, which use at most `most` bytes of memory.
    pub(crate) fn finish_within(&mut self, most: usize) -> Result<(), BookError> {
        self.flush_to_rows();
        self.frequent.shrink();
        if self.spills == 0 && self.used() > most {
            self.store.compact(&self.games);
        }
        if self.used() > most && !self.store.is_empty() {
            self.spill_rows(most)?;
        }
        self.store.shrink();
        Ok(())
    }

    /// Removes the games, the rows in memory that refer to them, and the rows on disk.
    pub(crate) fn take_rows(&mut self) -> CounterRows {
        let games = mem::take(&mut self.games);
        let store = mem::replace(&mut self.store, Store::new(0));
        let disk = mem::replace(&mut self.disk, Disk::new(Path::new("")));
        CounterRows { games, store, disk: RwLock::new(disk) }
    }
}

#[cfg(test)]
mod tests {
    use san::{MoveCode, PositionKey};

    use super::*;
    use crate::collect::Counts;

    /// Counts a game with positions that no other game has, a row of 64 bytes each.
    fn add(counter: &mut Counter, game: u64, positions: u64) {
        let position = |number| (PositionKey([number, game, 0, 0]), MoveCode::NONE);
        let positions: Vec<_> = (0..positions).map(position).collect();
        let mut counts = Counts::default();
        counts.game(GameFacts::default(), &positions);
        counter.add(&counts.visits, 0, 0, game).unwrap();
    }

    #[test]
    fn at_the_end_only_what_exceeds_the_memory_is_written() {
        let mut counter = Counter::new(1 << 20, &std::env::temp_dir());
        add(&mut counter, 0, 10_000);
        counter.finish_within(300_000).unwrap();
        let CounterRows { games, store, disk } = counter.take_rows();
        let used = store.used() + games.used();
        assert!(used <= 300_000 && used > 250_000, "{used}");
        let disk = disk.into_inner().unwrap();
        let in_file: u64 = (0..PARTITIONS).map(|part| disk.len(part)).sum();
        assert!(in_file > 300_000, "{in_file}");
    }

    #[test]
    fn rows_are_spilled_only_when_memory_is_full() {
        let mut counter = Counter::new(EARLY / 2 * 3, &std::env::temp_dir());
        let games = |bytes: usize| (bytes / 64 / 1000) as u64;
        // Adding up rows at the first limit saves nothing, but there is more memory.
        (0..games(EARLY / 4 * 5)).for_each(|game| add(&mut counter, game, 1000));
        assert_eq!(counter.spills(), 0);
        let further = games(EARLY / 4 * 5)..games(EARLY / 4 * 7);
        further.for_each(|game| add(&mut counter, game, 1000));
        assert_eq!(counter.spills(), 1);
    }
}
