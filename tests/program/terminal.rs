//! Output on a terminal: names and comments cannot control it.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// A game whose names set the title of a terminal and clear its screen.
const HOSTILE: &str = "[White \"\u{1b}]0;owned\u{7}Eve\"]\n[Black \"\u{9b}2JBob\"]\n[Event \"a\rb\"]\n\n1. e4 {\u{1b}[2J} e5 *\n";

/// The output of a command on a terminal.
fn shown(args: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.pgn"), HOSTILE).unwrap();
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let name = ptsname(&controller, Vec::new()).unwrap();
    let path = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes())).to_owned();
    let terminal = || Stdio::from(File::options().read(true).write(true).open(&path).unwrap());
    let mut child = Command::new(env!("CARGO_BIN_EXE_pgn2epd"))
        .args(args.split(' '))
        .env("NO_COLOR", "1")
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(terminal())
        .stderr(terminal())
        .spawn()
        .unwrap();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // Once no program has the terminal open, reading is an error.
        let _ = File::from(controller).read_to_end(&mut bytes);
        bytes
    });
    assert!(child.wait().unwrap().code().is_some(), "{args}");
    String::from_utf8(reader.join().unwrap()).unwrap()
}

#[test]
fn no_command_lets_names_and_comments_control_a_terminal() {
    for (args, expected) in [
        ("a.pgn --quiet", "rnbqkbnr/pppppppp"),
        ("a.pgn --quiet --op tcri={White}|{Black}", "]0;owned"),
        ("name --table a.pgn", "\\u{1b}]0;owned\\u{7}Eve"),
        ("name --write a.pgn", "\\u{1b}]0;owned\\u{7}Eve"),
        ("book -q -o /dev/stdout --format pgn a.pgn", "e4"),
        ("book -q -o /dev/stdout --format jsonl a.pgn", "e4"),
        ("book -q -o /dev/stdout --format csv a.pgn", "e4"),
        ("show a.pgn", "Eve"),
        ("show -t html a.pgn", "Eve"),
        ("show a.pgn --game 9", "a.pgn has no game 9"),
        ("--\u{9b}2J\u{202e}", "\\u{9b}2J\\u{202e}"),
        ("--ply \u{9b}2J", "\\u{9b}2J"),
        ("--where \u{9b}2J", "\\u{9b}2J"),
    ] {
        let text = shown(args);
        assert!(text.contains(expected), "{args}: {text}");
        let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
        // The terminal writes a line feed as a line end of two characters.
        let text = text.replace("\r\n", "\n");
        assert!(!text.contains(is_control), "{args}: {text:?}");
    }
}
