//! The six fields of FEN in a file of records: Fritz and ChessBase, the books of Stockfish,
//! matetrack, perft suites.

use crate::diagnostic::EpdDiagnostic;
use crate::diagnostic::kind::EpdDiagnosticKind;
use crate::dialect::label::is_result;
use crate::read::text::{Token, is_blank};

/// The clocks after the four fields.
pub(crate) struct Clocks<'a> {
    pub(crate) halfmoves: Token<'a>,
    /// `None` if the line ends before it.
    pub(crate) fullmoves: Option<Token<'a>>,
    pub(crate) rest: Token<'a>,
}

/// Returns the clocks, if present: nothing else after the fourth field consists of a number alone.
#[inline]
pub(crate) fn clocks(rest: Token<'_>) -> Option<Clocks<'_>> {
    let (halfmoves, behind) = number(rest)?;
    // A comma ends the last field of a table; between two numbers it means something else.
    if behind.text.starts_with(',') {
        return None;
    }
    match number(behind.trim_start()) {
        Some((fullmoves, rest)) => {
            Some(Clocks { halfmoves, fullmoves: Some(fullmoves), rest: rest.trim_start() })
        }
        // A score and a result.
        None if is_result(behind.trim_start().text) => None,
        None => Some(Clocks { halfmoves, fullmoves: None, rest: behind.trim_start() }),
    }
}

/// Splits off leading digits, unless a letter follows them, and a full stop.
#[inline]
fn number(text: Token<'_>) -> Option<(Token<'_>, Token<'_>)> {
    let bytes = text.text.as_bytes();
    let len = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    let ends =
        bytes.get(len).is_none_or(|b| is_blank(*b) || matches!(b, b';' | b',' | b'[' | b'|'));
    // “0 1.”, at the end of a sentence.
    let stop = usize::from(bytes[len..].starts_with(b".") && bytes.len() == len + 1);
    (len > 0 && (ends || stop > 0)).then(|| (text.split_at(len).0, text.skip(len + stop)))
}

impl Clocks<'_> {
    /// Returns the numbers; 0 and 1 replace invalid or missing ones.
    pub(crate) fn read(&self, faults: &mut dyn FnMut(EpdDiagnostic)) -> (u32, u32) {
        use san::Field::{FullmoveNumber, HalfmoveClock};
        let mut read = |token: Token<'_>, field, default| {
            token.text.parse().unwrap_or_else(|_| {
                let kind = EpdDiagnosticKind::BadClock { field, text: token.text.to_owned() };
                faults(EpdDiagnostic::of(token, kind));
                default
            })
        };
        let halfmoves = read(self.halfmoves, HalfmoveClock, 0);
        let Some(token) = self.fullmoves else {
            let kind = EpdDiagnosticKind::MissingField(FullmoveNumber);
            faults(EpdDiagnostic::new(self.halfmoves.end(), "", kind));
            return (halfmoves, 1);
        };
        let fullmoves = read(token, FullmoveNumber, 1);
        if fullmoves == 0 {
            faults(EpdDiagnostic::of(token, EpdDiagnosticKind::ZeroFullmove));
        }
        (halfmoves, fullmoves.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_numbers_that_stand_alone() {
        // The text after four fields: the clocks, the rest, and the number of faults.
        let cases = [
            ("0 1", Some((0, 1, "", 0))),
            ("12 345 bm e4;", Some((12, 345, "bm e4;", 0))),
            ("5 39;", Some((5, 39, ";", 0))),
            ("5 39[0.5]", Some((5, 39, "[0.5]", 0))),
            ("5 39,0.35", Some((5, 39, ",0.35", 0))),
            ("5, 39, bm e4;", None),
            ("5 39.", Some((5, 39, "", 0))),
            ("5.", Some((5, 1, "", 1))),
            ("5 39. x", Some((5, 1, "39. x", 1))),
            ("35 0.5", None),
            ("35 1-0", None),
            ("5 39|3", Some((5, 39, "|3", 0))),
            ("5  39  x", Some((5, 39, "x", 0))),
            ("5", Some((5, 1, "", 1))),
            ("5 bm e4;", Some((5, 1, "bm e4;", 1))),
            ("5 3x", Some((5, 1, "3x", 1))),
            ("5 0", Some((5, 1, "", 1))),
            ("4294967296 4294967296", Some((0, 1, "", 2))),
            ("", None),
            ("x", None),
            ("3+3 0 1", None),
            ("-1 5", None),
        ];
        for (text, expected) in cases {
            let found = clocks(Token { at: 0, text }).map(|clocks| {
                let mut faults = 0;
                let (halfmoves, fullmoves) = clocks.read(&mut |_| faults += 1);
                (halfmoves, fullmoves, clocks.rest.text, faults)
            });
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
