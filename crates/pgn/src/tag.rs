//! Tag pairs (PGN standard 8.1): `[Name "value"]`.
//!
//! Besides the standard's form, these are accepted, each with a
//! [`PgnDiagnosticKind::LooseTag`](crate::PgnDiagnosticKind::LooseTag): unescaped quotes inside the
//! value (which then ends at the last quote of the line), a missing space before the value, and a
//! missing `]` at the end of the line. Anything else is not a tag pair, and its line is skipped.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

use crate::token::{CLASS, NAME, PgnDiagnosticKind, at_start};
use crate::word::{self, begins_with_move};

/// Decodes bytes as UTF-8 or, if that fails, as Windows-1252, which extends ISO 8859-1, the
/// character set of the PGN standard (4.1), by quotes and dashes. Each text (a comment, the value
/// of a tag) is decoded separately, since one file often combines several sources.
///
/// ```
/// assert_eq!(pgn::text_of(b"M\xfcller \x96 caf\xc3\xa9"), "Müller – cafÃ©");
/// assert_eq!(pgn::text_of(b"caf\xc3\xa9"), "café");
/// ```
pub fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

/// Returns a text with ASCII spaces for the spaces of other encodings, without invisible
/// characters, and without quotes around it.
///
/// ```
/// assert_eq!(*pgn::plain_text("\u{201c}8/8\u{a0}w\u{200b}\u{201d}".as_bytes()), *b"8/8 w");
/// ```
pub fn plain_text(text: &[u8]) -> Cow<'_, [u8]> {
    let text = trim_marks(text);
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let (mut plain, mut at) = (Vec::new(), 0);
    while let Some(byte) = text.get(at) {
        match word::odd_space(&text[at..]) {
            0 if word::is_selector(&text[at..]) => at += 3,
            0 => {
                plain.push(*byte);
                at += 1;
            }
            len => {
                // Zero-width characters, marks of direction, byte order marks.
                let is_invisible = matches!(text[at..], [0xe2, 0x80, 0x8b..=0x8f | 0xaa..=0xae, ..] | [0xe2, 0x81, 0xa0..=0xa9, ..] | [0xef, ..]);
                if !is_invisible {
                    plain.push(b' ');
                }
                at += len;
            }
        }
    }
    Cow::Owned(trim_marks(&plain).to_vec())
}

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
    /// Whether it departs from the standard, so that backslashes in it are literal.
    loose: bool,
}

impl<'a> TagPair<'a> {
    /// Returns a tag pair with a value that has no escapes.
    pub fn of_value(name: &'a [u8], value: &'a [u8]) -> Self {
        TagPair { name, raw: value, loose: true }
    }

    /// Returns the name of the tag, as written. Names are case-sensitive (8.1.1).
    pub fn name(&self) -> &'a [u8] {
        self.name
    }

    /// Returns the value as written between its quotes, with escapes.
    pub fn raw_value(&self) -> &'a [u8] {
        self.raw
    }

    /// Returns the value without the escapes `\"` and `\\`; they are literal if a quote has none.
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

    /// Whether the value [is unknown](is_unknown).
    pub fn is_unknown(&self) -> bool {
        is_unknown(self.name(), self.raw_value())
    }

    /// Returns the value as text.
    pub fn text(&self) -> Cow<'a, str> {
        match self.value() {
            Cow::Borrowed(value) => text_of(value),
            Cow::Owned(value) => Cow::Owned(text_of(&value).into_owned()),
        }
    }

    /// Returns the value as text, trimmed; `None` if it [is unknown](is_unknown).
    pub fn known_text(&self) -> Option<Cow<'a, str>> {
        if self.is_unknown() {
            return None;
        }
        Some(match self.text() {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TagLine<'a> {
    /// `None` if it is not one: another one, moves, or the end of the line are at `end`.
    pub(crate) pair: Option<TagPair<'a>>,
    pub(crate) end: usize,
    pub(crate) fault: Option<PgnDiagnosticKind>,
}

impl<'a> TagLine<'a> {
    fn of(pair: TagPair<'a>, end: usize) -> Self {
        let fault = pair.loose.then_some(PgnDiagnosticKind::LooseTag);
        TagLine { pair: Some(pair), end, fault }
    }

    fn malformed(end: usize) -> Self {
        TagLine { pair: None, end, fault: Some(PgnDiagnosticKind::MalformedTag) }
    }
}

/// If `[` begins a name and a quote; the offset is of one byte of a curly quote.
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

const ONES: u64 = 0x0101_0101_0101_0101;

/// Eight letters at a time if a space follows, as usual.
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

/// Words in the place of a FEN for the starting position.
const NO_FEN: &str = "n/a,na,nan,nil,no,none,null,unknown,undefined,false,default,initial,standard,\
    start,startpos,startposition,start position,starting position";

/// Whether the value of a tag states that the value is unknown or absent. `name` is the name of the
/// tag, because the same text may be a value of another tag.
///
/// | value, without surrounding white space | tags | source |
/// | --- | --- | --- |
/// | empty | all | |
/// | only `?` and separators (`.` `:` `/` `,` `-` and spaces): `?`, `????.??.??`, `??:??:??`, `-` | all | PGN standard 8.1.1, 9 |
/// | `*` | `Result` | 8.1.1.7: unfinished, or the result is unknown |
/// | `N/A`, `none`, `undefined`, `startpos`, `start`, `standard` and the like in any case | `FEN` | |
/// | `0` | names that end with `Elo` | written by ChessBase and Scid for players without a rating |
///
/// A partial date (`1992.??.??`) is known, and so is everything else, including `N.N.`.
///
/// ```
/// assert!(pgn::is_unknown(b"Date", b"????.??.??"));
/// assert!(!pgn::is_unknown(b"Date", b"1992.??.??"));
/// assert!(pgn::is_unknown(b"Result", b"*"));
/// assert!(!pgn::is_unknown(b"Event", b"*"));
/// ```
pub fn is_unknown(name: &[u8], value: &[u8]) -> bool {
    let says_nothing = |byte: &u8| matches!(byte, b'?' | b'.' | b':' | b'/' | b',' | b'-' | b' ');
    match value.trim_ascii() {
        b"*" => name == b"Result",
        b"0" => name.ends_with(b"Elo"),
        value if name == b"FEN" && value.first().is_some_and(u8::is_ascii_alphabetic) => {
            NO_FEN.split(',').any(|text| value.eq_ignore_ascii_case(text.as_bytes()))
        }
        value => value.iter().all(says_nothing),
    }
}

/// Returns the value of the first tag of this name as text, trimmed; `None` if the tag is missing
/// or its value [is unknown](is_unknown).
///
/// ```
/// let game = pgn::games(b"[White \"Anderssen \"] [Black \"?\"] 1. e4 *").next().unwrap();
/// assert_eq!(pgn::known_value(game.tags(), b"White").as_deref(), Some("Anderssen"));
/// assert_eq!(pgn::known_value(game.tags(), b"Black"), None);
/// ```
pub fn known_value<'t>(tags: &[TagPair<'t>], name: &[u8]) -> Option<Cow<'t, str>> {
    tags.iter().find(|tag| tag.name() == name)?.known_text()
}

/// Whether `[` at `at` begins a tag pair, which may be damaged.
#[inline]
pub(crate) fn begins(bytes: &[u8], at: usize) -> bool {
    opening_quote(bytes, at).is_some() || read_damaged(bytes, at).is_some()
}

pub(crate) fn read(bytes: &[u8], at: usize) -> TagLine<'_> {
    let has_bracket = bytes[at] == b'[';
    if has_bracket && let Some((pair, end)) = read_plain(bytes, at) {
        return TagLine::of(pair, end);
    }
    let line =
        if has_bracket { read_any(bytes, at) } else { TagLine::malformed(end_of_other(bytes, at)) };
    if line.pair.is_some() { line } else { read_damaged(bytes, at).unwrap_or(line) }
}

#[cold]
fn read_any(bytes: &[u8], at: usize) -> TagLine<'_> {
    let Some((name, quote)) = opening_quote(bytes, at).filter(|(_, quote)| bytes[*quote] == b'"')
    else {
        return TagLine::malformed(end_of_other(bytes, at));
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
            return TagLine::of(pair, bracket + 1);
        }
    }
    read_loose(bytes, name, start)
}

/// Bounds the cost of hostile text, such as many games on one line.
const MOST_SEARCHED: usize = 8192;

pub(crate) fn searched_end(bytes: &[u8], at: usize) -> usize {
    line_end(&bytes[..bytes.len().min(at + MOST_SEARCHED)], at)
}

/// Everything up to the last quote of the line, or before the next tag on it.
#[cold]
fn read_loose<'a>(bytes: &'a [u8], name: &'a [u8], start: usize) -> TagLine<'a> {
    let end = searched_end(bytes, start);
    let end = next_tag(bytes, start, end).unwrap_or(end);
    let rest = bytes[start..end].trim_ascii_end();
    let rest = rest.strip_suffix(b"]").unwrap_or(rest).trim_ascii_end();
    match rest.strip_suffix(b"\"") {
        Some(raw) => TagLine::of(TagPair::of_value(name, raw), end),
        None => TagLine::malformed(end_of_other(bytes, start).min(end)),
    }
}

/// A tag that decides how the game is played, or one behind a bracket that ends the text.
#[cold]
pub(crate) fn next_tag(bytes: &[u8], from: usize, end: usize) -> Option<usize> {
    let is_decisive = |at: &usize| {
        let before = bytes[..*at].last();
        match bytes[*at] {
            b'[' | b'(' | b'<' | 0xe3 | 0xef => read_damaged(&bytes[..end], *at).is_some(),
            b'F' | b'f' | b'S' | b's' | b'V' | b'v'
                if before.is_some_and(|byte| !byte.is_ascii_alphanumeric()) =>
            {
                read_damaged(&bytes[..end], *at).is_some()
            }
            _ => false,
        }
    };
    let is_behind_bracket = |at: &usize| {
        bytes[*at] == b'['
            && bytes[from..*at].trim_ascii_end().ends_with(b"]")
            && opening_quote(bytes, *at).is_some()
    };
    (from..end).find(|at| is_behind_bracket(at) || is_decisive(at))
}

/// Whether it is in brackets or quotes: then it is a tag in the middle of a line, too.
#[cold]
pub(crate) fn is_quoted(text: &[u8]) -> bool {
    let name = text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let value = text[name..].trim_ascii_start();
    let value = value.strip_prefix(b":").unwrap_or(value).trim_ascii_start();
    matches!(text[0], 0xe3 | 0xef) || quotes(value) > 0
}

/// Whether a tag follows the number of an item of a list: `1) [`, `Game 1: [`.
#[cold]
pub(crate) fn follows_list_mark(bytes: &[u8], at: usize) -> bool {
    let at = at + bytes[at..].iter().take_while(|byte| is_list_mark(byte)).count();
    match bytes.get(at) {
        Some(b'[') => begins(bytes, at),
        Some(b'(' | b'<' | b'F' | b'f' | b'S' | b's' | b'V' | b'v' | 0xe3 | 0xef) => {
            read_damaged(bytes, at).is_some()
        }
        _ => false,
    }
}

fn is_list_mark(byte: &u8) -> bool {
    matches!(byte, b'.' | b')' | b']' | b':' | b'-' | b' ' | b'\t')
}

/// Whether the number that a text begins with is before a move, whatever follows that.
#[cold]
pub(crate) fn is_before_move(text: &[u8]) -> bool {
    let after = text.iter().position(|byte| !byte.is_ascii_digit() && !is_list_mark(byte));
    after
        .is_some_and(|at| matches!(text[at], b'a'..=b'e' | b'g'..=b'h' | b'B' | b'K' | b'N'..=b'R'))
}

/// Up to a tag or moves: these follow a bracket, or the mark that the line begins with.
#[cold]
pub(crate) fn end_of_other(bytes: &[u8], at: usize) -> usize {
    let end = searched_end(bytes, at);
    let is_mark = |byte: &&u8| byte.is_ascii_punctuation() || matches!(byte, b' ' | b'\t' | 0x80..);
    let marks = bytes[at..end].iter().take_while(is_mark).count();
    let behind = memchr::memchr_iter(b']', &bytes[at..end]).map(|len| at + len + 1);
    let behind_or_marks = std::iter::once(at + marks).chain(behind);
    // A move that the line begins with is other text here, which has to come to an end.
    let mut inside = behind_or_marks.filter(|next| (at + 1..end).contains(next));
    let moves = || inside.find(|next| begins_with_move(&bytes[*next..end]));
    next_tag(bytes, at + 1, end).or_else(moves).unwrap_or(end)
}

/// Where a game starts and by which rules: none is played without regard to them.
const DECISIVE: [&[u8]; 3] = [b"FEN", b"SetUp", b"Variant"];

/// Longest damaged tag pair, in bytes; bounds the cost of hostile text.
const LONGEST_DAMAGED: usize = 512;
const MOST_LINES: usize = 3;

/// Reads a tag with other quotes or brackets or none, with a colon, or on several lines.
#[cold]
pub(crate) fn read_damaged(bytes: &[u8], at: usize) -> Option<TagLine<'_>> {
    let bytes = &bytes[..bytes.len().min(at + LONGEST_DAMAGED)];
    let mut end = line_end(bytes, at);
    let line = &bytes[at..end];
    let (brackets, closing): (usize, &[u8]) = match line {
        [b'[', ..] => (1, b"]"),
        [b'(', ..] => (1, b")"),
        [b'<', ..] => (1, b">"),
        _ if line.starts_with("［".as_bytes()) => (3, "］".as_bytes()),
        _ if line.starts_with("【".as_bytes()) => (3, "】".as_bytes()),
        _ => (0, b"]"),
    };
    let brackets = brackets + line[brackets..].iter().take_while(|byte| **byte == b' ').count();
    let name_start = brackets + quotes(&line[brackets..]);
    let text = &line[name_start..];
    let slashes = || text.iter().filter(|byte| matches!(byte, b'/' | b'\\')).count();
    let name = DECISIVE.into_iter().find_map(|name| {
        let (found, rest) = text.split_at_checked(name.len())?;
        let ends = rest.first().is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        let is_whole = || ends || name == b"FEN" && slashes() >= 7;
        (found.eq_ignore_ascii_case(name) && is_whole()).then_some(found)
    })?;
    let start = at + name_start + name.len();
    let is_closed = |line: &[u8]| line.trim_ascii_end().ends_with(closing);
    // Other text may begin with such a word.
    if !line.starts_with(b"[") {
        let value = text[name.len()..].trim_ascii_start();
        let value = value.strip_prefix(b":").unwrap_or(value).trim_ascii_start();
        if slashes() < 7 && !(is_closed(line) && quotes(value) > 0) {
            return None;
        }
    }
    let value = &bytes[start..end];
    let is_complete = !line.starts_with(b"[")
        || is_closed(value)
        || all_quotes().any(|quote| value.trim_ascii_end().ends_with(quote))
            && !trim_marks(value).is_empty();
    let mut last = end;
    for _ in 1..MOST_LINES {
        let next = last + if bytes[last..].starts_with(b"\r\n") { 2 } else { 1 };
        if is_complete || next > bytes.len() {
            break;
        }
        last = line_end(bytes, next);
        let line = &bytes[next..last];
        // Another tag may stand on the line.
        let is_before_tag = |at: &usize| line[at + 1..].trim_ascii_start().starts_with(b"[");
        let own =
            memchr::memchr_iter(b']', line).find(is_before_tag).map_or(line.len(), |at| at + 1);
        if !may_continue(name, &line[..own]) {
            break;
        }
        if is_closed(&line[..own]) {
            end = next + own;
            break;
        }
    }
    // Brackets inside of the value are the pocket of a variant.
    let is_last = |len: usize| {
        let rest = bytes[start + len + closing.len()..end].trim_ascii_start();
        matches!(rest.first(), None | Some(b'['))
    };
    let bracket = memchr::memmem::find_iter(&bytes[start..end], closing).find(|len| is_last(*len));
    let value = &bytes[start..bracket.map_or(end, |len| start + len)];
    Some(TagLine {
        pair: Some(TagPair::of_value(name, trim_marks(value))),
        end: bracket.map_or(end, |len| start + len + closing.len()),
        fault: Some(PgnDiagnosticKind::DamagedTag),
    })
}

/// Whether a value may go on; not after a result, as the next game may follow in another chunk.
fn may_continue(name: &[u8], line: &[u8]) -> bool {
    let is_word = |at: &usize| *at == 0 || line[*at - 1].is_ascii_whitespace();
    if (0..line.len()).filter(is_word).any(|at| at_start(&line[at..]).is_some()) {
        return false;
    }
    let is_of_word =
        |byte: &u8| byte.is_ascii_alphanumeric() || b" \t-_\"']".contains(byte) || *byte >= 0x80;
    is_part_of_fen(line)
        || name.eq_ignore_ascii_case(b"Variant")
            && line.trim_ascii_end().ends_with(b"]")
            && line.iter().all(is_of_word)
}

/// Whether the line begins or ends between two ranks, or ends with the closing bracket.
pub(crate) fn is_part_of_fen(line: &[u8]) -> bool {
    let is_slash = |byte: Option<&u8>| matches!(byte, Some(b'/' | b'\\'));
    let text = line.trim_ascii();
    let is_part = is_slash(text.first()) || is_slash(text.last()) || text.ends_with(b"]");
    let is_of_fen = |byte: &u8| {
        byte.is_ascii_digit()
            || matches!(
                byte.to_ascii_lowercase(),
                b'a'..=b'h' | b'k' | b'n' | b'p' | b'q' | b'r' | b'w'
            )
            || b"/\\- \t~+]\"'".contains(byte)
    };
    is_part && line.iter().all(is_of_fen)
}

/// Quotes of all kinds, in Windows-1252 and in UTF-8, and the mark before one in Markdown.
fn all_quotes() -> impl Iterator<Item = &'static [u8]> {
    let quotes = ["\"", "'", "`", "´", "“", "”", "„", "‘", "’", "«", "»", "\\"];
    b"\x93\x94\x84\x91\x92".chunks(1).chain(quotes.into_iter().map(str::as_bytes))
}

fn quotes(text: &[u8]) -> usize {
    let mut len = 0;
    while let Some(quote) = all_quotes().find(|quote| text[len..].starts_with(quote)) {
        len += quote.len();
    }
    len
}

/// Removes white space, quotes, and the punctuation before a value.
pub(crate) fn trim_marks(mut text: &[u8]) -> &[u8] {
    loop {
        let before = text.len();
        text = text.trim_ascii();
        text = text.strip_prefix(b":").or(text.strip_prefix(b"=")).unwrap_or(text);
        text = &text[quotes(text)..];
        text = all_quotes().fold(text, |text, quote| text.strip_suffix(quote).unwrap_or(text));
        if text.len() == before {
            return text;
        }
    }
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
        // The text, and the offset after the tag pair; the others are left to the general reader.
        let cases: &[(&str, usize)] = &[
            ("[Event \"A\"]", 11),
            ("[E \"\"]\n", 6),
            ("[EventDate \"1992.??.??\"] [", 24),
            ("[White_2 \"M\u{fc}ller\"]\r\n", 19),
        ];
        for (text, end) in cases {
            let read = read_plain(text.as_bytes(), 0);
            assert_eq!(read.map(|(_, end)| end), Some(*end), "{text}");
        }
        for text in [
            "[ Event \"A\"]", "[Event  \"A\"]", "[Event\"A\"]", "[Event \"A\" ]", "[Event \"A",
            "[Event \"A\"", "[Event \"A\\\"\"]", "[Event", "[Event ", "[",
        ] {
            assert!(read_plain(text.as_bytes(), 0).is_none(), "{text}");
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

    #[test]
    fn placeholders_are_unknown_values() {
        let unknown = [
            ("White", &["", "  ", "?", " ? ", "-"][..]),
            ("Event", &["??"]),
            ("Site", &["?, ?"]),
            ("Date", &["????.??.??", "????", "????-??-??", "??/??/????"]),
            ("UTCTime", &["??:??:??"]),
            ("Round", &["-", "?.?"]),
            ("ECO", &["???"]),
            ("TimeControl", &["-"]),
            ("Result", &["*", "?"]),
            ("WhiteElo", &["0"]),
            ("BlackElo", &["?"]),
            ("BlackFideElo", &[" 0 "]),
            ("FEN", &["N/A", "startpos", "undefined", "Start", "standard", "Starting position"]),
        ];
        let known = [
            ("White", &["*", "N.N.", "Anonymous", "None"][..]),
            ("Round", &["0", "1.?"]),
            ("Date", &["1992.??.??", "????.06.??"]),
            ("Result", &["1-0", "0-1", "1/2-1/2", "0"]),
            ("WhiteElo", &["1", "00"]),
            ("ECO", &["B??"]),
            ("Event", &["\u{2013}", "M\u{fc}ller?"]),
            ("FEN", &["n1bk4/8 w - - 0 1"]),
        ];
        for (expected, cases) in [(true, &unknown[..]), (false, &known)] {
            for (name, value) in cases
                .iter()
                .flat_map(|(name, values)| values.iter().map(move |value| (name, value)))
            {
                let found = is_unknown(name.as_bytes(), value.as_bytes());
                assert_eq!(found, expected, "{name} {value:?}");
            }
        }
    }

    #[test]
    fn the_first_tag_of_a_name_counts_even_if_it_is_unknown() {
        let game =
            crate::games(b"[Site \"?\"] [Site \"Bonn\"] [Event \" M\xfcnchen \\\" \"] 1. e4 *");
        let game = { game }.next().unwrap();
        assert_eq!(known_value(game.tags(), b"Site"), None);
        assert_eq!(known_value(game.tags(), b"site"), None);
        assert_eq!(known_value(game.tags(), b"Event").as_deref(), Some("M\u{fc}nchen \""));
    }

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
            let line = read(text.as_bytes(), 0);
            let is_loose = line.fault.is_some();
            let (Some(pair), end) = (line.pair, line.end) else {
                panic!("{text}: not read as a tag pair");
            };
            assert_eq!(pair.name(), name.as_bytes(), "{text}");
            assert_eq!(&*pair.value(), value.as_bytes(), "{text}");
            assert_eq!((is_loose, &text[end..]), (*loose, *left), "{text}");
        }
    }

    #[test]
    fn a_malformed_tag_pair_extends_to_the_end_of_its_line() {
        for text in [
            "[Event]\ne4",
            "[Result 1-0]\ne4",
            "[Event \"A]\ne4",
            "[Event “A”]\ne4",
            "[\ne4",
            "[Event \"a\nb\"]",
            "[\"A\"]\n",
            "[ \"A\"]\n",
            "[Event A]\"\n",
            "[Ev/ent \"A\"]\n",
            "[Event \"A\\\n\"]",
        ] {
            let end = text.find('\n').unwrap();
            assert_eq!(read(text.as_bytes(), 0), TagLine::malformed(end), "{text}");
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
            let Some(TagLine { pair: Some(pair), end: read, .. }) =
                read_damaged(text.as_bytes(), 0)
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
            ("[FEN\n8/8 w][Event \"g\"]", "8/8 w"),
            ("[FEN\n8/8 w] [Event \"g\"]", "8/8 w"),
            ("[FEN\nO - O 1. e4 [Event \"g\"]", ""),
            ("[FEN \"8/8/\n8/8 w\"]", "8/8/\n8/8 w"),
            ("[FEN \"8/8\n/8/8\n/8 w\"]", "8/8\n/8/8\n/8 w"),
        ] {
            let Some(TagLine { pair: Some(pair), .. }) = read_damaged(text.as_bytes(), 0) else {
                panic!("{text}");
            };
            assert_eq!(pair.raw_value(), value.as_bytes(), "{text}");
        }
        for text in [
            "[Fenton A]", "[Event A]", "[Variation x]", "Variant of it", "FEN of the game",
            "(Variation) x", "(FEN by hand) x", "[FE", "[",
        ] {
            assert!(read_damaged(text.as_bytes(), 0).is_none(), "{text}");
        }
    }

    #[test]
    fn a_damaged_tag_goes_on_in_lines_that_are_a_part_of_a_fen() {
        // `|` marks the end of the tag.
        for case in [
            "[FEN \"8/8/\n8/8 w - -\"]|\n",
            "[FEN \"8/8\r\n/8/8\r\n/8/8 w - -\"]|\r\n",
            "[FEN \"8/8/|\n8/8/\n8/8/\n8/8 w - -\"]\n",
            "[FEN|\n[Event \"A\"]",
            "[FEN|\n1. e4 {a}]",
            "[FEN|\ne4 1-0]",
            "[FEN|\ne4 0-1 ]",
            "[FEN|\ne4 1/2 - 1/2]",
            "[FEN\ne4]|[Event \"A\"]",
            "[FEN 8/8|\n1-0[FEN \"8/8\"]\n",
            "[FEN 8/8]|\n8/8]",
            "FEN 8/8/8/8/8/8/8/8 w - -|\n8/8]",
        ] {
            let text = case.replace('|', "");
            let Some(TagLine { end, .. }) = read_damaged(text.as_bytes(), 0) else {
                panic!("{case}");
            };
            assert_eq!(end, case.find('|').unwrap(), "{case:?}");
        }
    }
}
