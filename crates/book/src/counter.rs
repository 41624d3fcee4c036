//! Counting in bounded memory, on one thread.
//!
//! Moves are counted in a [`Table`]. When memory is full, its entries are written to disk as rows,
//! sorted within partitions, which are those of a [`CountOrder`]. At the end, the rows of each
//! partition are added up, so that counts are produced in this order: see [`crate::totals`].

use std::mem;
use std::path::Path;

use pgn::Outcome;

use crate::collect::Details;
use crate::count_order::{CountOrder, PARTITIONS};
use crate::disk::Disk;
use crate::error::BookError;
use crate::games::Games;
use crate::recorded_counts::RecordedCounts;
use crate::table::{CountedGame, Partitions, SortedRows, Table};
use crate::tally::GameFacts;
use crate::totals::CounterRows;
use crate::visits::Visits;

/// Temporary files are unnamed, so they disappear however the program ends.
#[derive(Debug)]
pub(crate) struct Counter {
    games: Games,
    table: Table,
    order: CountOrder,
    disk: Disk,
    spills: usize,
    memory: usize,
    /// The game counted last: its file, and its number there.
    last: (u32, u64),
}

/// Number of positions of a game that are counted before free memory is checked again.
const AT_ONCE: usize = 1 << 16;

impl Counter {
    /// Counts in about `memory` bytes and spills to files in `folder`.
    pub(crate) fn new(details: Details, order: CountOrder, memory: usize, folder: &Path) -> Self {
        Counter {
            games: Games::default(),
            table: Table::new(details),
            order,
            disk: Disk::new(folder),
            spills: 0,
            memory,
            last: (0, 0),
        }
    }

    /// `file` is numbered in name order; it has `games_before` games before the chunk of `visits`.
    pub(crate) fn add(
        &mut self,
        visits: &Visits,
        part: usize,
        file: u32,
        games_before: u64,
    ) -> Result<(), BookError> {
        let chunk = visits.games();
        let mut fetched = 0;
        for path in visits.paths(part) {
            let number = games_before + chunk.number(path.game);
            if (file, number) <= self.last {
                self.table.forget();
            }
            self.last = (file, number);
            let mut game = counted_game(chunk.facts(path.game), path.recorded);
            let mut kept = None;
            for visits in path.visits.chunks(AT_ONCE) {
                if self.make_room(visits.len())? {
                    kept = None;
                }
                game.class = self.games.class_number(chunk, path.game);
                if fetched < visits.len() {
                    fetched = self.table.fetch(path.rest, game.class);
                }
                fetched = fetched.saturating_sub(visits.len());
                game.index = kept.unwrap_or(self.games.next());
                if self.table.count(visits, &game) && kept.is_none() {
                    self.games.add(chunk, path.game, file, games_before);
                    kept = Some(game.index);
                }
            }
        }
        Ok(())
    }

    /// Returns the memory in use, in bytes.
    fn used(&self) -> usize {
        self.table.used() + self.games.used()
    }

    /// Makes room for a game and this number of entries; returns whether that took a spill.
    #[inline]
    fn make_room(&mut self, entries: usize) -> Result<bool, BookError> {
        let is_room = self.used().saturating_add(self.table.needed(entries)) <= self.memory;
        let is_spilled = !is_room && self.table.len() > 0 || self.games.is_full();
        if is_spilled {
            self.spill()?;
        }
        self.table.reserve(entries);
        Ok(is_spilled)
    }

    pub(crate) fn spills(&self) -> usize {
        self.spills
    }

    #[cold]
    fn spill(&mut self) -> Result<(), BookError> {
        self.spills += 1;
        let partitions = Partitions::of(&self.table, &self.order);
        (0..PARTITIONS).try_for_each(|partition| self.write(&partitions, partition))?;
        self.disk.flush()?;
        self.table.clear();
        self.games.clear();
        Ok(())
    }

    fn write(&mut self, partitions: &Partitions, partition: usize) -> Result<(), BookError> {
        let rows = SortedRows::new(&self.table, &self.games, partitions, partition, 1);
        Ok(self.disk.write(partition, rows)?)
    }

    /// Entries then use at most `most` bytes, and no partition is partly on disk.
    pub(crate) fn finish_within(&mut self, most: usize) -> Result<(), BookError> {
        if self.spills > 0 {
            self.spill()?;
        }
        self.table.release();
        let mut used = self.used();
        if used <= most {
            return Ok(());
        }
        self.spills += 1;
        let partitions = Partitions::of(&self.table, &self.order);
        let mut kept = 0;
        while used > most && kept < PARTITIONS {
            self.write(&partitions, kept)?;
            used -= partitions.len(kept) * self.table.entry_bytes();
            kept += 1;
        }
        self.disk.flush()?;
        self.table.remove_before(kept, &self.order);
        if self.table.len() == 0 {
            self.games.clear();
        }
        Ok(())
    }

    /// Removes the games, the entries that refer to them, and the rows on disk.
    pub(crate) fn take_rows(&mut self) -> CounterRows {
        let games = mem::take(&mut self.games);
        let table = mem::replace(&mut self.table, Table::new(Details::NONE));
        let disk = mem::replace(&mut self.disk, Disk::new(Path::new("")));
        CounterRows::new(games, table, disk)
    }
}

/// Returns a game with the counts that it represents: its result, or what a record states.
fn counted_game(facts: GameFacts, recorded: RecordedCounts) -> CountedGame {
    let is_one = recorded == RecordedCounts::default();
    let has = |outcome| u32::from(facts.outcome == outcome);
    let RecordedCounts { games, white, draws, black } = match is_one {
        true => RecordedCounts {
            white: has(Outcome::WhiteWins),
            draws: has(Outcome::Draw),
            black: has(Outcome::BlackWins),
            games: 1,
        },
        false => recorded,
    };
    let is_rated = is_one && facts.elo_sum > 0;
    CountedGame { index: 0, class: 0, facts, games, white, draws, black, is_rated }
}

#[cfg(test)]
mod tests {
    use san::{MoveCode, PositionKey};

    use stream::ordered::Threads;

    use super::*;
    use crate::collect::Counts;
    use crate::totals::Totals;
    use crate::visits::{Once, PositionVisit};

    /// Counts a game with positions that no other game has.
    fn add(counter: &mut Counter, game: u64, positions: u64) {
        let position = |number| (PositionKey([number, game, 0, 0]), MoveCode::NONE);
        let positions: Vec<_> = (0..positions).map(position).collect();
        let mut counts = Counts::default();
        counts.game(GameFacts::default(), &positions);
        counter.add(&counts.visits, 0, 0, game).unwrap();
    }

    fn counter(memory: usize) -> Counter {
        Counter::new(Details::ALL, CountOrder::Hash, memory, &std::env::temp_dir())
    }

    #[test]
    fn at_the_end_only_what_exceeds_the_memory_is_written() {
        let mut counter = counter(1 << 20);
        add(&mut counter, 0, 10_000);
        counter.finish_within(300_000).unwrap();
        let rows = counter.take_rows();
        assert!(rows.used() <= 300_000 && rows.used() > 250_000, "{}", rows.used());
        assert!(rows.len_on_disk() > 300_000, "{}", rows.len_on_disk());
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
            let class = format!("{:05}", game % (games - 1));
            let (facts, info) = (GameFacts::default(), [&b""[..]; 3]);
            visits.end(1, facts, &class, info, &[], RecordedCounts::default());
            counter.add(&visits, 0, 0, game).unwrap();
        }
        assert_eq!(counter.spills(), 1);
        counter.finish_within(1 << 20).unwrap();
        let totals =
            Totals::new(vec![counter.take_rows()], CountOrder::Hash, Threads::new(1), 64 << 20);
        let counts = totals.counts(1).map(Result::unwrap);
        let found = counts.map(|counted| (counted.class.parse().unwrap(), counted.tally.games));
        assert!(found.eq((0..games - 1).map(|class| (class, 1 + u64::from(class == 0)))));
    }

    #[test]
    fn counts_are_spilled_only_when_memory_is_full() {
        let mut counter = counter(16 << 20);
        // 112 bytes for each position, and 2 MiB for the slots.
        (0..125).for_each(|game| add(&mut counter, game, 1000));
        assert_eq!(counter.spills(), 0);
        (125..140).for_each(|game| add(&mut counter, game, 1000));
        assert_eq!(counter.spills(), 1);
    }
}
