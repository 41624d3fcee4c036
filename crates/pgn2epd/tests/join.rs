//! Two sources that are joined or compared by position, against maps of texts.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use pgn2epd::join::{Differences, Join, JoinOptions, Joined, Side};
use shakmaty::fen::Epd;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use testkit::rng::Rng;
use testkit::shared::is_full;

use crate::support::jobs;

/// A record, with the registers that a reader of the whole file has after it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Record {
    /// What it is equal by.
    identity: String,
    fields: String,
    operations: BTreeMap<String, String>,
}

fn is_counter(name: &str) -> bool {
    name == "hmvc" || name == "fmvn"
}

impl Record {
    fn depth(&self) -> u32 {
        self.operations.get("acd").map_or(0, |depth| depth.parse().unwrap())
    }
}

/// Divides a text into records. Of the registers it knows c0, c1 and eco.
fn records(text: &str) -> Vec<Record> {
    let mut registers: BTreeMap<String, String> = BTreeMap::new();
    let record = |line: &str| {
        let words: Vec<&str> = line.splitn(5, ' ').collect();
        let fields = words[..4].join(" ");
        let epd: Epd = fields.parse().unwrap();
        let position: Chess = epd.into_position(CastlingMode::Standard).unwrap();
        let mut operations = BTreeMap::new();
        for operation in words.get(4).unwrap_or(&"").split(';').map(str::trim) {
            let (name, operands) = operation.split_once(' ').unwrap_or((operation, ""));
            let cleared: &[&str] = match name {
                "" => continue,
                "c0" => &["c0", "c1"],
                "c1" => &["c1"],
                "eco" => &["eco"],
                _ => {
                    operations.insert(name.to_owned(), operands.to_owned());
                    continue;
                }
            };
            registers.retain(|register, _| !cleared.contains(&&**register));
            if !operands.is_empty() {
                registers.insert(name.to_owned(), operands.to_owned());
            }
        }
        operations.extend(registers.clone());
        let identity = Epd::from_position(&position, EnPassantMode::Legal).to_string();
        Record { identity, fields, operations }
    };
    text.lines().map(record).collect()
}

/// Positions of a game, with some in which a pawn could be captured en passant.
fn positions(rng: &mut Rng) -> Vec<Chess> {
    let mut position = Chess::default();
    let mut positions = vec![position.clone()];
    while positions.len() < 40 && !position.is_game_over() {
        let moves = position.legal_moves();
        let doubled = moves.iter().find(|mv| {
            let ranks = mv.from().map(|from| from.rank().distance(mv.to().rank()));
            mv.role() == shakmaty::Role::Pawn && ranks == Some(2)
        });
        let index = rng.between(0, moves.len() as u32 - 1) as usize;
        let next = *doubled.filter(|_| rng.one_in(2)).unwrap_or(&moves[index]);
        position.play_unchecked(next);
        positions.push(position.clone());
    }
    positions
}

/// Writes records of these positions with operations of any kind.
fn source(rng: &mut Rng, positions: &[Chess], count: usize) -> String {
    let mut text = String::new();
    for _ in 0..count {
        let position = &positions[rng.between(0, positions.len() as u32 - 1) as usize];
        let en_passant = if rng.one_in(2) { EnPassantMode::Always } else { EnPassantMode::Legal };
        text += &Epd::from_position(position, en_passant).to_string();
        let mut number = |most| rng.between(0, most).to_string();
        let mut word = |name: &str| format!("\"{name}{}\"", number(3));
        let words = [word("a"), word("b"), word("c"), word("d"), word("e"), word("f")];
        let [acd, ce, zz, hmvc] = [3, 100, 1, 5].map(number);
        let best =
            position.legal_moves().first().map(|mv| SanPlus::from_move(position.clone(), *mv));
        let best = best.map(|san| san.to_string()).unwrap_or_default();
        let operations = [
            ("Ab", words[0].clone()),
            ("acd", acd),
            ("bm", best),
            ("c0", words[1].clone()),
            ("c0", String::new()),
            ("c1", words[2].clone()),
            ("c1", String::new()),
            ("ce", ce),
            ("eco", words[3].clone()),
            ("eco", String::new()),
            ("fmvn", "60".to_owned()),
            ("hmvc", hmvc),
            ("id", words[4].clone()),
            ("resign", String::new()),
            ("zz", zz),
        ];
        let mut last = "";
        for (name, operands) in operations {
            if name == last || !rng.one_in(4) || name == "bm" && operands.is_empty() {
                continue;
            }
            last = name;
            let space = if operands.is_empty() { "" } else { " " };
            text += &format!(" {name}{space}{operands};");
        }
        text.push('\n');
    }
    text
}

/// The first of these records with operations of the others: each is that of the deepest record that
/// has it, and of equally deep ones the first.
fn joined(record: &Record, others: &[Record]) -> Record {
    let mut ranked: Vec<(bool, &Record)> = vec![(true, record)];
    ranked.extend(others.iter().map(|other| (false, other)));
    ranked.sort_by_key(|(_, record)| Reverse(record.depth()));
    let mut joined = Record { operations: BTreeMap::new(), ..record.clone() };
    for (is_own, record) in ranked {
        for (name, operands) in &record.operations {
            if is_own || !is_counter(name) {
                joined.operations.entry(name.clone()).or_insert(operands.clone());
            }
        }
    }
    joined
}

/// Threads, memory and bytes of a chunk.
const SETTINGS: [(usize, usize, usize); 3] =
    [(2, 1 << 30, 256 << 10), (1, 1, 900), (2, 20_000, 300)];

/// Reads both sources.
fn sources(
    [first, second]: [&str; 2],
    names: &[(&str, &str)],
    (threads, memory, chunk_bytes): (usize, usize, usize),
    is_joined: bool,
) -> Join {
    let options = JoinOptions::from_names(names.iter().copied()).unwrap();
    let options = options.jobs(jobs(threads)).memory(memory).chunk_bytes(chunk_bytes);
    let mut join = Join::new(&options);
    join.side(Side::First).input(first.as_bytes(), &mut ()).unwrap();
    if is_joined {
        join.first_is_complete();
    }
    join.side(Side::Second).input(second.as_bytes(), &mut ()).unwrap();
    join
}

fn text_of<T>(write: impl FnOnce(&mut Vec<u8>) -> T) -> (String, T) {
    let mut output = Vec::new();
    let counts = write(&mut output);
    (String::from_utf8(output).unwrap(), counts)
}

/// Joins sources with each choice of records, and compares the output with
/// that of maps.
#[track_caller]
fn assert_joined([file, other]: [&str; 2], settings: &[(usize, usize, usize)]) {
    let mut by_identity: HashMap<String, Vec<Record>> = HashMap::new();
    for record in records(other) {
        by_identity.entry(record.identity.clone()).or_default().push(record);
    }
    let others = |record: &Record| by_identity.get(&record.identity).map_or(&[][..], |of| of);
    let all: Vec<(bool, Record)> = records(file)
        .iter()
        .map(|record| (!others(record).is_empty(), joined(record, others(record))))
        .collect();
    let matched = all.iter().filter(|(is_matched, _)| *is_matched).count();
    assert!(matched > 20 && matched < all.len() - 20, "{matched}");
    for (only, wanted) in [
        (("registers", "delta"), [true, false]),
        (("registers", "full"), [true, false]),
        (("only-matched", "true"), [true, true]),
        (("only-unmatched", "true"), [false, false]),
    ] {
        let expected = all.iter().filter(|(is_matched, _)| wanted.contains(is_matched));
        let expected: Vec<Record> = expected.map(|(_, record)| record.clone()).collect();
        let names = [only];
        let mut first = None;
        for settings in settings {
            let join = sources([file, other], &names, *settings, true);
            let (text, counts) = text_of(|output| join.join(output).unwrap());
            let all = (all.len() - matched) as u64;
            assert_eq!(counts, Joined { matched: matched as u64, unmatched: all });
            assert_eq!(text.lines().count(), expected.len(), "{names:?}");
            for (found, expected) in records(&text).iter().zip(&expected) {
                assert_eq!(found, expected, "{names:?} {settings:?}");
            }
            assert_eq!(*first.get_or_insert(text.clone()), text, "{names:?} {settings:?}");
        }
    }
}

#[test]
fn records_get_the_operations_of_equal_positions() {
    for seed in 0..if is_full() { 6 } else { 2 } {
        let mut rng = Rng::new(seed);
        let positions = positions(&mut rng);
        let file = source(&mut rng, &positions[..30], 120);
        let other = source(&mut rng, &positions[10..], 120);
        assert_joined([&file, &other], &SETTINGS);
    }
}

/// The different positions of a text in their order, each with the operations of all its records.
fn merged(text: &str) -> Vec<Record> {
    let mut merged: Vec<Record> = Vec::new();
    for mut record in records(text) {
        record.operations.retain(|name, _| !is_counter(name));
        match merged.iter_mut().find(|first| first.identity == record.identity) {
            None => merged.push(record),
            Some(first) => {
                for (name, operands) in record.operations {
                    first.operations.entry(name).or_insert(operands);
                }
            }
        }
    }
    merged
}

fn line(mark: &str, record: &Record, other: Option<&Record>) -> String {
    let mut line = format!("{mark} {}", record.fields);
    for (name, operands) in &record.operations {
        if other.is_some_and(|other| other.operations.get(name) == Some(operands)) {
            continue;
        }
        let space = if operands.is_empty() { "" } else { " " };
        line += &format!(" {name}{space}{operands};");
    }
    line + "\n"
}

/// What should be printed, and the numbers in the summary.
fn expected(a: &str, b: &str) -> (String, [usize; 4]) {
    let (a, b) = (merged(a), merged(b));
    let by_identity = |list: &[Record]| -> HashMap<String, Record> {
        list.iter().map(|record| (record.identity.clone(), record.clone())).collect()
    };
    let (of_a, of_b) = (by_identity(&a), by_identity(&b));
    let (mut text, mut counts) = (String::new(), [0; 4]);
    for record in &a {
        match of_b.get(&record.identity) {
            None => {
                counts[0] += 1;
                text += &line("<", record, None);
            }
            Some(other) if other.operations == record.operations => counts[3] += 1,
            Some(other) => {
                counts[2] += 1;
                text += &line("<", record, Some(other));
                text += &line(">", other, Some(record));
            }
        }
    }
    for record in b.iter().filter(|record| !of_a.contains_key(&record.identity)) {
        counts[1] += 1;
        text += &line(">", record, None);
    }
    (text, counts)
}

/// Compares the differences of sources with those of maps; returns how many there are of each kind.
#[track_caller]
fn assert_differences([a, b]: [&str; 2], settings: &[(usize, usize, usize)]) -> [usize; 4] {
    let (expected, counts) = expected(a, b);
    for settings in settings {
        let join = sources([a, b], &[], *settings, false);
        let (text, found) = text_of(|output| join.diff(output).unwrap());
        for (found, expected) in text.lines().zip(expected.lines()) {
            assert_eq!(found, expected, "{settings:?}");
        }
        assert_eq!(text.len(), expected.len(), "{settings:?}");
        let Differences { only_first, only_second, different, same } = found;
        let found = [only_first, only_second, different, same];
        assert_eq!(found, counts.map(|count| count as u64), "{settings:?}");
    }
    counts
}

#[test]
fn all_differences_are_printed_in_the_order_of_the_sources() {
    let mut totals = [0; 4];
    for seed in 0..if is_full() { 10 } else { 4 } {
        let mut rng = Rng::new(seed);
        let positions = positions(&mut rng);
        let a = source(&mut rng, &positions[..30], 30);
        // Some positions with the same operations: registers are as in the first source as long as
        // all records are the same.
        let same: String = a.split_inclusive('\n').take(12).collect();
        let b = same + &source(&mut rng, &positions[10..], 20);
        for sources in [[&*a, &b], [&b, &a], [&a, &a], [&a, ""], ["", &b]] {
            let counts = assert_differences(sources, &SETTINGS);
            totals.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
        }
    }
    assert!(totals.iter().all(|total| *total > 20), "{totals:?}");
}

#[test]
fn more_records_than_are_written_at_once_are_joined_and_compared() {
    let mut rng = Rng::new(7);
    let positions: Vec<Chess> = (0..60).flat_map(|_| positions(&mut rng)).collect();
    let file = source(&mut rng, &positions[..1400], 2000);
    let other = source(&mut rng, &positions[1000..], 2000);
    // Twice the 64 KiB of a piece, also of the records that only one of them has.
    assert!(file.len() > 150_000 && other.len() > 150_000, "{} {}", file.len(), other.len());
    assert_joined([&file, &other], &SETTINGS[..1]);
    let counts = assert_differences([&file, &other], &SETTINGS[..1]);
    assert!(counts[..3].iter().all(|count| *count > 50), "{counts:?}");
}
