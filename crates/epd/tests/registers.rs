//! Registers of a program that scans records, and records that are left out while their registers
//! are kept.

use epd::{
    Dialect, Operand, OperationList, PackedOpcode, ReadOptions, Record, RecordScanner, Register,
    RegisterKeeper, RegisterPlaces, Registers,
};
use san::Buffer;

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
    assert_eq!(
        scanner.next_record(&mut |_| {}).map(|record| record.dialect()),
        Some(Dialect::Perl)
    );
}

fn written(keeper: &mut RegisterKeeper, operations: &str) -> String {
    let mut out = Vec::new();
    keeper.write(&format!("{FIELDS}{operations}"), FIELDS.len(), &mut out);
    String::from_utf8(out).unwrap().replace(FIELDS, "")
}

/// Writes the record from values, and passes on the places noted meanwhile.
fn written_by_places(keeper: &mut RegisterKeeper, operations: &str) -> String {
    let record: Record = format!("{FIELDS}{operations}").parse().unwrap();
    let mut list = OperationList::default();
    for operation in record.operations() {
        let name = PackedOpcode::new(operation.name());
        match operation.operand() {
            Operand::Text(text) => list.string(name, text),
            Operand::Nothing => list.bare(name),
            Operand::Integer(number) => list.number(name, *number),
            Operand::Evaluation(centipawns) => list.number(name, centipawns.get().into()),
            Operand::Move(word) | Operand::Raw(word) => list.word(name, word),
            Operand::Moves(moves) => list.moves(name, moves),
            Operand::Texts(first, second) => list.strings(name, first, second),
        }
    }
    list.sort();
    let (mut buffer, mut places) = (Buffer::default(), RegisterPlaces::default());
    // The record does not begin at the start of the buffer.
    buffer.extend(b"before\n");
    let start = buffer.len();
    buffer.extend(FIELDS.as_bytes());
    list.write_before(PackedOpcode::LAST, &mut buffer, Some((start, &mut places)));
    let record = std::str::from_utf8(&buffer.as_bytes()[start..]).unwrap();
    let mut out = Vec::new();
    keeper.write_placed(record, places.as_slice(), &mut out);
    String::from_utf8(out).unwrap().replace(FIELDS, "")
}

#[test]
fn noted_places_of_registers_have_the_effect_of_reading_the_text() {
    let records = [
        "",
        " acd 5; acn 7; ce 3;",
        " acd 5; c0 \"a\"; ce 3; fmvn 1; hmvc 0; sm e4; zz 1;",
        " c0 \"a\"; c1 \"b; c\"; c2; eco \"B90\"; nic \"SI 1\"; v0 \"Sicilian\";",
        " bm e4; c1; eco; v0; v1 \"Najdorf\";",
        " c9 \"1-0\"; id \"a\"; v0 \"Sicilian\"; v1 \"Najdorf\"; v2 \"English Attack\"; w 1;",
        " Rav \"7 Be7\"; eco \"C50\"; fmvn 1;",
    ];
    let families = || vec![Register::comment(0).unwrap(), Register::ECO];
    let keepers: [fn(Vec<Register>) -> RegisterKeeper; 3] = [
        |_| RegisterKeeper::default(),
        |families| RegisterKeeper::of_full_records(families, false),
        |families| RegisterKeeper::of_full_records(families, true),
    ];
    for keeper in keepers {
        for (first, second) in records.iter().flat_map(|a| records.iter().map(move |b| (a, b))) {
            for begins in [false, true] {
                let (mut read, mut placed) = (keeper(families()), keeper(families()));
                for record in [first, second, first] {
                    if begins {
                        read.begin();
                        placed.begin();
                    }
                    let expected = written(&mut read, record);
                    assert_eq!(written_by_places(&mut placed, record), expected, "{record}");
                }
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
    let full = RegisterKeeper::of_full_records(vec![Register::ECO], false);
    assert!(!full.is_level());
}

#[test]
fn the_first_of_full_records_sets_its_families_whatever_was_before() {
    let families = || vec![Register::comment(0).unwrap(), Register::ECO];
    // Minimal or not, and what becomes of three records.
    let records = [" c0 \"a\"; c1 \"b\";", " c0 \"a\"; c1 \"c\";", " c0 \"a\"; eco \"B90\";"];
    for (is_minimal, expected) in [
        (false, [" c0 \"a\"; c1 \"b\"; eco;", records[1], " c0 \"a\"; eco \"B90\";"]),
        (true, [" c0 \"a\"; c1 \"b\"; eco;", " c1 \"c\";", " c1; eco \"B90\";"]),
    ] {
        let mut keeper = RegisterKeeper::of_full_records(families(), is_minimal);
        let mut values = RegisterKeeper::of_full_records(families(), is_minimal);
        for (record, expected) in records.into_iter().zip(expected) {
            keeper.begin();
            assert_eq!(written(&mut keeper, record), expected, "{is_minimal}");
            values.begin();
            let mut record: Record = format!("{FIELDS}{record}").parse().unwrap();
            values.complete(&mut record);
            assert_eq!(record.to_string(), format!("{FIELDS}{expected}"), "{is_minimal}");
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
