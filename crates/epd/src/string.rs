//! String operands (EPD 4.1): fewer than 256 printing characters in quotes; records in ASCII.

use std::borrow::Cow;

use deunicode::deunicode_char;

/// Maximum length of a string operand in bytes (EPD 4.1: "less than 256 bytes of data").
pub const LONGEST_STRING: usize = 255;

/// Converts `text` to a valid string operand.
///
/// A quote becomes an apostrophe, since nothing can be escaped; runs of white space and control
/// characters become one space, and are removed at the ends; text beyond [`LONGEST_STRING`] bytes
/// is cut at a character boundary.
///
/// ```
/// assert_eq!(epd::legal_string("a \"good\"\n  move "), "a 'good' move");
/// assert_eq!(epd::legal_string(&"é".repeat(200)).len(), 254);
/// ```
pub fn legal_string(text: &str) -> Cow<'_, str> {
    match printable(text) {
        Cow::Borrowed(text) => Cow::Borrowed(first_piece(text)),
        Cow::Owned(mut text) => {
            text.truncate(first_piece(&text).len());
            Cow::Owned(text)
        }
    }
}

/// Converts `text` to valid string characters, without a length limit.
pub fn printable(text: &str) -> Cow<'_, str> {
    if is_plain(text.as_bytes()) || !text.chars().any(is_forbidden) && is_folded(text) {
        return Cow::Borrowed(text);
    }
    let mut printable = String::with_capacity(text.len());
    let mut blank = false;
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() {
            blank = !printable.is_empty();
            continue;
        }
        if std::mem::take(&mut blank) {
            printable.push(' ');
        }
        printable.push(if c == '"' { '\'' } else { c });
    }
    Cow::Owned(printable)
}

fn first_piece(text: &str) -> &str {
    text[..text.floor_char_boundary(LONGEST_STRING)].trim_end_matches(' ')
}

/// Splits a printable text into string operands, before a space or else at any character.
pub fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.floor_char_boundary(LONGEST_STRING);
        let is_end_of_word = rest[end..].is_empty() || rest[end..].starts_with(' ');
        let end = if is_end_of_word { end } else { rest[..end].rfind(' ').unwrap_or(end) };
        let (piece, behind) = rest.split_at(end);
        rest = behind.trim_start_matches(' ');
        (!piece.is_empty()).then_some(piece)
    })
}

/// Whether [printable] would replace any character of `text` other than white space.
pub fn has_forbidden(text: &str) -> bool {
    text.chars().any(|c| is_forbidden(c) && !c.is_whitespace())
}

fn is_forbidden(c: char) -> bool {
    c == '"' || is_control(c)
}

/// Whether `c` is a control character, or one of the line and paragraph separators.
pub(crate) fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Unlike [`legal_string`], keeps all spaces and the length: it was a string of a record before.
pub(crate) fn quotable(text: Cow<'_, str>) -> Cow<'_, str> {
    if is_printing_ascii(&text) && !text.contains('"') || !text.contains(is_forbidden) {
        return text;
    }
    let replaced = |c: char| match c {
        '"' => '\'',
        c if is_control(c) => ' ',
        c => c,
    };
    Cow::Owned(text.chars().map(replaced).collect())
}

/// Whether a character outside of ASCII looks like a space, hyphen, semicolon, or nothing.
pub(crate) fn is_look_alike(c: char) -> bool {
    let is_blank = |c: char| c.is_whitespace() && !c.is_control();
    !c.is_ascii() && (is_invisible(c) || is_blank(c) || is_hyphen(c) || is_semicolon(c))
}

/// Returns the character of ASCII for which a look-alike stands, or `None` for an invisible one.
pub(crate) fn plain(c: char) -> Option<char> {
    match c {
        _ if is_invisible(c) => None,
        _ if is_hyphen(c) => Some('-'),
        _ if is_semicolon(c) => Some(';'),
        _ => Some(' '),
    }
}

/// Characters without a width, and the soft hyphen.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// The Greek question mark, and semicolons of East Asian input methods.
fn is_semicolon(c: char) -> bool {
    matches!(c, '\u{37e}' | '\u{fe14}' | '\u{fe54}' | '\u{ff1b}')
}

pub(crate) fn is_curly_quote(c: char) -> bool {
    matches!(c, '\u{2018}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{ff02}')
}

pub(crate) fn without_curly_quotes(text: &str) -> &str {
    let inner =
        text.strip_prefix(is_curly_quote).and_then(|text| text.strip_suffix(is_curly_quote));
    inner.filter(|inner| !inner.contains(is_curly_quote)).unwrap_or(text)
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}')
}

/// Whether `text` is a valid string operand unchanged.
pub fn is_legal_string(text: &str) -> bool {
    text.len() <= LONGEST_STRING && !text.chars().any(is_forbidden)
}

/// Whether all characters are printing characters of ASCII: one pass without a branch for each.
pub(crate) fn is_printing_ascii(text: &str) -> bool {
    text.bytes().fold(true, |all, byte| all & matches!(byte, b' '..=b'~'))
}

/// Whether the text is ASCII and [`printable`] leaves it as it is: two passes without a branch for
/// each byte, which is quicker for nearly all texts.
///
/// ```
/// assert!(epd::is_plain(b"Anderssen, Adolf"));
/// assert!(!epd::is_plain(b"two  spaces"));
/// ```
pub fn is_plain(text: &[u8]) -> bool {
    let is_printing = |byte: u8| matches!(byte, b' '..=b'~') & (byte != b'"');
    let after = text.get(1..).unwrap_or_default();
    let are_blank = |(byte, next): (&u8, &u8)| (*byte == b' ') & (*next == b' ');
    text.iter().fold(true, |all, byte| all & is_printing(*byte))
        & !text.iter().zip(after).fold(false, |any, pair| any | are_blank(pair))
        && !matches!(text, [b' ', ..] | [.., b' '])
}

fn is_folded(text: &str) -> bool {
    let other = |c: char| c.is_whitespace() && c != ' ';
    !text.starts_with(' ') && !text.ends_with(' ') && !text.contains("  ") && !text.contains(other)
}

// ASCII, the character set of EPD (EPD 3), for programs that read nothing else.

/// Transliterates a record, or several lines of records, to ASCII: `Kröger` becomes `Kroger`,
/// `Гарри` becomes `Garri`, and a character without an equivalent becomes `?`.
///
/// String operands stay string operands: quotes become apostrophes, and text beyond 255 bytes is
/// cut (EPD 4.1). The second value is the number of strings that were cut.
///
/// ```
/// let (record, cut) = epd::to_ascii("4k3/8/8/8/8/8/8/4K3 w - - c0 \"Réti – “novelty”\";\n");
/// assert_eq!(record, "4k3/8/8/8/8/8/8/4K3 w - - c0 \"Reti - 'novelty'\";\n");
/// assert_eq!(cut, 0);
/// ```
pub fn to_ascii(record: &str) -> (Cow<'_, str>, u64) {
    if record.is_ascii() {
        return (Cow::Borrowed(record), 0);
    }
    let mut ascii = String::with_capacity(record.len());
    let mut cut = 0;
    // EPD cannot escape a quote, so every second part is a string.
    for (number, part) in record.split('"').enumerate() {
        if number > 0 {
            ascii.push('"');
        }
        let start = ascii.len();
        for c in part.chars() {
            match c {
                c if c.is_ascii() => ascii.push(c),
                c => ascii.extend(deunicode_char(c).unwrap_or("?").chars().map(harmless)),
            }
        }
        if !part.ends_with(' ') {
            // The transliteration of an ideograph ends with a space.
            ascii.truncate(start + ascii[start..].trim_end_matches(' ').len());
        }
        let is_string = number % 2 == 1;
        if is_string && part.len() <= LONGEST_STRING && ascii.len() - start > LONGEST_STRING {
            ascii.truncate(start + LONGEST_STRING);
            ascii.truncate(ascii.trim_end_matches(' ').len());
            cut += 1;
        }
    }
    (Cow::Owned(ascii), cut)
}

fn harmless(c: char) -> char {
    match c {
        '"' => '\'',
        ';' => ',',
        ' '..='~' => c,
        _ => ' ',
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::string::is_legal_string;

    proptest! {
        #[test]
        fn what_is_made_legal_is_legal_and_stays_as_it_is(text in ".{0,400}|[a \"\\n\u{85}\u{3000}é]{0,400}") {
            let legal = legal_string(&text);
            prop_assert!(is_legal_string(&legal), "{:?}", legal);
            prop_assert_eq!(legal_string(&legal), &*legal);
            let words = |text: &str| text.replace('"', "'").split_whitespace().collect::<Vec<_>>().join(" ");
            prop_assert!(words(&text).starts_with(&words(&legal)) || text.contains(char::is_control));
        }

        #[test]
        fn pieces_are_legal_strings_and_together_the_text(text in ".{0,900}|[a é]{0,900}|[aé]{300,900}") {
            let text = printable(&text);
            let pieces: Vec<&str> = pieces(&text).collect();
            prop_assert!(pieces.iter().all(|piece| is_legal_string(piece) && !piece.is_empty()));
            let without_spaces = |text: &str| text.replace(' ', "");
            prop_assert_eq!(without_spaces(&pieces.concat()), without_spaces(&text));
            // Words stay whole if each fits a string.
            if text.split(' ').all(|word| word.len() <= LONGEST_STRING) {
                prop_assert_eq!(pieces.join(" "), &*text);
            }
        }
    }

    #[test]
    fn letters_become_the_closest_ones_of_ascii() {
        for (text, expected) in [
            ("c0 \"Kröger\";", "c0 \"Kroger\";"),
            ("c0 \"Łukasz Çelik ß\";", "c0 \"Lukasz Celik ss\";"),
            ("c0 \"Каспаров\";", "c0 \"Kasparov\";"),
            ("c0 \"„a“ … b\u{a0}c\";", "c0 \",,a' ... b c\";"),
            ("c0 \"王 hao 王\";", "c0 \"Wang  hao Wang\";"),
            ("noop a\u{ff1b}b;", "noop a,b;"),
        ] {
            let (ascii, cut) = to_ascii(text);
            assert!(ascii.is_ascii() && cut == 0, "{ascii}");
            assert_eq!(ascii, expected);
        }
    }

    proptest! {
        #[test]
        fn a_string_stays_a_string(text in "[^\"\\pC\n]{0,120}") {
            let record = format!("c0 \"{text}\";");
            let (ascii, _) = to_ascii(&record);
            let string = ascii.strip_prefix("c0 \"").and_then(|rest| rest.strip_suffix("\";"));
            prop_assert!(string.is_some_and(|string| is_legal_string(string) && string.is_ascii()), "{}", ascii);
        }
    }
}
