//! Output on a terminal: names and comments cannot control it.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::support::{PROGRAM, program};

/// A game whose names set the title of a terminal and clear its screen.
const HOSTILE: &str = "[White \"\u{1b}]0;owned\u{7}Eve\"]\n[Black \"\u{9b}2JBob\"]\n[Event \"a\rb\u{202e}c\u{61c}\"]\n\n\
    1. e4 {\u{1b}[2J\u{200f}} e5 *\n";

/// Records with the same characters, one with an error.
const RECORDS: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - id \"\u{1b}]0;owned\u{7}Eve\u{202e}\";\n\
    4k3/8/8/8/8/8/4P3/4K3 w - - bm \u{1b}[2J\u{200e};\n\
    4k3/8/8/8/4P3/8/8/4K3 b - - c0 \"\u{1b}[2J\u{2066}Bob\"; eco \"\u{9b}2J\"; v0 \"\u{1b}c\";\n";

/// A file name that clears the screen.
const NAME: &str = "\u{1b}[2J\u{202e}x.pgn";

/// Opens a terminal; the program uses it as long as the first file is open.
fn open_terminal() -> (File, impl Fn() -> Stdio) {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let name = ptsname(&controller, Vec::new()).unwrap();
    let path = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes())).to_owned();
    let terminal = move || Stdio::from(File::options().read(true).write(true).open(&path).unwrap());
    (File::from(controller), terminal)
}

/// The output of a command on a terminal.
fn shown(args: &str, no_colour: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("a.pgn", HOSTILE);
    write("a.epd", RECORDS);
    write(NAME, &format!("{HOSTILE}\n1. e5 *\n"));
    write(&NAME.replace("pgn", "epd"), RECORDS);
    let (mut controller, terminal) = open_terminal();
    let mut child = Command::new(PROGRAM)
        .args(args.split(' ').map(|arg| arg.replace("NAME", &NAME[..NAME.len() - ".pgn".len()])))
        .env("NO_COLOR", no_colour)
        .env("TERM", "xterm")
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(terminal())
        .stderr(terminal())
        .spawn()
        .unwrap();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // Once no program has the terminal open, reading is an error.
        let _ = controller.read_to_end(&mut bytes);
        bytes
    });
    assert!(child.wait().unwrap().code().is_some(), "{args}");
    String::from_utf8(reader.join().unwrap()).unwrap()
}

#[test]
fn no_command_lets_names_and_comments_control_a_terminal() {
    for (args, expected) in [
        ("a.pgn --quiet", "rnbqkbnr/pppppppp"),
        ("a.pgn --quiet --add tcri={White}|{Black}", "]0;owned"),
        ("--format csv --rows games --columns White a.pgn", "]0;owned"),
        ("--format pgn --games openings a.pgn", "\\u{1b}]0;owned\\u{7}Eve"),
        ("book -q -o /dev/stdout --format pgn a.pgn", "e4"),
        ("book -q -o /dev/stdout --format jsonl a.pgn", "e4"),
        ("book -q -o /dev/stdout --format csv a.pgn", "e4"),
        ("show a.pgn", "Eve"),
        ("show --format html a.pgn", "Eve"),
        ("show a.pgn --game 9", "a.pgn has no game 9"),
        ("--\u{9b}2J\u{202e}", "\\u{9b}2J\\u{202e}"),
        ("--ply \u{9b}2J", "\\u{9b}2J"),
        ("--where \u{9b}2J", "\\u{9b}2J"),
        ("show a.epd", "Bob"),
        ("show -f latex a.epd", "board"),
        ("check a.epd", "a.epd:2:"),
        ("check --json a.epd", "a.epd"),
        ("check --fix a.epd", "id \""),
        ("check --stats a.epd", "3"),
        ("book show a.pgn", "e4"),
        ("diff a.pgn a.epd", "rnbqkbnr/pppp1ppp"),
        ("join a.epd --with a.pgn", "id \""),
        ("splits NAME.pgn", "x.pgn"),
        ("NAME.pgn", "x.pgn:"),
        ("NAME.pgn -q --summary=text -o x.out", "game"),
        ("check NAME.epd", "x.epd:2:"),
        ("check --json NAME.epd", "x.epd"),
        ("check --fix --rejects NAME.out NAME.epd", "id \""),
        ("--format pgn --games openings NAME.pgn", "Eve"),
        ("book -q NAME.pgn NAME.epd", "rnbqkbnr"),
        ("book show NAME.pgn", "e4"),
        ("show NAME.pgn --game 9", "x.pgn has no game 9"),
        ("show NAME.epd", "Bob"),
        ("NAME.nowhere", "x.nowhere"),
        ("NAME.pgn -o NAME.pgn", "x.pgn"),
        ("--where NAME a.pgn", "x"),
        ("--add NAME={White} a.pgn", "x"),
    ] {
        let text = shown(args, "1");
        assert!(text.contains(expected), "{args}: {text}");
        let is_bidi = |c: char| {
            matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}')
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        let is_control = |c: char| is_bidi(c) || c.is_control() && !matches!(c, '\n' | '\t');
        // The terminal writes a line feed as a line end of two characters.
        let text = text.replace("\r\n", "\n");
        assert!(!text.contains(is_control), "{args}: {text:?}");
    }
}

/// The status, standard output and standard error of a command whose standard input is a terminal
/// at which `typed` was entered.
fn run_at_terminal(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let (mut controller, terminal) = open_terminal();
    let stdin = terminal();
    // The last character ends the input, so that a program that reads it does not wait.
    controller.write_all(format!("{input}\u{4}").as_bytes()).unwrap();
    let outcome =
        Command::new(PROGRAM).args(args).env("COLUMNS", "100").stdin(stdin).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (outcome.status.code(), text(outcome.stdout), text(outcome.stderr))
}

#[test]
fn without_arguments_a_terminal_gets_the_short_help() {
    for command in [&[][..], &["check"], &["book"], &["show"]] {
        let help = program().env("COLUMNS", "100").args(command).arg("-h").run();
        let (status, stdout, stderr) = run_at_terminal(command, "");
        assert_eq!((status, &*stdout), (Some(2), ""), "{command:?}");
        assert_eq!(stderr.trim_end(), help.text().trim_end(), "{command:?}");
        assert!(stderr.contains("Usage: pgn2epd"), "{command:?}: {stderr}");
    }
}

#[test]
fn without_a_file_a_terminal_is_not_read_silently() {
    for args in [&["--last"][..], &["check", "--fix"], &["book", "--ply", "9"]] {
        let (status, stdout, stderr) = run_at_terminal(args, "1. e4 e5 *\n");
        assert_eq!((status, &*stdout), (Some(2), ""), "{args:?}");
        assert_eq!(stderr, "pgn2epd: no input: name a file, or - for standard input\n", "{args:?}");
    }
    let (status, stdout, _) = run_at_terminal(&["--format", "fen", "-"], "1. e4 e5 *\n");
    assert_eq!((status, stdout.lines().count()), (Some(0), 3), "{stdout}");
}

#[test]
fn arguments_cannot_control_a_terminal_with_colours() {
    for args in ["--where NAME", "--add NAME={White}", "--NAME", "NAME.pgn --ply NAME"] {
        let text = shown(args, "");
        assert!(!text.contains("\u{1b}[2J") && !text.contains('\u{202e}'), "{args}: {text:?}");
    }
}
