//! `--unique`, `--skip`, `--limit`, `--sample` and `--shuffle` write the right records whatever the
//! memory, and after each of them a reader has the same registers as a reader of all records.
//! Divided among files, they are the same.
#![no_main]

use std::collections::HashSet;
use std::io::{self, ErrorKind, Write};
use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::{Arc, Mutex};

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use pgn2epd::chess::PositionKey;
use pgn2epd::epd::{RecordedPosition, Registers, Scanner};
use pgn2epd::options::{Format, NameSource, OnError, Plies, Preference, RegisterStyle};
use pgn2epd::{Conversion, ConvertError, Options, convert};
use pgn2epd_fuzz::Game;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    games: Vec<Game<'a>>,
    /// Bytes before the games.
    raw: &'a [u8],
    names: u8,
    registers: u8,
    on_error: u8,
    crafty: bool,
    unique: bool,
    skip: u8,
    limit: Option<u8>,
    sample: Option<(u8, u8)>,
    shuffle: bool,
    blank_line: bool,
    rows_per_file: u8,
    is_split: bool,
    variations: bool,
    only_final: bool,
    first_ply: u8,
    condition: u8,
    chunk_bytes: u8,
}

const CONDITIONS: &[Option<&str>] = &[
    None,
    Some("ply != 2 and ply != 5"),
    Some("move > 3 or turn = \"b\""),
    Some("White or check"),
];

fn one_of<T: Copy>(choice: u8, of: &[T]) -> T {
    of[usize::from(choice) % of.len()]
}

impl Input<'_> {
    /// The options, without those that select records.
    fn options(&self) -> Options {
        let filter = one_of(self.condition, CONDITIONS);
        Options::default()
            .format(if self.crafty { Format::Crafty } else { Format::Epd })
            .ops(self.crafty.then(|| "c,eco,nic,v".parse().expect("they are operations")))
            .names(match self.names % 3 {
                0 => Options::default().names,
                1 => NameSource::Tags,
                _ => NameSource::Off,
            })
            .on_error(one_of(self.on_error, &[OnError::Keep, OnError::Skip, OnError::Stop]))
            .variations(self.variations)
            .only_final(self.only_final)
            .plies(Plies { first: u32::from(self.first_ply % 8), ..Plies::ALL })
            .filter(filter.map(|text| text.parse().expect("it is a condition")))
    }

    fn chosen(&self) -> Options {
        self.options()
            .registers(one_of(self.registers, &[None, Some(RegisterStyle::Full)]))
            .unique(self.unique.then_some(Preference::First))
            .skip(u64::from(self.skip))
            .limit(self.limit.map(u64::from))
            .sample(self.sample.map(|(count, _)| count.into()))
            .seed(self.sample.map_or(0, |(_, seed)| seed.into()))
            .shuffle(self.shuffle)
            .blank_line(self.blank_line)
    }
}

/// Returns the records, or nothing if the text does not look like games.
fn try_run(text: &[u8], options: &Options, jobs: usize, chunk_bytes: usize) -> Option<String> {
    let options = options.clone().jobs(NonZeroUsize::new(jobs)).chunk_bytes(chunk_bytes);
    let mut output = Vec::new();
    match convert(text, &mut output, &options) {
        Err(ConvertError::Read(error)) if error.kind() == ErrorKind::InvalidData => return None,
        done => done.expect("memory can be read and written"),
    };
    Some(String::from_utf8(output).expect("records are UTF-8"))
}

fn run(text: &[u8], options: &Options, jobs: usize, chunk_bytes: usize) -> String {
    try_run(text, options, jobs, chunk_bytes).expect("the same text looks the same")
}

/// A file in memory.
#[derive(Clone, Default)]
struct File(Arc<Mutex<Vec<u8>>>);

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no thread panicked").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a folder, and returns the records of each file.
fn files(text: &[u8], options: &Options) -> Vec<String> {
    let files: Arc<Mutex<Vec<File>>> = Arc::default();
    let opened = files.clone();
    let open = move |_: &std::path::Path| {
        let file = File::default();
        opened.lock().expect("no thread panicked").push(file.clone());
        Ok(file)
    };
    let mut conversion = Conversion::with_files(open, |_| Ok(()), options);
    conversion.input(text, &mut ()).expect("memory can be read");
    let (_, names) = conversion.finish_files().expect("memory can be written");
    let files = files.lock().expect("no thread panicked");
    assert_eq!(names.len(), files.len());
    let bytes = |file: &File| file.0.lock().expect("no thread panicked").clone();
    files.iter().map(|file| String::from_utf8(bytes(file)).expect("records are UTF-8")).collect()
}

/// The position of each record, and the registers of a reader after it, which reads records with
/// all their registers alone.
fn states(records: &str, are_full: bool) -> Vec<(PositionKey, RecordedPosition, Registers)> {
    if are_full {
        return records.lines().flat_map(|record| states(record, false)).collect();
    }
    let mut scanner = Scanner::new(records);
    let mut states = Vec::new();
    while let Some(record) = scanner.next_record(&mut |_| {}) {
        let (key, position) =
            (PositionKey::of(record.position()), RecordedPosition::new(record.position()));
        states.push((key, position, scanner.registers().clone()));
    }
    states
}

fuzz_target!(|input: Input<'_>| {
    let mut text = input.raw.to_vec();
    // Other encodings and compressed texts are tested by the target `source`.
    text.insert(0, b'\n');
    text.retain(|byte| *byte != 0);
    text.extend_from_slice(b"\n\n");
    for game in input.games.iter().take(6) {
        text.extend(game.write(40).text.bytes());
    }
    // The record scanner only reads standard chess.
    if text.to_ascii_lowercase().windows(7).any(|word| word == b"variant") || !text.is_ascii() {
        return;
    }
    let chosen = input.chosen();
    let are_full = chosen.registers == Some(RegisterStyle::Full);
    let Some(written) = try_run(&text, &chosen, 1, 4 << 20) else { return };
    let little = chosen.clone().memory(1);
    assert_eq!(run(&text, &little, 2, 1 + usize::from(input.chunk_bytes)), written);

    let most = u64::from(input.rows_per_file % 16) + 1;
    let split = input.is_split.then(|| "a=0.5,b=0.5".parse().expect("they are parts"));
    let folder = little.rows_per_file(NonZeroU64::new(most)).split(split);
    let divided = files(&text, &folder).into_iter().map(|records| states(&records, are_full));
    let divided: Vec<_> = divided.inspect(|file| assert!(file.len() as u64 <= most)).collect();
    let mut divided = divided.concat();
    if input.is_split {
        for state in states(&written, are_full) {
            let place = divided.iter().position(|other| *other == state);
            divided.swap_remove(place.expect("it is in one of the files"));
        }
        assert!(divided.is_empty());
    } else {
        assert_eq!(divided, states(&written, are_full));
    }

    let full = input.options().registers(Some(RegisterStyle::Full));
    let mut all = states(&run(&text, &full, 1, 4 << 20), true);
    assert_eq!(states(&run(&text, &input.options(), 1, 4 << 20), false), all);
    let mut seen = HashSet::new();
    all.retain(|(key, ..)| !input.unique || seen.insert(*key));
    let limit = input.limit.map_or(usize::MAX, usize::from);
    let mut wanted: Vec<_> = all.into_iter().skip(input.skip.into()).take(limit).collect();
    let written = states(&written, are_full);
    if input.shuffle {
        let all = input.sample.map_or(wanted.len(), |(count, _)| wanted.len().min(count.into()));
        assert_eq!(written.len(), all);
        for state in written {
            let place = wanted.iter().position(|other| *other == state);
            wanted.swap_remove(place.expect("it is one of all records"));
        }
        return;
    }
    match input.sample {
        None => assert_eq!(written, wanted),
        Some((count, _)) => {
            assert_eq!(written.len(), wanted.len().min(count.into()));
            let mut wanted = wanted.iter();
            assert!(written.iter().all(|state| wanted.any(|other| other == state)));
        }
    }
});
