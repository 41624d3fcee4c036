//! Decodes bytes of a PGN file as text.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

use crate::tag_line;
use crate::word;

/// Decodes bytes as UTF-8 or, if that fails, as Windows-1252, which extends ISO 8859-1, the
/// character set of the PGN standard (4.1), by quotes and dashes.
///
/// Each text (a comment, the value of a tag) is decoded separately, since one file often combines
/// several sources.
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

/// Returns a text with ASCII spaces for the spaces of other encodings, without invisible characters,
/// and without quotes around it.
///
/// ```
/// assert_eq!(*pgn::plain_text("\u{201c}8/8\u{a0}w\u{200b}\u{201d}".as_bytes()), *b"8/8 w");
/// ```
pub fn plain_text(text: &[u8]) -> Cow<'_, [u8]> {
    let text = tag_line::trim_marks(text);
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
    Cow::Owned(tag_line::trim_marks(&plain).to_vec())
}
