//! Where strings end, and backslashes in them: the standard has no escapes, but Scid and
//! python-chess write them.

use super::text::is_blank;
use crate::dialect::Dialect;

/// The meaning of a backslash in a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escapes {
    /// A backslash.
    None,
    /// Guessed from the string.
    Guess,
    /// `\s` is a semicolon.
    Scid,
    /// `\\`, `\"`, `\n`, `\r`, `\t`.
    PythonChess,
}

impl Escapes {
    pub(crate) fn of(dialect: Option<Dialect>) -> Self {
        match dialect {
            None => Escapes::Guess,
            Some(Dialect::Scid) => Escapes::Scid,
            Some(Dialect::PythonChess) => Escapes::PythonChess,
            Some(_) => Escapes::None,
        }
    }

    pub(crate) fn has_quotes(self) -> bool {
        matches!(self, Escapes::Guess | Escapes::PythonChess)
    }
}

pub(super) fn unescape(text: &str, escapes: Escapes) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match (escapes, chars.next()) {
            (Escapes::Scid, Some('s')) => plain.push(';'),
            (Escapes::PythonChess, Some(c @ ('\\' | '"'))) => plain.push(c),
            (Escapes::PythonChess, Some('n' | 'r' | 't')) => plain.push(' '),
            (_, Some(other)) => plain.extend(['\\', other]),
            (_, None) => plain.push('\\'),
        }
    }
    plain
}

/// With its quotes. The standard has no escapes, so the next quote closes the string;
/// after a backslash it may be an escape if another quote is a better match.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backslash_is_read_as_the_program_writes_it() {
        // Text, and what it means to a reader of Scid's files, of python-chess', and of the
        // standard.
        let cases = [
            ("plain", "plain", "plain", "plain"),
            (r"a\sb", "a;b", r"a\sb", r"a\sb"),
            (r"a\nb\tc\rd", r"a\nb\tc\rd", "a b c d", r"a\nb\tc\rd"),
            (r#"a\"b"#, r#"a\"b"#, "a\"b", r#"a\"b"#),
            (r"a\\sb", r"a\\sb", r"a\sb", r"a\\sb"),
            (r"end\", r"end\", r"end\", r"end\"),
            (r"\x", r"\x", r"\x", r"\x"),
        ];
        for (text, scid, python_chess, standard) in cases {
            assert_eq!(unescape(text, Escapes::Scid), scid, "{text}");
            assert_eq!(unescape(text, Escapes::PythonChess), python_chess, "{text}");
            assert_eq!(unescape(text, Escapes::None), standard, "{text}");
        }
        assert_eq!(
            [None, Some(Dialect::Scid), Some(Dialect::PythonChess), Some(Dialect::Fen)]
                .map(|dialect| Escapes::of(dialect).has_quotes()),
            [true, false, true, false]
        );
    }
}
