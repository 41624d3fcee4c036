//! Transliterates records to ASCII, the character set of EPD (EPD 3), for programs that read
//! nothing else.

use std::borrow::Cow;

use deunicode::deunicode_char;

use crate::string::LONGEST_STRING;

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

/// Replaces characters that would end a string, an operation or a line.
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

    #[test]
    fn a_string_that_grows_beyond_the_limit_is_cut_and_counted() {
        let text = format!("c0 \"{}\";", "щ".repeat(127));
        let (ascii, cut) = to_ascii(&text);
        assert_eq!((ascii.len(), cut), (255 + "c0 \"\";".len(), 1));
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
