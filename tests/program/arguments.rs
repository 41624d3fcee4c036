//! Wrong arguments: the messages name the error and the correct usage.

use super::{GOOD, assert_failed};
use crate::support::program;

#[track_caller]
fn complaint(args: &[&str]) -> String {
    let outcome = program().args(args).stdin(GOOD).run();
    assert_failed(&outcome);
    outcome.stderr.lines().next().unwrap().to_owned()
}

#[test]
fn options_have_short_forms() {
    for (given, meant) in [
        (&["-f", "fen", "-n", "2"][..], &["--format", "fen", "--limit", "2"][..]),
        (&["--unique=first"], &["--unique"]),
    ] {
        let [given, meant] = [given, meant].map(|args| program().args(args).stdin(GOOD).run());
        assert_eq!((given.status, &*given.stderr), (0, ""));
        assert_eq!(given.text(), meant.text());
    }
    // The value of --unique is never the name of a file.
    let outcome = program().file("first", GOOD).args(["--unique", "first"]).run();
    assert_eq!((outcome.status, outcome.lines().is_empty()), (0, false));
}

#[test]
fn an_invalid_value_gets_the_valid_ones() {
    insta::assert_snapshot!(complaint(&["--ply", "x"]), @r#"error: invalid value 'x' for '--ply <FIRST..LAST>': "x" is not a number of plies; write FIRST..LAST, such as 8..24, or only one side, such as 8.. or ..24"#);
    insta::assert_snapshot!(complaint(&["--ply", "9..3"]), @"error: invalid value '9..3' for '--ply <FIRST..LAST>': no ply is both 9 or later and 3 or earlier; write 3..9");
    insta::assert_snapshot!(complaint(&["--ply", "-3"]), @r#"error: invalid value '-3' for '--ply <FIRST..LAST>': "-3" is not a number of plies; write FIRST..LAST, such as 8..24, or only one side, such as 8.. or ..24"#);
    insta::assert_snapshot!(complaint(&["--ops", "fmvn;sm"]), @r#"error: invalid value 'fmvn;sm' for '--ops <LIST>': unknown operation "fmvn;sm"; choose from Rav,acd,acn,acs,c,ce,dm,draw_claim,eco,fmvn,hmvc,nic,pv,rc,resign,sm,v, separated by commas, or none"#);
    insta::assert_snapshot!(complaint(&["--max-game-bytes", "0"]), @"error: invalid value '0' for '--max-game-bytes <SIZE>': write a number of bytes above 0, with K, M or G for larger units, such as 64M");
}

#[test]
fn an_unknown_name_gets_the_known_ones() {
    let cases = [
        (
            "--format",
            "epd, fen, perl, crafty, c9, bracket, bullet, c-chess-cli, plain, viriformat, binpack, bulletformat, marlinformat, pgn, csv, jsonl, arrow, parquet",
        ),
        ("--ep", "always, pseudo, legal"),
        ("--castling", "xfen, shredder, standard"),
        ("--on-error", "keep, skip, stop"),
    ];
    for (option, names) in cases {
        let outcome = program().args([option, "nonsense"]).run();
        assert_failed(&outcome);
        assert!(outcome.stderr.contains(&format!("[possible values: {names}]")), "{option}");
    }
}

#[test]
fn a_misspelled_option_gets_a_suggestion() {
    let outcome = program().args(["--fromat", "epd"]).run();
    assert_failed(&outcome);
    assert!(outcome.stderr.contains("a similar argument exists: '--format'"));
}

#[test]
fn contradictory_options_are_refused() {
    insta::assert_snapshot!(complaint(&["-q", "--progress"]), @"error: the argument '--quiet' cannot be used with '--progress'");
}

#[test]
fn zero_jobs_are_refused() {
    for jobs in ["0", "two"] {
        let complaint = complaint(&["-j", jobs]);
        assert!(
            complaint.contains("for '--jobs <N>': write a number of threads, 1 or more"),
            "{complaint}"
        );
    }
}

#[test]
fn a_missing_folder_is_reported_with_the_given_name() {
    let outcome = program().args(["-o", "nowhere/out.epd"]).stdin(GOOD).run();
    assert_failed(&outcome);
    assert!(
        outcome.stderr.starts_with("pgn2epd: cannot write nowhere/out.epd: "),
        "{}",
        outcome.stderr
    );
    assert!(!outcome.stderr.contains("tmp"), "{}", outcome.stderr);
}

#[test]
fn wrong_arguments_touch_no_file() {
    let outcome = program().file("out.epd", "old").args(["-o", "out.epd", "--ply", "x"]).run();
    assert_failed(&outcome);
    assert_eq!(outcome.file("out.epd").unwrap(), b"old");
}

#[test]
fn the_version_is_that_of_the_package() {
    let outcome = program().arg("-V").run();
    assert_eq!(outcome.status, 0);
    assert_eq!(outcome.text(), concat!("pgn2epd ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn the_long_version_names_commit_features_and_target() {
    let outcome = program().arg("--version").run();
    assert_eq!(outcome.status, 0);
    let lines: Vec<&str> = outcome.text().lines().collect();
    assert_eq!(lines[0], concat!("pgn2epd ", env!("CARGO_PKG_VERSION")));
    let commit = lines[1].strip_prefix("commit: ").unwrap();
    let is_hash = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(is_hash || commit == "unknown", "{commit}");
    let all = [
        ("7z", cfg!(feature = "7z")),
        ("arrow", cfg!(feature = "arrow")),
        ("bzip2", cfg!(feature = "bzip2")),
        ("gzip", cfg!(feature = "gzip")),
        ("mimalloc", cfg!(feature = "mimalloc")),
        ("png", cfg!(feature = "png")),
        ("serve", cfg!(feature = "serve")),
        ("xz", cfg!(feature = "xz")),
        ("zip", cfg!(feature = "zip")),
        ("zstd", cfg!(feature = "zstd")),
    ];
    let present = all.iter().filter(|(_, is_present)| *is_present).map(|(name, _)| *name);
    let present = present.collect::<Vec<_>>().join(" ");
    let present = if present.is_empty() { "none" } else { &present };
    assert_eq!(lines[2], format!("features: {present}"));
    let manifest = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    let manifest: toml::Table = manifest.unwrap().parse().unwrap();
    let declared = manifest["features"].as_table().unwrap().keys();
    let groups = ["compression", "default", "full"];
    let mut declared: Vec<_> = declared.filter(|name| !groups.contains(&name.as_str())).collect();
    declared.sort();
    assert_eq!(declared, all.map(|(name, _)| name));
    assert!(lines[3].strip_prefix("target: ").unwrap().contains(std::env::consts::ARCH));
    assert_eq!(lines.len(), 4);
}

#[test]
fn a_misspelled_command_is_told_the_command() {
    for (args, expected) in [
        (
            &["chek", "a.pgn"][..],
            "chek is neither a command nor a file: did you mean `pgn2epd check`?",
        ),
        (&["convert", "a.pgn"], "convert is neither a command nor a file: did you mean `pgn2epd`?"),
        (
            &["version"],
            "version is neither a command nor a file: did you mean `pgn2epd --version`?",
        ),
    ] {
        let outcome = program().file("a.pgn", GOOD).args(args).run();
        assert_failed(&outcome);
        assert_eq!(outcome.stderr, format!("pgn2epd: {expected}\n"));
    }
    // A file of that name is a file.
    let outcome = program().file("chek", GOOD).arg("chek").run();
    assert_eq!((outcome.status, outcome.lines().len()), (0, 3));
}

#[test]
fn an_option_without_effect_is_refused() {
    for (args, expected) in [
        (
            "--registers full --format fen a.pgn",
            "--registers is for records with c0-c9, v0-v9, eco or nic",
        ),
        ("--blank-line --format csv a.pgn", "--blank-line is for records, FENs and labels"),
        ("--comments split --ops none a.pgn", "--comments is for records with comments"),
        ("--csv-safe a.pgn", "--csv-safe is for format csv"),
        ("show a.pgn --width 100 -o w.svg", "--width is for PNG pictures"),
        ("show a.pgn --width 100", "--width is for PNG pictures"),
        ("show a.pgn --theme dark", "--theme is for SVG and PNG pictures and HTML pages"),
    ] {
        let outcome = program().file("a.pgn", GOOD).args(args.split(' ')).run();
        assert_failed(&outcome);
        assert_eq!(outcome.stderr, format!("pgn2epd: {expected}\n"), "{args}");
    }
}
