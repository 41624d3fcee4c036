//! A book does not depend on memory, threads and parts. A part with a changed byte is refused, or
//! gives the same book.
#![no_main]

use std::num::NonZeroUsize;
use std::path::Path;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use pgn2epd::Summary;
use pgn2epd::book::{
    BookOptions, Counting, Form, Order, Part, Source, Threads, write_book, write_partial,
};
use pgn2epd::options::{EvaluationRange, Plies};
use pgn2epd::table::TableFormat;
use pgn2epd_fuzz::Game;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    files: Vec<Vec<Game<'a>>>,
    /// Bytes at the end of the first file.
    raw: &'a [u8],
    memory: u16,
    moves: bool,
    variations: bool,
    only_final: bool,
    last_ply: u8,
    eval: Option<(i8, i8, bool)>,
    order: u8,
    best_rated: bool,
    min_games: u8,
    form: u8,
    merge_first: bool,
    /// A byte of the first part is changed.
    damage: Option<(u16, u8)>,
}

fn one_of<T: Copy>(choice: u8, of: &[T]) -> T {
    of[usize::from(choice) % of.len()]
}

impl Input<'_> {
    fn options(&self, memory: usize, jobs: usize, folder: &Path) -> BookOptions {
        BookOptions::default()
            .keep_moves(self.moves)
            .variations(self.variations)
            .only_final(self.only_final)
            .plies(Plies { first: 0, last: self.last_ply.into() })
            .eval(self.eval.map(|(a, b, is_white)| EvaluationRange {
                least: i32::from(a.min(b)) * 9,
                most: i32::from(a.max(b)) * 9,
                is_white,
            }))
            .memory(memory)
            .jobs(NonZeroUsize::new(jobs))
            .temp_dir(Some(folder.to_owned()))
    }

    /// The book as text.
    fn book(&self, source: Source, folder: &Path) -> Option<String> {
        let orders = [Order::Input, Order::Count, Order::Key, Order::Score, Order::Shuffle];
        let forms: &[_] = if self.moves {
            &[Form::Table(TableFormat::JsonLines), Form::Pgn]
        } else {
            &[Form::Table(TableFormat::JsonLines)]
        };
        let forms = [forms, &[Form::Epd, Form::Table(TableFormat::Csv)]].concat();
        let options = BookOptions::default()
            .min_games(u64::from(self.min_games % 4))
            .best_rated(self.best_rated)
            .order(one_of(self.order, &orders))
            .format(Some(one_of(self.form, &forms)))
            .memory(1 << 20)
            .temp_dir(Some(folder.to_owned()));
        let mut book = Vec::new();
        write_book(source, &options, &mut book).ok()?;
        Some(String::from_utf8(book).expect("a book is UTF-8"))
    }
}

fn count(
    files: &[(String, Vec<u8>)],
    these: &[usize],
    options: &BookOptions,
) -> Option<(Counting, Summary)> {
    let mut counting = Counting::new(options, files.iter().map(|(name, _)| name.as_str()));
    let mut sum = Summary::default();
    for (name, text) in these.iter().map(|index| &files[*index]) {
        sum += counting.input(name, &text[..], &mut ()).ok()?;
    }
    Some((counting, sum))
}

fuzz_target!(
    // Panics of the Arrow and Parquet libraries become errors; a panic that is not caught still
    // ends the run.
    init: std::panic::set_hook(Box::new(|info| {
        if !info.location().is_some_and(|place| place.file().contains("registry")) {
            eprintln!("{info}");
        }
    })),
    |input: Input<'_>| {
    let mut files = Vec::new();
    for (number, games) in input.files.iter().take(3).enumerate() {
        let mut text: Vec<u8> = games.iter().take(4).flat_map(|game| game.write(30).text.into_bytes()).collect();
        if number == 0 {
            text.extend_from_slice(input.raw);
        }
        files.push((format!("{number}.pgn"), text));
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    let all: Vec<usize> = (0..files.len()).collect();
    let plenty = input.options(1 << 30, 1, folder);
    let Some((counting, summary)) = count(&files, &all, &plenty) else { return };
    let expected = input.book(counting.finish(), folder).expect("it can be written");

    let little = input.options(usize::from(input.memory), 2, folder);
    let (counting, other) = count(&files, &all, &little).expect("it is in memory");
    assert_eq!(other, summary);
    assert_eq!(input.book(counting.finish(), folder).as_ref(), Some(&expected));

    // Each file is a part.
    let mut parts = Vec::new();
    for index in all {
        let options = if index % 2 == 0 { &plenty } else { &little };
        let (counting, _) = count(&files, &[index], options).expect("it is in memory");
        let mut part = Vec::new();
        write_partial(counting.finish(), options, &mut part).expect("it can be written");
        let path = folder.join(format!("{index}.part"));
        if let (0, Some((at, byte))) = (index, input.damage) {
            let at = usize::from(at) % part.len();
            part[at] = byte;
        }
        std::fs::write(&path, part).expect("it can be written");
        match Part::open(&path) {
            Ok(part) => parts.push(part),
            Err(error) => {
                assert!(index == 0 && input.damage.is_some(), "{error}");
                return;
            }
        }
    }
    if input.merge_first && parts.len() > 1 {
        let first = parts.drain(..2).collect();
        let path = folder.join("merged.part");
        let mut merged = Vec::new();
        if write_partial(Source::Parts(first, Threads::new(2)), &little, &mut merged).is_err() {
            assert!(input.damage.is_some());
            return;
        }
        std::fs::write(&path, merged).expect("it can be written");
        parts.push(Part::open(&path).expect("it was just written"));
    }
    if parts.is_empty() {
        return;
    }
    let book = input.book(Source::Parts(parts, Threads::new(2)), folder);
    match book {
        Some(book) => assert_eq!(book, expected),
        None => assert!(input.damage.is_some()),
    }
});
