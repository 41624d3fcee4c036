//! Data sets with random steps, records, chunks, threads and memory, compared with a naive
//! implementation.

use std::collections::BTreeMap;

use dataset::{
    AppendMean, Batch, ComparedGame, DataSet, Label, Order, Record, RecordChunk, Steps, random_rank,
};
use dataset::{Conflicts, Preference};
use proptest::collection::vec;
use proptest::prelude::*;
use san::PositionKey;
use stream::ordered::Threads;

/// A record: its key, its rank, which is its sort key too, its result, and the length of its
/// contents.
type Given = (u64, u32, u64, usize);

fn key(number: u64) -> PositionKey {
    PositionKey([number, 1, 2, 3])
}

/// The contents of a record, without its label.
fn contents(number: usize, len: usize) -> Vec<u8> {
    let mut contents = format!("{number}:").into_bytes();
    contents.resize(contents.len() + len, b'-');
    contents
}

/// Few keys, of which some begin with another one or are empty.
fn sort_key(rank: u32) -> Vec<u8> {
    vec![b'k'; rank as usize % 4]
}

/// What is known of a record that is written: its number, its game, its part, the positions in it
/// and the games before its chunk, which are as many as its chunk's number here.
type Place = (u64, u64, u32, u32, u64);

/// Adds a record of the next game, or of the current one.
fn add(chunk: &mut RecordChunk, part: u32, sort_key: &[u8], contents: &[u8]) {
    let Batch { bytes, records } = &mut chunk.batch;
    let start = bytes.len();
    bytes.extend_from_slice(sort_key);
    let at = bytes.len();
    bytes.extend_from_slice(contents);
    let (number, game, end) = (records.len() as u64, chunk.games.into(), bytes.len());
    let (games_before, positions) = (0, 1);
    records.push(Record { number, game, games_before, part, positions, start, contents: at, end });
    // What is between records belongs to none.
    bytes.extend_from_slice(b"...");
}

/// Adds the records of a batch to those written.
fn extend(written: &mut Vec<(Place, Vec<u8>)>, batch: &Batch) {
    for record in &batch.records {
        let Record { number, game, games_before, part, positions, .. } = *record;
        written
            .push(((number, game, part, positions, games_before), batch.contents(record).to_vec()));
    }
}

/// Passes the records through a data set, in chunks of these lengths; returns what was written, and
/// the number of duplicates.
fn run(
    given: &[Given],
    lens: &[usize],
    steps: &Steps,
    threads: usize,
) -> (Vec<(Place, Vec<u8>)>, u64, u64) {
    let (threads, mut written) = (Threads::new(threads), Vec::new());
    let mut data_set = DataSet::new(steps, &threads);
    let mut next = |batch: Batch| {
        extend(&mut written, &batch);
        Ok(())
    };
    let (mut number, mut lens, mut totals) =
        (0, lens.iter().cycle(), dataset::SelectedCounts::default());
    while number < given.len() && !data_set.is_full() {
        let end = given.len().min(number + lens.next().unwrap());
        let mut chunk = RecordChunk::default();
        chunk.games_before = number as u64;
        for (number, (of, rank, results, len)) in (number..end).zip(&given[number..end]) {
            let key_of_sort =
                if steps.order == Order::SortKey { sort_key(*rank) } else { Vec::new() };
            add(&mut chunk, number as u32 % 3, &key_of_sort, &contents(number, *len));
            chunk.games += 1;
            chunk.keys.push(key(*of));
            chunk.ranks.push(*rank);
            if steps.conflicts != Conflicts::Keep {
                let scores = i64::from(*rank) - 5;
                chunk.labels.push(Label { count: 1, results: *results, scores });
            }
        }
        chunk.divide_keys(threads.count());
        totals += data_set.push(chunk, &mut next).unwrap();
        number = end;
    }
    totals += data_set.finish(&mut next).unwrap();
    (written, totals.positions, totals.duplicates)
}

/// The number of each record of the data set with its contents, and the number of duplicates.
fn naive(given: &[Given], steps: &Steps) -> (Vec<(usize, Vec<u8>)>, usize) {
    let compares = steps.unique || steps.conflicts != Conflicts::Keep;
    let mut groups: BTreeMap<(u64, usize), Vec<usize>> = BTreeMap::new();
    for (number, (key, ..)) in given.iter().enumerate() {
        groups.entry((*key, if compares { 0 } else { number })).or_default().push(number);
    }
    let mut left: Vec<(usize, Vec<u8>)> = Vec::new();
    for numbers in groups.values() {
        let result = |number: &usize| given[*number].2;
        let mut results: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        numbers.iter().for_each(|number| results.entry(result(number)).or_default().push(*number));
        if steps.conflicts == Conflicts::Drop && results.len() > 1 {
            continue;
        }
        let best = match steps.keep {
            Preference::First => numbers[0],
            Preference::Last => numbers[numbers.len() - 1],
            _ => *numbers.iter().rev().max_by_key(|number| given[**number].1).unwrap(),
        };
        let mut text = contents(best, given[best].3);
        if steps.conflicts == Conflicts::Mean {
            let scores: i64 = numbers.iter().map(|number| i64::from(given[*number].1) - 5).sum();
            let sum: u64 = numbers.iter().map(result).sum();
            text.extend(format!("={sum}/{scores}/{}", numbers.len()).into_bytes());
        }
        left.push((best, text));
    }
    left.sort();
    let (duplicates, is_whole) =
        (given.len() - left.len(), steps.skip == 0 && steps.limit.is_none());
    let limit = steps.limit.map_or(usize::MAX, |limit| limit as usize);
    let numbered = |records: Vec<(usize, Vec<u8>)>| -> Vec<(usize, Vec<u8>)> {
        records.into_iter().skip(steps.skip as usize).take(limit).collect()
    };
    let is_sorted = steps.order == Order::SortKey;
    let mut selected = if is_sorted { left } else { numbered(left) };
    if let Some(count) = steps.sample {
        // The ordinals count the records that were left, from 1.
        let first = if is_sorted { 1 } else { steps.skip + 1 };
        let mut ranked: Vec<_> = (first..).zip(selected).collect();
        ranked.sort_by_key(|(ordinal, _)| random_rank(steps.seed, *ordinal));
        ranked.truncate(count as usize);
        ranked.sort();
        selected = ranked.into_iter().map(|(_, record)| record).collect();
    }
    if is_sorted {
        selected.sort_by_key(|(number, _)| given[*number].1 % 4);
        selected = numbered(selected);
    }
    if steps.order == Order::Random {
        let by_key = compares && is_whole && steps.sample.is_none();
        selected.sort_by_key(|(number, _)| match by_key {
            true => random_rank(steps.seed, key(given[*number].0).stable_hash()),
            false => random_rank(steps.seed, *number as u64),
        });
    }
    (selected, duplicates)
}

/// The place of each record that is written, with its contents, given the lengths of chunks.
fn placed(records: Vec<(usize, Vec<u8>)>, lens: &[usize]) -> Vec<(Place, Vec<u8>)> {
    let before = |number: usize| {
        let ends = lens.iter().cycle().scan(0, |end, len| {
            *end += len;
            Some(*end)
        });
        ends.take_while(|end| *end <= number).last().unwrap_or(0) as u64
    };
    let place =
        |number: usize| (number as u64, number as u64, number as u32 % 3, 1, before(number));
    records.into_iter().map(|(number, text)| (place(number), text)).collect()
}

fn steps() -> impl Strategy<Value = Steps> {
    use Conflicts::{Drop, Keep, Mean};
    use Preference::{Deepest, First, Last};
    let keep = prop::sample::select(vec![First, First, Last, Deepest]);
    let conflicts = prop::sample::select(vec![Keep, Keep, Drop, Mean]);
    let maybe = |numbers: std::ops::Range<u64>| prop::option::weighted(0.3, numbers);
    let memory = prop::sample::select(vec![1, 10_000, 100_000, 1 << 20, 1 << 30]);
    let numbers = (prop_oneof![2 => Just(0), 1 => 0..200_u64], maybe(0..400), maybe(0..300));
    let order = prop::sample::select(vec![Order::Input, Order::Random, Order::SortKey]);
    (any::<bool>(), keep, conflicts, numbers, order, any::<u64>(), memory).prop_map(
        |(unique, keep, conflicts, (skip, limit, sample), order, seed, memory)| Steps {
            unique,
            keep,
            conflicts,
            append_mean: (conflicts == Conflicts::Mean).then(|| {
                AppendMean::new(|_, Label { count, results, scores }, out| {
                    out.extend(format!("={results}/{scores}/{count}").into_bytes());
                })
            }),
            skip,
            limit,
            sample,
            unique_games: false,
            order,
            seed,
            memory,
            folder: std::env::temp_dir(),
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_data_set_is_that_of_the_naive_implementation(
        steps in steps(),
        keys in prop_oneof![Just(1_u64), Just(40), Just(100_000)],
        given in vec((any::<u64>(), 0..10_u32, 0..3_u64, 0..60_usize), 0..600),
        lens in vec(1..200_usize, 1..5),
        threads in prop_oneof![Just(1_usize), Just(2), Just(5)],
    ) {
        let given: Vec<Given> =
            given.into_iter().map(|(of, rank, result, len)| (of % keys, rank, result, len)).collect();
        let (expected, duplicates) = naive(&given, &steps);
        let (found, positions, found_duplicates) = run(&given, &lens, &steps, threads);
        let expected = placed(expected, &lens);
        prop_assert_eq!(positions, expected.len() as u64);
        // After the limit no records are read.
        if steps.limit.is_none() && steps.sample != Some(0) {
            prop_assert_eq!(found_duplicates, duplicates as u64);
        }
        prop_assert_eq!(found, expected);
    }
}

/// A game: its key, if it is compared, its rank, whether it is damaged, and the number of its
/// records.
type Game = (Option<Vec<u8>>, u32, bool, usize);

/// Passes the records of games through a data set, in chunks of these lengths; returns the records
/// that were written, and how many games were left out.
fn run_games(games: &[Game], lens: &[usize], steps: &Steps, threads: usize) -> (Vec<Vec<u8>>, u64) {
    let (threads, mut written) = (Threads::new(threads), Vec::new());
    let mut data_set = DataSet::new(steps, &threads);
    let mut next = |batch: Batch| {
        extend(&mut written, &batch);
        Ok(())
    };
    let (mut number, mut lens) = (0, lens.iter().cycle());
    while number < games.len() && !data_set.is_full() {
        let end = games.len().min(number + lens.next().unwrap());
        let mut chunk = RecordChunk::default();
        for (number, (key, rank, is_damaged, count)) in (number..end).zip(&games[number..end]) {
            let key_of_sort =
                if steps.order == Order::SortKey { sort_key(*rank) } else { Vec::new() };
            for record in 0..*count {
                add(&mut chunk, 0, &key_of_sort, &contents(number, record));
            }
            chunk.games += 1;
            let (rank, is_damaged) = (*rank, *is_damaged);
            let game = key.clone().map(|key| ComparedGame { key, is_damaged, rank });
            chunk.compared.push(game);
        }
        data_set.push(chunk, &mut next).unwrap();
        number = end;
    }
    let totals = data_set.finish(&mut next).unwrap();
    (written.into_iter().map(|(_, text)| text).collect(), totals.duplicates)
}

/// Returns the key at the end of the chain of keys of which each begins the next one.
fn longest<'g>(key: &'g [u8], games: &[&'g Game]) -> &'g [u8] {
    let others = games.iter().filter_map(|(other, ..)| other.as_deref());
    match others.filter(|other| other.len() > key.len() && other.starts_with(key)).min() {
        Some(next) => longest(next, games),
        None => key,
    }
}

/// The game that is kept instead of each one, by number; itself if it is kept.
fn naive_games(games: &[Game]) -> Vec<usize> {
    let known: Vec<&Game> = games.iter().filter(|(.., count)| *count > 0).collect();
    let group = |number: usize| {
        let (key, .., count) = &games[number];
        key.as_deref().filter(|_| *count > 0).map(|key| longest(key, &known))
    };
    let kept = |number: usize| {
        let own = group(number);
        let equal = (0..games.len())
            .filter(|other| *other == number || own.is_some() && group(*other) == own);
        let order = |other: &usize| {
            let (_, rank, is_damaged, _) = &games[*other];
            (*is_damaged, u32::MAX - rank, *other)
        };
        equal.min_by_key(order).unwrap()
    };
    (0..games.len()).map(kept).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn equal_games_are_those_of_the_naive_implementation(
        given in vec((prop::option::weighted(0.9, "[ab]{1,4}|[a-z]{3}"), 0..4_u32, any::<bool>(), 0..4_usize), 0..120),
        lens in vec(1..50_usize, 1..4),
        threads in prop_oneof![Just(1_usize), Just(3)],
        memory in prop::sample::select(vec![1, 1000, 10_000, 1 << 20]),
        (skip, limit, is_sorted) in (prop_oneof![2 => Just(0), 1 => 0..40_u64], prop::option::weighted(0.3, 0..90_u64), any::<bool>()),
    ) {
        let game = |(key, rank, is_damaged, count): (Option<String>, u32, bool, usize)| {
            (key.map(String::into_bytes), rank, is_damaged, count)
        };
        let games: Vec<Game> = given.into_iter().map(game).collect();
        let order = if is_sorted { Order::SortKey } else { Order::Input };
        let folder = std::env::temp_dir();
        let steps = Steps { unique_games: true, skip, limit, order, memory, folder, ..Steps::default() };
        let kept = naive_games(&games);
        let mut records: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        for (number, (_, rank, _, count)) in games.iter().enumerate() {
            if kept[number] == number {
                let sort = if is_sorted { sort_key(*rank) } else { Vec::new() };
                records.extend((0..*count).map(|record| (sort.clone(), contents(number, record))));
            }
        }
        records.sort_by(|one, other| one.0.cmp(&other.0));
        let limit = limit.map_or(usize::MAX, |limit| limit as usize);
        let expected: Vec<Vec<u8>> =
            records.into_iter().map(|(_, text)| text).skip(skip as usize).take(limit).collect();
        let omitted = (0..games.len()).filter(|number| kept[*number] != *number).count();
        let (found, count) = run_games(&games, &lens, &steps, threads);
        prop_assert_eq!(found, expected);
        if limit > 0 {
            prop_assert_eq!(count, omitted as u64);
        }
    }
}
