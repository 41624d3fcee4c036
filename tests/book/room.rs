//! Memory and disk: limits are respected, and a failed run leaves no files.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use testkit::generate::{Generator, Style};
use testkit::program::names;

use super::python;
use crate::support::{PROGRAM, program, send, skip_unprivileged};

/// Options with which counting repeatedly spills to disk.
const LITTLE_MEMORY: [&str; 7] = ["book", "-q", "--memory", "1M", "--temp-dir", "temporary", "-o"];

/// The number of files without a name that the process has open.
fn nameless_files(process: u32) -> usize {
    let Ok(files) = fs::read_dir(format!("/proc/{process}/fd")) else { return 0 };
    let targets = files.filter_map(|file| fs::read_link(file.ok()?.path()).ok());
    targets.filter(|target| target.to_string_lossy().ends_with("(deleted)")).count()
}

#[test]
fn an_interrupted_run_leaves_neither_a_book_nor_temporary_files() {
    for signal in ["INT", "TERM"] {
        let program = program().file("book.epd", "old\n").file("temporary/mine", "");
        // A test run in the background may ignore SIGINT, and so would the program.
        let mut child = Command::new("env")
            .args(["--default-signal", PROGRAM])
            .args(LITTLE_MEMORY)
            .arg("book.epd")
            .current_dir(program.folder())
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let feeder = thread::spawn(move || {
            for seed in 0.. {
                if input.write_all(&Generator::text(Style::Plain, seed, 200_000)).is_err() {
                    break;
                }
            }
        });
        // In the middle of a run: some counts are on disk, and the input has not ended.
        let began = Instant::now();
        while nameless_files(child.id()) == 0 {
            assert!(began.elapsed() < Duration::from_secs(600), "nothing goes to disk");
            thread::sleep(Duration::from_millis(10));
        }
        assert!(send(signal, &child));
        assert!(!child.wait().unwrap().success(), "{signal}");
        feeder.join().unwrap();
        assert_eq!(names(program.folder()), ["book.epd", "temporary"], "{signal}");
        assert_eq!(names(&program.folder().join("temporary")), ["mine"], "{signal}");
        assert_eq!(fs::read(program.folder().join("book.epd")).unwrap(), b"old\n", "{signal}");
    }
}

/// Runs the program with little memory, after shell commands that limit disk space.
#[track_caller]
fn fails_for_want_of_disk(before: &str, message: &str) {
    let program = program()
        .file("games.pgn", Generator::text(Style::Plain, 1, 2_000_000))
        .file("temporary/mine", "");
    let script = format!("{before}; exec \"$0\" \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &script, PROGRAM])
        .args(LITTLE_MEMORY)
        .args(["book.epd", "games.pgn"])
        .current_dir(program.folder())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    let expected = "the temporary files in temporary cannot be written or read";
    assert!(stderr.contains(expected) && stderr.contains(message), "{stderr}");
    assert_eq!(names(program.folder()), ["games.pgn", "temporary"]);
    assert_eq!(names(&program.folder().join("temporary")), ["mine"]);
}

#[test]
fn a_size_limit_on_temporary_files_is_a_clear_error() {
    fails_for_want_of_disk("ulimit -f 64", "File too large");
}

/// Whether the user may mount a file system in a private namespace.
fn can_mount() -> bool {
    let script = "mount -t tmpfs -o size=64k none /mnt";
    let found = Command::new("unshare").args(["-m", "sh", "-c", script]).output();
    let can = found.is_ok_and(|output| output.status.success());
    if !can {
        skip_unprivileged("cannot mount a file system");
    }
    can
}

#[test]
fn a_full_temporary_disk_is_a_clear_error() {
    if !can_mount() {
        return;
    }
    // In a private namespace: the mount is only visible to this run, and ends with it.
    let inside = "mount -t tmpfs -o size=256k none temporary && cd . && exec \"$0\" \"$@\"";
    let before =
        format!("run() {{ unshare -m sh -c '{inside}' \"$@\"; }}; run \"$0\" \"$@\"; exit $?");
    fails_for_want_of_disk(&before, "No space left on device");
}

/// Runs a command and prints its peak memory in kibibytes.
const PEAK: &str = r#"
import resource, subprocess, sys
subprocess.run(ARGUMENTS, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"#;

/// The peak memory of a run, in bytes.
fn peak(folder: &Path, args: &[&str]) -> u64 {
    let arguments: Vec<String> =
        [PROGRAM].iter().chain(args).map(|argument| format!("{argument:?}")).collect();
    let script = PEAK.replace("ARGUMENTS", &format!("[{}]", arguments.join(", ")));
    python::run(&script, folder).trim().parse::<u64>().unwrap() * 1024
}

const MIB: u64 = 1 << 20;

/// 131,072 games, since generated ones have few positions that no other game has.
fn games_with_positions_of_their_own() -> String {
    let rank = |bits: u32, pieces: [&str; 2]| {
        (0..8).map(|file| pieces[(bits >> file & 1) as usize]).collect::<String>()
    };
    let game = |number: u32| {
        let (white, black) = (rank(number, ["P", "N"]), rank(number >> 8, ["p", "n"]));
        let middle = if number >> 16 == 0 { "8/8" } else { "8/8/8" };
        let rest = if number >> 16 == 0 { "8/8" } else { "8" };
        format!("[FEN \"4k3/{black}/{middle}/{white}/{rest}/4K3 w - - 0 1\"]\n\n*\n\n")
    };
    (0..1 << 17).map(game).collect()
}

#[test]
#[ignore = "slow: CI_FULL=1 runs it"]
fn memory_stays_near_its_limit() {
    if !python::has(&["resource"]) {
        return;
    }
    let program = program()
        .file("a.pgn", Generator::text(Style::Plain, 1, 4_000_000))
        .file("b.pgn", Generator::text(Style::Lichess, 2, 4_000_000))
        .file("c.pgn", games_with_positions_of_their_own());
    let folder = program.folder();
    let files = ["a.pgn", "b.pgn"];
    let run = |args: &[&str]| {
        let most = peak(folder, &[args, &["--memory", "32M"]].concat());
        assert!(most <= (32 + 64) * MIB, "{args:?}: {} MiB", most / MIB);
    };
    let book = ["book", "-q", "-j", "2", "-o"];
    run(&[&book[..], &["book.jsonl"], &files].concat());
    run(&[&book[..], &["book.bin"], &files].concat());
    // All counts fit into the memory.
    run(&["book", "-q", "-j", "8", "-o", "book.epd", "--order", "count", "c.pgn"]);
    run(&[&book[..], &["book.epd", "--order", "count", "--equal-turns"], &files].concat());
    run(&[&book[..], &["x.part", "--partial", "--keep-moves"], &files].concat());
    run(&["book", "merge", "-o", "merged.jsonl", "x.part"]);
    if cfg!(feature = "arrow") {
        run(&[&book[..], &["book.parquet"], &files].concat());
        run(&[&book[..], &["book.arrow"], &files].concat());
    }
}
