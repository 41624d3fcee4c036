//! Text of comments, without machine-written parts.

use std::borrow::Cow;

use pgn::text_of;
use san::Color;

use super::decimal::time_in_parentheses;
use super::reader::{report, split_at_command};

/// Returns the text of a comment on a move by `mover`. Commands such as `[%clk 0:01:00]` are
/// removed unless `keep_commands` is set; of an engine's report only the end of the game is kept.
///
/// ```
/// let text = emit::comment_text(b" [%clk 0:01:00] a blunder ", san::Color::White, false);
/// assert_eq!(text, "a blunder");
/// ```
pub fn text(comment: &[u8], mover: Color, keep_commands: bool) -> Cow<'_, str> {
    let comment = comment.trim_ascii();
    if keep_commands {
        return text_of(comment);
    }
    if let Some(report) = report(comment, mover) {
        return text_of(report.ending.unwrap_or_default());
    }
    if time_in_parentheses(comment).is_some() {
        return Cow::Borrowed("");
    }
    if comment.starts_with(b"book, mb=") {
        return Cow::Borrowed("book");
    }
    match without_commands(comment, |_| true) {
        Cow::Borrowed(text) => text_of(text),
        Cow::Owned(text) => Cow::Owned(text_of(&text).into_owned()),
    }
}

pub(crate) fn without_commands<'c>(
    comment: &'c [u8],
    removes: impl Fn(&[u8]) -> bool,
) -> Cow<'c, [u8]> {
    let (_, Some(_), _) = split_at_command(comment) else { return comment.into() };
    let (mut text, mut rest): (Vec<&[u8]>, _) = (Vec::new(), comment);
    while !rest.is_empty() {
        let (before, command, behind) = split_at_command(rest);
        text.push(before.trim_ascii());
        let name = |command: &'c [u8]| command.split(u8::is_ascii_whitespace).next();
        if command.and_then(name).is_some_and(|name| !removes(name)) {
            text.push(&rest[before.len()..rest.len() - behind.len()]);
        }
        rest = behind;
    }
    text.retain(|part| !part.is_empty());
    text.join(&b' ').into()
}

/// Whether it is machine-written, as most are from servers and engines: its [`text`] is empty.
pub(crate) fn is_silent(comment: &[u8]) -> bool {
    let mut rest = comment.trim_ascii();
    while rest.starts_with(b"[%") {
        let Some(end) = memchr::memchr(b']', rest) else { return false };
        rest = rest[end + 1..].trim_ascii_start();
    }
    match rest.first() {
        Some(b'(') if time_in_parentheses(rest).is_some() => true,
        // TCEC writes the score after many other fields.
        Some(b'd') => {
            rest.starts_with(b"d=")
                && memchr::memmem::find(rest, b"wv=").is_some()
                && is_report(rest)
        }
        Some(b'+' | b'-' | b'(' | b'.' | b'0'..=b'9' | b'M' | b'#') => is_report(rest),
        Some(_) => false,
        None => true,
    }
}

fn is_report(comment: &[u8]) -> bool {
    // The color does not affect whether this is a score.
    report(comment, Color::White).is_some_and(|report| report.ending.is_none())
}

/// Appends `more`, separated by a space.
pub(crate) fn append_text(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
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
            ("+0.25/12 3.4s", ""),
            ("M7/12 3.4s", ""),
            ("[%clk 0:01:00] +0.25/12 3.4s", ""),
            ("[%clk 0:01:00] +0.25/12 3.4s [%emt 0:00:03]", ""),
            ("[%clk 0:01:00] +0.25/12 3.4s, White mates [%emt 0:00:03]", "White mates"),
            ("+M1/12 3.4s, White mates", "White mates"),
            ("-6.31/11 0.005s White wins by adjudication", "White wins by adjudication"),
            ("(0:04)", ""),
            ("(12)", "(12)"),
            ("d=29, sd=72, mt=2341, wv=0.20, R50=50,", ""),
            // Without a score it is not a report.
            ("d=, sd=x, wv=, pv=", "d=, sd=x, wv=, pv="),
            ("book, mb=+0+0+0+0+0,", "book"),
        ];
        for (comment, expected) in cases {
            assert_eq!(text(comment.as_bytes(), Color::White, false), expected);
            assert_eq!(text(comment.as_bytes(), Color::White, true), comment.trim());
            assert_eq!(is_silent(comment.as_bytes()), expected.is_empty(), "{comment}");
        }
    }
}
