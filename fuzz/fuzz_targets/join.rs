//! `join` adds the operations that a map of positions has, and `diff` counts the differences of two
//! maps, whatever the memory, chunks and threads.
#![no_main]

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use libfuzzer_sys::fuzz_target;
use pgn2epd::chess::PositionKey;
use pgn2epd::epd::{Line, Opcode, ReadOptions, read_line};
use pgn2epd::join::{Join, JoinOptions, Side};
use pgn2epd::options::RegisterStyle;
use pgn2epd::{Options, convert};

type Operations = BTreeMap<String, String>;

/// The records of a text, without registers that are null; `None` for positions of variants, which
/// are not joined.
fn parsed(text: &str) -> Option<Vec<(PositionKey, Operations)>> {
    let record = |line: &str| {
        let Line::Record(record) = read_line(line, &ReadOptions::default(), &mut |_| {}) else {
            return None;
        };
        let is_null = |name: Option<Opcode>| name.and_then(Opcode::register).is_some();
        let operations = record
            .operations()
            .filter(|operation| !operation.operands().is_empty() || !is_null(operation.opcode()));
        let operations = operations
            .map(|operation| (operation.name().to_owned(), operation.operands().to_owned()));
        Some((PositionKey::of(record.position()), operations.collect()))
    };
    text.lines().map(record).collect()
}

/// The records that are read from a source; `None` if it cannot be read.
fn records(bytes: &[u8]) -> Option<Vec<(PositionKey, Operations)>> {
    let options = Options::default().registers(Some(RegisterStyle::Full));
    let mut text = Vec::new();
    convert(bytes, &mut text, &options).ok()?;
    parsed(&String::from_utf8(text).expect("records are UTF-8"))
}

/// The operations that records know of each position: of several, that of the first that has it.
fn known(records: &[(PositionKey, Operations)]) -> BTreeMap<PositionKey, Operations> {
    let mut known: BTreeMap<PositionKey, Operations> = BTreeMap::new();
    for (key, operations) in records {
        let of_position = known.entry(*key).or_default();
        for (name, operands) in operations.iter().filter(|(name, _)| !is_counter(name)) {
            of_position.entry(name.clone()).or_insert_with(|| operands.clone());
        }
    }
    known
}

fn is_counter(name: &str) -> bool {
    name == "hmvc" || name == "fmvn"
}

fuzz_target!(|input: &[u8]| {
    let [memory, chunk, share, bytes @ ..] = input else { return };
    // The sources are lines of one text, so that they have positions in common.
    let cut = bytes.len() * usize::from(*share) / 256;
    let cut = bytes[cut..].iter().position(|byte| *byte == b'\n').map_or(cut, |len| cut + len + 1);
    let (first, second) = bytes.split_at(cut);
    // More than is written at once.
    let is_long = *share >= 250 && !first.is_empty();
    let first =
        &[first, b"\n"].concat().repeat(if is_long { 200_000 / first.len() } else { 1 })[..];
    let (Some(own), Some(others)) = (records(first), records(second)) else { return };
    let options = JoinOptions::default()
        .registers(RegisterStyle::Full)
        .memory(1 + 64 * usize::from(*memory))
        .chunk_bytes(1 + usize::from(*chunk))
        .jobs(NonZeroUsize::new(1 + usize::from(*memory % 2)));
    let join = |is_joined: bool| {
        let mut join = Join::new(&options);
        for (side, source) in [(Side::First, first), (Side::Second, second)] {
            join.side(side).input(source, &mut ()).expect("it can be converted");
            if is_joined {
                join.first_is_complete();
            }
        }
        join
    };

    let known_by_other = known(&others);
    let mut text = Vec::new();
    let joined = join(true).join(&mut text).expect("memory is written");
    let matched = own.iter().filter(|(key, _)| known_by_other.contains_key(key)).count() as u64;
    assert_eq!((joined.matched, joined.unmatched), (matched, own.len() as u64 - matched));
    let added = own.iter().map(|(key, operations)| {
        let mut all = known_by_other.get(key).cloned().unwrap_or_default();
        all.extend(operations.clone());
        (*key, all)
    });
    let text = String::from_utf8(text).expect("records are UTF-8");
    assert_eq!(parsed(&text), Some(added.collect()), "{text}");

    let known_by_own = known(&own);
    let found = join(false).diff(&mut std::io::sink()).expect("memory is written");
    let in_both =
        || known_by_own.iter().filter_map(|(key, of)| Some((of, known_by_other.get(key)?)));
    let same = in_both().filter(|(own, other)| own == other).count();
    let both = in_both().count();
    let expected = [known_by_own.len() - both, known_by_other.len() - both, both - same, same];
    assert_eq!(
        [found.only_first, found.only_second, found.different, found.same],
        expected.map(|n| n as u64)
    );
});
