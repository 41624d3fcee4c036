//! Tag pairs (PGN standard 8.1): `[Name "value"]`.
//!
//! Besides the standard's form, these are accepted, each with a
//! [`PgnDiagnosticKind::LooseTag`](crate::PgnDiagnosticKind::LooseTag): unescaped quotes inside the
//! value (which then ends at the last quote of the line), a missing space before the value, and a
//! missing `]` at the end of the line. Anything else is not a tag pair, and its line is skipped.

use std::borrow::Cow;

use crate::class::{CLASS, NAME};

/// One tag pair of a game.
///
/// ```
/// let game = pgn::games(br#"[White "Adolf \"Anti\" A."] 1. e4 *"#).next().unwrap();
/// assert_eq!(game.tags()[0].name(), b"White");
/// assert_eq!(&game.tags()[0].value()[..], br#"Adolf "Anti" A."#);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagPair<'a> {
    name: &'a [u8],
    raw: &'a [u8],
    loose: bool,
}

impl<'a> TagPair<'a> {
    /// Returns a tag pair of which only the name is known.
    pub(crate) fn without_value(name: &'a [u8]) -> Self {
        TagPair { name, raw: b"", loose: false }
    }

    /// Returns a tag pair as written between quotes, which may depart from the standard.
    pub(crate) fn written(name: &'a [u8], raw: &'a [u8], loose: bool) -> Self {
        TagPair { name, raw, loose }
    }

    /// Returns a tag pair that departs from the standard, so that backslashes in it are literal.
    pub(crate) fn loose(name: &'a [u8], raw: &'a [u8]) -> Self {
        TagPair { name, raw, loose: true }
    }

    /// Returns a tag pair with a value that has no escapes.
    pub fn of_value(name: &'a [u8], value: &'a [u8]) -> Self {
        TagPair::loose(name, value)
    }

    /// Returns the name of the tag, as written. Names are case-sensitive (8.1.1).
    pub fn name(&self) -> &'a [u8] {
        self.name
    }

    /// Returns the value as written between its quotes, with escapes.
    pub fn raw_value(&self) -> &'a [u8] {
        self.raw
    }

    /// Returns the value with the escapes `\"` and `\\` decoded.
    ///
    /// If quotes are not escaped as the standard requires, backslashes are literal.
    pub fn value(&self) -> Cow<'a, [u8]> {
        if self.loose || memchr::memchr(b'\\', self.raw).is_none() {
            return Cow::Borrowed(self.raw);
        }
        let mut value = Vec::with_capacity(self.raw.len());
        let mut bytes = self.raw.iter();
        while let Some(&byte) = bytes.next() {
            value.push(if byte == b'\\' { *bytes.next().unwrap_or(&byte) } else { byte });
        }
        Cow::Owned(value)
    }
}

/// Result of reading a line that begins with `[`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TagLine<'a> {
    /// A tag pair, and the byte after it.
    Pair { pair: TagPair<'a>, end: usize },
    /// A damaged tag pair about the start of the game or its rules, and the byte after it.
    Damaged { pair: TagPair<'a>, end: usize },
    /// Not a tag pair; what follows at `end` is another one, moves, or the end of the line.
    Malformed { end: usize },
}

impl TagLine<'_> {
    /// Whether the line departs from the standard.
    pub(crate) fn is_faulty(&self) -> bool {
        !matches!(self, TagLine::Pair { pair, .. } if !pair.loose)
    }
}

/// Returns the name and the offset of the value's opening quote (of one byte of a curly quote), if
/// `[` at `at` begins what looks like a tag pair: a name and a quote.
#[inline]
pub(crate) fn opening_quote(bytes: &[u8], at: usize) -> Option<(&[u8], usize)> {
    debug_assert_eq!(bytes[at], b'[');
    let text = &bytes[at + 1..];
    // Nearly every game begins with this tag.
    if text.starts_with(b"Event \"") {
        return Some((&text[..5], at + 7));
    }
    if let Some(len) = plain_name_len(text)
        && text[len..].starts_with(b" \"")
    {
        return Some((&text[..len], at + len + 2));
    }
    let start = skip_spaces(bytes, at + 1);
    let end = start + bytes[start..].iter().take_while(|b| is_name_byte(**b)).count();
    let quote = skip_spaces(bytes, end);
    let curly = "“".as_bytes();
    let found = bytes.get(quote) == Some(&b'"') || bytes[quote..].starts_with(curly);
    (end > start && found).then_some((&bytes[start..end], quote))
}

/// Reads `[Name "value"]` without escapes, the form of nearly all tag pairs.
#[inline(always)]
pub(crate) fn read_plain(bytes: &[u8], at: usize) -> Option<(TagPair<'_>, usize)> {
    let text = bytes.get(at + 1..)?;
    let (name, text) = text.split_at_checked(plain_name_len(text)?)?;
    let value = text.strip_prefix(b" \"")?;
    let (raw, rest) = value.split_at_checked(plain_value_len(value)?)?;
    let rest = rest.strip_prefix(b"\"]")?;
    Some((TagPair { name, raw, loose: false }, bytes.len() - rest.len()))
}

/// A word with 1 in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Returns the length of the name at the beginning of the text; eight letters at a time if a space
/// follows, as usual.
#[inline(always)]
fn plain_name_len(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(eight) = text.get(at..at + 8) {
        let word = u64::from_le_bytes(eight.try_into().expect("eight bytes"));
        // High bit of each byte: whether it is a letter; neither sum carries into the next byte.
        let small = (word | (ONES * 0x20)) & (ONES * 0x7f);
        let from_a = small + ONES * u64::from(0x80 - b'a');
        let beyond_z = small + ONES * u64::from(0x7f - b'z');
        let others = (!from_a | beyond_z | word) & (ONES * 0x80);
        if others != 0 {
            let first = others.trailing_zeros() & !7;
            let len = at + first as usize / 8;
            if (word >> first) as u8 == b' ' && len > 0 {
                return Some(len);
            }
            break;
        }
        at += 8;
    }
    let len = text.iter().take_while(|byte| is_name_byte(**byte)).count();
    (len > 0).then_some(len)
}

/// Returns the offset of the first quote, backslash or control character; eight bytes at a time.
#[inline(always)]
fn plain_value_len(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(eight) = text.get(at..at + 8) {
        let word = u64::from_le_bytes(eight.try_into().expect("eight bytes"));
        // In both of these, the lowest high bit that is set marks the first match; the exchange of
        // 20 and 22 puts the quote next to the control characters.
        let quote_or_control = (word ^ (ONES * 0x02)).wrapping_sub(ONES * 0x21);
        let backslash = (word ^ (ONES * u64::from(b'\\'))).wrapping_sub(ONES);
        let found = (quote_or_control | backslash) & !word & (ONES * 0x80);
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    let is_end = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
    text[at..].iter().position(is_end).map(|i| at + i)
}

fn is_name_byte(byte: u8) -> bool {
    CLASS[usize::from(byte)] & NAME != 0
}

pub(crate) fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

pub(crate) fn skip_spaces(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

/// Returns the end of the line that contains `at`, excluding the line end.
pub(crate) fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |i| at + i)
}

/// Writes a tag pair (PGN standard 8.1), without a line end.
pub fn write_tag(name: &str, value: &str, text: &mut Vec<u8>) {
    text.push(b'[');
    text.extend_from_slice(name.as_bytes());
    text.extend_from_slice(b" \"");
    text.extend_from_slice(escaped(value).as_bytes());
    text.extend_from_slice(b"\"]");
}

/// Escapes the value of a tag pair (PGN standard 7).
pub fn escaped(value: &str) -> Cow<'_, str> {
    if !value.contains(['\\', '"']) {
        return Cow::Borrowed(value);
    }
    Cow::Owned(value.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values, names and what follows them, of which each position holds any byte once.
    fn around_each_byte(text: &[u8]) -> impl Iterator<Item = Vec<u8>> {
        (0..text.len()).flat_map(move |at| {
            (0..=u8::MAX).map(move |byte| {
                let mut text = text.to_vec();
                text[at] = byte;
                text
            })
        })
    }

    #[test]
    fn a_plain_name_ends_before_the_first_byte_that_is_not_of_a_name() {
        let texts =
            ["Event \"A\"", "E \"\"", "WhiteElo \"A\"", "WhiteFederations \"", "A1_b \"", "Site"];
        for text in texts {
            for text in around_each_byte(text.as_bytes()) {
                for start in 0..text.len() {
                    let name = text[start..].iter().take_while(|byte| is_name_byte(**byte)).count();
                    let shown = text[start..].escape_ascii();
                    let expected = (name > 0).then_some(name);
                    assert_eq!(plain_name_len(&text[start..]), expected, "{shown}");
                }
            }
        }
    }

    #[test]
    fn a_plain_value_ends_before_the_first_quote_backslash_or_control_character() {
        for text in ["abcdefgh\"", "M\u{fc}ller, A\"]", "A\"", "", "0123456789abcdefghijklmn"] {
            for text in around_each_byte(text.as_bytes()) {
                for start in 0..text.len() {
                    let is_end = |byte: &u8| *byte < b' ' || *byte == b'"' || *byte == b'\\';
                    let expected = text[start..].iter().position(is_end);
                    let shown = text[start..].escape_ascii();
                    assert_eq!(plain_value_len(&text[start..]), expected, "{shown}");
                }
            }
        }
    }

    #[test]
    fn tag_pairs_without_escapes_are_read_on_the_fast_path() {
        // The text, and the offset after the tag pair; `None` if it is left to the general reader.
        let cases: &[(&str, Option<usize>)] = &[
            ("[Event \"A\"]", Some(11)),
            ("[E \"\"]\n", Some(6)),
            ("[EventDate \"1992.??.??\"] [", Some(24)),
            ("[White_2 \"M\u{fc}ller\"]\r\n", Some(19)),
            ("[ Event \"A\"]", None),
            ("[Event  \"A\"]", None),
            ("[Event\"A\"]", None),
            ("[Event \"A\" ]", None),
            ("[Event \"A", None),
            ("[Event \"A\"", None),
            ("[Event \"A\\\"\"]", None),
            ("[Event", None),
            ("[Event ", None),
            ("[", None),
        ];
        for (text, end) in cases {
            let read = read_plain(text.as_bytes(), 0);
            assert_eq!(read.map(|(_, end)| end), *end, "{text}");
        }
    }

    #[test]
    fn escapes_are_decoded_only_in_standard_form() {
        let cases: &[(&str, bool, &str)] = &[
            ("a", false, "a"),
            (r#"a \"b\""#, false, r#"a "b""#),
            (r"a\\b", false, r"a\b"),
            (r"a\b", false, "ab"),
            (r"a\", false, r"a\"),
            (r#"a \"b\""#, true, r#"a \"b\""#),
        ];
        for (raw, loose, value) in cases {
            let tag = TagPair { name: b"A", raw: raw.as_bytes(), loose: *loose };
            assert_eq!(&*tag.value(), value.as_bytes(), "{raw}, loose: {loose}");
        }
    }
}
