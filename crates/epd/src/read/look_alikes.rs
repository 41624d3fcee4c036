//! Spaces, hyphens and invisible characters outside of ASCII, as word processors and web pages
//! insert them.

use std::borrow::Cow;

use crate::diagnostic::EpdDiagnostic;
use crate::diagnostic::kind::EpdDiagnosticKind;
use crate::string::{is_look_alike, plain};

/// Replaces look-alikes outside of strings by the characters of ASCII that they stand for. Their
/// diagnostics, and those of the returned line, have the same columns as in the line itself, where
/// invisible characters have none.
///
/// ```
/// let mut said = Vec::new();
/// let line = "4k3/8/8/8/8/8/4P3/4K3 w – – id\u{a0}\"a – b\";";
/// let plain = epd::without_look_alikes(line, &mut |fault| said.push(fault.to_string()));
/// assert_eq!(plain, "4k3/8/8/8/8/8/4P3/4K3 w - - id \"a – b\";");
/// assert_eq!(said, ["U+2013 outside of strings: read as a hyphen", "U+00A0 outside of strings: read as a space"]);
/// ```
pub fn without_look_alikes<'l>(
    line: &'l str,
    faults: &mut dyn FnMut(EpdDiagnostic),
) -> Cow<'l, str> {
    if line.is_ascii() || !line.contains(is_look_alike) {
        return Cow::Borrowed(line);
    }
    let (mut text, mut in_string) = (String::with_capacity(line.len()), false);
    let mut told = None;
    for (at, c) in line.char_indices() {
        in_string ^= c == '"';
        // A byte order mark is reported by the reader.
        if in_string || (at, c) == (0, '\u{feff}') || !is_look_alike(c) {
            text.push(c);
            continue;
        }
        if told != Some(c) {
            faults(EpdDiagnostic {
                at: text.len()..text.len(),
                kind: EpdDiagnosticKind::LookAlike(c),
            });
            told = Some(c);
        }
        text.extend(plain(c));
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_hyphens_and_invisible_characters_outside_of_strings_are_plain() {
        for (line, expected) in [
            ("w\u{2009}-\u{3000}-", "w - -"),
            ("bm e\u{200b}4\u{ad};", "bm e4;"),
            ("bm O\u{2011}O \u{2212};", "bm O-O -;"),
            ("c0 \"a\u{a0}\u{2014}b\";\u{a0}", "c0 \"a\u{a0}\u{2014}b\"; "),
            ("\u{feff}w", "\u{feff}w"),
            ("\u{a0}w", " w"),
            ("bm e4\u{37e} id x\u{ff1b}", "bm e4; id x;"),
            ("id M\u{fc}ller;", "id M\u{fc}ller;"),
        ] {
            assert_eq!(without_look_alikes(line, &mut |_| {}), expected, "{line}");
        }
    }
}
