//! Words and strings of a line, with their offsets.

use crate::dialect::Dialect;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) at: usize,
    pub(crate) text: &'a str,
}

impl<'a> Token<'a> {
    /// Splits off the first word, up to white space; the rest has no leading white space.
    pub(crate) fn split_word(self) -> (Token<'a>, Token<'a>) {
        let (word, behind) = self.split_at(word_len(self.text.as_bytes()));
        (word, behind.trim_start())
    }

    /// Splits off the first four words; missing ones are empty.
    pub(crate) fn split_four(self) -> ([Token<'a>; 4], Token<'a>) {
        let (first, rest) = self.split_word();
        let (second, rest) = rest.split_word();
        let (third, rest) = rest.split_word();
        let (fourth, rest) = rest.split_word();
        ([first, second, third, fourth], rest)
    }

    pub(crate) fn split_at(self, len: usize) -> (Token<'a>, Token<'a>) {
        (Token { at: self.at, text: &self.text[..len] }, self.skip(len))
    }

    pub(crate) fn skip(self, len: usize) -> Token<'a> {
        Token { at: self.at + len, text: &self.text[len..] }
    }

    pub(crate) fn after(self, prefix: &str) -> Option<Token<'a>> {
        self.text.starts_with(prefix).then(|| self.skip(prefix.len()).trim_start())
    }

    pub(crate) fn trim_start(self) -> Token<'a> {
        let len = self.text.bytes().take_while(|b| is_blank(*b)).count();
        self.skip(len)
    }

    pub(crate) fn trim_end(self) -> Token<'a> {
        let behind = self.text.bytes().rev().take_while(|b| is_blank(*b)).count();
        Token { at: self.at, text: &self.text[..self.text.len() - behind] }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn end(self) -> usize {
        self.at + self.text.len()
    }

    pub(crate) fn words(self) -> Words<'a> {
        Words { rest: self.trim_start() }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    pub(crate) rest: Token<'a>,
}

impl<'a> Iterator for Words<'a> {
    type Item = Token<'a>;

    #[inline]
    fn next(&mut self) -> Option<Token<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let (word, rest) = self.rest.split_word();
        self.rest = rest;
        Some(word)
    }
}

/// Whether the byte ends a word: a space, a tab, a line end or another control character.
pub(crate) fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

/// Returns the length of the first word, testing eight bytes at a time.
#[inline]
pub(crate) fn word_len(bytes: &[u8]) -> usize {
    let mut len = 0;
    for eight in bytes.chunks_exact(8) {
        let word = u64::from_le_bytes(eight.try_into().expect("eight bytes"));
        // The high bit of each byte below `!`; a borrow may set further bits after the first.
        let blanks = word.wrapping_sub(0x2121_2121_2121_2121) & !word & 0x8080_8080_8080_8080;
        if blanks != 0 {
            return len + blanks.trailing_zeros() as usize / 8;
        }
        len += 8;
    }
    len + bytes[len..].iter().position(|b| is_blank(*b)).unwrap_or(bytes.len() - len)
}

// The ends of strings. The standard has no escapes, but Scid and python-chess write backslashes.

/// The meaning of a backslash in a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escapes {
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
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_word_ends_where_the_first_blank_stands(text in "[ -#\\t\\n\u{0}-\u{22}a-z\u{80}-\u{ff}]{0,40}") {
            let bytes = text.as_bytes();
            let expected = bytes.iter().position(|b| is_blank(*b)).unwrap_or(bytes.len());
            prop_assert_eq!(word_len(bytes), expected);
        }
    }

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
