//! Counting in bounded memory.
//!
//! Moves that were met before are counted in place. Of all others there are rows, one behind the other, apart by the first bits of
//! their hashes. When memory is full, rows of the same move are added up, kind by kind, if that makes fewer: it sorts them, and
//! they are few enough for the caches. What is still too much goes to disk, sorted. In the end kind after kind is read back and
//! added up once more, and so comes out in the order of hashes.

use std::io;
use std::path::Path;

use san::Packed;

use crate::collect::Counts;
use crate::disk::Disk;
use crate::games::{Games, Seen};
use crate::hot::Hot;
use crate::merge::{Counted, Merge};
use crate::row::{Head, LONGEST_HEAD, Numbers};
use crate::run::damaged;
use crate::sorted::{Block, Sorted};
use crate::store::{PARTITIONS, Store, partition_of};
use crate::tally::{GameFacts, Occurrence, Tally};
use crate::temporary::Temporary;
use crate::visits::Visit;
use crate::{BookError, Given, MoveCode};

/// Adds up the counts of many chunks.
///
/// Temporary files have no name: whatever ends the program, they are gone.
#[derive(Debug)]
pub struct Aggregate {
    /// The games that rows and entries name.
    games: Games,
    hot: Hot,
    store: Store,
    disk: Option<Disk>,
    spills: usize,
    memory: usize,
    /// Rows are added up when all takes so much.
    limit: usize,
    /// The last game that was counted: its file, and its number there.
    last: (u32, u64),
    temporary: Temporary,
}

/// Rows are added up first when they take so much, in bytes, and then when they are so many times what was left.
const EARLY: usize = 16 << 20;
const GROWTH: usize = 4;

/// So much of the memory is for moves that are counted in place.
const OF_HOT: usize = 8;

/// So many positions of a game are counted before it is asked again whether there is room.
const AT_ONCE: usize = 1 << 16;

impl Aggregate {
    /// Counts in about `memory` bytes; what does not fit goes to files in `folder`.
    pub fn new(memory: usize, folder: &Path) -> Self {
        Aggregate {
            games: Games::default(),
            hot: Hot::new(memory / OF_HOT),
            store: Store::new(memory),
            disk: None,
            spills: 0,
            memory,
            limit: memory.min(EARLY),
            last: (0, 0),
            temporary: Temporary { folder: folder.to_owned() },
        }
    }

    /// Adds the counts of a chunk, in whose file so many games come before it. Files have numbers in the order of their names.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written.
    pub fn add(&mut self, counts: &Counts, file: u32, games_before: u64) -> Result<(), BookError> {
        let chunk = counts.visits.games();
        for way in counts.visits.ways() {
            let place = (file, games_before + chunk.number(way.game));
            if place <= self.last || self.hot.is_stale() {
                self.cool();
            }
            self.last = place;
            let facts = chunk.facts(way.game);
            for visits in way.visits.chunks(AT_ONCE) {
                self.make_room(visits.len() * LONGEST_HEAD)?;
                let game = self.games.add(chunk, way.game, file, games_before);
                if way.given == Given::default() {
                    self.count(visits, game, facts);
                } else {
                    self.count_given(visits, game, facts, &way.given);
                }
            }
        }
        Ok(())
    }

    fn count(&mut self, visits: &[Visit], game: u32, facts: GameFacts) {
        let store = &mut self.store;
        let start = self.games.occurrence(Seen { game, ..Seen::default() });
        let teller = self.games.teller(game);
        let mut is_told = false;
        let is_named = self.hot.count(visits, game, facts, |visit| {
            is_told = teller.is_some();
            let Visit { key, next, ply, halfmoves, fullmoves, .. } = *visit;
            let at = Occurrence { ply, halfmoves, fullmoves, ..start };
            let head = Head { key, next, facts, at, game: teller };
            store.push(partition_of(visit.hash), &head.row_of_one());
        });
        if !is_named && !is_told {
            self.games.pop();
        }
    }

    /// Counts positions for as many games as a book says, of which this one stands for all.
    fn count_given(&mut self, visits: &[Visit], game: u32, facts: GameFacts, given: &Given) {
        let Given { games, white, draws, black } = *given;
        for visit in visits {
            let Visit { key, next, .. } = *visit;
            let at = self.games.occurrence(visit.seen(game));
            let head = Head { key, next, facts, at, game: self.games.teller(game) };
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

    /// Has all counts in rows.
    #[cold]
    fn cool(&mut self) {
        let Aggregate { hot, store, games, .. } = self;
        hot.drain(games, |hash, head, numbers| {
            store.push(partition_of(hash), &head.row_of_many(numbers));
        });
    }

    fn used(&self) -> usize {
        self.store.used() + self.games.used() + self.hot.used()
    }

    /// Makes room for a game and so many bytes of rows.
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

    /// How many times the memory was full.
    pub fn spills(&self) -> usize {
        self.spills
    }

    /// Writes all rows to disk.
    fn spill(&mut self) -> Result<(), BookError> {
        self.cool();
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

    /// Hands over all that was counted, move by move, those of a position together.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written or read.
    pub fn for_each(self, take: &mut dyn FnMut(Packed, MoveCode, &Tally)) -> Result<(), BookError> {
        let memory = self.memory;
        let mut sum = self.finish_within(memory)?;
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
    pub(crate) fn finish(self) -> Result<Sum, BookError> {
        let half = self.memory / 2;
        self.finish_within(half)
    }

    /// All counts, of which so many bytes may stay in memory.
    fn finish_within(mut self, most: usize) -> Result<Sum, BookError> {
        self.cool();
        self.hot.shrink();
        if self.disk.is_none() && self.used() > most {
            self.store.compact(&self.games);
        }
        let is_empty = self.store.is_empty();
        if !is_empty && (self.disk.is_some() || self.used() > most) {
            self.spill()?;
        }
        self.store.shrink();
        let Aggregate { games, store, disk, temporary, memory, .. } = self;
        Ok(Sum { games, store, disk, memory, temporary })
    }
}

/// The counts of everything, in memory or in a file.
#[derive(Debug)]
pub(crate) struct Sum {
    games: Games,
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
            if let Some(found) = self.sorted.next(&self.blocks, &self.sum.games) {
                let row = found.row(&self.sum.games);
                let counted = row.and_then(|row| Some((row.key, row.next, row.tally()?)));
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
