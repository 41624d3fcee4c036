//! Counting in bounded memory.
//!
//! Frequent moves are counted in place. All other moves are appended as rows, partitioned by the first bits of their hashes.
//! When memory is full, rows of the same move are added up, partition by partition, if that saves enough; a partition is
//! small enough to be sorted within the caches. If memory is still full, rows are spilled to disk, sorted. At the end, each
//! partition is read back and added up once more, so that counts are produced in hash order.

use std::io;
use std::path::Path;

use san::{MoveCode, PositionKey};
use stream::spill::merge::Merge;

use crate::collect::Counts;
use crate::disk::Disk;
use crate::error::BookError;
use crate::frequent_moves::FrequentMoves;
use crate::games::{GamePly, Games};
use crate::recorded_counts::RecordedCounts;
use crate::row::{Head, LONGEST_HEAD, Numbers};
use crate::run::{Counted, damaged};
use crate::sorted::{Block, Sorted};
use crate::store::{PARTITIONS, Store, partition_of};
use crate::tally::{GameFacts, SourceLocation, Tally};
use crate::temporary::Temporary;
use crate::visits::PositionVisit;

/// Adds up the counts of many chunks.
///
/// Temporary files are unnamed, so they disappear however the program ends.
#[derive(Debug)]
pub struct Aggregate {
    /// The games that rows and entries refer to.
    games: Games,
    frequent: FrequentMoves,
    store: Store,
    disk: Option<Disk>,
    spills: usize,
    memory: usize,
    /// Memory use at which rows are added up, in bytes.
    limit: usize,
    /// The game counted last: its file, and its number there.
    last: (u32, u64),
    temporary: Temporary,
}

/// Rows are first added up at this size in bytes, and then whenever they have grown by this factor.
const EARLY: usize = 16 << 20;
const GROWTH: usize = 4;

/// Divisor: the share of memory for moves that are counted in place.
const FREQUENT_SHARE: usize = 8;

/// Number of positions of a game that are counted before free memory is checked again.
const AT_ONCE: usize = 1 << 16;

impl Aggregate {
    /// Counts in about `memory` bytes and spills to files in `folder`.
    pub fn new(memory: usize, folder: &Path) -> Self {
        Aggregate {
            games: Games::default(),
            frequent: FrequentMoves::new(memory / FREQUENT_SHARE),
            store: Store::new(memory),
            disk: None,
            spills: 0,
            memory,
            limit: memory.min(EARLY),
            last: (0, 0),
            temporary: Temporary { folder: folder.to_owned() },
        }
    }

    /// Adds the counts of a chunk that has `games_before` games before it in its file. Files are numbered in name order.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written.
    pub fn add(&mut self, counts: &Counts, file: u32, games_before: u64) -> Result<(), BookError> {
        let chunk = counts.visits.games();
        for path in counts.visits.paths() {
            let place = (file, games_before + chunk.number(path.game));
            if place <= self.last || self.frequent.is_stale() {
                self.flush_to_rows();
            }
            self.last = place;
            let facts = chunk.facts(path.game);
            for visits in path.visits.chunks(AT_ONCE) {
                self.make_room(visits.len() * LONGEST_HEAD)?;
                let game = self.games.add(chunk, path.game, file, games_before);
                if path.recorded == RecordedCounts::default() {
                    self.count(visits, game, facts);
                } else {
                    self.count_recorded(visits, game, facts, &path.recorded);
                }
            }
        }
        Ok(())
    }

    fn count(&mut self, visits: &[PositionVisit], game: u32, facts: GameFacts) {
        let store = &mut self.store;
        let start = self.games.occurrence(GamePly { game, ..GamePly::default() });
        let index = self.games.index_if_known(game);
        let mut has_info = false;
        let is_named = self.frequent.count(visits, game, facts, |visit| {
            has_info = index.is_some();
            let PositionVisit { key, next, ply, halfmoves, fullmoves, evaluation, .. } = *visit;
            let at = SourceLocation { ply, halfmoves, fullmoves, evaluation, ..start };
            let head = Head { key, next, facts, at, game: index };
            store.push(partition_of(visit.hash), &head.row_of_one());
        });
        if !is_named && !has_info {
            self.games.pop();
        }
    }

    /// Counts positions of a book record, which represents the number of games that it states.
    fn count_recorded(
        &mut self,
        visits: &[PositionVisit],
        game: u32,
        facts: GameFacts,
        recorded: &RecordedCounts,
    ) {
        let RecordedCounts { games, white, draws, black } = *recorded;
        for visit in visits {
            let PositionVisit { key, next, evaluation, .. } = *visit;
            let at = SourceLocation { evaluation, ..self.games.occurrence(visit.seen(game)) };
            let head = Head { key, next, facts, at, game: self.games.index_if_known(game) };
            let numbers = Numbers {
                games: games.into(),
                white: white.into(),
                draws: draws.into(),
                black: black.into(),
                rated: 0,
                rating_sum: 0,
                first_year: facts.year,
                last_year: facts.year,
                first: at,
            };
            self.store.push(partition_of(visit.hash), &head.row_of_many(&numbers));
        }
    }

    /// Moves all counts into rows.
    #[cold]
    fn flush_to_rows(&mut self) {
        let Aggregate { frequent, store, games, .. } = self;
        frequent.drain(games, |hash, head, numbers| {
            store.push(partition_of(hash), &head.row_of_many(numbers));
        });
    }

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
        if self.disk.is_none() {
            self.store.compact(&self.games);
            let used = self.used();
            self.limit = (GROWTH * used).max(EARLY).min(self.memory);
            let is_full = used.saturating_add(len) > self.limit / 2 || self.games.is_full();
            if !is_full {
                return Ok(());
            }
        }
        self.limit = self.memory;
        self.spill()
    }

    /// Returns how many times memory was full.
    pub fn spills(&self) -> usize {
        self.spills
    }

    /// Writes all rows to disk.
    fn spill(&mut self) -> Result<(), BookError> {
        self.flush_to_rows();
        self.spills += 1;
        let disk = match &mut self.disk {
            Some(disk) => disk,
            none => none.insert(Disk::new(self.temporary.file()?)),
        };
        let (store, games) = (&mut self.store, &self.games);
        let mut write = || -> io::Result<()> {
            let (mut sorted, mut blocks) = (Sorted::default(), Vec::new());
            for partition in 0..PARTITIONS {
                store.take(partition, &mut blocks);
                sorted.sort(&blocks);
                disk.write(partition, &mut sorted, &blocks, games)?;
            }
            disk.flush()
        };
        write().map_err(|error| self.temporary.failed(error))?;
        self.games.clear();
        Ok(())
    }

    /// Calls `take` for every count, move by move, grouped by position.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written or read.
    pub fn for_each(
        self,
        take: &mut dyn FnMut(PositionKey, MoveCode, &Tally),
    ) -> Result<(), BookError> {
        let memory = self.memory;
        let mut totals = self.finish_within(memory)?;
        let temporary = totals.temporary.clone();
        for counted in totals.counts(1) {
            let Counted(key, next, tally) = counted.map_err(|error| temporary.failed(error))?;
            take(key, next, &tally);
        }
        Ok(())
    }

    /// Returns all counts. At most half of the memory remains in use.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written or read.
    pub(crate) fn finish(self) -> Result<Totals, BookError> {
        let half = self.memory / 2;
        self.finish_within(half)
    }

    /// Returns all counts, of which at most `most` bytes stay in memory.
    fn finish_within(mut self, most: usize) -> Result<Totals, BookError> {
        self.flush_to_rows();
        self.frequent.shrink();
        if self.disk.is_none() && self.used() > most {
            self.store.compact(&self.games);
        }
        let is_empty = self.store.is_empty();
        if !is_empty && (self.disk.is_some() || self.used() > most) {
            self.spill()?;
        }
        self.store.shrink();
        let Aggregate { games, store, disk, temporary, memory, .. } = self;
        Ok(Totals { games, store, disk, memory, temporary })
    }
}

/// All counts, in memory or in a file.
#[derive(Debug)]
pub(crate) struct Totals {
    games: Games,
    store: Store,
    disk: Option<Disk>,
    memory: usize,
    pub(crate) temporary: Temporary,
}

impl Totals {
    /// Returns the counts in order. Positions with fewer than `least_games` games may or may not be included.
    pub(crate) fn counts(&mut self, least_games: u64) -> TotalCounts<'_> {
        TotalCounts {
            totals: self,
            least_games,
            partition: 0,
            blocks: Vec::new(),
            sorted: Sorted::default(),
            merge: None,
        }
    }
}

/// The iterator that [`Totals::counts`] returns.
pub(crate) struct TotalCounts<'s> {
    totals: &'s mut Totals,
    least_games: u64,
    /// The next partition.
    partition: usize,
    blocks: Vec<Block>,
    sorted: Sorted,
    merge: Option<Merge<'static, Counted>>,
}

impl TotalCounts<'_> {
    /// Advances to the next partition.
    fn advance(&mut self) -> io::Result<()> {
        let Totals { store, disk, memory, .. } = &mut *self.totals;
        let partition = self.partition;
        self.partition += 1;
        match disk {
            None => store.take(partition, &mut self.blocks),
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

impl Iterator for TotalCounts<'_> {
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
            if let Some(found) = self.sorted.next(&self.blocks, &self.totals.games) {
                let row = found.row(&self.totals.games);
                let counted = row.and_then(|row| Some(Counted(row.key, row.next, row.tally()?)));
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
