//! Recovers fields with missing or superfluous spaces: `- -1 12`, `wKQkq -`, `8/8/8/ 8/…`.

use super::text::{Token, is_blank};
use crate::dialect::fen;
use crate::opcode::Opcode;

pub(super) struct Respaced<'a> {
    /// The four fields as in the line; the first may contain spaces.
    pub(super) tokens: [Token<'a>; 4],
    /// The piece placement without spaces.
    pub(super) placement: String,
    pub(super) rest: Token<'a>,
}

/// Returns the fields of a line if its letters have exactly one reading, regardless of spaces.
#[cold]
pub(super) fn read(line: Token<'_>) -> Option<Respaced<'_>> {
    let (placement_token, placement, rest) = placement(line)?;
    let (side, rest) = take(rest.trim_start(), |text| {
        matches!(text.as_bytes().first()?, b'w' | b'b' | b'W' | b'B').then_some(1)
    })?;
    let (castling, rest) = take(rest.trim_start(), castling_len)?;
    let (en_passant, rest) = take(rest.trim_start(), |text| match text.as_bytes() {
        [b'-', ..] => Some(1),
        [b'a'..=b'h', b'3' | b'6', ..] => Some(2),
        _ => None,
    })?;
    // `K- -` may be a right and two hyphens, or contain one hyphen too many; `KQk-q` may be a
    // damaged field of rights.
    if rest.text.trim_start().starts_with('-') || !may_be_glued(rest) {
        return None;
    }
    let tokens = [placement_token, side, castling, en_passant];
    Some(Respaced { tokens, placement, rest: rest.trim_start() })
}

/// Whether the text may follow the fields directly: a semicolon, both counters, a known opcode.
fn may_be_glued(rest: Token<'_>) -> bool {
    let word = rest.split_word().0.text;
    let word = &word[..word.find([';', '=', ':']).unwrap_or(word.len())];
    let has_counters = fen::clocks(rest).is_some_and(|clocks| clocks.fullmoves.is_some());
    word.is_empty() || has_counters || Opcode::from_name(word).is_some()
}

fn take<'a>(
    text: Token<'a>,
    len: impl Fn(&str) -> Option<usize>,
) -> Option<(Token<'a>, Token<'a>)> {
    len(text.text).map(|len| text.split_at(len))
}

/// File letters, which could be part of the en passant square, require a space after them.
fn castling_len(text: &str) -> Option<usize> {
    let run = |is_right: fn(u8) -> bool| text.bytes().take_while(|b| is_right(*b)).count();
    if text.starts_with('-') {
        return Some(1);
    }
    let files = run(|b| matches!(b.to_ascii_lowercase(), b'a'..=b'h' | b'k' | b'q'));
    let ends = text.as_bytes().get(files).is_some_and(|b| is_blank(*b));
    let sides = run(|b| matches!(b, b'K' | b'Q' | b'k' | b'q'));
    match (files, sides) {
        (files, _) if files > 0 && ends => Some(files),
        (_, sides) if sides > 0 => Some(sides),
        _ => None,
    }
}

/// Parses eight ranks of eight squares, between them a slash or a space; spaces may be anywhere.
fn placement(line: Token<'_>) -> Option<(Token<'_>, String, Token<'_>)> {
    let (mut placement, mut ranks, mut squares) = (String::new(), 0, 0);
    // Whether a slash, or at least a space, separates the next rank from the previous one.
    let (mut is_separated, mut has_solidus) = (true, true);
    for (at, byte) in line.text.bytes().enumerate() {
        match byte {
            _ if is_blank(byte) => is_separated = true,
            b'/' if squares == 0 && ranks > 0 && !has_solidus => {
                (is_separated, has_solidus) = (true, true)
            }
            _ if b"12345678PNBRQKpnbrqk".contains(&byte) => {
                if squares == 0 && !is_separated {
                    return None;
                }
                if squares == 0 && ranks > 0 {
                    placement.push('/');
                }
                squares += if byte.is_ascii_digit() { usize::from(byte - b'0') } else { 1 };
                placement.push(char::from(byte));
                if squares == 8 {
                    ranks += 1;
                    (squares, is_separated, has_solidus) = (0, false, false);
                }
                if ranks == 8 {
                    let (token, rest) = line.split_at(at + 1);
                    return Some((token, placement, rest));
                }
            }
            _ => return None,
        }
        if squares > 8 {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the fields separated by single spaces, and the rest.
    fn respaced(line: &str) -> Option<(String, &str)> {
        let Respaced { tokens, placement, rest } = read(Token { at: 0, text: line })?;
        let [_, side, castling, en_passant] = tokens.map(|token| token.text);
        Some((format!("{placement} {side} {castling} {en_passant}"), rest.text))
    }

    #[test]
    fn fields_are_found_wherever_the_spaces_are() {
        const KINGS: &str = "4k3/8/8/8/8/8/4P3/4K3";
        let cases = [
            (format!("{KINGS} b - -1 12"), format!("{KINGS} b - -"), "1 12"),
            (format!("{KINGS} w -- bm e4;"), format!("{KINGS} w - -"), "bm e4;"),
            (format!("{KINGS} w - -bm e4;"), format!("{KINGS} w - -"), "bm e4;"),
            (format!("{KINGS}w - -"), format!("{KINGS} w - -"), ""),
            (format!("{KINGS} wKQkqe3 0 1"), format!("{KINGS} w KQkq e3"), "0 1"),
            (format!("{KINGS} w HAha e30 1"), format!("{KINGS} w HAha e3"), "0 1"),
            ("4k3/8/8/ 8/8 /8/4P3/4K3 w - -".to_owned(), format!("{KINGS} w - -"), ""),
            ("4k3 8 8 8 8 8 4P3 4K3 b - -".to_owned(), format!("{KINGS} b - -"), ""),
            (
                "4 k3/8/8/8/8/8/4P 3/4K3 b - -".to_owned(),
                "4k3/8/8/8/8/8/4P3/4K3 b - -".to_owned(),
                "",
            ),
        ];
        for (line, fields, rest) in cases {
            assert_eq!(respaced(&line), Some((fields, rest)), "{line}");
        }
    }

    #[test]
    fn what_has_no_reading_or_several_is_left_alone() {
        for line in [
            "4k3/8/8/8/8/8/4P3/4K3 w -",
            "4k3/8/8/8/8/8/4P3/4K3 - -",
            "4k3/8/8/8/8/8/4P3/4K3 white - -",
            "4k3/8/8/8/8/8/4P3/4K3 w K- -",
            "4k3/8/8/8/8/8/4P3 w - -",
            "4k38/8/8/8/8/8/4P3/4K3 w - -",
            "4k3//8/8/8/8/8/4P3/4K3 w - -",
            "4k3/8/8/8/8/8/4P3/4K3/8 w - -",
            "4k3/8/8/8/44p/8/8/4K3 w - -",
            "4k3/8/8/8/8/8/4P3/4K3 w ae3",
            // Rights, or what is left of them.
            "r3k2r/8/8/8/8/8/8/R3K2R b K-Qkq - D1 1; c0 \"sp\";",
            "r3k2r/8/8/8/8/8/8/R3K2R b KQk-q id \"sp\";",
            "r3k2r/8/8/8/8/8/8/R3K2R w Kk -2 eco \"10\";",
            "",
        ] {
            assert!(respaced(line).is_none(), "{line}");
        }
    }
}
