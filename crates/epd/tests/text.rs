//! Strings, transliteration, statistics, and lines in general.

use epd::{
    EpdDiagnosticKind, FMVN, HMVC, Lines, ReadOptions, RecordedPosition, Statistics, TextLines,
    is_legal_string, legal_string, read_line, string, to_ascii,
};
use san::{Buffer, Position};

const FIELDS: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

#[test]
fn text_becomes_a_string_by_rules_that_a_reader_expects() {
    let long = "x".repeat(300);
    let cases: &[(&str, &str)] = &[
        ("", ""),
        ("plain text", "plain text"),
        ("\"quoted\"", "'quoted'"),
        ("  two  spaces ", "two spaces"),
        ("tab\tand\nline", "tab and line"),
        ("a\u{7f}b", "a b"),
        ("a\u{2028}b", "a b"),
        ("a\u{3000}b", "a b"),
        ("Müller", "Müller"),
        ("Müller ", "Müller"),
        (" ", ""),
        (&long, &long[..255]),
    ];
    for (text, expected) in cases {
        let legal = legal_string(text);
        assert_eq!(legal, *expected, "{text:?}");
        assert!(is_legal_string(&legal), "{text:?}");
        assert_eq!(
            matches!(string::printable(text), std::borrow::Cow::Borrowed(_)),
            string::printable(text) == *text
        );
    }
    // Text, whether it is a string unchanged, whether it has characters that are replaced.
    for (text, is_legal, has_forbidden) in [
        ("", true, false),
        ("a;b", true, false),
        ("two  spaces", true, false),
        ("a\"b", false, true),
        ("a\tb", false, false),
        ("a\u{1}b", false, true),
        ("a\u{2029}b", false, false),
        (&long[..255], true, false),
        (&long[..256], false, false),
    ] {
        assert_eq!(is_legal_string(text), is_legal, "{text:?}");
        assert_eq!(string::has_forbidden(text), has_forbidden, "{text:?}");
    }
}

#[test]
fn a_long_text_is_divided_between_words_or_where_it_must_be() {
    let word = |len| "w".repeat(len);
    let cases = [
        (String::new(), vec![]),
        (word(255), vec![255]),
        (word(256), vec![255, 1]),
        (format!("{} {}", word(254), word(3)), vec![254, 3]),
        (format!("{} {}", word(255), word(3)), vec![255, 3]),
        (format!("{} {}", word(100), word(154)), vec![255]),
        (format!("{} {}", word(100), word(155)), vec![100, 155]),
        (format!("{} {}", word(100), word(300)), vec![100, 255, 45]),
    ];
    for (text, expected) in cases {
        let lens: Vec<usize> = string::pieces(&text).map(str::len).collect();
        assert_eq!(lens, expected, "{text}");
    }
}

#[test]
fn only_a_string_that_grew_is_cut_when_it_is_transliterated() {
    let quoted = |text: String| format!("c0 \"{text}\";");
    for (text, len, cut) in [
        (quoted("щ".repeat(63)), 252, 0),
        (quoted("щ".repeat(64)), 255, 1),
        // Too long before, and outside of a string.
        (quoted("щ".repeat(128)), 512, 0),
        (quoted("x".repeat(300)), 300, 0),
    ] {
        let (ascii, found) = to_ascii(&text);
        assert_eq!((ascii.len() - quoted(String::new()).len(), found), (len, cut), "{text}");
    }
    let noop = format!("noop {};", "щ".repeat(100));
    let (ascii, cut) = to_ascii(&noop);
    assert_eq!((ascii.len(), cut), ("noop ;".len() + 400, 0));
}

#[test]
fn positions_are_counted_apart_by_every_right_and_square() {
    // Pairs of FENs, and under how many of the six definitions they differ.
    let cases = [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 0),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 1 1", 1),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 2", 1),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", 2),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1", 3),
        ("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", "4k3/8/8/3Pp3/8/8/8/4K3 w - - 0 1", 3),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1", 4),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQq - 0 1", 4),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1", 4),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", 5),
        ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "4k3/8/8/8/8/8/8/4K1B1 w - - 0 1", 6),
    ];
    for (one, other, differences) in cases {
        let mut statistics = Statistics::default();
        for fen in [one, other] {
            statistics.add(&RecordedPosition::new(&Position::from_fen(fen).unwrap()));
        }
        let report = statistics.report();
        let counts = [
            report.unique_with_clocks,
            report.unique_without_clocks,
            report.unique_without_superfluous_ep,
            report.unique_board_side_castling,
            report.unique_board_side,
            report.unique_board,
        ];
        let expected: Vec<u64> = (0..6).map(|index| 1 + u64::from(index < differences)).collect();
        assert_eq!(counts, *expected, "{one} {other}");
        assert_eq!(report.positions, 2);
        let white = [one, other].iter().filter(|fen| fen.contains(" w ")).count() as u64;
        assert_eq!(report.white_to_move, white, "{one} {other}");
        let superfluous = u64::from(one.starts_with("4k3/8/8/8/4P3"));
        assert_eq!(report.superfluous_ep, superfluous, "{one}");
    }
}

#[test]
fn lines_are_numbered_and_their_ends_are_counted() {
    let text = "one\ntwo\r\n\rfour";
    let lines: Vec<(u64, &[u8], usize)> =
        Lines::numbered(text.as_bytes(), 5).map(|l| (l.number, l.bytes, l.len_with_end)).collect();
    let expected: [(u64, &[u8], usize); 4] =
        [(5, b"one", 4), (6, b"two\r", 5), (7, b"", 1), (8, b"four", 4)];
    assert_eq!(lines, expected);
    let lines: Vec<(u64, &str)> = TextLines::new(text).collect();
    assert_eq!(lines, [(1, "one"), (2, "two"), (3, ""), (4, "four")]);
}

#[test]
fn counters_are_written_after_a_space_with_a_semicolon() {
    for number in [0, 9, 10, 99, 100, 999, 1000, 65_536] {
        let mut buffer = Buffer::default();
        let mut line = buffer.line();
        HMVC.write(number, &mut line);
        FMVN.write(number, &mut line);
        line.finish();
        let text = format!(" hmvc {number}; fmvn {number};");
        assert_eq!(std::str::from_utf8(buffer.as_bytes()), Ok(&*text));
    }
}

#[test]
fn a_line_above_1024_bytes_is_a_warning_and_a_string_above_255_an_error() {
    let line = |len: usize| format!("{FIELDS} noop {};", "x".repeat(len - FIELDS.len() - 7));
    for (len, expected) in [(1024, None), (1025, Some(1024..1025)), (1030, Some(1024..1030))] {
        let mut found = None;
        let line = line(len);
        assert_eq!(line.len(), len);
        read_line(&line, &ReadOptions::default(), &mut |fault| {
            assert_eq!(fault.kind, EpdDiagnosticKind::LongLine(len));
            found = Some(fault.at);
        });
        assert_eq!(found, expected, "{len}");
    }
    for (len, is_long) in [(255, false), (256, true)] {
        let mut kinds = Vec::new();
        let line = format!("{FIELDS} c0 \"{}\";", "x".repeat(len));
        read_line(&line, &ReadOptions::default(), &mut |fault| kinds.push(fault.kind));
        let expected = if is_long { vec![EpdDiagnosticKind::LongString(len)] } else { vec![] };
        assert_eq!(kinds, expected);
        let line = format!("{FIELDS} c0 {};", "x".repeat(len));
        kinds.clear();
        read_line(&line, &ReadOptions::default(), &mut |fault| kinds.push(fault.kind));
        assert_eq!(kinds.split_off(1), expected, "without quotes");
        assert!(matches!(kinds[..], [EpdDiagnosticKind::UnquotedString(_)]));
    }
}

#[test]
fn an_opcode_that_occurs_twice_is_found_however_many_others_there_are() {
    for (count, repeated) in [(1, 1), (16, 16), (17, 1), (17, 17), (40, 20), (40, 40), (40, 41)] {
        let names: Vec<String> = (1..=count).map(|number| format!("x{number:02} 1;")).collect();
        let line = format!("{FIELDS} {} x{repeated:02} 2;", names.join(" "));
        let mut kinds = Vec::new();
        read_line(&line, &ReadOptions::default(), &mut |fault| kinds.push(fault.kind));
        let expected = match repeated <= count {
            true => vec![EpdDiagnosticKind::Repeated(format!("x{repeated:02}"))],
            false => Vec::new(),
        };
        assert_eq!(kinds, expected, "{count} {repeated}");
    }
}
