//! Outputs that are folders: files of N positions, and folders by the values of games.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use pgn2epd::{
    ColumnList, Conversion, Format, LabelForm, Options, OutputCounts, RegisterStyle, RowKind,
    Summary, TableFormat, TrainingFormat,
};
use testkit::generate::{Generator, Style};

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
struct Folder {
    files: BTreeMap<PathBuf, Vec<u8>>,
    counts: Vec<(PathBuf, OutputCounts)>,
    summary: Summary,
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

fn convert_to(pgn: &[u8], options: &Options) -> Folder {
    let files = Files::default();
    let in_memory = files.clone();
    let open = move |name: &Path| {
        let old = in_memory.0.lock().unwrap().insert(name.to_owned(), Vec::new());
        assert!(old.is_none(), "{} is written twice", name.display());
        Ok(FileIn(in_memory.clone(), name.to_owned()))
    };
    let mut conversion = Conversion::with_files(open, options);
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
fn convert_all_ways(pgn: &[u8], options: &Options) -> Folder {
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

fn partition_by(columns: &str) -> Options {
    Options::default().partition_by(Some(columns.parse().unwrap()))
}

#[test]
fn each_file_has_the_next_positions() {
    let pgn = games();
    let fen = Options::default().format(Format::Fen);
    for options in
        [fen.clone(), fen.clone().shuffle(true), fen.clone().unique(true), fen.limit(Some(99))]
    {
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
fn each_file_sets_the_registers_anew() {
    let pgn = fixture("classics.pgn");
    let full = Options::default().registers(Some(RegisterStyle::Full));
    let expected = String::from_utf8(convert(&pgn, &full).output).unwrap();
    let folder = convert_all_ways(&pgn, &full.rows_per_file(NonZeroU64::new(20)));
    assert!(folder.all() == expected);
    // Only what changes is written by default: the first record of a file has all, and the others are as without files.
    let usual = String::from_utf8(convert(&pgn, &Options::default()).output).unwrap();
    let folder = convert_all_ways(&pgn, &rows_per_file(20));
    let mut number = 0;
    for (name, _) in &folder.counts {
        for (index, line) in folder.text(name.to_str().unwrap()).lines().enumerate() {
            let of = if index == 0 { &expected } else { &usual };
            assert_eq!(line, of.lines().nth(number).unwrap(), "{}:{index}", name.display());
            number += 1;
        }
    }
    assert_eq!(number, usual.lines().count());
}

#[test]
fn games_are_divided_by_their_values() {
    let pgn = games();
    let options = partition_by("result").format(Format::Label(LabelForm::C9));
    let folder = convert_all_ways(&pgn, &options);
    let expected = String::from_utf8(
        convert(&pgn, &Options::default().format(Format::Label(LabelForm::C9))).output,
    )
    .unwrap();
    let mut names = Vec::new();
    for result in ["0-1", "1-0", "1/2-1/2"] {
        let name = format!("result={}/part-00000.epd", result.replace('/', "%2F"));
        let of_result: Vec<&str> =
            expected.lines().filter(|line| line.contains(&format!("\"{result}\""))).collect();
        assert!(folder.text(&name).lines().eq(of_result), "{name}");
        names.push(name);
        names.sort();
    }
    let mut found = folder.names();
    found.sort_unstable();
    assert_eq!(found, names);
}

#[test]
fn parts_folders_and_files_are_combined() {
    let pgn = fixture("classics.pgn");
    let options = partition_by("year,White")
        .rows_per_file(NonZeroU64::new(30))
        .split(Some("train=0.5,test=0.5".parse().unwrap()))
        .format(Format::Table(TableFormat::Csv))
        .columns(Some("year,White,ply,fen".parse().unwrap()));
    let folder = convert_all_ways(&pgn, &options);
    let columns: ColumnList = "year,White,ply,fen".parse().unwrap();
    let plain = Options::default().format(Format::Table(TableFormat::Csv)).columns(Some(columns));
    let whole = String::from_utf8(convert(&pgn, &plain).output).unwrap();
    let mut rows = 0;
    for name in folder.names() {
        let parts: Vec<&str> = name.split('/').collect();
        let [part, year, white, file] = parts[..] else { panic!("{name}") };
        assert!(["train", "test"].contains(&part), "{name}");
        assert!(file.starts_with("part-0000") && file.ends_with(".csv"), "{name}");
        let mut lines = folder.text(name).lines();
        // The columns of the folders are not in the files.
        assert_eq!(lines.next(), Some("ply,fen"), "{name}");
        let year = year.strip_prefix("year=").unwrap();
        let white = white.strip_prefix("White=").unwrap().replace("%2C", ",").replace("%20", " ");
        for line in lines {
            let row = format!("{year},\"{white}\",{line}");
            assert!(whole.lines().any(|line| line == row), "{name}: {row}");
            rows += 1;
        }
    }
    assert_eq!(rows, whole.lines().count() - 1);
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
        let folder = convert_to(&pgn, &options.partition_by(Some("result".parse().unwrap())));
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

#[test]
fn a_folder_appears_when_its_files_are_complete() {
    let args = ["--rows-per-file", "20", "--format", "fen", "--compress", "zstd"];
    let outcome = program()
        .file("a.pgn", fixture("classics.pgn"))
        .args(args)
        .args(["--manifest", "m.json", "-o", "x", "a.pgn"])
        .run();
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
    assert_eq!(outcome.names(), ["a.pgn", "m.json", "x"]);
    let manifest: serde_json::Value =
        serde_json::from_slice(&outcome.file("m.json").unwrap()).unwrap();
    let outputs = manifest["outputs"].as_array().unwrap();
    assert_eq!(outputs[0]["file"], "x/part-00000.fen.zst");
    assert_eq!(outputs[0]["positions"], 20);
    for output in outputs {
        let bytes = outcome.file(output["file"].as_str().unwrap()).unwrap();
        assert_eq!(output["bytes"].as_u64(), Some(bytes.len() as u64));
    }
    // An input that ends the run leaves nothing.
    let outcome = program().args(["--rows-per-file", "2", "-o", "x", "missing.pgn"]).run();
    assert_eq!((outcome.status, outcome.names()), (2, Vec::<String>::new()));
}

#[test]
fn folders_that_cannot_be_written_are_refused_with_the_reason() {
    let cases: [(&[&str], &str); 6] = [
        (
            &["--rows-per-file", "5"],
            "--rows-per-file and --partition-by need a folder: -o positions",
        ),
        (
            &["--partition-by", "year", "-o", "-"],
            "--rows-per-file and --partition-by need a folder: -o positions",
        ),
        (&["--rows-per-file", "5", "-o", "."], "cannot write .: the folder is not empty"),
        (
            &["--shards", "2", "--partition-by", "year", "-o", "x"],
            "--shards is not for --rows-per-file and --partition-by, which write files of their own",
        ),
        (
            &["--partition-by", "year", "--format", "csv", "--columns", "year", "-o", "x"],
            "--columns: all columns are in --partition-by; name another one",
        ),
        (
            &["--split", "a=0.5,b=0.5", "--rows-per-file", "5", "-o", "x-{split}"],
            "-o: a folder has a folder for each part: omit {split}",
        ),
    ];
    for (args, expected) in cases {
        let outcome = program().file("a.pgn", "1. e4 *").args(args).arg("a.pgn").run();
        assert_eq!(outcome.stderr, format!("pgn2epd: {expected}\n"), "{args:?}");
        assert_eq!((outcome.status, outcome.names()), (2, vec!["a.pgn".to_owned()]), "{args:?}");
    }
}

#[test]
fn another_kind_of_output_is_an_error() {
    let mut conversion = Conversion::new(Vec::new(), &rows_per_file(5));
    assert!(conversion.input(&b"1. e4 *"[..], &mut ()).is_err());
    let open = |_: &Path| Ok(Vec::new());
    let mut conversion =
        Conversion::with_files(open, &Options::default().shards(NonZeroU32::new(2)));
    assert!(conversion.input(&b"1. e4 *"[..], &mut ()).is_err());
}
