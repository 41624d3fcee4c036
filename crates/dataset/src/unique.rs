//! Equal records and games: finds the first record of each key on all threads, the preferred one of
//! each group, and games that are equal to another one.

use std::io;
use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use san::{PositionKey, PositionSet};
use stream::ordered::{SerialQueue, Threads};
use stream::spill::{SortedPairs, Sorter, write_number};

use crate::record::{
    BATCH, Batch, Label, Next, Record, RecordChunk, pass_sorted, read_stored, set_of, stored_number,
};
use crate::steps::{AppendMean, Preference, random_rank};

/// The keys so far, divided by their hash among sets that are looked up side by side.
#[derive(Debug)]
pub(crate) struct FirstKeys {
    sets: Vec<SerialQueue<PositionSet>>,
    /// The size of each set after the chunks decided so far.
    sizes: Vec<SetSize>,
    /// Number of records of which the decision is awaited.
    awaited: usize,
    memory: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct SetSize {
    len: usize,
    capacity: usize,
}

#[derive(Debug)]
pub(crate) struct Deciding {
    results: Receiver<SetResult>,
    /// Number of sets of which the result is awaited.
    awaited: usize,
    /// Whether each record has the key of an earlier one.
    is_duplicate: Vec<bool>,
}

#[derive(Debug)]
struct SetResult {
    set: usize,
    size: SetSize,
    duplicates: Vec<u32>,
}

impl FirstKeys {
    pub(crate) fn new(threads: &Threads, memory: usize) -> Self {
        let count = threads.count().next_power_of_two();
        let set = |_| SerialQueue::new(PositionSet::default(), threads.clone());
        FirstKeys {
            sets: (0..count).map(set).collect(),
            sizes: vec![SetSize::default(); count],
            awaited: 0,
            memory,
        }
    }

    /// Returns whether the keys of another chunk surely fit in memory.
    pub(crate) fn have_room_for(&self, chunk: &RecordChunk) -> bool {
        let len: usize = self.sizes.iter().map(|size| size.len).sum();
        let most = len + self.awaited + chunk.keys.len();
        // If all decisions are known, sets that need not grow suffice.
        let stays = |(set, size): (usize, &SetSize)| {
            size.len + chunk.divided_keys.get(set).map_or(0, Vec::len) <= size.capacity
        };
        bytes_of_keys(most) <= self.memory
            || self.awaited == 0 && self.sizes.iter().enumerate().all(stays)
    }

    /// Begins to decide about the records of a chunk. The divided keys are taken from it.
    pub(crate) fn decide(&mut self, chunk: &mut RecordChunk) -> io::Result<Deciding> {
        let keys = Arc::new(mem::take(&mut chunk.divided_keys));
        let (sender, results) = channel();
        for (set, queue) in self.sets.iter().enumerate() {
            let (keys, sender) = (Arc::clone(&keys), sender.clone());
            queue.push(move |known| {
                let is_known = |(_, key): &&(u32, PositionKey)| !known.insert(*key);
                let duplicates = keys.get(set).into_iter().flatten().filter(is_known);
                let duplicates = duplicates.map(|(record, _)| *record).collect();
                let size = SetSize { len: known.len(), capacity: known.capacity() };
                // After an error the receiver is dropped.
                drop(sender.send(SetResult { set, size, duplicates }));
            })?;
        }
        self.awaited += chunk.keys.len();
        let is_duplicate = vec![false; chunk.keys.len()];
        Ok(Deciding { results, awaited: self.sets.len(), is_duplicate })
    }

    /// Returns whether each record has the key of an earlier one, or waits for that if `must_wait`.
    pub(crate) fn decided(
        &mut self,
        deciding: &mut Deciding,
        must_wait: bool,
    ) -> Option<Vec<bool>> {
        if must_wait && deciding.awaited > 0 {
            self.sets.iter().for_each(SerialQueue::run_waiting);
        }
        while deciding.awaited > 0 {
            let result = match deciding.results.try_recv() {
                Err(TryRecvError::Empty) if !must_wait => return None,
                Err(TryRecvError::Empty) => deciding.results.recv().ok(),
                result => result.ok(),
            };
            let SetResult { set, size, duplicates } = result.expect("no job panics");
            self.sizes[set] = size;
            for record in duplicates {
                deciding.is_duplicate[record as usize] = true;
            }
            deciding.awaited -= 1;
        }
        self.awaited -= deciding.is_duplicate.len();
        Some(mem::take(&mut deciding.is_duplicate))
    }

    /// Returns all keys. All decisions must be known.
    pub(crate) fn into_known(self) -> io::Result<KnownKeys> {
        let take = |queue: &SerialQueue<PositionSet>| {
            let (sender, result) = channel();
            queue.push(move |keys| drop(sender.send(mem::take(keys))))?;
            queue.run_waiting();
            Ok(result.recv().expect("no job panics"))
        };
        Ok(KnownKeys(self.sets.iter().map(take).collect::<io::Result<_>>()?))
    }
}

/// Keys to which none are added.
#[derive(Debug)]
pub(crate) struct KnownKeys(Vec<PositionSet>);

impl KnownKeys {
    pub(crate) fn contains(&self, key: &PositionKey) -> bool {
        self.0[set_of(key, self.0.len())].contains(key)
    }
}

/// The memory of a set: while it grows it exists twice, and a key needs a byte besides.
fn bytes_of_keys(count: usize) -> usize {
    count * (size_of::<PositionKey>() + 1) * 4
}

/// What is known of the records with a key, besides the preferred record itself.
#[derive(Clone, Copy, Debug)]
struct Group {
    key: PositionKey,
    /// What records are preferred by; the highest is best.
    rank: u32,
    /// The number of the preferred record.
    number: u64,
    /// The sum of the labels, if they decide what is written.
    label: Option<Label>,
    is_contradicted: bool,
}

impl Group {
    /// Adds another record of the key; returns whether it is preferred.
    fn add(&mut self, other: &Group, keep: Preference) -> bool {
        if let (Some(label), Some(more)) = (&mut self.label, other.label) {
            self.is_contradicted |= label.contradicts(more);
            *label += more;
        }
        let is_preferred = match keep {
            Preference::Last => other.number > self.number,
            Preference::Deepest if other.rank != self.rank => other.rank > self.rank,
            _ => other.number < self.number,
        };
        if is_preferred {
            (self.rank, self.number) = (other.rank, other.number);
        }
        is_preferred
    }

    /// Reads the group of a record alone, and the record.
    fn read<'s>(by: &[u8], mut stored: &'s [u8]) -> (Self, &'s [u8]) {
        let key = by.last_chunk().expect("a key follows its rank");
        let mut number = || read_stored(&mut stored);
        let (rank, count) = (number() as u32, number());
        let label = (count > 0).then(|| {
            let (results, scores) = (number(), number());
            Label {
                count,
                results,
                scores: (scores >> 1).cast_signed() ^ -((scores & 1).cast_signed()),
            }
        });
        let (key, number) = (PositionKey::from_bytes(*key), stored_number(stored));
        (Group { key, rank, number, label, is_contradicted: false }, stored)
    }
}

/// Stores a record of a chunk, to be compared with those of the same key, in random order.
pub(crate) fn store_group(
    chunk: &RecordChunk,
    record: &Record,
    seed: u64,
    groups: &mut Sorter,
    stored: &mut Vec<u8>,
) -> io::Result<()> {
    let index = chunk.index(record);
    let key = chunk.keys[index];
    let mut by = [0; size_of::<u64>() + size_of::<PositionKey>()];
    let (random, bytes) = by.split_at_mut(size_of::<u64>());
    random.copy_from_slice(&random_rank(seed, key.stable_hash()).to_be_bytes());
    bytes.copy_from_slice(&key.to_bytes());
    stored.clear();
    write_number(chunk.ranks.get(index).copied().unwrap_or_default().into(), stored);
    match chunk.labels.get(index) {
        None => stored.push(0),
        Some(Label { count, results, scores }) => {
            // Zigzag, so that small negative scores take few bytes.
            let scores = (scores << 1 ^ scores >> 63).cast_unsigned();
            [*count, *results, scores].into_iter().for_each(|number| write_number(number, stored));
        }
    }
    chunk.batch.store(record, stored);
    groups.push(&by, stored)
}

/// Passes on the record chosen from each group, in their order; returns the number of the others.
pub(crate) fn pass_chosen(
    mut groups: SortedPairs,
    keep: Preference,
    append_mean: Option<&AppendMean>,
    next: Next<'_>,
) -> io::Result<u64> {
    let (mut batch, mut duplicates) = (Batch::default(), 0);
    // The current group, and where its preferred record begins.
    let mut current: Option<(Group, usize)> = None;
    loop {
        let (group, record) = match groups.next()? {
            Some((by, stored)) => {
                let (group, record) = Group::read(by, stored);
                (Some(group), record)
            }
            None => (None, &[][..]),
        };
        if let (Some((known, start)), Some(group)) = (&mut current, &group)
            && known.key == group.key
        {
            duplicates += 1;
            if known.add(group, keep) {
                batch.bytes.truncate(*start);
                batch.bytes.extend_from_slice(record);
            }
            continue;
        }
        if let Some((group, start)) = current {
            match (append_mean, group.label) {
                (Some(append), Some(label)) => append.0(group.key, label, &mut batch.bytes),
                _ if group.is_contradicted => {
                    duplicates += 1;
                    batch.bytes.truncate(start);
                }
                _ => {}
            }
            let place = start..batch.bytes.len();
            if !place.is_empty() {
                batch.records.push(Record::read(&batch.bytes, place));
            }
            if batch.bytes.len() >= BATCH {
                next(mem::take(&mut batch))?;
            }
        }
        current = group.map(|group| (group, batch.bytes.len()));
        batch.bytes.extend_from_slice(record);
        if current.is_none() {
            next(batch)?;
            return Ok(duplicates);
        }
    }
}

/// Offset of a game's number; before it, whether it is damaged and its rank, preferred first.
const NUMBER: usize = size_of::<u8>() + size_of::<u32>();

/// Leaves out the records of games that are equal to another one. Records wait, sorted by number,
/// while the games are sorted twice: by key, and those that are left out by number.
#[derive(Debug)]
pub(crate) struct UniqueGames {
    games: Sorter,
    /// The numbers of those that are left out.
    omitted: Sorter,
    records: Sorter,
}

impl UniqueGames {
    pub(crate) fn new(memory: usize, folder: &Path, threads: &Threads) -> Self {
        // Buffers grow to twice their size.
        let sorter = || Sorter::new(memory / 8, folder, threads);
        UniqueGames { games: sorter(), omitted: sorter(), records: sorter() }
    }

    /// Adds the games of a chunk that have records, given the number of games before it.
    pub(crate) fn add(&mut self, chunk: &RecordChunk, before: u64) -> io::Result<()> {
        let mut value = Vec::new();
        for same in chunk.batch.records.chunk_by(|one, other| one.game == other.game) {
            let index = same[0].game;
            let Some(Some(game)) = chunk.compared.get(index as usize) else { continue };
            value.clear();
            value.push(game.is_damaged.into());
            value.extend((!game.rank).to_be_bytes());
            value.extend((before + index).to_be_bytes());
            self.games.push(&game.key, &value)?;
        }
        Ok(())
    }

    pub(crate) fn store(&mut self, batch: &Batch) -> io::Result<()> {
        batch.store_all(&mut self.records, |_, _| {})
    }

    /// Passes on the records of the games kept, in order; returns how many games are left out.
    pub(crate) fn finish(mut self, pass: Next<'_>) -> io::Result<u64> {
        let (mut sorted, mut count) = (self.games.finish()?, 0);
        let (mut last, mut best): (Vec<u8>, Vec<u8>) = Default::default();
        while let Some((key, value)) = sorted.next()? {
            // What begins with a key follows it.
            if best.is_empty() || !key.starts_with(&last) {
                value.clone_into(&mut best);
            } else {
                let mut worse = value.to_vec();
                if worse < best {
                    mem::swap(&mut worse, &mut best);
                }
                self.omitted.push(&worse[NUMBER..], &[])?;
                count += 1;
            }
            key.clone_into(&mut last);
        }
        let mut omitted = self.omitted.finish()?;
        let mut next = next_number(&mut omitted)?;
        let keeps = |record: &Record| {
            while next.is_some_and(|number| number < record.game) {
                next = next_number(&mut omitted)?;
            }
            Ok(Some(next != Some(record.game)))
        };
        pass_sorted(self.records.finish()?, keeps, pass)?;
        Ok(count)
    }
}

fn next_number(omitted: &mut SortedPairs) -> io::Result<Option<u64>> {
    let number = omitted.next()?.and_then(|(number, _)| number.first_chunk());
    Ok(number.map(|number| u64::from_be_bytes(*number)))
}

#[cfg(test)]
mod tests {
    use std::collections::{HashSet, VecDeque};

    use proptest::prelude::*;

    use super::*;

    fn key(number: u64) -> PositionKey {
        PositionKey([number, 1, 2, 3])
    }

    /// A chunk with records of these keys.
    fn chunk(keys: &[PositionKey], threads: usize) -> RecordChunk {
        let mut chunk = RecordChunk { keys: keys.to_vec(), ..RecordChunk::default() };
        chunk.divide_keys(threads);
        chunk
    }

    proptest! {
        #[test]
        fn later_records_of_a_key_are_duplicates(
            chunks in prop::collection::vec(prop::collection::vec(0..60_u64, 0..50), 0..9),
            threads in 1..6_usize,
            most in 0..5_usize,
        ) {
            let mut first = FirstKeys::new(&Threads::new(threads), 1 << 20);
            let (mut seen, mut expected, mut found) = (HashSet::new(), Vec::new(), Vec::new());
            let mut waiting = VecDeque::new();
            for numbers in &chunks {
                let keys: Vec<_> = numbers.iter().map(|number| key(*number)).collect();
                expected.push(keys.iter().map(|key| !seen.insert(*key)).collect::<Vec<bool>>());
                let mut records = chunk(&keys, threads);
                prop_assert!(first.have_room_for(&records));
                waiting.push_back(first.decide(&mut records).unwrap());
                if waiting.len() > most {
                    found.extend(first.decided(&mut waiting.pop_front().unwrap(), true));
                }
            }
            for mut deciding in waiting {
                let known = first.decided(&mut deciding, false);
                found.extend(known.or_else(|| first.decided(&mut deciding, true)));
            }
            prop_assert_eq!(found, expected);
            let known = first.into_known().unwrap();
            for number in 0..60 {
                prop_assert_eq!(known.contains(&key(number)), seen.contains(&key(number)));
            }
        }
    }

    #[test]
    fn sets_grow_only_while_they_fit_in_memory() {
        let memory = bytes_of_keys(1_000);
        let mut first = FirstKeys::new(&Threads::new(2), memory);
        let keys: Vec<_> = (0..1_000).map(key).collect();
        let mut records = chunk(&keys, 2);
        assert!(first.have_room_for(&records));
        let mut deciding = first.decide(&mut records).unwrap();
        // All of them may be new.
        assert!(!first.have_room_for(&chunk(&[key(0)], 2)));
        first.decided(&mut deciding, true);
        let room: usize = first.sizes.iter().map(|size| size.capacity - size.len).sum();
        assert!(room > 1);
        assert!(first.have_room_for(&chunk(&[key(0)], 2)));
        let more: Vec<_> = (1_000..1_001 + room as u64).map(key).collect();
        assert!(!first.have_room_for(&chunk(&more, 2)));
    }
}
