//! Tag pairs (PGN standard 8.1): `[Name "value"]`.
//!
//! Besides the standard's form, these are accepted, each with a [`PgnDiagnosticKind::LooseTag`](crate::PgnDiagnosticKind::LooseTag):
//! unescaped quotes inside the value (which then ends at the last quote of the line), a missing space before the value,
//! and a missing `]` at the end of the line. Anything else is not a tag pair, and its line is skipped.

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
    /// A damaged tag pair about the start of the game or its rules, and the byte after it; `is_open`: text that follows the bytes
    /// may belong to it.
    Damaged { pair: TagPair<'a>, end: usize, is_open: bool },
    /// Not a tag pair; the line ends at `end`.
    Malformed { end: usize },
}

impl TagLine<'_> {
    /// Whether the line departs from the standard.
    pub(crate) fn is_faulty(&self) -> bool {
        !matches!(self, TagLine::Pair { pair, .. } if !pair.loose)
    }
}

/// Returns the name and the offset of the value's opening quote (of one byte of a curly quote), if `[` at `at` begins
/// what looks like a tag pair: a name and a quote.
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

/// Whether `[` at `at` begins a tag pair, which may be damaged.
#[inline]
pub(crate) fn begins(bytes: &[u8], at: usize) -> bool {
    opening_quote(bytes, at).is_some() || read_damaged(bytes, at).is_some()
}

/// Reads the tag pair that begins at `at`.
pub(crate) fn read(bytes: &[u8], at: usize) -> TagLine<'_> {
    let has_bracket = bytes[at] == b'[';
    if has_bracket && let Some((pair, end)) = read_plain(bytes, at) {
        return TagLine::Pair { pair, end };
    }
    let line = if has_bracket {
        read_any(bytes, at)
    } else {
        TagLine::Malformed { end: line_end(bytes, at) }
    };
    match (line, read_damaged(bytes, at)) {
        (TagLine::Malformed { .. }, Some(damaged)) => damaged,
        (line, _) => line,
    }
}

/// The tags that decide where a game starts and by which rules it is played: no game is played without regard to them.
const DECISIVE: [&[u8]; 3] = [b"FEN", b"SetUp", b"Variant"];

/// Longest damaged tag pair, in bytes; bounds the cost of hostile text.
const LONGEST_DAMAGED: usize = 512;

/// Most lines of a damaged tag pair.
const MOST_LINES: usize = 3;

/// Reads a damaged tag pair about the start of the game or its rules: without quotes or with others, without a bracket or with
/// others, with a colon after the name, on several lines.
#[cold]
pub(crate) fn read_damaged(bytes: &[u8], at: usize) -> Option<TagLine<'_>> {
    let is_whole = bytes.len() > at + LONGEST_DAMAGED;
    let bytes = &bytes[..bytes.len().min(at + LONGEST_DAMAGED)];
    let mut end = line_end(bytes, at);
    let line = &bytes[at..end];
    let brackets = usize::from(matches!(line.first(), Some(b'[' | b'(' | b'<')));
    let closing = match line.first() {
        Some(b'(') => b')',
        Some(b'<') => b'>',
        _ => b']',
    };
    let brackets = brackets + line[brackets..].iter().take_while(|byte| **byte == b' ').count();
    let name_start = brackets + quotes(&line[brackets..]);
    let text = &line[name_start..];
    let slashes = text.iter().filter(|byte| matches!(byte, b'/' | b'\\')).count();
    let name = DECISIVE.into_iter().find_map(|name| {
        let (found, rest) = text.split_at_checked(name.len())?;
        let ends = rest.first().is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        let is_whole = ends || name == b"FEN" && slashes >= 7;
        (is_whole && found.eq_ignore_ascii_case(name)).then_some(found)
    })?;
    let start = at + name_start + name.len();
    let is_closed = |line: &[u8]| line.trim_ascii_end().ends_with(&[closing]);
    // Other text may begin with such a word.
    if !line.starts_with(b"[") {
        let value = text[name.len()..].trim_ascii_start();
        let value = value.strip_prefix(b":").unwrap_or(value).trim_ascii_start();
        if slashes < 7 && !(is_closed(line) && quotes(value) > 0) {
            return None;
        }
    }
    let value = &bytes[start..end];
    let is_complete = is_closed(value) || ends_with_quote(value) && !trim_marks(value).is_empty();
    let (mut last, mut is_open) = (end, !is_complete && !is_whole);
    for lines in 2..=MOST_LINES {
        let next = last + if bytes[last..].starts_with(b"\r\n") { 2 } else { 1 };
        if is_complete || next > bytes.len() {
            break;
        }
        last = line_end(bytes, next);
        let line = &bytes[next..last];
        if !may_continue(name, line) {
            is_open &= line.is_empty() && last == bytes.len();
            break;
        }
        if is_closed(line) {
            (end, is_open) = (last, false);
            break;
        }
        is_open &= lines < MOST_LINES;
    }
    is_open &= last == bytes.len() || last + 1 == bytes.len();
    // Brackets inside of the value are the pocket of a variant.
    let is_last = |len: usize| {
        matches!(bytes[start + len + 1..end].trim_ascii_start().first(), None | Some(b'['))
    };
    let bracket = memchr::memchr_iter(closing, &bytes[start..end]).find(|len| is_last(*len));
    let value = &bytes[start..bracket.map_or(end, |len| start + len)];
    let pair = TagPair { name, raw: trim_marks(value), loose: true };
    Some(TagLine::Damaged { pair, end: bracket.map_or(end, |len| start + len + 1), is_open })
}

/// Whether a line may be the rest of a damaged tag of this name.
fn may_continue(name: &[u8], line: &[u8]) -> bool {
    let is_of_word =
        |byte: &u8| byte.is_ascii_alphanumeric() || b" \t-_\"']".contains(byte) || *byte >= 0x80;
    is_part_of_fen(line)
        || name.eq_ignore_ascii_case(b"Variant")
            && line.trim_ascii_end().ends_with(b"]")
            && line.iter().all(is_of_word)
}

/// Whether a line consists of the characters of a FEN, of which the line before has the beginning, and ends at a rank or with the
/// closing bracket.
pub(crate) fn is_part_of_fen(line: &[u8]) -> bool {
    let ends_part = matches!(line.trim_ascii_end().last(), Some(b'/' | b'\\' | b']'));
    let is_of_fen = |byte: &u8| {
        byte.is_ascii_digit()
            || matches!(
                byte.to_ascii_lowercase(),
                b'a'..=b'h' | b'k' | b'n' | b'p' | b'q' | b'r' | b'w'
            )
            || matches!(
                byte,
                b'/' | b'\\' | b'-' | b' ' | b'\t' | b'~' | b'+' | b'[' | b']' | b'"' | b'\''
            )
    };
    ends_part && !line.starts_with(b"[") && line.iter().all(is_of_fen)
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

/// Returns the length of the name at the beginning of the text; eight letters at a time if a space follows, as usual.
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
        // In both of these, the lowest high bit that is set marks the first match; the exchange of 20 and 22 puts the quote next to the
        // control characters.
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

/// Quotes of all kinds, in UTF-8 and in Windows-1252.
const QUOTES: &[&[u8]] = &[
    b"\"",
    b"'",
    b"`",
    "´".as_bytes(),
    "“".as_bytes(),
    "”".as_bytes(),
    "„".as_bytes(),
    "‘".as_bytes(),
    "’".as_bytes(),
    "«".as_bytes(),
    "»".as_bytes(),
    b"\x93",
    b"\x94",
    b"\x84",
    b"\x91",
    b"\x92",
];

/// Returns the length of the quotes at the beginning of a text.
fn quotes(text: &[u8]) -> usize {
    let mut len = 0;
    while let Some(quote) = QUOTES.iter().find(|quote| text[len..].starts_with(quote)) {
        len += quote.len();
    }
    len
}

fn ends_with_quote(text: &[u8]) -> bool {
    QUOTES.iter().any(|quote| text.trim_ascii_end().ends_with(quote))
}

/// Removes white space, quotes, and the punctuation before a value.
fn trim_marks(mut text: &[u8]) -> &[u8] {
    loop {
        let before = text.len();
        text = text.trim_ascii();
        text = text.strip_prefix(b":").or(text.strip_prefix(b"=")).unwrap_or(text);
        text = &text[quotes(text)..];
        for quote in QUOTES {
            text = text.strip_suffix(*quote).unwrap_or(text);
        }
        if text.len() == before {
            return text;
        }
    }
}

#[cold]
fn read_any(bytes: &[u8], at: usize) -> TagLine<'_> {
    let Some((name, quote)) = opening_quote(bytes, at).filter(|(_, quote)| bytes[*quote] == b'"')
    else {
        return TagLine::Malformed { end: line_end(bytes, at) };
    };
    let start = quote + 1;
    let spaced = matches!(bytes[quote - 1], b' ' | b'\t');
    let mut i = start;
    let closing = loop {
        match bytes.get(i) {
            Some(b'"') => break Some(i),
            Some(b'\\') if bytes.get(i + 1).is_some_and(|b| !is_line_end(*b)) => i += 2,
            Some(b) if !is_line_end(*b) => i += 1,
            _ => break None,
        }
    };
    if let Some(closing) = closing {
        let bracket = skip_spaces(bytes, closing + 1);
        if bytes.get(bracket) == Some(&b']') {
            let pair = TagPair { name, raw: &bytes[start..closing], loose: !spaced };
            return TagLine::Pair { pair, end: bracket + 1 };
        }
    }
    read_loose(bytes, name, start)
}

/// Reads a value with quotes inside, or without `]`: everything up to the last quote of the line.
#[cold]
fn read_loose<'a>(bytes: &'a [u8], name: &'a [u8], start: usize) -> TagLine<'a> {
    let end = line_end(bytes, start);
    let rest = bytes[start..end].trim_ascii_end();
    let rest = rest.strip_suffix(b"]").unwrap_or(rest).trim_ascii_end();
    match rest.strip_suffix(b"\"") {
        Some(raw) => TagLine::Pair { pair: TagPair { name, raw, loose: true }, end },
        None => TagLine::Malformed { end },
    }
}

fn is_name_byte(byte: u8) -> bool {
    CLASS[usize::from(byte)] & NAME != 0
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn skip_spaces(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

/// Returns the end of the line that contains `at`, excluding the line end.
pub(crate) fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |i| at + i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_and_loose_tag_pairs_are_read() {
        // text, name, value, loose, rest
        let cases: &[(&str, &str, &str, bool, &str)] = &[
            (r#"[Event "A"]"#, "Event", "A", false, ""),
            (r#"[Event ""]"#, "Event", "", false, ""),
            (r#"[ Event  "A" ] x"#, "Event", "A", false, " x"),
            (r#"[A "1"] [B "2"]"#, "A", "1", false, r#" [B "2"]"#),
            (r#"[Event "a \"b\" c"]"#, "Event", r#"a "b" c"#, false, ""),
            (r#"[Event "C:\\x"]"#, "Event", r"C:\x", false, ""),
            (r#"[Opening "[=0040.34h5a4]"]"#, "Opening", "[=0040.34h5a4]", false, ""),
            (r#"[Event "SK"Vladimir"-2007"]"#, "Event", r#"SK"Vladimir"-2007"#, true, ""),
            (r#"[Event "A \"]"#, "Event", r"A \", true, ""),
            (r#"[Event "A""#, "Event", "A", true, ""),
            (r#"[Event"A"]"#, "Event", "A", true, ""),
        ];
        for (text, name, value, loose, left) in cases {
            let TagLine::Pair { pair, end } = read(text.as_bytes(), 0) else {
                panic!("{text}: not read as a tag pair");
            };
            assert_eq!(pair.name(), name.as_bytes(), "{text}");
            assert_eq!(&*pair.value(), value.as_bytes(), "{text}");
            assert_eq!((pair.loose, &text[end..]), (*loose, *left), "{text}");
        }
    }

    #[test]
    fn a_malformed_tag_pair_extends_to_the_end_of_its_line() {
        for text in [
            "[Event]\n1. e4",
            "[Result 1-0]\n1. e4",
            "[Event \"A]\n1. e4",
            "[Event “A”]\n1. e4",
            "[\n1. e4",
            "[Event \"a\nb\"]",
            "[\"A\"]\n",
            "[ \"A\"]\n",
            "[Event A]\"\n",
            "[Ev/ent \"A\"]\n",
            "[Event \"A\\\n\"]",
        ] {
            let end = text.find('\n').unwrap();
            assert_eq!(read(text.as_bytes(), 0), TagLine::Malformed { end }, "{text}");
        }
    }

    #[test]
    fn a_damaged_tag_about_the_start_is_read_to_its_end() {
        const BOARD: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        // `@` is a FEN, `|` the end of the tag.
        let cases = [
            ("[FEN @]|\n", "FEN"),
            ("[FEN '@']|", "FEN"),
            ("[FEN “@”]|\n1. e4", "FEN"),
            ("[FEN \"@]| [White \"A\"]", "FEN"),
            ("[FEN \"@|\n1. e4", "FEN"),
            ("[FEN @|\n[White \"A\"]", "FEN"),
            ("[FEN: @]|", "FEN"),
            ("[FEN = `@`]|", "FEN"),
            ("[fen @ ] |", "fen"),
            ("[FEN\n\"@\"]|\n", "FEN"),
            ("[FEN \"\r\n@\"]|\r\n", "FEN"),
            ("[ FEN \"@\"]|", "FEN"),
            ("[\"FEN\" \"@\"]|", "FEN"),
            ("FEN \"@\"]|", "FEN"),
            ("FEN: @|\n", "FEN"),
            ("[FEN@]|", "FEN"),
            ("(FEN \"@\")|\n", "FEN"),
            ("(FEN @)|", "FEN"),
            ("<FEN \"@\">|", "FEN"),
            ("<FEN '@'|\n1. e4", "FEN"),
        ];
        for (case, name) in cases {
            let end = case.replace('@', BOARD).replace(" |", "|").find('|').unwrap();
            let text = case.replace('@', BOARD).replace(" |", "|").replace('|', "");
            let Some(TagLine::Damaged { pair, end: read, .. }) = read_damaged(text.as_bytes(), 0)
            else {
                panic!("{case}");
            };
            assert_eq!(pair.name(), name.as_bytes(), "{case}");
            assert_eq!(pair.value().escape_ascii().to_string(), BOARD, "{case}");
            assert_eq!(read, end, "{case}");
        }
        for (text, value) in [
            ("[Variant Atomic]", "Atomic"),
            ("[Variant: King of the Hill]", "King of the Hill"),
            ("[SetUp 1]", "1"),
            ("[FEN ]", ""),
            ("[FEN -]", "-"),
            ("[FEN 8/8[Qp] w]\n", "8/8[Qp] w"),
            ("[Variant\n\"King of the Hill\"]", "King of the Hill"),
            ("[FEN\nO - O 1. e4 [Event \"g\"]", ""),
            ("[FEN \"8/8/\n8/8 w\"]", "8/8/\n8/8 w"),
        ] {
            let Some(TagLine::Damaged { pair, .. }) = read_damaged(text.as_bytes(), 0) else {
                panic!("{text}");
            };
            assert_eq!(pair.raw_value(), value.as_bytes(), "{text}");
        }
        for text in [
            "[Fenton A]",
            "[Event A]",
            "[Variation x]",
            "Variant of it",
            "FEN of the game",
            "(Variation) x",
            "(FEN by hand) x",
            "[FE",
            "[",
        ] {
            assert!(read_damaged(text.as_bytes(), 0).is_none(), "{text}");
        }
    }

    #[test]
    fn a_damaged_tag_is_open_until_the_text_after_it_decides_whether_it_goes_on() {
        for (text, open) in [
            ("[FEN\n", true),
            ("[FEN \"8/8/\n8/8/\n", true),
            ("[FEN \"8/8/\n8/", true),
            ("[FEN \"8/8/\r\n", true),
            ("[FEN \"8/8/\n\n", false),
            ("[FEN \"8/8/\n8/8/\n8/8/\n", false),
            ("[FEN \"8/8/\n8/8 w - -\"]\n", false),
            ("[FEN\n[Event", false),
            ("[FEN\n1. e4", false),
            ("[FEN 8/8]\n", false),
            ("[FEN 8/8]", false),
        ] {
            let read = read_damaged(text.as_bytes(), 0);
            let Some(TagLine::Damaged { is_open, .. }) = read else { panic!("{text}") };
            assert_eq!(is_open, open, "{text:?}");
        }
    }

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
