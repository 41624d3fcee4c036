//! Law: written records are read back unchanged, and canonical records are written as they were
//! read.

use epd::{
    Centipawns, Dialect, Line, Opcode, Operand, OperandType, ReadOptions, Record, RecordScanner,
    crafty_description, fields_len, read_line,
};
use proptest::prelude::*;
use san::{CastlingStyle, FieldStyle, MoveList, Position, san_of};

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

/// Valid strings; backslashes, semicolons and apostrophes have no special meaning in the standard.
fn text() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9 ;'\\\\s/#&é♞-]{0,40}".prop_map(|text| text)
}

/// Register operations in any order, with duplicate opcodes.
fn register_operations() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["c0", "c1", "c2", "c9", "v0", "v1", "v9", "eco", "nic"]);
    let operand = prop::sample::select(vec!["", " \"a\"", " \"b  c\"", " \" d \""]);
    let operation = (name, operand).prop_map(|(name, operand)| format!(" {name}{operand};"));
    prop::collection::vec(operation, 0..8).prop_map(|operations| operations.concat())
}

fn operand(opcode: Opcode, sans: Vec<String>, line: Vec<String>) -> BoxedStrategy<Option<Operand>> {
    let some = |operand: Operand| Just(Some(operand)).boxed();
    match opcode.operands() {
        OperandType::Nothing => some(Operand::Nothing),
        OperandType::Integer { least, most } => {
            (least..=most).prop_map(|value| Some(Operand::Integer(value))).boxed()
        }
        OperandType::Evaluation => (Centipawns::LEAST..=Centipawns::MOST)
            // A mate is delivered on an odd ply and suffered on an even one.
            .prop_map(|value| {
                if value.abs() > 32000 { 2 * (value / 2) + value.signum().min(0) } else { value }
            })
            .prop_map(|value| Centipawns::new(value).map(Operand::Evaluation))
            .boxed(),
        // `pm` and `pv` begin with the same move.
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
                // Operands that cannot be written are rejected and dropped.
                let _ = operand.map(|operand| record.set(opcode, operand));
            }
            for (name, operands) in others {
                let _ = record.set_other(&name, &operands);
            }
            // A draw offer or claim requires the move played.
            if record.get(Opcode::Sm).is_none() {
                record.remove("draw_offer");
                record.remove("draw_claim");
            }
            // Contradictions with another operation or the position are errors.
            if record.get(Opcode::DrawAccept).is_some() {
                record.remove("draw_reject");
            }
            if !record.position().has_legal_move() || record.position().is_insufficient_material() {
                record.remove("ce");
                record.remove("dm");
            }
            record
        })
    })
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
    fn the_normal_form_sets_registers_as_the_line_does(
        before in register_operations(),
        line in register_operations(),
    ) {
        const FIELDS: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        let scan = |record: &str| {
            let text = format!("{FIELDS}{before}\n{record}\n");
            let mut scanner = RecordScanner::new(&text);
            while scanner.next_record(&mut |_| {}).is_some() {}
            scanner.registers().clone()
        };
        let line = format!("{FIELDS}{line}");
        let Line::Record(read) = read_line(&line, &ReadOptions::default(), &mut |_| {}) else {
            panic!("{line}")
        };
        let normal = read.to_record().to_string();
        prop_assert_eq!(scan(&normal), scan(&line), "{}", normal);
        let mut faults = Vec::new();
        read_line(&normal, &ReadOptions::default(), &mut |fault| faults.push(fault));
        faults.retain(|fault| fault.kind.name() != "eco-code");
        prop_assert!(faults.is_empty(), "{} {:?}", normal, faults);
    }

    #[test]
    fn a_string_is_the_same_for_a_scanner_and_in_a_record(text in text()) {
        let line = format!("4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"{text}\";");
        let options = ReadOptions { dialect: Some(Dialect::Standard), ..ReadOptions::default() };
        let mut scanner = RecordScanner::with_options(&line, options);
        let record = scanner.next_record(&mut |_| {}).unwrap().to_record();
        prop_assert_eq!(scanner.registers().comment(0), Some(&*text));
        prop_assert_eq!(record.get(Opcode::C0), Some(&Operand::Text(text.clone())));
        prop_assert_eq!(record.to_string(), line);
    }

    #[test]
    fn whatever_the_line_it_is_read_and_what_comes_of_it_is_read_back(
        line in "(4k3/8/8/8/8/8/4P3/4K3 [wW] - -|k7/8/8/8/8/8/8/K/ b -)( 0 1)?[ ;\"\\\\a-h0-9cbmvs#-]{0,40}"
    ) {
        let mut faults = Vec::new();
        let read = read_line(&line, &ReadOptions::default(), &mut |fault| faults.push(fault));
        for fault in &faults {
            prop_assert!(line.get(fault.at.clone()).is_some(), "{:?}", fault);
        }
        if let Line::Record(read) = read {
            let record = read.to_record();
            let text = record.to_string();
            let options = ReadOptions { dialect: Some(Dialect::Standard), ..ReadOptions::default() };
            match read_line(&text, &options, &mut |_| {}) {
                Line::Record(back) => prop_assert_eq!(back.to_record().to_string(), text),
                other => prop_assert!(false, "{}: {:?}", text, other),
            }
        }
    }

    #[test]
    fn every_form_and_style_is_read_back_with_its_rights((position, _) in positions()) {
        for castling in [CastlingStyle::XFen, CastlingStyle::Shredder] {
            let style = FieldStyle { castling, ..FieldStyle::default() };
            let mut buffer = san::Buffer::default();
            let mut line = buffer.line();
            san::write_fields(&position, style, &mut line);
            line.finish();
            let fields = String::from_utf8_lossy(buffer.as_bytes());
            let (halfmoves, fullmoves) = (position.halfmoves(), position.fullmoves());
            for text in [
                format!("{fields} fmvn {fullmoves}; hmvc {halfmoves};"),
                format!("{fields} {halfmoves} {fullmoves}"),
                crafty_description(&position, style),
            ] {
                for tail in ["", " ce 32;", " bm;"] {
                    let text = format!("{text}{tail}");
                    let Line::Record(read) = read_line(&text, &ReadOptions::default(), &mut |_| {}) else {
                        panic!("{text}")
                    };
                    let rights = |position: &Position| position.castling_rooks();
                    prop_assert_eq!(rights(read.position()), rights(&position), "{}", text);
                    prop_assert_eq!(fields_len(&text), read.operations_at(), "{}", text);
                }
            }
        }
    }

    #[test]
    fn records_are_in_the_grammar(record in records()) {
        // Raw operands are unrestricted.
        let is_raw = record.operations().iter().any(|op| matches!(op.operand(), Operand::Raw(_)));
        prop_assert!(is_raw || testkit::grammar::is_record(&record.to_string()), "{}", record);
    }
}
