//! Diagnostics about the text of a record, with their location in the line.
//!
//! * [`kind`]: the kinds of fault and their messages;
//! * [`table`]: the severity of each kind, and its machine-readable name;
//! * [`misreading`]: consuming programs and what they misread.

pub(crate) mod kind;
mod table;

use std::fmt;
use std::ops::Range;

use crate::read::text::Token;
use kind::EpdDiagnosticKind;

/// A diagnostic about a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpdDiagnostic {
    /// The byte range of the offending text.
    pub at: Range<usize>,
    /// The kind of fault.
    pub kind: EpdDiagnosticKind,
}

pub(crate) type Faults<'f> = &'f mut dyn FnMut(EpdDiagnostic);

impl fmt::Display for EpdDiagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for EpdDiagnostic {}

impl EpdDiagnostic {
    pub(crate) fn new(at: usize, text: &str, kind: EpdDiagnosticKind) -> Self {
        EpdDiagnostic { at: at..at + text.len(), kind }
    }

    pub(crate) fn of(token: Token<'_>, kind: EpdDiagnosticKind) -> Self {
        EpdDiagnostic::new(token.at, token.text, kind)
    }

    /// Returns the column of the fault, in characters from 1; [`Columns`] is faster for many.
    pub fn column(&self, line: &str) -> usize {
        Columns::new(line).of(self.at.start)
    }
}

/// Converts byte offsets in one line to columns. Ascending offsets cost one pass over the line in
/// total.
///
/// ```
/// let mut columns = epd::Columns::new("\u{feff}c0 \"ü\";");
/// assert_eq!((columns.of(3), columns.of(6), columns.of(10)), (1, 4, 7));
/// ```
#[derive(Clone, Debug)]
pub struct Columns<'l> {
    line: &'l str,
    at: usize,
    column: usize,
}

impl<'l> Columns<'l> {
    /// Creates a converter for a line; columns are counted from 1.
    pub fn new(line: &'l str) -> Self {
        Columns { line, at: 0, column: 1 }
    }

    /// Returns the column of the character that contains a byte. A byte order mark has none.
    pub fn of(&mut self, byte: usize) -> usize {
        if byte < self.at {
            (self.at, self.column) = (0, 1);
        }
        for c in self.line[self.at..].chars() {
            if self.at + c.len_utf8() > byte {
                break;
            }
            self.at += c.len_utf8();
            self.column += usize::from(c != '\u{feff}');
        }
        self.column
    }
}

pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
