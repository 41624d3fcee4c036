//! Counting on several threads.
//!
//! The chunks of an input are known to be correct, and the numbers of their games are known, only
//! when they are committed in the order of the input. One thread does that, and counting takes
//! longer than reading, so it does not count. Positions are divided by their hashes: each part has
//! a [`PositionCounter`] with a table and a temporary file of its own, and with its share of the memory, in
//! a [queue](SerialQueue) of its own. A counter gets chunks in the order of the input. The number
//! of parts does not affect the result, since no position is in two of them.

use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use pgn::Outcome;
use stream::ordered::{SerialQueue, Threads, lock};

use crate::collect::{Counts, Details, Visits};
use crate::count_file::Header;
use crate::error::BookError;
use crate::run::{Part, SortedRun, TempFile, merged};
use crate::table::{CountedGame, Table};
use crate::tally::{Game, RecordedCounts};
use crate::totals::{Totals, write_run};

// Counting in bounded memory, on one thread. Moves are counted in a [`Table`]. When memory is full,
// its entries are written to disk as a sorted [`SortedRun`] of blocks. At the end, the runs and the
// entries that are left are added up: see [`crate::totals`].

#[derive(Debug)]
pub(crate) struct PositionCounter {
    table: Table,
    pub(crate) runs: Vec<SortedRun>,
    temp: TempFile,
    memory: usize,
    /// The game counted last: its file, and its number there.
    last: (u32, u64),
}

/// Number of positions of a game that are counted before free memory is checked again.
const AT_ONCE: usize = 1 << 16;

impl PositionCounter {
    pub(crate) fn new(details: Details, memory: usize, folder: &Path) -> Self {
        let (table, temp) = (Table::new(details), TempFile::new(folder));
        PositionCounter { table, runs: Vec::new(), temp, memory, last: (0, 0) }
    }

    /// `file` is numbered in name order; it has `games_before` games before the chunk of `visits`.
    pub(crate) fn add(
        &mut self,
        visits: &Visits,
        part: usize,
        file: u32,
        games_before: u64,
    ) -> Result<(), BookError> {
        let mut fetched = 0;
        for path in visits.paths(part) {
            let number = games_before + path.game.number;
            if (file, number) <= self.last {
                self.table.forget();
            }
            self.last = (file, number);
            let mut game = counted_game(path.game, path.recorded);
            let mut kept = None;
            for visits in path.visits.chunks(AT_ONCE) {
                if self.make_room(visits.len())? {
                    kept = None;
                }
                game.class = self.table.class_number(path.game);
                if fetched < visits.len() {
                    fetched = self.table.fetch(path.rest, game.class);
                }
                fetched = fetched.saturating_sub(visits.len());
                game.index = kept.unwrap_or(self.table.games.len() as u32);
                if self.table.count(visits, &game) && kept.is_none() {
                    self.table.add_game(Game { file, number, ..path.game.clone() });
                    kept = Some(game.index);
                }
            }
        }
        Ok(())
    }

    /// Makes room for a game and this number of entries; returns whether that took a spill.
    #[inline]
    fn make_room(&mut self, entries: usize) -> Result<bool, BookError> {
        let table = &self.table;
        let is_room = table.used().saturating_add(table.needed(entries)) <= self.memory;
        let is_spilled = !is_room && table.len > 0 || table.is_full();
        if is_spilled {
            self.spill()?;
        }
        self.table.reserve(entries);
        Ok(is_spilled)
    }

    #[cold]
    fn spill(&mut self) -> Result<(), BookError> {
        let PositionCounter { table, runs, temp, memory, .. } = self;
        runs.push(write_run(std::slice::from_ref(&*table), &[], *memory, temp)?);
        table.clear();
        Ok(())
    }

    /// Returns all counts, either in memory, in at most `most` bytes, or in runs.
    pub(crate) fn finish_within(
        &mut self,
        most: usize,
    ) -> Result<(Table, Vec<SortedRun>), BookError> {
        // Nothing is counted any more.
        self.table.slots = Vec::new();
        if !self.runs.is_empty() || self.table.used() > most {
            self.spill()?;
        }
        Ok((mem::take(&mut self.table), mem::take(&mut self.runs)))
    }
}

/// Returns a game with the counts that it represents: its result, or what a record states.
fn counted_game(game: &Game, recorded: RecordedCounts) -> CountedGame {
    let Game { elo_sum, year, .. } = *game;
    let is_one = recorded == RecordedCounts::default();
    let has = |outcome| u32::from(game.outcome == outcome);
    let RecordedCounts { games, white, draws, black } = match is_one {
        true => RecordedCounts {
            white: has(Outcome::WhiteWins),
            draws: has(Outcome::Draw),
            black: has(Outcome::BlackWins),
            games: 1,
        },
        false => recorded,
    };
    let is_rated = is_one && elo_sum > 0;
    CountedGame { index: 0, class: 0, elo_sum, year, games, white, draws, black, is_rated }
}

/// Adds up the counts of many chunks. Temporary files are unnamed, so none is left behind.
#[derive(Debug)]
pub struct Aggregate {
    counters: Vec<SerialQueue<PositionCounter>>,
    threads: Threads,
    memory: usize,
    folder: PathBuf,
    shared: Arc<SharedQueue>,
}

#[derive(Debug, Default)]
struct SharedQueue {
    state: Mutex<QueueState>,
    counted: Condvar,
}

#[derive(Debug, Default)]
struct QueueState {
    waiting: usize,
    /// Counted chunks, whose allocations are reused.
    counted: Vec<Visits>,
    spills: usize,
    failed: Option<BookError>,
}

#[derive(Debug)]
struct CountedChunk {
    visits: Visits,
    file: u32,
    games_before: u64,
    shared: Arc<SharedQueue>,
}

/// Each part refers to games of its own, so that more would need more memory for names.
const MOST_PARTS: usize = 32;

impl Aggregate {
    /// Counts on the calling thread in about `memory` bytes and spills to files in `folder`.
    pub fn new(memory: usize, folder: &Path) -> Self {
        Aggregate::of_details(Details::ALL, Threads::new(1), memory, folder)
    }

    /// Counts these details, on several threads, which use about `memory` bytes together.
    pub fn of_details(details: Details, threads: Threads, memory: usize, folder: &Path) -> Self {
        let count = threads.count().min(MOST_PARTS);
        let counter = |_| PositionCounter::new(details, memory / count, folder);
        let queue = |counter| SerialQueue::new(counter, threads.clone());
        let counters = (0..count).map(counter).map(queue).collect();
        let folder = folder.to_owned();
        Aggregate { counters, threads, memory, folder, shared: Arc::default() }
    }

    /// Returns the maximum number of chunks that wait to be counted: more than are committed at
    /// once after the thread that commits them had no processor.
    pub fn most_waiting(threads: usize) -> usize {
        if threads <= 1 { 0 } else { 4 * threads }
    }

    /// Divides the positions of a chunk, which [`Aggregate::add`] does otherwise.
    pub fn divide(&self, counts: &mut Counts) {
        counts.visits.divide(self.counters.len());
    }

    /// Adds the counts of a chunk with `games_before` games before it in its file, and removes them
    /// from `counts`. Files are numbered in name order. Counts here only if too many chunks wait.
    /// Fails if a temporary file cannot be written, for this chunk or an earlier one.
    pub fn add(&self, counts: &mut Counts, file: u32, games_before: u64) -> Result<(), BookError> {
        self.divide(counts);
        let mut state = lock(&self.shared.state);
        state.waiting += 1;
        let visits = state.counted.pop().unwrap_or_default();
        drop(state);
        let mut visits = mem::replace(&mut counts.visits, visits);
        visits.leave_whole(&mut counts.visits);
        let chunk =
            Arc::new(CountedChunk { visits, file, games_before, shared: self.shared.clone() });
        for (part, counter) in self.counters.iter().enumerate() {
            let chunk = chunk.clone();
            counter.push(move |counter| chunk.count(part, counter))?;
        }
        drop(chunk);
        let most = Aggregate::most_waiting(self.threads.count());
        let mut state = lock(&self.shared.state);
        while state.waiting > most {
            drop(state);
            let counts_here = self.counters.iter().any(SerialQueue::run_next);
            state = lock(&self.shared.state);
            if !counts_here && state.waiting > most {
                state = self.shared.counted.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
        state.failed.take().map_or(Ok(()), Err)
    }

    /// Returns how many times the memory of a counter was full.
    pub fn spills(&self) -> usize {
        lock(&self.shared.state).spills
    }

    /// Returns all counts. At most half of the memory remains in use.
    pub(crate) fn finish(self) -> Result<Totals, BookError> {
        let Aggregate { counters, threads, memory, folder, shared } = self;
        let share = memory / 2 / counters.len();
        let finish = |counter: &SerialQueue<PositionCounter>| {
            let (sender, rows) = channel();
            counter.push(move |counter| {
                // After an error the receiver is dropped.
                drop(sender.send(counter.finish_within(share)));
            })?;
            Ok(rows)
        };
        let finished = counters.iter().map(finish).collect::<io::Result<Vec<_>>>()?;
        counters.iter().for_each(SerialQueue::run_waiting);
        let rows = finished.iter().map(|rows| rows.recv().expect("no job panics"));
        let rows = rows.collect::<Result<Vec<_>, _>>();
        lock(&shared.state).failed.take().map_or(Ok(()), Err)?;
        let (tables, runs): (Vec<_>, Vec<_>) = rows?.into_iter().unzip();
        let runs = runs.into_iter().flatten().collect();
        Ok(Totals { tables: tables.into(), runs, threads, memory, folder })
    }
}

impl CountedChunk {
    fn count(&self, part: usize, counter: &mut PositionCounter) {
        let before = counter.runs.len();
        let added = counter.add(&self.visits, part, self.file, self.games_before);
        let mut state = lock(&self.shared.state);
        state.spills += counter.runs.len() - before;
        if let Err(error) = added {
            state.failed.get_or_insert(error);
        }
    }
}

impl Drop for CountedChunk {
    /// Keeps the memory of a chunk that all counters have added.
    fn drop(&mut self) {
        let mut visits = mem::take(&mut self.visits);
        visits.clear();
        let mut state = lock(&self.shared.state);
        state.waiting -= 1;
        state.counted.push(visits);
        drop(state);
        self.shared.counted.notify_all();
    }
}

/// The counts that a book is made from.
#[derive(Debug)]
pub enum Source {
    /// Counts made in this run.
    Counted(Box<Aggregate>, Header),
    /// Count files, and the threads that merge them.
    Parts(Vec<Part>, Threads),
}

impl Source {
    pub(crate) fn open(self, memory: usize, folder: &Path) -> Result<(Header, Totals), BookError> {
        match self {
            Source::Counted(aggregate, header) => Ok((header, aggregate.finish()?)),
            Source::Parts(parts, threads) => {
                let (header, runs) = merged(&parts)?;
                let (tables, folder) = (Arc::default(), folder.to_owned());
                Ok((header, Totals { tables, runs, threads, memory, folder }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use san::{MoveCode, PositionKey};

    use super::*;
    use crate::collect::{Once, PositionVisit};
    use crate::games::GameClass;

    /// Counts a game with positions that no other game has.
    fn add(counter: &mut PositionCounter, game: u64, positions: u64) {
        let position = |number| (PositionKey([number, game, 0, 0]), MoveCode::NONE);
        let positions: Vec<_> = (0..positions).map(position).collect();
        let mut counts = Counts::default();
        counts.game(Game::default(), &positions);
        counter.add(&counts.visits, 0, 0, game).unwrap();
    }

    fn counter(memory: usize) -> PositionCounter {
        PositionCounter::new(Details::ALL, memory, &std::env::temp_dir())
    }

    #[test]
    fn at_the_end_counts_that_exceed_the_memory_are_written() {
        for (most, is_written) in [(300_000, true), (3 << 20, false)] {
            let mut counter = counter(4 << 20);
            add(&mut counter, 0, 10_000);
            let (table, runs) = counter.finish_within(most).unwrap();
            assert_eq!((table.len == 0, runs.len() == 1), (is_written, is_written));
        }
    }

    #[test]
    fn classes_beyond_those_that_entries_can_refer_to_are_counted() {
        let mut counter = counter(64 << 20);
        let games = 70_000;
        for game in 0..games {
            let mut visits = Visits::default();
            let once = Once::Position { within: usize::MAX };
            visits.visit(PositionVisit::of_key(PositionKey([1; 4]), 0, MoveCode::NONE), once);
            // The first class is in both halves.
            let white = Some(format!("{:05}", game % (games - 1)));
            let class = Some(Box::new(GameClass { white, ..GameClass::default() }));
            let game_of_class = Game { number: 1, class, ..Game::default() };
            visits.end(game_of_class, RecordedCounts::default());
            counter.add(&visits, 0, 0, game).unwrap();
        }
        assert_eq!(counter.runs.len(), 1);
        let (table, runs) = counter.finish_within(1 << 20).unwrap();
        let (threads, folder) = (Threads::new(1), std::env::temp_dir());
        let totals = Totals { tables: [table].into(), runs, threads, memory: 64 << 20, folder };
        let counts = totals.all();
        let counts = counts.into_iter().map(|(.., game, games)| {
            let class: u64 = game.class.unwrap().white.unwrap().parse().unwrap();
            (class, games)
        });
        assert!(counts.eq((0..games - 1).map(|class| (class, 1 + u64::from(class == 0)))));
    }

    #[test]
    fn counts_are_spilled_only_when_memory_is_full() {
        let mut counter = counter(16 << 20);
        // 112 bytes for each position, and 2 MiB for the slots.
        (0..125).for_each(|game| add(&mut counter, game, 1000));
        assert_eq!(counter.runs.len(), 0);
        (125..140).for_each(|game| add(&mut counter, game, 1000));
        assert_eq!(counter.runs.len(), 1);
    }

    /// Returns the counts of a game with positions that no game with another number has.
    fn counts(game: u64) -> Counts {
        let position = |number| (PositionKey([game, number, 0, 0]), MoveCode::NONE);
        let positions: Vec<_> = (0..1000).map(position).collect();
        let mut counts = Counts::default();
        counts.game(Game::default(), &positions);
        counts
    }

    #[test]
    fn chunks_are_counted_before_too_many_wait() {
        for threads in 1..4 {
            let threads = Threads::new(threads);
            let most = Aggregate::most_waiting(threads.count());
            let aggregate =
                Aggregate::of_details(Details::ALL, threads, 1 << 20, &std::env::temp_dir());
            for game in 0..50 {
                let mut counts = counts(game);
                aggregate.add(&mut counts, 0, game).unwrap();
                assert!(counts.visits.paths(0).next().is_none());
                assert!(lock(&aggregate.shared.state).waiting <= most);
            }
            let counts = aggregate.finish().unwrap().all();
            assert_eq!(counts.iter().map(|(.., games)| games).sum::<u64>(), 50_000);
        }
    }

    #[test]
    fn an_error_of_any_thread_is_returned_and_names_the_folder() {
        let folder = std::env::temp_dir().join("pgn2epd without this folder");
        for threads in 1..3 {
            let aggregate = Aggregate::of_details(Details::ALL, Threads::new(threads), 1, &folder);
            // The first chunk fills the memory, and the second finds it full.
            let added = (0..3).try_for_each(|game| aggregate.add(&mut counts(game), 0, game));
            let error = added.and_then(|()| aggregate.finish().map(drop)).unwrap_err();
            assert!(error.to_string().contains("without this folder"), "{threads}");
        }
    }
}
