//! What can go wrong outside of the games: discs, pipes, signals, other programs. All of it is done for real.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{GOOD, RECORDS, assert_failed, assert_quiet};
use crate::support::program;

const PROGRAM: &str = env!("CARGO_BIN_EXE_pgn2epd");

fn make_fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into()).collect();
    names.sort();
    names
}

/// Waits until something has happened, for so long that it must have.
#[track_caller]
fn wait_until(what: &str, has_happened: impl Fn() -> bool) {
    let began = Instant::now();
    while !has_happened() {
        assert!(began.elapsed() < Duration::from_secs(60), "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A run that reads from a pipe that stays open, and writes `out.epd`.
fn run_from_pipe(folder: &Path) -> Child {
    let child = Command::new(PROGRAM)
        .args(["-o", "out.epd"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("a temporary file", || names(folder).iter().any(|name| name.ends_with(".tmp")));
    child
}

#[test]
fn what_a_killed_run_has_left_the_next_one_takes_away() {
    let program = program().file("out.epd", "old\n").file("a.pgn", GOOD);
    let folder = program.folder().to_owned();
    let mut killed = run_from_pipe(&folder);
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(names(&folder).len(), 3, "{:?}", names(&folder));
    assert_eq!(fs::read(folder.join("out.epd")).unwrap(), b"old\n");
    let outcome = program.args(["-o", "other.epd", "a.pgn"]).run();
    assert_quiet(&outcome);
    assert_eq!(outcome.names(), ["a.pgn", "other.epd", "out.epd"]);
}

#[test]
fn what_a_run_is_at_work_on_is_left_alone() {
    let program = program().file("a.pgn", GOOD);
    let folder = program.folder().to_owned();
    let mut running = run_from_pipe(&folder);
    let outcome = program.args(["-o", "other.epd", "a.pgn"]).run();
    assert_quiet(&outcome);
    running.stdin.take().unwrap().write_all(GOOD.as_bytes()).unwrap();
    assert!(running.wait().unwrap().success());
    assert_eq!(outcome.file("out.epd").unwrap(), RECORDS.as_bytes());
    assert_eq!(outcome.names(), ["a.pgn", "other.epd", "out.epd"]);
}

#[test]
fn a_file_that_is_to_be_read_is_not_written() {
    for output in ["a.pgn", "./a.pgn", "link.pgn", "hard.pgn"] {
        let program = program().file("a.pgn", GOOD);
        let folder = program.folder().to_owned();
        std::os::unix::fs::symlink("a.pgn", folder.join("link.pgn")).unwrap();
        fs::hard_link(folder.join("a.pgn"), folder.join("hard.pgn")).unwrap();
        let outcome = program.args(["a.pgn", "-o", output]).run();
        assert_failed(&outcome);
        let message = "pgn2epd: --output would overwrite a.pgn, which is to be read\n";
        assert_eq!(outcome.stderr, message, "{output}");
        assert_eq!(outcome.file("a.pgn").unwrap(), GOOD.as_bytes());
    }
}

#[test]
fn standard_output_is_not_what_is_read() {
    let program = program().file("a.pgn", GOOD);
    let file = fs::File::options().append(true).open(program.folder().join("a.pgn")).unwrap();
    let outcome = Command::new(PROGRAM)
        .arg("a.pgn")
        .current_dir(program.folder())
        .stdout(file)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
        .wait_with_output()
        .unwrap();
    assert_eq!(outcome.status.code(), Some(2));
    let said = String::from_utf8(outcome.stderr).unwrap();
    assert_eq!(said, "pgn2epd: standard output is a.pgn, which is to be read\n");
    assert_eq!(fs::read(program.folder().join("a.pgn")).unwrap(), GOOD.as_bytes());
}

#[test]
fn a_file_that_vanishes_leaves_the_others() {
    let program = program().file("b.pgn", GOOD).file("c.pgn", GOOD);
    let folder = program.folder().to_owned();
    let fifo = folder.join("a.pgn");
    make_fifo(&fifo);
    let vanishes = folder.join("b.pgn");
    let feeder = thread::spawn(move || {
        // It opens once the program reads it, which is after all names were looked at.
        let mut fifo = fs::File::options().write(true).open(fifo).unwrap();
        fs::remove_file(vanishes).unwrap();
        fifo.write_all(GOOD.as_bytes()).unwrap();
    });
    let outcome = program.args(["a.pgn", "b.pgn", "c.pgn"]).run();
    feeder.join().unwrap();
    assert_eq!((outcome.status, outcome.text()), (2, &*RECORDS.repeat(2)));
    let message = "pgn2epd: cannot read b.pgn: No such file or directory (os error 2)\n";
    assert_eq!(outcome.stderr, message);
}

#[test]
fn a_file_that_cannot_be_read_leaves_the_others() {
    // Its first page belongs to nobody: the system refuses to read it.
    let unreadable = "/proc/self/mem";
    let outcome =
        program().file("a.pgn", GOOD).args(["-o", "out.epd", "a.pgn", unreadable, "a.pgn"]).run();
    assert_failed(&outcome);
    let message = "pgn2epd: cannot read /proc/self/mem: Input/output error (os error 5)\n";
    assert_eq!(outcome.stderr, message);
    assert_eq!(outcome.file("out.epd").unwrap(), RECORDS.repeat(2).as_bytes());
}

#[test]
fn an_error_in_the_middle_of_a_file_leaves_its_whole_games() {
    struct Torn(&'static [u8]);
    impl Read for Torn {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(io::Error::other("torn")),
                read => Ok(read),
            }
        }
    }
    let cases: [(&'static [u8], usize); 8] = [
        (b"1. e4 e5 *\n1. d4 d5", 3),
        (b"1. e4 e5 *\n1. d4 d5 *", 6),
        (b"1. e4 e5 * {said of", 3),
        (b"1. e4 e5 *\n\n[Event \"", 3),
        (b"1. e4 e5 *\n\n[Event \"B\"]\n\n", 3),
        (b"1. e4 e5 *\n\n[Event \"B\"]\n\n1. d4 {", 3),
        (b"1. e4 e5 1-", 0),
        (b"", 0),
    ];
    for (text, positions) in cases {
        for jobs in [1, 3] {
            for chunk_bytes in [64, 1 << 20] {
                let options = pgn2epd::Options {
                    jobs: crate::support::jobs(jobs),
                    chunk_bytes,
                    ..Default::default()
                };
                let mut records = Vec::new();
                let outcome = pgn2epd::convert(Torn(text), &mut records, &options);
                assert!(matches!(outcome, Err(pgn2epd::ConvertError::Read(_))));
                let lines = records.iter().filter(|byte| **byte == b'\n').count();
                assert_eq!(lines, positions, "{}", text.escape_ascii());
            }
        }
    }
}

#[allow(clippy::print_stderr)] // it says why it does nothing
#[test]
fn a_disc_that_fills_up_leaves_the_old_file_and_nothing_else() {
    // A disc of 64 KB, in a world of its own; not everybody may make one.
    let script = "mkdir disc && mount -t tmpfs -o size=64k none disc && echo old > disc/out.epd && echo ready
        \"$0\" -o disc/out.epd; echo status $?; cat disc/out.epd; ls -A disc";
    let folder = program();
    let mut child = Command::new("unshare")
        .args(["--mount", "--map-root-user", "sh", "-c", script, PROGRAM])
        .current_dir(folder.folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let feeder = thread::spawn(move || {
        let _ = input.write_all(GOOD.repeat(10_000).as_bytes());
    });
    let outcome = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    let text = String::from_utf8_lossy(&outcome.stdout);
    if !text.starts_with("ready") {
        eprintln!("no disc can be made here: {}", String::from_utf8_lossy(&outcome.stderr));
        return;
    }
    assert_eq!(text, "ready\nstatus 2\nold\nout.epd\n");
    let said = String::from_utf8_lossy(&outcome.stderr);
    let message = "pgn2epd: the output cannot be written: No space left on device (os error 28)\n";
    assert_eq!(said, message);
}

#[test]
fn endless_lines_and_nesting_cost_time_and_no_memory() {
    const LEN: usize = 16 << 20;
    let texts: [(&str, &[u8]); 8] = [
        ("1. e4 ", b"("),
        ("1. e4 ", b"(1. d4 "),
        ("1. e4 ", b"{"),
        ("1. e4 ", b"e5 "),
        ("1. e4 ", b"\0"),
        ("[Event \"", b"x"),
        ("", b"[Event \"x\"]"),
        ("1. e4 * ", b")"),
    ];
    for (start, repeated) in texts {
        let mut child = Command::new("sh")
            .args(["-c", "ulimit -v 100000; exec \"$0\" \"$@\"", PROGRAM])
            .args([
                "-q",
                "-j",
                "1",
                "--max-game-bytes",
                "1M",
                "--ops",
                "sm",
                "--registers",
                "off",
                "--variations",
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let text = [start.as_bytes(), &repeated.repeat(LEN / repeated.len())].concat();
        let feeder = thread::spawn(move || {
            let _ = input.write_all(&text);
        });
        let outcome = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        let what = repeated.escape_ascii();
        let said = String::from_utf8_lossy(&outcome.stderr);
        assert!(matches!(outcome.status.code(), Some(0 | 1)), "{what}: {said}");
        assert_eq!(said, "", "{what}");
    }
}
