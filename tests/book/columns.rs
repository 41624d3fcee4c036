//! Books and partial results as Arrow and Parquet, read by other programs.

use std::path::Path;
use std::process::{Command, Stdio};

use testkit::generate::{Generator, Style};

use super::{GAMES, python};
use crate::support::program;

const PROGRAM: &str = env!("CARGO_BIN_EXE_pgn2epd");

/// Runs the program in a folder and returns its standard output.
#[track_caller]
fn run(folder: &Path, args: &[&str]) -> Vec<u8> {
    let output = Command::new(PROGRAM).args(args).current_dir(folder).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {stderr}");
    output.stdout
}

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
        run(folder, &[&["book", "-q", "--ply", "..12", "-o", name], &FILES[..]].concat());
    }
    let rows: u64 = python::run(READ_BOOK, folder).trim().parse().unwrap();
    assert!(rows > 500, "{rows}");
}

#[test]
fn the_format_is_chosen_by_file_name_or_option() {
    let program = folder();
    let folder = program.folder();
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    run(folder, &["book", "c.pgn", "-o", "x.arrow"]);
    run(folder, &["book", "c.pgn", "-o", "x.parquet"]);
    assert!(read("x.arrow").starts_with(&[0xff; 4]));
    assert!(read("x.arrow").ends_with(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]));
    assert!(read("x.parquet").starts_with(b"PAR1"));
    assert_eq!(run(folder, &["book", "c.pgn", "--format", "arrow"]), read("x.arrow"));
    assert_eq!(run(folder, &["book", "c.pgn", "--format", "parquet"]), read("x.parquet"));
}

/// Partial results of the three files, in these formats.
fn parts(folder: &Path, forms: [&str; 3]) -> [String; 3] {
    let mut number = 0;
    FILES.map(|name| {
        let part = format!("{name}.{}", forms[number]);
        number += 1;
        run(
            folder,
            &["book", "-q", "--keep-moves", "--ply", "..12", "--partial", "-o", &part, name],
        );
        part
    })
}

#[test]
fn parts_of_all_formats_merge_to_the_same_bytes() {
    let program = folder();
    let folder = program.folder();
    let book = ["book", "-q", "--ply", "..12", "--order", "count", "--format", "pgn"];
    let expected = run(folder, &[&book, &FILES[..]].concat());
    let merge = ["book", "merge", "--order", "count", "--format", "pgn"];
    for forms in [["part"; 3], ["arrow"; 3], ["parquet"; 3], ["parquet", "part", "arrow"]] {
        let [a, b, c] = &parts(folder, forms);
        assert!(run(folder, &[&merge[..], &[b, c, a]].concat()) == expected, "{forms:?}");
        // With another part in another format, and with little memory.
        let part = ["book", "merge", "--partial", "-o", "ab.arrow", "--memory", "1M", a, b];
        run(folder, &part);
        let merged = run(folder, &[&merge[..], &["--memory", "1M", c, "ab.arrow"]].concat());
        assert!(merged == expected, "{forms:?}");
        let again = ["book", "merge", "--partial", "-o", "again.part", c, "ab.arrow"];
        run(folder, &again);
        let whole = [&["book", "-q", "--keep-moves", "--ply", "..12", "--partial"], &FILES[..]];
        let whole = run(folder, &whole.concat());
        assert!(std::fs::read(folder.join("again.part")).unwrap() == whole, "{forms:?}");
    }
}

#[test]
fn parts_with_classes_make_the_explorer_file_of_all_games() {
    let program = folder();
    let folder = program.folder();
    let by = ["--group-by", "rating:2000,2400,year,player", "--ply", "..12"];
    let whole = [&["book", "-q", "-o", "whole.explorer"], &by[..], &FILES[..]].concat();
    run(folder, &whole);
    let expected = std::fs::read(folder.join("whole.explorer")).unwrap();
    let small = ["book", "-q", "-j", "2", "--memory", "1M", "-o", "small.explorer"];
    run(folder, &[&small, &by[..], &FILES[..]].concat());
    assert!(std::fs::read(folder.join("small.explorer")).unwrap() == expected);
    let parts = FILES.iter().zip(["part", "arrow", "parquet"]).map(|(file, form)| {
        let part = format!("{file}.{form}");
        run(folder, &[&["book", "-q", "--partial", file, "-o", &part], &by[..]].concat());
        part
    });
    let parts: Vec<String> = parts.collect();
    let parts: Vec<&str> = parts.iter().map(|part| &**part).collect();
    run(folder, &[&["book", "merge", "-o", "merged.explorer"], &parts[..]].concat());
    assert!(std::fs::read(folder.join("merged.explorer")).unwrap() == expected);
    // Other formats have the sums.
    let plain = [&["book", "-q", "--format", "csv", "--ply", "..12"], &FILES[..]].concat();
    let merged = [&["book", "merge", "--format", "csv"], &parts[..]].concat();
    assert!(run(folder, &merged) == run(folder, &plain));
    let other = ["book", "-q", "--partial", FILES[0], "-o", "other.part", "--ply", "..12"];
    run(folder, &other);
    let mixed = ["book", "merge", parts[0], "other.part"];
    let mixed = Command::new(PROGRAM).args(mixed).current_dir(folder).output().unwrap();
    let reason = String::from_utf8_lossy(&mixed.stderr).into_owned();
    assert!(mixed.status.code() == Some(2) && reason.contains("group-by"), "{reason}");
}

/// Groups partial results like a query engine, with sums, minima and maxima, and changes types and
/// order, which do not matter.
const REGROUP: &str = r#"
import glob, os
import duckdb, pyarrow as pa, pyarrow.compute as pc, pyarrow.parquet as pq

tables = [pq.read_table(name) for name in sorted(glob.glob("*.pgn.parquet"))]
with pa.ipc.open_stream("b.pgn.arrow") as reader:
    tables.append(reader.read_all())
parts = pa.concat_tables(tables)
sums = ", ".join(f"sum({c})::bigint as {c}" for c in ["games", "white", "draws", "black", "rated", "rating_sum"])
duckdb.sql(f"""copy (select counted, key, move, {sums}, min(first_year) as first_year, max(last_year) as last_year,
    min(first) as first, min(strongest) as strongest, max(latest) as latest from parts group by counted, key, move) to 'merged.parquet'""")
merged = pq.read_table("merged.parquet")
assert merged.num_rows < parts.num_rows

# Other widths, other encodings, any order, no metadata: nothing is lost.
parts = parts.replace_schema_metadata(None)
parts = parts.take(pc.sort_indices(parts, sort_keys=[("games", "ascending"), ("move", "descending")]))
for name, kind in {"games": pa.int32(), "move": pa.uint16(), "counted": pa.dictionary(pa.int8(), pa.string()),
                   "key": pa.binary(32), "first_year": pa.int16(), "rating_sum": pa.decimal128(20, 0)}.items():
    at = parts.column_names.index(name)
    parts = parts.set_column(at, name, parts.column(name).cast(kind))
parts = parts.select(list(reversed(parts.column_names)))
with pa.ipc.new_file("changed.arrow", parts.schema) as writer:
    writer.write_table(parts)

# As Spark leaves it.
os.makedirs("folder", exist_ok=True)
half = merged.num_rows // 2
pq.write_table(merged.slice(0, half).replace_schema_metadata(None), "folder/part-00000.snappy.parquet", compression="snappy")
pq.write_table(merged.slice(half), "folder/part-00001.gz.parquet", compression="gzip")
pq.write_table(merged.slice(0, 0), "folder/part-00002.parquet")
for name in "_SUCCESS", ".part-00000.snappy.parquet.crc":
    open("folder/" + name, "w").close()
print(merged.num_rows)
"#;

#[test]
fn a_query_engine_may_merge_parts_by_sums_minima_and_maxima() {
    if !python::has(&["pyarrow", "duckdb"]) {
        return;
    }
    let program = folder();
    let folder = program.folder();
    parts(folder, ["parquet", "arrow", "parquet"]);
    let rows: u64 = python::run(REGROUP, folder).trim().parse().unwrap();
    assert!(rows > 500, "{rows}");
    for choice in [["--format", "jsonl"], ["--format", "pgn"], ["--format", "csv"]] {
        let book =
            [&["book", "-q", "--keep-moves", "--ply", "..12"], &choice[..], &FILES[..]].concat();
        let expected = run(folder, &book);
        for part in ["merged.parquet", "changed.arrow", "folder"] {
            let merged = run(folder, &[&["book", "merge"], &choice[..], &[part]].concat());
            assert!(merged == expected, "{choice:?} {part}");
        }
    }
    std::fs::remove_file(folder.join("folder/_SUCCESS")).unwrap();
    let merge =
        Command::new(PROGRAM).args(["book", "merge", "folder"]).current_dir(folder).output();
    let refused = merge.unwrap();
    let reason = "pgn2epd: folder has no file _SUCCESS, so it is not complete; name its files to merge them nevertheless\n";
    assert_eq!(String::from_utf8_lossy(&refused.stderr), reason);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn a_truncated_part_is_refused() {
    for (name, step) in [("x.arrow", 8), ("x.parquet", 97)] {
        let program = program().file("games.pgn", GAMES);
        let folder = program.folder();
        run(folder, &["book", "--partial", "-o", name, "games.pgn"]);
        let part = std::fs::read(folder.join(name)).unwrap();
        // The last cut only removes the end marker.
        let cuts = (0..part.len()).rev().step_by(step * 40).chain([part.len() - 8]);
        for len in cuts {
            let outcome = crate::support::program()
                .file(name, &part[..len])
                .args(["book", "merge", name])
                .run();
            assert_eq!(outcome.status, 2, "{name} {len}");
            assert!(outcome.stderr.contains(name), "{name} {len}: {}", outcome.stderr);
            assert_eq!(outcome.text(), "", "{name} {len}");
        }
    }
}

#[test]
fn parts_that_were_counted_differently_are_not_mixed() {
    let program = program().file("games.pgn", GAMES);
    let folder = program.folder();
    run(folder, &["book", "--partial", "--ply", "..4", "-o", "a.arrow", "games.pgn"]);
    run(folder, &["book", "--partial", "--ply", "..5", "-o", "b.parquet", "games.pgn"]);
    let output = Command::new(PROGRAM)
        .args(["book", "merge", "a.arrow", "b.parquet"])
        .current_dir(folder)
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    let message = "b.parquet was counted differently from the others: ply 0..5, not ply 0..4";
    assert!(stderr.contains(message), "{stderr}");
}

#[test]
fn a_book_is_not_a_partial_result() {
    let program = program().file("games.pgn", GAMES);
    let folder = program.folder();
    run(folder, &["book", "-o", "book.parquet", "games.pgn"]);
    let merge = Command::new(PROGRAM)
        .args(["book", "merge", "book.parquet"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert_eq!(merge.status.code(), Some(2));
    let stderr = String::from_utf8(merge.stderr).unwrap();
    assert!(stderr.contains("book.parquet"), "{stderr}");
    assert!(stderr.contains("it has no column counted"), "{stderr}");
}

#[test]
fn a_part_in_columns_is_shown_like_a_native_one() {
    let program = program().file("games.pgn", GAMES);
    let folder = program.folder();
    run(folder, &["book", "--partial", "-o", "a.arrow", "games.pgn"]);
    run(folder, &["book", "--partial", "-o", "a.part", "games.pgn"]);
    assert_eq!(run(folder, &["book", "show", "a.arrow"]), run(folder, &["book", "show", "a.part"]));
}

#[test]
fn closing_the_stream_early_is_not_an_error() {
    let program = folder();
    let mut child = Command::new(PROGRAM)
        .args(["book", "-q", "--partial", "--format", "arrow", "a.pgn", "b.pgn"])
        .current_dir(program.folder())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success(), "{:?}", output.status);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_in_every_format() {
    for form in ["arrow", "parquet"] {
        for partial in [&["--partial"][..], &[]] {
            let outcome = program()
                .file("games.pgn", GAMES)
                .args(["book", "--format", form, "-o", "/dev/full", "games.pgn"])
                .args(partial)
                .run();
            assert_eq!(outcome.status, 2, "{form}");
            let message =
                "pgn2epd: cannot write /dev/full: No space left on device (os error 28)\n";
            assert_eq!(outcome.stderr, message, "{form}");
        }
    }
}
