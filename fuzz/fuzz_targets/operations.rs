//! Records with all operations and templates have no errors, `rc` counts the earlier occurrences of
//! the position, and a condition and its negation divide the records.
#![no_main]

use std::collections::HashMap;
use std::num::NonZeroUsize;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use pgn2epd::epd::{Dialect, Line, Opcode, OperandRef, ReadOptions, read_line};
use pgn2epd::game::Severity;
use pgn2epd::options::{
    Comments, EnPassantPolicy, FieldStyle, Format, Keyword, Op, Ops, RegisterStyle, Template,
};
use pgn2epd::{Options, convert};
use pgn2epd_fuzz::Game;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    games: Vec<Game<'a>>,
    /// The operations.
    ops: u32,
    /// The templates.
    templates: u16,
    /// A template with any text.
    template: Option<&'a str>,
    condition: Option<Condition<'a>>,
    format: u8,
    registers: u8,
    variations: bool,
    keep_commands: bool,
    chunk_bytes: u8,
}

#[derive(Arbitrary, Debug)]
enum Condition<'a> {
    Fact(u8, u8, i16),
    Text(u8, u8, &'a str),
    Tag(u8, u8, &'a str),
    Flag(u8),
    Not(Box<Condition<'a>>),
    And(Box<Condition<'a>>, Box<Condition<'a>>),
    Or(Box<Condition<'a>>, Box<Condition<'a>>),
}

const TEMPLATES: &[&str] = &[
    "id={White}-{Black}.{ply}",
    "Aa={Result|?} {{x}}",
    "bm={san}",
    "c9={Result}",
    "ce={eval}",
    "acs={clock}",
    "pm={san}",
    "Bb={fen}",
    "Cc={key}",
    "Dd={uci|none}",
    "fmvn={move}",
    "Ee={turn}{file}",
    "Ff={WhiteElo|0}",
    "eco={ECO}",
    "dm={ply}",
    "Gg={game}.{line}",
];

fn one_of<T: Copy>(choice: u8, of: &[T]) -> T {
    of[usize::from(choice) % of.len()]
}

impl std::fmt::Display for Condition<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const SIGNS: &[&str] = &["=", "!=", "<", "<=", ">", ">=", "~"];
        match self {
            Condition::Fact(fact, sign, number) => {
                let fact = one_of(
                    *fact,
                    &[
                        "ply", "move", "pieces", "plies", "elo", "eval", "WhiteElo", "Date",
                        "clock", "line",
                    ],
                );
                write!(f, "{fact} {} {number}", one_of(*sign, &SIGNS[..6]))
            }
            Condition::Text(fact, sign, text) => {
                let fact = one_of(
                    *fact,
                    &["san", "uci", "fen", "epd", "opening", "eco", "file", "key", "turn"],
                );
                write!(f, "{fact} {} \"{}\"", one_of(*sign, SIGNS), text.replace(['"', '\\'], ""))
            }
            Condition::Tag(tag, sign, value) => {
                let tag = one_of(*tag, &["White", "Result", "Date", "WhiteElo", "turn", "ECO"]);
                write!(f, "{tag} {} \"{}\"", one_of(*sign, SIGNS), value.replace(['"', '\\'], ""))
            }
            Condition::Flag(flag) => {
                let flags = [
                    "check", "White", "Annotator", "Result", "clock", "san", "uci", "fen", "epd",
                    "opening", "eco", "line", "file", "key", "eval", "elo",
                ];
                f.write_str(one_of(*flag, &flags))
            }
            Condition::Not(inner) => write!(f, "not ({inner})"),
            Condition::And(a, b) => write!(f, "({a}) and ({b})"),
            Condition::Or(a, b) => write!(f, "({a}) or ({b})"),
        }
    }
}

impl Input<'_> {
    fn options(&self) -> Options {
        let ops: Vec<Op> = Op::ALL
            .iter()
            .copied()
            .enumerate()
            .filter(|(bit, _)| self.ops >> bit & 1 == 0)
            .map(|(_, op)| op)
            .collect();
        let chosen = TEMPLATES.iter().enumerate().filter(|(bit, _)| self.templates >> bit & 1 == 1);
        let mut templates: Vec<_> =
            chosen.map(|(_, text)| text.parse().expect("it is a template")).collect();
        let other: Option<Template> = self.template.and_then(|text| text.parse().ok());
        // Games do not have the operations of records.
        templates.extend(other.filter(|template| template.operations().next().is_none()));
        Options::default()
            .format(one_of(self.format, &[Format::Epd, Format::Epd, Format::Fen]))
            .ops(Some(Ops::of(&ops).into()))
            .templates(templates)
            .registers(Some(one_of(
                self.registers,
                &[RegisterStyle::Delta, RegisterStyle::Full, RegisterStyle::Off],
            )))
            .variations(self.variations)
            .comments(if self.keep_commands { Comments::Raw } else { Comments::Cut })
            .file("games.pgn".into())
    }
}

fn run(text: &str, options: &Options, jobs: usize, chunk_bytes: usize) -> String {
    let options = options.clone().jobs(NonZeroUsize::new(jobs)).chunk_bytes(chunk_bytes);
    let mut output = Vec::new();
    convert(text.as_bytes(), &mut output, &options).expect("memory can be read and written");
    String::from_utf8(output).expect("records are UTF-8")
}

/// Checks that `part` has some of the lines, in order.
fn is_part(part: &str, all: &str) -> bool {
    let mut all = all.lines();
    part.lines().all(|line| all.any(|other| other == line))
}

/// The number of occurrences of each position of a main line so far, itself included.
fn repetitions(positions: &[pgn2epd::Position]) -> Vec<i64> {
    let mut counts: HashMap<String, i64> = HashMap::new();
    let style = FieldStyle { en_passant: EnPassantPolicy::Legal, ..FieldStyle::default() };
    let mut seen = |position: &pgn2epd::Position| {
        let mut fields = san::Buffer::default();
        let mut line = fields.line();
        san::write_fields(position, style, &mut line);
        line.finish();
        let count =
            counts.entry(String::from_utf8_lossy(fields.as_bytes()).into_owned()).or_default();
        *count += 1;
        *count
    };
    positions.iter().map(&mut seen).collect()
}

fuzz_target!(|input: Input<'_>| {
    let games: Vec<_> = input.games.iter().take(4).map(|game| game.write(80)).collect();
    let text: String = games.iter().map(|game| game.text.as_str()).collect();
    let options = input.options();
    let whole = run(&text, &options, 1, 4 << 20);
    assert_eq!(run(&text, &options, 2, 1 + usize::from(input.chunk_bytes)), whole);

    let standard = ReadOptions { dialect: Some(Dialect::Standard), ..ReadOptions::default() };
    // A template may contradict the position, and moves of variations have another notation.
    if options.format == Format::Epd && options.templates.is_empty() && !input.variations {
        let mut repetitions = games.iter().flat_map(|game| repetitions(&game.positions));
        for line in whole.lines() {
            let read = read_line(line, &standard, &mut |fault| {
                assert_ne!(fault.kind.severity(), Severity::Error, "{line}: {}", fault.kind);
            });
            let Line::Record(record) = read else { panic!("no record: {line}") };
            let Some(repetition) = repetitions.next() else {
                panic!("a record more than positions: {text}")
            };
            if input.ops >> Op::Rc as u32 & 1 == 0 {
                let Some(OperandRef::Integer(count)) = record.get(Opcode::Rc) else {
                    panic!("no rc: {line}")
                };
                assert_eq!(count, repetition, "{line}");
            }
        }
        assert_eq!(repetitions.next(), None, "{text}");
    }
    if let Some(condition) = &input.condition {
        // A register of a template is cleared in the first record without it that is written.
        let sets_no_register = |template: &Template| {
            Opcode::from_name(template.opcode()).and_then(Opcode::register).is_none()
        };
        let mut templates = options.templates.clone();
        templates.retain(sets_no_register);
        let all = options.templates(templates).registers(Some(RegisterStyle::Off));
        let (yes, no) = (condition.to_string(), format!("not ({condition})"));
        let (Ok(yes), Ok(no)) = (yes.parse(), no.parse()) else { return };
        let where_ = |filter| run(&text, &all.clone().filter(Some(filter)), 1, 1 << 20);
        let (yes, no, all) = (where_(yes), where_(no), run(&text, &all, 1, 1 << 20));
        assert!(is_part(&yes, &all) && is_part(&no, &all), "{condition}");
        assert_eq!(yes.lines().count() + no.lines().count(), all.lines().count(), "{condition}");
    }
});
