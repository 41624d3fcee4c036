//! EPD records that name positions: `eco`, `nic`, `v0` to `v9`, or `c0`.

use emit::{
    Fault, Name, Opcode, OperandRef, ReadOptions, RecordRef, Registers, Severity, read_line,
};

use super::eco_pgn::plies_before;
use super::lines::{Line, lines};
use crate::{EnPassant, LoadError, LoadReason, Openings};

/// Whether a line begins with eight ranks of pieces.
pub(super) fn looks_like_record(line: &[u8]) -> bool {
    let placement = line.split(|byte| *byte == b' ').next().unwrap_or_default();
    placement.iter().filter(|byte| **byte == b'/').count() == 7
}

/// The moves of other operations are none of our business.
const OPTIONS: ReadOptions = ReadOptions { dialect: None, moves: false };

pub(super) fn read(text: &str, openings: &mut Openings) -> Result<(), LoadError> {
    for line in lines(text) {
        let mut wrong = None;
        let read = read_line(line.text, &OPTIONS, &mut |fault| {
            if fault.kind.severity() == Severity::Error {
                wrong.get_or_insert(fault);
            }
        });
        if let Some(fault) = wrong {
            return Err(error(&line, fault));
        }
        let emit::Line::Record(record) = read else { continue };
        let name = name(&record);
        if name != Name::default() {
            let has_number = record.get(Opcode::Fmvn).is_some() || has_six_fields(&record);
            let ply = has_number.then(|| plies_before(record.position()));
            openings.insert(record.position(), ply, EnPassant::WhereLegal, name);
        }
    }
    Ok(())
}

fn error(line: &Line<'_>, fault: Fault) -> LoadError {
    let part = line.text.get(fault.at.start..).unwrap_or_default();
    line.error_at(part, LoadReason::Record(fault.kind))
}

fn has_six_fields(record: &RecordRef<'_>) -> bool {
    matches!(record.dialect(), emit::Dialect::Fen | emit::Dialect::Perft | emit::Dialect::Label)
}

/// The name that a record gives to its position.
fn name(record: &RecordRef<'_>) -> Name {
    let mut registers = Registers::default();
    for operation in record.operations() {
        let Some(register) = operation.opcode().and_then(Opcode::register) else { continue };
        match record.operands(&operation) {
            OperandRef::Text(text) => registers.apply(register, Some(&text)),
            OperandRef::Raw(text) => registers.apply(register, Some(text)),
            _ => registers.apply(register, None),
        }
    }
    let mut opening = String::new();
    for (rank, part) in (0..10).filter_map(|rank| registers.variation(rank)).enumerate() {
        opening += match rank {
            0 => "",
            1 => ": ",
            _ => ", ",
        };
        opening += part;
    }
    if opening.is_empty() {
        opening += registers.comment(0).unwrap_or_default();
    }
    Name::new(registers.eco(), registers.nic(), &opening)
}
