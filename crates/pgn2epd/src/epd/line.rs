//! The lines of a file of positions: a fault with its place, and the text of a line.

use std::borrow::Cow;
use std::fmt;

use epd::{EpdDiagnostic, EpdDiagnosticKind, Severity, without_look_alikes};

/// A diagnostic about a line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineDiagnostic {
    /// The line number, counted from 1.
    pub line: u64,
    /// The column, in characters from 1.
    pub column: u64,
    /// The offending text, shortened if it is long.
    pub text: String,
    /// The kind of fault.
    pub kind: EpdDiagnosticKind,
}

impl fmt::Display for LineDiagnostic {
    /// Displays `12:34: bm takes …`; `warning: ` or `note: ` precedes the reason if it is one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = match self.kind.severity() {
            Severity::Error => "",
            Severity::Warning => "warning: ",
            Severity::Note => "note: ",
        };
        write!(f, "{}:{}: {level}{}", self.line, self.column, self.kind)
    }
}

impl std::error::Error for LineDiagnostic {}

impl LineDiagnostic {
    pub(crate) fn at(number: u64, column: u64, line: &str, fault: EpdDiagnostic) -> Self {
        let text = shown(line.get(fault.at).unwrap_or_default());
        LineDiagnostic { line: number, column, text, kind: fault.kind }
    }
}

fn shown(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Decodes a line, and replaces characters outside of strings that only look like those of ASCII.
pub(crate) fn line_text<'l>(
    bytes: &'l [u8],
    faults: &mut dyn FnMut(EpdDiagnostic),
) -> Cow<'l, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => without_look_alikes(text, faults),
        Err(error) => latin1(bytes, error.valid_up_to(), faults),
    }
}

#[cold]
fn latin1<'l>(bytes: &'l [u8], at: usize, faults: &mut dyn FnMut(EpdDiagnostic)) -> Cow<'l, str> {
    // A byte count used as a character index: up to the first invalid byte, the text is
    // ASCII or nearly so.
    let text = pgn::text_of(bytes);
    let at = text.char_indices().nth(at).map_or(0, |(at, _)| at);
    faults(EpdDiagnostic { at: at..at, kind: EpdDiagnosticKind::Latin1 });
    Cow::Owned(without_look_alikes(&text, faults).into_owned())
}
