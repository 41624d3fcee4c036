//! Registers of records, whether they come from the game or from templates.

use std::collections::BTreeMap;

use emit::{Op, Ops, Plan};
use epd::RegisterStyle;
use testkit::generate::{Generator, Style};

use crate::support::{bare, lines, replay};

/// The registers of a program that reads records, by their opcodes.
type Registers = BTreeMap<String, String>;

/// Applies the operations of a record as the standard says (EPD 5.5, 5.12, 5.16, 5.26).
fn read(record: &str, registers: &mut Registers) {
    let operations = record.splitn(5, ' ').nth(4).unwrap_or_default();
    // Strings have no semicolon followed by a space and an opcode only if they are odd, which these
    // games are not.
    let mut rest = operations;
    while !rest.is_empty() {
        let (opcode, after) = rest.split_at(rest.find([' ', ';']).unwrap());
        let (operand, after) = match after.strip_prefix(" \"") {
            Some(string) => string.split_once('"').map(|(text, rest)| (Some(text), rest)).unwrap(),
            None => (None, &after[after.find(';').unwrap()..]),
        };
        rest = after.trim_start_matches(|c| c != ';')[1..].trim_start();
        let (family, rank) = opcode.split_at(1);
        let is_ranked = matches!(family, "c" | "v") && rank.parse::<u8>().is_ok();
        if is_ranked {
            registers.retain(|other, _| !other.starts_with(family) || &other[1..] < rank);
        } else if !matches!(opcode, "eco" | "nic") {
            continue;
        }
        registers.remove(opcode);
        registers.extend(operand.map(|text| (opcode.to_owned(), text.to_owned())));
    }
}

/// Returns the registers at each record, read one after the other or each alone.
fn states(records: &[&str], alone: bool) -> Vec<Registers> {
    let mut held = Registers::new();
    let mut state = |record: &&str| {
        if alone {
            held.clear();
        }
        read(record, &mut held);
        held.clone()
    };
    records.iter().map(&mut state).collect()
}

const GAMES: &str = "[Event \"E\"]\n\n1. e4 {a comment} e6 2. Nf3 c5 3. d4 (3. c3 {another} d5 {more}) 3... cxd4 4. Nxd4 *\n\n\
    [White \"W\"]\n\n1. d4 {good} *\n\n[Event \"F\"]\n[ECO \"A00\"]\n[Opening \"Mine\"]\n\n1. a3 e5 2. a4 {?} *\n";

const TEMPLATES: &[&[&str]] = &[
    &[],
    &["v0={Event}"],
    &["c1={san}"],
    &["c0={White}"],
    &["c3={Event}", "v1={san}"],
    &["v9={Event}", "c9={san}"],
    &["eco={White}", "nic={san}"],
    &["v2={san}", "c0={Event} {san}", "c5={ply}", "eco={ECO}"],
    &["c1={Event}", "c1={White}"],
];

fn plans() -> Vec<Plan> {
    let ops = ["none", "sm,v", "sm,c", "c,v,eco,nic,Rav,sm,fmvn", "eco"];
    let mut plans = Vec::new();
    for (ops, templates) in ops.iter().flat_map(|ops| TEMPLATES.iter().map(move |own| (ops, own))) {
        for (variations, names) in [
            (false, openings::NameSource::Embedded),
            (true, openings::NameSource::Embedded),
            (true, openings::NameSource::Tags),
        ] {
            let templates = templates.iter().map(|template| template.parse().unwrap()).collect();
            let ops: Ops = ops.parse().unwrap();
            plans.push(Plan { ops, templates, variations, names, ..Plan::default() });
        }
    }
    plans
}

#[test]
fn records_that_are_read_in_order_have_the_registers_of_records_that_stand_alone() {
    let generated = Generator::text(Style::Annotated, 5, 20_000);
    let generated = String::from_utf8_lossy(&generated).into_owned();
    for games in [GAMES, &generated] {
        for plan in plans() {
            for filter in [None, Some("ply > 1 and turn = b"), Some("pieces < 32 or ply = 0")] {
                let filter = filter.map(|text| text.parse().unwrap());
                let plan = Plan { filter, ..plan.clone() };
                let delta = replay(games, &plan);
                let full = replay(games, &Plan { registers: RegisterStyle::Full, ..plan.clone() });
                let (delta, full) = (lines(&delta), lines(&full));
                let expected = states(&full, true);
                assert_eq!(states(&delta, false), expected, "{plan:?}");
                assert_eq!(states(&full, false), expected, "{plan:?}");
            }
        }
    }
}

#[test]
fn a_register_of_a_template_clears_no_other_and_does_not_outlast_its_value() {
    let with = |template: &str, ops: Ops| {
        let (templates, names) = (vec![template.parse().unwrap()], openings::NameSource::Embedded);
        let plan = Plan { templates, ops, names, ..bare() };
        let text = replay("[Event \"E\"]\n\n1. e4 e6 2. Nf3 c5 3. d4 cxd4 4. Nxd4 *\n", &plan);
        states(&lines(&text), false)
    };
    let states = with("v0={Event}", Ops::of(&[Op::Sm, Op::V]));
    let names = |registers: &Registers| registers.values().cloned().collect::<Vec<_>>().join(", ");
    let names: Vec<String> = states.iter().map(names).collect();
    let french = ["E, French Variation", "E, French Variation, Open", "E, French Variation, Open"];
    assert_eq!(names[names.len() - 3..], french);
    let states = with("c1={san}", Ops::of(&[Op::Sm, Op::C]));
    assert_eq!(states[6]["c1"], "Nxd4");
    assert_eq!(states[7].get("c1"), None);
}

#[test]
fn a_template_is_in_each_record_that_has_its_value() {
    let plan = Plan { templates: vec!["c9={Result}".parse().unwrap()], ..bare() };
    let text = replay("[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n1. d4 *\n", &plan);
    let has_result = |record: &&str| record.ends_with(" c9 \"1-0\";");
    let lines = lines(&text);
    assert!(lines[..3].iter().all(has_result), "{lines:?}");
    // The next game has no result.
    assert!(lines[3].ends_with(" c9;") && !lines[4].contains("c9"), "{lines:?}");
}
