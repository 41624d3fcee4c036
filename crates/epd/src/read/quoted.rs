//! Where a quoted string ends.

use super::escapes::Escapes;
use super::text::is_blank;

/// Returns the length of the string at the beginning of `text`, including quotes.
///
/// The standard has no escapes, so the next quote closes the string; after a backslash it may be an
/// escape if another quote is a better match.
#[inline]
pub(crate) fn string_len(text: &str, escapes: Escapes) -> Option<usize> {
    let bytes = text.as_bytes();
    let first = 1 + memchr::memchr(b'"', &bytes[1..])?;
    if bytes[first - 1] == b'\\' && escapes.has_quotes() {
        return Some(escaped_string_len(bytes).unwrap_or(first + 1));
    }
    Some(first + 1)
}

/// The same if a backslash escapes the next byte; the closing quote must end a word.
#[cold]
fn escaped_string_len(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b'"' => break,
            _ => at += 1,
        }
    }
    let is_end = bytes.get(at + 1).is_none_or(|b| is_blank(*b) || *b == b';');
    is_end.then_some(at + 1)
}
