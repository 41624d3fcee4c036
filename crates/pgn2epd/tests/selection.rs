//! Every option that selects, orders or divides records, compared with a naive implementation of
//! its own: for random sets of options, all kinds of formats, any number of threads and less memory
//! than the records need.
//!
//! Where records are chosen at random, the naive implementation says which may be chosen, and how
//! many.

mod naive;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use pgn2epd::{Conversion, Options, Summary};
use proptest::prelude::*;
use testkit::generate::{Generator, Style};
use testkit::rng::Rng;

use crate::support::jobs;
use naive::{Expected, Record};

/// A set of options.
#[derive(Clone, Debug)]
struct Choice {
    format: &'static str,
    unique: bool,
    keep: &'static str,
    conflicts: &'static str,
    skip: usize,
    limit: Option<usize>,
    sample: Option<usize>,
    sort: Option<&'static str>,
    shuffle: bool,
    split: bool,
    rows_per_file: Option<usize>,
    seed: String,
}

/// The parts of a split.
const SPLIT: &str = "train=0.6,valid=0.3,test=0.1";
const PARTS: [&str; 3] = ["train", "valid", "test"];

/// Orders by all kinds of values.
const SORTED: [&str; 12] = [
    "eval",
    "-eval,ply",
    "-depth,-san",
    "check,-pieces,Round",
    "-Round",
    "-check,White,-Date",
    "Date,-elo",
    "-year,eco",
    "result,clock",
    "material,-fen",
    "-date,turn,-uci",
    "Annotator",
];

const LABELS: [&str; 5] = ["c9", "bracket", "bullet", "c-chess-cli", "plain"];
const BINARY: [&str; 3] = ["viriformat", "bulletformat", "marlinformat"];

impl Choice {
    /// The options without those that select.
    fn plain(&self) -> Vec<(&'static str, &str)> {
        let mut options = vec![("format", self.format)];
        match self.format {
            "epd" => {
                let templates = ["id={ply}", "c0={game}", "c1={White}", "c2={depth}"];
                options.extend(templates.map(|template| ("add", template)));
                options.push(("ops", "none"));
            }
            "csv" | "jsonl" => options.push(("columns", "game,ply,fen,san,eval,depth")),
            _ => {}
        }
        options
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        let mut options: Vec<(&'static str, String)> = Vec::new();
        options.extend(self.plain().into_iter().map(|(name, value)| (name, value.to_owned())));
        let mut add =
            |name, value: Option<String>| options.extend(value.map(|value| (name, value)));
        let number = |number: Option<usize>| number.map(|number| number.to_string());
        let word = |word: Option<&str>| word.map(str::to_owned);
        let is_unique = self.unique || self.keep != "first";
        add("unique", word(is_unique.then_some(self.keep)));
        add("conflicts", word((self.conflicts != "keep").then_some(self.conflicts)));
        add("skip", number(Some(self.skip).filter(|skip| *skip > 0)));
        add("limit", number(self.limit));
        add("sample", number(self.sample));
        add("sort", word(self.sort));
        add("shuffle", self.shuffle.then(|| "true".to_owned()));
        add("split", word(self.split.then_some(SPLIT)));
        add("rows-per-file", number(self.rows_per_file));
        let is_random = self.sample.is_some() || self.shuffle || self.split;
        add("seed", word(is_random.then_some(&self.seed)));
        options
    }

    /// Without the options that cannot be combined with others.
    fn valid(mut self) -> Self {
        if BINARY.contains(&self.format) {
            (self.unique, self.skip, self.limit, self.sample) = (false, 0, None, None);
            self.sort = None;
        }
        self.shuffle &= self.sort.is_none();
        if !LABELS.contains(&self.format) {
            self.conflicts = "keep";
        }
        if self.conflicts == "mean" && ["c9", "plain"].contains(&self.format) {
            self.conflicts = "drop";
        }
        if !self.unique && self.conflicts == "keep" {
            self.keep = "first";
        }
        self
    }
}

fn choices() -> impl Strategy<Value = Choice> {
    let format = prop_oneof![
        2 => Just("epd"), 1 => Just("fen"), 1 => Just("csv"), 1 => Just("jsonl"),
        4 => prop::sample::select(&LABELS[..]), 1 => prop::sample::select(&BINARY[..]),
    ];
    let one_of = |words: &'static [&'static str]| prop::sample::select(words);
    let maybe = |numbers: std::ops::Range<usize>| prop::option::weighted(0.3, numbers);
    let equal = (
        any::<bool>(),
        one_of(&["first", "first", "last", "deepest"]),
        one_of(&["keep", "keep", "drop", "mean"]),
    );
    let some = (prop_oneof![2 => Just(0), 1 => 0..3000_usize], maybe(0..4000), maybe(0..3000));
    let order = (prop::option::of(one_of(&SORTED)), any::<bool>());
    let divided = (order, prop::bool::weighted(0.4), maybe(1..2000), 0..4_u32);
    (format, equal, some, divided).prop_map(|(format, equal, some, divided)| {
        let ((unique, keep, conflicts), (skip, limit, sample)) = (equal, some);
        let ((sort, shuffle), split, rows_per_file, seed) = divided;
        let seed = seed.to_string();
        Choice {
            format,
            unique,
            keep,
            conflicts,
            skip,
            limit,
            sample,
            sort,
            shuffle,
            split,
            rows_per_file,
            seed,
        }
        .valid()
    })
}

/// The text of each game.
struct Games(Vec<String>);

impl Games {
    /// Games that share their first moves, with results, ratings and evaluations that differ.
    fn new() -> Self {
        let mut rng = Rng::new(35);
        let text = String::from_utf8(Generator::text(Style::Plain, 7, 20_000)).unwrap();
        let moves_of = |game: &str| -> Vec<String> {
            let (_, moves) = game.split_once("\n\n").unwrap();
            let is_move = |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic());
            moves.split_whitespace().filter(is_move).map(str::to_owned).collect()
        };
        let openings: Vec<Vec<String>> = text.split("[Event ").skip(1).map(moves_of).collect();
        let mut games = Vec::new();
        for _ in 0..120 {
            let moves = &openings[rng.below(openings.len() as u32) as usize];
            let result = rng.pick(&["1-0", "1-0", "0-1", "1/2-1/2", "1/2-1/2", "*"]);
            let mut game = format!("[White \"{}\"]\n", rng.pick(&["A", "B. Müller", "50%/50%"]));
            for side in ["White", "Black"] {
                let elo = rng.pick(&["", "2000", "2001", "2500"]);
                if !elo.is_empty() {
                    game += &format!("[{side}Elo \"{elo}\"]\n");
                }
            }
            let date = rng.pick(&["????.??.??", "1999.12.31", "2024.01.??", "2024.01.02"]);
            let round =
                rng.pick(&["?", "-3", "1", "2.5", "10", "010", "Final", "final", "Finale", "Ü"]);
            game += &format!("[Date \"{date}\"]\n[Round \"{round}\"]\n[Result \"{result}\"]\n\n");
            let length = 1 + rng.below(moves.len() as u32) as usize;
            for (ply, san) in moves[..length].iter().enumerate() {
                let number =
                    if ply % 2 == 0 { format!("{}. ", ply / 2 + 1) } else { String::new() };
                game += &format!("{number}{san} ");
                if rng.below(10) > 0 {
                    let (score, depth) = (f64::from(rng.below(301)) / 100.0 - 1.5, rng.below(20));
                    game += &format!("{{{score:+.2}/{depth} 1s}} ");
                }
            }
            games.push(format!("{game}{result}\n\n"));
        }
        Games(games)
    }

    fn text(&self) -> Vec<u8> {
        self.0.concat().into_bytes()
    }
}

/// What a conversion wrote.
#[derive(Debug, PartialEq)]
struct Converted {
    /// The files of the folder; without one, only a file without a name.
    files: BTreeMap<PathBuf, Vec<u8>>,
    summary: Summary,
}

impl Converted {
    fn all(&self) -> Vec<u8> {
        self.files.values().flatten().copied().collect()
    }
}

/// A file in memory.
#[derive(Clone, Default)]
struct File(Arc<Mutex<Vec<u8>>>);

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn convert(pgn: &[u8], options: Vec<(&'static str, &str)>) -> Converted {
    convert_with(pgn, Options::from_names(options).unwrap().jobs(jobs(1)))
}

fn convert_with(pgn: &[u8], options: Options) -> Converted {
    if options.has_folder() {
        let files: Arc<Mutex<BTreeMap<PathBuf, File>>> = Arc::default();
        let opened = Arc::clone(&files);
        let open = move |name: &Path| {
            let file = File::default();
            let other = opened.lock().unwrap().insert(name.to_owned(), file.clone());
            assert!(other.is_none(), "{} is written twice", name.display());
            Ok(file)
        };
        let mut conversion = Conversion::with_files(open, |_| Ok(()), &options);
        conversion.input(pgn, &mut ()).unwrap();
        let (summary, _) = conversion.finish_files().unwrap();
        let files = std::mem::take(&mut *files.lock().unwrap());
        let bytes = |file: File| std::mem::take(&mut *file.0.lock().unwrap());
        let files = files.into_iter().map(|(name, file)| (name, bytes(file))).collect();
        return Converted { files, summary };
    }
    let mut text = Vec::new();
    let mut conversion = Conversion::new(&mut text, &options);
    conversion.input(pgn, &mut ()).unwrap();
    let summary = conversion.finish().unwrap();
    Converted { files: [(PathBuf::new(), text)].into(), summary }
}

/// The records of each file of each part, in their order.
fn parts_of(choice: &Choice, converted: &Converted) -> BTreeMap<usize, Vec<Vec<Vec<u8>>>> {
    let mut parts: BTreeMap<usize, Vec<Vec<Vec<u8>>>> = BTreeMap::new();
    for (name, text) in &converted.files {
        let part = match choice.split {
            true => PARTS.iter().position(|part| name.starts_with(part)).unwrap(),
            false => 0,
        };
        let files = parts.entry(part).or_default();
        let file = name.file_name().map_or("part-00000.", |file| file.to_str().unwrap());
        // The names are in the order of the files.
        assert!(file.starts_with(&format!("part-{:05}.", files.len())), "{}", name.display());
        let header = "game,ply,fen,san,eval,depth\n";
        assert!(
            choice.format != "csv" || text.starts_with(header.as_bytes()),
            "{}",
            name.display()
        );
        files.push(naive::texts_of(choice.format, text));
    }
    parts
}

fn texts(records: &[Record]) -> Vec<Vec<u8>> {
    records.iter().map(|record| record.text.clone()).collect()
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort();
    items
}

/// Whether all `some` are among `all`, in the same order.
fn is_subsequence(some: &[Vec<u8>], all: &[Vec<u8>]) -> bool {
    let mut all = all.iter();
    some.iter().all(|text| all.any(|other| other == text))
}

/// Whether all `some` are among `all`, as often at most.
fn is_subset(some: Vec<Vec<u8>>, all: Vec<Vec<u8>>) -> bool {
    is_subsequence(&sorted(some), &sorted(all))
}

/// Compares what was written with what is expected.
fn check(choice: &Choice, expected: &Expected, converted: &Converted) {
    let found = parts_of(choice, converted);
    let all: usize = expected.parts.values().flatten().map(|record| record.positions).sum();
    let is_sampled = choice.sample.is_some();
    if is_sampled {
        assert_eq!(converted.summary.positions, expected.count as u64);
    } else {
        assert_eq!(converted.summary.positions, all as u64);
    }
    if choice.limit.is_none() {
        assert_eq!(converted.summary.duplicates, expected.duplicates as u64);
    }
    let written = |texts: &Vec<Vec<Vec<u8>>>| texts.iter().any(|texts| !texts.concat().is_empty());
    for (part, _) in found.iter().filter(|(_, texts)| written(texts)) {
        assert!(expected.parts.contains_key(part), "{part}");
    }
    for (part, records) in &expected.parts {
        let files = found.get(part).cloned().unwrap_or_default();
        check_records(choice, records, &files);
    }
}

/// Fails with the first difference.
fn assert_equal(found: &[Vec<u8>], expected: &[Vec<u8>]) {
    let text =
        |record: Option<&Vec<u8>>| record.map(|text| String::from_utf8_lossy(text).into_owned());
    for number in 0..found.len().max(expected.len()) {
        assert_eq!(text(found.get(number)), text(expected.get(number)), "record {number}");
    }
}

/// The files of an output have the records that belong there.
fn check_records(choice: &Choice, records: &[Record], files: &[Vec<Vec<u8>>]) {
    let (found, all) = (files.concat(), texts(records));
    match (choice.sample.is_some(), choice.shuffle) {
        (false, false) => assert_equal(&found, &all),
        (false, true) => assert_equal(&sorted(found), &sorted(all.clone())),
        (true, false) => assert!(is_subsequence(&found, &all)),
        (true, true) => assert!(is_subset(found, all.clone())),
    }
    for (number, file) in files.iter().enumerate() {
        let rows = choice.rows_per_file.unwrap_or(usize::MAX);
        let sizes: Vec<usize> =
            file.iter().map(|text| naive::positions_of(choice.format, text)).collect();
        let (all, last) = (sizes.iter().sum::<usize>(), sizes.last().unwrap_or(&0));
        let is_full = choice.rows_per_file.is_none() || all >= rows;
        assert!(all - last < rows && (is_full || number + 1 == files.len()), "{number}");
    }
}

/// Threads, memory and the size of chunks.
const WAYS: [(usize, usize, usize); 6] = [
    (1, 1 << 30, 256 << 10),
    (1, 1 << 20, 256 << 10),
    (2, 1 << 20, 3_000),
    (5, 3 << 20, 700),
    (5, 60_000, 20_000),
    (2, 1, 5_000),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: testkit::shared::cases(120), max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn records_are_selected_as_the_naive_implementation_does(choice in choices(), way in 1..WAYS.len()) {
        let games = Games::new();
        let expected = naive::select(&games, &choice);
        let mut results = Vec::new();
        for (threads, memory, chunk_bytes) in [WAYS[0], WAYS[way]] {
            let named = choice.options();
            let named = named.iter().map(|(name, value)| (*name, &**value));
            let options = Options::from_names(named).unwrap().memory(memory);
            let options = options.jobs(jobs(threads)).chunk_bytes(chunk_bytes);
            let converted = convert_with(&games.text(), options);
            check(&choice, &expected, &converted);
            results.push(converted.files);
        }
        prop_assert!(results[0] == results[1], "threads and memory make a difference");
    }
}
