//! Decodes bytes of a PGN file as text.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

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
