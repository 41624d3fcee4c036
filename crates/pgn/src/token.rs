//! Tokens of movetext (PGN standard 7 and 8.2), their classes of bytes, and the faults that can be
//! found without the rules of chess.

use std::ops::Range;

/// A half-open range of bytes in the scanned slice.
///
/// ```
/// let span = pgn::Span { start: 3, end: 6 };
/// assert_eq!(&b"1. Nf3 *"[span.range()], b"Nf3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// Offset of the first byte, from 0.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
}

impl Span {
    /// Returns the span as a range, for indexing a slice.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

// Byte classes of movetext: one table, one lookup per byte.

/// Ends a word: white space, a line end or a mark that is a token of its own.
pub(crate) const END: u8 = 1;

/// A digit. Nearly every move has one; a word without a digit is castling, a glyph or nonsense.
pub(crate) const DIGIT: u8 = 2;

/// `.` `*` `/` `-` or a byte above ASCII: the word may contain more than a move (`Nf3*`, `c64.Nc3`,
/// `Qg20-1`, a no-break space).
pub(crate) const ODD: u8 = 4;

/// Allowed in a tag name by the standard (8.1.1), and other marks because programs write them.
pub(crate) const NAME: u8 = 8;

pub(crate) static CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = match i as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | 0 | 0x1a => END,
            b'{' | b'}' | b'(' | b')' | b';' | b'<' | b'>' | b'[' | b']' | b'$' => END,
            b'0'..=b'9' => DIGIT | NAME,
            b'*' | b'/' | 0x80.. => ODD,
            b'.' | b'-' => ODD | NAME,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'+' | b'#' | b'=' | b':' => NAME,
            _ => 0,
        };
        i += 1;
    }
    table
};

/// Whether `byte` ends a word; the end of the text (`None`) does.
pub(crate) fn ends_word(byte: Option<&u8>) -> bool {
    byte.is_none_or(|b| CLASS[*b as usize] & END != 0)
}

/// Returns the length of a hyphen, dash or minus sign at the beginning of a text, or 0.
pub(crate) fn dash(text: &[u8]) -> usize {
    match text {
        [b'-', ..] => 1,
        [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => 3,
        // In Windows-1252.
        [0x96 | 0x97, ..] => 1,
        _ => 0,
    }
}

/// One token of movetext; a [`Token::Move`] only looks like a move. Move numbers before moves,
/// white space and `%` escape lines are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// Text that may be a move: `Nf3`, `exd5+!?`, `0-0`, `--`.
    Move(&'a [u8]),
    /// Digits that are not a usual move number: without a dot, of more than three digits, beside
    /// another number, or not before a move, as numeric notation (`5254`).
    Number(&'a [u8]),
    /// A numeric annotation glyph: its digits without the `$`, possibly empty.
    Nag(&'a [u8]),
    /// A standalone annotation in letters or signs: `!?`, `+-`, `=`, `□`, `N`, `e.p.`, `mate`.
    Glyph(&'a [u8]),
    /// The text between `{` and `}`.
    Comment(&'a [u8]),
    /// The text from `;` to the end of the line.
    LineComment(&'a [u8]),
    /// `(`: a variation begins.
    Open,
    /// `)`: a variation ends.
    Close,
    /// A game termination marker. Inside a variation it does not end the game.
    Result(Outcome),
    /// Anything else. No text is dropped, so the caller decides what to do with it.
    Unknown(&'a [u8]),
}

/// A game termination marker (PGN standard 8.2.6). Stored files of counts depend on the numbers of
/// the variants, so these must not change.
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
            b"1-0" | b"+/-" => Some(Outcome::WhiteWins),
            b"0-1" | b"-/+" => Some(Outcome::BlackWins),
            b"1/2-1/2" | b"1/2" => Some(Outcome::Draw),
            b"*" => Some(Outcome::Unknown),
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

/// Returns the result at the beginning of a text, `None` if both have lost (`0-0`, also castling),
/// and its length. Decimals, any dash or colon, spaces and `FF` are accepted: `0.5 – 0.5`, `1-0FF`.
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

/// A departure from the standard found by the scanner, and its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PgnDiagnostic {
    /// The kind of fault.
    pub kind: PgnDiagnosticKind,
    /// The offending text.
    pub span: Span,
}

/// The kinds of [`PgnDiagnostic`]. All kinds of which [`PgnDiagnosticKind::loses_text`] is false
/// have a single reading, so the scanner continues with it and no move is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum PgnDiagnosticKind {
    #[error("not a tag pair: skipped")]
    MalformedTag,
    /// With unescaped quotes, without its closing bracket, or without a space.
    #[error("not a tag pair as the standard writes it: read up to the last quote of the line")]
    LooseTag,
    #[error(
        "a damaged tag that decides how the game is played: read without its quotes and brackets"
    )]
    DamagedTag,
    #[error("text between the tag pairs: skipped")]
    TextBetweenTags,
    #[error("text outside every game: skipped")]
    TextOutsideGames,
    #[error("text after the result of the game: skipped")]
    TextAfterResult,
    #[error("a variation that is not closed before the game ends")]
    OpenVariation,
    #[error("a closing parenthesis without an opening one: skipped")]
    StrayClose,
    #[error("a closing brace without an opening one: skipped")]
    StrayBrace,
    #[error(
        "a position within the moves, or a tag that says how a game begins: the game ends here"
    )]
    StartInMovetext,
    #[error("a token in angle brackets, which the standard reserves: skipped")]
    Reserved,
    #[error("the text ends here, without a result or a line end: the game may be incomplete")]
    TruncatedGame,
    #[error("more faults in the same game, not listed")]
    More,
    #[error("a comment that is not closed before the end of the file: everything after it is lost")]
    OpenComment,
}

impl PgnDiagnosticKind {
    /// Whether the text is skipped, so that moves in it are lost.
    pub fn skips_text(self) -> bool {
        use PgnDiagnosticKind::{MalformedTag, TextAfterResult, TextBetweenTags, TextOutsideGames};
        matches!(self, MalformedTag | TextAfterResult | TextBetweenTags | TextOutsideGames)
    }

    /// Whether the text is between games or after the result of one.
    pub fn is_outside(self) -> bool {
        matches!(self, Self::TextAfterResult | Self::TextOutsideGames)
    }

    /// Whether moves may be lost, as opposed to text that is merely unusual.
    pub fn loses_text(self) -> bool {
        matches!(self, Self::OpenComment | Self::OpenVariation | Self::StartInMovetext)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_read_in_all_its_spellings() {
        // `|` marks the end of the result.
        let cases = [
            (
                Outcome::WhiteWins,
                &[
                    "1-0|", "1–0|", "1:0|", "1 - 0|\n", "1.0-0.0|", "1-0FF|", "1-0.|", "+:-|",
                    "+:–|",
                ][..],
            ),
            (
                Outcome::BlackWins,
                &["0—1| {x}", "0−1|", "0 : 1|", "0,0-1,0|", "0-1ff|", "-:+|", "−:+|"],
            ),
            (
                Outcome::Draw,
                &[
                    "1/2-1/2|", "1/2–1/2|", "1/2 - 1/2|", "1/2:1/2|", "1/2| x", "½-½|", "½–½|",
                    "½| - ", "0.5-0.5|", ".5-.5|", "½-½F|", "=:=|",
                ],
            ),
            (Outcome::Unknown, &["-:-|", "–:–|"]),
        ];
        for (outcome, case) in
            cases.iter().flat_map(|(outcome, cases)| cases.iter().map(|case| (*outcome, case)))
        {
            let text = case.replace('|', "");
            let expected = Some((Some(outcome), case.find('|').unwrap()));
            assert_eq!(at_start(text.as_bytes()), expected, "{case}");
        }
        for case in ["0-0|", "0–0|", "0:0|", "0 - 0|", "0.0-0.0|", "0-0FF|"] {
            let text = case.replace('|', "");
            assert_eq!(at_start(text.as_bytes()), Some((None, case.find('|').unwrap())), "{case}");
        }
        assert_eq!(at_start(b"\xbd-\xbd"), Some((Some(Outcome::Draw), 3)));
        assert_eq!(at_start(b"1\x960"), Some((Some(Outcome::WhiteWins), 3)));
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
