//! Outputs that are folders: parts of a data set, and files of N positions.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use pgn2epd::epd::Scanner;
use pgn2epd::game::OutputCounts;
use pgn2epd::options::{Format, RegisterStyle, RowKind};
use pgn2epd::table::{ColumnList, TableFormat};
use pgn2epd::training::TrainingFormat;
use pgn2epd::{Conversion, Options, Summary};
use sha2::{Digest, Sha256};
use testkit::cases::read_folder;
use testkit::generate::{Generator, Style};

#[cfg(target_os = "linux")]
use crate::support::{PROGRAM, send};
use crate::support::{convert, fixture, jobs, program};

fn games() -> Vec<u8> {
    Generator::text(Style::Lichess, 5, 40_000)
}

/// The files of a folder in memory.
#[derive(Clone, Default)]
struct Files(Arc<Mutex<BTreeMap<PathBuf, Vec<u8>>>>);

struct FileIn(Files, PathBuf);

impl Write for FileIn {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.0.lock().unwrap().get_mut(&self.1).unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(PartialEq)]
pub(crate) struct Folder {
    pub(crate) files: BTreeMap<PathBuf, Vec<u8>>,
    pub(crate) counts: Vec<(PathBuf, OutputCounts)>,
    pub(crate) summary: Summary,
}

impl Folder {
    fn names(&self) -> Vec<&str> {
        self.files.keys().map(|name| name.to_str().unwrap()).collect()
    }

    fn text(&self, name: &str) -> &str {
        std::str::from_utf8(&self.files[Path::new(name)]).unwrap()
    }

    /// The text of all files in the order of their first records.
    fn all(&self) -> String {
        self.counts.iter().map(|(name, _)| self.text(name.to_str().unwrap())).collect()
    }
}

pub(crate) fn convert_to(pgn: &[u8], options: &Options) -> Folder {
    let files = Files::default();
    let in_memory = files.clone();
    let open = move |name: &Path| {
        let old = in_memory.0.lock().unwrap().insert(name.to_owned(), Vec::new());
        assert!(old.is_none(), "{} is written twice", name.display());
        Ok(FileIn(in_memory.clone(), name.to_owned()))
    };
    let mut conversion = Conversion::with_files(open, |_| Ok(()), options);
    conversion.input(pgn, &mut ()).unwrap();
    let (summary, counts) = conversion.finish_files().unwrap();
    let positions: u64 = counts.iter().map(|(_, counts)| counts.positions).sum();
    assert_eq!(positions, summary.positions);
    let files = std::mem::take(&mut *files.0.lock().unwrap());
    assert_eq!(files.len(), counts.len());
    Folder { files, counts, summary }
}

/// The files do not depend on memory, threads and chunks.
#[track_caller]
pub(crate) fn convert_all_ways(pgn: &[u8], options: &Options) -> Folder {
    let expected = convert_to(pgn, &options.clone().jobs(jobs(1)));
    for (memory, threads, chunk_bytes) in
        [(1, 1, 256 << 10), (60_000, 2, 700), (1 << 20, 3, 20_000)]
    {
        let options = options.clone().memory(memory).jobs(jobs(threads)).chunk_bytes(chunk_bytes);
        let found = convert_to(pgn, &options);
        let way = format!("{memory} bytes, {threads} threads, chunks of {chunk_bytes} bytes");
        assert!(found.files == expected.files, "{way}");
        assert!(found.counts == expected.counts, "{way}");
    }
    expected
}

fn rows_per_file(rows: u64) -> Options {
    Options::default().rows_per_file(NonZeroU64::new(rows))
}

#[test]
fn each_file_has_the_next_positions() {
    let pgn = games();
    // Shuffled and unique positions are divided in crates/pgn2epd/tests/selection.rs.
    for options in [Options::default(), Options::default().limit(Some(99))] {
        let options = options.format(Format::Fen);
        let whole = convert(&pgn, &options);
        let all = String::from_utf8(whole.output.clone()).unwrap();
        for rows in [1, 7, 50, 1_000_000] {
            if rows == 1 && all.lines().count() > 500 {
                continue;
            }
            let folder =
                convert_all_ways(&pgn, &options.clone().rows_per_file(NonZeroU64::new(rows)));
            assert!(folder.all() == all, "{rows}");
            let (last, others) = folder.counts.split_last().unwrap();
            assert!(others.iter().all(|(_, counts)| counts.positions == rows), "{rows}");
            assert!((1..=rows).contains(&last.1.positions), "{rows}");
            for (number, (name, counts)) in folder.counts.iter().enumerate() {
                assert_eq!(name.to_str().unwrap(), format!("part-{number:05}.fen"));
                assert_eq!(folder.files[name].len() as u64, counts.bytes);
            }
        }
    }
}

#[test]
fn each_file_has_all_registers() {
    let pgn = fixture("classics.pgn");
    let full = Options::default().registers(Some(RegisterStyle::Full));
    let expected = String::from_utf8(convert(&pgn, &full).output).unwrap();
    let folder = convert_all_ways(&pgn, &full.rows_per_file(NonZeroU64::new(20)));
    assert!(folder.all() == expected);
    // By default, registers without a value are cleared at the beginning of a file, and those that
    // the record before has set.
    let folder = convert_all_ways(&pgn, &rows_per_file(20));
    let (mut number, mut rest) = (0, expected.lines());
    for (name, _) in &folder.counts {
        let text = folder.text(name.to_str().unwrap());
        let mut of_file = Scanner::new(text);
        for line in text.lines() {
            let expected = rest.next().unwrap();
            let mut alone = Scanner::new(expected);
            of_file.next_record(&mut |_| {}).unwrap();
            alone.next_record(&mut |_| {}).unwrap();
            assert_eq!(of_file.registers(), alone.registers(), "{line}");
            number += 1;
        }
    }
    assert_eq!(number, expected.lines().count());
}

#[test]
fn rows_of_games_are_selected_shuffled_and_divided() {
    let pgn = games();
    let columns: ColumnList = "game,Site,result,plies,uci,problem".parse().unwrap();
    let csv = Options::default()
        .format(Format::Table(TableFormat::Csv))
        .rows(RowKind::Games)
        .columns(Some(columns));
    let whole = convert(&pgn, &csv);
    let text = String::from_utf8(whole.output.clone()).unwrap();
    let all: Vec<&str> = text.lines().skip(1).collect();
    let folder = convert_all_ways(&pgn, &csv.clone().rows_per_file(NonZeroU64::new(4)));
    let rows = folder
        .counts
        .iter()
        .flat_map(|(name, _)| folder.text(name.to_str().unwrap()).lines().skip(1));
    assert!(rows.eq(all.iter().copied()));
    assert_eq!(folder.summary.positions, whole.summary.positions);
    assert_eq!(folder.names().len(), all.len().div_ceil(4));
    let lines = |options: &Options| {
        let text = String::from_utf8(convert(&pgn, options).output).unwrap();
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(&csv.clone().skip(3).limit(Some(4))), all[3..7]);
    assert_eq!(lines(&csv.clone().sample(Some(5))).len(), 5);
    let mut shuffled = lines(&csv.clone().shuffle(true));
    assert_ne!(shuffled, all);
    shuffled.sort();
    let mut sorted = all.clone();
    sorted.sort_unstable();
    assert_eq!(shuffled, sorted);
}

#[test]
fn tables_of_many_shuffled_rows_are_divided() {
    let pgn = Generator::text(Style::Plain, 3, 500_000);
    let csv = Options::default()
        .format(Format::Table(TableFormat::Csv))
        .columns(Some("game,ply,fen".parse().unwrap()));
    let positions = convert(&pgn, &csv).summary.positions;
    assert!(positions > 40_000);
    for seed in 0..4 {
        let options = csv.clone().shuffle(true).seed(seed);
        let split = Some("a=0.5,b=0.5".parse().unwrap());
        let folder = convert_to(&pgn, &options.split(split));
        assert_eq!(folder.summary.positions, positions, "{seed}");
        let rows: usize =
            folder.names().iter().map(|name| folder.text(name).lines().count() - 1).sum();
        assert_eq!(rows as u64, positions, "{seed}");
    }
}

/// A file that is complete before the others has the same end as the last one.
#[test]
fn compressed_files_end_once() {
    let pgn = games();
    for format in [Format::Fen, Format::Table(TableFormat::Csv)] {
        for compress in ["zstd", "gzip"] {
            let options =
                rows_per_file(100).format(format).compress(Some(compress.parse().unwrap()));
            let all = convert_to(&pgn, &options);
            let first = convert_to(&pgn, &options.limit(Some(100)));
            let (name, _) = &first.counts[0];
            assert!(all.counts.len() > 2);
            assert!(all.files[name] == first.files[name], "{format:?} {compress}");
        }
    }
}

#[test]
fn training_data_is_divided_into_units() {
    let pgn = fixture("engines.pgn");
    for format in
        [TrainingFormat::Viriformat, TrainingFormat::Binpack, TrainingFormat::Bulletformat]
    {
        let options = Options::default().format(Format::Training(format));
        let whole = convert(&pgn, &options).summary.positions;
        let folder = convert_all_ways(&pgn, &options.rows_per_file(NonZeroU64::new(5)));
        assert_eq!(folder.summary.positions, whole);
        let (_, others) = folder.counts.split_last().unwrap();
        assert!(others.iter().all(|(_, counts)| counts.positions >= 5), "{format:?}");
    }
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The files of a folder and of those in it, with their texts.
fn files_in(folder: &Path) -> BTreeMap<String, String> {
    // Of a run that was killed, a file with a name of its own may be left.
    let files = read_folder(folder, "").into_iter().filter(|(name, _)| !name.contains(".pgn2epd-"));
    files.map(|(name, bytes)| (name, String::from_utf8(bytes).unwrap())).collect()
}

#[test]
fn files_appear_when_they_are_complete_and_success_at_the_end() {
    for (option, value, files) in [
        ("--rows-per-file", "20", &[][..]),
        ("--split", "train=0.5,test=0.5", &["test/part-00000.fen.zst", "train/part-00000.fen.zst"]),
    ] {
        let outcome = program()
            .file("a.pgn", fixture("classics.pgn").repeat(5))
            .args([option, value, "--format", "fen", "--compress", "zstd"])
            .args(["--manifest", "m.json", "-o", "x", "a.pgn"])
            .run_quietly();
        assert_eq!(outcome.names(), ["a.pgn", "m.json", "x"]);
        let manifest: serde_json::Value = outcome.string("m.json").parse().unwrap();
        assert_eq!(manifest["options"][&option[2..]], value);
        let outputs = manifest["outputs"].as_array().unwrap();
        let name = |output: &serde_json::Value| output["file"].as_str().unwrap().to_owned();
        for output in outputs.iter().chain(manifest["inputs"].as_array().unwrap()) {
            let bytes = outcome.file(&name(output)).unwrap();
            assert_eq!(output["bytes"].as_u64(), Some(bytes.len() as u64));
            assert_eq!(output["sha256"], sha256(&bytes));
        }
        let positions = |output: &serde_json::Value| output["positions"].as_u64().unwrap();
        assert_eq!(outputs.iter().map(positions).sum::<u64>(), positions(&manifest["totals"]));
        assert!(option == "--split" || positions(&outputs[0]) == 20);
        let mut listed: Vec<String> =
            outputs.iter().map(|output| name(output)[2..].into()).collect();
        listed.sort();
        let success = outcome.string("x/_SUCCESS");
        assert_eq!(success.lines().collect::<Vec<_>>(), listed);
        assert!(files.is_empty() || listed == files, "{listed:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_ends_early_has_no_success() {
    let args = ["--rows-per-file", "2", "--format", "fen", "--manifest", "m.json", "-o", "x"];
    let cases: [&[&str]; 2] = [&["--on-error", "stop", "bad.pgn"], &["a.pgn", "/proc/self/mem"]];
    for case in cases {
        let program = program()
            .file("a.pgn", "1. e4 e5 2. Nf3 *")
            .file("bad.pgn", "1. e4 e5 2. Nf3 *\n\n1. e4 e4 *");
        let folder = program.folder().to_owned();
        let outcome = program.args(args).args(case).run();
        assert_ne!(outcome.status, 0, "{case:?}");
        assert_eq!(outcome.names(), ["a.pgn", "bad.pgn", "x"], "{case:?}");
        let files = files_in(&folder.join("x"));
        assert!(!files.is_empty() && !files.contains_key("_SUCCESS"), "{case:?} {files:?}");
    }
}

#[test]
fn files_of_an_earlier_run_are_overwritten_and_no_others() {
    let to_x = ["--rows-per-file", "2", "--format", "fen", "-o", "x"];
    let program = || program().file("a.pgn", "1. e4 e5 2. Nf3 Nc6 *").file("b.pgn", "1. d4 *");
    let first = program().args(to_x).arg("a.pgn").run_quietly();
    let old = |name: &str| first.file(&format!("x/{name}")).unwrap();
    let again = |args: &[&str]| {
        let mut program = program().file("x/README", "text");
        for name in ["_SUCCESS", "part-00000.fen", "part-00001.fen", "part-00002.fen"] {
            program = program.file(&format!("x/{name}"), old(name));
        }
        let folder = program.folder().join("x");
        (program.args(to_x).args(args).run(), files_in(&folder))
    };
    let (outcome, files) = again(&["b.pgn"]);
    assert_eq!(outcome.stderr, "pgn2epd: cannot write x: the folder is not empty\n");
    assert_eq!((outcome.status, files.len()), (2, 5));
    let (outcome, files) = again(&["--overwrite", "b.pgn"]);
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["README", "_SUCCESS", "part-00000.fen"]);
    assert_eq!((files["part-00000.fen"].lines().count(), &*files["README"]), (2, "text"));
    // Nothing to write: the old files stay.
    let (outcome, files) = again(&["--overwrite", "missing.pgn"]);
    assert_eq!((outcome.status, files.len()), (2, 5));
    // An input is not overwritten.
    let (outcome, files) = again(&["--overwrite", "x/part-00001.fen"]);
    let message = "pgn2epd: -o x is the same file as the input x/part-00001.fen\n";
    assert_eq!((&*outcome.stderr, files.len()), (message, 5));
}

/// Runs that are ended at any moment, above all near the end.
#[cfg(target_os = "linux")]
#[test]
fn a_run_ended_by_a_signal_has_whole_files_and_success_only_at_the_end() {
    use std::os::unix::process::ExitStatusExt;

    let pgn = fixture("classics.pgn").repeat(20);
    let args = ["-q", "--rows-per-file", "10", "--format", "fen", "-o", "x"];
    let expected = convert(&pgn, &Options::default().format(Format::Fen)).summary.positions;
    let mut ended = 0;
    for round in 0..45 {
        let program = program().file("a.pgn", &*pgn);
        let folder = program.folder().join("x");
        let mut running = Command::new("env")
            .args(["--default-signal", PROGRAM])
            .args(args)
            .arg("a.pgn")
            .current_dir(program.folder())
            .spawn()
            .unwrap();
        let (signal, part) = (["KILL", "TERM", "INT"][round % 3], round as u64 / 3 + 1);
        let most = part * expected / 150;
        while running.try_wait().unwrap().is_none()
            && fs::read_dir(&folder).is_ok_and(|files| (files.count() as u64) < most)
        {
            std::thread::yield_now();
        }
        send(signal, &running);
        let status = running.wait().unwrap();
        let mut files = files_in(&folder);
        let success = files.remove("_SUCCESS");
        assert!(success.is_some() || !status.success(), "{signal}");
        assert!(status.success() || status.signal().is_some(), "{signal}");
        if let Some(success) = &success {
            assert!(success.lines().eq(files.keys()), "{signal}");
        }
        ended += u32::from(success.is_none());
        let lines = |text: &String| text.lines().count() as u64;
        let of_files: u64 = files.values().map(lines).sum();
        assert!(success.is_none() || of_files == expected, "{signal}");
        let partial = files.values().filter(|text| lines(text) != 10);
        assert!(partial.count() <= usize::from(of_files == expected), "{signal}");
    }
    assert!(ended > 10, "{ended}");
}

#[test]
fn runs_beside_each_other_are_complete() {
    let pgn = fixture("classics.pgn");
    let expected = convert(&pgn, &Options::default().format(Format::Fen));
    let program = program().file("a.pgn", &*pgn);
    let folder = program.folder().to_owned();
    let run = |number: usize| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pgn2epd"));
        command.args(["-q", "-j", "1", "--format", "fen", "a.pgn", "-o"]).current_dir(&folder);
        match number % 2 {
            0 => command.arg(format!("{number}")).args(["--rows-per-file", "5"]),
            _ => command.arg(format!("{number}.fen")),
        };
        assert!(command.status().unwrap().success());
    };
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let run = &run;
            scope.spawn(move || (thread * 8..thread * 8 + 8).for_each(run));
        }
    });
    for number in 0..64 {
        let text = match number % 2 {
            0 => {
                let mut files = files_in(&folder.join(number.to_string()));
                files.remove("_SUCCESS").unwrap();
                files.into_values().collect()
            }
            _ => fs::read_to_string(folder.join(format!("{number}.fen"))).unwrap(),
        };
        assert!(text.as_bytes() == expected.output, "{number}");
    }
}

#[test]
fn another_kind_of_output_is_an_error() {
    let split = Options::default().split(Some("a=0.5,b=0.5".parse().unwrap()));
    for options in [split.clone(), split.shuffle(true), rows_per_file(5)] {
        let mut output = Vec::new();
        let mut conversion = Conversion::new(&mut output, &options);
        let error = conversion.input(&b"1. e4 *"[..], &mut ()).unwrap_err();
        assert_eq!(error.to_string(), "the output cannot be written");
        assert!(conversion.finish().is_err());
        assert!(output.is_empty());
    }
    let open = |_: &Path| Ok(Vec::new());
    let mut conversion =
        Conversion::with_files(open, |_| Ok(()), &Options::default().limit(Some(2)));
    assert!(conversion.input(&b"1. e4 *"[..], &mut ()).is_err());
}
