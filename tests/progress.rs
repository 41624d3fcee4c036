//! The progress of compressed inputs: bytes as stored, never more than there are, and all of them
//! at the end.

use std::ops::ControlFlow;

use pgn2epd::book::{BookOptions, Counting};
use pgn2epd::input::{Input, Inputs, Meter};
use pgn2epd::{Observer, Options, Summary, convert_observed};
use testkit::generate::{Generator, Style};
use testkit::pack;

use crate::support::program;

/// Records the bytes read at each call.
struct Bar {
    meter: Meter,
    shown: Vec<u64>,
}

impl Observer for Bar {
    fn progress(&mut self, _: &Summary) -> ControlFlow<()> {
        self.shown.push(self.meter.bytes());
        ControlFlow::Continue(())
    }
}

/// Reads all inputs.
type Command = fn(Inputs, &[String], &mut Bar);

fn convert(inputs: Inputs, _: &[String], bar: &mut Bar) {
    let options = Options::default().chunk_bytes(64 << 10);
    for text in inputs {
        convert_observed(text.unwrap(), std::io::sink(), &options, bar).unwrap();
    }
}

fn book(inputs: Inputs, names: &[String], bar: &mut Bar) {
    let mut counting = Counting::new(&BookOptions::default(), names.iter().map(String::as_str));
    for text in inputs {
        counting.text(text.unwrap(), bar).unwrap();
    }
}

#[test]
fn progress_of_compressed_files_ends_at_their_size_and_never_exceeds_it() {
    let games = Generator::text(Style::Plain, 5, 1_000_000);
    let (first, second) = games.split_at(games.len() / 2);
    let members: &[(&str, &[u8])] = &[("a.pgn", first), ("b.pgn", second)];
    let files = [
        ("a.pgn.gz", pack::gzip(&games)),
        ("b.pgn.bz2", pack::bzip2(&games)),
        ("c.pgn.zst", pack::zstd(&games)),
        ("d.pgn.xz", pack::xz(&games)),
        ("e.zip", pack::zip(members)),
        ("f.7z", pack::seven_zip(members)),
        ("g.pgn", games.clone()),
    ];
    let program = files.iter().fold(program(), |program, (name, bytes)| program.file(name, bytes));
    let paths = files.each_ref().map(|(name, _)| program.folder().join(name));
    let mut groups: Vec<&[_]> = paths.chunks(1).collect();
    groups.push(&paths);
    for command in [convert as Command, book] {
        for paths in &groups {
            let inputs = Inputs::new(paths.iter().map(Input::file));
            let size: u64 = paths.iter().map(|path| path.metadata().unwrap().len()).sum();
            assert_eq!(inputs.bytes(), Some(size));
            let meter = inputs.meter().clone();
            let mut bar = Bar { meter: meter.clone(), shown: Vec::new() };
            let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
            command(inputs, &names, &mut bar);
            assert!(bar.shown.is_sorted() && !bar.shown.is_empty(), "{names:?}");
            assert!(bar.shown.iter().all(|bytes| *bytes <= size), "{names:?}: {:?}", bar.shown);
            assert_eq!(meter.bytes(), size, "{names:?}");
        }
    }
}

#[test]
fn progress_of_a_range_or_with_unread_members_never_exceeds_the_size() {
    let games = Generator::text(Style::Plain, 5, 300_000);
    let others = vec![b'x'; 100_000];
    // A range of a compressed file is measured as stored.
    let program = program()
        .file("a.zip", pack::zip(&[("a.pgn", &games), ("b.bin", &others)]))
        .file("b.pgn", &games)
        .file("c.pgn.gz", pack::bgzf(&games, 20_000));
    let [zip, plain, blocks] =
        ["a.zip", "b.pgn", "c.pgn.gz"].map(|name| program.folder().join(name));
    for input in
        [Input::file(zip), Input::range(plain, 50_000..50_100), Input::range(blocks, 0..30_000)]
    {
        let inputs = Inputs::new([input]);
        let (meter, size) = (inputs.meter().clone(), inputs.bytes().unwrap());
        for text in inputs {
            // The note about members that are not read.
            let Ok(mut text) = text else { continue };
            std::io::copy(&mut text, &mut std::io::sink()).unwrap();
            assert!(meter.bytes() <= size, "{text:?}");
        }
    }
}

/// Ends a run after its first chunk.
struct Impatient;

impl Observer for Impatient {
    fn progress(&mut self, _: &Summary) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

#[test]
fn an_observer_ends_the_reading_of_a_text() {
    let games = "1. e4 *\n\n".repeat(10_000);
    let options = Options::default().chunk_bytes(1_000);
    let read = |observer: &mut dyn Observer| {
        convert_observed(games.as_bytes(), std::io::sink(), &options, observer).unwrap().games
    };
    assert_eq!(read(&mut ()), 10_000);
    assert!(read(&mut Impatient) < 200);
}
