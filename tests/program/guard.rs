//! An output must not be the same file as an input or another output: tests for each command and
//! each of its outputs.

use std::fs;
use std::os::unix::fs::symlink;

use testkit::program::{Outcome, Program};

use super::{GOOD, RECORDS, assert_quiet};
use crate::support::{PROGRAM, program};

/// A folder with games under three names, records, a partial result and other inputs of commands.
fn files(shell: Program) -> Program {
    let part = program().args(["book", "--partial", "-o", "a.part"]).stdin(GOOD).run();
    let shell = shell
        .file("a.pgn", GOOD)
        .file("a.epd", RECORDS)
        .file("b-1.svg", RECORDS)
        .file("b.epd.json", GOOD)
        .file("a.part", part.file("a.part").unwrap())
        .file("copy.part.json", part.file("a.part").unwrap());
    let path = |name: &str| shell.folder().join(name);
    fs::hard_link(path("a.pgn"), path("hard.pgn")).unwrap();
    symlink("a.pgn", path("soft.pgn")).unwrap();
    symlink("new", path("to_new")).unwrap();
    shell
}

/// All files of a folder.
fn contents(outcome: &Outcome) -> Vec<(String, Option<Vec<u8>>)> {
    outcome.names().into_iter().map(|name| (name.clone(), outcome.file(&name))).collect()
}

/// Runs the program in a shell, with redirections.
fn run(args: &str) -> Outcome {
    let script = format!("pgn2epd() {{ \"$0\" \"$@\"; }}; pgn2epd {args}");
    files(Program::new("/bin/sh")).args(["-c", &script, PROGRAM]).run()
}

#[track_caller]
fn is_refused(args: &str, message: &str) {
    let untouched = contents(&files(Program::new("/bin/true")).run());
    let outcome = run(args);
    assert_eq!(outcome.status, 2, "{args}: {}", outcome.stderr);
    assert_eq!(outcome.stderr, format!("pgn2epd: {message}\n"), "{args}");
    assert_eq!(outcome.text(), "", "{args}");
    assert!(contents(&outcome) == untouched, "{args}");
}

#[test]
fn an_output_is_not_an_input() {
    // The arguments, the refused output, and the input that is the same file.
    let cases = [
        ("a.pgn -o a.pgn", "-o a.pgn", "a.pgn"),
        ("a.pgn -o ./hard.pgn", "-o ./hard.pgn", "a.pgn"),
        ("a.pgn -o soft.pgn", "-o soft.pgn", "a.pgn"),
        ("soft.pgn -o a.pgn", "-o a.pgn", "soft.pgn"),
        ("a.epd a.pgn -o hard.pgn", "-o hard.pgn", "a.pgn"),
        ("-o a.pgn < a.pgn", "-o a.pgn", "standard input"),
        ("- -o a.pgn < hard.pgn", "-o a.pgn", "standard input"),
        ("a.pgn >> a.pgn", "standard output", "a.pgn"),
        ("a.pgn -o - >> hard.pgn", "standard output", "a.pgn"),
        ("a.pgn -o /dev/stdout >> a.pgn", "standard output", "a.pgn"),
        ("< a.pgn >> a.pgn", "standard output", "standard input"),
        ("a.pgn --report a.pgn -o new", "--report a.pgn", "a.pgn"),
        ("a.pgn --report hard.pgn", "--report hard.pgn", "a.pgn"),
        ("--report a.pgn < a.pgn", "--report a.pgn", "standard input"),
        ("a.pgn --openings a.epd -o a.epd", "-o a.epd", "a.epd"),
        ("a.pgn --openings a.epd --report a.epd", "--report a.epd", "a.epd"),
        ("check --fix a.epd -o a.epd", "-o a.epd", "a.epd"),
        ("check --fix a.pgn -o a.pgn", "-o a.pgn", "a.pgn"),
        ("check --fix -o a.epd < a.epd", "-o a.epd", "standard input"),
        ("check --fix a.epd -o new --rejects a.epd", "--rejects a.epd", "a.epd"),
        ("check --fix --rejects hard.pgn a.pgn", "--rejects hard.pgn", "a.pgn"),
        ("check --fix a.epd >> a.epd", "standard output", "a.epd"),
        ("check a.pgn >> a.pgn", "standard output", "a.pgn"),
        ("check --stats a.epd >> a.epd", "standard output", "a.epd"),
        ("check --fix a.epd -o new >> a.epd", "standard output", "a.epd"),
        ("--games openings a.pgn --openings a.tsv -o hard.pgn", "-o hard.pgn", "a.pgn"),
        ("book a.pgn -o a.pgn", "-o a.pgn", "a.pgn"),
        ("book a.pgn >> a.pgn", "standard output", "a.pgn"),
        ("book a.pgn --report a.pgn -o new", "--report a.pgn", "a.pgn"),
        ("book b.epd.json --metadata -o b.epd", "--metadata b.epd.json", "b.epd.json"),
        ("book merge a.part --format epd -o a.part", "-o a.part", "a.part"),
        ("book merge a.part >> a.part", "standard output", "a.part"),
        (
            "book merge copy.part.json --format epd --metadata -o copy.part",
            "--metadata copy.part.json",
            "copy.part.json",
        ),
        ("book show a.part >> a.part", "standard output", "a.part"),
        ("diff a.pgn b.epd.json >> b.epd.json", "standard output", "b.epd.json"),
        ("diff a.pgn b.epd.json >> hard.pgn", "standard output", "a.pgn"),
        ("join a.pgn --with b.epd.json -o a.pgn", "-o a.pgn", "a.pgn"),
        ("join a.pgn --with b.epd.json -o b.epd.json", "-o b.epd.json", "b.epd.json"),
        ("join a.pgn --with b.epd.json >> hard.pgn", "standard output", "a.pgn"),
        ("show a.pgn -f text -o a.pgn", "-o a.pgn", "a.pgn"),
        ("show a.epd -f text -o a.epd", "-o a.epd", "a.epd"),
        ("show a.epd >> a.epd", "standard output", "a.epd"),
        ("show a.epd -f html -o a.epd", "-o a.epd", "a.epd"),
        ("show b-1.svg -o 'b-%n.svg'", "-o b-1.svg", "b-1.svg"),
        ("show - -f text -o a.epd < a.epd", "-o a.epd", "standard input"),
        ("splits a.pgn >> a.pgn", "standard output", "a.pgn"),
    ];
    for (args, output, input) in cases {
        is_refused(args, &format!("{output} is the same file as the input {input}"));
    }
}

#[test]
fn an_output_is_not_another_output() {
    let cases = [
        ("a.pgn -o new --report new", "--report new", "-o new"),
        ("a.pgn -o new --manifest new", "--manifest new", "-o new"),
        ("a.pgn -o new --report ./to_new", "--report ./to_new", "-o new"),
        ("a.pgn --report /dev/stdout", "--report /dev/stdout", "standard output"),
        ("a.pgn -o /dev/stdout --report /dev/fd/1", "--report /dev/fd/1", "standard output"),
        ("book a.pgn -o new --report new", "-o new", "--report new"),
        ("book a.pgn --report /dev/stdout", "standard output", "--report /dev/stdout"),
        ("book a.pgn -o x --report x.json --metadata", "--metadata x.json", "--report x.json"),
        ("check --fix a.epd -o new --rejects new", "--rejects new", "-o new"),
        ("check --fix a.epd --rejects b-1.svg >> b-1.svg", "--rejects b-1.svg", "standard output"),
        ("check --fix a.epd -o b-1.svg >> b-1.svg", "-o b-1.svg", "standard output"),
    ];
    for (args, output, other) in cases {
        is_refused(args, &format!("{output} is the same file as {other}"));
    }
}

/// Each message would become input.
#[test]
fn standard_error_is_not_an_input() {
    for command in ["", "check", "book", "splits", "show"] {
        let outcome = run(&format!("{command} a.pgn 2>> a.pgn"));
        assert_eq!((outcome.status, outcome.text()), (2, ""), "{command}");
        let games = outcome.file("a.pgn").unwrap();
        let added = "pgn2epd: standard error is the same file as the input a.pgn\n";
        assert_eq!(games, format!("{GOOD}{added}").as_bytes(), "{command}");
    }
}

#[test]
fn devices_may_be_input_and_output() {
    for args in ["-q /dev/null -o /dev/null --report /dev/null", "-q -o /dev/null < /dev/null"] {
        let outcome = run(args);
        assert_eq!((outcome.status, &*outcome.stderr), (1, ""), "{args}");
    }
    assert_quiet(&run("a.pgn -o new > log 2>&1"));
}

/// The next program would trust the name of such a file.
#[test]
fn the_name_of_an_output_does_not_promise_a_compression_that_is_not_written() {
    let cases = [
        "a.pgn -o x.epd.xz",
        "a.pgn --report x.XZ",
        "check --fix a.epd -o x.lz4",
        "book a.pgn -o x.bz2",
        "book --partial a.pgn -o x.xz",
        "book merge a.part -o x.zip",
        "show a.epd -f text -o x.7z",
    ];
    for args in cases {
        let (_, output) = args.rsplit_once(" -").unwrap();
        let (_, suffix) = args.rsplit_once('.').unwrap();
        let output = if output.starts_with('o') { format!("-{output}") } else { args[6..].into() };
        let advice = format!(
            "compressed outputs are .zst and .gz files; for .{suffix}, give another name and compress the file afterwards"
        );
        is_refused(args, &format!("{output} would not be compressed: {advice}"));
    }
}

/// A pipe with such a name may lead to a program that compresses.
#[test]
fn a_pipe_may_have_any_name() {
    let script = "mkfifo x.gz; cat x.gz & \"$0\" a.pgn -o x.gz; wait";
    let outcome = files(Program::new("/bin/sh")).args(["-c", script, PROGRAM]).run_quietly();
    assert_eq!(outcome.text(), RECORDS);
}

/// Runs the program in a shell with a file `log`, to which redirections append, and returns its new
/// content.
fn appended(args: &str) -> (Outcome, String) {
    let script = format!(
        "pgn2epd() {{ \"$0\" \"$@\"; }}; printf 'earlier\\n' > log; printf '1. e5 *' > bad.pgn; printf '4k3/8/8/8/8/8/8/4K3 w - -\\nno record\\n' > bad.epd; \
         ln -s /dev/stdout so; ln -s /dev/fd fds; pgn2epd {args}"
    );
    let outcome = files(Program::new("/bin/sh")).args(["-c", &script, PROGRAM]).run();
    let log = outcome.string("log");
    let new = log.strip_prefix("earlier\n").unwrap_or_else(|| panic!("{args}: {log}"));
    (outcome, new.to_owned())
}

#[test]
fn a_descriptor_that_appends_keeps_what_was_there() {
    for args in [
        "a.pgn -o /dev/fd/3 3>>log",
        "a.pgn -o /proc/self/fd/3 3>>log",
        "a.pgn -o /proc/thread-self/fd/3 3>>log",
        "a.pgn -o fds/3 3>>log",
        "a.pgn -o so >>log",
        "a.pgn -o /dev/../dev/stdout >>log",
        "a.pgn -o /proc/thread-self/fd/1 >>log",
        "a.pgn -o /dev/stdout >>log",
        "a.pgn -o /dev/stderr 2>>log",
        "a.pgn -o - >>log",
    ] {
        let (outcome, new) = appended(args);
        assert_eq!((outcome.status, &*new), (0, RECORDS), "{args}: {}", outcome.stderr);
    }
    for (args, expected) in [
        ("bad.pgn -q --report /dev/stderr -o /dev/null 2>>log", "\"kind\""),
        ("bad.pgn -q --report /dev/fd/3 -o /dev/null 3>>log", "\"kind\""),
        ("a.pgn -o new --manifest /dev/stderr 2>>log", "\"sha256\""),
        ("a.pgn -o new --manifest /dev/fd/3 3>>log", "\"sha256\""),
        ("check --fix a.epd -o /dev/fd/3 3>>log", "KQkq"),
        ("check --fix bad.epd -o new --rejects /dev/fd/3 3>>log", "no record"),
        ("book a.pgn -o /dev/fd/3 3>>log", "KQkq"),
        ("show a.pgn --format svg -o /dev/fd/3 3>>log", "<svg"),
        ("show a.pgn -o /dev/fd/3 3>>log", "a  b  c"),
    ] {
        let (outcome, new) = appended(args);
        assert!(new.contains(expected), "{args}: {new:?} {}", outcome.stderr);
    }
}
