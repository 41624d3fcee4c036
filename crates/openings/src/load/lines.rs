//! Lines of text that know where they stand.

use std::borrow::Cow;

use crate::{LoadError, LoadReason};

/// A file as text: UTF-8, or else ISO 8859-1.
pub(super) fn text(file: &[u8]) -> Cow<'_, str> {
    let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    match std::str::from_utf8(file) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(emit::text_of(file)),
    }
}

/// A line that is not empty and no comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    number: u64,
    pub(super) text: &'t str,
}

/// The lines that say something.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let lines = (1..).zip(text.lines()).map(|(number, text)| Line { number, text });
    lines.filter(|line| !line.text.trim().is_empty() && !line.text.starts_with('#'))
}

impl Line<'_> {
    /// That something is wrong with a part of this line.
    pub(super) fn error_at(&self, part: &str, reason: LoadReason) -> LoadError {
        let at = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        let before = self.text.get(..at).unwrap_or_default();
        let column = 1 + before.chars().count() as u64;
        LoadError { line: self.number, column, reason }
    }

    /// That something is wrong with this line.
    pub(super) fn error(&self, reason: LoadReason) -> LoadError {
        self.error_at(self.text, reason)
    }
}
