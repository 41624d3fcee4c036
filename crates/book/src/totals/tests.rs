use std::collections::BTreeMap;

use san::MoveCode;

use super::*;
use crate::aggregate::Counter;
use crate::block::sort_key;
use crate::collect::Counts;
use crate::tally::GameFacts;

fn counter(order: CountOrder, memory: usize) -> Counter {
    Counter::new(Details::ALL, order, memory, &std::env::temp_dir())
}

/// Counts a game with these positions.
fn add(counter: &mut Counter, game: u64, positions: std::ops::Range<u64>) {
    let visits = |number: u64| (PositionKey([number, 0, 0, 0]), MoveCode::NONE);
    let mut counts = Counts::default();
    counts.game(GameFacts::default(), &positions.map(visits).collect::<Vec<_>>());
    counter.add(&counts.visits, 0, 0, game).unwrap();
}

#[test]
fn counts_in_memory_and_in_a_file_are_added_up() {
    // In the smallest memory, partitions are merged; in more, they are read and sorted.
    for (memory, most) in [(1 << 12, 0), (1 << 24, 0), (1 << 12, 300_000), (1 << 24, 300_000)] {
        let is_spilled = most == 0;
        let limit = if is_spilled { 1 << 20 } else { 1 << 22 };
        let order = CountOrder::default();
        let mut counter = counter(order.clone(), limit);
        add(&mut counter, 0, 0..5_000);
        add(&mut counter, 1, 0..5_000);
        // If games fill the memory there are several runs, and nothing stays in memory.
        if is_spilled {
            add(&mut counter, 2, 4_000..8_000);
        }
        assert_eq!(counter.spills() > 0, is_spilled);
        counter.finish_within(most).unwrap();
        let rows = counter.take_rows();
        assert!(rows.len_on_disk() > 100_000 && (rows.used() > 200_000) != is_spilled);
        let totals = Totals::new(vec![rows], order, Threads::new(1), memory);
        let mut found = Vec::new();
        for Counted { key, tally, .. } in totals.all() {
            found.push((key.0[0], tally.games));
        }
        found.sort_unstable();
        let end = if is_spilled { 8_000 } else { 5_000 };
        let of_third = |number| u64::from(is_spilled && number >= 4_000);
        let games = |number| of_third(number) + if number < 5_000 { 2 } else { 0 };
        assert!(found.into_iter().eq((0..end).map(|number| (number, games(number)))));
    }
}

#[test]
fn counts_of_several_counters_are_in_the_order_of_explorer_files() {
    let key = |number: u64| {
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        PositionKey([mixed % 7, number, mixed % 5, mixed >> 40])
    };
    // The counts of both counters are in memory, of the first in several runs, or of both in a
    // file.
    for (limits, most) in
        [([1 << 24; 2], usize::MAX), ([1 << 18, 1 << 24], usize::MAX), ([1 << 18; 2], 0)]
    {
        // In the smallest memory, partitions are merged; in more, they are read and sorted.
        for memory in [1 << 12, 1 << 24] {
            let order = CountOrder::default();
            let (mut rows, mut expected) = (Vec::new(), BTreeMap::new());
            for (limit, start) in limits.into_iter().zip([0, 3000]) {
                let mut counter = counter(order.clone(), limit);
                for game in 0..9 {
                    let numbers = start + 500 * game..start + 500 * game + 1000;
                    let mut counts = Counts::default();
                    let visits = numbers.map(|number| (key(number), MoveCode(number as u16 % 3)));
                    let visits: Vec<_> = visits.collect();
                    for (key, next) in &visits {
                        *expected.entry((sort_key(*key), next.0)).or_insert(0) += 1;
                    }
                    counts.game(GameFacts::default(), &visits);
                    counter.add(&counts.visits, 0, 0, game).unwrap();
                }
                assert_eq!(counter.spills() > 1, limit == 1 << 18);
                counter.finish_within(most).unwrap();
                rows.push(counter.take_rows());
            }
            let totals = Totals::new(rows, order, Threads::new(2), memory);
            let counts = totals.all().into_iter();
            let found: Vec<_> = counts
                .map(|Counted { key, next, tally, .. }| ((sort_key(key), next.0), tally.games))
                .collect();
            assert!(found == Vec::from_iter(expected), "{limits:?} {memory}");
        }
    }
}
