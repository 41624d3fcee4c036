//! A line with a tag pair, which may be damaged if it is about the start of the game or its rules:
//! without quotes or with others, without a bracket or with others, with a colon after the name, on
//! several lines.

use crate::result;
use crate::tag::{TagLine, TagPair, is_line_end, line_end, opening_quote, read_plain, skip_spaces};
use crate::word::begins_with_move;

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
        TagLine::Malformed { end: end_of_other(bytes, at) }
    };
    match (line, read_damaged(bytes, at)) {
        (TagLine::Malformed { .. }, Some(damaged)) => damaged,
        (line, _) => line,
    }
}

#[cold]
fn read_any(bytes: &[u8], at: usize) -> TagLine<'_> {
    let Some((name, quote)) = opening_quote(bytes, at).filter(|(_, quote)| bytes[*quote] == b'"')
    else {
        return TagLine::Malformed { end: end_of_other(bytes, at) };
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
            let pair = TagPair::written(name, &bytes[start..closing], !spaced);
            return TagLine::Pair { pair, end: bracket + 1 };
        }
    }
    read_loose(bytes, name, start)
}

/// Most bytes of a line that decide how its beginning is read; bounds the cost of hostile text, such
/// as many games on one line.
const MOST_SEARCHED: usize = 8192;

/// Returns the end of the line, or of the part of it that is searched.
pub(crate) fn searched_end(bytes: &[u8], at: usize) -> usize {
    line_end(&bytes[..bytes.len().min(at + MOST_SEARCHED)], at)
}

/// Reads a value with quotes inside, or without `]`: everything up to the last quote of the line, or
/// before the next tag on it.
#[cold]
fn read_loose<'a>(bytes: &'a [u8], name: &'a [u8], start: usize) -> TagLine<'a> {
    let end = searched_end(bytes, start);
    let end = next_tag(bytes, start, end).unwrap_or(end);
    let rest = bytes[start..end].trim_ascii_end();
    let rest = rest.strip_suffix(b"]").unwrap_or(rest).trim_ascii_end();
    match rest.strip_suffix(b"\"") {
        Some(raw) => TagLine::Pair { pair: TagPair::loose(name, raw), end },
        None => TagLine::Malformed { end: end_of_other(bytes, start).min(end) },
    }
}

/// Returns the offset of the next tag in a part of a line that does not begin with one: a tag that
/// decides how the game is played, behind any text, or one behind a bracket that ends the text.
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

/// Whether a tag that decides how the game is played, and that a text begins with, is not taken for
/// other text in the middle of a line: it is in brackets, or its value is in quotes.
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

/// Returns the end of a line that is not a tag: the offset of a tag or of a move that follows on it, or
/// else the line end. Moves follow a bracket, or the mark that the line begins with.
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

/// The tags that decide where a game starts and by which rules it is played: no game is played
/// without regard to them.
const DECISIVE: [&[u8]; 3] = [b"FEN", b"SetUp", b"Variant"];

/// Longest damaged tag pair, in bytes; bounds the cost of hostile text.
const LONGEST_DAMAGED: usize = 512;

/// Most lines of a damaged tag pair.
const MOST_LINES: usize = 3;

/// Reads a damaged tag pair about the start of the game or its rules: without quotes or with
/// others, without a bracket or with others, with a colon after the name, on several lines.
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
        || ends_with_quote(value) && !trim_marks(value).is_empty();
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
    let pair = TagPair::loose(name, trim_marks(value));
    Some(TagLine::Damaged { pair, end: bracket.map_or(end, |len| start + len + closing.len()) })
}

/// Whether a line may be the rest of a damaged tag of this name. A result ends a game, and text
/// after it on the line may be the next one, which is not always read with it.
fn may_continue(name: &[u8], line: &[u8]) -> bool {
    let is_word = |at: &usize| *at == 0 || line[*at - 1].is_ascii_whitespace();
    if (0..line.len()).filter(is_word).any(|at| result::at_start(&line[at..]).is_some()) {
        return false;
    }
    let is_of_word =
        |byte: &u8| byte.is_ascii_alphanumeric() || b" \t-_\"']".contains(byte) || *byte >= 0x80;
    is_part_of_fen(line)
        || name.eq_ignore_ascii_case(b"Variant")
            && line.trim_ascii_end().ends_with(b"]")
            && line.iter().all(is_of_word)
}

/// Whether a line consists of the characters of a FEN, and begins or ends between two ranks or ends
/// with the closing bracket.
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
    // Before a bracket or a quote, as in Markdown.
    b"\\",
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
pub(crate) fn trim_marks(mut text: &[u8]) -> &[u8] {
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
            let line = read(text.as_bytes(), 0);
            let is_loose = line.is_faulty();
            let TagLine::Pair { pair, end } = line else {
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
            ("[FEN\n8/8 w][Event \"g\"]", "8/8 w"),
            ("[FEN\n8/8 w] [Event \"g\"]", "8/8 w"),
            ("[FEN\nO - O 1. e4 [Event \"g\"]", ""),
            ("[FEN \"8/8/\n8/8 w\"]", "8/8/\n8/8 w"),
            ("[FEN \"8/8\n/8/8\n/8 w\"]", "8/8\n/8/8\n/8 w"),
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
            let Some(TagLine::Damaged { end, .. }) = read_damaged(text.as_bytes(), 0) else {
                panic!("{case}");
            };
            assert_eq!(end, case.find('|').unwrap(), "{case:?}");
        }
    }
}
