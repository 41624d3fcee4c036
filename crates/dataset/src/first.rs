//! Finds the first record of each key on all threads.

use std::io;
use std::mem;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use san::{PositionKey, PositionSet};
use stream::ordered::{SerialQueue, Threads};

use crate::buckets::{set_of, sets_for};
use crate::record::Records;

/// The keys so far, divided by their hash among sets that are looked up side by side.
#[derive(Debug)]
pub(crate) struct FirstKeys {
    sets: Vec<SerialQueue<PositionSet>>,
    /// The size of each set after the chunks decided so far.
    sizes: Vec<SetSize>,
    /// Number of records of which the decision is awaited.
    awaited: usize,
    /// Bound on the memory, in bytes.
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
        let count = sets_for(threads.count());
        let set = |_| SerialQueue::new(PositionSet::default(), threads.clone());
        FirstKeys {
            sets: (0..count).map(set).collect(),
            sizes: vec![SetSize::default(); count],
            awaited: 0,
            memory,
        }
    }

    /// Returns whether the keys of another chunk surely fit in memory.
    pub(crate) fn have_room_for(&self, records: &Records) -> bool {
        let len: usize = self.sizes.iter().map(|size| size.len).sum();
        let most = len + self.awaited + records.list.len();
        // If all decisions are known, sets that need not grow suffice.
        let stays = |(set, size): (usize, &SetSize)| {
            size.len + records.divided_keys.of_set(set).len() <= size.capacity
        };
        bytes_of_keys(most) <= self.memory
            || self.awaited == 0 && self.sizes.iter().enumerate().all(stays)
    }

    /// Begins to decide about the records of a chunk. The divided keys are taken from it.
    pub(crate) fn decide(&mut self, records: &mut Records) -> io::Result<Deciding> {
        let keys = Arc::new(mem::take(&mut records.divided_keys));
        let (sender, results) = channel();
        for (set, queue) in self.sets.iter().enumerate() {
            let (keys, sender) = (Arc::clone(&keys), sender.clone());
            queue.push(move |known| {
                let is_known = |(_, key): &&(u32, PositionKey)| !known.insert(*key);
                let duplicates = keys.of_set(set).iter().filter(is_known);
                let duplicates = duplicates.map(|(record, _)| *record).collect();
                let size = SetSize { len: known.len(), capacity: known.capacity() };
                // After an error the receiver is dropped.
                drop(sender.send(SetResult { set, size, duplicates }));
            })?;
        }
        self.awaited += records.list.len();
        let is_duplicate = vec![false; records.list.len()];
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

/// While a set grows it exists twice, and a key needs a byte besides.
fn bytes_of_keys(count: usize) -> usize {
    count * (size_of::<PositionKey>() + 1) * 4
}

#[cfg(test)]
mod tests {
    use std::collections::{HashSet, VecDeque};

    use proptest::prelude::*;

    use super::*;
    use crate::record::Record;

    fn key(number: u64) -> PositionKey {
        PositionKey([number, 1, 2, 3])
    }

    /// A chunk with records of these keys.
    fn chunk(keys: &[PositionKey], threads: usize) -> Records {
        let list = vec![Record { game: 0, part: 0, positions: 1 }; keys.len()];
        let mut records = Records { list, keys: keys.to_vec(), ..Records::default() };
        records.divide_keys(threads);
        records
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
