//! Law: whichever records are omitted, a scanner of the others has the same registers as in the
//! whole text.

use proptest::prelude::*;

use super::*;
use crate::registers::writer::RecordScanner;

const FIELDS: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

/// Operations of a record in any order, registers and others, with occasional duplicates.
fn operations() -> impl Strategy<Value = String> {
    let name =
        prop::sample::select(vec!["c0", "c1", "c2", "c9", "v0", "v1", "eco", "nic", "bm", "zz"]);
    let operand = prop::sample::select(vec!["", " \"a\"", " \"b;\"", " \"a  b\""]);
    let operation = (name, operand).prop_map(|(name, operand)| format!(" {name}{operand};"));
    prop::collection::vec(operation, 0..5).prop_map(|operations| operations.concat())
}

/// The registers after each record.
fn scanned(text: &str) -> Vec<Registers> {
    let mut scanner = RecordScanner::new(text);
    let mut all = Vec::new();
    while scanner.next_record(&mut |_| {}).is_some() {
        all.push(scanner.registers().clone());
    }
    all
}

proptest! {
    #[test]
    fn registers_are_those_of_the_whole_text_whatever_is_left_out(
        records in prop::collection::vec((operations(), any::<bool>()), 0..12),
        is_minimal in any::<bool>(),
    ) {
        let whole: String = records.iter().map(|(record, _)| format!("{FIELDS}{record}\n")).collect();
        let mut keeper = RegisterKeeper { is_minimal, ..RegisterKeeper::default() };
        let mut written = Vec::new();
        for (operations, is_kept) in &records {
            if *is_kept {
                keeper.write(&format!("{FIELDS}{operations}"), FIELDS.len(), &mut written);
                written.push(b'\n');
            } else {
                keeper.pass(None, operations);
            }
        }
        let written = String::from_utf8(written).unwrap();
        let expected: Vec<Registers> = scanned(&whole)
            .into_iter()
            .zip(&records)
            .filter_map(|(registers, (_, is_kept))| is_kept.then_some(registers))
            .collect();
        prop_assert_eq!(scanned(&written), expected, "{}", written);
        for (line, (operations, _)) in written.lines().zip(records.iter().filter(|(_, kept)| *kept)) {
            let others = |text: &str| {
                text.split_inclusive(';').filter(|op| op.starts_with(" bm") || op.starts_with(" zz")).count()
            };
            prop_assert_eq!(others(&line[FIELDS.len()..]), others(operations));
        }
    }

    #[test]
    fn a_text_of_which_all_is_written_stays_as_it_is(
        records in prop::collection::vec(operations(), 0..12),
    ) {
        let mut keeper = RegisterKeeper::default();
        for operations in &records {
            let (record, mut written) = (format!("{FIELDS}{operations}"), Vec::new());
            keeper.write(&record, FIELDS.len(), &mut written);
            prop_assert_eq!(String::from_utf8(written).unwrap(), record);
        }
    }
}

#[test]
fn what_is_added_is_in_the_order_of_the_opcodes() {
    let mut keeper = RegisterKeeper::default();
    keeper.pass(None, " c0 \"game\"; c1 \"x\"; eco \"B90\"; v0 \"Sicilian\"; v1 \"Najdorf\";");
    let mut written = Vec::new();
    let record = format!("{FIELDS} bm e4; c1; id \"x\"; v1 \"Dragon\"; zz 1;");
    keeper.write(&record, FIELDS.len(), &mut written);
    let expected =
        " bm e4; c0 \"game\"; c1; eco \"B90\"; id \"x\"; v0 \"Sicilian\"; v1 \"Dragon\"; zz 1;";
    assert_eq!(String::from_utf8(written).unwrap(), format!("{FIELDS}{expected}"));
}

#[test]
fn a_label_counts_for_its_own_record() {
    let mut keeper = RegisterKeeper::default();
    let mut written = Vec::new();
    for (operations, is_label) in
        [(" c9 \"mine\";", false), (" c9 \"1-0\";", true), ("", true), ("", false)]
    {
        let record = format!("{FIELDS}{operations}");
        match is_label {
            true => keeper.write_label(&record, FIELDS.len(), &mut written),
            false => keeper.write(&record, FIELDS.len(), &mut written),
        }
        written.push(b'\n');
    }
    let registers = scanned(std::str::from_utf8(&written).unwrap());
    let results: Vec<Option<&str>> = registers.iter().map(|r| r.comment(9)).collect();
    assert_eq!(results, [Some("mine"), Some("1-0"), None, Some("mine")]);
}
