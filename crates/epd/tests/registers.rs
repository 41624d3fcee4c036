//! Registers of a program that scans records, and records that are left out while their registers
//! are kept.

use epd::{
    Dialect, ReadOptions, RecordScanner, Register, RegisterClearer, RegisterKeeper, Registers,
};

const FIELDS: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

#[test]
fn a_register_is_named_by_its_family_and_rank() {
    for rank in 0..10 {
        let (comment, variation) =
            (Register::comment(rank).unwrap(), Register::variation(rank).unwrap());
        assert_eq!(format!("{comment:?} {variation:?}"), format!("c{rank} v{rank}"));
    }
    assert_eq!((Register::comment(10), Register::variation(10)), (None, None));
    assert_eq!(format!("{:?} {:?}", Register::ECO, Register::NIC), "eco nic");
    let all: Vec<usize> = Register::all().map(Register::index).collect();
    assert_eq!(all, (0..22).collect::<Vec<_>>());
    assert_eq!(Register::COUNT, 22);
}

#[test]
fn registers_are_read_by_family_and_rank() {
    let mut registers = Registers::default();
    registers.apply(Register::comment(0).unwrap(), Some("game"));
    registers.apply(Register::comment(3).unwrap(), Some("third"));
    registers.apply(Register::variation(1).unwrap(), Some("Najdorf"));
    registers.apply(Register::ECO, Some("B90"));
    registers.apply(Register::NIC, Some("SI 14.9"));
    assert_eq!((registers.comment(0), registers.comment(3)), (Some("game"), Some("third")));
    assert_eq!((registers.comment(1), registers.comment(10)), (None, None));
    assert_eq!((registers.variation(1), registers.variation(10)), (Some("Najdorf"), None));
    assert_eq!((registers.eco(), registers.nic()), (Some("B90"), Some("SI 14.9")));
    let expected = r#"{c0: "game", c3: "third", v1: "Najdorf", eco: "B90", nic: "SI 14.9"}"#;
    assert_eq!(format!("{registers:?}"), expected);
    // `c1` without an operand clears what is ranked above it, `set` clears nothing.
    registers.apply(Register::comment(1).unwrap(), None);
    registers.set(Register::comment(0).unwrap(), "other");
    registers.set(Register::ECO, "C00");
    let expected = r#"{c0: "other", v1: "Najdorf", eco: "C00", nic: "SI 14.9"}"#;
    assert_eq!(format!("{registers:?}"), expected);
    assert_ne!(registers, Registers::default());
}

#[test]
fn a_scanner_skips_what_is_no_record_and_tells_the_line() {
    let text = format!(
        "# comment\n\n{FIELDS} c0 \"a\"; eco \"B90\";\nnot a record\n{FIELDS} eco;\r\n{FIELDS} c1 3;\n"
    );
    let mut scanner = RecordScanner::new(&text);
    let mut faults = 0;
    let mut seen = Vec::new();
    while let Some(record) = scanner.next_record(&mut |_| faults += 1) {
        let registers = scanner.registers();
        let (comment, eco) = (registers.comment(0), registers.eco().unwrap_or("-"));
        seen.push(format!("{} {comment:?} {eco} {}", scanner.line_number(), record.dialect()));
    }
    assert_eq!(seen, ["3 Some(\"a\") B90 epd", "5 Some(\"a\") - epd", "6 Some(\"a\") - epd"]);
    assert!(faults > 0);
    let options =
        ReadOptions { dialect: Some(Dialect::Perl), moves: false, ..ReadOptions::default() };
    let mut scanner = RecordScanner::with_options(&text, options);
    assert_eq!(scanner.next_record(&mut |_| {}).unwrap().dialect(), Dialect::Perl);
}

fn written(keeper: &mut RegisterKeeper, operations: &str) -> String {
    let mut out = Vec::new();
    keeper.write(&format!("{FIELDS}{operations}"), FIELDS.len(), &mut out);
    String::from_utf8(out).unwrap().replace(FIELDS, "")
}

/// The registers after each record of a text, and the names of its operations.
fn scanned(text: &str) -> Vec<(Registers, Vec<String>)> {
    let mut scanner = RecordScanner::new(text);
    let mut all = Vec::new();
    while let Some(record) = scanner.next_record(&mut |_| {}) {
        let names = record.operations().map(|operation| operation.name().to_owned()).collect();
        all.push((scanner.registers().clone(), names));
    }
    all
}

#[test]
fn complete_records_in_any_order_have_their_own_registers_alone() {
    let records = [
        "",
        " acd 5; acn 7; ce 3;",
        " acd 5; c0 \"a\"; ce 3; fmvn 1; hmvc 0; sm e4; zz 1;",
        " c0 \"a\"; c1 \"b; c\"; c2; eco \"B90\"; nic \"SI 1\"; v0 \"Sicilian\";",
        " bm e4 d4; c1; eco; v0; v1 \"Najdorf\";",
        " c9 \"1-0\"; id \"a\"; v0 \"Sicilian\"; v1 \"Najdorf\"; v2 \"English Attack\"; w 1;",
        " Rav \"7 Be7\"; eco \"C50\"; fmvn 1;",
        " c1 \"b\"; v0 \"Sicilian\"; v3;",
    ];
    // What the reader has read before, and the registers that are cleared because of it.
    let comment = |rank| Register::comment(rank).unwrap();
    let before = [
        ("", vec![]),
        (" c0 \"x\"; c3 \"y\"; eco \"A00\";", vec![comment(0), Register::ECO]),
        (" c9 \"x\"; v2 \"y\";", vec![comment(9), Register::variation(2).unwrap()]),
    ];
    for (before, unknown) in before {
        for number in 0..records.len().pow(3) {
            let chosen = [1, 8, 64].map(|unit| records[number / unit % records.len()]);
            let mut clearer = RegisterClearer::new(&unknown);
            let mut out = format!("{FIELDS}{before}\n").into_bytes();
            for record in chosen {
                clearer.write(&format!("{FIELDS}{record}"), &mut out);
                out.push(b'\n');
            }
            let text = String::from_utf8(out).unwrap();
            // Records before the first with registers stay as they are.
            let mut has_begun = unknown.is_empty();
            for ((registers, names), record) in scanned(&text).into_iter().skip(1).zip(chosen) {
                let (alone, own) = scanned(&format!("{FIELDS}{record}")).remove(0);
                let is_register = |name: &String| {
                    matches!(name.as_bytes(), [b'c' | b'v', b'0'..=b'9'])
                        || name == "eco"
                        || name == "nic"
                };
                has_begun |= own.iter().any(is_register);
                if has_begun {
                    assert_eq!(registers, alone, "{text}");
                }
                assert!(names.is_sorted(), "{text}");
                let mut left = names.clone();
                left.retain(|name| own.contains(name));
                assert_eq!(left, own, "{text}");
                assert!(names.iter().all(|name| own.contains(name) || is_register(name)), "{text}");
            }
        }
    }
}

#[test]
fn a_record_can_be_written_unchanged_if_nothing_was_left_out() {
    let mut keeper = RegisterKeeper::default();
    assert!(keeper.is_level());
    keeper.pass(None, " bm e4;");
    assert!(keeper.is_level());
    keeper.pass(None, " c0 \"a\";");
    assert!(!keeper.is_level());
    assert_eq!(written(&mut keeper, " bm e4;"), " bm e4; c0 \"a\";");
    assert!(keeper.is_level());
    keeper.begin();
    assert!(!keeper.is_level());
    assert_eq!(written(&mut keeper, " bm e4;"), " bm e4; c0;");
    keeper.begin();
    assert!(keeper.is_level());
}

#[test]
fn full_records_are_reduced_to_what_changes() {
    let records = [" c0 \"a\"; c1 \"b\";", " c0 \"a\"; c1 \"c\";", " c0 \"a\"; eco \"B90\";", ""];
    for (is_minimal, expected) in [
        (false, [records[0], records[1], records[2], " c0; eco;"]),
        (true, [records[0], " c1 \"c\";", " c1; eco \"B90\";", " c0; eco;"]),
    ] {
        let mut keeper = RegisterKeeper::of_full_records(is_minimal);
        for (record, expected) in records.into_iter().zip(expected) {
            keeper.begin();
            assert_eq!(written(&mut keeper, record), expected, "{is_minimal}");
        }
    }
}

#[test]
fn operations_are_inserted_in_ascii_order_and_the_end_of_the_line_is_kept() {
    let cases = [
        ("", " c1 \"x\";"),
        (" ;", " c1 \"x\";"),
        (" bm e4;\r", " bm e4; c1 \"x\";\r"),
        (" id \"a\" ; bm e4", " c1 \"x\"; id \"a\"; bm e4;"),
        (" bm e4; zz \"open", " bm e4; c1 \"x\"; zz \"open\";"),
        (" c1 \"y\";", " c1 \"y\";"),
        (" c2 \"y\";", " c1 \"x\"; c2 \"y\";"),
        (" c0 \"y\";", " c0 \"y\";"),
    ];
    for (operations, expected) in cases {
        let mut keeper = RegisterKeeper::reading(None);
        keeper.pass(None, " c1 \"x\";");
        assert_eq!(written(&mut keeper, operations), expected, "{operations:?}");
    }
}

#[test]
fn the_registers_of_an_omitted_record_are_read_in_its_dialect() {
    let cases = [
        (Some(Dialect::Scid), " c0 \"a\\sb\";", " c0 \"a;b\";"),
        (Some(Dialect::Standard), " c0 \"a\\sb\";", " c0 \"a\\sb\";"),
        (Some(Dialect::PythonChess), " c0 \"say \\\"hi\\\"\";", " c0 \"say 'hi'\";"),
    ];
    for (dialect, operations, expected) in cases {
        let mut keeper = RegisterKeeper::default();
        keeper.pass(dialect, operations);
        assert_eq!(written(&mut keeper, ""), expected, "{dialect:?}");
    }
}

#[test]
fn a_label_has_registers_only_for_its_own_record() {
    let mut keeper = RegisterKeeper::default();
    keeper.pass(None, " c8 \"mine\"; c9 \"1-0\";");
    let mut out = Vec::new();
    keeper.write_label(&format!("{FIELDS} c9 \"0-1\";"), FIELDS.len(), &mut out);
    assert_eq!(String::from_utf8(out).unwrap(), format!("{FIELDS} c8 \"mine\"; c9 \"0-1\";"));
    assert!(!keeper.is_level());
    assert_eq!(written(&mut keeper, ""), " c9 \"1-0\";");
}
