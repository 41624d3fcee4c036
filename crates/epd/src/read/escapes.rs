//! Backslashes in strings: the standard has no escapes, but Scid and python-chess write them.

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

    /// Whether a quote after a backslash may be part of the string.
    pub(crate) fn has_quotes(self) -> bool {
        matches!(self, Escapes::Guess | Escapes::PythonChess)
    }
}

/// Removes the escapes from a string.
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
