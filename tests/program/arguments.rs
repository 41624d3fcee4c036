//! Wrong arguments: what is wrong, and what to write instead.

use super::{GOOD, assert_failed};
use crate::support::program;

#[track_caller]
fn complaint(args: &[&str]) -> String {
    let outcome = program().args(args).stdin(GOOD).run();
    assert_failed(&outcome);
    outcome.stderr.lines().next().unwrap().to_owned()
}

#[test]
fn a_wrong_value_is_told_what_would_be_right() {
    insta::assert_snapshot!(complaint(&["--ply", "x"]), @r#"error: invalid value 'x' for '--ply <FIRST..LAST>': "x" is no number of plies; write FIRST..LAST, as 8..24, or only one side, as 8.. or ..24"#);
    insta::assert_snapshot!(complaint(&["--ply", "9..3"]), @"error: invalid value '9..3' for '--ply <FIRST..LAST>': no ply is both 9 or later and 3 or earlier; write 3..9");
    insta::assert_snapshot!(complaint(&["--ply", "-3"]), @r#"error: invalid value '-3' for '--ply <FIRST..LAST>': "-3" is no number of plies; write FIRST..LAST, as 8..24, or only one side, as 8.. or ..24"#);
    insta::assert_snapshot!(complaint(&["--ops", "fmvn;sm"]), @r#"error: invalid value 'fmvn;sm' for '--ops <LIST>': there is no operation "fmvn;sm" to write; choose of acd,acn,acs,c,ce,dm,draw_claim,eco,fmvn,hmvc,nic,pv,rc,resign,sm,v, with commas between, or none"#);
    insta::assert_snapshot!(complaint(&["--max-game-bytes", "0"]), @"error: invalid value '0' for '--max-game-bytes <SIZE>': write a number of bytes above 0, or one with K, M or G behind it, as 64M");
}

#[test]
fn a_wrong_name_is_told_which_there_are() {
    let cases = [
        ("--format", "epd, fen, perl, crafty, c9, bracket, bullet, csv, plain"),
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
fn a_misspelled_option_is_told_the_right_spelling() {
    let outcome = program().args(["--fromat", "epd"]).run();
    assert_failed(&outcome);
    assert!(outcome.stderr.contains("a similar argument exists: '--format'"));
}

#[test]
fn what_contradicts_itself_is_refused() {
    insta::assert_snapshot!(complaint(&["-q", "--progress"]), @"error: the argument '--quiet' cannot be used with '--progress'");
}

#[test]
fn no_jobs_are_too_few() {
    for jobs in ["0", "two"] {
        let complaint = complaint(&["-j", jobs]);
        assert!(
            complaint.contains("for '--jobs <N>': write a number of threads, 1 or more"),
            "{complaint}"
        );
    }
}

#[test]
fn a_report_does_not_overwrite_what_is_to_be_read() {
    let outcome = program().file("a.pgn", GOOD).args(["--report", "./a.pgn", "a.pgn"]).run();
    assert_failed(&outcome);
    assert_eq!(outcome.stderr, "pgn2epd: --report would overwrite a.pgn, which is to be read\n");
    assert_eq!(outcome.file("a.pgn").unwrap(), GOOD.as_bytes());
}

#[test]
fn a_folder_that_is_not_there_is_said_with_the_name_that_was_given() {
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
    let outcome = program().arg("--version").run();
    assert_eq!(outcome.status, 0);
    assert_eq!(outcome.text(), concat!("pgn2epd ", env!("CARGO_PKG_VERSION"), "\n"));
}
