//! Values of records: evaluations, names, opcodes, strings, columns, and the parts of a record.

use std::str::FromStr;

use epd::{
    Centipawns, Columns, Dialect, ExpectedOperand, Mate, NameError, Opcode, Operand, OperandError,
    OperandRef, OperandType, Record, RecordRef, fields_len,
};
use san::{Keyword, Position};

const FIELDS: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

fn ce(value: i64) -> Centipawns {
    Centipawns::new(value).unwrap()
}

#[test]
fn a_mate_in_moves_is_the_evaluation_that_the_standard_gives() {
    // Moves, plies and evaluation of the player who mates; plies and evaluation of the one who is
    // mated (EPD 5.6).
    let cases =
        [(1, 1, 32766, 2, -32765), (2, 3, 32764, 4, -32763), (383, 765, 32002, 766, -32001)];
    for (moves, plies, gives, lost_plies, gets) in cases {
        assert_eq!(Centipawns::gives_mate_in_moves(moves), Some(ce(gives)));
        assert_eq!(Centipawns::gives_mate_in_plies(plies), Some(ce(gives)));
        assert_eq!(ce(gives).mate(), Some(Mate::Gives { plies }));
        assert_eq!(Centipawns::gets_mated_in_moves(moves), Some(ce(gets)));
        assert_eq!(Centipawns::gets_mated_in_plies(lost_plies), Some(ce(gets)));
        assert_eq!(ce(gets).mate(), Some(Mate::Gets { plies: lost_plies }));
    }
    for moves in [0, 384, u32::MAX] {
        assert_eq!(Centipawns::gives_mate_in_moves(moves), None, "{moves}");
        assert_eq!(Centipawns::gets_mated_in_moves(moves), None, "{moves}");
    }
    for plies in [0, 767, u32::MAX] {
        assert_eq!(Centipawns::gives_mate_in_plies(plies), None, "{plies}");
        assert_eq!(Centipawns::gets_mated_in_plies(plies), None, "{plies}");
    }
}

#[test]
fn an_evaluation_is_kept_in_its_range_and_turned_to_the_other_side() {
    let valid = [-32767, 0, 32766].map(|value| (value, true));
    let others = [-32768, 32767, 1 << 20].map(|value| (value, false));
    for (value, is_valid) in [valid, others].concat() {
        let evaluation = Centipawns::new(value);
        assert_eq!(evaluation.is_some(), is_valid, "{value}");
        let text = evaluation.map(|ce| (i64::from(ce.get()), ce.to_string()));
        assert_eq!(text, is_valid.then(|| (value, value.to_string())));
    }
    // Evaluation, the nearest one without a mate, with a possible mate, and of the other side.
    for (value, without_mate, possible, other) in [
        (0, 0, 0, 0),
        (-35, -35, -35, 35),
        (32000, 32000, 32000, -32000),
        (32766, 32000, 32766, -32766),
        (32765, 32000, 32766, -32765),
        (-32766, -32000, -32765, 32766),
        (-32765, -32000, -32765, 32765),
        (-32767, -32000, -32767, -32767),
    ] {
        assert_eq!(Centipawns::without_mate(value), ce(without_mate), "{value}");
        assert_eq!(ce(value).with_possible_mate(), ce(possible), "{value}");
        assert_eq!(ce(value).of_other_side(), ce(other), "{value}");
    }
}

#[test]
fn dialects_and_programs_are_found_by_their_names() {
    let names =
        ["epd", "fen", "crafty", "perl", "perft", "label", "pgn-extract", "scid", "python-chess"];
    assert!(Dialect::ALL.iter().map(|dialect| dialect.to_string()).eq(names));
    assert!(names.map(|name| name.parse::<Dialect>().unwrap()) == Dialect::ALL);
    let expected = format!("choose from {}", names.join(", "));
    assert_eq!(Dialect::from_str("pgn").unwrap_err().to_string(), expected);
    assert!(Dialect::ALL.iter().all(|dialect| dialect.help().len() > 10));
    assert_eq!(format!("[{:<6}{:>6}]", Dialect::Fen, Opcode::Bm), "[fen       bm]");
}

#[test]
fn what_an_opcode_takes_is_said_in_words() {
    let cases = [
        (Opcode::Resign, "no operand"),
        (Opcode::Acd, "an integer of 0 or more"),
        (Opcode::Dm, "a positive integer"),
        (Opcode::Fmvn, "a positive integer, at most 4294967295"),
        (Opcode::Hmvc, "an integer of 0 or more, at most 4294967295"),
        (Opcode::Ce, "an integer from -32767 to 32766"),
        (Opcode::Sm, "exactly one move"),
        (Opcode::Bm, "moves"),
        (Opcode::Pv, "a line of moves"),
        (Opcode::Id, "one string"),
        (Opcode::Eco, "one string or nothing"),
        (Opcode::Tcri, "two strings"),
        (Opcode::Noop, "anything"),
    ];
    for (opcode, expected) in cases {
        assert_eq!(ExpectedOperand(opcode.operands()).to_string(), expected, "{opcode}");
    }
    let seven = OperandType::Integer { least: 7, most: i64::MAX };
    assert_eq!(ExpectedOperand(seven).to_string(), "an integer of 7 or more");
    assert_eq!((Opcode::Acd.section(), Opcode::Sm.section()), (None, Some("5.22")));
}

#[test]
fn columns_count_characters_whatever_the_order_of_the_places() {
    let line = "\u{feff}c0 \"ü€x\";";
    let places = [(0, 1), (3, 1), (4, 2), (6, 4), (7, 5), (9, 6), (12, 7), (13, 8)];
    let mut columns = Columns::new(line);
    for (byte, column) in places.into_iter().chain(places.into_iter().rev()).chain(places) {
        assert_eq!(columns.of(byte), column, "{byte}");
    }
    // A byte within a character belongs to it.
    assert_eq!((columns.of(8), columns.of(10), columns.of(11)), (5, 6, 6));
}

#[test]
fn the_fields_of_a_line_end_where_the_operations_begin() {
    for (fields, operations) in [
        (FIELDS, ""),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - ", "bm e4;"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ", "bm e4;"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ", ""),
        ("4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1 ", "bm Kd1;"),
        ("4k/8/8/8/8/8/4P/4K/ w - ", "bm e4;"),
        ("", ""),
    ] {
        assert_eq!(fields_len(&format!("{fields}{operations}")), fields.len(), "{fields}");
    }
}

#[test]
fn a_borrowed_record_gives_the_last_operands_of_an_opcode() {
    let line = format!("{FIELDS} bm e4; acd 3; bm Kd1; - ; x;");
    let read = epd::read_line(&line, &epd::ReadOptions::default(), &mut |_| {});
    let epd::Line::Record(record) = read else { panic!("{line}") };
    assert_eq!(record.operations_at(), FIELDS.len() + 1);
    assert_eq!(record.dialect(), Dialect::Standard);
    let names: Vec<&str> = record.operations().map(|operation| operation.name()).collect();
    assert_eq!(names, ["bm", "acd", "bm", "x"]);
    let operands: Vec<&str> = record.operations().map(|operation| operation.operands()).collect();
    assert_eq!(operands, ["e4", "3", "Kd1", ""]);
    let Some(OperandRef::Moves(moves)) = record.get(Opcode::Bm) else { panic!() };
    assert_eq!(moves.collect::<Vec<_>>(), ["Kd1"]);
    assert!(matches!(record.get(Opcode::Acd), Some(OperandRef::Integer(3))));
    assert!(record.get(Opcode::Id).is_none());
}

#[test]
fn the_first_error_of_a_line_is_given_with_its_column() {
    let cases = [
        ("@ x 1; bm e5; dm 0;", "column 37: e5: illegal: no white pawn can reach e5"),
        ("4k3/8/8/8/8/8/8/4K3[Q] w - - bm e4;", "column 1: a position of a variant, not of chess"),
        (
            "# a comment",
            "column 1: the pieces are missing: a record has four fields, the pieces, the side to move, castling rights and the en passant square",
        ),
    ];
    for (line, expected) in cases {
        let line = line.replace('@', FIELDS);
        assert_eq!(RecordRef::read(&line).unwrap_err().to_string(), expected, "{line}");
        assert_eq!(line.parse::<Record>().unwrap_err().to_string(), expected, "{line}");
    }
    assert!(RecordRef::read(&format!("{FIELDS} id x;")).is_ok());
}

#[test]
fn operations_of_a_record_are_set_replaced_and_removed_in_ascii_order() {
    let mut record = Record::new(Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 3 20").unwrap());
    assert!(record.operations().is_empty());
    let text = |text: &str| Operand::Text(text.to_owned());
    record.set(Opcode::Id, text("x")).unwrap();
    record.set(Opcode::Bm, Operand::Moves(vec!["e4".into(), "Kd1".into(), "e4".into()])).unwrap();
    record.set(Opcode::Id, text("y")).unwrap();
    record.set_other("Rav", "").unwrap();
    record.set_other("Rav", "1  2").unwrap();
    record.set_other("zz", "").unwrap();
    let expected = format!("{FIELDS} Rav 1  2; bm Kd1 e4; id \"y\"; zz;");
    assert_eq!(record.to_string(), expected);
    assert_eq!(format!("{record:?}"), format!("Record({expected})"));
    assert_eq!(record.get(Opcode::Id), Some(&text("y")));
    assert_eq!(record.get_other("Rav"), Some(&Operand::Raw("1  2".to_owned())));
    assert_eq!(record.get(Opcode::Ce), None);
    assert_eq!(record.remove("id"), Some(text("y")));
    assert_eq!(record.remove("id"), None);
    assert_eq!(record.to_string(), format!("{FIELDS} Rav 1  2; bm Kd1 e4; zz;"));
    let no_opcode = |name| {
        format!(
            "\"{name}\" is not an opcode: an opcode starts with a letter, and has letters, digits and underscores"
        )
    };
    for (name, operands, error) in [
        ("7up", "1", &*no_opcode("7up")),
        ("", "1", &no_opcode("")),
        ("a-b", "1", &no_opcode("a-b")),
        ("bm", "e4", "bm is an opcode of the standard: its operands have a type"),
        ("y", "a; b", "\"a; b\" cannot be written as an operand"),
    ] {
        let found: NameError = record.set_other(name, operands).unwrap_err();
        assert_eq!(found.to_string(), error);
    }
}

#[test]
fn an_operand_fits_the_type_of_its_opcode_or_is_refused() {
    let text = |text: &str| Operand::Text(text.to_owned());
    let mv = |text: &str| Operand::Move(text.to_owned());
    let moves = |texts: &[&str]| Operand::Moves(texts.iter().map(|s| (*s).to_owned()).collect());
    let texts = |one: &str, two: &str| Operand::Texts(one.to_owned(), two.to_owned());
    let raw = |text: &str| Operand::Raw(text.to_owned());
    let long = "x".repeat(256);
    let longest = &long[..255];
    let cases = [
        (Opcode::Resign, Operand::Nothing, true),
        (Opcode::Resign, text("x"), false),
        (Opcode::C0, Operand::Nothing, true),
        (Opcode::C0, text(""), true),
        (Opcode::Id, Operand::Nothing, false),
        (Opcode::Id, text(longest), true),
        (Opcode::Id, text(&long), false),
        (Opcode::Id, text("a\u{2028}"), false),
        (Opcode::Dm, Operand::Integer(1), true),
        (Opcode::Dm, Operand::Integer(0), false),
        (Opcode::Hmvc, Operand::Integer(i64::from(u32::MAX)), true),
        (Opcode::Hmvc, Operand::Integer(i64::from(u32::MAX) + 1), false),
        (Opcode::Ce, Operand::Evaluation(ce(5)), true),
        (Opcode::Ce, Operand::Integer(5), false),
        (Opcode::Sm, mv("e4"), true),
        (Opcode::Sm, mv(""), false),
        (Opcode::Sm, mv("#3"), false),
        (Opcode::Sm, mv("e4;"), false),
        (Opcode::Sm, mv("e4\""), false),
        (Opcode::Sm, mv("e4\u{1}"), false),
        (Opcode::Sm, moves(&["e4"]), false),
        (Opcode::Bm, moves(&[]), true),
        (Opcode::Bm, moves(&["e4", "d4"]), true),
        (Opcode::Bm, moves(&["e4", "d 4"]), false),
        (Opcode::Pv, moves(&["e4", "e5"]), true),
        (Opcode::Bm, mv("e4"), false),
        (Opcode::Tcri, texts("a", ""), true),
        (Opcode::Tcri, texts("\"", "a"), false),
        (Opcode::Tcri, texts("a", "\n"), false),
        (Opcode::Noop, Operand::Nothing, true),
        (Opcode::Noop, raw("1 \"a;b\""), true),
        (Opcode::Noop, raw(""), false),
        (Opcode::Noop, raw("a "), false),
        (Opcode::Noop, raw("a\u{7f}"), false),
        (Opcode::Noop, text("a"), false),
        (Opcode::Id, raw("a"), false),
    ];
    let position = Position::default();
    for (opcode, operand, fits) in cases {
        let mut record = Record::new(position.clone());
        let is_set: Result<(), OperandError> = record.set(opcode, operand.clone());
        assert_eq!(is_set.is_ok(), fits, "{opcode} {operand:?}");
        assert_eq!(record.get(opcode).is_some(), fits, "{opcode} {operand:?}");
    }
}
