//! Counting on several threads.
//!
//! The chunks of an input are known to be correct, and the numbers of their games are known, only
//! when they are committed in the order of the input. One thread does that, and counting takes
//! longer than reading, so it does not count. Positions are divided by their hashes: each part has
//! a [`Counter`] with tables, rows and a file of its own, and with its share of the memory, in a
//! [queue](SerialQueue) of its own. A counter gets chunks in the order of the input. The number of
//! parts does not affect the result, since no position is in two of them.

use std::io;
use std::mem;
use std::path::Path;
use std::sync::mpsc::channel;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use san::{MoveCode, PositionKey};
use stream::ordered::{SerialQueue, Threads, lock};

use crate::collect::{Counts, Details};
use crate::count_order::CountOrder;
use crate::counter::Counter;
use crate::error::BookError;
use crate::row::Counted;
use crate::tally::Tally;
use crate::totals::Totals;
use crate::visits::Visits;

/// Adds up the counts of many chunks.
///
/// Temporary files are unnamed, so they disappear however the program ends.
///
/// ```
/// use book::{Aggregate, Counts, GameFacts};
/// use san::{MoveCode, PositionKey};
///
/// let mut counts = Counts::default();
/// counts.game(GameFacts::default(), &[(PositionKey::default(), MoveCode::NONE)]);
/// let aggregate = Aggregate::new(1 << 20, &std::env::temp_dir());
/// aggregate.add(&mut counts, 0, 0)?;
/// aggregate.for_each(&mut |_, _, tally| assert_eq!(tally.games, 1))?;
/// # Ok::<_, book::BookError>(())
/// ```
#[derive(Debug)]
pub struct Aggregate {
    counters: Vec<SerialQueue<Counter>>,
    order: CountOrder,
    threads: Threads,
    memory: usize,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// Notified when a chunk is counted.
    counted: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Number of chunks that are not counted completely.
    waiting: usize,
    /// Counted chunks, whose allocations are reused.
    counted: Vec<Visits>,
    /// How many times the memory of a counter was full.
    spills: usize,
    failed: Option<BookError>,
}

#[derive(Debug)]
struct Chunk {
    visits: Visits,
    file: u32,
    games_before: u64,
    shared: Arc<Shared>,
}

/// Each part refers to games of its own, so that more would need more memory for names.
const MOST_PARTS: usize = 32;

impl Aggregate {
    /// Counts on the calling thread in about `memory` bytes and spills to files in `folder`.
    pub fn new(memory: usize, folder: &Path) -> Self {
        Aggregate::with_threads(Threads::new(1), memory, folder)
    }

    /// Counts on several threads, which use about `memory` bytes together.
    pub fn with_threads(threads: Threads, memory: usize, folder: &Path) -> Self {
        Aggregate::of_details(Details::ALL, threads, memory, folder)
    }

    /// Counts these details of positions, on several threads, which use about `memory` bytes
    /// together.
    pub fn of_details(details: Details, threads: Threads, memory: usize, folder: &Path) -> Self {
        let count = threads.count().min(MOST_PARTS);
        let order = match details.in_order {
            true => CountOrder::of_positions(),
            false => CountOrder::Hash,
        };
        let counter = |_| Counter::new(details, order.clone(), memory / count, folder);
        let queue = |counter| SerialQueue::new(counter, threads.clone());
        let counters = (0..count).map(counter).map(queue).collect();
        Aggregate { counters, order, threads, memory, shared: Arc::default() }
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

    /// Adds the counts of a chunk that has `games_before` games before it in its file, and removes
    /// the positions from `counts`. Files are numbered in name order. Counts here only if too many
    /// chunks are waiting.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written, for this chunk or an earlier one.
    pub fn add(&self, counts: &mut Counts, file: u32, games_before: u64) -> Result<(), BookError> {
        self.divide(counts);
        let mut state = lock(&self.shared.state);
        state.waiting += 1;
        let visits = state.counted.pop().unwrap_or_default();
        drop(state);
        let mut visits = mem::replace(&mut counts.visits, visits);
        visits.leave_whole(&mut counts.visits);
        let chunk = Arc::new(Chunk { visits, file, games_before, shared: self.shared.clone() });
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

    /// Calls `take` for every count, move by move and class by class, grouped by position.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written or read.
    pub fn for_each(
        self,
        take: &mut dyn FnMut(PositionKey, MoveCode, &Tally),
    ) -> Result<(), BookError> {
        let memory = self.memory;
        let totals = self.finish_within(memory)?;
        for counted in totals.counts(1) {
            let Counted { key, next, tally, .. } = counted?;
            take(key, next, &tally);
        }
        Ok(())
    }

    /// Returns all counts. At most half of the memory remains in use.
    pub(crate) fn finish(self) -> Result<Totals, BookError> {
        let half = self.memory / 2;
        self.finish_within(half)
    }

    /// Returns all counts, of which at most `most` bytes stay in memory.
    fn finish_within(self, most: usize) -> Result<Totals, BookError> {
        let Aggregate { counters, order, threads, memory, shared } = self;
        let share = most / counters.len();
        let finish = |counter: &SerialQueue<Counter>| {
            let (sender, rows) = channel();
            counter.push(move |counter| {
                let finished = counter.finish_within(share);
                // After an error the receiver is dropped.
                drop(sender.send(finished.map(|()| counter.take_rows())));
            })?;
            Ok(rows)
        };
        let finished: io::Result<Vec<_>> = counters.iter().map(finish).collect();
        let finished = finished?;
        counters.iter().for_each(SerialQueue::run_waiting);
        let rows = finished.iter().map(|rows| rows.recv().expect("no job panics"));
        let rows = rows.collect::<Result<Vec<_>, _>>();
        lock(&shared.state).failed.take().map_or(Ok(()), Err)?;
        Ok(Totals::new(rows?, order, threads, memory))
    }
}

impl Chunk {
    fn count(&self, part: usize, counter: &mut Counter) {
        let before = counter.spills();
        let added = counter.add(&self.visits, part, self.file, self.games_before);
        let mut state = lock(&self.shared.state);
        state.spills += counter.spills() - before;
        if let Err(error) = added {
            state.failed.get_or_insert(error);
        }
    }
}

impl Drop for Chunk {
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

#[cfg(test)]
mod tests {
    use san::{MoveCode, PositionKey};

    use super::*;
    use crate::tally::GameFacts;

    /// Returns the counts of a game with positions that no game with another number has.
    fn counts(game: u64) -> Counts {
        let position = |number| (PositionKey([game, number, 0, 0]), MoveCode::NONE);
        let positions: Vec<_> = (0..1000).map(position).collect();
        let mut counts = Counts::default();
        counts.game(GameFacts::default(), &positions);
        counts
    }

    #[test]
    fn chunks_are_counted_before_too_many_wait() {
        for threads in 1..4 {
            let threads = Threads::new(threads);
            let most = Aggregate::most_waiting(threads.count());
            let aggregate = Aggregate::with_threads(threads, 1 << 20, &std::env::temp_dir());
            for game in 0..50 {
                let mut counts = counts(game);
                aggregate.add(&mut counts, 0, game).unwrap();
                assert!(counts.visits.paths(0).next().is_none());
                assert!(lock(&aggregate.shared.state).waiting <= most);
            }
            let mut positions = 0;
            aggregate.for_each(&mut |_, _, tally| positions += tally.games).unwrap();
            assert_eq!(positions, 50_000);
        }
    }

    #[test]
    fn an_error_of_any_thread_is_returned_and_names_the_folder() {
        let folder = std::env::temp_dir().join("pgn2epd without this folder");
        for threads in 1..3 {
            let aggregate = Aggregate::with_threads(Threads::new(threads), 1, &folder);
            // The first chunk fills the memory, and the second finds it full.
            let added = (0..3).try_for_each(|game| aggregate.add(&mut counts(game), 0, game));
            let error = added.and_then(|()| aggregate.finish().map(drop)).unwrap_err();
            assert!(error.to_string().contains("without this folder"), "{threads}");
        }
    }
}
