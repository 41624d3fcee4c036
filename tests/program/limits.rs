//! Limits that prevent hostile or wrong inputs from using all memory or all threads.

use std::io::Write;
use std::process::{Command, Stdio};

use testkit::pack;

use super::{GOOD, assert_failed};
use crate::support::program;

#[test]
fn show_holds_one_game_in_memory() {
    // 350 MB of spaces before the game.
    let blanks = pack::zstd(&vec![b' '; 50_000_000]);
    let bomb = [blanks.repeat(7), pack::zstd(GOOD.as_bytes())].concat();
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v 300000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_pgn2epd")])
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
fn show_holds_one_record_in_memory() {
    // The diagrams would take some 100 MB.
    let record = |number: u32| format!("4k3/8/8/8/8/8/4P3/4K3 w - - id \"{number:06}\"; sm e4;\n");
    let records: String = (1..=100_000).map(record).collect();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.epd"), records).unwrap();
    let outcome = Command::new("sh")
        .args([
            "-c",
            "ulimit -v 100000; \"$0\" show --format ascii a.epd > out; echo $?; tail -n 3 out",
        ])
        .arg(env!("CARGO_BIN_EXE_pgn2epd"))
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&outcome.stderr);
    let text = String::from_utf8_lossy(&outcome.stdout);
    assert!(text.starts_with("0\n") && text.contains("100000"), "{text} {said}");
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
        assert!(outcome.stderr.contains("the maximum is 512 threads"), "{command:?}");
    }
    assert_eq!(program().args(["-j", "512"]).stdin(GOOD).run().status, 0);
}

#[test]
fn games_that_are_held_as_values_have_a_smaller_limit() {
    let table = ["--format", "csv", "-o", "/dev/null", "--columns"];
    let cases: [(&[&str], usize, Option<usize>); 5] = [
        (&["ply"], 5 << 20, Some(4 << 20)),
        (&["ply", "--max-game-bytes", "8M"], 5 << 20, None),
        (&["ply,legal_moves"], 2 << 20, Some(1 << 20)),
        (&["ply"], 2 << 20, None),
        (&[], 5 << 20, Some(4 << 20)),
    ];
    for (args, bytes, limit) in cases {
        let game = format!("{}*\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(bytes / 16));
        let outcome = match args {
            [] => program().args(["show", "--format", "ascii", "-"]).stdin(game).run(),
            _ => program().args(table).args(args).stdin(game).run(),
        };
        let named = |limit| {
            let text = format!("larger than {limit} bytes, the limit for one game: omitted");
            outcome.stderr.contains(&text)
        };
        assert!(limit.map_or(outcome.status == 0, named), "{args:?}: {}", outcome.stderr);
    }
}
