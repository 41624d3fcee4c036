//! Written records, read back: they follow the grammar, have no errors, and are equal by all code
//! paths.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use pgn2epd::Options;
use pgn2epd::epd::{CheckOptions, Checker, EpdDiagnostic, LineDiagnostic, Record, Scanner};
use pgn2epd::options::{
    EnPassantPolicy, FieldStyle, Keyword, NameSource, Op, Ops, Preference, RegisterStyle,
};
use testkit::cost::{assert_linear, cost};
use testkit::generate::records;
use testkit::grammar;
use testkit::shared::{corpus_pgn, is_full};

use crate::support::convert;

/// The problems of a text of records, and the repaired text.
fn check(text: &[u8], options: CheckOptions) -> (Vec<String>, Vec<u8>) {
    let (mut said, mut written) = (Vec::new(), Vec::new());
    let mut checker = Checker::new(options);
    let mut tell = |fault: &LineDiagnostic| {
        if !is_of_the_games(fault.kind.name()) {
            said.push(fault.to_string());
        }
    };
    checker.check(text, &mut written, &mut tell, &mut |_| Ok(())).unwrap();
    (said, written)
}

/// In a few games the counters of the FEN tag are impossible in a game. Names are not always ASCII.
/// Equal positions of generated records have other best moves. A file of Chess960 is known by its
/// kings.
fn is_of_the_games(kind: &str) -> bool {
    matches!(kind, "clocks" | "not-ascii" | "chess960")
}

fn no_fault(fault: EpdDiagnostic) {
    assert!(is_of_the_games(fault.kind.name()), "{fault:?}");
}

fn with_registers(registers: RegisterStyle) -> Options {
    Options::default().registers(Some(registers)).names(NameSource::Tags)
}

#[test]
fn records_of_the_corpus_follow_the_grammar_and_are_written_back_unchanged() {
    let delta = with_registers(RegisterStyle::Delta);
    let everything = delta.clone().ops(Some(Ops::of(Op::ALL).into()));
    // With all operations the check takes long: every fourth file.
    let is_taken = |number: &usize| number % 4 == 1 || is_full();
    let with_all = corpus_pgn().enumerate().filter(|(number, _)| is_taken(number));
    let ways = corpus_pgn().map(|file| (file, &delta));
    for (file, options) in ways.chain(with_all.map(|(_, file)| (file, &everything))) {
        let converted = convert(&file.read_first().unwrap(), options);
        let options = CheckOptions::default().fix(true);
        let (said, written) = check(&converted.output, options);
        assert!(said.is_empty(), "{}: {:?}", file.name, &said[..said.len().min(5)]);
        for (value, line) in written.split(|b| *b == b'\n').zip(converted.lines()) {
            assert_eq!(std::str::from_utf8(value), Ok(line), "{}", file.name);
            assert!(grammar::is_record(line), "{}: {line}", file.name);
        }
        assert!(written == converted.output, "{}", file.name);
    }
}

#[test]
fn changed_registers_scan_to_those_of_records_that_stand_alone() {
    for file in corpus_pgn() {
        let pgn = file.read_first().unwrap();
        let delta = convert(&pgn, &with_registers(RegisterStyle::Delta));
        let full = convert(&pgn, &with_registers(RegisterStyle::Full));
        let text = |output| std::str::from_utf8(output).unwrap();
        let mut of_delta = Scanner::new(text(&delta.output));
        let mut lines = text(&full.output).lines();
        while let Some(record) = of_delta.next_record(&mut no_fault) {
            let mut of_full = Scanner::new(lines.next().unwrap());
            let other = of_full.next_record(&mut no_fault).unwrap();
            assert_eq!(record.position(), other.position());
            let line = of_delta.line_number();
            assert_eq!(of_delta.registers(), of_full.registers(), "{}:{line}", file.name);
        }
        assert!(lines.next().is_none());
        let (said, _) = check(&full.output, CheckOptions::default());
        assert!(said.is_empty(), "{}: {:?}", file.name, &said[..said.len().min(5)]);
    }
}

#[test]
fn a_check_does_not_depend_on_the_number_of_threads() {
    // Several blocks of half a megabyte, with problems in all of them.
    let mut text = String::from_utf8(records(1, 20_000)).unwrap();
    text = text.replace("bm ", "bm  ").replace(" w - - ", " w - - 0 1 ");
    let run = |jobs| {
        let jobs = NonZeroUsize::new(jobs);
        let options = CheckOptions::default().fix(true).jobs(jobs).statistics(true);
        let mut checker = Checker::new(options);
        let (mut said, mut written) = (Vec::new(), Vec::new());
        let mut tell = |fault: &_| said.push(LineDiagnostic::clone(fault));
        checker.check(text.as_bytes(), &mut written, &mut tell, &mut |_| Ok(())).unwrap();
        (said, written, checker.counts(), checker.statistics())
    };
    let alone = run(1);
    assert!(alone.0.len() > 1000 && alone.0.iter().any(|fault| fault.line > 10_000));
    assert!(run(3) == alone);
}

#[test]
fn the_first_of_equal_positions_is_kept_whatever_its_counters() {
    let text = records(3, 5000);
    let written = convert(&text, &Options::default().unique(Some(Preference::First))).output;
    let mut seen: HashMap<String, ()> = HashMap::new();
    let mut expected = String::new();
    for line in String::from_utf8(text).unwrap().lines() {
        let record: Record = line.parse().unwrap();
        let mut buffer = san::Buffer::default();
        let mut fields = buffer.line();
        let style = FieldStyle { en_passant: EnPassantPolicy::Legal, ..FieldStyle::default() };
        san::write_fields(record.position(), style, &mut fields);
        fields.finish();
        let key = String::from_utf8_lossy(buffer.as_bytes()).into_owned();
        if seen.insert(key, ()).is_none() {
            expected += &record.to_string();
            expected.push('\n');
        }
    }
    assert!(expected.lines().count() < 5000);
    assert!(written == expected.as_bytes());
}

#[test]
fn generated_records_have_no_errors() {
    let (said, _) = check(&records(2, 20_000), CheckOptions::default());
    assert!(said.is_empty(), "{:?}", &said[..said.len().min(5)]);
}

#[test]
fn a_line_costs_time_in_proportion_to_its_length() {
    type Part = fn(usize) -> String;
    let cases: [(&str, Part); 8] = [
        ("", |n| format!("x{n} 1;")),
        ("", |n| format!("x{} 1;", 1_000_000 - n)),
        ("", |_| "c0 1;".to_owned()),
        ("", |_| ";D1 20 ".to_owned()),
        ("bm", |_| " e2e4".to_owned()),
        ("bm e4", |_| " +".to_owned()),
        ("", |_| "hmvc 0 ".to_owned()),
        ("", |_| "id \"a\\\" ".to_owned()),
    ];
    for (first, part) in cases {
        let line = |parts: usize| {
            let parts: String = (0..parts).map(part).collect();
            format!("4k3/8/8/8/8/8/4P3/4K3 w - - {first}{parts}\n")
        };
        assert_linear(&part(1), 2_000, |parts| {
            let line = line(parts);
            let options = CheckOptions::default().fix(true).jobs(NonZeroUsize::new(1));
            let check = cost(|| drop(check(line.as_bytes(), options.clone())));
            let show = cost(|| drop(pgn2epd::diagram::illustrate::records(&line, &mut |_| {})));
            [check, show]
        });
    }
}
