//! Text for terminals: names and comments come from anywhere, and may hold characters that a
//! terminal acts upon.

use std::io::{self, Write};

/// `text` with an escape such as `\u{1b}` for each control character and each character that
/// changes the direction of text.
///
/// ```
/// assert_eq!(stream::output::printable("Tal\u{1b}[2J"), "Tal\\u{1b}[2J");
/// ```
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars().for_each(|c| push(c, &mut shown));
    shown
}

fn push(c: char, shown: &mut String) {
    let is_bidi = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    if c.is_control() || is_bidi { shown.extend(c.escape_unicode()) } else { shown.push(c) }
}

/// Makes the bytes written to a terminal printable, apart from line ends and tabs.
#[derive(Debug, Default)]
pub(super) struct Escaper {
    /// The first bytes of a character whose others are not written yet.
    incomplete: Vec<u8>,
}

impl Escaper {
    /// Writes all of `bytes` that are whole characters.
    pub(super) fn write_all(&mut self, bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
        let mut pending = std::mem::take(&mut self.incomplete);
        pending.extend_from_slice(bytes);
        let mut shown = String::with_capacity(pending.len());
        let mut chunks = pending.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            for c in chunk.valid().chars() {
                if matches!(c, '\n' | '\t') { shown.push(c) } else { push(c, &mut shown) }
            }
            if chunks.peek().is_none() && is_incomplete(chunk.invalid()) {
                self.incomplete = chunk.invalid().to_vec();
            } else if !chunk.invalid().is_empty() {
                shown.push(char::REPLACEMENT_CHARACTER);
            }
        }
        // A carriage return before a line feed is half of a line end.
        out.write_all(shown.replace("\\u{d}\n", "\r\n").as_bytes())
    }
}

/// Whether more bytes could make this a character.
fn is_incomplete(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_reaches_a_terminal() {
        for (text, expected) in [
            (&b"1. e4\tKr\xc3\xb6ger\r\n"[..], "1. e4\tKröger\r\n"),
            (b"\x1b]0;title\x07\n", "\\u{1b}]0;title\\u{7}\n"),
            (b"a\rb\x7f\xc2\x9b31m", "a\\u{d}b\\u{7f}\\u{9b}31m"),
            (b"\xe2\x80\xae \xff.", "\\u{202e} \u{fffd}."),
            ("\u{61c}\u{200e}\u{200f}\u{200d}".as_bytes(), "\\u{61c}\\u{200e}\\u{200f}\u{200d}"),
            ("\u{202a}\u{2066}\u{2069}".as_bytes(), "\\u{202a}\\u{2066}\\u{2069}"),
        ] {
            let mut whole = Vec::new();
            Escaper::default().write_all(text, &mut whole).unwrap();
            assert_eq!(String::from_utf8(whole).unwrap(), expected);
            // A terminal shows the same if characters are written in parts, carriage returns before
            // line feeds aside.
            let (mut parts, mut escaper) = (Vec::new(), Escaper::default());
            text.chunks(1).for_each(|byte| escaper.write_all(byte, &mut parts).unwrap());
            let parts = String::from_utf8(parts).unwrap();
            assert_eq!(parts.replace("\\u{d}\n", "\r\n"), expected);
        }
    }
}
