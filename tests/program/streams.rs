//! Full or closed streams, and files that cannot be replaced.

use std::fs;
use std::io;
use std::process::{Command, Output, Stdio};

use testkit::program::Program;

use super::{BAD, GOOD, RECORDS};
use crate::support::{PROGRAM, program, skip_unprivileged};

/// An invalid EPD line.
const FAULTY: &str = "nonsense\n";

/// A pipe whose reading end is closed.
fn closed_pipe() -> Stdio {
    let (_, writer) = io::pipe().unwrap();
    writer.into()
}

/// A device on which no space is left.
fn full() -> Stdio {
    fs::File::options().write(true).open("/dev/full").unwrap().into()
}

/// A folder with games and records that have errors.
fn folder() -> Program {
    let records = [RECORDS, FAULTY].concat();
    program().file("bad.pgn", BAD).file("a.pgn", GOOD).file("bad.epd", records)
}

/// Runs the program in a shell, with redirections.
fn run(folder: &Program, args: &str, stdout: Stdio, stderr: Stdio) -> Output {
    let script = format!("pgn2epd() {{ \"$0\" \"$@\"; }}; pgn2epd {args}");
    Command::new("sh")
        .args(["-c", &script, PROGRAM])
        .current_dir(folder.folder())
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(stderr)
        .spawn()
        .unwrap()
        .wait_with_output()
        .unwrap()
}

/// The messages of a run that ends with this status.
#[track_caller]
fn messages(folder: &Program, args: &str, stdout: Stdio, status: i32) -> String {
    let outcome = run(folder, args, stdout, Stdio::piped());
    let stderr = String::from_utf8(outcome.stderr).unwrap();
    assert_eq!(outcome.status.code(), Some(status), "{args}: {stderr}");
    stderr
}

#[test]
fn unwritable_messages_do_not_change_the_result() {
    let cases = [
        "bad.pgn -o out",
        "bad.pgn -o out --progress --summary text",
        "bad.pgn -o out --summary json",
        "bad.pgn",
        "check --fix bad.epd -o out",
        "check --fix bad.epd",
        "check bad.epd",
        "name bad.pgn -o out",
        "book bad.pgn -o out --progress",
        "show bad.pgn -o out",
        "show bad.epd",
        "nowhere.pgn -o out",
        "a.pgn nowhere.pgn",
        "--nonsense",
        "--where nonsense",
    ];
    for args in cases {
        let wanted = folder();
        let expected = run(&wanted, args, Stdio::piped(), Stdio::piped());
        assert!(!expected.stderr.is_empty(), "{args}");
        let out = |folder: &Program| fs::read(folder.folder().join("out")).ok();
        for stderr in [full(), closed_pipe()] {
            let folder = folder();
            let outcome = run(&folder, args, Stdio::piped(), stderr);
            assert_eq!(outcome.status, expected.status, "{args}");
            assert!(outcome.stdout == expected.stdout, "{args}");
            assert!(out(&folder) == out(&wanted), "{args}");
        }
    }
}

/// The records do not depend on the outputs of a report and of rejected lines.
#[test]
fn another_output_that_cannot_be_written_does_not_lose_the_records() {
    let records = RECORDS.lines().count();
    for (many, args, other, lines) in [
        (1, "bad.pgn -o out --report /dev/fd/3 3>&1 >rest", "/dev/fd/3", 4),
        (1, "bad.pgn --report /dev/fd/3 3>&1 >out", "/dev/fd/3", 4),
        (1, "book bad.pgn -o out --report /dev/fd/3 3>&1 >rest", "/dev/fd/3", 3),
        (1, "bad.pgn -o out --report /dev/full 3>&1 >rest", "/dev/full", 4),
        (1, "book bad.pgn -o out --report /dev/full 3>&1 >rest", "/dev/full", 3),
        (1, "check -q --fix bad.epd -o out --rejects /dev/full", "/dev/full", records),
        (20_000, "check -q --fix bad.epd -o out --rejects /dev/full", "/dev/full", records),
        (1, "check -q --fix bad.epd -o out --rejects /dev/fd/3 3>&1 >rest", "/dev/fd/3", records),
        (
            20_000,
            "check -q --fix bad.epd -o out --rejects /dev/fd/3 3>&1 >rest",
            "/dev/fd/3",
            records,
        ),
    ] {
        let folder = folder().file("bad.epd", [&FAULTY.repeat(many), RECORDS].concat());
        let stderr = messages(&folder, args, closed_pipe(), 2);
        let message = format!("pgn2epd: cannot write {other}: ");
        assert_eq!(stderr.matches(&message).count(), 1, "{args}: {stderr}");
        let out = fs::read_to_string(folder.folder().join("out")).unwrap();
        assert_eq!(out.lines().count(), lines, "{args}: {out}");
    }
}

#[test]
fn unprintable_faults_do_not_lose_the_records() {
    for (stdout, status) in [(closed_pipe(), 1), (full(), 2)] {
        let folder = folder();
        let stderr = messages(&folder, "check --fix bad.epd bad.epd -o out", stdout, status);
        let message = "pgn2epd: cannot write standard output: No space left on device";
        assert_eq!(stderr.contains(message), status == 2, "{stderr}");
        let out = fs::read_to_string(folder.folder().join("out")).unwrap();
        assert_eq!(out.lines().count(), 2 * RECORDS.lines().count());
    }
}

/// Closing standard output, as `| head` does, is not an error; closing another output is.
#[test]
fn only_the_closing_of_standard_output_is_quiet() {
    let cases = [
        ("a.pgn", 0),
        ("bad.pgn -q", 0),
        ("a.pgn -o -", 0),
        ("a.pgn -o /dev/stdout", 0),
        ("check bad.epd", 0),
        ("check --fix bad.epd -q", 0),
        ("check --stats a.pgn -q", 0),
        ("name a.pgn", 0),
        ("book a.pgn", 0),
        #[cfg(feature = "arrow")]
        ("book -q --format arrow a.pgn", 0),
        ("book show a.pgn", 0),
        ("show a.pgn", 0),
        ("splits a.pgn", 0),
        ("man", 0),
        ("completions bash", 0),
        ("--help", 0),
        ("--version", 0),
        ("a.pgn -o /dev/fd/3 3>&1 >rest", 2),
        ("check --fix bad.epd -q -o /dev/fd/3 3>&1 >rest", 2),
        ("name a.pgn -o /dev/fd/3 3>&1 >rest", 2),
        ("book a.pgn -o /dev/fd/3 3>&1 >rest", 2),
        ("show a.pgn -o /dev/fd/3 3>&1 >rest", 2),
    ];
    for (args, status) in cases {
        let stderr = messages(&folder(), args, closed_pipe(), status);
        let message = "pgn2epd: cannot write /dev/fd/3: Broken pipe (os error 32)\n";
        assert_eq!(stderr, if status == 0 { "" } else { message }, "{args}");
    }
}

#[test]
fn a_full_standard_output_is_an_error_of_every_command() {
    let cases = [
        "a.pgn",
        "check bad.epd",
        "check --fix bad.epd -q",
        "check --stats bad.epd -q",
        "name a.pgn",
        "book a.pgn",
        "book show a.pgn",
        "diff a.pgn bad.pgn",
        "join a.pgn --with bad.epd",
        "show a.pgn",
        "splits a.pgn",
        "man",
        "completions bash",
        "--help",
        "-h",
        "--version",
        "book --help",
    ];
    for args in cases {
        let stderr = messages(&folder(), args, full(), 2);
        let message =
            "pgn2epd: cannot write standard output: No space left on device (os error 28)\n";
        assert!(stderr.ends_with(message), "{args}: {stderr}");
    }
}

/// Runs a script as root of a private mount namespace; `None` if the system does not allow that.
fn in_own_mounts(script: &str) -> Option<(Program, String)> {
    let folder = folder();
    let outcome = Command::new("unshare")
        .args(["--mount", "--map-root-user", "sh", "-c", script, PROGRAM])
        .current_dir(folder.folder())
        .output();
    // The program `unshare` may be missing.
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => {
            skip_unprivileged(&format!("no mounts: {error}"));
            return None;
        }
    };
    let text = String::from_utf8(outcome.stdout).unwrap();
    if !text.starts_with("ready") {
        skip_unprivileged(&format!("no mounts: {}", String::from_utf8_lossy(&outcome.stderr)));
        return None;
    }
    Some((folder, text))
}

#[test]
fn a_file_that_is_a_mount_point_is_overwritten_once_the_result_is_complete() {
    let script = "echo old-and-longer-than-nothing > out; echo > place; mount --bind out place && echo ready
        \"$0\" nowhere.pgn -o place 2> rest; cat place; \"$0\" a.pgn -o place; echo $?; umount place; ls -A";
    if let Some((folder, text)) = in_own_mounts(script) {
        let rest = "a.pgn\nbad.epd\nbad.pgn\nout\nplace\nrest\n";
        assert_eq!(text, format!("ready\nold-and-longer-than-nothing\n0\n{rest}"));
        assert_eq!(fs::read_to_string(folder.folder().join("out")).unwrap(), RECORDS);
    }
}

/// A file system of 64 KB.
#[test]
fn a_full_disk_leaves_only_the_old_file() {
    let script = "mkdir disc && mount -t tmpfs -o size=64k none disc && echo old > disc/out.epd && echo ready
        yes '1. e4 e5 *' | head -n 10000 | \"$0\" -o disc/out.epd 2>&1; echo status $?; cat disc/out.epd; ls -A disc";
    if let Some((_, text)) = in_own_mounts(script) {
        let message = "pgn2epd: cannot write disc/out.epd: No space left on device (os error 28)";
        assert_eq!(text, format!("ready\n{message}\nstatus 2\nold\nout.epd\n"));
    }
}

/// A long run also fails before it reads anything.
#[test]
fn a_file_that_cannot_be_changed_is_an_error_at_the_start() {
    let folder = folder();
    let out = folder.folder().join("out");
    fs::write(&out, "old\n").unwrap();
    let set = |attribute: &str| {
        let set = Command::new("chattr").arg(attribute).arg(&out).output();
        set.is_ok_and(|output| output.status.success())
    };
    if !set("+i") {
        return skip_unprivileged("no file can be made immutable");
    }
    let outcome = run(&folder, "bad.pgn -o out", Stdio::piped(), Stdio::piped());
    assert!(set("-i"));
    let stderr = String::from_utf8(outcome.stderr).unwrap();
    assert_eq!(stderr, "pgn2epd: cannot write out: Operation not permitted (os error 1)\n");
    assert_eq!((outcome.status.code(), fs::read(&out).unwrap()), (Some(2), b"old\n".to_vec()));
}
