//! Runs over lines: places of problems, damaged streams and limits.

use std::error::Error;
use std::io::{self, Read};

use pgn2epd::book::{BookOptions, Counting};
use pgn2epd::epd::{CheckOptions, Checker, LineDiagnostic};

use crate::support::{Problems, jobs};

/// Bytes of the longest line.
const LONGEST_LINE: usize = 64 << 20;

const RECORD: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

/// Returns what `check` says of a text, the number of records, and the error.
fn checked(text: &[u8]) -> (Vec<String>, u64, Option<String>) {
    let (mut said, mut checker) = (Vec::new(), Checker::new(CheckOptions::default()));
    let mut tell = |fault: &LineDiagnostic| said.push(fault.to_string());
    let read = checker.check(text, io::sink(), &mut tell, &mut |_| Ok(()));
    let error = read.err().map(|error| error.source().unwrap().to_string());
    (said, checker.counts().records, error)
}

/// The same of `book`.
fn counted(text: &[u8]) -> (Vec<String>, u64, Option<String>) {
    let mut said = Problems::default();
    let mut counting = Counting::new(&BookOptions::default(), ["a.epd"]);
    let read = counting.input("a.epd", text, &mut said);
    let error = read.as_ref().err();
    let error = error.map(|error| error.source().unwrap().to_string());
    let said = said.0.iter().map(|problem| format!("{}: {problem}", problem.place.line)).collect();
    (said, read.map_or(0, |summary| summary.games), error)
}

#[test]
fn a_line_with_an_error_is_told_with_its_place_and_the_others_are_read() {
    let text = format!("{RECORD}\n{RECORD}\r\n4k3 w\r{RECORD}\n");
    for (said, records, error) in [checked(text.as_bytes()), counted(text.as_bytes())] {
        assert_eq!((records, error), (3, None));
        assert!(said.len() == 1 && said[0].starts_with("3:"), "{said:?}");
    }
}

#[cfg(feature = "gzip")]
#[test]
fn findings_in_a_damaged_stream_are_told_before_its_error() {
    let mut packed = testkit::pack::gzip(format!("{RECORD}\n4k3 w\n{RECORD}\n").as_bytes());
    let checksum = packed.len() - 8;
    packed[checksum] ^= 1;
    for (said, _, error) in [checked(&packed), counted(&packed)] {
        let error = error.unwrap();
        assert!(said.len() == 1 && said[0].starts_with("2:"), "{said:?}");
        assert!(error.contains("the gzip data is damaged"), "{error}");
    }
}

#[test]
fn a_line_beyond_the_limit_ends_a_book() {
    let long = " ".repeat(LONGEST_LINE);
    let text = format!("{RECORD}\n{RECORD}\n{RECORD}{long}\n{RECORD}\n");
    let (_, _, error) = counted(text.as_bytes());
    assert!(error.as_ref().is_some_and(|error| error.contains("line 3")), "{error:?}");
}

#[test]
fn a_line_above_the_limit_ends_the_check_after_the_lines_before_it() {
    for threads in [1, 3] {
        let record = &b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;\n"[..];
        let text = record.chain(io::repeat(b'x'));
        let mut checker = Checker::new(CheckOptions::default().jobs(jobs(threads)));
        let mut lines = Vec::new();
        let mut tell = |fault: &LineDiagnostic| lines.push(fault.line);
        let error = checker.check(text, io::sink(), &mut tell, &mut |_| Ok(())).unwrap_err();
        let message = error.source().unwrap().to_string();
        assert_eq!(message, "line 2 is longer than 67108864 bytes");
        assert_eq!(lines, [1]);
    }
}
