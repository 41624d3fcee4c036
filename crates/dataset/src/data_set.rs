//! Passes the records of chunks through the steps of a data set.

use std::collections::VecDeque;
use std::io;
use std::mem;

use stream::ordered::Threads;
use stream::spill::Sorter;

use crate::record::{Batch, Next, Record, RecordChunk, pass_sorted};
use crate::steps::{Order, Sample, SelectedCounts, SkipAndLimit, Steps, random_rank};
use crate::unique::{Deciding, FirstKeys, KnownKeys, UniqueGames, pass_chosen, store_group};

/// Records that become a data set.
#[derive(Debug)]
pub struct DataSet {
    steps: Steps,
    threads: Threads,
    /// The keys so far, while they fit in memory, if the first of equal records is selected.
    first: Option<FirstKeys>,
    /// The keys of the records selected so far, if they did not.
    known: Option<KnownKeys>,
    /// Records that are compared with others at the end.
    groups: Option<Sorter>,
    /// Whether the groups are in the random order of the result.
    orders_groups: bool,
    /// The games, and all records, if games are compared.
    games: Option<UniqueGames>,
    numbers: SkipAndLimit,
    sample: Option<Sample<Vec<u8>>>,
    /// Records that get another order.
    ordered: Option<Sorter>,
    /// The chunks of which the decision is awaited, in their order.
    waiting: VecDeque<(RecordChunk, Deciding)>,
    /// The number of records so far, and of games.
    records: u64,
    games_begun: u64,
    /// What was not returned yet.
    written: SelectedCounts,
}

impl DataSet {
    /// Begins a data set.
    pub fn new(steps: &Steps, threads: &Threads) -> Self {
        let mut steps = steps.clone();
        let is_sorted = steps.order == Order::SortKey;
        let numbers = match (steps.sample, is_sorted) {
            (Some(0), _) => SkipAndLimit::new(0, Some(0)),
            (_, true) => SkipAndLimit::new(0, None),
            _ => SkipAndLimit::new(steps.skip, steps.limit),
        };
        let compares = steps.compares();
        let selects_all = numbers.are_all() && steps.sample.is_none();
        let is_random = steps.order == Order::Random;
        let orders_groups = is_random && compares && selects_all;
        // Keys and records are in memory at the same time, or compared records and ordered ones.
        if (is_sorted || is_random) && (compares || steps.unique_games) {
            steps.memory /= 2;
        }
        let sorter = |memory| Sorter::new(memory, &steps.folder, threads);
        // Buffers grow to twice their size; with the first keys there is memory for little else.
        let share = if steps.keeps_first() && !orders_groups { 8 } else { 2 };
        DataSet {
            threads: threads.clone(),
            first: steps.keeps_first().then(|| FirstKeys::new(threads, steps.memory)),
            known: None,
            groups: compares.then(|| sorter(steps.memory / share)),
            orders_groups,
            games: steps
                .unique_games
                .then(|| UniqueGames::new(steps.memory, &steps.folder, threads)),
            numbers,
            sample: steps.sample.map(|count| Sample::new(count, steps.seed)),
            ordered: (is_sorted || is_random && !orders_groups).then(|| sorter(steps.memory / 2)),
            waiting: VecDeque::new(),
            records: 0,
            games_begun: 0,
            written: SelectedCounts::default(),
            steps,
        }
    }

    /// Returns whether no further record will be selected.
    pub fn is_full(&self) -> bool {
        self.numbers.are_over()
    }

    /// Adds the records of a chunk. Those that are selected may be passed on later. Fails if a
    /// temporary file cannot be written, and those of `next`.
    pub fn push(&mut self, mut chunk: RecordChunk, next: Next<'_>) -> io::Result<SelectedCounts> {
        if let Some(games) = &mut self.games {
            games.add(&chunk, self.games_begun)?;
        }
        let (records, games, games_before) = (self.records, self.games_begun, chunk.games_before);
        for record in &mut chunk.batch.records {
            record.number += records;
            record.game += games;
            record.games_before = games_before;
        }
        chunk.first = records;
        self.records += chunk.batch.records.len() as u64;
        self.games_begun += u64::from(chunk.games);
        let is_large = |first: &FirstKeys, chunk: &RecordChunk| !first.have_room_for(chunk);
        if self.first.as_ref().is_some_and(|first| is_large(first, &chunk)) {
            // Less memory may be needed when all decisions are known.
            self.select_decided(0, next)?;
        }
        if let Some(first) = self.first.take_if(|first| is_large(first, &chunk)) {
            self.known = Some(first.into_known()?);
        }
        if let Some(first) = &mut self.first {
            let deciding = first.decide(&mut chunk)?;
            self.waiting.push_back((chunk, deciding));
            // Other threads decide meanwhile, unless the limit decides what is read.
            let threads = self.threads.count();
            let most = if threads == 1 || self.numbers.have_end() { 0 } else { threads };
            self.select_decided(most, next)?;
        } else if let Some(games) = &mut self.games {
            games.store(&chunk.batch)?;
        } else if self.groups.is_some() {
            self.store_groups(&chunk)?;
        } else {
            self.select(chunk.batch, &[], next)?;
        }
        Ok(mem::take(&mut self.written))
    }

    /// Waits until at most `most` chunks remain whose decision is awaited.
    fn select_decided(&mut self, most: usize, next: Next<'_>) -> io::Result<()> {
        while let (Some(first), Some((mut chunk, mut deciding))) =
            (&mut self.first, self.waiting.pop_front())
        {
            let must_wait = self.waiting.len() >= most;
            let before = chunk.batch.records.len();
            let Some(is_duplicate) = first.decided(&mut deciding, must_wait) else {
                self.waiting.push_front((chunk, deciding));
                break;
            };
            if self.orders_groups {
                let mut is_duplicate = is_duplicate.into_iter();
                chunk.batch.records.retain(|_| !is_duplicate.next().unwrap_or_default());
                self.written.duplicates += (before - chunk.batch.records.len()) as u64;
                self.store_groups(&chunk)?;
            } else {
                self.select(chunk.batch, &is_duplicate, next)?;
            }
        }
        Ok(())
    }

    /// Selects among records in the order of the input, and without those that are duplicates.
    fn select(
        &mut self,
        mut batch: Batch,
        is_duplicate: &[bool],
        next: Next<'_>,
    ) -> io::Result<()> {
        let DataSet { numbers, sample, written, .. } = self;
        let mut is_duplicate = is_duplicate.iter();
        let mut records = mem::take(&mut batch.records);
        records.retain(|record| {
            let is_duplicate = is_duplicate.next().is_some_and(|is_duplicate| *is_duplicate);
            // First, so that the number of duplicates does not depend on where chunks end.
            if numbers.are_over() {
                return false;
            }
            written.duplicates += u64::from(is_duplicate);
            if is_duplicate || !numbers.selects_next() {
                return false;
            }
            let Some(sample) = sample else { return true };
            sample.offer(numbers.count, || {
                let mut stored = Vec::new();
                batch.store(record, &mut stored);
                stored
            });
            false
        });
        batch.records = records;
        self.pass_on(batch, next)
    }

    /// Passes on records that are selected, or puts them in another order.
    fn pass_on(&mut self, batch: Batch, next: Next<'_>) -> io::Result<()> {
        let (seed, is_sorted) = (self.steps.seed, self.steps.order == Order::SortKey);
        if !is_sorted {
            self.written.positions += batch.positions();
        }
        let Some(ordered) = &mut self.ordered else { return next(batch) };
        batch.store_all(ordered, |record, key| match is_sorted {
            // Records with equal keys stay in the order of the input.
            true => key.extend_from_slice(batch.sort_key(record)),
            false => key.extend(random_rank(seed, record.number).to_be_bytes()),
        })
    }

    /// Stores records that are compared at the end.
    fn store_groups(&mut self, chunk: &RecordChunk) -> io::Result<()> {
        let Some(groups) = &mut self.groups else { return Ok(()) };
        let mut stored = Vec::new();
        for record in &chunk.batch.records {
            let is_known = |known: &KnownKeys| known.contains(&chunk.keys[chunk.index(record)]);
            if self.known.as_ref().is_some_and(is_known) {
                self.written.duplicates += 1;
            } else {
                store_group(chunk, record, self.steps.seed, groups, &mut stored)?;
            }
        }
        Ok(())
    }

    /// Passes on what is known of all records so far. Fails if a temporary file or `next` does.
    pub fn flush(&mut self, next: Next<'_>) -> io::Result<SelectedCounts> {
        self.select_decided(0, next)?;
        Ok(mem::take(&mut self.written))
    }

    /// Passes on the selected records that were stored. Fails if a temporary file or `next` does.
    pub fn finish(mut self, next: Next<'_>) -> io::Result<SelectedCounts> {
        self.select_decided(0, next)?;
        if let Some(games) = self.games.take() {
            let omitted = games.finish(&mut |batch| self.select(batch, &[], next))?;
            self.written.duplicates += omitted;
        }
        // Their memory is not needed any more.
        (self.first, self.known) = (None, None);
        if let Some(groups) = self.groups.take() {
            let omitted = self.choose(groups, next)?;
            self.written.duplicates += omitted;
        }
        if let Some(sample) = self.sample.take() {
            let mut batch = Batch::default();
            let records = sample.into_records().map(|stored| batch.read(&stored)).collect();
            batch.records = records;
            self.pass_on(batch, next)?;
        }
        if let Some(ordered) = self.ordered.take() {
            let is_sorted = self.steps.order == Order::SortKey;
            let mut numbers = match is_sorted {
                true => SkipAndLimit::new(self.steps.skip, self.steps.limit),
                false => SkipAndLimit::new(0, None),
            };
            let keeps = |_: &Record| Ok((!numbers.are_over()).then(|| numbers.selects_next()));
            pass_sorted(ordered.finish()?, keeps, &mut |batch| {
                self.written.positions += if is_sorted { batch.positions() } else { 0 };
                next(batch)
            })?;
        }
        Ok(self.written)
    }

    /// Selects among the records that are chosen from the groups; returns the number of the others.
    fn choose(&mut self, groups: Sorter, next: Next<'_>) -> io::Result<u64> {
        let Steps { keep, append_mean, memory, folder, .. } = &self.steps;
        let (keep, append_mean) = (*keep, append_mean.clone());
        let is_sorted = self.steps.order == Order::SortKey;
        let selects_all = self.sample.is_none() && self.numbers.are_all();
        let mut numbered = Sorter::new(memory / 4, folder, &self.threads);
        let omitted = pass_chosen(groups.finish()?, keep, append_mean.as_ref(), &mut |batch| {
            match self.orders_groups || is_sorted && selects_all {
                true => self.pass_on(batch, next),
                // Back in the order of the input.
                false => batch.store_all(&mut numbered, |_, _| {}),
            }
        })?;
        pass_sorted(numbered.finish()?, |_| Ok(Some(true)), &mut |batch| {
            self.select(batch, &[], next)
        })?;
        Ok(omitted)
    }
}
