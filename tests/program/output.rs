//! Where records go.

use super::{BAD, GOOD, RECORDS, assert_failed, assert_quiet};
use crate::support::{NULL, program};

#[test]
fn only_the_output_file_is_written() {
    let outcome = program().args(["-o", "out.epd"]).stdin(GOOD).run();
    assert_quiet(&outcome);
    assert_eq!(outcome.text(), "");
    assert_eq!(outcome.file("out.epd").unwrap(), RECORDS.as_bytes());
    assert_eq!(outcome.names(), ["out.epd"]);
}

#[test]
fn a_file_named_fen_has_fens_unless_another_format_is_selected() {
    let fields_of = |args: &[&str], input: &[u8]| {
        let name = args.last().unwrap();
        let outcome = program().args(args).stdin(input).run();
        assert_eq!((outcome.status, &*outcome.stderr), (0, ""), "{args:?}");
        let text = String::from_utf8(outcome.file(name).unwrap()).unwrap();
        text.lines().next().unwrap().split(' ').skip(4).collect::<Vec<_>>().join(" ")
    };
    let pgn = b"[Result \"1-0\"]\n\n1. e4 {+0.20/9} e5 {-0.10/9} 1-0\n";
    let data = program().args(["-o", "a.vf"]).stdin(pgn).run().file("a.vf").unwrap();
    let epd = "4k3/8/8/8/8/8/4P3/4K3 w - - fmvn 39; hmvc 5;\n";
    let cases: [(&[&str], &[u8], &str); 7] = [
        (&["-o", "x.fen"], pgn, "0 1"),
        (&["-o", "x.FEN"], pgn, "0 1"),
        (&["--format", "epd", "--ops", "fmvn", "-o", "x.fen"], pgn, "fmvn 1;"),
        (&["--preset", "tuning", "-o", "x.fen"], pgn, "c9 \"1-0\";"),
        (&["--input", "viriformat", "-o", "x.fen"], &data, "0 1"),
        (&["--input", "viriformat", "--format", "c9", "-o", "x.fen"], &data, "c9 \"1-0\";"),
        (&["-o", "x.fen"], epd.as_bytes(), "5 39"),
    ];
    for (args, input, expected) in cases {
        assert_eq!(fields_of(args, input), expected, "{args:?}");
    }
}

#[test]
fn an_old_file_is_replaced() {
    let outcome =
        program().file("out.epd", "old\n".repeat(1000)).args(["-o", "out.epd"]).stdin(GOOD).run();
    assert_quiet(&outcome);
    assert_eq!(outcome.file("out.epd").unwrap(), RECORDS.as_bytes());
    assert_eq!(outcome.names(), ["out.epd"]);
}

#[test]
fn a_file_may_be_in_another_folder() {
    let outcome = program().file("sub/x", "").args(["--output", "sub/out.epd"]).stdin(GOOD).run();
    assert_quiet(&outcome);
    assert_eq!(outcome.file("sub/out.epd").unwrap(), RECORDS.as_bytes());
    assert_eq!(outcome.names(), ["sub"]);
}

#[test]
fn games_with_errors_are_written() {
    let outcome = program().args(["-o", "out.epd"]).stdin(BAD).run();
    assert_eq!(outcome.status, 1);
    assert_eq!(outcome.file("out.epd").unwrap().split(|b| *b == b'\n').count(), 4 + 1);
}

#[test]
fn an_old_file_stays_whole_when_nothing_could_be_converted() {
    for args in [&["nowhere.pgn"][..], &["b.zst"], &["b.zst", "folder"]] {
        let outcome = program()
            .file("a.pgn", GOOD)
            .file("b.zst", b"\x28\xb5\x2f\xfd")
            .file("out.epd", "old\n")
            .file("folder/x", "")
            .args(["-o", "out.epd"])
            .args(args)
            .run();
        assert_failed(&outcome);
        assert_eq!(outcome.file("out.epd").unwrap(), b"old\n");
        assert_eq!(outcome.names(), ["a.pgn", "b.zst", "folder", "out.epd"]);
    }
}

#[test]
fn no_new_file_is_left_when_the_run_fails() {
    let outcome = program().file("b.gz", b"\x1f\x8b").args(["-o", "out.epd", "b.gz"]).run();
    assert_failed(&outcome);
    assert_eq!(outcome.names(), ["b.gz"]);
}

#[test]
fn an_output_that_cannot_be_opened_is_named() {
    for target in ["nowhere/out.epd", "sub"] {
        let outcome = program().file("sub/x", "").args(["-o", target]).stdin(GOOD).run();
        assert_failed(&outcome);
        let message = format!("pgn2epd: cannot write {target}: ");
        assert!(outcome.stderr.starts_with(&message), "{}", outcome.stderr);
    }
}

#[test]
fn a_dash_as_output_is_standard_output() {
    let outcome = program().args(["-o", "-"]).stdin(GOOD).run();
    assert_quiet(&outcome);
    assert_eq!(outcome.text(), RECORDS);
}

#[cfg(unix)]
mod unix {
    use std::fs::{self, Permissions};
    use std::io::{BufRead, BufReader, Write};
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;
    use std::process::{Command, Stdio};
    use std::thread;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_new_file_has_the_permissions_of_any_new_file() {
        let program = program().file("by_hand", "");
        let folder = program.folder().to_owned();
        let outcome = program.args(["-q", "-o", "out.epd"]).stdin(GOOD).run();
        assert_quiet(&outcome);
        assert_eq!(mode(&folder.join("out.epd")), mode(&folder.join("by_hand")));
    }

    #[test]
    fn an_old_file_keeps_its_permissions() {
        let program = program().file("out.epd", "old");
        let path = program.folder().join("out.epd");
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        let outcome = program.args(["-q", "-o", "out.epd"]).stdin(GOOD).run();
        assert_quiet(&outcome);
        assert_eq!(outcome.file("out.epd").unwrap(), RECORDS.as_bytes());
        assert_eq!(mode(&path), 0o640);
    }

    #[test]
    fn the_target_of_a_symbolic_link_is_replaced() {
        let program = program().file("real.epd", "old");
        let link = program.folder().join("link.epd");
        symlink("real.epd", &link).unwrap();
        let outcome = program.args(["-o", "link.epd"]).stdin(GOOD).run();
        assert_quiet(&outcome);
        assert_eq!(outcome.file("real.epd").unwrap(), RECORDS.as_bytes());
        assert_eq!(outcome.names(), ["link.epd", "real.epd"]);
    }

    #[test]
    fn a_device_is_written_to_and_kept() {
        let outcome = program().args(["-o", "/dev/null"]).stdin(GOOD).run();
        assert_quiet(&outcome);
        assert!(outcome.names().is_empty());
        let outcome = program().args(["-o", "/dev/stdout"]).stdin(GOOD).run();
        assert_quiet(&outcome);
        assert_eq!(outcome.text(), RECORDS);
    }

    #[test]
    fn closing_standard_output_ends_the_run_quietly() {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pgn2epd"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let feeder = thread::spawn(move || {
            let games = GOOD.repeat(10_000);
            while input.write_all(games.as_bytes()).is_ok() {}
        });
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert_eq!(first.lines().next(), RECORDS.lines().next());
        let outcome = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        assert_eq!(outcome.status.code(), Some(0));
        assert_eq!(String::from_utf8_lossy(&outcome.stderr), "");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_one_message_that_names_the_file() {
    let commands: [&[&str]; 6] = [
        &[],
        &["--format", "pgn", "--games", "openings"],
        &["check", "--fix", "--dialect", "epd"],
        &["show", "--format", "svg", "-"],
        &["book"],
        &["book", "--format", "bin"],
    ];
    for command in commands {
        let input = if command.contains(&"check") { RECORDS } else { "1. e4 e5 1-0\n" };
        let outcome = program().args(command).args(["-o", "/dev/full"]).stdin(input).run();
        assert_failed(&outcome);
        assert_eq!(
            outcome.stderr,
            "pgn2epd: cannot write /dev/full: No space left on device (os error 28)\n",
            "{command:?}"
        );
    }
}

#[test]
fn a_suffix_of_another_format_is_refused_with_the_command_that_writes_it() {
    for (args, expected) in [
        (
            "a.pgn -o out.html",
            "out.html is the name of diagrams, but the format is epd; `pgn2epd show`",
        ),
        ("a.pgn -o out.svg.gz", "out.svg.gz is the name of diagrams"),
        ("a.pgn --format fen -o out.DB", "out.DB is the name of a database"),
        ("a.pgn -o out.bin", "out.bin is the name of a Polyglot book"),
        ("a.pgn --format c9 -o out.json", "out.json is the name of a JSON document"),
        ("check --fix a.epd -o x.csv", "the suffix of x.csv is that of csv, but the format is epd"),
        ("check --fix a.epd -o x.pgn", "the suffix of x.pgn is that of pgn, but the format is epd"),
        ("check --fix a.epd -o x.html", "x.html is the name of diagrams, but the format is epd"),
        ("check --fix a.epd -o x.vf", "the suffix of x.vf is that of viriformat"),
        ("check --fix a.epd -o x.fen", "-o x.fen: --fix writes EPD"),
        ("--format epd a.vf -o x.csv", "the suffix of x.csv is that of csv, but the format is epd"),
        ("a.vf -o x.png", "x.png is the name of diagrams, but the format is epd"),
    ] {
        let files = program().file("a.pgn", GOOD).file("a.epd", RECORDS).file("a.vf", "");
        let outcome = files.args(args.split(' ')).run();
        assert_failed(&outcome);
        assert!(outcome.stderr.contains(expected), "{args}: {}", outcome.stderr);
        assert_eq!(outcome.names(), ["a.epd", "a.pgn", "a.vf"], "{args}");
    }
    let pgn = b"[Result \"1-0\"]\n\n1. e4 {+0.20/9} e5 {-0.10/9} 1-0\n";
    let data = program().args(["-o", "a.vf"]).stdin(pgn).run().file("a.vf").unwrap();
    let outcome = program().file("a.vf", data).args(["a.vf", "-o", "x.pgn"]).run();
    assert_quiet(&outcome);
    assert!(outcome.file("x.pgn").unwrap().windows(4).any(|text| text == b"1-0\n"));
}

#[test]
fn the_old_report_is_kept_until_the_new_one_is_complete() {
    let files = || program().file("a.pgn", BAD).file("r.json", "old\n");
    let outcome = files().args(["a.pgn", "--report", "r.json", "-o", "/dev/full"]).run();
    assert_eq!((outcome.status, outcome.file("r.json").unwrap()), (2, b"old\n".to_vec()));
    let outcome = files().args(["a.pgn", "--report", "r.json", "-o", NULL]).run();
    let report = String::from_utf8(outcome.file("r.json").unwrap()).unwrap();
    assert_eq!((outcome.status, report.lines().count()), (1, 1), "{report}");
    assert!(report.contains("illegal"));
}

#[test]
fn a_manifest_that_cannot_be_written_is_noticed_before_any_work() {
    for path in ["nowhere/m.json", "."] {
        let files = program().file("a.pgn", GOOD);
        let outcome = files.args(["a.pgn", "-o", "x.epd", "--manifest", path]).run();
        assert_failed(&outcome);
        let expected = format!("pgn2epd: cannot write {path}: ");
        assert!(outcome.stderr.starts_with(&expected), "{}", outcome.stderr);
        assert_eq!(outcome.names(), ["a.pgn"]);
    }
}
