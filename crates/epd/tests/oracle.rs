//! Real records, compared with the values that python-chess reads: `../shared/oracle/epd`.

use std::fs;

use epd::{
    Dialect, EpdDiagnostic, EpdDiagnosticKind, Line, Opcode, Operand, ReadOptions, Record,
    Severity, read_line,
};
use san::{AnyPosition, EnPassantPolicy, FieldStyle};
use serde_json::Value;
use testkit::shared::shared;

#[test]
fn every_record_of_the_oracle_is_read_as_python_chess_reads_it() {
    let Some(shared) = shared() else { return };
    let text = fs::read_to_string(shared.join("oracle/epd/records.jsonl")).unwrap();
    let (mut records, mut refused) = (0, 0);
    for line in text.lines() {
        let expected: Value = serde_json::from_str(line).unwrap();
        let text = expected["text"].as_str().unwrap();
        let options = ReadOptions { dialect: Some(Dialect::Standard), ..ReadOptions::default() };
        let mut faults = Vec::new();
        let read = read_line(text, &options, &mut |fault| faults.push(fault));
        let Line::Record(record) = read else { panic!("{text}: {faults:?}") };
        let record = record.to_record();
        if expected.get("python_chess_error").is_some() {
            // `acn 35 acd ;`: a semicolon and a number are missing; everything else is read.
            let said: Vec<String> = faults.iter().map(|fault| fault.kind.to_string()).collect();
            assert!(said.iter().any(|said| said.starts_with("acd takes an integer")), "{said:?}");
            assert!(record.get(Opcode::Pv).is_some() && record.get(Opcode::Id).is_some(), "{text}");
            refused += 1;
            continue;
        }
        faults.retain(|fault| is_error(fault) && !is_known(&fault.kind));
        assert_eq!(faults, [], "{text}");
        assert_eq!(fen(&record), expected["fen"].as_str().unwrap(), "{text}");
        let ops = expected["ops"].as_object().unwrap();
        assert_eq!(record.operations().len(), ops.len(), "{text}");
        for (name, value) in ops {
            // Being mated is an evaluation (EPD 5.6).
            if let ("dm", Some(moves @ ..0)) = (&**name, value.as_i64()) {
                let ce = serde_json::json!(-32767 - 2 * moves);
                assert_eq!(json(record.get(Opcode::Ce).unwrap()), ce, "{text}");
                continue;
            }
            assert_eq!(json(record.get_other(name).unwrap()), *value, "{text}: {name}");
        }
        records += 1;
    }
    assert_eq!((records, refused), (665, 7));
}

/// A few records have a duplicate opcode with the same operand, or a different move in `pm` than in
/// `pv`; those without a mate have a mate in 0 or fewer moves.
fn is_known(kind: &EpdDiagnosticKind) -> bool {
    matches!(
        kind,
        EpdDiagnosticKind::Repeated(_)
            | EpdDiagnosticKind::PredictedMove { .. }
            | EpdDiagnosticKind::Operands { opcode: Opcode::Dm, .. }
            | EpdDiagnosticKind::NegativeMate { .. }
    )
}

fn is_error(fault: &EpdDiagnostic) -> bool {
    fault.kind.severity() == Severity::Error
}

/// Returns the FEN in the oracle's form: with an en passant square only if a capture is legal.
fn fen(record: &Record) -> String {
    let style = FieldStyle { en_passant: EnPassantPolicy::Legal, ..FieldStyle::default() };
    record.position().fen(style)
}

fn json(operand: &Operand) -> Value {
    match operand {
        Operand::Nothing => Value::Null,
        Operand::Integer(value) => (*value).into(),
        Operand::Evaluation(value) => value.get().into(),
        Operand::Move(text) | Operand::Text(text) => text.as_str().into(),
        Operand::Raw(text) => text.parse::<i64>().map_or(text.as_str().into(), Value::from),
        Operand::Moves(sans) => sans.clone().into(),
        Operand::Texts(first, second) => vec![first.as_str(), second.as_str()].into(),
    }
}
