//! The text of comments, without what machines have put into them.

use std::borrow::Cow;

use crate::problem::text_of;

/// The text of a comment. Commands as `[%clk 0:01:00]` are left out, unless they are to stay.
pub(crate) fn text(comment: &[u8], keep_commands: bool) -> Cow<'_, str> {
    let comment = comment.trim_ascii();
    if keep_commands || memchr::memmem::find(comment, b"[%").is_none() {
        return decode(comment);
    }
    let mut rest = comment;
    let mut text = String::new();
    while let Some((start, end)) = find_command(rest) {
        append_text(&mut text, &decode(rest[..start].trim_ascii()));
        rest = &rest[end..];
    }
    append_text(&mut text, &decode(rest.trim_ascii()));
    Cow::Owned(text)
}

/// Where the next command begins and ends.
fn find_command(text: &[u8]) -> Option<(usize, usize)> {
    let start = memchr::memmem::find(text, b"[%")?;
    let len = memchr::memchr(b']', &text[start..])?;
    Some((start, start + len + 1))
}

/// Appends to a text, with a blank between.
pub(crate) fn append_text(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}

fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(text_of(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_no_text() {
        let cases = [
            ("best by test", "best by test"),
            (" [%eval 0.17] [%clk 0:00:30] ", ""),
            ("good [%csl Ra1] and [%cal Ga1a8] bad", "good and bad"),
            ("[%clk 0:1", "[%clk 0:1"),
            ("50 [% of them", "50 [% of them"),
        ];
        for (comment, expected) in cases {
            assert_eq!(text(comment.as_bytes(), false), expected);
            assert_eq!(text(comment.as_bytes(), true), comment.trim());
        }
    }
}
