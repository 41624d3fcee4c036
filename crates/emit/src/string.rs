//! String operands (EPD 4.1): printing characters between quotes, less than 256 bytes of them.

use std::borrow::Cow;

/// The most bytes that a string operand has (EPD 4.1: "less than 256 bytes of data").
pub const LONGEST_STRING: usize = 255;

/// `text` as a string operand, as short as it can be.
///
/// A quote becomes an apostrophe, since nothing can be escaped; white space and control characters become one blank, and
/// none at the ends; what is longer than [`LONGEST_STRING`] bytes is cut behind a whole character.
///
/// ```
/// assert_eq!(emit::legal_string("a \"good\"\n  move "), "a 'good' move");
/// assert_eq!(emit::legal_string(&"é".repeat(200)).len(), 254);
/// ```
pub fn legal_string(text: &str) -> Cow<'_, str> {
    if is_plain(text) || is_legal_string(text) && is_folded(text) {
        return Cow::Borrowed(text);
    }
    let mut legal = String::with_capacity(text.len().min(LONGEST_STRING));
    let mut blank = false;
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() {
            blank = !legal.is_empty();
            continue;
        }
        let c = if c == '"' { '\'' } else { c };
        if legal.len() + usize::from(blank) + c.len_utf8() > LONGEST_STRING {
            break;
        }
        if std::mem::take(&mut blank) {
            legal.push(' ');
        }
        legal.push(c);
    }
    Cow::Owned(legal)
}

/// Whether `text` can stand between quotes as it is.
pub fn is_legal_string(text: &str) -> bool {
    text.len() <= LONGEST_STRING && !text.chars().any(|c| c == '"' || c.is_control())
}

/// Whether it is all ASCII, and nothing about it is odd: one look at each byte for nearly all strings.
fn is_plain(text: &str) -> bool {
    let (mut odd, mut before) = (text.len() > LONGEST_STRING, b' ');
    for byte in text.bytes() {
        odd |= !matches!(byte, b' '..=b'~') | (byte == b'"') | (byte == b' ') & (before == b' ');
        before = byte;
    }
    !odd && (before != b' ' || text.is_empty())
}

/// Whether all its white space is single blanks between words.
fn is_folded(text: &str) -> bool {
    let other = |c: char| c.is_whitespace() && c != ' ';
    !text.starts_with(' ') && !text.ends_with(' ') && !text.contains("  ") && !text.contains(other)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_made_legal_is_legal_and_stays_as_it_is(text in ".{0,400}|[a \"\\n\u{85}\u{3000}é]{0,400}") {
            let legal = legal_string(&text);
            prop_assert!(is_legal_string(&legal), "{:?}", legal);
            prop_assert_eq!(legal_string(&legal), &*legal);
            let words = |text: &str| text.replace('"', "'").split_whitespace().collect::<Vec<_>>().join(" ");
            prop_assert!(words(&text).starts_with(&words(&legal)) || text.contains(char::is_control));
        }
    }
}
