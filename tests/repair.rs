//! `check --fix`: unambiguous lines are repaired, all others go to `--rejects`, and nothing is
//! lost.

use std::path::PathBuf;

use pgn2epd::epd::{CheckOptions, Checker, Dialect, Line, ReadOptions, read_line};
use proptest::prelude::*;
use testkit::shared::shared;

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

/// The EPD files of folders of the corpus.
pub(crate) fn epd_files(folders: &[&str]) -> Vec<PathBuf> {
    let Some(shared) = shared() else { return Vec::new() };
    let mut files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(shared.join("corpus/epd").join(folder)).unwrap())
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
    for path in epd_files(&["", "suites", "wild", "perft"]) {
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
