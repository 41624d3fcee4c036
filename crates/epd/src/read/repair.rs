//! Decides whether a line has exactly one reading, so that its normal form can replace it.

use super::line::read_line;
use super::record_ref::{Line, ReadOptions, RecordRef};
use crate::diagnostic::EpdDiagnostic;
use crate::diagnostic::kind::EpdDiagnosticKind;
use crate::dialect::Dialect;
use crate::opcode::Opcode;
use crate::record::Record;
use crate::severity::Severity;
use crate::write::record::Form;

/// Whether the normal form of a record is free of errors and retains all information of its line.
///
/// `faults` are those of the line, `text` is the normal form as written, and `moves` is whether
/// moves are played.
pub fn is_repaired(
    line: &RecordRef<'_>,
    faults: &[EpdDiagnostic],
    normal: (&Record, &[u8]),
    form: Form,
    moves: bool,
) -> bool {
    // Most lines have only the fault of their dialect, and their normal form is exactly what was
    // read.
    if faults.iter().all(|fault| fault.kind.is_of_file()) {
        return true;
    }
    let (normal, text) = normal;
    if form != Form::Perl
        && (faults.iter().any(|fault| loses(line, fault)) || !has_all(normal, line))
    {
        return false;
    }
    let dialect = Some(match form {
        Form::Epd => Dialect::Standard,
        Form::Fen => Dialect::Fen,
        Form::Crafty => Dialect::Crafty,
        Form::Perl => Dialect::Perl,
    });
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let mut has_error = false;
    let read = read_line(text, &ReadOptions { dialect, moves }, &mut |fault| {
        has_error |= fault.kind.severity() == Severity::Error;
    });
    matches!(read, Line::Record(_)) && !has_error
}

/// Whether the normal form lacks the text of the fault, or chooses one of several readings.
fn loses(line: &RecordRef<'_>, fault: &EpdDiagnostic) -> bool {
    match fault.kind {
        EpdDiagnosticKind::BadClock { .. }
        | EpdDiagnosticKind::BadLabel(_)
        | EpdDiagnosticKind::NotAnOpcode(_) => true,
        // An operation may follow the missing quote.
        EpdDiagnosticKind::UnclosedString => {
            let in_rest = |byte: usize| byte.saturating_sub(line.rest.at);
            let at = in_rest(fault.at.start)..in_rest(fault.at.end);
            let text = line.rest.text.get(at).unwrap_or_default();
            text.trim_end_matches(|c| c == ';' || c <= ' ').contains(';')
        }
        _ => false,
    }
}

/// Whether all operations of a line are in its normal form. Registers cleared by a later operation
/// are exempt, and a mate count becomes `dm`.
fn has_all(normal: &Record, line: &RecordRef<'_>) -> bool {
    line.operations().all(|operation| {
        let is_register = operation.opcode().and_then(Opcode::register).is_some();
        let is_mate = operation.opcode() == Some(Opcode::Bm) && normal.get(Opcode::Dm).is_some();
        is_register || is_mate || normal.get_other(operation.name()).is_some()
    })
}
