//! Finds the first record of each position on all threads.

use std::io;
use std::mem;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use san::{PositionKey, PositionSet};
use stream::ordered::{SerialQueue, Threads};

use super::marks::{Marks, set_of, sets_for};

/// The positions so far, divided by their hash among sets that are looked up side by side.
#[derive(Debug)]
pub(super) struct FirstPositions {
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

/// The decision about the records of a chunk.
#[derive(Debug)]
pub(crate) struct Deciding {
    results: Receiver<SetResult>,
    /// Number of sets of which the result is awaited.
    awaited: usize,
    /// Whether each record has the position of an earlier one.
    is_duplicate: Vec<bool>,
}

/// What a set says about a chunk.
#[derive(Debug)]
struct SetResult {
    set: usize,
    size: SetSize,
    /// The records with the position of an earlier one.
    duplicates: Vec<u32>,
}

impl FirstPositions {
    /// Creates empty sets for these threads.
    pub(super) fn new(threads: &Threads, memory: usize) -> Self {
        let count = sets_for(threads.count());
        FirstPositions {
            sets: (0..count)
                .map(|_| SerialQueue::new(PositionSet::default(), threads.clone()))
                .collect(),
            sizes: vec![SetSize::default(); count],
            awaited: 0,
            memory,
        }
    }

    /// Whether the records of another chunk surely fit in memory.
    pub(super) fn has_room(&self, marks: &Marks) -> bool {
        let len: usize = self.sizes.iter().map(|size| size.len).sum();
        let most = len + self.awaited + marks.records.len();
        // If all decisions are known, sets that need not grow suffice.
        let stays = |(set, size): (usize, &SetSize)| {
            size.len + marks.divided_keys().of_set(set).len() <= size.capacity
        };
        bytes_of_positions(most) <= self.memory
            || self.awaited == 0 && self.sizes.iter().enumerate().all(stays)
    }

    /// Begins to decide about the records of a chunk. The keys are taken from it.
    pub(super) fn decide(&mut self, marks: &mut Marks) -> io::Result<Deciding> {
        let keys = Arc::new(marks.take_divided_keys());
        let (sender, results) = channel();
        for (set, queue) in self.sets.iter().enumerate() {
            let (keys, sender) = (Arc::clone(&keys), sender.clone());
            queue.push(move |positions| {
                let mut duplicates = Vec::new();
                for &(record, key) in keys.of_set(set) {
                    if !positions.insert(key) {
                        duplicates.push(record);
                    }
                }
                let size = SetSize { len: positions.len(), capacity: positions.capacity() };
                // After an error the receiver is dropped.
                drop(sender.send(SetResult { set, size, duplicates }));
            })?;
        }
        self.awaited += marks.records.len();
        let is_duplicate = vec![false; marks.records.len()];
        Ok(Deciding { results, awaited: self.sets.len(), is_duplicate })
    }

    /// Returns whether each record has the position of an earlier one, or waits for that if `must_wait`.
    pub(super) fn decided(
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

    /// Returns all positions. All decisions must be known.
    pub(super) fn into_sets(self) -> io::Result<PositionSets> {
        let take = |queue: &SerialQueue<PositionSet>| {
            let (sender, result) = channel();
            queue.push(move |positions| drop(sender.send(mem::take(positions))))?;
            queue.run_waiting();
            Ok(result.recv().expect("no job panics"))
        };
        Ok(PositionSets::new(self.sets.iter().map(take).collect::<io::Result<_>>()?))
    }
}

/// Positions to which none are added.
#[derive(Debug)]
pub(super) struct PositionSets(Vec<PositionSet>);

impl PositionSets {
    /// Creates it from the positions divided by their hash, as in [`DividedKeys`](super::marks::DividedKeys).
    pub(super) fn new(sets: Vec<PositionSet>) -> Self {
        PositionSets(sets)
    }

    /// Whether a position is among them.
    pub(super) fn contains(&self, key: &PositionKey) -> bool {
        self.0.get(set_of(key, self.0.len())).is_some_and(|set| set.contains(key))
    }
}

/// Returns the memory needed by a set of this many positions, in bytes. While it grows it exists twice, and a position needs a byte
/// besides.
pub(super) fn bytes_of_positions(count: usize) -> usize {
    count * (size_of::<PositionKey>() + 1) * 4
}

#[cfg(test)]
mod tests {
    use std::collections::{HashSet, VecDeque};

    use proptest::prelude::*;

    use super::super::marks::MarkPlan;
    use super::*;

    fn key(number: u64) -> PositionKey {
        PositionKey([number, 1, 2, 3])
    }

    /// A chunk with records of these positions.
    fn chunk(keys: &[PositionKey], threads: usize) -> Marks {
        let mut marks = Marks::default();
        marks.begin();
        for key in keys {
            marks.push(0..0, 1, &[]);
            marks.keys.push(*key);
        }
        let sets = sets_for(threads);
        marks.divide_keys(&MarkPlan { is_needed: true, keys: true, sets, ..MarkPlan::default() });
        marks
    }

    proptest! {
        #[test]
        fn later_records_of_a_position_are_duplicates(
            chunks in prop::collection::vec(prop::collection::vec(0..60_u64, 0..50), 0..9),
            threads in 1..6_usize,
            most in 0..5_usize,
        ) {
            let mut first = FirstPositions::new(&Threads::new(threads), 1 << 20);
            let (mut seen, mut expected, mut found) = (HashSet::new(), Vec::new(), Vec::new());
            let mut waiting = VecDeque::new();
            for numbers in &chunks {
                let keys: Vec<_> = numbers.iter().map(|number| key(*number)).collect();
                expected.push(keys.iter().map(|key| !seen.insert(*key)).collect::<Vec<bool>>());
                let mut marks = chunk(&keys, threads);
                prop_assert!(first.has_room(&marks));
                waiting.push_back(first.decide(&mut marks).unwrap());
                if waiting.len() > most {
                    found.extend(first.decided(&mut waiting.pop_front().unwrap(), true));
                }
            }
            for mut deciding in waiting {
                let known = first.decided(&mut deciding, false);
                found.extend(known.or_else(|| first.decided(&mut deciding, true)));
            }
            prop_assert_eq!(found, expected);
            let positions = first.into_sets().unwrap();
            for number in 0..60 {
                prop_assert_eq!(positions.contains(&key(number)), seen.contains(&key(number)));
            }
        }
    }

    #[test]
    fn sets_grow_only_while_they_fit_in_memory() {
        let memory = bytes_of_positions(1_000);
        let mut first = FirstPositions::new(&Threads::new(2), memory);
        let keys: Vec<_> = (0..1_000).map(key).collect();
        let mut marks = chunk(&keys, 2);
        assert!(first.has_room(&marks));
        let mut deciding = first.decide(&mut marks).unwrap();
        // All of them may be new.
        assert!(!first.has_room(&chunk(&[key(0)], 2)));
        first.decided(&mut deciding, true);
        let room: usize = first.sizes.iter().map(|size| size.capacity - size.len).sum();
        assert!(room > 1);
        assert!(first.has_room(&chunk(&[key(0)], 2)));
        let more: Vec<_> = (1_000..1_001 + room as u64).map(key).collect();
        assert!(!first.has_room(&chunk(&more, 2)));
    }
}
