//! The ranges of a file share its lines, whatever its format.

use std::io::{self, Cursor, Read, Seek};
use std::ops::Range;

use stream::range::{RangeUnit, first_line, part, splits};
use testkit::pack;

#[derive(Clone, Copy)]
struct WholeLines;

impl RangeUnit for WholeLines {
    fn first_start(self, input: &mut (impl Read + Seek), at: u64, len: u64) -> io::Result<u64> {
        first_line(input, at, len)
    }
}

/// Returns the text of a range.
fn text_of(file: &[u8], range: Range<u64>) -> String {
    let mut part = part(Cursor::new(file.to_vec()), range, |_| Some(WholeLines)).unwrap();
    let mut all = String::new();
    while let Some(mut text) = part.source.next_text().unwrap() {
        text.read_to_string(&mut all).unwrap();
    }
    all
}

#[test]
fn each_line_belongs_to_the_range_of_its_first_byte() {
    let text = "one\r\n\ntwo\nthree";
    let bytes = text.as_bytes();
    let starts: Vec<usize> =
        (0..bytes.len()).filter(|at| *at == 0 || bytes[at - 1] == b'\n').collect();
    for cut in 0..=text.len() {
        let start = starts.iter().find(|start| **start >= cut).map_or(text.len(), |start| *start);
        let before = text_of(bytes, 0..cut as u64);
        let after = text_of(bytes, cut as u64..u64::MAX);
        assert_eq!((&*before, &*after), text.split_at(start), "cut at {cut}");
    }
}

#[test]
fn splits_cover_a_text_and_estimate_its_lines() {
    let text: String = (0..5000).map(|line| format!("line {line:04}\n")).collect();
    let count = |text: &[u8]| Some(text.iter().filter(|byte| **byte == b'\n').count() as u64);
    let cases = [
        ("plain", text.clone().into_bytes(), 5),
        ("bgzf", pack::bgzf(text.as_bytes(), 3000), 5),
        ("seekable zstd", pack::seekable_zstd(text.as_bytes(), 3000), 5),
        ("zstd without a table is not divided", pack::zstd_frames(text.as_bytes(), 3000), 1),
        ("gzip is not divided", pack::gzip(text.as_bytes()), 1),
    ];
    for (name, file, expected) in cases {
        let splits = splits(Cursor::new(file.clone()), 10_000, count).unwrap();
        assert_eq!(splits.len(), expected, "{name}");
        let items: u64 = splits.iter().map(|split| split.items).sum();
        assert!(items.abs_diff(5000) <= expected as u64, "{name}: {items}");
        let texts: String = splits.into_iter().map(|split| text_of(&file, split.range)).collect();
        assert_eq!(texts, text, "{name}");
    }
}
