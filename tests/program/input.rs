//! Inputs: where games come from, and inputs that are not PGN.

use testkit::program::Outcome;

use super::{BAD, GOOD, RECORDS, assert_failed, assert_quiet};
use crate::support::{missing_file, program};

#[track_caller]
fn assert_good(outcome: &Outcome) {
    assert_quiet(outcome);
    assert_eq!(outcome.text(), RECORDS);
}

#[test]
fn without_files_standard_input_is_read() {
    assert_good(&program().stdin(GOOD).run());
}

#[test]
fn a_dash_is_standard_input() {
    assert_good(&program().arg("-").stdin(GOOD).run());
    let both = program().file("a.pgn", "1. d4 *").args(["a.pgn", "-"]).stdin(GOOD).run();
    assert_quiet(&both);
    assert!(both.text().ends_with(RECORDS));
    assert_eq!(both.lines().len(), 5);
}

#[test]
fn files_are_converted_in_order() {
    let outcome = program()
        .file("b.pgn", "1. b4 *")
        .file("a.pgn", "1. a4 *")
        .args(["--ops", "sm", "b.pgn", "a.pgn", "b.pgn"])
        .run();
    assert_quiet(&outcome);
    let moves: Vec<&str> =
        outcome.lines().iter().filter_map(|line| line.split_once(" sm ")).map(|(_, m)| m).collect();
    assert_eq!(moves, ["b4;", "a4;", "b4;"]);
}

#[test]
fn a_game_ends_at_the_end_of_a_file() {
    let outcome =
        program().file("a.pgn", "1. e4 {open").file("b.pgn", GOOD).args(["a.pgn", "b.pgn"]);
    assert!(outcome.run().text().ends_with(RECORDS));
}

#[test]
fn a_problem_names_its_file() {
    let outcome = program().file("a.pgn", BAD).file("sub/b.pgn", BAD);
    let outcome = outcome.args(["a.pgn", "-", "sub/b.pgn"]).stdin(BAD).run();
    assert_eq!(outcome.status, 1);
    let messages: Vec<&str> = outcome.stderr.lines().collect();
    insta::assert_snapshot!(messages[..3].join("\n"), @r"
    a.pgn:4:7: game 1 (A - B), 1... Ke6: illegal: no black king can reach e6
    -:4:7: game 1 (A - B), 1... Ke6: illegal: no black king can reach e6
    sub/b.pgn:4:7: game 1 (A - B), 1... Ke6: illegal: no black king can reach e6
    ");
}

#[test]
fn a_missing_file_does_not_affect_the_others() {
    let message = &*format!("pgn2epd: cannot read no.pgn: {}\n", missing_file());
    let run = |args: &[&str]| program().file("a.pgn", GOOD).args(args).run();
    for files in [["a.pgn", "no.pgn"], ["no.pgn", "a.pgn"]] {
        let outcome = run(&files);
        assert_eq!((outcome.status, outcome.text(), &*outcome.stderr), (2, RECORDS, message));
        let outcome = run(&["-o", "two.epd", files[0], files[1]]);
        assert_eq!((outcome.status, &*outcome.stderr), (2, message));
        assert_eq!(outcome.file("two.epd").unwrap(), RECORDS.as_bytes());
        // A book of some of its inputs is not one.
        let outcome = run(&["book", files[0], files[1]]);
        assert_eq!((outcome.status, outcome.text(), &*outcome.stderr), (2, "", message));
    }
    assert_failed(&run(&["no.pgn"]));
    let outcome = run(&["-o", "x.epd", "no.pgn"]);
    assert_eq!((outcome.status, outcome.names()), (2, vec!["a.pgn".to_owned()]));
}

#[test]
fn a_folder_is_refused() {
    let outcome = program().file("games/a.pgn", GOOD).arg("games").run();
    assert_failed(&outcome);
    insta::assert_snapshot!(outcome.stderr.trim_end(), @"pgn2epd: cannot read games: it is a folder; name the files in it");
    for (args, message) in [
        ("--openings games a.pgn", "cannot read games: it is a folder; name the files in it"),
        ("--reach games a.pgn", "--reach games: it is a folder; name the files in it"),
        ("--range 0:9 games", "cannot read games: it is a folder; name the files in it"),
        ("a.pgn -o games", "cannot write games: it is a folder"),
        ("a.pgn -o new/", "cannot write new/: it is a folder"),
        ("a.pgn --report games", "cannot write games: it is a folder"),
    ] {
        let files = program().file("games/b.pgn", GOOD).file("a.pgn", GOOD);
        let outcome = files.args(args.split(' ')).run();
        assert_failed(&outcome);
        assert_eq!(outcome.stderr, format!("pgn2epd: {message}\n"), "{args}");
    }
}

#[test]
fn utf_16_text_is_read_with_and_without_its_mark() {
    for mark in ["", "\u{feff}"] {
        let units: Vec<u16> = format!("{mark}{GOOD}").encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        assert_good(&program().file("a.pgn", little).arg("a.pgn").run());
        assert_good(&program().stdin(big).run());
    }
}

#[test]
fn utf_32_text_is_refused_with_advice() {
    let outcome = program().file("a.pgn", b"\xff\xfe\0\x001\0\0\0").arg("a.pgn").run();
    assert_failed(&outcome);
    let message = "pgn2epd: cannot read a.pgn: this is UTF-32 text; convert it to UTF-8 first, for example with `iconv -f UTF-32 -t UTF-8`\n";
    assert_eq!(outcome.stderr, message);
}

#[test]
fn a_byte_order_mark_and_all_line_ends_are_read() {
    assert_good(&program().stdin(format!("\u{feff}{GOOD}")).run());
    for end in ["\r\n", "\r", "\n"] {
        let pgn = "[Event \"?\"]\n\n1. e4\ne5 (1... c5 {two\nlines}) *\n".replace('\n', end);
        assert_good(&program().arg("-q").stdin(pgn).run());
    }
}
