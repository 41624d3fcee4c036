//! Outputs are compressed if their suffix or an option says so.

use testkit::pack::{text_of_gzip, text_of_zstd};
use testkit::shared;

use super::{GOOD, RECORDS};
use crate::support::{fixture, program};

/// The games of a few chunks.
fn games() -> Vec<u8> {
    fixture("classics.pgn").repeat(400)
}

type Reader = fn(&[u8]) -> Vec<u8>;
const SUFFIXES: [(&str, Reader); 3] =
    [("out.epd.zst", text_of_zstd), ("out.epd.gz", text_of_gzip), ("out.epd.BGZ", text_of_gzip)];

#[test]
fn a_compressed_output_has_the_bytes_of_the_plain_one_for_any_selection() {
    let games = games();
    let selections = [
        &[][..],
        &["--unique"],
        &["--limit", "1000", "--skip", "7"],
        &["--sample", "50"],
        &["--format", "perl"],
        &["--format", "bracket", "--conflicts", "mean"],
        &["--chunk-bytes", "3000"],
    ];
    for (number, options) in selections.into_iter().enumerate() {
        let plain = program().args(options).stdin(&games[..]).run();
        assert!(plain.stdout.len() > 1000, "{options:?}");
        // Each selection in one format, unless all are wanted.
        let suffixes = if shared::is_full() { &SUFFIXES[..] } else { &SUFFIXES[number % 3..][..1] };
        for &(name, text) in suffixes {
            let run = |jobs| {
                let output = ["-o", name, "-j", jobs];
                let outcome = program().args(options).args(output).stdin(&games[..]).run_quietly();
                assert_eq!(outcome.names(), [name]);
                outcome.file(name).unwrap()
            };
            let one = run("1");
            assert!(text(&one) == plain.stdout, "{options:?} {name}");
            assert!(one == run("3"), "{options:?} {name}: other bytes with 3 threads");
        }
    }
}

#[test]
fn a_game_of_many_chunks_is_compressed_in_parts() {
    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(30_000);
    let options = ["--names", "off", "--ops", "none", "--chunk-bytes", "20K"];
    let run = |args: &[&str]| program().args(options).args(args).stdin(moves.as_bytes()).run();
    let (plain, packed) = (run(&[]), run(&["--compress", "zstd:1"]));
    assert!(plain.stdout.len() > 4_000_000);
    assert!(text_of_zstd(&packed.stdout) == plain.stdout);
}

#[test]
fn the_option_compresses_standard_output_and_overrides_the_suffix() {
    for (option, text) in
        [("zstd", text_of_zstd as Reader), ("zstd:19", text_of_zstd), ("gzip:1", text_of_gzip)]
    {
        let outcome = program().args(["--compress", option]).stdin(GOOD).run_quietly();
        assert_eq!(text(&outcome.stdout), RECORDS.as_bytes(), "{option}");
    }
    let outcome =
        program().args(["--compress", "gzip", "-o", "a.epd.zst"]).stdin(GOOD).run_quietly();
    assert_eq!(text_of_gzip(&outcome.file("a.epd.zst").unwrap()), RECORDS.as_bytes());
}

#[test]
fn an_output_without_records_is_a_valid_file() {
    for (name, text) in SUFFIXES {
        // Only a part of a larger job is written without records.
        let part = program().file("a.pgn", GOOD).args(["--range", "5:6", "-o", name, "a.pgn"]);
        let outcome = part.succeed();
        assert_eq!(text(&outcome.file(name).unwrap()), b"", "{name}");
    }
}

#[test]
fn other_commands_compress_by_the_suffix_and_read_what_was_written() {
    let epd = program().args(["-o", "a.epd.zst"]).stdin(GOOD).run().file("a.epd.zst").unwrap();
    for (args, output) in [
        (&["check", "--fix", "a.epd.zst", "-o", "b.epd.gz"][..], "b.epd.gz"),
        (&["--games", "openings", "a.pgn", "-o", "b.pgn.gz"], "b.pgn.gz"),
        (&["book", "a.pgn", "--min-games", "1", "-o", "b.epd.gz"], "b.epd.gz"),
        (&["show", "a.pgn", "-o", "b.txt.gz"], "b.txt.gz"),
    ] {
        let with =
            |args: &[&str]| program().file("a.epd.zst", &epd).file("a.pgn", GOOD).args(args).run();
        let packed = with(args);
        assert_eq!(packed.status, 0, "{args:?} {}", packed.stderr);
        let plain_name = output.strip_suffix(".gz").unwrap();
        let plain_args: Vec<&str> =
            args.iter().map(|arg| if *arg == output { plain_name } else { arg }).collect();
        let plain = with(&plain_args).file(plain_name).unwrap();
        assert!(!plain.is_empty(), "{args:?}");
        assert_eq!(text_of_gzip(&packed.file(output).unwrap()), plain, "{args:?}");
    }
}

#[test]
#[allow(clippy::print_stderr)] // prints the reason for skipping
fn other_programs_read_the_files() {
    let games = games();
    let plain = program().stdin(&games[..]).run();
    for (name, command) in [("out.epd.zst", "zstd"), ("out.epd.gz", "gzip")] {
        let outcome = program().args(["-o", name]).stdin(&games[..]).run();
        let path = outcome.folder().join(name);
        match std::process::Command::new(command).arg("-dc").arg(&path).output() {
            Ok(read) => assert!(read.status.success() && read.stdout == plain.stdout, "{command}"),
            Err(error) => eprintln!("skipped: {command}: {error}"),
        }
    }
}

#[test]
fn the_corpus_is_the_same_compressed() {
    for file in shared::corpus_pgn().take(6) {
        let plain = program().args(["-q"]).arg(&file.path).run();
        let packed = program().args(["-q", "--compress", "zstd:1"]).arg(&file.path).run();
        assert!(text_of_zstd(&packed.stdout) == plain.stdout, "{}", file.name);
        assert!(packed.stdout.len() * 4 < plain.stdout.len(), "{}", file.name);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_that_names_the_file() {
    let outcome = program().args(["--compress", "zstd", "-o", "/dev/full"]).stdin(GOOD).run();
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.contains("/dev/full"), "{}", outcome.stderr);
}
