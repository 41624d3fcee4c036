//! The text of a line of positions: the same for checks, books and diagrams.

use std::borrow::Cow;

use epd::{EpdDiagnostic, EpdDiagnosticKind, without_look_alikes};

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
