//! Results of games, and one table of their spellings (PGN standard 8.2.6).

use crate::class::{dash, ends_word};

/// A game termination marker (PGN standard 8.2.6).
///
/// Stored files of counts depend on the numbers of the variants, so these must not change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Outcome {
    /// `1-0`
    WhiteWins = 0,
    /// `0-1`
    BlackWins = 1,
    /// `1/2-1/2`, also `1/2` and `½-½`
    Draw = 2,
    /// `*`
    #[default]
    Unknown = 3,
}

impl Outcome {
    /// Parses a text that consists of a marker only, as the value of a `Result` tag should. Other
    /// spellings are accepted: `1–0`, `1:0`, `0.5-0.5`, `+:-`, `1-0FF`.
    ///
    /// ```
    /// assert_eq!(pgn::Outcome::of_text(b"1/2-1/2"), Some(pgn::Outcome::Draw));
    /// assert_eq!(pgn::Outcome::of_text(b"1-0 (time)"), None);
    /// ```
    pub fn of_text(text: &[u8]) -> Option<Self> {
        match text {
            b"1-0" => Some(Outcome::WhiteWins),
            b"0-1" => Some(Outcome::BlackWins),
            b"1/2-1/2" | b"1/2" => Some(Outcome::Draw),
            b"*" => Some(Outcome::Unknown),
            b"+/-" => Some(Outcome::WhiteWins),
            b"-/+" => Some(Outcome::BlackWins),
            _ => at_start(text).filter(|(_, len)| *len == text.len())?.0,
        }
    }

    /// Parses the value of a `Result` tag, which may have blanks around it; anything else than a
    /// marker is [`Outcome::Unknown`].
    ///
    /// ```
    /// assert_eq!(pgn::Outcome::of_tag(b" 1-0"), pgn::Outcome::WhiteWins);
    /// assert_eq!(pgn::Outcome::of_tag(b"adjourned"), pgn::Outcome::Unknown);
    /// ```
    pub fn of_tag(value: &[u8]) -> Self {
        Outcome::of_text(value.trim_ascii()).unwrap_or_default()
    }

    /// Decodes the number that files of counts store: the value of `outcome as u8`.
    ///
    /// ```
    /// use pgn::Outcome;
    ///
    /// assert_eq!(Outcome::of_number(Outcome::Draw as u8), Some(Outcome::Draw));
    /// assert_eq!(Outcome::of_number(4), None);
    /// ```
    #[inline]
    pub fn of_number(number: u8) -> Option<Self> {
        [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw, Outcome::Unknown]
            .get(usize::from(number))
            .copied()
    }

    /// Returns White's half points: 2, 1 or 0; `None` if the outcome is unknown.
    ///
    /// ```
    /// assert_eq!(pgn::Outcome::Draw.halves(), Some(1));
    /// ```
    pub fn halves(self) -> Option<u8> {
        match self {
            Outcome::WhiteWins => Some(2),
            Outcome::Draw => Some(1),
            Outcome::BlackWins => Some(0),
            Outcome::Unknown => None,
        }
    }

    /// Returns the marker in the form of the standard.
    ///
    /// ```
    /// assert_eq!(pgn::Outcome::Draw.as_str(), "1/2-1/2");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::WhiteWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Unknown => "*",
        }
    }
}

/// The half points of a side as they are written, the longest spelling first.
const POINTS: &[(&[u8], u8)] = &[
    (b"1/2", 1),
    ("½".as_bytes(), 1),
    // In ISO 8859-1.
    (b"\xbd", 1),
    (b"1.0", 2),
    (b"1,0", 2),
    (b"0.5", 1),
    (b"0,5", 1),
    (b".5", 1),
    (b"0.0", 0),
    (b"0,0", 0),
    (b"1", 2),
    (b"0", 0),
];

/// The points of a side in a game that was not played, before and after a colon: `+:-`.
const SIGNS: &[(&[u8], u8)] = &[
    (b"+", 2),
    (b"=", 1),
    (b"-", 0),
    ("–".as_bytes(), 0),
    ("—".as_bytes(), 0),
    ("−".as_bytes(), 0),
];

/// Returns the result at the beginning of a text, and its length. The result is `None` if both
/// sides have lost, in the same spelling as castling with zeros: `0-0`.
///
/// Accepts decimals, any dash or a colon, spaces around it, and the mark of a forfeit: `1–0`,
/// `0.5-0.5`, `1 - 0`, `1-0FF`.
pub(crate) fn at_start(text: &[u8]) -> Option<(Option<Outcome>, usize)> {
    let points = |text: &[u8], table: &[(&[u8], u8)]| {
        let found = table.iter().find(|(spelling, _)| text.starts_with(spelling));
        found.map(|(spelling, halves)| (spelling.len(), *halves))
    };
    let is_decimal = |points: &[u8]| points.iter().any(|byte| matches!(byte, b'.' | b','));
    let blanks = |text: &[u8]| usize::from(text.starts_with(b" "));
    let first = text.first()?;
    let is_sign = matches!(first, b'+' | b'=') || dash(text) > 0;
    let table = if is_sign { SIGNS } else { POINTS };
    let (first, white) = points(text, table)?;
    let second = |mut at: usize| {
        at += blanks(&text[at..]);
        at += match text.get(at)? {
            b':' => 1,
            _ if is_sign => return None,
            _ => Some(dash(&text[at..])).filter(|len| *len > 0)?,
        };
        at += blanks(&text[at..]);
        let (len, black) = points(&text[at..], table)?;
        // `1.0-0` is castling on the first move.
        if is_decimal(&text[..first]) != is_decimal(&text[at..at + len]) {
            return None;
        }
        at += len;
        at += text[at..].iter().take(2).take_while(|byte| matches!(byte, b'F' | b'f')).count();
        at += usize::from(matches!(text.get(at), Some(b'.' | b',')));
        let outcome = match (white, black) {
            (2, 0) => Some(Outcome::WhiteWins),
            (1, 1) => Some(Outcome::Draw),
            (0, 2) => Some(Outcome::BlackWins),
            // Neither side appeared.
            (0, 0) if is_sign => Some(Outcome::Unknown),
            (0, 0) => None,
            _ => return None,
        };
        ends_word(text.get(at)).then_some((outcome, at))
    };
    match second(first) {
        None if white == 1
            && !is_sign
            && !is_decimal(&text[..first])
            && ends_word(text.get(first)) =>
        {
            Some((Some(Outcome::Draw), first))
        }
        found => found,
    }
}

/// Whether a word says that both sides have lost: `0-0`, which may also be castling.
///
/// ```
/// assert!(pgn::is_double_loss(b"0-0") && pgn::is_double_loss("0–0".as_bytes()));
/// assert!(!pgn::is_double_loss(b"O-O") && !pgn::is_double_loss(b"0-1"));
/// ```
pub fn is_double_loss(word: &[u8]) -> bool {
    at_start(word) == Some((None, word.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_read_in_all_its_spellings() {
        let (white, black, draw) = (Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw);
        // `|` marks the end of the result.
        let cases = [
            ("1-0|", white),
            ("1–0|", white),
            ("0—1| {x}", black),
            ("0−1|", black),
            ("1:0|", white),
            ("1 - 0|\n", white),
            ("0 : 1|", black),
            ("1.0-0.0|", white),
            ("0,0-1,0|", black),
            ("1/2-1/2|", draw),
            ("1/2–1/2|", draw),
            ("1/2 - 1/2|", draw),
            ("1/2:1/2|", draw),
            ("1/2| x", draw),
            ("½-½|", draw),
            ("½–½|", draw),
            ("½| - ", draw),
            ("0.5-0.5|", draw),
            (".5-.5|", draw),
            ("1-0FF|", white),
            ("0-1ff|", black),
            ("½-½F|", draw),
            ("1-0.|", white),
            ("+:-|", white),
            ("-:+|", black),
            ("=:=|", draw),
            ("+:–|", white),
            ("−:+|", black),
            ("-:-|", Outcome::Unknown),
            ("–:–|", Outcome::Unknown),
        ];
        for (case, outcome) in cases {
            let text = case.replace('|', "");
            let expected = Some((Some(outcome), case.find('|').unwrap()));
            assert_eq!(at_start(text.as_bytes()), expected, "{case}");
        }
        for case in ["0-0|", "0–0|", "0:0|", "0 - 0|", "0.0-0.0|", "0-0FF|"] {
            let text = case.replace('|', "");
            assert_eq!(at_start(text.as_bytes()), Some((None, case.find('|').unwrap())), "{case}");
        }
        assert_eq!(at_start(b"\xbd-\xbd"), Some((Some(draw), 3)));
        assert_eq!(at_start(b"1\x960"), Some((Some(white), 3)));
    }

    #[test]
    fn other_text_is_no_result() {
        for text in [
            "", "1", "0", "1-", "1-1", "1-1/2", "0-1/2", "1-0x", "0-0-0", "1-0-0", "0-0+", "1/0",
            "1/3", "½x", "½-", "½-½x", "1.0", ".5", "0.5", "1.0-0", "1-0.0", "10-0", "+-", "+/-",
            "-/+", "--", "=", "1. 0-0", "1 0", "1- e4", "2-0", "1-00",
        ] {
            assert_eq!(at_start(text.as_bytes()), None, "{text}");
        }
    }
}
