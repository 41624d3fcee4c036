//! Laws of files of positions: no panics, nothing lost in silence, and equal output by all code
//! paths, whatever the bytes are.

use std::collections::BTreeSet;
use std::fs;
use std::sync::LazyLock;

use pgn2epd::epd::Record;
use pgn2epd::options::{Format, Keyword};
use pgn2epd::training::{Entries, TrainingFormat};
use pgn2epd::{Conversion, Options, convert as convert_into};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use testkit::grammar;
use testkit::shared::shared;

use crate::chunks::assert_runs_agree;
use crate::laws::{bytes, hostile_texts};
use crate::support::{Bytes, Converted, convert, decoded, fixture, jobs, try_convert};

/// Lines of records in several dialects, with faults and without.
static LINES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let wild = shared().map(|folder| folder.join("corpus/epd/wild"));
    let files = wild.into_iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut texts: Vec<Vec<u8>> =
        files.map(|file| fs::read(file.unwrap().path()).unwrap()).collect();
    texts.sort();
    texts.push(fixture("epd/faults.epd"));
    for format in ["fen", "c9", "bracket", "bullet", "c-chess-cli", "crafty"] {
        let options = Options::from_names([("format", format)]).unwrap();
        texts.push(convert(&fixture("engines.pgn"), &options).output);
    }
    texts.push(convert(&fixture("classics.pgn"), &Options::default()).output);
    let lines = texts.iter().flat_map(|text| text.split(|byte| *byte == b'\n'));
    lines.filter(|line| line.len() < 500).map(<[u8]>::to_vec).collect()
});

/// A change of some bytes: where, how many are left out, and what is written in their place.
type Change = (Index, usize, Vec<u8>);

fn changes(most: usize) -> impl Strategy<Value = Vec<Change>> {
    let marks = select(b" \t\r;\"'\\/-#%|[]=+0189.,abhwkKQqrNP\x00\xc3\xa9\xe2\x80".to_vec());
    let byte = prop_oneof![6 => marks, 1 => any::<u8>()];
    prop::collection::vec((any::<Index>(), 0..4usize, prop::collection::vec(byte, 0..4)), 0..most)
}

fn changed(bytes: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (at, removed, inserted) in changes {
        let at = at.index(bytes.len() + 1);
        let end = (at + removed).min(bytes.len());
        bytes.splice(at..end, inserted.iter().copied());
    }
    bytes
}

/// Lines of records with changes, and some arbitrary ones.
fn records() -> impl Strategy<Value = Bytes> {
    let real = (any::<Index>(), changes(4))
        .prop_map(|(at, edits)| changed(&LINES[at.index(LINES.len())], &edits));
    let line = prop_oneof![9 => real, 1 => bytes().prop_map(|bytes| bytes.0)];
    let end = select(vec!["\n", "\n", "\r\n", "\r", "\n\n"]);
    let lines = prop::collection::vec((line, end), 0..12);
    lines.prop_map(|lines| {
        Bytes(lines.iter().flat_map(|(line, end)| [line, end.as_bytes()].concat()).collect())
    })
}

fn with(kind: &'static str, format: &'static str) -> Options {
    Options::from_names([("input", kind), ("format", format)]).unwrap().jobs(jobs(1))
}

/// Characters without a width, other than those of ASCII.
const INVISIBLE: &str = "\u{ad}\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}";

/// The number of lines that have text other than a comment.
fn lines_with_text(text: &[u8]) -> u64 {
    let is_blank = |c: char| c.is_whitespace() || c < ' ' || INVISIBLE.contains(c);
    let has_text = |line: &&[u8]| {
        // In Windows-1252, 80 to 9F are letters and punctuation.
        let windows =
            |byte: &u8| if matches!(byte, 0x80..0xa0) { '…' } else { char::from(*byte) };
        let line =
            String::from_utf8(line.to_vec()).unwrap_or_else(|_| line.iter().map(windows).collect());
        let line = line.trim_matches(is_blank);
        !line.is_empty() && !line.starts_with(['#', ';', '%']) && !line.starts_with("// ")
    };
    text.split(|byte| matches!(byte, b'\n' | b'\r')).filter(has_text).count() as u64
}

/// Every line with text is a record or reported, and each record is written, reported or counted as
/// without a label.
fn assert_nothing_is_lost(text: &[u8], format: &str, converted: &Converted) {
    let Converted { summary, problems, output } = converted;
    let lines = lines_with_text(text);
    assert_eq!(summary.records + summary.bad_games, lines, "{format}");
    let reported: BTreeSet<u64> = problems
        .iter()
        .filter(|problem| problem.is_error())
        .map(|problem| problem.place.line)
        .collect();
    assert_eq!(reported.len() as u64, lines - summary.positions - summary.unlabelled, "{format}");
    assert_eq!(summary.lost_texts, 0, "{format}");
    let ends = output.iter().filter(|byte| **byte == b'\n').count() as u64;
    assert!(
        format == "binpack" || ends == summary.positions + u64::from(format == "csv"),
        "{format}"
    );
}

/// What is written as EPD is read again as it is.
fn assert_is_read_again(converted: &Converted) {
    let again = convert(&converted.output, &with("epd", "epd"));
    assert_eq!(String::from_utf8_lossy(&again.output), String::from_utf8_lossy(&converted.output));
    assert!(again.problems.iter().all(|problem| !problem.is_error()), "{:?}", again.messages());
    assert_eq!(again.summary.unread_texts, 0);
    for line in converted.lines() {
        // Operands of unknown opcodes stay as they are, and positions of variants are no records.
        let is_known = |record: Record| record.operations().iter().all(|op| op.opcode().is_some());
        assert!(!line.parse().is_ok_and(is_known) || grammar::is_record(line), "{line}");
    }
}

fn assert_laws_of_records(text: &[u8]) {
    for format in ["epd", "fen", "bullet", "csv", "binpack"] {
        let options = with("epd", format);
        assert_runs_agree(format, text, &options, &[(1, 64), (3, 64), (3, 500), (3, 4096)]);
        if let (Ok(converted), Some(text)) = (try_convert(text, &options), decoded(text)) {
            assert_nothing_is_lost(&text, format, &converted);
            if format == "epd" {
                assert_is_read_again(&converted);
            }
        }
    }
}

#[test]
fn hostile_texts_as_records_keep_the_laws() {
    hostile_texts(20_000).for_each(|text| assert_laws_of_records(&text));
}

/// Training data of a game in each format.
static DATA: LazyLock<Vec<(TrainingFormat, Vec<u8>)>> = LazyLock::new(|| {
    let games = fixture("engines.pgn");
    let data = |format: &TrainingFormat| {
        let options = Options::default().format(Format::Training(*format));
        (*format, convert(&games, &options).output)
    };
    TrainingFormat::ALL.iter().map(data).collect()
});

/// What is before the damage is written or counted, also if nothing is damaged.
fn assert_laws_of_training_data(format: TrainingFormat, data: &[u8]) {
    let whole = Entries::new(format, data).map_while(Result::ok).count() as u64;
    let is_damaged = Entries::new(format, data).any(|entry| entry.is_err());
    for written in ["epd", "fen", "bullet", "csv", "binpack"] {
        let run = |threads| {
            let mut output = Vec::new();
            let options = with(format.word(), written).jobs(jobs(threads));
            let mut conversion = Conversion::new(&mut output, &options);
            let read = conversion.input(data, &mut ()).map(drop).map_err(|error| error.to_string());
            (read, conversion.finish().unwrap(), output)
        };
        let (read, summary, output) = run(1);
        let what = format!("{format} as {written}: {summary:?}");
        assert_eq!(read.is_err(), is_damaged, "{what}");
        assert_eq!(summary.positions + summary.unlabelled, whole, "{what}");
        let ends = output.iter().filter(|byte| **byte == b'\n').count() as u64;
        match written {
            "binpack" => {
                let mut again = Entries::new(TrainingFormat::Binpack, &output[..]);
                assert!(again.all(|entry| entry.is_ok()), "{what}");
            }
            "csv" => assert_eq!(ends, summary.positions + 1, "{what}"),
            _ => assert_eq!(ends, summary.positions, "{what}"),
        }
        let mut at_once = Vec::new();
        let converted = convert_into(data, &mut at_once, &with(format.word(), written));
        assert_eq!(converted.is_err(), is_damaged, "{what}");
        assert!(at_once == output, "{what}: at once");
        assert!(run(3) == (read, summary, output), "{what}: threads");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: testkit::shared::cases(400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_lines_as_records_keep_the_laws(text in records()) {
        assert_laws_of_records(&text.0);
    }

    #[test]
    fn training_data_is_written_up_to_its_damage(
        which in any::<Index>(),
        cut in any::<Index>(),
        edits in changes(4),
    ) {
        let (format, data) = which.get(&DATA[..]);
        let data = changed(&data[..cut.index(data.len() + 1)], &edits);
        assert_laws_of_training_data(*format, &data);
    }

    #[test]
    fn any_bytes_as_training_data_keep_the_laws(which in any::<Index>(), data in bytes()) {
        assert_laws_of_training_data(which.get(&DATA[..]).0, &data.0);
    }
}
