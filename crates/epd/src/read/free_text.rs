//! Tells operations from free text by the form of their operands.

use super::escapes::{Escapes, string_len};
use super::mates::mate_count;
use super::text::Token;
use crate::opcode::{Opcode, OperandType};

/// Whether the text is what an unknown opcode may have: strings, numbers, moves (EPD 4.1).
pub(crate) fn are_operands(text: &str, escapes: Escapes) -> bool {
    let mut rest = Token { at: 0, text }.trim_start();
    while !rest.is_empty() {
        let len = match rest.text.starts_with('"') {
            true => string_len(rest.text, escapes),
            false => Some(rest.split_word().0.text)
                .filter(|word| is_number(word) || is_like_move(word))
                .map(str::len),
        };
        let Some(len) = len else { return false };
        rest = rest.skip(len).trim_start();
    }
    true
}

/// Numbers such as `.5` and `5.`, each with its form in the standard; not a move's, `5. Nf3`.
pub(crate) fn bare_points(text: Token<'_>, escapes: Escapes) -> Vec<(Token<'_>, String)> {
    let (mut found, mut rest) = (Vec::new(), text.trim_start());
    while !rest.is_empty() {
        let word = rest.split_word().0;
        let is_string = word.text.starts_with('"');
        let len = if is_string { string_len(rest.text, escapes) } else { None };
        rest = rest.skip(len.unwrap_or(word.text.len())).trim_start();
        let (sign, digits) = match word.text.strip_prefix(['+', '-']) {
            Some(digits) => (&word.text[..1], digits),
            None => ("", word.text),
        };
        let (is_first, is_last) = (digits.starts_with('.'), digits.ends_with('.'));
        let is_of_move = is_last && is_like_move(rest.split_word().0.text);
        if (is_first || is_last) && !is_of_move && is_number(word.text) {
            let zero = |is_wanted| if is_wanted { "0" } else { "" };
            found.push((word, format!("{sign}{}{digits}{}", zero(is_first), zero(is_last))));
        }
    }
    found
}

/// Whether the text is an integer or a number with a decimal point.
pub(crate) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && text.parse().is_ok_and(f64::is_finite)
}

/// Whether the text has the form of a move, legal or not.
pub(crate) fn is_like_move(text: &str) -> bool {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    if matches!(text, "O-O" | "O-O-O" | "0-0" | "0-0-0" | "--") {
        return true;
    }
    let is_of_move = |b: u8| {
        matches!(b, b'a'..=b'h' | b'1'..=b'8' | b'x' | b'-' | b'=' | b'@')
            || b"KQRBNPqrbn".contains(&b)
    };
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    text.len() <= 8 && text.bytes().all(is_of_move) && text.as_bytes().windows(2).any(is_square)
}

/// Whether the text contains an operation. An unquoted string or one without its end may hide one.
pub(crate) fn hides_operation(text: &str) -> bool {
    operation_at(text).is_some()
}

/// Returns the offset of the first operation in a text: an opcode and an operand of its type.
pub(crate) fn operation_at(text: &str) -> Option<usize> {
    use OperandType::{
        Any, Evaluation, Integer, Line, Move, Moves, Nothing, Register, Text, TwoTexts,
    };
    let mut words = Token { at: 0, text }.words();
    while let Some(word) = words.next() {
        let next = words.clone().next().map_or("", |next| next.text.trim_end_matches(';'));
        let is_found = match Opcode::from_name(word.text).map(Opcode::operands) {
            Some(Integer { .. } | Evaluation) => is_number(next),
            Some(Moves) if next.starts_with('#') => mate_count(next).is_some(),
            Some(Move | Moves | Line) => is_like_move(next),
            Some(Text | Register | TwoTexts) => next.starts_with('"'),
            Some(Nothing) => word.text.contains('_'),
            Some(Any) | None => false,
        };
        if is_found {
            return Some(word.at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_strings_numbers_and_moves() {
        for (text, expected) in [
            ("", true),
            ("5", true),
            ("-7 +3 1.5 .5 1e9", true),
            ("\"to win; or not\" 3", true),
            ("e4 Nbd7+ O-O-O exd8=Q# e2e4 N@f3 --", true),
            ("to win", false),
            ("pin", false),
            ("1-0", false),
            ("\"open", false),
            ("eval: 5", false),
            ("inf", false),
            ("#2", false),
        ] {
            assert_eq!(are_operands(text, Escapes::Guess), expected, "{text}");
        }
    }

    #[test]
    fn a_point_has_a_digit_on_both_sides() {
        for (text, expected) in [
            ("0.5 5.0 -1.5 5 x", &[][..]),
            (".5", &["0.5"]),
            ("-.5 5. +7.", &["-0.5", "5.0", "+7.0"]),
            ("\".5 5.\" .25", &["0.25"]),
            (". .. ... a.5 5.x", &[]),
            ("1. e4 e5 2. Nf3", &[]),
            ("5. x", &["5.0"]),
        ] {
            let found = bare_points(Token { at: 3, text }, Escapes::None);
            let numbers: Vec<&str> = found.iter().map(|(_, number)| &**number).collect();
            assert_eq!(numbers, expected, "{text}");
            assert!(found.iter().all(|(word, _)| text[word.at - 3..].starts_with(word.text)));
        }
    }

    #[test]
    fn an_operation_hides_in_text_if_an_operand_follows_its_opcode() {
        for (text, expected) in [
            ("x ce 10", true),
            ("x bm e4", true),
            ("x id \"y\"", true),
            ("x draw_offer", true),
            ("mate in 3 bm #3", true),
            ("the best bm of all", false),
            ("they resign", false),
            ("dm", false),
            ("noop 5", false),
        ] {
            assert_eq!(hides_operation(text), expected, "{text}");
        }
    }
}
