//! `check --fix`: unambiguous lines are repaired, all others go to `--rejects`, and nothing is
//! lost.

use std::path::PathBuf;

use pgn2epd::epd::{CheckOptions, Checker, Dialect, Line, ReadOptions, read_line};
use proptest::prelude::*;
use testkit::shared::shared;

use crate::support::program;

const POSITION: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

/// The repaired and the rejected lines of a text.
#[derive(Debug, PartialEq)]
struct Fixed {
    written: Vec<u8>,
    /// Lines with their numbers.
    rejected: Vec<(u64, Vec<u8>)>,
    errors: u64,
}

fn fix(text: &[u8]) -> Fixed {
    fix_as(text, None)
}

fn fix_as(text: &[u8], dialect: Option<Dialect>) -> Fixed {
    let options = CheckOptions::default().fix(true).dialect(dialect);
    let mut checker = Checker::new(options);
    let (mut written, mut rejected) = (Vec::new(), Vec::new());
    let mut reject = |line: &pgn2epd::epd::RejectedLine<'_>| {
        rejected.push((line.line, line.bytes.to_vec()));
        Ok(())
    };
    checker.check(text, &mut written, &mut |_| {}, &mut reject).unwrap();
    let counts = checker.counts();
    assert_eq!(counts.rejected, rejected.len() as u64);
    Fixed { written, rejected, errors: counts.errors }
}

/// The repaired line; `None` if it is rejected.
#[track_caller]
fn fixed(line: &str) -> Option<String> {
    let Fixed { written, rejected, .. } = fix(line.as_bytes());
    let written = String::from_utf8(written).unwrap();
    match (written.strip_suffix('\n'), &rejected[..]) {
        (Some(written), []) => Some(written.to_owned()),
        (None, [(1, bytes)]) if written.is_empty() && bytes == line.as_bytes() => None,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn unambiguous_lines_are_repaired() {
    let cases = [
        ("bm e4 +;", "bm e4;"),
        ("bm e4 ! e3 ?", "bm e3 e4;"),
        ("bm e4 dm 14", "bm e4; dm 14;"),
        ("bm e4 id \"a;b\" c1 \"x\";", "bm e4; c1 \"x\"; id \"a;b\";"),
        ("hmvc 0 fmvn 1;", "fmvn 1; hmvc 0;"),
        ("acn 1028 acd 20;", "acd 20; acn 1028;"),
        ("draw_offer sm e4;", "draw_offer; sm e4;"),
        ("bm #2;", "dm 2;"),
        ("bm #2; bm #3;", "c0 \"bm #2\"; dm 3;"),
        ("bm #2; dm 3; bm #3;", "c0 \"bm #2\"; dm 3;"),
        ("bm #2; dm 2;", "dm 2;"),
        ("bm #2; dm 3;", "c0 \"bm #2\"; dm 3;"),
        ("c0 \"unclosed;", "c0 \"unclosed\";"),
        ("c0 \"a\tb\";", "c0 \"a b\";"),
        ("x1 5\te4;", "x1 5 e4;"),
        ("c1 \"x\"; c0 \"y\";", "c0 \"y\"; c1 \"c1 'x'\";"),
        ("v1 \"x\"; v0 \"y\"; v1 \"z\";", "c0 \"v1 'x'\"; v0 \"y\"; v1 \"z\";"),
        ("c1 \"x\"; c0;", "c0; c1 \"c1 'x'\";"),
        // Correct text is unchanged.
        ("id \"a  b\";", "id \"a  b\";"),
        ("id \" a \";", "id \" a \";"),
        ("tcri \"a  b\" \" c\";", "tcri \"a  b\" \" c\";"),
        ("bm;", "bm;"),
        ("noop bm e4 \"x\" dm 3;", "noop bm e4 \"x\" dm 3;"),
        ("x1 4 e4 \"dm 3\";", "x1 4 e4 \"dm 3\";"),
        ("id the best bm of all;", "id \"the best bm of all\";"),
    ];
    for (line, expected) in cases {
        let expected = format!("{POSITION} {expected}");
        assert_eq!(fixed(&format!("{POSITION} {line}")), Some(expected), "{line}");
    }
    let lines = [
        (
            "1k1n4/1p1b1p2/1Bp1pPp1/1PP1P3/8/6P1/8/1K6 w - - ; bm Bc7 +  ",
            "1k1n4/1p1b1p2/1Bp1pPp1/1PP1P3/8/6P1/8/1K6 w - - bm Bc7+;",
        ),
        (
            "r4rk1/3nppbp/bq1p1np1/2pP4/8/2N2NPP/PP2PPB1/R1BQR1K1 b - -1 12 ; bm Rfb8 ",
            "r4rk1/3nppbp/bq1p1np1/2pP4/8/2N2NPP/PP2PPB1/R1BQR1K1 b - - bm Rfb8; fmvn 12; hmvc 1;",
        ),
        ("4k3/8/8/ 8/8/8/4P3/4K3 w - - bm e4;", "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;"),
        ("4k3/8/8/8/8/8/4P3/4K3w -- bm e4;", "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;"),
        ("r3k2r/8/8/8/8/8/8/R3K2R wKQkq-bm O-O;", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O;"),
    ];
    for (line, expected) in lines {
        assert_eq!(fixed(line).as_deref(), Some(expected), "{line}");
    }
}

#[test]
fn text_that_cannot_be_read_becomes_a_comment_and_nothing_else_is_lost() {
    let long = format!("c0 \"{}\";", "x".repeat(256));
    let of_long = format!("c0 \"c0\"; c1 \"'{}\"; c2 \"xx'\";", "x".repeat(254));
    let cases = [
        ("0 4; v=-328", "ce -328; fmvn 4; hmvc 0;"),
        ("bm #12; ep; 00:00;", "c0 \"00:00\"; dm 12; ep;"),
        ("bm #12; PV: e2e4;", "dm 12; pv e4;"),
        ("; cdb eval: 95; PV length: 46", "c0 \"PV length: 46\"; ce 95;"),
        ("white to win", "c0 \"white to win\";"),
        ("bm e4; // note; and more", "bm e4; c0 \"// note; and more\";"),
        ("bm e5;", "c0 \"bm e5\";"),
        ("bm e4 or e3;", "c0 \"bm e4 or e3\";"),
        ("bm + e4;", "c0 \"bm + e4\";"),
        ("bm e4 M5;", "c0 \"bm e4 M5\";"),
        ("id \"a\" \"b\";", "c0 \"id 'a' 'b'\";"),
        ("id \"abc; bm e4;", "c0 \"id 'abc; bm e4;\";"),
        ("id x ce 10;", "c0 \"id x ce 10\";"),
        ("draw_offer;", "c0 \"draw_offer\";"),
        // Without the illegal move, the offer has none.
        ("draw_offer; sm e9;", "c0 \"sm e9; draw_offer\";"),
        ("pm e3; pv e4;", "c0 \"pm e3\"; pv e4;"),
        ("dm 0; 7up 3; id \"x\";", "c0 \"dm 0; 7up 3\"; id \"x\";"),
        ("tcri \"a\";", "c0 \"tcri 'a'\";"),
        ("99999999999 1", "c0 \"99999999999\"; fmvn 1;"),
        ("[2.0] x", "c0 \"[2.0] x\";"),
        // The first free registers.
        ("c0 \"x\"; c2 \"y\"; 7up;", "c0 \"x\"; c1 \"7up\"; c2 \"y\";"),
        (&long, &of_long),
    ];
    for (line, expected) in cases {
        let expected = format!("{POSITION} {expected}");
        assert_eq!(fixed(&format!("{POSITION} {line}")), Some(expected), "{line}");
    }
    let others = [
        "startpos",
        "8/8/8/8/8/8/8/8 w - -",
        "4k3/8/8/8/8/8/4P3/4K3 w -",
        "4k3/8/8/8/8/8/4P3/4K3 w K- -",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQQ -",
    ];
    // Without a free register too.
    let full: Vec<String> = (0..10).map(|rank| format!("c{rank} \"x\";")).collect();
    let full = format!("{POSITION} {} 7up;", full.join(" "));
    for line in others.into_iter().chain([&*full]) {
        assert_eq!(fixed(line), None, "{line}");
    }
}

#[test]
fn a_comment_of_text_is_that_of_its_record_only() {
    let text =
        format!("{POSITION} c0 \"game\"; c1 \"x\";\n{POSITION} 7up;\n{POSITION} id \"y\";\n");
    let Fixed { written, rejected, .. } = fix(text.as_bytes());
    let expected = format!(
        "{POSITION} c0 \"game\"; c1 \"x\";\n{POSITION} c2 \"7up\";\n{POSITION} c2; id \"y\";\n"
    );
    assert_eq!(String::from_utf8(written).unwrap(), expected);
    assert_eq!(rejected.len(), 0);
}

#[test]
fn the_exit_status_is_that_of_what_is_lost() {
    // Text after the fields, options, and the status.
    for (text, args, status) in [
        ("bm e4; id \"x\";", &[][..], 0),
        ("id \"x", &[], 0),
        ("bm e4 dm 4 c0 \"y\"", &[], 0),
        ("c0 \"a\tb\";", &[], 0),
        ("bm e4; bm e3;", &[], 0),
        ("7up; bm e4;", &[], 0),
        ("7up; bm e4;", &["--unreadable", "drop"], 1),
        ("dm -4;", &[], 0),
    ] {
        let run = program()
            .args(["check", "--fix"])
            .args(args)
            .stdin(format!("{POSITION} {text}\n"))
            .run();
        assert_eq!((run.status, run.lines().len()), (status, 1), "{text} {args:?}");
    }
    let drop = ["check", "--fix", "-q", "--unreadable", "drop"];
    let run = program().args(drop).stdin(format!("{POSITION} 7up; bm e4;\n")).run();
    assert_eq!(run.text(), format!("{POSITION} bm e4;\n"));
    assert!(run.stderr.starts_with("1 text was not written"), "{}", run.stderr);
    let kept = program().args(["check", "--fix"]).stdin(format!("{POSITION} 7up; w=3\n")).run();
    assert!(kept.stderr.ends_with("2 errors, 2 texts kept as comments\n"), "{}", kept.stderr);
    for (line, status) in [
        ("4k3/8/8/8/8/8/4P3/4K3 w K -", 1),
        ("8/8/8/8/8/8/8/8 w - -", 1),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 0),
    ] {
        assert_eq!(program().args(["check", "--fix"]).stdin(line).run().status, status, "{line}");
    }
}

#[test]
fn labels_do_not_leak_into_other_records() {
    let text = format!("{POSITION} [1.0]\n{POSITION} id \"x\";\n");
    let written = String::from_utf8(fix(text.as_bytes()).written).unwrap();
    assert_eq!(written, format!("{POSITION} c9 \"1-0\";\n{POSITION} c9; id \"x\";\n"));
}

#[test]
fn the_evaluation_of_a_label_that_a_record_cannot_have_becomes_a_comment() {
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - -";
    let written = fix(format!("{stalemate} | 35 | 0.5\n").as_bytes()).written;
    let expected = format!("{stalemate} c0 \"ce -35\"; c9 \"1/2-1/2\";\n");
    assert_eq!(String::from_utf8(written).unwrap(), expected);
}

/// All EPD files of the corpus.
fn files() -> Vec<PathBuf> {
    let Some(shared) = shared() else { return Vec::new() };
    let folders = ["", "suites", "wild", "perft"].map(|name| shared.join("corpus/epd").join(name));
    let mut files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "epd"))
        .collect();
    files.sort();
    files
}

fn errors(line: &str) -> Vec<String> {
    let mut errors = Vec::new();
    let options = ReadOptions { dialect: Some(Dialect::Standard), ..ReadOptions::default() };
    read_line(line, &options, &mut |fault| {
        if fault.kind.severity() == pgn2epd::game::Severity::Error {
            errors.push(fault.kind.to_string());
        }
    });
    errors
}

/// Whether a line is a standard record without errors and warnings.
fn is_faultless(line: &str) -> bool {
    let mut is_faultless = true;
    let options = ReadOptions { dialect: Some(Dialect::Standard), ..ReadOptions::default() };
    let read = read_line(line, &options, &mut |fault| {
        is_faultless &= fault.kind.severity() == pgn2epd::game::Severity::Note;
    });
    is_faultless && matches!(read, Line::Record(_))
}

#[test]
fn every_line_of_the_corpus_is_repaired_unchanged_or_rejected() {
    let (mut repaired, mut unchanged, mut rejected, mut faultless) = (0, 0, 0, 0);
    for path in files() {
        let name = path.display();
        let text = std::fs::read(&path).unwrap();
        let fixed = fix(&text);
        let written = String::from_utf8(fixed.written.clone()).unwrap();
        let mut output = written.lines();
        let mut rejects = fixed.rejected.iter().peekable();
        for (number, line) in (1..).zip(text.split(|byte| *byte == b'\n')) {
            let line_text = pgn2epd_text(line);
            let read = read_line(&line_text, &ReadOptions::default(), &mut |_| {});
            if matches!(read, Line::Blank | Line::Comment) {
                continue;
            }
            if let Some((_, bytes)) = rejects.next_if(|(at, _)| *at == number) {
                assert_eq!(bytes, line, "{name}:{number}");
                rejected += 1;
                continue;
            }
            let new = output.next().unwrap();
            assert_eq!(errors(new), [""; 0], "{name}:{number}: {new}");
            let Line::Record(old) = read else { panic!("{name}:{number} is not a record") };
            let again = ReadOptions { dialect: Some(Dialect::Standard), ..ReadOptions::default() };
            match read_line(new, &again, &mut |_| {}) {
                Line::Record(record) => assert_eq!(record.position(), old.position()),
                other => panic!("{name}:{number}: {other:?}"),
            }
            // Alone, because a record may also get the registers of a rejected one before it.
            if is_faultless(&line_text) {
                let expected = line_text.trim_end().to_owned();
                assert_eq!(self::fixed(&line_text), Some(expected), "{name}:{number}");
                faultless += 1;
            }
            *if new == line_text { &mut unchanged } else { &mut repaired } += 1;
        }
        assert_eq!((output.next(), rejects.next()), (None, None), "{name}");
        let twice = fix_as(&fixed.written, Some(Dialect::Standard));
        assert_eq!(String::from_utf8(twice.written).unwrap(), written, "{name}");
        assert_eq!((twice.rejected.len(), twice.errors), (0, 0), "{name}");
    }
    if shared().is_some() {
        assert_eq!((repaired, unchanged, rejected), (9517, 435, 39));
        assert!(faultless > 1000, "{faultless}");
    }
}

/// The text of a line in any encoding.
fn pgn2epd_text(line: &[u8]) -> String {
    match std::str::from_utf8(line) {
        Ok(text) => text.to_owned(),
        Err(_) => line.iter().map(|byte| char::from(*byte)).collect(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testkit::shared::cases(400)))]

    #[test]
    fn whatever_the_line_it_is_repaired_without_error_or_rejected(
        line in "(4k3/8/8/8/8/8/4P3/4K3 [wW] ?- ?-|k7/8/8/8/8/8/8/K/ b -| 4k3/8/8/8/8/8/4P3/4K3w--)( 0 1| [|] 5)?( (bm|id|c0|c1|dm|pv|x1|draw_offer|acn|sm)( (e4|e3|\"a  b\"|\"|#2|14|\\+|\t|-)){0,3};?){0,4}"
    ) {
        if is_faultless(&line) {
            prop_assert_eq!(fixed(&line), Some(line.trim_end().to_owned()));
        }
        let Fixed { written, rejected, .. } = fix(line.as_bytes());
        let written = String::from_utf8(written).unwrap();
        prop_assert_eq!(written.lines().count() + rejected.len(), 1, "{}", line);
        for new in written.lines() {
            prop_assert_eq!(errors(new), [""; 0], "{} -> {}", line, new);
            let twice = fix_as(written.as_bytes(), Some(Dialect::Standard));
            prop_assert_eq!(String::from_utf8(twice.written).unwrap(), &*written, "{}", line);
        }
    }
}

#[test]
fn rejected_lines_are_kept_or_shown() {
    let bad: &[u8] = b"8/8/8/8/8/8/8/8 w - - id \"M\xfcller\";\r\n";
    let input = [format!("{POSITION} bm e4\n").as_bytes(), bad].concat();
    let run = |args: &[&str]| {
        program()
            .file("a.epd", &input)
            .args(["check", "--fix", "a.epd", "-o", "b.epd"])
            .args(args)
            .run()
    };
    let kept = run(&["-q", "--rejects", "r.epd"]);
    assert_eq!((kept.status, kept.text(), &*kept.stderr), (1, "", ""));
    assert_eq!(kept.file("r.epd").as_deref(), Some(bad));
    assert_eq!(kept.file("b.epd"), Some(format!("{POSITION} bm e4;\n").into_bytes()));
    let shown = run(&["-q"]);
    assert_eq!(shown.status, 1);
    assert_eq!(
        shown.stderr,
        "1 line could not be repaired and was not written (--rejects FILE keeps it):\n  a.epd:2: 8/8/8/8/8/8/8/8 w - - id \"M\u{fffd}ller\";\n"
    );
    let many = program()
        .args(["check", "--fix", "-q"])
        .stdin(format!("{POSITION}\n{}", "x\n".repeat(1200)))
        .run();
    assert_eq!((many.status, many.lines().len()), (1, 1));
    let lines: Vec<&str> = many.stderr.lines().collect();
    assert_eq!(
        (lines[0], lines[5], lines[6], lines.len()),
        (
            "1,200 lines could not be repaired and were not written (--rejects FILE keeps them):",
            "  -:6: x",
            "  ...",
            7
        )
    );
    let refused = program().args(["check", "--rejects", "r.epd"]).stdin("").run();
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("--rejects is for"), "{}", refused.stderr);
}
