//! Errors outside of the games: disks, pipes, signals, other programs. The tests cause real errors.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use testkit::program::{Outcome, Program, names};

use super::{GOOD, RECORDS, assert_failed};
use crate::support::{PROGRAM, limited, program, send};

/// Runs the program with a pipe among its inputs. The pipe opens once the program reads it, after all
/// names were checked and all outputs were opened; then something happens before the text arrives.
fn run_with_pipe(
    program: Program,
    name: &str,
    text: &'static str,
    happens: impl FnOnce(&Path) + Send + 'static,
) -> Outcome {
    let folder = program.folder().to_owned();
    let pipe = folder.join(name);
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let feeder = thread::spawn(move || {
        let mut pipe = fs::File::options().write(true).open(pipe).unwrap();
        happens(&folder);
        pipe.write_all(text.as_bytes()).unwrap();
    });
    let outcome = program.run();
    feeder.join().unwrap();
    outcome
}

/// Waits until a condition is true, with a generous timeout.
#[track_caller]
fn wait_until(what: &str, has_happened: impl Fn() -> bool) {
    let began = Instant::now();
    while !has_happened() {
        assert!(began.elapsed() < Duration::from_secs(600), "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A run that reads from an open pipe and writes `out.epd` through a hidden file. It does not ignore
/// signals, even if these tests are run by `nohup`.
fn run_from_pipe(folder: &Path) -> Child {
    let child = Command::new("env")
        .args(["--default-signal", PROGRAM, "-o", "out.epd"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("a temporary file", || names(folder).iter().any(|name| name.starts_with('.')));
    child
}

#[test]
fn a_run_ended_by_a_signal_leaves_the_old_file_and_a_hidden_one_if_it_is_killed() {
    for (signal, hidden) in [("INT", 0), ("TERM", 0), ("HUP", 0), ("KILL", 1), ("QUIT", 1)] {
        let program = program().file("out.epd", "old\n");
        let folder = program.folder().to_owned();
        let mut ended = run_from_pipe(&folder);
        assert!(send(signal, &ended));
        assert!(!ended.wait().unwrap().success(), "{signal}");
        let (left, rest): (Vec<_>, Vec<_>) =
            names(&folder).into_iter().partition(|name| name.starts_with(".pgn2epd-"));
        assert_eq!((rest, left.len()), (vec!["out.epd".to_owned()], hidden), "{signal}");
        assert_eq!(fs::read(folder.join("out.epd")).unwrap(), b"old\n");
    }
}

#[test]
fn a_run_that_ignores_a_signal_continues() {
    let program = program();
    let folder = program.folder().to_owned();
    let script = "trap '' HUP INT; exec \"$0\" -o out.epd";
    let mut running = Command::new("sh")
        .args(["-c", script, PROGRAM])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = running.stdin.take().unwrap();
    input.write_all(&GOOD.repeat(100_000).into_bytes()).unwrap();
    for signal in ["HUP", "INT"] {
        assert!(send(signal, &running));
    }
    drop(input);
    assert!(running.wait().unwrap().success());
    assert_eq!(names(&folder), ["out.epd"]);
}

#[test]
fn a_vanished_file_does_not_affect_the_others() {
    let program = program().file("b.pgn", GOOD).file("c.pgn", GOOD);
    let program = program.args(["a.pgn", "b.pgn", "c.pgn"]);
    let outcome = run_with_pipe(program, "a.pgn", GOOD, |folder| {
        fs::remove_file(folder.join("b.pgn")).unwrap();
    });
    assert_eq!((outcome.status, outcome.text()), (2, &*RECORDS.repeat(2)));
    let message = "pgn2epd: cannot read b.pgn: No such file or directory (os error 2)\n";
    assert_eq!(outcome.stderr, message);
}

#[test]
fn records_that_cannot_get_their_name_do_not_affect_rejected_lines() {
    let args = ["check", "--fix", "-q", "a.epd", "-o", "out.epd", "--rejects", "r.epd"];
    let records = "4k3/8/8/8/8/8/8/4K3 w - -\nno record\n";
    let outcome = run_with_pipe(program().args(args), "a.epd", records, |folder| {
        fs::create_dir_all(folder.join("out.epd/full")).unwrap();
    });
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.contains("(the result is in "), "{}", outcome.stderr);
    assert_eq!(outcome.names(), ["a.epd", "out.epd", "out.epd.new", "r.epd"]);
    assert_eq!(outcome.file("r.epd").unwrap(), b"no record\n");
}

#[test]
fn an_unreadable_file_does_not_affect_the_others() {
    // The first page is not mapped, so reading it fails.
    let unreadable = "/proc/self/mem";
    let outcome =
        program().file("a.pgn", GOOD).args(["-o", "out.epd", "a.pgn", unreadable, "a.pgn"]).run();
    assert_failed(&outcome);
    let message = "pgn2epd: cannot read /proc/self/mem: Input/output error (os error 5)\n";
    assert_eq!(outcome.stderr, message);
    assert_eq!(outcome.file("out.epd").unwrap(), RECORDS.repeat(2).as_bytes());
}

#[test]
fn a_read_error_in_a_file_keeps_its_complete_games() {
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
                let options = pgn2epd::Options::default()
                    .jobs(crate::support::jobs(jobs))
                    .chunk_bytes(chunk_bytes);
                let mut records = Vec::new();
                let outcome = pgn2epd::convert(Torn(text), &mut records, &options);
                assert!(matches!(outcome, Err(pgn2epd::ConvertError::Read(_))));
                let lines = records.iter().filter(|byte| **byte == b'\n').count();
                assert_eq!(lines, positions, "{}", text.escape_ascii());
            }
        }
    }
}

#[test]
#[ignore = "slow: CI_FULL=1 runs it"]
fn endless_lines_and_nesting_use_bounded_memory() {
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
        let options = "-q -j 1 --max-game-bytes 1M --ops sm --registers off --variations";
        let text = [start.as_bytes(), &repeated.repeat(LEN / repeated.len())].concat();
        let outcome = limited(100_000).args(options.split(' ')).stdin(text).run();
        let what = repeated.escape_ascii();
        assert_eq!(outcome.stderr, "", "{what}");
        assert!(matches!(outcome.status, 0 | 1), "{what}: {}", outcome.status);
    }
}

#[test]
fn a_manifest_has_the_inputs_as_they_were_read() {
    use sha2::Digest;
    let program = program().file("a.pgn", GOOD).file("new", "1. d4 *\n");
    let program = program.args(["a.pgn", "b.pgn", "-o", "x.epd", "--manifest", "m.json"]);
    let outcome = run_with_pipe(program, "b.pgn", GOOD, |folder| {
        fs::rename(folder.join("new"), folder.join("a.pgn")).unwrap();
    });
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
    let manifest: serde_json::Value = outcome.string("m.json").parse().unwrap();
    let sha256: String =
        sha2::Sha256::digest(GOOD).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(manifest["inputs"][0]["sha256"], sha256);
    assert_eq!(manifest["inputs"][0]["bytes"], GOOD.len());
    assert_eq!(outcome.file("a.pgn").unwrap(), b"1. d4 *\n");
}
