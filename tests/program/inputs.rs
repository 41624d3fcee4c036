//! All commands read inputs in the same way: names, formats, archives, and unreadable inputs.

use testkit::pack;
use testkit::program::Outcome;

use super::{BAD, GOOD, RECORDS};
use crate::support::program;

const EPD: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"one\";\n";

/// Records in the dialect of early Crafty.
fn crafty() -> Vec<u8> {
    program().args(["--format", "crafty"]).stdin(GOOD).run().stdout
}

fn lines(outcome: &Outcome, count: usize) -> String {
    outcome.stderr.lines().take(count).collect::<Vec<_>>().join("\n")
}

#[test]
fn book_names_archive_members_like_the_converter() {
    let archive = pack::zip(&[("a.pgn", BAD.as_bytes()), ("b.pgn", BAD.as_bytes())]);
    let run = |args: &[&str]| {
        program().file("ab.zip", &archive).args(args).args(["--report", "r.jsonl", "ab.zip"]).run()
    };
    let (book, records) = (run(&["book"]), run(&[]));
    assert_eq!((book.status, records.status), (1, 1));
    assert_eq!(lines(&book, 2), lines(&records, 2));
    assert!(book.stderr.starts_with("ab.zip/a.pgn:4:7: game 1 (A - B), 1... Ke6: "));
    assert_eq!(book.file("r.jsonl"), records.file("r.jsonl"));
    let report = String::from_utf8(book.file("r.jsonl").unwrap()).unwrap();
    assert!(report.contains(r#""file":"ab.zip/b.pgn","line":4"#), "{report}");
}

#[test]
fn all_commands_for_positions_know_them_in_every_dialect() {
    let texts = [
        ("standard", EPD.as_bytes().to_vec()),
        ("FEN", b"# a book\n\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n".to_vec()),
        ("crafty", crafty()),
        ("old line ends", b"\r\r4k3/8/8/8/8/8/4P3/4K3 w - -".to_vec()),
    ];
    for (name, text) in texts {
        let book = program().args(["book", "x"]).file("x", &text).run();
        assert!(book.status == 0 && !book.stdout.is_empty(), "book, {name}: {}", book.stderr);
        let check = program().args(["check", "-q", "x"]).file("x", &text).run();
        assert_ne!(check.status, 2, "check, {name}: {}", check.stderr);
        let show = program().args(["show", "--format", "ascii", "x"]).file("x", &text).run();
        assert!(show.status == 0 && show.text().contains('K'), "show, {name}: {}", show.stderr);
        let converted = program().args(["--format", "fen", "x"]).file("x", &text).run();
        assert_eq!((converted.status, &*converted.stderr), (0, ""), "{name}");
        // What needs games reports it in one line.
        let outcome = program().args(["--rows", "games", "x", "-o", "out.csv"]).file("out", "old");
        let outcome = outcome.file("x", &text).run();
        assert_eq!(outcome.status, 2, "{name}");
        assert_eq!(outcome.stderr, "pgn2epd: x: --rows is for games; this file has positions\n",);
        assert_eq!(outcome.file("out").unwrap(), b"old");
    }
}

#[test]
fn an_archive_of_positions_is_read() {
    let archive = pack::zip(&[("a.epd", EPD.as_bytes()), ("sub/b.fen", EPD.as_bytes())]);
    let run = |args: &[&str]| program().file("x.zip", &archive).args(args).arg("x.zip").run();
    let check = run(&["check", "--fix"]);
    assert_eq!((check.status, check.text()), (0, &*EPD.repeat(2)), "{}", check.stderr);
    assert_eq!(run(&["book"]).status, 0);
    assert_eq!(run(&["show", "--format", "ascii"]).text().matches("one").count(), 2);
}

#[test]
fn members_that_are_not_read_are_listed() {
    let game = GOOD.as_bytes();
    let archive = pack::zip(&[
        ("a.pgn", game),
        ("readme.txt", b"1. d4 *"),
        ("b.pgn.gz", &pack::gzip(game)),
        ("1.png", b""),
        ("2.png", b""),
        ("3.png", b""),
    ]);
    let run = |args: &[&str]| program().file("x.zip", &archive).args(args).arg("x.zip").run();
    let outcome = run(&[]);
    assert_eq!((outcome.status, outcome.text()), (0, &*RECORDS.repeat(2)));
    assert_eq!(
        outcome.stderr,
        "x.zip: readme.txt, 1.png, 2.png and 1 more: not read, since only .pgn, .epd, .fen, \
         .csv, .tsv, .jsonl, .ndjson, .plain and .fns files are\n"
    );
    assert_eq!(run(&["-q"]).stderr, "");
    assert_eq!(run(&["book"]).stderr, outcome.stderr);
}

#[test]
fn two_members_with_the_same_name_are_both_read() {
    let games = ["1. e4 *", "1. d4 *", "1. c4 *"];
    let files = [("a.pgn", games[0]), ("b.pgn", games[1]), ("c.pgn", games[2])];
    let mut archive = pack::zip(&files.map(|(name, game)| (name, game.as_bytes())));
    // In the headers and in the directory of the archive.
    for at in 0..archive.len() - 5 {
        if &archive[at..at + 5] == b"b.pgn" {
            archive[at..at + 5].copy_from_slice(b"a.pgn");
        }
    }
    let outcome = program().file("x.zip", &archive).args(["--ops", "sm", "x.zip"]).run();
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
    for game in games {
        assert!(outcome.text().contains(&format!("sm {};", &game[3..5])), "{game}");
    }
    assert_eq!(outcome.lines().len(), 6);
}

#[test]
fn check_continues_after_an_unreadable_input() {
    let outcome = program()
        .file("a.gz", b"\x1f\x8b")
        .file("b.gz", b"\x1f\x8b")
        .file("c", "8/8/8/8/8/8/8/7 w - -\n")
        .file("d", EPD)
        .args(["check", "a.gz", "b.gz", "c", "d"])
        .run();
    assert_eq!(outcome.status, 2);
    let lines: Vec<&str> = outcome.stderr.lines().filter(|l| l.contains("cannot read")).collect();
    assert_eq!(lines.len(), 2, "{}", outcome.stderr);
    assert!(lines[0].starts_with("pgn2epd: cannot read a.gz: the gzip data ends too early"));
    assert!(lines[1].starts_with("pgn2epd: cannot read b.gz: the gzip data ends too early"));
    assert!(outcome.text().contains("c:1:"), "{}", outcome.text());
}

#[test]
fn book_reports_all_unreadable_inputs_and_writes_no_book() {
    let outcome = program()
        .file("a.gz", b"\x1f\x8b")
        .file("b.gz", b"\x1f\x8b")
        .file("c", GOOD)
        .args(["book", "a.gz", "b.gz", "c", "-o", "book.epd"])
        .run();
    assert_eq!((outcome.status, outcome.text()), (2, ""));
    for name in ["a.gz", "b.gz"] {
        let message = format!("pgn2epd: cannot read {name}: the gzip data ends too early");
        assert_eq!(outcome.stderr.matches(&message).count(), 1, "{}", outcome.stderr);
    }
    assert!(outcome.file("book.epd").is_none());
}

#[test]
fn binary_input_gives_one_line_and_keeps_the_old_file() {
    // From a seeded random generator, so that it is the same in each run.
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as u8
    };
    let noise: Vec<u8> = (0..100_000).map(|_| random()).collect();
    let mut damaged = pack::gzip(&noise);
    damaged[0] ^= 0x40;
    let lz4 = [b"\x04\x22\x4d\x18\x64\x40\xa7", GOOD.as_bytes()].concat();
    let files = [
        (noise, "a binary file"),
        (damaged, "a binary file"),
        (lz4, "an lz4 file"),
        ([&b"]\0\0\x80\0"[..], &[0xff; 8]].concat(), "an lzma file"),
        (vec![0; 5000], "a binary file"),
    ];
    for (bytes, what) in files {
        for command in [&["x"][..], &["book", "x"], &["check", "--fix", "x"]] {
            let outcome = program().file("x", &bytes).file("out", "old");
            let outcome = outcome.args(command).args(["-o", "out"]).run();
            let expected = format!("pgn2epd: cannot read x: this is {what}, not PGN or EPD\n");
            assert_eq!((outcome.status, &*outcome.stderr), (2, &*expected), "{command:?}");
            assert_eq!(outcome.file("out").unwrap(), b"old", "{command:?}");
        }
    }
}

/// Standard error of a command that refuses its only input, without the name of the input.
#[track_caller]
fn refusal(command: &[&str], input: &[u8]) -> String {
    let outcome = program().file("x", input).file("out", "old").args(command);
    let outcome = outcome.args(["x", "-o", "out"]).run();
    assert_eq!((outcome.status, outcome.text()), (2, ""), "{command:?}: {}", outcome.stderr);
    assert_eq!(outcome.file("out").unwrap(), b"old", "{command:?}");
    let line = outcome.stderr.strip_prefix("pgn2epd: cannot read x: ").unwrap_or(&outcome.stderr);
    line.strip_suffix('\n').unwrap_or(line).to_owned()
}

#[test]
fn the_wrong_kind_of_input_is_named_once_with_the_command_that_reads_it() {
    let book = |args: &[&str]| {
        let outcome = program().arg("book").args(args).args(["-o", "x"]).stdin(GOOD).run();
        assert_eq!(outcome.status, 0, "{}", outcome.stderr);
        outcome.file("x").unwrap()
    };
    let prose = "# Notes\n\nThis file is about chess, but it has no games.\n".repeat(200);
    let not_chess = [
        (prose.into_bytes(), "this is plain text, not PGN or EPD"),
        (b"hello\n".to_vec(), "this is plain text, not PGN or EPD"),
        (
            book(&["--format", "bin"]),
            "this is a Polyglot book, not PGN or EPD: `book show` reads it",
        ),
    ];
    for (input, expected) in not_chess {
        for command in [&[][..], &["book"], &["check", "--fix"]] {
            assert_eq!(refusal(command, &input), expected, "{command:?}");
        }
    }
    for games in [GOOD.to_owned(), format!("% escaped\n\n{BAD}"), "1.e4 e5 *\n".repeat(500)] {
        let expected = "it contains games, not EPD records or FENs; `pgn2epd FILE` converts them";
        assert_eq!(refusal(&["check", "--fix"], games.as_bytes()), expected, "{games}");
    }
}

#[test]
fn text_around_games_and_damaged_records_are_not_the_wrong_kind() {
    let preface = "Dear reader,\n\nthese are the games.\n\n".repeat(500);
    let outcome = program().stdin(format!("{preface}[Event \"?\"]\n\n{GOOD}")).run();
    assert_eq!((outcome.status, outcome.text()), (0, RECORDS), "{}", outcome.stderr);
    let damaged = format!("8/8/8/8/8/8/8/7 w - -\nhello\n{EPD}");
    let outcome = program().arg("check").stdin(damaged).run();
    assert_eq!(outcome.status, 1, "{}", outcome.stderr);
    assert!(outcome.text().contains("-:2:6: "), "{}", outcome.text());
}

#[test]
fn control_characters_in_games_are_accepted() {
    let pgn = format!("{}{GOOD}", "[Event \"?\"]\n\n1. e4 {\0\0\0\0} *\n\n".repeat(100));
    let outcome = program().stdin(pgn).run();
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    assert!(outcome.text().ends_with(RECORDS));
}

#[test]
fn a_carriage_return_alone_ends_a_line_for_every_command() {
    let [white, black] = ["4k3/8/8/8/8/8/4P3/4K3 w - -", "4k3/8/8/8/4P3/8/8/4K3 b - e3"];
    let records =
        format!("{white} eco \"A00\"; v0 \"M\u{fc}ller\";\n# a comment\n\n{black} id \"x\";\n");
    let bad = format!("{records}8/8/8/8/8/8/8/7 w - -\n{white} id \"y\";\n");
    for end in ["\r", "\r\n"] {
        for args in [&["book", "x"][..], &["book", "--ops", "none", "x"], &["show", "x"]] {
            let run = |text: &str| program().args(args).file("x", text).run();
            let (expected, found) = (run(&bad), run(&bad.replace('\n', end)));
            assert!(expected.stderr.starts_with("x:5:15: "), "{args:?}: {}", expected.stderr);
            // The last line of some commands says how long it took.
            let first_line = |text: &str| text.lines().next().map(str::to_owned);
            assert_eq!(first_line(&found.stderr), first_line(&expected.stderr), "{args:?} {end:?}");
            assert_eq!(found.text(), expected.text(), "{args:?} {end:?}");
        }
    }
}
