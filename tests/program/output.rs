//! Outputs of Unix: permissions, links and pipes.

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use super::{GOOD, RECORDS};
use crate::support::program;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_new_file_has_the_permissions_of_any_new_file() {
    let program = program().file("by_hand", "");
    let folder = program.folder().to_owned();
    let _outcome = program.args(["-q", "-o", "out.epd"]).stdin(GOOD).run_quietly();
    assert_eq!(mode(&folder.join("out.epd")), mode(&folder.join("by_hand")));
}

#[test]
fn an_old_file_keeps_its_permissions() {
    let program = program().file("out.epd", "old");
    let path = program.folder().join("out.epd");
    fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    let outcome = program.args(["-q", "-o", "out.epd"]).stdin(GOOD).run_quietly();
    assert_eq!(outcome.file("out.epd").unwrap(), RECORDS.as_bytes());
    assert_eq!(mode(&path), 0o640);
}

#[test]
fn the_target_of_a_symbolic_link_is_replaced() {
    let program = program().file("real.epd", "old");
    let link = program.folder().join("link.epd");
    symlink("real.epd", &link).unwrap();
    let outcome = program.args(["-o", "link.epd"]).stdin(GOOD).run_quietly();
    assert_eq!(outcome.file("real.epd").unwrap(), RECORDS.as_bytes());
    assert_eq!(outcome.names(), ["link.epd", "real.epd"]);
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
