//! What is written is read back, and what is canonical is written as it was read.

use emit::{
    Centipawns, Consumer, Dialect, Form, Line, Opcode, Operand, OperandType, ReadOptions, Record,
    misread, read_line, write_record_value,
};
use proptest::prelude::*;
use san::{Buffer, FieldStyle, MoveList, Position, san_of};

/// A position of a random game, and a line of play from it.
fn positions() -> impl Strategy<Value = (Position, Vec<String>)> {
    let starts = prop::sample::select(vec![
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ]);
    (starts, prop::collection::vec(any::<prop::sample::Index>(), 0..60)).prop_map(
        |(fen, choices)| {
            let mut position = Position::from_fen(fen).unwrap();
            let split = choices.len() / 2;
            for choice in &choices[..split] {
                let moves: MoveList = position.legal_moves();
                if !moves.is_empty() {
                    position.play_unchecked(moves[choice.index(moves.len())]);
                }
            }
            let (mut line, mut after) = (Vec::new(), position.clone());
            for choice in &choices[split..] {
                let moves = after.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let next = moves[choice.index(moves.len())];
                line.push(san_of(&after, next).to_string());
                after.play_unchecked(next);
            }
            (position, line)
        },
    )
}

/// Strings that can be written; backslashes, semicolons and apostrophes are only letters in the standard.
fn text() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9 ;'\\\\s/#&é♞-]{0,40}".prop_map(|text| emit::legal_string(&text).into_owned())
}

fn operand(opcode: Opcode, sans: Vec<String>, line: Vec<String>) -> BoxedStrategy<Option<Operand>> {
    let some = |operand: Operand| Just(Some(operand)).boxed();
    match opcode.operands() {
        OperandType::Nothing => some(Operand::Nothing),
        OperandType::Integer { least, most } => {
            (least..=most).prop_map(|value| Some(Operand::Integer(value))).boxed()
        }
        OperandType::Evaluation => (Centipawns::LEAST..=Centipawns::MOST)
            .prop_map(|value| Centipawns::new(value).map(Operand::Evaluation))
            .boxed(),
        // Both pm and pv begin with the same move.
        OperandType::Move => Just(line.first().cloned().map(Operand::Move)).boxed(),
        OperandType::Moves => prop::sample::subsequence(sans.clone(), 0..=sans.len().min(5))
            .prop_map(|moves| Some(Operand::Moves(moves)))
            .boxed(),
        OperandType::Line => some(Operand::Moves(line)),
        OperandType::Text => text().prop_map(|text| Some(Operand::Text(text))).boxed(),
        OperandType::Register => prop_oneof![
            Just(Some(Operand::Nothing)),
            text().prop_map(|text| Some(Operand::Text(text))),
        ]
        .boxed(),
        OperandType::TwoTexts => {
            (text(), text()).prop_map(|(one, two)| Some(Operand::Texts(one, two))).boxed()
        }
        OperandType::Any => prop_oneof![
            Just(Some(Operand::Nothing)),
            "[a-z\"; -]{1,12}".prop_map(|text| Some(Operand::Raw(text))),
        ]
        .boxed(),
    }
}

fn records() -> impl Strategy<Value = Record> {
    positions().prop_flat_map(|(position, line)| {
        let san = |next: &san::Move| san_of(&position, *next).to_string();
        let sans: Vec<String> = position.legal_moves().iter().map(san).collect();
        let known: Vec<BoxedStrategy<(Opcode, Option<Operand>)>> = Opcode::all()
            .map(|opcode| {
                let operand = operand(opcode, sans.clone(), line.clone());
                prop_oneof![3 => Just(None), 1 => operand].prop_map(move |o| (opcode, o)).boxed()
            })
            .collect();
        let others =
            prop::collection::vec(("[A-Za-z][A-Za-z0-9_]{0,14}", "[a-z0-9;\" .-]{0,12}"), 0..3);
        (Just(position), known, others).prop_map(|(position, known, others)| {
            let mut record = Record::new(position);
            for (opcode, operand) in known {
                // What cannot be written is refused, and left out.
                let _ = operand.map(|operand| record.set(opcode, operand));
            }
            for (name, operands) in others {
                let _ = record.set_other(&name, &operands);
            }
            // A draw that is offered or claimed needs the move that is played.
            if record.get(Opcode::Sm).is_none() {
                record.remove("draw_offer");
                record.remove("draw_claim");
            }
            record
        })
    })
}

fn written(record: &Record, form: Form) -> String {
    let mut buffer = Buffer::default();
    write_record_value(record, form, FieldStyle::default(), &mut buffer);
    String::from_utf8(buffer.as_bytes().to_vec()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_record_that_is_written_is_read_back(record in records()) {
        let text = record.to_string();
        let back: Record = text.parse().map_err(|e| TestCaseError::fail(format!("{text}: {e}")))?;
        prop_assert_eq!(&back, &record, "{}", text);
        prop_assert_eq!(back.to_string(), text);
    }

    #[test]
    fn a_record_has_six_fields_and_comes_back(record in records()) {
        let mut record = record;
        for opcode in [Opcode::Hmvc, Opcode::Fmvn] {
            if record.get(opcode).is_none() {
                record.set(opcode, Operand::Integer(1)).unwrap();
            }
        }
        let text = written(&record, Form::Fen);
        let options = ReadOptions { dialect: Some(Dialect::Fen), moves: true };
        match read_line(&text, &options, &mut |_| {}) {
            Line::Record(read) => prop_assert_eq!(read.to_record(), record, "{}", text),
            other => prop_assert!(false, "{}: {:?}", text, other),
        }
    }

    #[test]
    fn whatever_the_line_it_is_read_and_what_comes_of_it_is_read_back(
        line in "(4k3/8/8/8/8/8/4P3/4K3 [wW] - -|k7/8/8/8/8/8/8/K/ b -)( 0 1)?[ ;\"\\\\a-h0-9cbmvs#-]{0,40}"
    ) {
        let mut faults = Vec::new();
        let read = read_line(&line, &ReadOptions::default(), &mut |fault| faults.push(fault));
        for consumer in Consumer::ALL {
            misread(&line, &read, consumer, &mut |fault| faults.push(fault));
        }
        for fault in &faults {
            prop_assert!(line.get(fault.at.clone()).is_some(), "{:?}", fault);
        }
        if let Line::Record(read) = read {
            let record = read.to_record();
            let text = record.to_string();
            let options = ReadOptions { dialect: Some(Dialect::Standard), moves: true };
            match read_line(&text, &options, &mut |_| {}) {
                Line::Record(back) => prop_assert_eq!(back.to_record().to_string(), text),
                other => prop_assert!(false, "{}: {:?}", text, other),
            }
        }
    }

    #[test]
    fn records_are_in_the_grammar(record in records()) {
        // Raw operands are whatever they are.
        let is_raw = record.operations().iter().any(|op| matches!(op.operand(), Operand::Raw(_)));
        prop_assert!(is_raw || crate::grammar::is_record(&record.to_string()), "{}", record);
    }
}
