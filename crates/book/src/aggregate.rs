//! Counting on several threads.
//!
//! The chunks of an input are known to be correct, and the numbers of their games are known, only when they are committed in
//! the order of the input. One thread does that, and counting takes longer than reading, so it does not count. Positions are
//! divided by their hashes: each part has a [`Counter`] with tables, rows and a file of its own, and with its share of the
//! memory. Any thread that has time takes a counter and adds what has been committed since. A counter gets chunks in the
//! order of the input. The number of parts does not affect the result, since no position is in two of them.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use san::{MoveCode, PositionKey};
use stream::ordered::Threads;

use crate::collect::Counts;
use crate::counter::Counter;
use crate::error::BookError;
use crate::run::Counted;
use crate::tally::Tally;
use crate::temporary::Temporary;
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
    threads: Threads,
    memory: usize,
    temporary: Temporary,
    state: Mutex<State>,
    /// Notified when a thread stops using a counter.
    returned: Condvar,
}

#[derive(Debug)]
struct State {
    parts: Vec<Part>,
    /// Counted chunks, whose allocations are reused.
    counted: Vec<Visits>,
    failed: Option<BookError>,
    /// Whether a thread panicked while it counted.
    is_broken: bool,
}

/// A part of the positions.
#[derive(Debug)]
struct Part {
    /// `None` while a thread uses it.
    counter: Option<Box<Counter>>,
    /// The thread that used it last.
    thread: Option<ThreadId>,
    /// Chunks that are not counted yet, in the order of the input.
    waiting: VecDeque<Arc<Chunk>>,
}

/// A chunk, its file, and the number of games before it there.
#[derive(Debug)]
struct Chunk {
    visits: Visits,
    file: u32,
    games_before: u64,
}

/// Maximum number of parts. Each refers to games of its own, so that more would need more memory for names.
const MOST_PARTS: usize = 32;

impl Aggregate {
    /// Counts on the calling thread in about `memory` bytes and spills to files in `folder`.
    pub fn new(memory: usize, folder: &Path) -> Self {
        Aggregate::with_threads(Threads::new(1), memory, folder)
    }

    /// Counts on several threads, which use about `memory` bytes together: on the one that calls [`Aggregate::add`] and on those
    /// that call [`Aggregate::count_waiting`].
    pub fn with_threads(threads: Threads, memory: usize, folder: &Path) -> Self {
        let count = threads.count().min(MOST_PARTS);
        let part = || Part {
            counter: Some(Box::new(Counter::new(memory / count, folder))),
            thread: None,
            waiting: VecDeque::new(),
        };
        let parts = std::iter::repeat_with(part).take(count).collect();
        let state = State { parts, counted: Vec::new(), failed: None, is_broken: false };
        let temporary = Temporary { folder: folder.to_owned() };
        let (state, returned) = (Mutex::new(state), Condvar::new());
        Aggregate { threads, memory, temporary, state, returned }
    }

    /// Returns the maximum number of chunks that wait to be counted: more than are committed at once after the thread that commits
    /// them had no processor.
    pub fn most_waiting(threads: usize) -> usize {
        if threads <= 1 { 0 } else { 4 * threads }
    }

    /// Divides the positions of a chunk, which [`Aggregate::add`] does otherwise.
    pub fn divide(&self, counts: &mut Counts) {
        counts.visits.divide(self.threads.count().min(MOST_PARTS));
    }

    /// Adds the counts of a chunk that has `games_before` games before it in its file, and removes the positions from `counts`.
    /// Files are numbered in name order. Counts only if too many chunks are waiting.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written, for this chunk or an earlier one.
    pub fn add(&self, counts: &mut Counts, file: u32, games_before: u64) -> Result<(), BookError> {
        self.divide(counts);
        let mut state = self.state();
        let visits = state.counted.pop().unwrap_or_default();
        let mut visits = std::mem::replace(&mut counts.visits, visits);
        visits.leave_whole(&mut counts.visits);
        let chunk = Arc::new(Chunk { visits, file, games_before });
        for part in &mut state.parts {
            part.waiting.push_back(chunk.clone());
        }
        drop(chunk);
        let most = Aggregate::most_waiting(self.threads.count());
        while !state.is_broken && state.parts.iter().any(|part| part.waiting.len() > most) {
            drop(state);
            // A part that another thread counts is waited for: counting the others meanwhile would keep this thread from its own work.
            let counted = self.count_part(most);
            state = self.state();
            if counted == 0 && state.parts.iter().any(|part| part.counter.is_none()) {
                state = self.returned.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
        state.failed.take().map_or(Ok(()), Err)
    }

    /// Counts about as much as a chunk contains, of what is waiting. Returns whether anything was; errors are returned by
    /// [`Aggregate::add`].
    pub fn count_waiting(&self) -> bool {
        let parts = self.threads.count().min(MOST_PARTS);
        let mut counted = 0;
        while counted < parts {
            match self.count_part(0) {
                0 => break,
                chunks => counted += chunks,
            }
        }
        counted > 0
    }

    /// Adds what is waiting to a counter that no other thread uses, if it is more than `least` chunks. Returns their number.
    fn count_part(&self, least: usize) -> usize {
        let Some(mut taken) = self.take(least) else { return 0 };
        let Taken { part, counter, chunks, failed, .. } = &mut taken;
        for chunk in &*chunks {
            let Chunk { visits, file, games_before } = &**chunk;
            let added =
                counter.as_mut().map(|counter| counter.add(visits, *part, *file, *games_before));
            if let Some(Err(error)) = added {
                *failed = Some(error);
                break;
            }
        }
        chunks.len()
    }

    /// Takes the counter for which most chunks are waiting, of several the one that this thread used last; none if only `least` are.
    fn take(&self, least: usize) -> Option<Taken<'_>> {
        let thread = thread::current().id();
        let mut state = self.state();
        let idle = state.parts.iter_mut().enumerate().filter(|(_, part)| part.counter.is_some());
        let (number, part) =
            idle.max_by_key(|(_, part)| (part.waiting.len(), part.thread == Some(thread)))?;
        if part.waiting.len() <= least {
            return None;
        }
        part.thread = Some(thread);
        let (chunks, counter) = (std::mem::take(&mut part.waiting), part.counter.take());
        drop(state);
        Some(Taken { aggregate: self, part: number, chunks, counter, failed: None })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns how many times the memory of a counter was full.
    pub fn spills(&self) -> usize {
        self.state()
            .parts
            .iter()
            .flat_map(|part| &part.counter)
            .map(|counter| counter.spills())
            .sum()
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
        let temporary = self.temporary.clone();
        let totals = self.finish_within(memory)?;
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
    fn finish_within(self, most: usize) -> Result<Totals, BookError> {
        let threads = self.threads.clone();
        let on_all = |error| self.temporary.failed(error);
        // One item for each thread.
        let count = |()| while self.count_waiting() {};
        threads.map(vec![(); threads.count()], count).map_err(on_all)?;
        let Aggregate { memory, temporary, state, .. } = self;
        let State { parts, failed, .. } =
            state.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.map_or(Ok(()), Err)?;
        let on_all = |error| temporary.failed(error);
        let counters: Vec<Box<Counter>> =
            parts.into_iter().filter_map(|part| part.counter).collect();
        let share = most / counters.len();
        let finish = |mut counter: Box<Counter>| counter.finish_within(share).map(|()| counter);
        let finished = threads.map(counters, finish).map_err(on_all)?;
        let counters = finished.into_iter().map(|counter| Ok(counter?.into_rows()));
        let counters = counters.collect::<Result<Vec<_>, BookError>>()?;
        Ok(Totals::new(counters, threads, memory, temporary))
    }
}

/// A counter that a thread uses; it is returned in the end.
struct Taken<'a> {
    aggregate: &'a Aggregate,
    part: usize,
    counter: Option<Box<Counter>>,
    chunks: VecDeque<Arc<Chunk>>,
    failed: Option<BookError>,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        // The last counter to add a chunk clears it.
        let counted: Vec<Visits> = self
            .chunks
            .drain(..)
            .filter_map(Arc::into_inner)
            .map(|chunk| {
                let mut visits = chunk.visits;
                visits.clear();
                visits
            })
            .collect();
        let mut state = self.aggregate.state();
        state.counted.extend(counted);
        state.is_broken |= thread::panicking();
        if let Some(error) = self.failed.take() {
            state.failed.get_or_insert(error);
        }
        state.parts[self.part].counter = self.counter.take();
        drop(state);
        self.aggregate.returned.notify_all();
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
    fn chunks_wait_until_a_thread_counts_them_or_too_many_wait() {
        let aggregate = Aggregate::with_threads(Threads::new(2), 1 << 20, &std::env::temp_dir());
        let waiting = || aggregate.state().parts.iter().map(|part| part.waiting.len()).max();
        for game in 0..10 {
            let mut counts = counts(game);
            aggregate.add(&mut counts, 0, game).unwrap();
            assert!(counts.visits.paths(0).next().is_none());
            // The ninth makes both parts wait for too long.
            let expected = if game < 8 { game + 1 } else { game - 8 };
            assert_eq!(waiting(), Some(expected as usize));
        }
        assert!(aggregate.count_waiting() && !aggregate.count_waiting());
        let mut positions = 0;
        aggregate.for_each(&mut |_, _, tally| positions += tally.games).unwrap();
        assert_eq!(positions, 10_000);
    }

    #[test]
    fn an_error_of_another_thread_is_returned_and_names_the_folder() {
        let folder = std::env::temp_dir().join("pgn2epd without this folder");
        let is_named = |error: BookError| error.to_string().contains("without this folder");
        // The first chunk fills the memory, and the second finds it full.
        for on_another in [true, false] {
            let aggregate = Aggregate::with_threads(Threads::new(2), 1, &folder);
            for game in 0..2 {
                aggregate.add(&mut counts(game), 0, game).unwrap();
            }
            if on_another {
                std::thread::scope(|scope| {
                    scope.spawn(|| while aggregate.count_waiting() {});
                });
                assert!(is_named(aggregate.add(&mut counts(3), 0, 3).unwrap_err()));
            } else {
                assert!(is_named(aggregate.finish().unwrap_err()));
            }
        }
    }
}
