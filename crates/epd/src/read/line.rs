//! Parses a line and reports every fault in it.

use std::cmp::Ordering;

use san::Variant;

use crate::check::{clocks, operations as check};
use crate::diagnostic::EpdDiagnostic;
use crate::diagnostic::kind::EpdDiagnosticKind;
use crate::dialect::Dialect;
use crate::limits::{LONGEST_RECORD, MOST_DIAGNOSTICS};
use crate::rules::Rules;
use crate::severity::Severity;

use super::fields::{self, Fields};
use super::position::Unread;
use super::record_ref::{Line, ReadOptions, RecordRef};
use super::text::Token;
use super::variant;

/// An error that prevents a line from being read as a record of the standard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {kind}")]
pub struct ReadError {
    /// The column, in characters from 1.
    pub column: usize,
    /// The kind of fault.
    pub kind: EpdDiagnosticKind,
}

impl<'a> RecordRef<'a> {
    /// Parses a record of the standard. Operations may be in any order, and text with exactly one
    /// reading is accepted.
    ///
    /// # Errors
    ///
    /// Returns the first error: text without a valid reading, such as an illegal move.
    ///
    /// ```
    /// let error = epd::RecordRef::read("4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;").unwrap_err();
    /// assert_eq!(error.to_string(), "column 32: e5: illegal: no white pawn can reach e5");
    /// ```
    pub fn read(line: &'a str) -> Result<Self, ReadError> {
        let options = ReadOptions { dialect: Some(Dialect::Standard), ..ReadOptions::default() };
        let mut first: Option<EpdDiagnostic> = None;
        let mut keep = |fault: EpdDiagnostic| {
            if fault.kind.severity() == Severity::Error && first.is_none() {
                first = Some(fault);
            }
        };
        let read = read_line(line, &options, &mut keep);
        match (read, first) {
            (Line::Record(record), None) => Ok(record),
            (Line::Variant(_), _) => Err(ReadError { column: 1, kind: EpdDiagnosticKind::Variant }),
            (_, Some(fault)) => Err(ReadError { column: fault.column(line), kind: fault.kind }),
            (_, None) => {
                let kind = EpdDiagnosticKind::MissingField(san::Field::Placement);
                Err(ReadError { column: 1, kind })
            }
        }
    }
}

/// Parses a line, without its end, and passes every fault to `faults`.
pub fn read_line<'a>(
    line: &'a str,
    options: &ReadOptions,
    faults: &mut dyn FnMut(EpdDiagnostic),
) -> Line<'a> {
    let whole = Token { at: 0, text: line };
    let whole = if line.starts_with(BYTE_ORDER_MARK) { whole.skip(3) } else { whole };
    let text = whole.trim_end().trim_start();
    // As engines print the positions of books that they make.
    let text = match text.text.strip_prefix("info string genfens ") {
        Some(fen) => text.skip(text.text.len() - fen.len()).trim_start(),
        None => text,
    };
    match text.text.as_bytes() {
        [] => return Line::Blank,
        // No field begins so; PGN uses semicolons and percent signs for comments.
        [b'#' | b';' | b'%', ..] | [b'/', b'/', b' ', ..] => return Line::Comment,
        _ => {}
    }
    if line.len() > STANDARD_LINE {
        return long_line(line, whole, text, options, faults);
    }
    read_text(line, whole, text, options, faults)
}

/// Reads a line above the length that readers must accept, with bounded diagnostics.
#[cold]
fn long_line<'a>(
    line: &'a str,
    whole: Token<'a>,
    text: Token<'a>,
    options: &ReadOptions,
    faults: &mut dyn FnMut(EpdDiagnostic),
) -> Line<'a> {
    let longest = if line.len() > LONGEST_RECORD { LONGEST_RECORD } else { STANDARD_LINE };
    let at = line.floor_char_boundary(longest)..line.len();
    if line.len() > LONGEST_RECORD {
        faults(EpdDiagnostic { at, kind: EpdDiagnosticKind::LongRecord(line.len()) });
        return Line::Bad;
    }
    faults(EpdDiagnostic { at, kind: EpdDiagnosticKind::LongLine(line.len()) });
    let mut count = 0;
    read_text(line, whole, text, options, &mut |fault| {
        count += 1;
        match count.cmp(&MOST_DIAGNOSTICS) {
            Ordering::Less => faults(fault),
            Ordering::Equal => faults(EpdDiagnostic { kind: EpdDiagnosticKind::TooMany, ..fault }),
            Ordering::Greater => {}
        }
    })
}

#[inline]
fn read_text<'a>(
    line: &'a str,
    whole: Token<'a>,
    text: Token<'a>,
    options: &ReadOptions,
    faults: &mut dyn FnMut(EpdDiagnostic),
) -> Line<'a> {
    if text.text.len() < line.len() {
        ends(line, whole, text, faults);
    }
    let (words, rest) = text.split_four();
    if let Some(fields) = variant::find(text, &words, rest, options.rules) {
        return variant::read(fields, options, faults);
    }
    match fields::read(text, words, rest, options, faults) {
        Ok(Fields { position, dialect, escapes, rest }) => {
            let mut record = RecordRef::new(position, dialect, escapes, rest, options.moves);
            if dialect != Dialect::Crafty {
                fields::tail(&mut record, options.dialect, faults);
            }
            let may_be_given = options.rules == Rules::Detected;
            if record.rest.text.starts_with('+')
                && may_be_given
                && variant::is_given_checks(record.rest.split_word().0.text)
            {
                let fields = variant::fields(text, Variant::ThreeCheck);
                return variant::read(fields, options, faults);
            }
            match options.operations {
                true => check::check(&mut record, faults),
                false => read_clocks(&mut record, faults),
            }
            Line::Record(record)
        }
        Err(Unread::Bad) => Line::Bad,
        Err(Unread::Variant(variant)) => {
            variant::read(variant::fields(text, variant), options, faults)
        }
    }
}

/// Sets the clocks of a record whose operations are not checked, but for clocks that differ.
#[inline]
fn read_clocks(record: &mut RecordRef<'_>, faults: &mut dyn FnMut(EpdDiagnostic)) {
    let (halfmoves, fullmoves) = (record.position.halfmoves(), record.position.fullmoves());
    if clocks::read_clocks(record) {
        // Compared with those of the fields once more.
        record.position.set_clocks(halfmoves, fullmoves);
        check::check(record, &mut |fault| {
            if matches!(fault.kind, EpdDiagnosticKind::ClocksDiffer { .. }) {
                faults(fault);
            }
        });
    }
}

/// Checks the text around the fields and operations, except the `\r` of a line end.
#[cold]
fn ends(line: &str, whole: Token<'_>, text: Token<'_>, faults: &mut dyn FnMut(EpdDiagnostic)) {
    if whole.at > 0 {
        faults(EpdDiagnostic::new(0, BYTE_ORDER_MARK, EpdDiagnosticKind::ByteOrderMark));
    }
    if text.at > whole.at {
        faults(EpdDiagnostic { at: whole.at..text.at, kind: EpdDiagnosticKind::LeadingBlanks });
    }
    let end = line.strip_suffix('\r').unwrap_or(line).len();
    if text.end() < end {
        faults(EpdDiagnostic { at: text.end()..end, kind: EpdDiagnosticKind::TrailingBlanks });
    }
}

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The length of a line, in characters, that EPD 3 encourages programs to handle.
const STANDARD_LINE: usize = 1024;
