//! Explorer files: shown, read as a source, refused if damaged.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

use testkit::generate::{Generator, Style};

use super::GAMES;
use crate::support::{PROGRAM, program, run_in};

fn explorer(args: &[&str]) -> Vec<u8> {
    let args = [&["book", "-q", "-o", "x.explorer", "in.pgn"], args].concat();
    let outcome = program().file("in.pgn", GAMES).args(args).run_quietly();
    outcome.file("x.explorer").unwrap()
}

#[test]
fn a_position_is_shown_as_from_the_games() {
    for moves in ["", "e4", "e4 e5 Nf3 Nc6", "Nf3 Nc6", "Nf3 Nf6 Ng1 Ng8", "a3 a6"] {
        let shown = |file: &str, bytes: &[u8]| {
            let args = ["book", "show", file, "--moves", moves];
            program().file(file, bytes).args(args).run_quietly().text().to_owned()
        };
        // The same width of names.
        let games = shown("in.pgn", GAMES.as_bytes());
        assert_eq!(shown("x.explorer", &explorer(&[])), games, "{moves}");
    }
}

#[test]
fn a_file_is_counted_again_with_its_numbers_of_games() {
    let games = program().args(["book", "-q", "--order", "key"]).stdin(GAMES).run();
    let counts = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split_once(';').unwrap().0.to_owned()).collect()
    };
    for (args, name) in [(&[][..], "x.explorer"), (&["--partial"], "x.part")] {
        let written = program().args(["book", "-q", "-o", name]).args(args).stdin(GAMES).run();
        let again = program()
            .file(name, written.file(name).unwrap())
            .args(["book", "-q", "--order", "key", name])
            .run();
        assert_eq!(counts(again.text()), counts(games.text()), "{name}");
    }
}

#[test]
fn a_damaged_file_is_one_message() {
    let mut bytes = explorer(&[]);
    bytes[30] ^= 1;
    for args in [&["book", "show", "x.explorer"][..], &["-q", "x.explorer"]] {
        let outcome = program().file("x.explorer", &bytes).args(args).run();
        assert_ne!(outcome.status, 0);
        let expected = "it is damaged at byte 20: the checksum is wrong";
        assert!(outcome.stderr.contains("x.explorer"), "{}", outcome.stderr);
        assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
    }
    bytes.truncate(100);
    let outcome = program().file("x.explorer", &bytes).args(["book", "show", "x.explorer"]).run();
    assert!(outcome.stderr.contains("it is damaged at byte 100: it ends early"));
    // The suffix says what a file is that has lost its beginning.
    for bytes in [&b""[..], b"pgn2epd ex"] {
        for args in [&["book", "show", "cut.explorer"][..], &["book", "serve", "cut.explorer"]] {
            let outcome = program().file("cut.explorer", bytes).args(args).run();
            let message = "cut.explorer: it is neither an explorer file nor a partial result of `pgn2epd book`";
            assert!(outcome.stderr.contains(message), "{args:?}: {}", outcome.stderr);
            assert_eq!((outcome.status, outcome.text()), (2, ""), "{args:?}");
        }
    }
}

#[test]
fn a_killed_run_leaves_the_whole_file_or_none() {
    let program = program().file("games.pgn", Generator::text(Style::Plain, 5, 400_000));
    let path = program.folder().join("x.explorer");
    let make = ["book", "-q", "games.pgn", "-o", "x.explorer"];
    let began = Instant::now();
    run_in(program.folder(), &make);
    let (whole, lasts) = (fs::read(&path).unwrap(), began.elapsed());
    fs::remove_file(&path).unwrap();
    let mut killed = 0;
    for part in 1..20 {
        let mut run = Command::new(PROGRAM);
        run.args(make).current_dir(program.folder()).stderr(Stdio::null());
        let mut child = run.spawn().unwrap();
        std::thread::sleep(lasts * part / 20);
        child.kill().unwrap();
        killed += u32::from(!child.wait().unwrap().success());
        // Where files without a name are not possible, another name may be left.
        if let Ok(found) = fs::read(&path) {
            assert!(found == whole, "{part}");
            fs::remove_file(&path).unwrap();
        }
    }
    assert!(killed > 0, "{lasts:?}");
}
