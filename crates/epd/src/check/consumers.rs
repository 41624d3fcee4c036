//! How programs that read books and test suites interpret a line: each accepts a different dialect.
//!
//! cutechess-cli takes four words and then operations, each up to its semicolon. fastchess takes a
//! line without a semicolon as FEN; of any other line it takes the first four fields and the words
//! `hmvc` and `fmvn`, wherever they occur. python-chess takes the standard's record and guesses the
//! type of an operand from its first character. [`rules`] has the table; [`refusal`]
//! follows the steps of each program, so that no refusal is missed.

mod refusal;
mod rule;
mod rules;
#[cfg(test)]
mod tests;

use crate::diagnostic::EpdDiagnostic;
use crate::diagnostic::kind::EpdDiagnosticKind;
use crate::diagnostic::misreading::Consumer;
use crate::read::record_ref::Line;
use crate::severity::Severity;

use rule::{Finding, Seen};

/// Reports every part of a line that a program would misread.
pub fn misread(
    line: &str,
    read: &Line<'_>,
    consumer: Consumer,
    faults: &mut dyn FnMut(EpdDiagnostic),
) {
    let seen = Seen { line, read };
    let mut is_refused = false;
    for rule in rules::rules_of(consumer) {
        // The last rule has every other reason.
        if is_refused && rule.name == rules::LINE {
            break;
        }
        for Finding { at, text } in (rule.find)(&seen) {
            is_refused |= rule.level == Severity::Error;
            let kind = EpdDiagnosticKind::Misread(rule.misreading(consumer, text));
            faults(EpdDiagnostic { at, kind });
        }
    }
}
