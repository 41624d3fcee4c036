//! Limits that prevent hostile or wrong inputs from using all memory or all threads.

use std::io::Write;
use std::process::{Command, Stdio};

use testkit::pack;

use super::{GOOD, assert_failed};
use crate::support::program;

#[test]
fn show_holds_one_game_in_memory() {
    // 700 MB of spaces before the game.
    let blanks = pack::zstd(&vec![b' '; 50_000_000]);
    let bomb = [blanks.repeat(14), pack::zstd(GOOD.as_bytes())].concat();
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v 600000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_pgn2epd")])
        .args(["show", "--format", "ascii", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&bomb).unwrap();
    let outcome = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert!(outcome.status.success(), "{said}");
    assert!(String::from_utf8_lossy(&outcome.stdout).contains("1... e5"));
}

#[test]
fn an_endless_opening_table_is_refused() {
    let outcome = program().args(["--openings", "/dev/zero"]).stdin(GOOD).run();
    assert_failed(&outcome);
    assert_eq!(
        outcome.stderr,
        "pgn2epd: cannot read /dev/zero: a table of openings has at most 256 MiB\n"
    );
}

#[test]
fn the_number_of_threads_is_limited() {
    for command in [&["-j", "513"][..], &["check", "-j", "10000"], &["book", "-j", "4294967296"]] {
        let outcome = program().args(command).stdin(GOOD).run();
        assert_failed(&outcome);
        assert!(outcome.stderr.contains("no more than 512 threads are started"), "{command:?}");
    }
    assert_eq!(program().args(["-j", "512"]).stdin(GOOD).run().status, 0);
}
