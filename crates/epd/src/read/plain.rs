//! Finds operations of the form that programs write, without reading them: the name of an opcode, a
//! space, one word or one string, a semicolon, and a space before the next. What this finds,
//! [`Operations`](super::operations::Operations) would read.

use std::ops::Range;

/// Yields `None` where the text leaves that form; what was found before does not count then.
#[derive(Clone, Debug)]
pub(crate) struct PlainOperations<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// Whether a byte ends a name, and an operand: `:` may be of an evaluation, `_` is of opcodes.
/// A look-up saves a twentieth of the time of a record: comparisons are unpredictable branches.
static ENDS: [(bool, bool); 256] = {
    let mut ends = [(true, false); 256];
    let mut byte = 0;
    while byte < 256 {
        let of_name = (byte as u8).is_ascii_lowercase() || (byte as u8).is_ascii_digit();
        let of_word = byte > b' ' as usize && !matches!(byte as u8, b';' | b'"' | b':' | b'_');
        ends[byte] = (!of_name, !of_word);
        byte += 1;
    }
    ends
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlainOperation {
    pub(crate) name: Range<usize>,
    pub(crate) operands: Range<usize>,
}

impl<'a> PlainOperations<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        PlainOperations { bytes: text.as_bytes(), at: 0 }
    }

    #[inline(always)]
    fn plain(&mut self) -> Option<PlainOperation> {
        let bytes = self.bytes;
        let at = self.at + bytes[self.at..].iter().position(|b| ENDS[usize::from(*b)].0)?;
        let name = self.at..at;
        let operands = match bytes[at..] {
            _ if name.is_empty() => return None,
            [b';', ..] => at..at,
            [b' ', b'"', ..] => {
                let end = at + 2 + memchr::memchr(b'"', &bytes[at + 2..])?;
                // An escape, perhaps.
                if bytes[end - 1] == b'\\' {
                    return None;
                }
                at + 1..end + 1
            }
            // `=` may belong to the name, `#4` and `-4` are mates, and a word that is not an
            // operand is another operation.
            [b' ', b'=' | b';' | b'#', ..] => return None,
            [b' ', b'-', ..] if bytes[name.clone()] == *b"dm" => return None,
            [b' ', ..] if bytes[name.clone()] == *b"resign" => return None,
            [b' ', ref word @ ..] => {
                at + 1..at + 1 + word.iter().position(|b| ENDS[usize::from(*b)].1)?
            }
            _ => return None,
        };
        self.at = match bytes[operands.end..] {
            [b';'] => bytes.len(),
            [b';', b' ', ..] => operands.end + 2,
            _ => return None,
        };
        Some(PlainOperation { name, operands })
    }
}

impl Iterator for PlainOperations<'_> {
    type Item = Option<PlainOperation>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        (self.at < self.bytes.len()).then(|| self.plain())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::escapes::Escapes;
    use super::super::operations::{Form, Operations};
    use super::super::text::Token;
    use super::*;

    /// The names and operands of operations.
    type Found<'a> = Vec<(&'a str, &'a str)>;

    /// Those of plain form, if all are.
    fn plain(text: &str) -> Option<Found<'_>> {
        let found = PlainOperations::new(text).collect::<Option<Vec<_>>>()?;
        Some(found.into_iter().map(|op| (&text[op.name], &text[op.operands])).collect())
    }

    /// Those that the reader of all forms finds, which must be named.
    fn any(text: &str, escapes: Escapes) -> Found<'_> {
        Operations::new(Token { at: 0, text }, escapes)
            .map(|operation| {
                assert_eq!(operation.form, Form::Named, "{text}");
                (operation.name(), operation.operands())
            })
            .collect()
    }

    #[test]
    fn only_what_can_be_read_in_one_way_is_plain() {
        for (text, expected) in [
            ("", Some(&[][..])),
            ("hmvc 0;", Some(&[("hmvc", "0")])),
            ("hmvc 0; ", Some(&[("hmvc", "0")])),
            ("c0; hmvc 0;", Some(&[("c0", ""), ("hmvc", "0")])),
            ("c0 \"a; hmvc 3;\"; x1 y;", Some(&[("c0", "\"a; hmvc 3;\""), ("x1", "y")])),
            ("ce -5; hmvc 3; hmvc 4;", Some(&[("ce", "-5"), ("hmvc", "3"), ("hmvc", "4")])),
            ("c0 \"\u{e4}\"; sm \u{e4};", Some(&[("c0", "\"\u{e4}\""), ("sm", "\u{e4}")])),
            // No semicolon, no space, several spaces, a tab.
            ("hmvc 0", None),
            ("hmvc 0; fmvn", None),
            ("hmvc 0;fmvn 1;", None),
            ("hmvc  0;", None),
            ("hmvc 0 ;", None),
            ("hmvc 0;  fmvn 1;", None),
            ("hmvc\t0;", None),
            ("hmvc ;", None),
            // Several words, a name with a sign, free text, other forms.
            ("bm e4 d4; hmvc 0;", None),
            ("bm e4 hmvc 0;", None),
            ("hmvc =3;", None),
            ("hmvc=3;", None),
            ("hmvc: 3;", None),
            ("PV: e4;", None),
            ("cdb eval:5,hmvc=3;", None),
            ("v=5;", None),
            ("resign hmvc;", None),
            ("x1 draw_offer;", None),
            ("D1 20;", None),
            ("- hmvc 3;", None),
            ("// hmvc 3;", None),
            ("bm #4;", None),
            ("dm -4;", None),
            (";", None),
            ("hmvc 3;;", None),
            // Strings that do not end, or not before a semicolon.
            ("c0 \"a; hmvc 3;", None),
            ("c0 \"a\\\"; hmvc 3;", None),
            ("c0 \"a\"b; hmvc 3;", None),
            ("c0 \"a\" \"b\"; hmvc 3;", None),
            ("c0 a\"; hmvc 3;", None),
            ("c0 \"", None),
        ] {
            let expected: Option<Found<'_>> = expected.map(<[_]>::to_vec);
            assert_eq!(plain(text), expected, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4096, ..ProptestConfig::default() })]
        #[test]
        fn plain_operations_are_what_the_reader_of_all_forms_finds(
            text in "((hmvc|fmvn|sm|bm|dm|ce|c0|id|resign|draw_offer|noop|cdb|x1|v|D1|PV:|-|//)( | | |=|:|\\t|  )?\
                (|0|12|-4|#4|e4|Nf3\\+|e4 d4|hmvc|fmvn 3|resign|c0|draw_offer|eval:5,hmvc=3|\"a; hmvc 3;\"|\"\\\\\"|\"|v=4|\u{e4})\
                (;|; |; |; |; | ;|;;| |)){0,5}"
        ) {
            let text = text.trim();
            if let Some(found) = plain(text) {
                for escapes in [Escapes::Guess, Escapes::None] {
                    prop_assert_eq!(&found, &any(text, escapes));
                }
            }
        }
    }
}
