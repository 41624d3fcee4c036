//! The records that a conversion writes, read back: in the grammar, without a fault, the same by every way.

#[path = "../crates/emit/tests/grammar.rs"]
mod grammar;

use std::collections::HashMap;
use std::num::NonZeroUsize;

use pgn2epd::epd::{CheckOptions, Checker, Fault, Form, LineFault, Record, Rewrite, Scanner};
use pgn2epd::{EnPassantPolicy, FieldStyle, NameSource, Op, Ops, Options, RegisterStyle};
use testkit::generate::records;
use testkit::shared::corpus_pgn;

use crate::support::convert;

/// What is said of a text of records, and what is written of it.
fn check(text: &[u8], options: CheckOptions) -> (Vec<String>, Vec<u8>) {
    let (mut said, mut written) = (Vec::new(), Vec::new());
    let mut checker = Checker::new(options);
    let mut tell = |fault: &LineFault| {
        if fault.kind.name() != CLOCKS {
            said.push(fault.to_string());
        }
    };
    checker.check(text, &mut written, &mut tell).unwrap();
    (said, written)
}

/// The clocks of a few games are those of their FEN tag, and no game can have them.
const CLOCKS: &str = "clocks";

fn no_fault(fault: Fault) {
    assert_eq!(fault.kind.name(), CLOCKS, "{fault:?}");
}

fn with_registers(registers: RegisterStyle) -> Options {
    Options { registers, names: NameSource::Tags, ..Options::default() }
}

#[test]
fn the_records_of_the_corpus_are_in_the_grammar_and_without_fault_and_written_as_values_the_same() {
    let delta = with_registers(RegisterStyle::Delta);
    let everything = Options { ops: Some(Ops::of(&Op::ALL)), ..delta.clone() };
    let ways = corpus_pgn().flat_map(|file| [(file.clone(), &delta), (file, &everything)]);
    for (file, options) in ways {
        let converted = convert(&file.read().unwrap(), options);
        let normal = Some(Rewrite::Normal(Form::Epd, FieldStyle::default()));
        let options = CheckOptions { rewrite: normal, ..CheckOptions::default() };
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
fn registers_where_they_change_and_registers_everywhere_scan_to_the_same() {
    for file in corpus_pgn() {
        let pgn = file.read().unwrap();
        let delta = convert(&pgn, &with_registers(RegisterStyle::Delta));
        let full = convert(&pgn, &with_registers(RegisterStyle::Full));
        let text = |output| std::str::from_utf8(output).unwrap();
        let mut of_delta = Scanner::new(text(&delta.output));
        let mut of_full = Scanner::new(text(&full.output));
        while let Some(record) = of_delta.next_record(&mut no_fault) {
            let other = of_full.next_record(&mut no_fault).unwrap();
            assert_eq!(record.position(), other.position());
            let line = of_delta.line_number();
            assert_eq!(of_delta.registers(), of_full.registers(), "{}:{line}", file.name);
        }
        assert!(of_full.next_record(&mut |_| {}).is_none());
        assert!(delta.output.len() <= full.output.len(), "{}", file.name);
        let (said, _) = check(&full.output, CheckOptions::default());
        assert!(said.is_empty(), "{}: {:?}", file.name, &said[..said.len().min(5)]);
    }
}

#[test]
fn a_check_does_not_depend_on_the_number_of_threads() {
    // Blocks of half a megabyte: several of them, with faults in all.
    let mut text = String::from_utf8(records(1, 20_000)).unwrap();
    text = text.replace("bm ", "bm  ").replace(" w - - ", " w - - 0 1 ");
    let run = |jobs, unique| {
        let normal = Some(Rewrite::Normal(Form::Epd, FieldStyle::default()));
        let jobs = NonZeroUsize::new(jobs);
        let statistics = true;
        let options =
            CheckOptions { rewrite: normal, jobs, unique, statistics, ..CheckOptions::default() };
        let mut checker = Checker::new(options);
        let (mut said, mut written) = (Vec::new(), Vec::new());
        checker
            .check(text.as_bytes(), &mut written, &mut |fault| said.push(fault.clone()))
            .unwrap();
        (said, written, checker.counts(), checker.statistics())
    };
    for unique in [false, true] {
        let alone = run(1, unique);
        assert!(alone.0.len() > 1000 && alone.0.iter().any(|fault| fault.line > 10_000));
        assert!(run(3, unique) == alone);
    }
}

#[test]
fn the_first_of_equal_positions_is_kept_and_its_clocks_do_not_count() {
    let text = records(3, 5000);
    let options = CheckOptions {
        rewrite: Some(Rewrite::AsTheyStand),
        unique: true,
        ..CheckOptions::default()
    };
    let (_, written) = check(&text, options);
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
            expected += line;
            expected.push('\n');
        }
    }
    assert!(expected.lines().count() < 5000);
    assert!(written == expected.as_bytes());
}

#[test]
fn generated_records_have_no_fault() {
    let (said, _) = check(&records(2, 20_000), CheckOptions::default());
    assert!(said.is_empty(), "{:?}", &said[..said.len().min(5)]);
}
