//! Books as Arrow and Parquet, read by other programs.

use std::process::Command;

use testkit::generate::{Generator, Style};

use super::{GAMES, python};
use crate::support::{PROGRAM, program, run_in};

/// A folder with three files of games.
fn folder() -> testkit::program::Program {
    program()
        .file("a.pgn", Generator::text(Style::Lichess, 1, 60_000))
        .file("b.pgn", Generator::text(Style::Plain, 2, 60_000))
        .file("c.pgn", GAMES)
}

const FILES: [&str; 3] = ["a.pgn", "b.pgn", "c.pgn"];

/// Compares both formats of a book with its JSON lines.
const READ_BOOK: &str = r#"
import csv, json
import duckdb, pyarrow as pa, pyarrow.parquet as pq

rows = [json.loads(line) for line in open("book.jsonl")]
with open("book.csv", newline="") as file:
    lines = list(csv.DictReader(file))
with pa.ipc.open_stream("book.arrow") as reader:
    arrow = reader.read_all()
parquet = pq.read_table("book.parquet")
assert arrow.schema.equals(parquet.schema), (arrow.schema, parquet.schema)
named = 0
for table in arrow, parquet:
    table.validate(full=True)
    found = table.to_pylist()
    assert len(found) == len(rows)
    assert len({row["key"] for row in found}) == len(rows)
    for row, expected in zip(found, rows):
        assert len(row.pop("key")) == 32
        clocks = [row.pop(name) for name in ("ply", "halfmoves", "fullmoves")]
        assert clocks[0] == expected["first_ply"] and clocks[2] >= 1, clocks
        eco, names = row.pop("eco"), row.pop("names")
        assert (eco is None) == (names == []), (eco, names)
        named += eco is not None
        assert row == expected, (row, expected)
assert named > 0

sums = ["games", "white", "draws", "black", "rated", "rating_sum"]
expected = tuple(sum(int(line[name]) for line in lines) for name in sums)
for table in ["arrow", "'book.parquet'"]:
    total = ", ".join(f"sum({name})" for name in sums)
    assert duckdb.sql(f"select {total} from {table}").fetchall() == [expected]
    moves = f"select unnest(moves, max_depth := 2) from (select moves from {table})"
    total = ", ".join(f"sum({name})" for name in sums)
    assert duckdb.sql(f"select {total} from ({moves})").fetchall() == [expected]
    assert duckdb.sql(f"select count(*) from ({moves})").fetchall() == [(len(lines),)]
print(len(rows))
"#;

#[test]
fn other_programs_read_the_same_values_as_the_json_lines() {
    if !python::has(&["pyarrow", "duckdb"]) {
        return;
    }
    let program = folder();
    let folder = program.folder();
    for name in ["book.jsonl", "book.csv", "book.arrow", "book.parquet"] {
        run_in(folder, &[&["book", "-q", "--ply", "..12", "-o", name], &FILES[..]].concat());
    }
    let rows: u64 = python::run(READ_BOOK, folder).trim().parse().unwrap();
    assert!(rows > 500, "{rows}");
}

#[test]
fn the_format_is_chosen_by_file_name_or_option() {
    let program = folder();
    let folder = program.folder();
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    run_in(folder, &["book", "c.pgn", "-o", "x.arrow"]);
    run_in(folder, &["book", "c.pgn", "-o", "x.parquet"]);
    assert!(read("x.arrow").starts_with(&[0xff; 4]));
    assert!(read("x.arrow").ends_with(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]));
    assert!(read("x.parquet").starts_with(b"PAR1"));
    assert_eq!(run_in(folder, &["book", "c.pgn", "--format", "arrow"]), read("x.arrow"));
    assert_eq!(run_in(folder, &["book", "c.pgn", "--format", "parquet"]), read("x.parquet"));
}

#[test]
fn parts_with_classes_make_the_explorer_file_of_all_games() {
    let program = folder();
    let folder = program.folder();
    let by = ["--group-by", "rating:2000,2400,year,player", "--ply", "..12"];
    let whole = [&["book", "-q", "-o", "whole.explorer"], &by[..], &FILES[..]].concat();
    run_in(folder, &whole);
    let expected = std::fs::read(folder.join("whole.explorer")).unwrap();
    let small = ["book", "-q", "-j", "2", "--memory", "1M", "-o", "small.explorer"];
    run_in(folder, &[&small, &by[..], &FILES[..]].concat());
    assert!(std::fs::read(folder.join("small.explorer")).unwrap() == expected);
    let parts = FILES.iter().map(|file| {
        let part = format!("{file}.part");
        run_in(folder, &[&["book", "-q", "--partial", file, "-o", &part], &by[..]].concat());
        part
    });
    let parts: Vec<String> = parts.collect();
    let parts: Vec<&str> = parts.iter().map(|part| &**part).collect();
    run_in(folder, &[&["book", "merge", "-o", "merged.explorer"], &parts[..]].concat());
    assert!(std::fs::read(folder.join("merged.explorer")).unwrap() == expected);
    // Other formats have the sums.
    let plain = [&["book", "-q", "--format", "csv", "--ply", "..12"], &FILES[..]].concat();
    let merged = [&["book", "merge", "--format", "csv"], &parts[..]].concat();
    assert!(run_in(folder, &merged) == run_in(folder, &plain));
    let other = ["book", "-q", "--partial", FILES[0], "-o", "other.part", "--ply", "..12"];
    run_in(folder, &other);
    let mixed = ["book", "merge", parts[0], "other.part"];
    let mixed = Command::new(PROGRAM).args(mixed).current_dir(folder).output().unwrap();
    let reason = String::from_utf8_lossy(&mixed.stderr).into_owned();
    assert!(mixed.status.code() == Some(2) && reason.contains("group-by"), "{reason}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_in_every_format() {
    for form in ["--format=arrow", "--format=parquet", "--partial"] {
        let outcome = program()
            .file("games.pgn", GAMES)
            .args(["book", form, "-o", "/dev/full", "games.pgn"])
            .run();
        assert_eq!(outcome.status, 2, "{form}");
        let message = "pgn2epd: cannot write /dev/full: No space left on device (os error 28)\n";
        assert_eq!(outcome.stderr, message, "{form}");
    }
}
