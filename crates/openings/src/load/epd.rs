//! EPD records that name positions: `eco`, `nic`, `v0` to `v9`, or `c0`.

use epd::{
    EpdDiagnostic, EpdDiagnosticKind, Opcode, ReadOptions, RecordRef, Registers, Severity,
    read_line,
};

use super::eco_pgn::plies_before;
use super::lines::{Line, lines};
use crate::error::{LoadError, LoadReason};
use crate::name::Name;
use crate::table::{EnPassant, Openings};

/// Whether a line begins with eight ranks of pieces.
pub(super) fn looks_like_record(line: &[u8]) -> bool {
    let placement = line.split(|byte| *byte == b' ').next().unwrap_or_default();
    placement.iter().filter(|byte| **byte == b'/').count() == 7
}

/// Operations with moves are irrelevant here and are not checked.
fn options() -> ReadOptions {
    ReadOptions { moves: false, ..ReadOptions::default() }
}

pub(super) fn read(text: &str, openings: &mut Openings) -> Result<(), LoadError> {
    let from_comments = !has_variation_names(text);
    // A record may give its names as changes to those of the previous record (EPD 5.26).
    let mut registers = Registers::default();
    for line in lines(text) {
        let mut wrong = None;
        let read = read_line(line.text, &options(), &mut |fault| {
            // Other text names no opening.
            let is_text = matches!(fault.kind, EpdDiagnosticKind::FreeText(_));
            if fault.kind.severity() == Severity::Error && !is_text {
                wrong.get_or_insert(fault);
            }
        });
        if let Some(fault) = wrong {
            return Err(error(&line, fault));
        }
        if let epd::Line::Variant(_) = read {
            return Err(line.error(LoadReason::Record(EpdDiagnosticKind::Variant)));
        }
        let epd::Line::Record(record) = read else { continue };
        registers.read(&record);
        let name = name(&registers, from_comments);
        if name != Name::default() {
            let has_number = record.get(Opcode::Fmvn).is_some() || has_six_fields(&record);
            let ply = has_number.then(|| plies_before(record.position()));
            openings.insert(record.position(), ply, EnPassant::WhereLegal, name);
        }
    }
    Ok(())
}

/// Whether any record has `v0` to `v9`; then `c0` is not an opening name.
fn has_variation_names(text: &str) -> bool {
    let is_variation = |opcode: Opcode| (Opcode::V0..=Opcode::V9).contains(&opcode);
    lines(text).any(|line| match read_line(line.text, &options(), &mut |_| {}) {
        epd::Line::Record(record) => {
            record.operations().filter_map(|operation| operation.opcode()).any(is_variation)
        }
        _ => false,
    })
}

fn error(line: &Line<'_>, fault: EpdDiagnostic) -> LoadError {
    let part = line.text.get(fault.at.start..).unwrap_or_default();
    line.error_at(part, LoadReason::Record(fault.kind))
}

fn has_six_fields(record: &RecordRef<'_>) -> bool {
    matches!(record.dialect(), epd::Dialect::Fen | epd::Dialect::Perft | epd::Dialect::Label)
}

fn name(registers: &Registers, from_comments: bool) -> Name {
    let mut opening = String::new();
    for (rank, part) in (0..10).filter_map(|rank| registers.variation(rank)).enumerate() {
        opening += match rank {
            0 => "",
            1 => ": ",
            _ => ", ",
        };
        opening += part;
    }
    if from_comments {
        opening += registers.comment(0).unwrap_or_default();
    }
    Name::new(registers.eco(), registers.nic(), &opening)
}
