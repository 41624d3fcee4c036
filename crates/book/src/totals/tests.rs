use std::collections::BTreeMap;

use san::{MoveCode, PositionKey};

use super::*;
use crate::aggregate::PositionCounter;
use crate::collect::{Counts, Details};

#[test]
fn counts_in_memory_and_in_files_are_added_up_in_order() {
    let key = |number: u64| {
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        PositionKey([mixed % 7, number, mixed % 5, mixed >> 40])
    };
    // The counts of both counters are in memory, of the first in many runs, or of both.
    for limits in [[1 << 24; 2], [1 << 16, 1 << 24], [1 << 16; 2]] {
        // In the least memory, runs are merged several times.
        for memory in [1 << 12, 1 << 24] {
            let (mut tables, mut runs, mut expected) = (Vec::new(), Vec::new(), BTreeMap::new());
            for (limit, start) in limits.into_iter().zip([0, 7000]) {
                let mut counter = PositionCounter::new(Details::ALL, limit, &std::env::temp_dir());
                for game in 0..20 {
                    let numbers = start + 300 * game..start + 300 * game + 1000;
                    let mut counts = Counts::default();
                    let visits = numbers.map(|number| (key(number), MoveCode(number as u16 % 3)));
                    let visits: Vec<_> = visits.collect();
                    for (key, next) in &visits {
                        *expected.entry((sort_key(*key), next.0)).or_insert(0) += 1;
                    }
                    counts.game(Game::default(), &visits);
                    counter.add(&counts.visits, 0, 0, game).unwrap();
                }
                assert_eq!(counter.runs.len() >= LEAST_RUNS, limit == 1 << 16);
                let (table, of_counter) = counter.finish_within(usize::MAX).unwrap();
                tables.push(table);
                runs.extend(of_counter);
            }
            let (threads, folder) = (Threads::new(2), std::env::temp_dir());
            let totals = Totals { tables: tables.into(), runs, threads, memory, folder };
            let found = totals.all().into_iter();
            let found: Vec<_> =
                found.map(|(key, next, _, games)| ((sort_key(key), next.0), games)).collect();
            assert!(found == Vec::from_iter(expected), "{limits:?} {memory}");
        }
    }
}

impl Totals {
    /// Returns all counts, each with its strongest game and the number of games.
    pub(crate) fn all(self) -> Vec<(san::PositionKey, san::MoveCode, Game, u64)> {
        let mut all = Vec::new();
        let counts = |entries: &mut EntriesIter<'_, '_>| {
            let mut counts = Vec::new();
            for entry in entries {
                let entry = entry?;
                counts.extend(entry.counts.iter().map(|(code, tally)| {
                    (entry.key, *code, entry.game(tally.strongest).clone(), tally.games)
                }));
            }
            Ok(counts)
        };
        let mut take = |counts| {
            all.extend::<Vec<_>>(counts);
            Ok(())
        };
        self.map(1, counts, &mut take).unwrap();
        all
    }
}
