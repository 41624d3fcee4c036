//! Lines of text with line numbers.

use std::borrow::Cow;

use epd::TextLines;

use crate::error::{LoadError, LoadReason};

/// Decodes a file: UTF-8, or else ISO 8859-1.
pub(super) fn text(file: &[u8]) -> Cow<'_, str> {
    let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    pgn::text_of(file)
}

/// A line that is neither empty nor a comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    number: u64,
    pub(super) text: &'t str,
}

pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let lines = TextLines::new(text).map(|(number, text)| Line { number, text });
    lines.filter(|line| !line.text.trim().is_empty() && !line.text.starts_with('#'))
}

impl Line<'_> {
    pub(super) fn error_at(&self, part: &str, reason: LoadReason) -> LoadError {
        let at = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        let before = self.text.get(..at).unwrap_or_default();
        let column = 1 + before.chars().count() as u64;
        LoadError { line: self.number, column, reason }
    }

    pub(super) fn error(&self, reason: LoadReason) -> LoadError {
        self.error_at(self.text, reason)
    }
}
